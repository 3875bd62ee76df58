#pragma once
// Counters that follow an edit: a child that stays, with its context, kernel and metrics in place, and measures again
// whenever something of the request changes.
//
//   Live live({"/proc/self/exe", "child", "live"});
//   live.measure({});                                       // beforehand: opens the device
//   live.measure({.metrics = metrics});                     // beforehand: schedules the metrics, counts an empty kernel
//   live.measure({.ptx = .., .launches = .., .buffers = .., .metrics = metrics});       // each edit, each slider move
//
// Only differences from the previous request are sent: PTX and buffers are kept on the other side, and so are the
// loaded module and its memory while PTX and buffer sizes stay. Every measurement starts from the initial buffers.
// Metrics that need one pass are quick (see cupti::plan_passes); more passes are measured too, by running launches
// again. Times on an H200 are in bench/results/gpu_live.json.

#include <memory>

#include "kernels/base/deadline.h"
#include "kernels/base/process.h"
#include "profiling/cupti/cupti.h"

namespace lanescope::cupti {

/// Launches that one request may have.
inline constexpr std::size_t live_launches = 64;

/// The near side. One request at a time; not for several threads at once.
class Live {
 public:
  /// `command` must end up in live_child(). Nothing is started yet.
  explicit Live(std::vector<std::string> command) : command_(std::move(command)) {}

  /// Starts the child where none runs, and again where the last one ended with its kernel's fault. A request without
  /// launches only prepares. Errors: those of measure(); more than live_launches; a child that died, took longer than
  /// the limit or was cancelled. After each of these no child is left, and the next request starts another.
  Expected<Measurement> measure(const Request& request, const Deadline& deadline = std::chrono::seconds(20));
  bool running() const { return child_.running(); }
  /// How a child ended without a request, each time; the next one measured in its place. After the fault of a kernel
  /// or hundreds of edits that is as it should be, at any other time it is a defect that costs half a second.
  const std::vector<std::string>& restarts() const { return restarts_; }

 private:
  std::vector<std::string> command_;
  Process child_;
  std::unique_ptr<Request> before_;  ///< the last request of the child
  std::vector<std::string> restarts_;
};

/// The far side, the whole of the child's main(): frames of changes in, frames of answers out, until the stream ends or
/// a kernel's fault has made the context useless.
int live_child(int in_fd = 0, int out_fd = 1);

// Encoding of the change. The child restores `now` from its previous request; without `before`, all of it is encoded.
Bytes encode_change(const Request* before, const Request& now);
Expected<Request> apply_change(const Request* before, const Bytes& bytes);

}  // namespace lanescope::cupti
