#pragma once
// A child process with pipes on its standard streams, which it has no other descriptors beside. It ends with this process,
// however that ends (spawn.h). Nothing here blocks for longer than the system needs to end a killed process. One request and
// one answer: ask_child.h.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/frames.h"

namespace lanescope {

class Process {
 public:
  /// What the child writes to standard error: passed on to that of this process whenever the child is looked at, control
  /// characters made visible, or kept for ending().
  enum class StandardError : std::uint8_t { passed_on, kept };

  Process() = default;
  ~Process();  ///< ends the child at once
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;

  /// command[0] is looked up in PATH unless it holds a slash. Neither an ignored SIGPIPE nor a blocked signal of this
  /// process reaches the child. `most_address_bytes`: of its address space; 0: no limit.
  static Expected<Process> start(const std::vector<std::string>& command,
                                 StandardError standard_error = StandardError::passed_on,
                                 std::uint64_t most_address_bytes = 0);

  bool running() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  int input_fd() const { return in_; }    ///< what the child reads; -1 once it is closed
  int output_fd() const { return out_; }  ///< what the child writes
  int error_fd() const { return err_; }   ///< its standard error; -1 once it is closed

  /// As many bytes as the pipe takes now; 0 when it is full; -1 when the reading end is closed. Never a signal, of this thread
  /// or another.
  std::ptrdiff_t write_some(std::span<const std::uint8_t> bytes);
  /// What there is now, appended, up to a limit; false at the end of the stream.
  bool read_some(Bytes& bytes);
  /// What there is now of its standard error.
  void read_errors();
  /// The end of what the child reads.
  void close_input();

  /// Ends it at once and takes its status: "was ended by signal 9 (Killed)", "exited with status 7", with the last line of
  /// a standard error that is kept.
  std::string end();
  /// After the end of its stream: gives it a moment to exit by itself, then as end().
  std::string reap(std::chrono::milliseconds moment = std::chrono::milliseconds(200));
  /// After end() or reap(): its exit status; -1 where it was ended by a signal.
  int exit_status() const { return exit_status_; }

 private:
  void pass_on(bool all);
  std::string collect(std::chrono::milliseconds moment);

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  int exit_status_ = -1;
  bool keeps_errors_ = false;
  std::string errors_;  ///< the end of its standard error, or the line of it that is not passed on yet
};

}  // namespace lanescope
