#pragma once
// One kernel under study: source in, results out. Synchronous and free of any window; it runs in this process (command
// line, tests) or in a worker child (the window). Everything that comes out is a value that can cross a pipe.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/engine/time_limit.h"
#include "kernels/claims/claims.h"
#include "kernels/compile/compile.h"
#include "kernels/emulator/emulator.h"
#include "kernels/source/source.h"
#include "profiling/counters/counters.h"
#include "profiling/review/review.h"
#include "viz/views/contents.h"
#include "viz/views/measured.h"
#include "viz/views/model.h"

namespace lanescope::engine {

/// A file that the kernel's file refers to, by its name relative to that file's folder ("data/x.npy", "../common.h").
struct AttachedFile {
  std::string name;
  std::vector<std::byte> bytes;
  bool operator==(const AttachedFile&) const = default;
};

/// One value put in place of what the header says; see overrides.h.
struct Override {
  std::string name, value;
};

struct RunRequest {
  std::string file;       ///< name shown in diagnostics, and where relative paths start
  std::string text;       ///< .cu (or .ptx) text as it is in the editor now
  std::string arch = "";  ///< empty: the header's, else sm_90
  bool forbid_nvrtc = false;
  std::uint64_t seed = 1;
  std::uint32_t record_block = 0;
  std::uint64_t max_steps = 200'000'000;
  bool plain_run = true;    ///< outputs and counters (plain PTX)
  bool probed_run = true;   ///< claims and variable views (probed PTX)
  std::string launch_file;  ///< .ptx: where `launch_text` comes from; empty when there is none
  std::string launch_text;  ///< .ptx: how to launch it, TOML in the syntax of a kernel's header
  bool review = false;      ///< look for findings, too (needs the plain run)
  int record_launch = -1;   ///< which launch views show; -1: the first whose kernel has claims, else the first
  std::vector<Override> overrides{};
  /// What the file refers to, where the engine cannot reach the user's folders (attachments.h); nullopt: read it there.
  std::optional<std::vector<AttachedFile>> files{};
  bool on_gpu = false;  ///< outputs come from a GPU; the emulator runs beside it, for views and comparison
  int device = 0;       ///< which GPU
  double gpu_limit_seconds = 30;
  double limit_seconds = 0;  ///< of reading, compiling, running and judging together; 0: none (time_limit.h)
  bool measure = false;      ///< on a GPU, and where the whole result is asked for: time and counters, too
};

/// What is to be measured of the last run. Each part is one process of its own.
struct MeasureRequest {
  bool timing = true;
  bool counters = true;                ///< every predicted counter that the hardware has
  bool instructions = false;           ///< counts per machine instruction, and so per line
  bool stalls = false;                 ///< samples of where warps wait
  bool activity = false;               ///< launches and host calls with their times
  bool trace = false;                  ///< the launch writes down its own accesses
  std::vector<std::string> metrics{};  ///< more, by the hardware's names
  int device = 0, warm_up = 3, repetitions = 20;
  double limit_seconds = 120;  ///< of each part
};

/// Which elements of a buffer are wanted.
struct ContentsRequest {
  /// Its index in Summary::buffers; -1: the first in which GPU and emulator differ, else the first that the launches
  /// changed, else the first.
  int buffer = -1;
  std::uint64_t first = 0;  ///< element; taken back where the buffer is shorter
  std::uint64_t count = 1024;
};
/// Elements that one answer holds at most.
inline constexpr std::uint64_t most_contents = 65'536;

struct Output {
  std::string name, element_type;
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> bytes;
  std::string sha256;
  std::string expectation;  ///< empty: nothing was expected; "equal"; or what differs, in words
};

struct MomentRequest {
  std::int64_t step = -1;
  std::vector<int> families;  ///< grids wanted
  int first_warp = 0, warp_count = 16;
  std::int64_t moves_from = -2;  ///< -2: the step before; else an earlier step
  int assignment_family = -1;    ///< -1: the one written last
  int totals_line = -1;          ///< global traffic added up over this line; 0: over the whole block; -1: not wanted
  int totals_buffer = -1;        ///< -1: the one accessed, else the first
};

/// How a run ended, for whoever has to answer with one word.
enum class Ending : std::uint8_t {
  good,         ///< ran to the end, and every expected result is there
  unexpected,   ///< ran to the end; a buffer is not what the header expects
  faulted,      ///< the kernel did something that no GPU would forgive
  bad_input,    ///< a mistake in the file, its header or its code
  cannot_here,  ///< nothing is known to be wrong, but this engine or machine cannot run it
  cancelled,
};

class Session {
 public:
  Session();
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  /// Told at the start of each stage of a run: "reading", "compiling", "running", "judging".
  void on_progress(std::function<void(std::string_view stage)> listener);
  /// Called where a request is over its limit and does not end by itself; see time_limit.h.
  void on_overdue(Overdue handler);
  /// Reads, compiles, runs and judges. Never throws; everything that went wrong is in Summary::diagnostics.
  const views::Summary& run(const RunRequest& request, const std::atomic<bool>* cancel = nullptr);
  const views::Summary& summary() const;
  Ending ending() const;
  const std::vector<Output>& outputs() const;
  /// Predicted counters of the plain run, every metric, per line and in total.
  const counters::Report& counters() const;
  /// Of the review, where one was asked for; ascending line.
  const std::vector<review::Finding>& findings() const;
  /// Of the plain run (of the probed one when there was no plain run).
  const std::vector<emulator::Fault>& faults() const;
  /// Of a run on a GPU: what it said of itself, and its buffers against the emulator's.
  const views::Measured& hardware() const;
  views::Moment moment(const MomentRequest& request) const;
  /// Elements of a buffer before and after the launches of the last run.
  views::Contents contents(const ContentsRequest& request) const;
  /// What a GPU did with the same launches, beside what was predicted. Blocks until it is done or not wanted any more.
  views::Measured measure(const MeasureRequest& request, const std::atomic<bool>* cancel = nullptr) const;
  /// The same as a task for another thread: it keeps the run that it is about, whatever this session does meanwhile.
  std::function<views::Measured()> measurement(const MeasureRequest& request,
                                               const std::atomic<bool>* cancel = nullptr) const;
  /// The text with the comments the author did not write. Error: what kept it from running.
  Expected<claims::Annotation> annotate(const RunRequest& request);
  const source::Source* source() const;

 private:
  struct State;
  const views::Summary& run_within(const RunRequest& request, TimeLimit& limit);

  std::shared_ptr<State> state_;  ///< shared with measurements that are going on
};

}  // namespace lanescope::engine
