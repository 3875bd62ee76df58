#pragma once
// Where one looks in a run: the selection, what is hovered on top of it, and playing forward. It reads results and never
// changes them.

#include <optional>
#include <string>
#include <vector>

#include "app/gui/state/options.h"
#include "app/gui/state/results.h"
#include "app/gui/state/shown_registers.h"

namespace lanescope::gui {

class Navigation {
 public:
  Navigation(const Results& results, const ViewOptions& view) : results_(results), view_(view) {}

  views::Selection selection;  ///< what was clicked
  std::optional<scene::Id> hovered;
  std::string hovered_scene;
  std::optional<int> reveal_line;  ///< source: scrolls there
  bool playing = false;

  views::Selection shown() const;  ///< the selection with what is hovered on top
  void select(const views::Selection& next);
  void go_to_step(std::int64_t step);
  void go_to_line(int line);
  /// Its first line, at the step at which it is looked at in this warp.
  void go_to_claim(const results::ClaimInfo& claim);
  /// The register arrays of the moment: those chosen, else those that matter at this step.
  ShownRegisters shown_registers() const;

  /// Another kernel: the next good result chooses where to look, unless `where` says it.
  void start_over(const views::Selection& where = {});
  /// There is a new summary: the selection stays where it can.
  void run_finished();
  /// Plays. True: it went somewhere or ended.
  bool advance(double now);
  double due() const { return due_; }  ///< of the next step while playing

 private:
  void choose_first_step();

  const Results& results_;
  const ViewOptions& view_;
  bool fresh_ = true;
  double due_ = 0;
};

}  // namespace lanescope::gui
