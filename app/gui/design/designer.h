#pragma once
// The layout under design: its document with history, its parsed contents, its plans, and whether their code was
// checked. Planning runs on a thread of its own and checking in the engine, so that no frame waits. No drawing.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/design/design.h"
#include "app/design/presets.h"
#include "app/design/sheet.h"
#include "app/design/study.h"
#include "app/document/document.h"
#include "app/engine/remote/channel.h"
#include "app/gui/design/improvement.h"
#include "kernels/base/background.h"
#include "viz/views/layouts/layouts.h"

namespace lanescope::gui {

/// Contents of the panel Elements: registers and lanes, the matrix over bits, or the banks of shared memory.
enum class ElementsView : std::uint8_t { elements, matrix, shared };

/// The file of a plan's code, and its last contents.
enum class CodeForm : std::uint8_t { header, kernel };

class Designer {
 public:
  Designer();
  Designer(const Designer&) = delete;
  Designer& operator=(const Designer&) = delete;

  /// Makes the engine that checks code, when it is needed for the first time.
  std::function<std::unique_ptr<engine::Channel>()> make_channel;
  /// Called from any thread when advance() has something to do.
  std::function<void()> on_event;

  // --- the document
  bool is_open() const { return open_; }
  const std::string& file() const { return history_.now().file(); }  ///< empty: never saved
  const std::string& text() const { return history_.now().text(); }
  const std::string& saved_text() const { return history_.now().saved_text(); }
  std::string title() const;
  bool edited() const { return open_ && history_.now().dirty(); }
  /// 256 halves, loaded side by side by one warp.
  void start_new();
  Expected<void> open(std::string path);
  Expected<void> save(std::string path);
  /// As a session left it. A text that is no design is refused, and nothing is open then.
  Expected<void> restore(std::string file, std::string text, std::string saved_text);
  bool changed_on_disk() { return open_ && watch_.poll() == document::FileWatch::Change::changed; }
  bool can_undo() const { return open_ && history_.can_undo(); }
  bool can_redo() const { return open_ && history_.can_redo(); }
  std::string undo_name() const { return history_.undo_name(); }
  std::string redo_name() const { return history_.redo_name(); }
  void undo();
  void redo();
  /// Unsaved edits no longer count.
  void discard_edits();
  /// Designs of the file, and which of them is shown.
  const std::vector<design::Design>& designs() const { return designs_; }
  std::size_t shown() const { return which_; }
  void show(std::size_t which);
  /// Of a chain: which leg of it is shown.
  void show_leg(std::size_t leg);

  // --- edits
  void apply(const design::Edit& edit, const std::string& merge = {});
  /// Also an edit that is refused: then the reason is `remark`.
  bool apply(const Expected<design::Edit>& edit);
  void end_merge() { history_.end_merge(); }
  std::string remark;  ///< about the last edit or the held chip

  // --- what it says
  const design::Sheet& sheet() const { return sheet_; }
  /// Of the design as it is; nullptr while it is planned.
  const design::Study* study() const { return study_current() ? study_.get() : nullptr; }
  bool planning() const { return planning_.running(); }

  // --- what is looked at
  /// The chosen plan; -1: there is none.
  int plan() const;
  void choose_plan(int plan);
  /// 0: the whole; else a step, from 1.
  int step() const { return step_; }
  void choose_step(int step);
  /// States of the shown conversion, and the position between them: 0 to path().size() - 1.
  const std::vector<design::State>& path() const { return derived().path; }
  float along = 1;
  bool playing = false;
  void play(bool on, double now);
  ElementsView view = ElementsView::elements;
  /// Accesses of the chosen plan to shared memory by the shown warp, wavefront by wavefront, for playing.
  const std::vector<design::SharedAccess>& accesses() const { return derived().accesses; }
  int wavefront = 0;  ///< of all of them, one after the other
  int wavefronts() const;
  void show_wavefront(int number);
  bool preview_kernel = false;  ///< the kernel file in place of the header
  int warp = 0;
  std::optional<views::ChipRef> focused, picked;

  // --- what a new assignment is made of
  design::Amount amount;
  design::End preset_end = design::End::from;  ///< the list of presets is about it
  /// Another assignment on one end, with its type; on both where nothing moves yet.
  void take_assignment(design::End end, const layout::Assignment& assignment, const std::string& type,
                       const std::string& name);
  /// Both ends; axes slowest first, empty: by name.
  void take_ends(const layout::Assignment& from, const layout::Assignment& to, const std::string& type,
                 const std::vector<std::string>& memory, const std::string& name);

  std::string variable;  ///< variable of the kernel with which the design began; empty: none

  // --- its code
  std::string header() const;
  std::string kernel() const;
  /// The kernel files that have to be right before code is given out: one, of a chain one for each leg.
  const std::vector<std::string>& kernels() const { return derived().kernels; }
  /// Of the code of the chosen plan.
  CodeCheck check() const;
  /// Why code cannot be given out now; empty: it can.
  std::string export_refusal() const;
  Expected<void> export_code(CodeForm form, const std::string& path);
  std::optional<CodeForm> exporting;            ///< while a path is requested
  std::map<CodeForm, std::string> last_export;  ///< texts

  /// Takes results of threads and starts pending work. True: something changed.
  bool advance(double now);
  /// Seconds (of the clock of advance) at which there is something to do; infinity: nothing is.
  double due(double now) const;
  bool settled() const { return !open_ || (!planning() && !checking_ && (study_current() || !sheet_.complete())); }
  std::uint64_t version = 0;  ///< grows with every visible change

 private:
  /// Derived from sheet, study and choice; too slow for every frame.
  struct Derived {
    std::uint64_t sheet = ~std::uint64_t{0}, study = 0;
    int plan = -1, step = 0, warp = 0;
    std::vector<design::State> path{};
    std::vector<std::string> kernels{};
    std::vector<design::SharedAccess> accesses{};
  };
  const Derived& derived() const;
  std::vector<design::State> path_now() const;
  void refresh();
  bool study_current() const { return study_ && study_->design == sheet_.design; }
  void start_planning();
  void start_check();
  void take_check();
  /// By value: the document that it replaces may own them.
  Expected<void> take_text(std::string file, std::string text, std::string saved_text);

  bool open_ = false;
  document::History history_;
  document::FileWatch watch_;
  std::vector<design::Design> designs_;
  std::size_t which_ = 0, leg_ = 0;
  design::Sheet sheet_;
  std::shared_ptr<design::Study> study_;
  std::uint64_t sheets_ = 0, studies_ = 0;  ///< so far
  mutable Derived derived_;
  int plan_ = -1;  ///< -1: the recommended one
  int step_ = 0;
  std::unique_ptr<engine::Channel> channel_;
  std::uint64_t ticket_ = 0;
  std::optional<std::string> checking_;      ///< the kernel file that runs
  std::map<std::string, CodeCheck> checks_;  ///< by kernel file
  double frame_due_ = 0;
  Background<std::shared_ptr<design::Study>> planning_;
};

}  // namespace lanescope::gui
