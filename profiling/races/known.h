#pragma once
// Order of a thread after others: for each of them the step up to which its accesses happen before the next step of
// this thread.
//
// Threads are numbered through the grid, and steps are those of the whole launch, so that "up to which step" is one
// number for each thread, and threads next to each other mostly share it. A worked case, blocks of 32 threads: block 0
// wrote, and its thread 0 executed a fence and an atomic at step 90; a thread of block 1 that read the atomic's value
// has
//
//   threads 0..31   accesses of steps below 90          (ranges: [0, 32) -> 90)
//
// An access of thread t at step s happens before the current step of this thread if s < before(t). Ranges are values
// that many threads share: after a barrier all threads of a block point to the same ones.

#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::races {

struct Range {
  std::uint64_t first = 0, end = 0;  ///< threads [first, end)
  std::uint64_t before = 0;          ///< steps below this are known
};
using Ranges = std::vector<Range>;  ///< ascending, disjoint
/// Null: nothing is known.
using Known = std::shared_ptr<const Ranges>;

/// 0: nothing of this thread is known.
std::uint64_t known_before(const Known& known, std::uint64_t thread);

/// The most that any of the ranges has, in any order and overlapping.
Ranges united(Ranges ranges);

/// Ranges collected from several, to be united at once.
class Gathering {
 public:
  void add(const Range& range) { ranges_.push_back(range); }
  /// The same value is added once.
  void add(const Known& known);
  bool empty() const { return ranges_.empty() && whole_.empty(); }
  /// Makes one of several values, where many were added.
  void compact() {
    if (whole_.size() > 64) add(take());
  }
  /// Null where nothing was added; the very value that was added where it was the only one.
  Known take();

 private:
  Ranges ranges_;
  std::vector<Known> whole_;
};

}  // namespace lanescope::races
