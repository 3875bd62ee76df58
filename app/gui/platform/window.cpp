// A window through GLFW.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

#include "app/desktop/icon.h"
#include "app/gui/platform/open_gl.h"
#include "app/gui/platform/platform.h"
#include "kernels/base/visible.h"
#include "viz/paint/paint.h"

namespace lanescope::gui {
namespace {

std::string last_glfw_error() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words != nullptr ? words : "unknown reason";
}

void set_icon(GLFWwindow* window) {
  std::vector<paint::Image> pictures;
  for (const int side : desktop::icon_sizes) {
    auto picture =
        paint::to_image(desktop::icon(), desktop::icon_paper(), static_cast<float>(side) / desktop::icon_side);
    if (picture) pictures.push_back(std::move(*picture));
  }
  std::vector<GLFWimage> images;
  for (paint::Image& p : pictures) images.push_back({.width = p.width, .height = p.height, .pixels = p.rgba.data()});
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

/// Of the primary display, in its own pixels.
float scale_of_display() {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  return mode != nullptr ? gui::readable_scale(mode->width, mode->height) : 1.0f;
}

/// False: it was larger than what the display has room for, a projector's perhaps, and is as large as that.
bool fits_display(int& width, int& height) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  int x = 0, y = 0, most_width = 0, most_height = 0;
  if (monitor != nullptr) glfwGetMonitorWorkarea(monitor, &x, &y, &most_width, &most_height);
  if (most_width <= 0 || most_height <= 0 || (width <= most_width && height <= most_height)) return true;
  width = std::min(width, most_width);
  height = std::min(height, most_height);
  return false;
}

class Window final : public Platform {
 public:
  explicit Window(GLFWwindow* window) : window_(window) {
    glfwSetWindowUserPointer(window_, this);
    // ImGui's backend chains to callbacks that are installed before it.
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
      Window* self = of(w);
      if (self->on_drop) self->on_drop(std::vector<std::string>(paths, paths + count));
      self->touched();
    });
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int, int, int, int) { of(w)->touched(); });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned) { of(w)->touched(); });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { of(w)->touched(); });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { of(w)->touched(); });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int) { of(w)->touched(); });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { of(w)->touched(); });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { of(w)->touched(); });
    glfwSetWindowCloseCallback(window_, [](GLFWwindow* w) { of(w)->touched(); });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { of(w)->touched(); });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { of(w)->touched(); });
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { of(w)->touched(); });
  }

  ~Window() override {
    if (drawing_) {
      ImGui_ImplGlfw_Shutdown();
      ImGui_ImplOpenGL3_Shutdown();
    }
    glfwDestroyWindow(window_);
    glfwTerminate();
  }

  Expected<void> start() {
    gl_ = LS_TRY(load_gl(glfwGetProcAddress));
    if (auto started = start_imgui_drawing(); !started) return started;
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    drawing_ = true;
    return {};
  }

  void begin_frame() override {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
  }

  void present() override {
    glfwGetFramebufferSize(window_, &width_, &height_);
    draw();
    glfwSwapBuffers(window_);
  }
  void finish() override { gl_.finish(); }

  void wait(double seconds) override {
    if (seconds < 0)
      glfwWaitEvents();
    else if (seconds == 0)
      glfwPollEvents();
    else
      glfwWaitEventsTimeout(seconds);
  }

  void wake() override { glfwPostEmptyEvent(); }
  bool wants_to_close() const override { return glfwWindowShouldClose(window_) != 0; }
  void refuse_close() override { glfwSetWindowShouldClose(window_, GLFW_FALSE); }
  void set_title(const std::string& title) override {
    if (title == title_) return;
    title_ = title;
    glfwSetWindowTitle(window_, visible_name(title).c_str());
  }

  void toggle_full_screen() override {
    if (glfwGetWindowMonitor(window_) != nullptr) {
      glfwSetWindowMonitor(window_, nullptr, restore_[0], restore_[1], restore_[2], restore_[3], 0);
      return;
    }
    glfwGetWindowPos(window_, &restore_[0], &restore_[1]);
    glfwGetWindowSize(window_, &restore_[2], &restore_[3]);
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode != nullptr) glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }

  Picture read_back() override {
    // Drawn once more: what was shown cannot be read everywhere (software OpenGL gives black), and the back buffer is
    // undefined after a swap.
    draw();
    gl_.read_buffer(GL_BACK);
    return read_framebuffer(gl_, width_, height_);
  }

  float content_scale() const override {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return x;
  }

  float readable_scale() const override { return content_scale() > 1 ? 1.0f : scale_of_display(); }

  std::string renderer() const override { return reinterpret_cast<const char*>(gl_.get_string(GL_RENDERER)); }

 private:
  void draw() {
    gl_.viewport(0, 0, width_, height_);
    if (ImDrawData* data = ImGui::GetDrawData()) ImGui_ImplOpenGL3_RenderDrawData(data);
  }
  static Window* of(GLFWwindow* w) { return static_cast<Window*>(glfwGetWindowUserPointer(w)); }
  void touched() {
    if (on_input) on_input();
  }

  GLFWwindow* window_;
  Gl gl_;
  bool drawing_ = false;
  int width_ = 0, height_ = 0;
  int restore_[4] = {80, 80, 1600, 1000};
  std::string title_;
};

}  // namespace

Expected<std::unique_ptr<Platform>> make_window(const PlatformOptions& options) {
  glfwSetErrorCallback(nullptr);
  if (glfwInit() == GLFW_FALSE)
    return failure("the window could not be opened: " + last_glfw_error(),
                   "set DISPLAY, or use --offscreen; commands such as check and render need no window");
  if (auto there = check_libgl(); !there) {
    glfwTerminate();
    return tl::unexpected(there.error());
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "lanescope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "lanescope");
  // The usual window is as large on a display of twice as many pixels; one of a stated size is what was stated.
  const bool usual = options.width == PlatformOptions().width && options.height == PlatformOptions().height;
  const float larger = usual ? scale_of_display() : 1.0f;
  int width = static_cast<int>(static_cast<float>(options.width) * larger);
  int height = static_cast<int>(static_cast<float>(options.height) * larger);
  if (usual && !fits_display(width, height)) glfwWindowHint(GLFW_MAXIMIZED, GLFW_TRUE);
  GLFWwindow* window = glfwCreateWindow(width, height, "lanescope", nullptr, nullptr);
  if (window == nullptr) {
    const std::string reason = last_glfw_error();
    glfwTerminate();
    return failure("an OpenGL 3.3 window could not be opened: " + reason,
                   "update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1");
  }
  set_icon(window);
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  auto out = std::make_unique<Window>(window);
  if (auto started = out->start(); !started) return tl::unexpected(started.error());
  return out;
}

}  // namespace lanescope::gui
