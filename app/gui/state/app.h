#pragma once
// What the explorer knows and what can be done to it; no drawing. Panels read it, commands change it.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/summary/occupancy_info.h"
#include "app/gui/backend/backend.h"
#include "app/gui/state/calculator.h"
#include "app/gui/state/editing.h"
#include "app/gui/state/measurements.h"
#include "app/gui/state/options.h"
#include "viz/views/base/theme.h"

namespace lanescope::gui {

/// What a run left. `summary` is the last good one; a later failure marks it stale and keeps it.
struct Results {
  results::Summary summary;
  bool have = false;        ///< summary is of a run that worked
  std::string text;         ///< the text it belongs to
  Diagnostics diagnostics;  ///< of the last run, good or bad
  bool failed = false;      ///< the last run did not work
  bool running = false;
  std::string stage;          ///< of the run that is under way: "compiling"
  std::uint64_t version = 0;  ///< grows whenever any of this changes
  /// As if nothing had run yet.
  void clear() {
    const std::uint64_t next = version + 1;
    *this = {};
    version = next;
  }
};

/// One sentence across the window, with what can be done about it.
struct Notice {
  enum class Kind : std::uint8_t { info, warning, error };
  std::string id;  ///< at most one notice of each id is kept
  Kind kind = Kind::info;
  std::string text;
  struct Button {
    std::string label, command;
  };
  std::vector<Button> buttons;
};

enum class Overlay : std::uint8_t {
  none,
  palette,
  kernels,
  open_path,
  save_path,
  export_path,
  glossary,
  help,
  discard
};

/// What has to be asked before the text on screen may be replaced.
struct PendingOpen {
  std::string path;  ///< empty with `quit` or `fresh`
  bool quit = false, fresh = false;
};

class App {
 public:
  App(std::unique_ptr<Backend> backend, const views::Theme* theme);

  // --- the document
  Editing editing;
  std::string arch = "";          ///< what the user chose; empty: the file's own, else sm_90
  bool on_gpu = false;            ///< runs on a GPU, with the emulator beside it for what only it can see
  int device = 0;                 ///< which GPU
  std::vector<std::string> gpus;  ///< those of the engine's machine, as far as a run on one has told
  std::uint64_t seed = 1;
  bool forbid_nvrtc = false;
  /// Opens a file, asking first when there are edits that are not saved. Errors become a notice.
  void open(const std::string& path);
  void open_now(const std::string& path);
  void new_kernel();
  /// Goes on with a text of last time, looking where one looked then.
  void restore(const std::string& file, const std::string& text, const std::string& saved_text,
               const views::Selection& where);
  void save();
  void save_as(const std::string& path);
  void reload();
  void discard_and_go_on();
  void close();
  /// One change of the text. Changes with the same non-empty `merge` that follow each other are one undo step.
  void edit(std::string text, const std::string& step_name, const std::string& merge = {});
  void undo();
  void redo();
  /// Looks at the file on disk; cheap enough for once a second.
  void watch_file();

  // --- results
  Results results;
  results::Moment moment;
  std::uint64_t moment_version = 0;
  bool stale() const { return results.have && (results.failed || results.text != editing.text()); }
  bool settled() const;  ///< nothing is running, due or on its way
  void run();
  void stop();
  void request_record_block(std::uint32_t block);
  /// Takes what the backend has, sends what is due. True: something changed.
  bool update(double now_seconds);
  /// Seconds until update() has something to do of its own accord; negative: not before an event.
  double due_in(double now_seconds) const;

  // --- what is looked at
  views::Selection selection;  ///< what was clicked
  std::optional<scene::Id> hovered;
  std::string hovered_scene;
  views::Selection shown() const;  ///< the selection with what is hovered on top
  void select(const views::Selection& next);
  void go_to_step(std::int64_t step);
  void go_to_line(int line);
  bool playing = false;
  /// The families of the moment: those chosen, or the one that matters at this step.
  std::vector<int> shown_families() const;
  std::vector<int> automatic_families() const;
  const results::ClaimInfo* claim_at_line(int line) const;

  // --- memory (app_memory.cpp)
  /// Goes to its line, warp, block and step, and shows what it rests on in the panel of that memory until the selection
  /// moves on. Another block than the recorded one is recorded first.
  void show_finding(const results::FindingInfo& finding);
  /// "evidence of bank-conflict", or empty: `moment.access` is then the moment's own.
  std::string evidence_words() const;
  void dismiss_evidence();
  /// The access to global memory on show: the moment's, or the last one of this warp before it; `note` says which.
  const results::AccessInfo* global_access(std::string& note) const;
  /// The line of code over which global traffic is added up, as MomentRequest has it.
  int totals_line() const;
  int wavefront = -1;  ///< of the access to shared memory, from 0; -1: all of it
  bool wavefronts_playing = false;
  int wavefront_count() const;  ///< that can be played; 0: the moment's access is no shared one
  void show_wavefront(int number);
  void play_wavefronts(bool play);
  void set_what_if(const views::WhatIf& what_if);

