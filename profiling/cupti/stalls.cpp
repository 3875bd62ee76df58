#include "profiling/cupti/child.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "kernels/gpu/gpu.h"
#include "profiling/cupti/device.h"
#include "profiling/cupti/interfaces.h"
#include "profiling/cupti/machine_code.h"

namespace lanescope::cupti {
namespace {

struct Place {
  std::string function;
  std::uint32_t offset = 0;
  std::uint32_t reason = 0;
  auto operator<=>(const Place&) const = default;
};
using Samples = std::map<Place, std::uint64_t>;

constexpr std::string_view idle_suffix = "_not_issued";
constexpr std::size_t room_for_pcs = 4096;
constexpr std::size_t hardware_bytes = std::size_t{64} << 20, scratch_bytes = std::size_t{8} << 20;
constexpr std::uint64_t most_runs_in_heap = 256;
constexpr std::uint64_t runs_before_sampling = 3;  ///< of choose_period()
constexpr std::size_t most_runs_at_once = 64;      ///< between two looks at the clock

/// Buffer of the library's samples.
struct Room {
  explicit Room(std::size_t reasons) : pcs(room_for_pcs), found(room_for_pcs * std::max<std::size_t>(reasons, 1)) {
    for (std::size_t i = 0; i < pcs.size(); ++i) pcs[i].reasons = &found[i * (found.size() / pcs.size())];
    data.room = pcs.size(), data.pcs = pcs.data();
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  std::vector<SampledPc> pcs;
  std::vector<SampledReason> found;
  SamplingData data;
};

class SamplingSession {
 public:
  SamplingSession(const Library& library, const SamplingInterface& api, gpu::Context context)
      : library_(library), api_(api) {
    context_.context = context;
  }
  ~SamplingSession() {
    if (enabled_) api_.cuptiPCSamplingDisable(&context_);
  }
  SamplingSession(const SamplingSession&) = delete;
  SamplingSession& operator=(const SamplingSession&) = delete;

  Expected<void> begin(int period_log2);
  Expected<void> start() { return done(api_.cuptiPCSamplingStart(&context_), "starting to sample"); }
  Expected<void> stop() { return done(api_.cuptiPCSamplingStop(&context_), "ending a round of samples"); }
  Expected<void> collect(Samples& samples, StallReport& out) const;
  const std::string& reason(std::uint32_t index) const { return names_.at(index); }

 private:
  Expected<void> done(Result r, std::string_view doing) const {
    if (r) return refusal(library_, r, doing);
    return {};
  }
  Expected<void> ask_reasons();

