// A window through GLFW.

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include "app/gui/platform.h"

namespace lanescope::gui {
namespace {

std::string last_glfw_error() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words != nullptr ? words : "GLFW gave no reason";
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
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");
  }

  ~Window() override {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    glfwDestroyWindow(window_);
    glfwTerminate();
  }

  void begin_frame() override {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
  }

  void present() override {
    glfwGetFramebufferSize(window_, &width_, &height_);
    glViewport(0, 0, width_, height_);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window_);
  }

  void wait(double seconds) override {
    if (seconds < 0) {
      glfwWaitEvents();
    } else if (seconds == 0) {
      glfwPollEvents();
    } else {
      glfwWaitEventsTimeout(seconds);
    }
  }

  void wake() override { glfwPostEmptyEvent(); }
  bool wants_to_close() const override { return glfwWindowShouldClose(window_) != 0; }
  void refuse_close() override { glfwSetWindowShouldClose(window_, GLFW_FALSE); }
  void set_title(const std::string& title) override {
    if (title == title_) return;
    title_ = title;
    glfwSetWindowTitle(window_, title.c_str());
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
    glReadBuffer(GL_FRONT);
    return read_framebuffer(width_, height_);
  }

  float content_scale() const override {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return x;
  }

  std::string renderer() const override { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

 private:
  static Window* of(GLFWwindow* w) { return static_cast<Window*>(glfwGetWindowUserPointer(w)); }
  void touched() {
    if (on_input) on_input();
  }

  GLFWwindow* window_;
  int width_ = 0, height_ = 0;
  int restore_[4] = {80, 80, 1600, 1000};
  std::string title_;
};

}  // namespace

Expected<std::unique_ptr<Platform>> make_window(const PlatformOptions& options) {
  glfwSetErrorCallback(nullptr);
  if (glfwInit() == GLFW_FALSE) {
    return failure("no window can be opened: " + last_glfw_error(), "set DISPLAY, or use --offscreen");
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "lanescope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "lanescope");
  GLFWwindow* window = glfwCreateWindow(options.width, options.height, "lanescope", nullptr, nullptr);
  if (window == nullptr) {
    const std::string reason = last_glfw_error();
    glfwTerminate();
    return failure("no OpenGL 3.3 window can be opened: " + reason,
                   "update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1");
  }
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  return std::make_unique<Window>(window);
}

}  // namespace lanescope::gui
