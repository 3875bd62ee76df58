#pragma once
// The window's own state, apart from its contents: look, panels, overlay, messages, and requests of the next frame.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/model/options.h"
#include "viz/views/base/theme.h"

namespace lanescope::gui {

/// One sentence across the window, with actions.
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
  discard,
  steps,
  go_to_line,
  go_to_step,
  snippets,
  iteration,
  save_layout,
  export_code,
  presets,
  better,
  export_handout,
  welcome,
  picture_notes
};

/// A panel to be written to a file when the frame is drawn; see panels/export.h.
struct ExportRequest {
  PanelId panel = PanelId::registers;
  std::string path;
};

/// A place in the text on screen, from 1.
struct CaretRequest {
  int line = 1, column = 1;
  bool types = false;  ///< it gets the keyboard focus
};

class Shell {
 public:
  explicit Shell(const views::Theme* theme) : theme_(theme) { view.theme = theme->name; }

  ViewOptions view;
  double now = 0;            ///< of the frame, seconds
  bool has_desktop = false;  ///< the window is on a display, where programs of the desktop can show themselves

  // --- look
  const views::Theme& theme() const { return *theme_; }
  void set_theme(const std::string& name);
  void set_scale(float scale);
  void set_arrangement(Arrangement a);

  // --- panels
  PanelId active_panel = PanelId::registers;
  PanelId staged = PanelId::registers;  ///< in presentation mode: the one picture
  bool without_shared = false;          ///< the kernel has no shared memory: its panel is left out
  /// `view` without the panels that this kernel has no use for.
  ViewOptions shown_view() const;
  bool in_front(PanelId id) const;  ///< it is drawn
  /// Presentation mode on or off. It begins with the active panel where that is a picture, else with the registers.
  void present(bool on);
  /// The pictures that presentation mode passes through, those that this kernel has no use for left out.
  std::vector<PanelId> stage_pictures() const;
  /// Makes it visible, in front of its tabs, and active.
  void show_panel(PanelId id);
  void hide_panel(PanelId id);
  /// The buffers panel shows this buffer from this element on.
  void show_contents(int buffer, std::uint64_t first);

  /// By panel: how much larger its picture is than where it fits.
  std::array<float, panel_count> zoom = [] {
    std::array<float, panel_count> fitting{};
    fitting.fill(1);
    return fitting;
  }();

  // --- overlay and messages
  Overlay overlay = Overlay::none;
  std::string overlay_text;  ///< its typed text
  std::vector<Notice> notices;
  std::string status_text;  ///< one sentence at the bottom for some seconds
  double status_until = 0;
  void show_status(std::string text);
  void notify(Notice notice);
  void dismiss(const std::string& id);
  /// Removes an expired remark. True: it did.
  bool expire_status();

  // --- for the next frame
  std::optional<PanelId> editor_focus_request;  ///< source: puts the caret there
  std::optional<CaretRequest> caret_request;    ///< source: puts the caret there and shows it
  std::optional<ExportRequest> export_request;
  bool fit_request = false;
  float zoom_request = 0;
  bool full_screen_request = false;
  bool menu_request = false;         ///< the main menu opens
  bool launch_menu_request = false;  ///< the list of launches and kernels opens
  bool closed = false;               ///< the window is to close

 private:
  const views::Theme* theme_;
};

}  // namespace lanescope::gui
