#pragma once
// A child process with pipes on its standard streams, which it has no other descriptors beside. It ends with this
// process, however that ends (spawn.h). Nothing here blocks for longer than the system needs to end a killed process.
// One request and one answer: ask_child.h.

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

#include "kernels/base/deadline.h"
#include "kernels/base/diagnostic.h"
#include "kernels/base/frames.h"

namespace lanescope {

class Process {
 public:
  /// The child's standard error: copied to that of this process on every call that polls the child, with control
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
  int input_fd() const { return in_; }    ///< the child's standard input; -1 after close_input()
  int output_fd() const { return out_; }  ///< the child's standard output
  int error_fd() const { return err_; }   ///< its standard error; -1 once it is closed

  /// As many bytes as the pipe takes now; 0 when it is full; -1 when the reading end is closed. Never a signal, of this
  /// thread or another.
  std::ptrdiff_t write_some(std::span<const std::uint8_t> bytes);
  /// Appends the available bytes, up to a limit; false at the end of the stream.
  bool read_some(Bytes& bytes);
  /// Reads the available bytes of its standard error.
  void read_errors();
  /// Ends the child's standard input.
  void close_input();

  /// Ends it at once and takes its status: "was ended by signal 9 (Killed)", "exited with status 7", with the last line
  /// of a standard error that is kept.
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

// Starts programs that end with this process, from any thread and for any end of this process.
//
// The system ends a child (PR_SET_PDEATHSIG) when the *thread* that started it ends, and threads here may end before a
// child. So one thread, which ends only with the process, starts all of them.

struct Spawn {
  char* const* words = nullptr;     ///< the first is looked up in PATH unless it holds a slash; the last is nullptr
  int in = -1, out = -1, err = -1;  ///< its standard streams; it has no other descriptor
  std::uint64_t most_address_bytes = 0;  ///< of its address space; 0: no limit
};

/// Its process id; or -1, and `error` is the system's.
pid_t spawn(const Spawn& what, int& error);

// One question to a separate process, one answer: a crash of a kernel, a driver or a library ends only that process.
// The child reads its whole standard input, writes its answer to standard output and ends; its standard error is ours.

struct ChildReply {
  enum class End : std::uint8_t { answered, not_started, died, late, cancelled };
  End end = End::answered;
  Bytes answer;
  Diagnostic problem{};  ///< where it did not answer
};

/// Starts `command` (command[0] is looked up in PATH unless it holds a slash), gives it `question`, waits for the
/// answer and kills it when the deadline has passed: at once where its flag is set (beforehand: nothing is started).
/// `doing` goes into sentences: "the measurement".
ChildReply ask_child(const std::vector<std::string>& command, const Bytes& question, const std::string& doing,
                     const Deadline& deadline);

/// The child's side: its exit status, 0 when the answer was written. Output of libraries moves to standard error.
int answer_parent(const std::function<Bytes(const Bytes&)>& answer, int in_fd = 0, int out_fd = 1);

}  // namespace lanescope
