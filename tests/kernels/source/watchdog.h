#pragma once
// A case that does not end must fail, not hang: after so much work on the processor its name and its text are written out, and
// the test program ends.

#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/work.h"

namespace lanescope::source {

class Watchdog {
 public:
  /// `text` must live as long as this. `loops`: of tests/work.h.
  Watchdog(std::string_view name, std::string_view text, double loops = 1250) {
    name_ = name, text_ = text;
    std::signal(SIGPROF, &Watchdog::late);
    set(static_cast<long>(loops * seconds_of_a_loop() * 1e6));
  }
  ~Watchdog() { set(0); }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  static void set(long microseconds) {
    itimerval timer{};
    timer.it_value.tv_sec = microseconds / 1'000'000;
    timer.it_value.tv_usec = microseconds % 1'000'000;
    ::setitimer(ITIMER_PROF, &timer, nullptr);
  }
  static void put(int fd, std::string_view words) {
    [[maybe_unused]] const auto n = ::write(fd, words.data(), words.size());
  }
  static void late(int) {
    constexpr const char* path = "/tmp/lanescope_late_case.txt";
    put(STDERR_FILENO, "\n[  FAILED  ] takes too long: ");
    put(STDERR_FILENO, name_);
    const int fd = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd >= 0) {
      put(fd, text_);
      put(STDERR_FILENO, "; its text is in ");
      put(STDERR_FILENO, path);
    }
    put(STDERR_FILENO, "\n");
    ::_exit(1);
  }

  static inline std::string_view name_, text_;
};

}  // namespace lanescope::source
