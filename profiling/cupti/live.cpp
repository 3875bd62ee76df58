#include "profiling/cupti/live.h"

#include <fmt/format.h>

#include <future>
#include <limits>
#include <optional>

#include "kernels/base/conversation.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/session.h"

namespace lanescope::cupti {
namespace {

using Clock = std::chrono::steady_clock;

/// The code of programs before stays loaded (gpu::Program::keep_code); after so many a new child starts.
constexpr int most_loads = 500;
constexpr const char* cancelled_words = "the measurement was cancelled";

/// State kept between requests.
class Kept {
 public:
  /// False after a launch that failed, since the context is of no more use, after bytes that cannot be read, since
  /// changes no longer fit, and after very many programs.
  bool usable() const { return usable_; }
  Expected<Measurement> measure(const Bytes& change);

 private:
  Expected<void> open(int device);
  Expected<void> choose(const std::vector<std::string>& metrics);
  Expected<void> choose_of_available();
  Expected<void> load(const Request& now);
  Expected<void> time(const Request& now, Measurement& out);
  Expected<void> open_session(std::size_t ranges, ReplayMode replay);
  Expected<void> count(const Request& now, Measurement& out);
  std::unique_ptr<gpu::Program> load_nothing() const;
  void warm_up();
  bool same_program(const Request& now) const;

