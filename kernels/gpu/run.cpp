#include <algorithm>

#include "kernels/gpu/program.h"

namespace lanescope::gpu {
namespace {

/// The pair of events between which a repetition lies.
class Stopwatch {
 public:
  explicit Stopwatch(const Driver& driver) : d_(driver) {}
  ~Stopwatch() {
    if (begin_) d_.cuEventDestroy(begin_);
    if (end_) d_.cuEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  Status open() {
    if (const Status s = d_.cuEventCreate(&begin_, 0)) return s;
    return d_.cuEventCreate(&end_, 0);
  }
  /// Of the launches; not of what the host does between them.
  Status time(const Program& program, float& milliseconds) {
    milliseconds = 0;
    for (std::size_t first = 0, last = 0; first < program.launch_count(); first = last) {
      last = program.end_of_stretch(first);
      if (const Status s = program.perform_before(first)) return s;
      float part = 0;
      if (const Status s = time_stretch(program, first, last, part)) return s;
      milliseconds += part;
    }
    return 0;
  }

 private:
  Status time_stretch(const Program& program, std::size_t first, std::size_t last, float& milliseconds) {
    if (const Status s = d_.cuEventRecord(begin_, nullptr)) return s;
    if (const Status s = program.launch_stretch(first, last)) return s;
    if (const Status s = d_.cuEventRecord(end_, nullptr)) return s;
    if (const Status s = d_.cuEventSynchronize(end_)) return s;
    return d_.cuEventElapsedTime(&milliseconds, begin_, end_);
  }

  const Driver& d_;
  Event begin_ = nullptr, end_ = nullptr;
};

}  // namespace

Status time_launches(const Program& program, int warm_up, int repetitions, Timing& timing) {
  if (repetitions == 0) return 0;
  Stopwatch stopwatch(program.driver());
  if (const Status s = stopwatch.open()) return s;
  for (int i = 0; i < warm_up; ++i)
    if (const Status s = program.launch_all()) return s;
  for (int i = 0; i < repetitions; ++i) {
    float milliseconds = 0;
    if (const Status s = stopwatch.time(program, milliseconds)) return s;
    timing.milliseconds.push_back(milliseconds);
  }
  return 0;
}

float Timing::median() const {
  if (milliseconds.empty()) return 0;
  std::vector<float> sorted = milliseconds;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

float Timing::spread() const {
  if (milliseconds.size() < 4) return 0;
  std::vector<float> sorted = milliseconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
}

namespace {

Expected<RunResult> run_in_context(const std::string& ptx, const std::vector<trace::Launch>& launches,
                                   std::vector<trace::Buffer>& buffers, const RunOptions& options) {
  auto opened = LS_TRY(Program::open(options.device));
  Program& program = *opened;
  std::size_t free_bytes = 0, all_bytes = 0;
  program.driver().cuMemGetInfo(&free_bytes, &all_bytes);
  const int timed = options.repetitions > 0 ? options.warm_up + options.repetitions : 0;
  const LoadOptions how{.cooperative = options.cooperative,
                        .heap_bytes = options.heap_bytes,
                        .runs = 1 + static_cast<std::uint64_t>(timed)};
  if (auto loaded = program.load(ptx, launches, buffers, how); !loaded) return tl::unexpected(loaded.error());

  RunResult result;
  result.free_bytes = free_bytes;
  result.resources = program.resources();
  result.addresses = program.addresses();
  const std::uint64_t runs = std::min(how.runs, program.most_runs());
  const int repetitions = std::min(options.repetitions, static_cast<int>(runs) - 1);
  const int warm_up = std::min(options.warm_up, static_cast<int>(runs) - 1 - repetitions);
  Status status = program.launch_all();
  if (!status) status = program.synchronize();
  if (!status) status = program.download(buffers);
  if (!status) status = time_launches(program, warm_up, repetitions, result.timing);
  if (status) result.fault = status_words(status);
  return result;
}

}  // namespace

Expected<RunResult> run(const std::string& ptx, const std::vector<trace::Launch>& launches,
                        std::vector<trace::Buffer>& buffers, const RunOptions& options) {
  if (options.heap_bytes == 0 || options.repetitions == 0) return run_in_context(ptx, launches, buffers, options);
  // The results are those of a heap of the size that was requested; timing needs a larger one, in a context of its own.
  std::vector<trace::Buffer> timed = buffers;
  RunOptions once = options;
  once.warm_up = once.repetitions = 0;
  auto result = run_in_context(ptx, launches, buffers, once);
  if (!result || !result->fault.empty()) return result;
  auto times = run_in_context(ptx, launches, timed, options);
  if (!times) return times;
  result->timing = std::move(times->timing);
  result->fault = std::move(times->fault);
  return result;
}

}  // namespace lanescope::gpu
