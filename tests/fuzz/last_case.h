#pragma once
// The case that ran when the program crashed: its text is written out before the program ends. Works on a
// stack of its own, for recursion without end.

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string_view>

namespace lanescope::fuzz {

class LastCase {
 public:
  static constexpr const char* path = "/tmp/lanescope_wrong_case.txt";

  /// `text` must live as long as this.
  explicit LastCase(std::string_view text) {
    text_ = text;
    static std::array<char, 1 << 16> other_stack;
    const stack_t stack{.ss_sp = other_stack.data(), .ss_flags = 0, .ss_size = other_stack.size()};
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = &LastCase::crashed;
    action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) ::sigaction(signal, &action, nullptr);
  }
  ~LastCase() { text_ = {}; }
  LastCase(const LastCase&) = delete;
  LastCase& operator=(const LastCase&) = delete;

 private:
  static void crashed(int signal) {
    const int fd = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd >= 0) {
      [[maybe_unused]] const auto n = ::write(fd, text_.data(), text_.size());
      constexpr std::string_view words = "\ncrashed; the case is in /tmp/lanescope_wrong_case.txt\n";
      [[maybe_unused]] const auto m = ::write(STDERR_FILENO, words.data(), words.size());
    }
    ::raise(signal);
  }

  static inline std::string_view text_;
};

}  // namespace lanescope::fuzz
