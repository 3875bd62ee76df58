#pragma once
// The search over the steps of a run: its text, its results, and moving from one result to the next.

#include <cstdint>
#include <string>
#include <vector>

#include "app/gui/model/navigation.h"
#include "app/gui/model/steps.h"
#include "app/gui/search/step_query.h"

namespace lanescope::gui {

class StepSearch {
 public:
  StepSearch(const Results& results, Navigation& navigation) : results_(results), navigation_(navigation) {}

  std::string text;            ///< as typed on the timeline
  bool focus_request = false;  ///< the timeline's field takes the keyboard

  /// Repeats the search if its text or subject has changed. Called in each frame; free if nothing changed.
  void refresh();
  /// Steps found, ascending.
  const std::vector<std::uint32_t>& hits() const { return hits_; }
  /// Grows with each change of hits().
  std::uint64_t version() const { return version_; }
  /// Why the text cannot be read; empty: it can, or there is none.
  const std::string& problem() const { return problem_; }
  /// "3 of 48", "48 steps", "none".
  std::string count_words() const;
  /// To the next step found, or from the last to the first. Returns a remark, or an empty text.
  std::string go(Direction direction);
  /// As Enter does: the next one, or the one before where the text requests the last.
  std::string go_on();

  struct Found {
    std::vector<std::uint32_t> steps;
    StepQuery query;
    std::string problem;
  };
  const Found& find(const std::string& asked) const;

 private:
  QueryContext context() const;
  std::string nothing_words() const;

  const Results& results_;
  Navigation& navigation_;
  std::string asked_, problem_;
  QueryContext asked_at_;
  std::uint64_t asked_version_ = 0, version_ = 0;
  bool fresh_ = true;  ///< no navigation since the text changed
  StepQuery query_;
  std::vector<std::uint32_t> hits_;
  /// The last answer of find(): lists call it in every frame.
  struct Asked {
    std::string text;
    QueryContext at;
    std::uint64_t version = ~std::uint64_t{0};
    bool operator==(const Asked&) const = default;
  };
  mutable Asked last_asked_;
  mutable Found last_found_;
};

}  // namespace lanescope::gui
