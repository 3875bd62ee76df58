#pragma once
// The values of the explorer, by name. Panels draw them; Requests fills them from the engine, Editor from files, and
// commands change the user's choices. None of them has App.

#include "app/gui/design/designer.h"
#include "app/gui/design/improvement.h"
#include "app/gui/handout/handout_export.h"
#include "app/gui/lecture/lecture.h"
#include "app/gui/model/document.h"
#include "app/gui/model/focus.h"
#include "app/gui/model/measurements.h"
#include "app/gui/model/navigation.h"
#include "app/gui/model/results.h"
#include "app/gui/model/shell.h"
#include "app/gui/model/step_search.h"
#include "app/gui/search/printed_output.h"
#include "app/gui/writing/writing.h"

namespace lanescope::gui {

struct Model {
  explicit Model(const views::Theme* theme) : shell(theme) {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Document document;                                          ///< the text, its history and its file
  Writing writing;                                            ///< where one writes in it
  RunSettings settings;                                       ///< how it is run
  Shell shell;                                                ///< the window itself
  Results results;                                            ///< of the last run
  Navigation navigation{results, shell.view};                 ///< the selection in it
  StepSearch search{results, navigation};                     ///< over the steps of that
  MemoryFocus memory{results, navigation, shell};             ///< access of the memory panels
  MovementFocus movement{navigation};                         ///< between before and after a statement
  TreeFocus tree;                                             ///< which value is taken apart
  PrintedOutput output;                                       ///< lines that it printed
  ProblemFocus problems{results, navigation, memory, shell};  ///< the shown problem
  Measurements measurements;                                  ///< by GPUs
  OccupancyStudy occupancy;                                   ///< residency with other numbers
  Calculator calculator;                                      ///< of accesses; needs no kernel
  Improvement improvement;                                    ///< the code between two claims against the planner's
  HandoutExport handout;                                      ///< a file to take away, being written
  Lecture lecture;                                            ///< the lesson or the moments that are taught
  Designer designer;                                          ///< the layout under design; needs no kernel

  /// Grows whenever an answer of the engine changed something.
  std::uint64_t version() const {
    return results.version + results.moment_version + results.contents_version + results.journeys_version +
           measurements.version;
  }
};

}  // namespace lanescope::gui