  std::optional<Opened> opened_;  ///< its program holds the context open and is never loaded
  int device_ = 0;
  std::vector<std::uint8_t> available_;  ///< empty until it was requested
  std::vector<std::string> asked_;
  Sorted names_;
  std::optional<Host> host_;
  Config config_;
  std::unique_ptr<gpu::Program> nothing_;  ///< a kernel that does nothing, until it has been counted
  std::unique_ptr<gpu::Program> program_;
  std::unique_ptr<RangeSession> session_;
  std::shared_ptr<const Request> received_;  ///< the last that could be read: changes are against it
  std::shared_ptr<const Request> loaded_;    ///< the one whose PTX and buffers are in place
  int loads_ = 0;
  bool usable_ = true;
};

/// The kernel of warm_up(). The launch of its request is the only one.
const Request& request_for_nothing() {
  static const Request request{
      .ptx = ".version 6.4\n.target sm_50\n.address_size 64\n.visible .entry nothing()\n{\n  ret;\n}\n",
      .launches = {{.kernel = "nothing", .grid = {1, 1, 1}, .block = {32, 1, 1}}}};
  return request;
}

/// The library loads while the driver makes the context.
Expected<void> Kept::open(int device) {
  const auto loading = std::async(std::launch::async, [] { (void)library(); });
  opened_.emplace(LS_TRY(open_device(device)));
  device_ = device;
  nothing_ = load_nothing();
  return {};
}

Expected<void> Kept::choose(const std::vector<std::string>& metrics) {
  asked_.clear(), session_.reset(), host_.reset();
  auto sorted = LS_TRY(sort_names(opened_->chip, available_, metrics));
  if (sorted.known.empty()) return failure(fmt::format("{} has none of the requested metrics", opened_->chip));
  auto host = LS_TRY(Host::open(opened_->chip, available_));
  if (!host.add(sorted.known)) return failure("CUPTI accepts each of these metrics alone, but not together");
  auto config = LS_TRY(host.config());
  names_ = std::move(sorted), config_ = std::move(config), asked_ = metrics;
  host_.emplace(std::move(host));
  return {};
}

/// The counters of this device take an eighth of a second to find (on an H200), and are those of its chip on most of
/// them. So they are looked up where a session with the chip's counters is refused.
Expected<void> Kept::choose_of_available() {
  available_ = LS_TRY(availability(*opened_->library, opened_->program->context()));
  return choose(std::vector<std::string>(asked_));
}

bool Kept::same_program(const Request& now) const {
  if (!program_ || now.ptx != loaded_->ptx || now.buffers.size() != loaded_->buffers.size()) return false;
  for (std::size_t i = 0; i < now.buffers.size(); ++i)
    if (now.buffers[i].bytes.size() != loaded_->buffers[i].bytes.size()) return false;
  return true;
}

Expected<void> Kept::load(const Request& now) {
  if (same_program(now)) {
    if (const gpu::Status s = program_->upload(now.buffers))
      return failure("the buffers cannot be initialised: " + gpu::status_words(s));
    loaded_ = received_;
    return program_->set_launches(now.launches, now.cooperative);
  }
  if (program_) program_->keep_code();
  program_.reset();
  auto program = LS_TRY(gpu::Program::open(now.device));
  if (auto loaded = program->load(now.ptx, now.launches, now.buffers, load_options(now, most_passes)); !loaded)
    return loaded;
  program_ = std::move(program);
  loaded_ = received_;
  ++loads_;
  return {};
}

/// Before anything is counted: the range profiler makes launches slower than they are. A list that takes long is timed
/// once.
Expected<void> Kept::time(const Request& now, Measurement& out) {
  constexpr float quick_milliseconds = 2;
  gpu::Timing timing;
  float all = 0;
  for (int i = 0; i < now.timed && all < quick_milliseconds; ++i) {
    if (const gpu::Status s = gpu::time_launches(*program_, 0, 1, timing)) {
      usable_ = false;
      return failure("a launch failed on the device: " + gpu::status_words(s));
    }
    all += timing.milliseconds.back();
  }
  out.milliseconds = timing.milliseconds;
  if (now.timed == 0) return {};
  if (const gpu::Status s = program_->upload(now.buffers))
    return failure("the buffers cannot be reset: " + gpu::status_words(s));
  return {};
}

Expected<void> Kept::open_session(std::size_t ranges, ReplayMode replay) {
  const auto open = [&]() -> Expected<void> {
    auto session = LS_TRY(
        RangeSession::open(*opened_->library, opened_->program->context(), names_.known, config_, ranges, replay));
    session_ = std::make_unique<RangeSession>(std::move(session));
    return {};
  };
  if (auto opened = open(); opened || !available_.empty()) return opened;
  if (auto chosen = choose_of_available(); !chosen) return chosen;
  return open();
}

Expected<void> Kept::count(const Request& now, Measurement& out) {
  const std::size_t ranges = now.launches.size();
  const ReplayMode replay =
      now.replay == Replay::kernel ? ReplayMode::library_replays_kernel : ReplayMode::caller_replays;
  if (session_) {
    if (auto again = session_->again(names_.known, config_, ranges, replay); !again) session_.reset();
  }
  if (!session_)
    if (auto opened = open_session(ranges, replay); !opened) return opened;
  out.metrics = names_.known, out.unknown = names_.unknown, out.passes = config_.passes;
  out.values.assign(ranges, std::vector<double>(names_.known.size(), std::numeric_limits<double>::quiet_NaN()));
  const Bench bench{*opened_->library, *program_, now, *host_, config_, names_.known};
  auto done = run_ranges(bench, *session_, 0, ranges, out.values);
  usable_ = done.has_value();
  return done;
}

/// Null where that fails, which is reported at the first request.
std::unique_ptr<gpu::Program> Kept::load_nothing() const {
  auto program = gpu::Program::open(device_);
  const Request& request = request_for_nothing();
  if (!program || !(*program)->load(request.ptx, request.launches, request.buffers)) return nullptr;
  return std::move(*program);
}

/// Counts an empty kernel: afterwards the driver and CUPTI have loaded and set up their needs for the first
/// module and the first range (most of the first answer's time on an H200). A failure here occurs again at
/// the first request, and is then reported.
void Kept::warm_up() {
  const std::unique_ptr<gpu::Program> nothing = std::move(nothing_);
  if (!nothing) return;
  if (!open_session(1, ReplayMode::library_replays_kernel)) return;
  std::vector<std::vector<double>> values(1, std::vector<double>(names_.known.size()));
  const Bench bench{*opened_->library, *nothing, request_for_nothing(), *host_, config_, names_.known};
  if (!run_ranges(bench, *session_, 0, 1, values)) session_.reset();
  nothing->keep_code();
}

Expected<Measurement> Kept::measure(const Bytes& change) {
  const auto start = Clock::now();
  auto request = apply_change(received_.get(), change);
  usable_ = request.has_value();
  if (!request) return tl::unexpected(request.error());
  received_ = std::make_shared<const Request>(std::move(*request));
  const Request& now = *received_;
  if (now.launches.size() > live_launches)
    return failure(fmt::format("{} launches are too many for live mode", now.launches.size()),
                   fmt::format("measure up to {} of them", live_launches));
  if (opened_ && now.device != device_)
    return failure("a live measurement cannot change its device", "start another for another device");
  if (!opened_)
    if (auto opened = open(now.device); !opened) return tl::unexpected(opened.error());
  const bool opens_only = now.launches.empty() && now.metrics.empty();
  if (!opens_only && now.metrics != asked_)
    if (auto chosen = choose(now.metrics); !chosen) return tl::unexpected(chosen.error());
  if (now.launches.empty() && !opens_only && !session_) warm_up();
  Measurement out{.device = opened_->device,
                  .chip = opened_->chip,
                  .metrics = names_.known,
                  .unknown = names_.unknown,
                  .passes = config_.passes};
  if (!now.launches.empty())
    if (auto loaded = load(now); !loaded) return tl::unexpected(loaded.error());
  out.setup_milliseconds = milliseconds_since(start);
  const auto running = Clock::now();
  if (!now.launches.empty())
    if (auto timed = time(now, out); !timed) return tl::unexpected(timed.error());
  if (!now.launches.empty())
    if (auto counted = count(now, out); !counted) return tl::unexpected(counted.error());
  out.run_milliseconds = milliseconds_since(running);
  if (loads_ >= most_loads) usable_ = false;
  return out;
}

}  // namespace

int live_child(int in_fd, int out_fd) {
  const int answer_fd = take_answer_stream(out_fd);
  if (answer_fd < 0) return 1;
  Kept kept;
  while (const auto change = read_frame(in_fd)) {
    if (!write_frame(answer_fd, encode(kept.measure(*change)))) return 1;
    if (!kept.usable()) return 0;
  }
  return 0;
}

Expected<Measurement> Live::measure(const Request& request, const Deadline& deadline) {
  for (;;) {
    const bool fresh = !running();
    if (fresh && deadline.over()) return failure(cancelled_words);
    if (fresh) {
      before_.reset();
      child_ = LS_TRY(Process::start(command_));
    }
    Bytes answer;
    switch (exchange(child_, encode_change(before_.get(), request), deadline, answer)) {
      case Outcome::answered:
        // Also where the answer is an error: the far side keeps every request that it can read.
        before_ = std::make_unique<Request>(request);
        return decode_answer(answer);
      case Outcome::late:
        child_.end();
        return failure(fmt::format("timeout: the measurement was stopped after {} ms", deadline.limit.count()),
                       "make the grid smaller, or request fewer metrics");
      case Outcome::cancelled:
        child_.end();
        return failure(cancelled_words);
      case Outcome::ended:
        break;
    }
    const std::string ending = child_.reap();
    if (!fresh) restarts_.push_back(ending);
    if (fresh) return failure(fmt::format("the process of the measurement {} without an answer", ending));
  }
}

}  // namespace lanescope::cupti
