#include "kernels/base/process.h"

#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

namespace lanescope {
namespace {

/// In the child, which shares this process's memory until it has become the program: calls of the system only.
[[noreturn]] void become(const Spawn& what, pid_t parent, int& error) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it ended before that
  // Handlers of this process would run in the memory of both.
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction now {};
    const bool known = ::sigaction(signal, nullptr, &now) == 0;
    if (!known || now.sa_handler == SIG_DFL || (now.sa_handler == SIG_IGN && signal != SIGPIPE)) continue;
    now = {};
    now.sa_handler = SIG_DFL;
    ::sigaction(signal, &now, nullptr);
  }
  ::dup2(what.in, STDIN_FILENO), ::dup2(what.out, STDOUT_FILENO), ::dup2(what.err, STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);  // before Linux 5.11: each is opened so that it closes
  if (what.most_address_bytes > 0) {
    const rlimit limit{.rlim_cur = what.most_address_bytes, .rlim_max = what.most_address_bytes};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvp(what.words[0], what.words);
  error = errno;
  ::_exit(127);
}

class Spawner {
 public:
  pid_t start(const Spawn& what, int& error) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return asked_ == nullptr; });
    Asked mine{.what = &what};
    asked_ = &mine;
    changed_.notify_all();
    changed_.wait(lock, [&] { return mine.done; });
    error = mine.error;
    return mine.process;
  }

  /// A process that was forked has none of its parent's threads.
  static Spawner& of_this_process() {
    static std::mutex guard;
    static Spawner* own = nullptr;
    const std::lock_guard lock(guard);
    if (own == nullptr || own->process_ != ::getpid()) own = new Spawner;  // to the end of every thread
    return *own;
  }

 private:
  struct Asked {
    const Spawn* what = nullptr;
    pid_t process = -1;
    int error = 0;
    bool done = false;
  };

  Spawner() : process_(::getpid()) {
    // Signals are other threads' business.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    std::thread([this] { serve(); }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return asked_ != nullptr; });
      start_asked(*asked_);
      asked_ = nullptr;
      changed_.notify_all();
    }
  }

  void start_asked(Asked& asked) const {
    const pid_t child = ::vfork();  // returns in the parent when the child is the program, or is gone
    if (child == 0) become(*asked.what, process_, asked.error);
    if (child < 0) asked.error = errno;
    if (child > 0 && asked.error != 0) ::waitpid(child, nullptr, 0);
    asked.process = asked.error == 0 ? child : -1;
    asked.done = true;
  }

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Asked* asked_ = nullptr;
};

}  // namespace

pid_t spawn(const Spawn& what, int& error) { return Spawner::of_this_process().start(what, error); }

}  // namespace lanescope
