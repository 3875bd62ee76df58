#pragma once
// Which problem of the run one looks at, and the way to it: block, warp, iteration and step.

#include <cstdint>
#include <optional>

#include "app/gui/model/memory_focus.h"
#include "app/gui/model/navigation.h"
#include "app/gui/model/results.h"
#include "app/gui/model/shell.h"

namespace lanescope::gui {

class ProblemFocus {
 public:
  ProblemFocus(Results& results, Navigation& navigation, MemoryFocus& memory, Shell& shell)
      : results_(results), navigation_(navigation), memory_(memory), shell_(shell) {}

  /// Index in Results::problems; -1: none.
  int current() const { return current_; }
  const results::Problem* chosen() const;
  /// The first problem of this severity; -1: there is none.
  int first_of(Severity severity) const;
  /// The one after (by 1) or before (by -1) the current one, from end to end; -1: there are no problems.
  int neighbour(int by) const;

  /// Goes to a problem: its line, and its warp and step where it has a moment. Returns what has to be recorded
  /// first, where it is another one than the recorded one: the run of that block then goes there.
  std::optional<Recording> show(int index);
  /// Goes to one side of a problem; returns as `show`.
  std::optional<Recording> show_party(int index, int party);
  /// The side of the current problem that one looks at; -1: the problem itself.
  int party() const { return party_; }

  /// Another kernel: the window opens on its worst problem, unless a session says where.
  void start_over(bool opens_on_worst);
  /// There are new results, good or bad; fills Results::problems. Returns as `show`.
  std::optional<Recording> run_finished();

 private:
  std::optional<Recording> go_to(Recording where, bool placed, int warp, std::int64_t step, int line);
  std::optional<Recording> open();

  Results& results_;
  Navigation& navigation_;
  MemoryFocus& memory_;
  Shell& shell_;
  int current_ = -1, party_ = -1;
  bool opening_ = false;
  bool brought_front_ = false;  ///< the list came to the front because a kernel opened with an error
  struct Due {
    results::Problem problem;
    int party = -1;
  };
  std::optional<Due> due_;  ///< shown when its block is recorded
};

}  // namespace lanescope::gui
