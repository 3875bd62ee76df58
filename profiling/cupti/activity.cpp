#include "profiling/cupti/child.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "kernels/base/text.h"
#include "profiling/cupti/device.h"
#include "profiling/cupti/interfaces.h"

namespace lanescope::cupti {
namespace {

/// One field of a record, at its place.
template <class T>
T field(std::span<const std::uint8_t> record, std::size_t at) {
  T value{};
  std::memcpy(&value, record.data() + at, sizeof value);
  return value;
}

// Where fields lie, in bytes from the start of a record.
namespace kernel_at {
constexpr std::size_t registers = 6, start = 16, end = 24, stream = 48, grid = 52, block = 64, static_shared = 76,
                      dynamic_shared = 80, local = 84, correlation = 92, name = 104, bytes = 144;
}
namespace copy_at {  // copies and sets begin alike
constexpr std::size_t kind = 4, amount = 8, start = 16, end = 24, correlation = 44, bytes = 48;
}
namespace call_at {
constexpr std::size_t number = 4, start = 8, end = 16, correlation = 32, bytes = 40;
}

std::uint64_t lasting(std::uint64_t start, std::uint64_t end) { return end > start ? end - start : 0; }

trace::Dim3 dim(std::span<const std::uint8_t> r, std::size_t at) {
  return {field<std::uint32_t>(r, at), field<std::uint32_t>(r, at + 4), field<std::uint32_t>(r, at + 8)};
}

LaunchRecord launch_of(std::span<const std::uint8_t> r) {
  const char* name = field<const char*>(r, kernel_at::name);
  const auto start = field<std::uint64_t>(r, kernel_at::start);
  return {.kernel = name ? name : "",
          .start = start,
          .duration = lasting(start, field<std::uint64_t>(r, kernel_at::end)),
          .registers = field<std::uint16_t>(r, kernel_at::registers),
          .static_shared = field<std::int32_t>(r, kernel_at::static_shared),
          .dynamic_shared = field<std::int32_t>(r, kernel_at::dynamic_shared),
          .local = field<std::uint32_t>(r, kernel_at::local),
          .grid = dim(r, kernel_at::grid),
          .block = dim(r, kernel_at::block),
          .correlation = field<std::uint32_t>(r, kernel_at::correlation),
          .stream = field<std::uint32_t>(r, kernel_at::stream)};
}

std::string copy_name(std::uint8_t kind) {
  constexpr std::string_view names[] = {"copy",
                                        "host to device",
                                        "device to host",
                                        "host to array",
                                        "array to host",
                                        "array to array",
                                        "array to device",
                                        "device to array",
                                        "device to device",
                                        "host to host",
                                        "device to another device"};
  return std::string(names[kind < std::size(names) ? kind : 0]);
}

CopyRecord copy_of(std::span<const std::uint8_t> r, bool set) {
  const auto start = field<std::uint64_t>(r, copy_at::start);
  return {.kind = set ? "set" : copy_name(field<std::uint8_t>(r, copy_at::kind)),
          .start = start,
          .duration = lasting(start, field<std::uint64_t>(r, copy_at::end)),
          .bytes = field<std::uint64_t>(r, copy_at::amount),
          .correlation = field<std::uint32_t>(r, copy_at::correlation)};
}

CallRecord call_of(std::span<const std::uint8_t> r, CallName name) {
  const auto start = field<std::uint64_t>(r, call_at::start);
  return {.name = name(field<std::uint32_t>(r, call_at::number)),
          .start = start,
          .duration = lasting(start, field<std::uint64_t>(r, call_at::end)),
          .correlation = field<std::uint32_t>(r, call_at::correlation)};
}

/// The library calls back without a word of ours to go with it, from a thread of its own: hence one place for all.
struct Recorder {
  std::mutex mutex;
  ActivityReport report;
  const ActivityInterface* api = nullptr;
};
Recorder& recorder() {
  static Recorder one;
  return one;
}

std::string call_name(std::uint32_t number) {
  const char* name = nullptr;
  if (recorder().api->cuptiGetCallbackName(driver_domain, number, &name) != 0 || !name)
    return fmt::format("driver call {}", number);
  // Later versions of a function carry it in their name; people use the name of the function.
  std::string words = name;
  if (const std::size_t at = words.rfind("_v");
      at != std::string::npos && at + 2 < words.size() &&
      std::all_of(words.begin() + static_cast<std::ptrdiff_t>(at) + 2, words.end(), is_digit))
    words.resize(at);
  return words;
}

constexpr std::size_t buffer_bytes = std::size_t{1} << 20, buffer_alignment = 8;

void give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *bytes = *buffer ? buffer_bytes : 0;
  *most_records = 0;
}

void take_buffer(gpu::Context context, std::uint32_t stream, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  for (void* record = nullptr; r.api->cuptiActivityGetNextRecord(buffer, valid, &record) == 0;) {
    const auto* at = static_cast<const std::uint8_t*>(record);
    add_record({at, static_cast<std::size_t>(buffer + valid - at)}, call_name, r.report);
  }
  std::size_t dropped = 0;
  if (r.api->cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == 0) r.report.dropped += dropped;
  std::free(buffer);
}

Expected<void> switch_on(const Library& l, const ActivityInterface& api) {
  recorder().api = &api;
  if (const Result r = api.cuptiActivityRegisterCallbacks(give_buffer, take_buffer))
    return refusal(l, r, "recording activity");
  for (const ActivityKind kind :
       {ActivityKind::kernel, ActivityKind::copy, ActivityKind::set, ActivityKind::driver_call})
    if (const Result r = api.cuptiActivityEnable(kind)) return refusal(l, r, "recording activity");
  return {};
}

Expected<void> run(gpu::Program& program, const Request& request) {
  std::vector<trace::Buffer> results = request.buffers;
  for (int i = 0; i < request.repetitions; ++i) {
    gpu::Status s = i > 0 ? program.upload(request.buffers) : 0;  // load() did the first
    if (!s) s = program.launch_all();
    if (!s) s = program.synchronize();
    if (!s) s = program.download(results);
    if (s) return failure("a launch failed: " + gpu::status_words(s));
  }
  return {};
}

template <class R>
std::vector<ProfileRow> table(const std::vector<R>& records, std::string R::*name) {
  std::map<std::string, ProfileRow> rows;
  for (const R& record : records) {
    ProfileRow& row = rows[record.*name];
    row.least = row.calls == 0 ? record.duration : std::min(row.least, record.duration);
    row.most = std::max(row.most, record.duration);
    row.total += record.duration;
    ++row.calls;
  }
  std::vector<ProfileRow> out;
  for (auto& [key, row] : rows) {
    row.name = key;
    out.push_back(row);
  }
  std::stable_sort(out.begin(), out.end(), [](const ProfileRow& a, const ProfileRow& b) { return a.total > b.total; });
  return out;
}

/// Lists by start, starts from the first record of all.
void tidy(ActivityReport& report) {
  std::uint64_t first = ~std::uint64_t{0};
  const auto each = [&](auto visit) { visit(report.launches), visit(report.copies), visit(report.calls); };
  each([&](auto& list) {
    for (const auto& record : list) first = std::min(first, record.start);
  });
  each([&](auto& list) {
    for (auto& record : list) record.start -= first;
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  });
}

}  // namespace

