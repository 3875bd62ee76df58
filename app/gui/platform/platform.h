#pragma once
// The target of frames: a window on a display, or memory. Each owns the OpenGL context and feeds Dear ImGui's backends.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::gui {

/// RGBA rows, top to bottom.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

class Platform {
 public:
  virtual ~Platform() = default;
  virtual void begin_frame() = 0;  ///< before ImGui::NewFrame
  virtual void present() = 0;      ///< draws ImGui::GetDrawData(), at the latest in finish()
  virtual void finish() = 0;       ///< the frame presented last is drawn when this returns
  /// Blocks until there is input, wake() is called or the time is over; negative: no time limit.
  virtual void wait(double seconds) = 0;
  virtual void wake() = 0;  ///< from any thread
  virtual bool wants_to_close() const = 0;
  virtual void refuse_close() = 0;  ///< after the user cancelled
  virtual void set_title(const std::string& title) = 0;
  virtual void toggle_full_screen() = 0;
  virtual Picture read_back() = 0;          ///< the frame presented last
  virtual float content_scale() const = 0;  ///< of the display: 2 where everything is drawn at double size
  /// Of the interface where none was chosen: larger on a display of many pixels that does not say so itself.
  virtual float readable_scale() const = 0;
  virtual std::string renderer() const = 0;               ///< the name that OpenGL reports
  std::function<void(std::vector<std::string>)> on_drop;  ///< paths of files dropped on the window
  std::function<void()> on_input;                         ///< anything arrived from the user or the system
};

/// Of the interface on a picture or display of so many pixels: 1 up to 1920 x 1080, 2 at 3840 x 2160.
float readable_scale(int width, int height);

struct PlatformOptions {
  int width = 1600, height = 1000;
  bool offscreen = false;
};

/// Creates the platform and the ImGui backends; an ImGui context must exist. The error names the part that could not be
/// opened.
Expected<std::unique_ptr<Platform>> make_platform(const PlatformOptions& options);
Expected<std::unique_ptr<Platform>> make_window(const PlatformOptions& options);
Expected<std::unique_ptr<Platform>> make_offscreen(const PlatformOptions& options);

struct Gl;
/// Pixels of the bound framebuffer, turned the right way up.
Picture read_framebuffer(const Gl& gl, int width, int height);
/// Writes to a temporary name and renames. Error: the system's reason.
Expected<void> write_picture(const Picture& picture, const std::string& path);

}  // namespace lanescope::gui
