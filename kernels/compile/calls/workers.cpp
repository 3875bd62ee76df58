#include "kernels/compile/calls/workers.h"

#include <malloc.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include "kernels/base/conversation.h"
#include "kernels/base/memory.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/calls/nvrtc_library.h"

namespace lanescope::compile {
namespace {

/// First byte of a request.
enum class Request : std::uint8_t { hello = 'h', call = 'c', forget = 'f' };

/// A process that hangs is as bad as one that died: no compile of a kernel takes so long.
constexpr auto longest_call = std::chrono::minutes(30);
constexpr auto longest_start = std::chrono::seconds(20);
constexpr auto longest_end = std::chrono::seconds(5);

Bytes request(Request what, const Bytes& body) {
  Bytes out = {static_cast<std::uint8_t>(what)};
  out.insert(out.end(), body.begin(), body.end());
  return out;
}

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

/// Each worker has its own share of the cores that this process may use. Where both were woken at the same moment, the system
/// had them share a core for milliseconds in one edit of four (two cores, Linux 6).
void keep_apart(pid_t process, std::size_t index) {
  cpu_set_t all, own;
  if (::sched_getaffinity(0, sizeof all, &all) != 0) return;
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &all)) cores.push_back(core);
  if (cores.size() < most_workers) return;
  CPU_ZERO(&own);
  for (std::size_t i = 0; i < cores.size(); ++i)
    if (i * most_workers / cores.size() == index) CPU_SET(cores[i], &own);
  ::sched_setaffinity(process, sizeof own, &own);
}

/// NVRTC 13.0 takes 256 MiB for precompiled headers before it begins.
constexpr std::uint64_t least_memory_of_worker = std::uint64_t{1} << 30;
std::uint64_t memory_of_worker() { return std::max(memory_budget_bytes(), least_memory_of_worker); }

/// The message of NVRTC 13.0 if the system gives it no more memory.
bool is_full(const Answer& answer) {
  // The second: memory ended while it reported that.
  return answer.status != 0 && (answer.log.find("unable to obtain mapped memory") != std::string::npos ||
                                answer.log.find("Loop in catastrophic error processing") != std::string::npos);
}

/// One process, or none yet.
class Worker {
 public:
  ~Worker() { stop(); }

  std::mutex& mutex() { return mutex_; }

  bool start(const std::vector<std::string>& command, std::size_t index) {
    if (child_.running()) return true;
    auto child = Process::start(command, Process::StandardError::kept, memory_of_worker());
    if (!child) return false;
    keep_apart(child->pid(), index);
    Bytes said;
    if (exchange(*child, request(Request::hello, {}), longest_start, said) != Outcome::answered || said != greeting()) {
      child->end();
      return false;
    }
    child_ = std::move(*child);
    return true;
  }

  /// It ends by itself, and removes what it has precompiled.
  void begin_to_end() {
    if (child_.running()) child_.close_input();
  }
  void stop() {
    begin_to_end();
    if (child_.running()) child_.reap(longest_end);
  }

  /// Nothing: it died, `how`.
  std::optional<Answer> answer(const Call& call, std::string& how) {
    Bytes said;
    if (exchange(child_, request(Request::call, packed(call)), longest_call, said) == Outcome::answered)
      if (std::optional<Answer> out = unpacked_answer(said)) return out;
    how = child_.end();
    return std::nullopt;
  }

  void forget(const std::string& state) {
    Bytes said;
    if (child_.running() &&
        exchange(child_, request(Request::forget, bytes_of(state)), longest_start, said) != Outcome::answered)
      child_.end();
  }

  int id() const { return child_.running() ? static_cast<int>(child_.pid()) : 0; }

 private:
  std::mutex mutex_;
  Process child_;
};

struct Workers {
  std::vector<std::string> command;
  std::array<Worker, most_workers> all;

  Workers() = default;
  ~Workers() {
    for (Worker& worker : all) worker.begin_to_end();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// The preferred one, else a free one, else the preferred one when it is free.
  std::pair<Worker*, std::unique_lock<std::mutex>> take(std::size_t preferred) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      Worker& worker = all[(preferred + k) % all.size()];
      if (std::unique_lock lock(worker.mutex(), std::try_to_lock); lock) return {&worker, std::move(lock)};
    }
    Worker& worker = all[preferred % all.size()];
    return {&worker, std::unique_lock(worker.mutex())};
  }
};