bool add_record(std::span<const std::uint8_t> record, CallName name, ActivityReport& report) {
  if (record.size() < sizeof(std::uint32_t)) return false;
  const auto kind = static_cast<ActivityKind>(field<std::uint32_t>(record, 0));
  if (kind == ActivityKind::kernel && record.size() >= kernel_at::bytes)
    report.launches.push_back(launch_of(record));
  else if ((kind == ActivityKind::copy || kind == ActivityKind::set) && record.size() >= copy_at::bytes)
    report.copies.push_back(copy_of(record, kind == ActivityKind::set));
  else if (kind == ActivityKind::driver_call && record.size() >= call_at::bytes)
    report.calls.push_back(call_of(record, name));
  else
    return false;
  return true;
}

void number_streams(const std::vector<trace::Launch>& launches, int repetitions, std::vector<LaunchRecord>& records) {
  std::vector<LaunchRecord*> in_order;
  for (LaunchRecord& record : records) in_order.push_back(&record);
  std::sort(in_order.begin(), in_order.end(),
            [](const LaunchRecord* a, const LaunchRecord* b) { return a->correlation < b->correlation; });
  const bool whole = records.size() == launches.size() * static_cast<std::size_t>(repetitions);
  for (std::size_t n = 0; n < in_order.size(); ++n)
    in_order[n]->stream = whole ? launches[n % launches.size()].stream : 0;
}

std::vector<ProfileRow> profile(const std::vector<LaunchRecord>& launches) {
  return table(launches, &LaunchRecord::kernel);
}
std::vector<ProfileRow> profile(const std::vector<CopyRecord>& copies) { return table(copies, &CopyRecord::kind); }
std::vector<ProfileRow> profile(const std::vector<CallRecord>& calls) { return table(calls, &CallRecord::name); }

Expected<ActivityReport> record_activity(const Request& request) {
  const auto l = LS_TRY(library());
  const auto api = LS_TRY(activity_interface());
  if (const auto driver = gpu::driver(); !driver) return tl::unexpected(driver.error());
  if (auto on = switch_on(*l, *api); !on) return tl::unexpected(on.error());
  auto program = LS_TRY(gpu::Program::open(request.device));
  if (auto loaded = program->load(request.ptx, request.launches, request.buffers,
                                  load_options(request, static_cast<std::uint64_t>(request.repetitions) + 1));
      !loaded)
    return tl::unexpected(loaded.error());
  if (auto ran = run(*program, request); !ran) return tl::unexpected(ran.error());
  constexpr std::uint32_t also_unfinished_buffers = 1;
  if (const Result r = api->cuptiActivityFlushAll(also_unfinished_buffers))
    return refusal(*l, r, "reading the records");
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  ActivityReport out = r.report;
  number_streams(request.launches, request.repetitions, out.launches);
  out.device = device_name(request.device);
  tidy(out);
  return out;
}

}  // namespace lanescope::cupti
