#pragma once
// An explorer that is open: platform, App and window together, one frame at a time. run_explorer() and scripts drive
// it.

#include <memory>
#include <string>

#include "app/gui/platform/platform.h"
#include "app/gui/shell/explorer_options.h"
#include "app/gui/shell/window.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {

class Frames {
 public:
  /// `channel`: to the engine; empty: as the options have it.
  static Expected<std::unique_ptr<Frames>> open(const ExplorerOptions& options,
                                                std::unique_ptr<engine::Channel> channel = nullptr);
  ~Frames();
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  /// Handles events, lets the App update, draws and presents.
  void frame();
  /// NewFrame to Render without presenting: the cost of the UI thread.
  void build_frame();
  /// Frames until the picture no longer changes: queued input is handled, hover has reached all panels.
  void settle(int least = 3);
  /// Until closed; draws only when there is a reason to.
  void loop();
  /// Sleeps as the loop does between frames.
  void wait();
  Expected<void> screenshot(const std::string& path);

  App& app() { return *app_; }
  Stage& stage() { return stage_; }
  Window& window() { return *window_; }
  Platform& platform() { return *platform_; }
  double seconds() const;
  void save_session();

 private:
  Frames() = default;
  /// Handles events since the last frame. True: something changed.
  bool update();
  void draw();
  void adopt_look();
  void export_if_requested();
  void open_first_file(const ExplorerOptions& options);
  Expected<void> open_lesson(const ExplorerOptions& options);

  struct Context;
  std::unique_ptr<Context> context_;
  std::unique_ptr<Platform> platform_;
  std::unique_ptr<App> app_;
  std::unique_ptr<Window> window_;
  Stage stage_;
  std::string session_path_, drawn_theme_;
  std::vector<std::string> dropped_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  int frames_wanted_ = 3;
  double hover_look_ = -1;  ///< when a tooltip may be due
};

}  // namespace lanescope::gui