Workers& workers() {
  static Workers out;
  return out;
}

bool switched_off() {
  const char* wanted = std::getenv("LANESCOPE_COMPILE_WORKERS");
  return wanted != nullptr && std::string_view(wanted) == "off";
}

/// A compile of a small kernel takes 20 MB and gives them back. Where malloc gives them back to the system, the next compile
/// has 1,700 page faults for them, a tenth of its time (NVRTC 13.0, Linux 6).
void keep_memory() {
#ifdef __GLIBC__
  ::mallopt(M_TRIM_THRESHOLD, 128 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that there is
  ::mallopt(M_TOP_PAD, 16 << 20);
#endif
}

/// A call is ended with the program that waits for it. Between calls a worker sees the end of its input by itself, and removes
/// what it has precompiled.
class EndsWithParent {
 public:
  explicit EndsWithParent(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // it ended before that
  }
  ~EndsWithParent() { ::prctl(PR_SET_PDEATHSIG, 0); }
  EndsWithParent(const EndsWithParent&) = delete;
  EndsWithParent& operator=(const EndsWithParent&) = delete;
};

}  // namespace

void use_workers(std::vector<std::string> command) {
  Workers& w = workers();
  for (Worker& worker : w.all) {
    const std::lock_guard guard(worker.mutex());
    worker.stop();
  }
  w.command = std::move(command);
}

std::optional<Answer> answer_of_worker(const Call& call, std::size_t preferred) {
  Workers& w = workers();
  if (w.command.empty() || switched_off()) return std::nullopt;
  const auto [worker, lock] = w.take(preferred);
  std::string how;
  // Once may have another cause: the system ends a process if it runs out of memory.
  for (int time = 0; time < 2; ++time) {
    if (!worker->start(w.command, static_cast<std::size_t>(worker - w.all.data()))) return std::nullopt;
    std::optional<Answer> out = worker->answer(call, how);
    if (out && is_full(*out))
      return Answer{
          .status = compiler_full,
          .log = fmt::format("NVRTC needs more than {} of memory for this text", bytes_in_words(memory_of_worker())),
          .ptx = {},
          .cubin = {},
          .lowered = {}};
    if (out) return out;
  }
  return Answer{.status = compiler_died,
                .log = fmt::format("NVRTC {} while it compiled this text", how),
                .ptx = {},
                .cubin = {},
                .lowered = {}};
}

void forget_precompiled_everywhere(const std::string& state) {
  Workers& w = workers();
  if (w.command.empty() || switched_off()) return forget_precompiled(state);
  for (Worker& worker : w.all) {
    const std::lock_guard guard(worker.mutex());
    worker.forget(state);
  }
}

std::vector<int> worker_ids() {
  std::vector<int> out;
  for (Worker& worker : workers().all)
    if (const int id = worker.id(); id != 0) out.push_back(id);
  return out;
}

Bytes greeting() {
  const Nvrtc& library = nvrtc();
  return bytes_of(fmt::format("{}\n{}\n{}", library.path, library.version_text, can_number_folders()));
}

int serve_calls() {
  keep_memory();
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, 0);
  const int answers = take_answer_stream(STDOUT_FILENO);
  if (answers < 0) return 1;
  while (const std::optional<Bytes> asked = read_frame(STDIN_FILENO)) {
    if (asked->empty()) return 1;
    const std::span<const std::uint8_t> body = std::span(*asked).subspan(1);
    Bytes said;
    switch (static_cast<Request>(asked->front())) {
      case Request::hello:
        said = greeting();
        break;
      case Request::call: {
        const std::optional<Call> call = unpacked_call(body);
        if (!call) return 1;
        const EndsWithParent ends(parent);
        said = packed(call_here(*call));
        break;
      }
      case Request::forget:
        forget_precompiled(std::string(body.begin(), body.end()));
        break;
      default:
        return 1;
    }
    if (!write_frame(answers, said)) return 1;
  }
  return 0;
}

}  // namespace lanescope::compile
