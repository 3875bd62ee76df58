#pragma once
// Navigation in a run: the selection, the hovered shape beside it, and playing forward. It reads results and never
// changes them.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/model/options.h"
#include "app/gui/model/results.h"
#include "app/gui/model/steps.h"
#include "kernels/source/cxx/line_names.h"
#include "viz/views/base/selection.h"

namespace lanescope::gui {

// Which register arrays are shown where none were chosen: those that the line reads and writes are always among them.

struct ShownRegisters {
  std::vector<int> families;  ///< into Summary::families, each once: arrays before single variables
  int assignment = -1;        ///< of these, the one whose register assignment shows most; -1: none
};

/// Around the selected line: the array that the nearest claim names and the one made from it since (both ends of a move
/// are then in the picture), the one that was clicked, and every array of which the line's statement reads or writes a
/// register, in the kernel and in the function that the step has entered. `names`: of the text that ran.
ShownRegisters registers_to_show(const results::Summary& summary, const source::LineNames& names,
                                 const views::Selection& selection);

class Navigation {
 public:
  Navigation(const Results& results, const ViewOptions& view) : results_(results), view_(view) {}

  views::Selection selection;  ///< by click
  std::optional<scene::Id> hovered;
  std::string hovered_scene;
  std::optional<int> reveal_line;  ///< source: scrolls there; of the last good run's text
  bool playing = false;
  /// Elements to follow by the names of their buffers: of a session, or of the run before. They become pins of the
  /// selection when there is a run that has them.
  struct NamedPin {
    std::string buffer;
    std::uint64_t element = 0;
  };
  std::vector<NamedPin> named_pins;
  std::map<std::pair<int, std::uint64_t>, int> journey_ends;  ///< which arrival of a followed element is shown
  std::size_t shown_file = 0;  ///< source: file of Results::lines that is shown; 0: the text itself

  /// Shows the file that a line to scroll to is in.
  void follow_line();
  /// The selection, replaced by the hovered shape while nothing is pinned.
  views::Selection shown() const;
  /// A cell, an element or an address was clicked: pointing elsewhere does not replace it.
  bool pinned() const;
  void select(const views::Selection& next);
  /// Shows the state after the step.
  void go_to_step(std::int64_t step);
  void go_to_line(int line);
  /// Its first line, at the step at which it is checked in this warp.
  void go_to_claim(const results::ClaimInfo& claim);
  /// The register arrays of the moment: those chosen, else those that matter at this step.
  ShownRegisters shown_registers() const;

  /// Another kernel: the next good result chooses the selection, unless `where` gives it.
  void start_over(const views::Selection& where = {});
  std::uint64_t kernel() const { return kernel_; }  ///< grows with each other kernel
  /// The results are about to be replaced: followed elements are known by name until then.
  void name_pins();
  /// There is a new summary, of a text in which the selected line is now `line`; 0: that line was changed. The
  /// selection stays where it can: at the same visit of the line of its step, `visit` in the new text.
  void run_finished(int line, const std::optional<VisitOfLine>& visit = {});
  /// Plays. True: it moved or ended.
  bool advance(double now);
  double due() const { return due_; }  ///< of the next step while playing

 private:
  void choose_first_step();
  void find_pins();

  const Results& results_;
  const ViewOptions& view_;
  bool fresh_ = true;
  std::uint64_t kernel_ = 0;
  double due_ = 0;
};

}  // namespace lanescope::gui
