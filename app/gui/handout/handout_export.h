#pragma once
// "Export handout": runs the shown text once more in an engine of its own and writes the file, on a thread, so that no
// frame waits. No drawing.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/engine/remote/engine.h"
#include "app/engine/requests/requests.h"
#include "app/lessons/lesson.h"
#include "kernels/base/background.h"
#include "kernels/base/diagnostic.h"

namespace lanescope::gui {

class HandoutExport {
 public:
  /// The engine that runs the text: a child of this process, so that a crash of it or its memory is not the window's.
  std::function<std::unique_ptr<engine::Engine>()> make_engine = [] { return engine::engine_behind({}); };
  std::function<void()> on_event;  ///< called from any thread when advance() has something to do

  /// Subject: the shown run, the bookmarked moments of its kernel, or the open lesson.
  enum class What : std::uint8_t { run, moments, lesson };
  What what = What::run;  ///< that a path is being typed for

  struct Wanted {
    What what = What::run;
    engine::RunRequest request{};
    std::optional<lessons::Lesson> lesson{};
    std::string program{};  ///< that computes the answers of a lesson
    std::string path{};     ///< its suffix chooses the form
    std::string theme{};    ///< of slides and pictures
    int warp = 0;           ///< the warp whose steps are shown
    std::string moment{};   ///< of a picture: "step:120"
  };
  /// Refused while another one is being written, and a name or a suffix that cannot be written.
  Expected<void> begin(Wanted wanted);
  bool under_way() const { return writing_.running(); }
  bool settled() const { return !under_way(); }

  /// The outcome, once: a sentence, or why nothing was written.
  struct Ended {
    bool good = false;
    std::string words;
  };
  std::optional<Ended> advance();
  double due(double now) const;

 private:
  Background<Ended> writing_;
};

}  // namespace lanescope::gui
