// No display: OpenGL through EGL into a framebuffer object.

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "app/gui/platform.h"

namespace lanescope::gui {
namespace {

struct EglContext {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface surface = EGL_NO_SURFACE;
  std::string problem;
};

/// A current OpenGL 3.3 core context on `display`, without a surface where the driver allows it.
bool open_context(EGLDisplay display, EglContext& out) {
  if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE) {
    out.problem = "EGL has no display of this kind";
    return false;
  }
  eglBindAPI(EGL_OPENGL_API);
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (eglChooseConfig(display, wanted, &config, 1, &count) == EGL_FALSE || count == 0) {
    const EGLint any[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    if (eglChooseConfig(display, any, &config, 1, &count) == EGL_FALSE || count == 0) config = nullptr;
  }
  const EGLint version[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  EGLSurface surface = EGL_NO_SURFACE;
  bool current = false;
  if (context != EGL_NO_CONTEXT) {
    current = eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE;
    if (!current && config != nullptr) {
      const EGLint extent[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
      surface = eglCreatePbufferSurface(display, config, extent);
      current = surface != EGL_NO_SURFACE && eglMakeCurrent(display, surface, surface, context) == EGL_TRUE;
    }
  }
  if (!current) {
    out.problem = "EGL has no OpenGL 3.3 core context here";
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
    return false;
  }
  out.display = display;
  out.context = context;
  out.surface = surface;
  return true;
}

/// Mesa's surfaceless platform, then each EGL device (NVIDIA), then whatever the default display is.
EglContext open_any_context() {
  EglContext result;
  const auto get_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const auto query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const bool surfaceless = extensions != nullptr && std::strstr(extensions, "EGL_MESA_platform_surfaceless") != nullptr;
  if (get_display != nullptr && surfaceless &&
      open_context(get_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr), result)) {
    return result;
  }
  EGLDeviceEXT devices[16];
  EGLint count = 0;
  if (get_display != nullptr && query_devices != nullptr && query_devices(16, devices, &count) == EGL_TRUE) {
    for (EGLint i = 0; i < count; ++i) {
      if (open_context(get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr), result)) return result;
    }
  }
  open_context(eglGetDisplay(EGL_DEFAULT_DISPLAY), result);
  return result;
}

class Offscreen final : public Platform {
 public:
  Offscreen(EglContext egl, int width, int height) : egl_(egl), width_(width), height_(height) {
    ImGui::GetIO().BackendPlatformName = "lanescope_offscreen";
    ImGui_ImplOpenGL3_Init("#version 330 core");
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &color_);
  }

  ~Offscreen() override {
    glDeleteRenderbuffers(1, &color_);
    glDeleteFramebuffers(1, &framebuffer_);
    ImGui_ImplOpenGL3_Shutdown();
    eglMakeCurrent(egl_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (egl_.surface != EGL_NO_SURFACE) eglDestroySurface(egl_.display, egl_.surface);
    eglDestroyContext(egl_.display, egl_.context);
    eglTerminate(egl_.display);
  }

  void begin_frame() override {
    ImGui_ImplOpenGL3_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(width_), static_cast<float>(height_));
    io.DeltaTime = 1.0f / 60;  // the same in every run, so that scripts are too
  }

  void present() override {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glBindRenderbuffer(GL_RENDERBUFFER, color_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width_, height_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
    glViewport(0, 0, width_, height_);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glFinish();
  }

  void wait(double seconds) override {
    std::unique_lock lock(mutex_);
    const auto woken = [this] { return woken_; };
    if (seconds < 0) {
      condition_.wait(lock, woken);
    } else {
      condition_.wait_for(lock, std::chrono::duration<double>(seconds), woken);
    }
    woken_ = false;
  }

  void wake() override {
    {
      const std::lock_guard lock(mutex_);
      woken_ = true;
    }
    condition_.notify_all();
  }

  bool wants_to_close() const override { return false; }
  void refuse_close() override {}
  void set_title(const std::string&) override {}
  void toggle_full_screen() override {}
  Picture read_back() override {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    return read_framebuffer(width_, height_);
  }
  float content_scale() const override { return 1; }
  std::string renderer() const override { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

 private:
  EglContext egl_;
  int width_, height_;
  GLuint framebuffer_ = 0, color_ = 0;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool woken_ = false;
};

}  // namespace

Picture read_framebuffer(int width, int height) {
  Picture picture{.width = width, .height = height, .rgba = {}};
  const std::size_t row = static_cast<std::size_t>(width) * 4;
  std::vector<std::uint8_t> upside_down(row * height);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
  picture.rgba.resize(upside_down.size());
  for (int y = 0; y < height; ++y) {
    std::memcpy(picture.rgba.data() + row * y, upside_down.data() + row * (height - 1 - y), row);
  }
  for (std::size_t i = 3; i < picture.rgba.size(); i += 4) picture.rgba[i] = 255;
  return picture;
}

Expected<std::unique_ptr<Platform>> make_offscreen(const PlatformOptions& options) {
  EglContext egl = open_any_context();
  if (egl.context == EGL_NO_CONTEXT) {
    return failure("nothing can be drawn without a display: " + egl.problem, "install libegl1 and libgl1-mesa-dri");
  }
  return std::make_unique<Offscreen>(egl, options.width, options.height);
}

Expected<std::unique_ptr<Platform>> make_platform(const PlatformOptions& options) {
  return options.offscreen ? make_offscreen(options) : make_window(options);
}

}  // namespace lanescope::gui