  const Library& library_;
  const SamplingInterface& api_;
  ContextArguments context_;
  bool enabled_ = false;
  std::vector<std::uint32_t> indices_;
  std::map<std::uint32_t, std::string> names_;
  std::unique_ptr<Room> last_words_;  ///< the library writes into it when sampling ends
};

Expected<void> SamplingSession::ask_reasons() {
  std::size_t count = 0;
  ReasonCountArguments c{.context = context_.context, .count = &count};
  if (auto asked = done(api_.cuptiPCSamplingGetNumStallReasons(&c), "requesting the stall reasons"); !asked)
    return asked;
  indices_.assign(count, 0);
  std::vector<std::vector<char>> texts(count, std::vector<char>(reason_name_bytes));
  std::vector<char*> pointers;
  for (auto& t : texts) pointers.push_back(t.data());
  ReasonsArguments a{.context = context_.context, .count = count, .indices = indices_.data(), .names = pointers.data()};
  if (auto asked = done(api_.cuptiPCSamplingGetStallReasons(&a), "requesting the stall reasons"); !asked) return asked;
  for (std::size_t i = 0; i < count; ++i) names_[indices_[i]] = texts[i].data();
  return {};
}

Expected<void> SamplingSession::begin(int period_log2) {
  if (auto enabled = done(api_.cuptiPCSamplingEnable(&context_), "sampling the program counter"); !enabled)
    return enabled;
  enabled_ = true;
  if (auto asked = ask_reasons(); !asked) return asked;
  last_words_ = std::make_unique<Room>(indices_.size());
  std::vector<SamplingSetting> settings;
  const auto set = [&](SamplingAttribute attribute) -> auto& {
    settings.push_back({.attribute = attribute, .status = 0});
    return settings.back().value;
  };
  set(SamplingAttribute::mode).number = 1;
  set(SamplingAttribute::period).number = static_cast<std::uint32_t>(period_log2);
  set(SamplingAttribute::start_and_stop).number = 1;
  set(SamplingAttribute::hardware_bytes).bytes = hardware_bytes;
  set(SamplingAttribute::scratch_bytes).bytes = scratch_bytes;
  set(SamplingAttribute::format).number = 1;
  set(SamplingAttribute::data).pointer = &last_words_->data;
  set(SamplingAttribute::reasons).list = {.count = indices_.size(), .indices = indices_.data()};
  SamplingConfigArguments a{.context = context_.context, .count = settings.size(), .settings = settings.data()};
  return done(api_.cuptiPCSamplingSetConfigurationAttribute(&a), "configuring the sampling");
}

Expected<void> SamplingSession::collect(Samples& samples, StallReport& out) const {
  for (;;) {
    Room room(indices_.size());
    SamplingDataArguments a{.context = context_.context, .data = &room.data};
    if (auto got = done(api_.cuptiPCSamplingGetData(&a), "reading the samples"); !got) return got;
    out.samples += room.data.samples, out.dropped += room.data.dropped, out.elsewhere += room.data.elsewhere;
    for (std::size_t i = 0; i < std::min(room.data.count, room.pcs.size()); ++i) {
      const SampledPc& pc = room.pcs[i];
      for (std::size_t k = 0; k < pc.reason_count; ++k)
        if (pc.reasons[k].samples > 0)
          samples[{.function = pc.function ? pc.function : "",
                   .offset = static_cast<std::uint32_t>(pc.offset),
                   .reason = pc.reasons[k].reason}] += pc.reasons[k].samples;
    }
    if (room.data.remaining == 0 || room.data.count == 0) return {};
  }
}

Expected<void> one_run(const gpu::Program& program, const Request& request) {
  gpu::Status s = program.upload(request.buffers);
  if (!s) s = program.launch_all();
  if (s) return failure("a launch failed: " + gpu::status_words(s));
  return {};
}

Expected<void> finish(const gpu::Program& program) {
  if (const gpu::Status s = program.synchronize())
    return failure("a launch failed on the device: " + gpu::status_words(s));
  return {};
}

/// A run gives some four thousand samples at this period, where it lasts long enough.
Expected<int> choose_period(const gpu::Program& program, const Request& request) {
  for (int i = 0; i < 2; ++i) {  // the first run also pays for what is done once
    if (auto ran = one_run(program, request); !ran) return tl::unexpected(ran.error());
    if (i == 0)
      if (auto finished = finish(program); !finished) return tl::unexpected(finished.error());
  }
  const auto devices = gpu::devices();
  const auto index = static_cast<std::size_t>(request.device);
  const bool known = devices && index < devices->size();
  const double multiprocessors = known ? (*devices)[index].multiprocessors : 100;
  const double khz = known && (*devices)[index].clock_khz > 0 ? (*devices)[index].clock_khz : 1.5e6;
  if (auto finished = finish(program); !finished) return tl::unexpected(finished.error());
  const auto start = std::chrono::steady_clock::now();
  if (const gpu::Status s = program.launch_all()) return failure("a launch failed: " + gpu::status_words(s));
  if (auto finished = finish(program); !finished) return tl::unexpected(finished.error());
  const double cycles = milliseconds_since(start) * khz * multiprocessors;
  constexpr double samples_a_run = 4096, shortest = 5, longest = 16;
  return static_cast<int>(std::clamp(std::floor(std::log2(cycles / samples_a_run)), shortest, longest));
}

Expected<void> sample_runs(const gpu::Program& program, const Request& request, SamplingSession& session,
                           Samples& samples, StallReport& out) {
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t left = program.most_runs() - std::min(program.most_runs(), runs_before_sampling);
  for (std::size_t at_once = 1;; at_once = std::min(2 * at_once, most_runs_at_once)) {
    if (auto started = session.start(); !started) return started;
    if (at_once > left) at_once = std::max<std::uint64_t>(left, 1);
    for (std::size_t i = 0; i < at_once; ++i)
      if (auto ran = one_run(program, request); !ran) return ran;
    if (auto finished = finish(program); !finished) return finished;
    if (auto stopped = session.stop(); !stopped) return stopped;
    if (auto collected = session.collect(samples, out); !collected) return collected;
    out.runs += at_once;
    left -= std::min<std::uint64_t>(left, at_once);
    out.milliseconds = milliseconds_since(start);
    if (out.samples - out.elsewhere >= request.enough_samples || out.milliseconds > 1000 * request.seconds || left == 0)
      return {};
  }
}

/// A row for each reason at each place. The samples in which nothing was issued are repeated under a name of
/// their own, and are made a part of their reason's row.
std::vector<StallRow> rows_of(const Samples& samples, const SamplingSession& session, const std::string& cubin) {
  std::map<std::tuple<std::string, std::uint32_t, std::string>, StallRow> rows;
  for (const auto& [place, count] : samples) {
    std::string reason = session.reason(place.reason);
    const bool idle = reason.ends_with(idle_suffix);
    if (idle) reason.resize(reason.size() - idle_suffix.size());
    StallRow& row = rows[{place.function, place.offset, reason}];
    (idle ? row.idle : row.samples) += count;
  }
  std::vector<StallRow> out;
  for (auto& [place, row] : rows) {
    std::tie(row.function, row.offset, row.reason) = place;
    SourcePlace source = source_place(cubin, row.function, row.offset);
    row.line = source.line, row.file = std::move(source.file);
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

Expected<StallReport> sample_stalls(const Request& request) {
  auto opened = LS_TRY(open_device(request.device));
  const auto api = LS_TRY(sampling_interface());
  gpu::Program& program = *opened.program;
  const auto cubin = LS_TRY(load_and_report_code(opened, request, most_runs_in_heap));
  const auto period = LS_TRY(choose_period(program, request));
  StallReport out{.device = opened.device, .chip = opened.chip, .period_log2 = period};
  SamplingSession session(*opened.library, *api, program.context());
  if (auto begun = session.begin(period); !begun) return tl::unexpected(begun.error());
  Samples samples;
  if (auto done = sample_runs(program, request, session, samples, out); !done) return tl::unexpected(done.error());
  out.rows = rows_of(samples, session, cubin);
  return out;
}

std::string_view stall_name(std::string_view reason) {
  constexpr std::string_view before = "stalled_";
  const std::size_t at = reason.rfind(before);
  return at == std::string_view::npos ? reason : reason.substr(at + before.size());
}

std::string_view stall_words(std::string_view reason) {
  struct Row {
    std::string_view name, words;
  };
  constexpr Row rows[] = {
      {"barrier", "other warps have not reached the barrier"},
      {"branch_resolving", "the branch target is being computed"},
      {"dispatch_stall", "the dispatcher delays the instruction"},
      {"drain", "the warp has exited and its stores are not complete"},
      {"gmma", "a warpgroup matrix instruction is not finished"},
      {"imc_miss", "a constant is not in the constant cache"},
      {"lg_throttle", "the queue of global and local accesses is full"},
      {"long_scoreboard", "a value from global, local or texture memory has not arrived"},
      {"math_pipe_throttle", "the arithmetic pipe is busy"},
      {"membar", "a memory fence is not complete"},
      {"mio_throttle", "the queue of shared memory and special instructions is full"},
      {"misc", "another hardware reason"},
      {"no_instructions", "the next instruction has not been fetched"},
      {"not_selected", "it could issue, but another warp was selected"},
      {"selected", "the warp issues an instruction; no stall"},
      {"short_scoreboard", "a value from shared memory or a special function has not arrived"},
      {"sleeping", "the warp executes nanosleep"},
      {"tex_throttle", "the queue of texture accesses is full"},
      {"wait", "a fixed latency of the previous instruction"},
      {"warpgroup_arrive", "the other warps of the warpgroup have not arrived"},
  };
  std::string_view name = stall_name(reason);
  if (name.ends_with(idle_suffix)) name.remove_suffix(idle_suffix.size());
  for (const Row& row : rows)
    if (row.name == name) return row.words;
  return {};
}

}  // namespace lanescope::cupti
