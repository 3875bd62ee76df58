#pragma once
// A child process with pipes on its three standard streams. Nothing here ever blocks for longer than the kernel needs to
// end a killed process.

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::engine {

class Child {
 public:
  Child() = default;
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;

  /// command[0] is looked up in PATH unless it holds a slash.
  static Expected<Child> start(const std::vector<std::string>& command);

  bool running() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  int out_fd() const { return out_; }

  /// As many bytes as the pipe takes now; 0 when it is full; -1 when nobody reads any more.
  std::ptrdiff_t write_some(std::span<const std::uint8_t> bytes);
  /// What there is now, appended; false at the end of the stream.
  bool read_some(std::vector<std::uint8_t>& bytes);

  /// Ends it at once and takes its status. Returns how it ended, in words, with its last line on standard error.
  std::string end();
  /// After the end of its stream: gives it a moment to leave by itself, then as end().
  std::string reap();

 private:
  void read_words();
  std::string collect(bool kill_first);

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  std::string words_;  ///< the end of its standard error
};

}  // namespace lanescope::engine