  Calculator calculator;
  engine::OccupancyChoice occupancy;  ///< GPU, and numbers that differ from the kernel's
  /// The kernel compiled again with fewer and fewer registers.
  struct Caps {
    std::vector<results::CapInfo> rows{};
    std::string refused{};  ///< why there are none
    bool under_way = false;
  };
  Caps caps;
  void request_caps();
  /// Numbers put in place of what the header says, until another file is opened; see engine/overrides.h.
  std::vector<engine::Override> overrides;
  /// Puts one there, or takes it back, and runs.
  void set_override(const std::string& name, const std::optional<std::string>& value);
  void take_back_overrides();
  std::string override_words() const;  ///< "n 256, pad 1"; empty: all as in the header
  Measurements measurements;           ///< what GPUs said of the kernel
  /// Asks a GPU about the last good run; `what` in words: "counters".
  void measure(const engine::MeasureRequest& request, std::string what);
  void stop_measuring();
  /// The live mode, on or off (app_live.cpp).
  void measure_live(bool on);

  /// Elements of a buffer, as last asked for (app_live.cpp).
  results::Contents contents;
  std::uint64_t contents_version = 0;
  /// Asks for the elements that `view` names of the last good run, where they are not here yet. For each frame that
  /// shows them.
  void want_contents();
  void look_at_contents(int buffer, std::uint64_t first);
  bool occupancy_is_what_if() const {
    return occupancy.registers || occupancy.threads || occupancy.dynamic_shared_bytes;
  }

  // --- the window
  ViewOptions view;
  Overlay overlay = Overlay::none;
  std::string overlay_text;  ///< what is typed in it
  std::vector<Notice> notices;
  std::string remark_text;  ///< one sentence at the bottom, gone after some seconds
  double remark_until = 0;
  void remark(std::string text);
  void notify(Notice notice);
  void dismiss(const std::string& id);
  PanelId active_panel = PanelId::registers;
  /// `view` without the panels that this kernel has no use for.
  ViewOptions shown_view() const;
  bool in_front(PanelId id) const;  ///< it is drawn
  /// Makes it visible, in front of its tabs, and active.
  void show_panel(PanelId id);
  void hide_panel(PanelId id);
  std::optional<PanelId> editor_focus_request;  ///< source: puts the caret there
  std::optional<int> reveal_line;               ///< source: scrolls there
  /// A panel to be written to a file when the frame is drawn; see export.h.
  struct ExportRequest {
    PanelId panel = PanelId::registers;
    std::string path;
  };
  std::optional<ExportRequest> export_request;
  bool fit_request = false;
  float zoom_request = 0;
  bool close_requested = false, closed = false, full_screen_request = false;
  const views::Theme& theme() const { return *theme_; }
  void set_theme(const std::string& name);
  void set_scale(float scale);
  void set_arrangement(Arrangement a);
  std::vector<std::string> catalogue() const;  ///< paths of assets/kernels/*.cu, sorted
  double now = 0;                              ///< of the frame, seconds

 private:
  void take(RunFinished& finished);
  void take(MomentArrived& arrived);
  void take(MomentRefused& refused);
  void take(CapsArrived& arrived);
  void take(MeasuredArrived& arrived);
  void take_live(MeasuredArrived& arrived);
  void take(ContentsArrived& arrived);
  void take(ContentsRefused& refused);
  void take(RunProgress& progress);
  void take(EngineStopped& stopped);
  void send_due(double now_seconds);
  engine::MomentRequest wanted_moment() const;
  engine::RunRequest run_request() const;
  void first_look();
  void follow_selection();
  void apply_evidence();
  void take_access();
  void access_changed();
  void request_earlier_access();
  void take_earlier(results::Moment& arrived);
  bool advance_wavefront();
  void text_changed();
  void forget_kernel();
  void live_changed();
  void send_live();

  std::unique_ptr<Backend> backend_;
  const views::Theme* theme_;
  PendingOpen pending_;
  std::uint32_t record_block_ = 0;
  std::uint64_t next_ticket_ = 1, run_ticket_ = 0, moment_ticket_ = 0, caps_ticket_ = 0, measure_ticket_ = 0,
                live_ticket_ = 0, contents_ticket_ = 0;
  std::string running_text_;
  bool fresh_file_ = true;  ///< the next good result chooses where to look
  double run_due_ = -1;     ///< when the edited text is to run; -1: not
  double play_due_ = 0, watch_due_ = 0;
  std::optional<engine::MomentRequest> asked_moment_;
  std::uint64_t asked_moment_run_ = 0;
  bool moment_under_way_ = false;

  struct LiveRequest {
    bool due = false;  ///< something changed since the last request
    std::chrono::steady_clock::time_point changed{}, asked_changed{};
    std::string words{};  ///< of the one under way
  };
  LiveRequest live_request_;
  struct ContentsAsked {
    std::uint64_t run = 0;
    int buffer = -2;
    std::uint64_t first = 0;
    bool operator==(const ContentsAsked&) const = default;
  };
  ContentsAsked contents_asked_;
  std::uint64_t good_run_ = 0;  ///< ticket of the last run that worked
  bool contents_under_way_ = false;

  struct Evidence {
    std::string rule;
    results::AccessInfo access;
    views::Selection at;
  };
  std::optional<Evidence> evidence_;
  std::optional<results::FindingInfo> finding_due_;  ///< to be shown when its block has been recorded
  std::optional<results::AccessInfo> own_access_, played_access_;
  struct EarlierAccess {
    std::int64_t before = -2;  ///< the step that makes none
    int warp = 0, tries = 0;
    std::uint64_t run = 0, ticket = 0;
    std::int64_t step = -1;  ///< asked for
    bool under_way = false;
    std::optional<results::AccessInfo> access{};
  };
  EarlierAccess earlier_;
  double wavefront_due_ = 0;
};

/// Same step, line, cell, element, address, warp and block.
bool same(const views::Selection& a, const views::Selection& b);

}  // namespace lanescope::gui
