// No display: OpenGL through EGL into a framebuffer object.

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <utility>

#include "app/gui/platform/open_gl.h"
#include "app/gui/platform/platform.h"

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
  const Egl& library = egl();
  if (display == EGL_NO_DISPLAY || library.initialize(display, nullptr, nullptr) == EGL_FALSE) {
    if (out.problem.empty()) out.problem = "EGL finds no device to draw with";
    return false;
  }
  library.bind_api(EGL_OPENGL_API);
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (library.choose_config(display, wanted, &config, 1, &count) == EGL_FALSE || count == 0) {
    const EGLint any[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    if (library.choose_config(display, any, &config, 1, &count) == EGL_FALSE || count == 0) config = nullptr;
  }
  const EGLint version[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  const EGLContext context = library.create_context(display, config, EGL_NO_CONTEXT, version);
  EGLSurface surface = EGL_NO_SURFACE;
  bool current = false;
  if (context != EGL_NO_CONTEXT) {
    current = library.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE;
    if (!current && config != nullptr) {
      const EGLint extent[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
      surface = library.create_pbuffer_surface(display, config, extent);
      current = surface != EGL_NO_SURFACE && library.make_current(display, surface, surface, context) == EGL_TRUE;
    }
  }
  if (!current) {
    out.problem = "EGL has no OpenGL 3.3 core context here, which is older or has no driver";
    if (context != EGL_NO_CONTEXT) library.destroy_context(display, context);
    library.terminate(display);
    return false;
  }
  out.display = display;
  out.context = context;
  out.surface = surface;
  return true;
}

/// Mesa's surfaceless platform, then each EGL device (NVIDIA), then the default display.
EglContext open_any_context() {
  EglContext result;
  const Egl& library = egl();
  const auto get_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(library.get_proc_address("eglGetPlatformDisplayEXT"));
  const auto query_devices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(library.get_proc_address("eglQueryDevicesEXT"));
  const char* extensions = library.query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const bool surfaceless = extensions != nullptr && std::strstr(extensions, "EGL_MESA_platform_surfaceless") != nullptr;
  if (get_display != nullptr && surfaceless &&
      open_context(get_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr), result)) {
    return result;
  }
  EGLDeviceEXT devices[16];
  EGLint count = 0;
  if (get_display != nullptr && query_devices != nullptr && query_devices(16, devices, &count) == EGL_TRUE)
    for (EGLint i = 0; i < count; ++i)
      if (open_context(get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr), result)) return result;
  open_context(library.get_display(EGL_DEFAULT_DISPLAY), result);
  return result;
}

class Offscreen final : public Platform {
 public:
  Offscreen(EglContext context, int width, int height) : context_(std::move(context)), width_(width), height_(height) {}

  ~Offscreen() override {
    if (drawing_) {
      gl_.delete_renderbuffers(1, &color_);
      gl_.delete_framebuffers(1, &framebuffer_);
      ImGui_ImplOpenGL3_Shutdown();
    }
    const Egl& library = egl();
    library.make_current(context_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_.surface != EGL_NO_SURFACE) library.destroy_surface(context_.display, context_.surface);
    library.destroy_context(context_.display, context_.context);
    library.terminate(context_.display);
  }

  Expected<void> start() {
    gl_ = LS_TRY(load_gl(egl().get_proc_address));
    if (auto started = start_imgui_drawing(); !started) return started;
    drawing_ = true;
    ImGui::GetIO().BackendPlatformName = "lanescope_offscreen";
    gl_.gen_framebuffers(1, &framebuffer_);
    gl_.gen_renderbuffers(1, &color_);
    return {};
  }

  void begin_frame() override {
    ImGui_ImplOpenGL3_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(width_), static_cast<float>(height_));
    io.DeltaTime = 1.0f / 60;  // the same in every run, so that scripts are too
  }

  /// A frame is not seen unless it is read back: the pixels are made then.
  void present() override { stale_ = true; }

  void finish() override {
    if (!std::exchange(stale_, false)) return;
    gl_.bind_framebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl_.bind_renderbuffer(GL_RENDERBUFFER, color_);
    gl_.renderbuffer_storage(GL_RENDERBUFFER, GL_RGBA8, width_, height_);
    gl_.framebuffer_renderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
    gl_.viewport(0, 0, width_, height_);
    gl_.clear_color(0, 0, 0, 1);
    gl_.clear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    gl_.finish();
  }

  void wait(double seconds) override {
    std::unique_lock lock(mutex_);
    const auto woken = [this] { return woken_; };
    if (seconds < 0)
      condition_.wait(lock, woken);
    else
      condition_.wait_for(lock, std::chrono::duration<double>(seconds), woken);
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
    finish();
    gl_.bind_framebuffer(GL_FRAMEBUFFER, framebuffer_);
    return read_framebuffer(gl_, width_, height_);
  }
  float content_scale() const override { return 1; }
  float readable_scale() const override { return gui::readable_scale(width_, height_); }
  std::string renderer() const override { return reinterpret_cast<const char*>(gl_.get_string(GL_RENDERER)); }

 private:
  EglContext context_;
  Gl gl_;
  bool drawing_ = false;
  bool stale_ = false;  ///< a frame was presented whose pixels are not made
  int width_, height_;
  GLuint framebuffer_ = 0, color_ = 0;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool woken_ = false;
};

}  // namespace

Picture read_framebuffer(const Gl& gl, int width, int height) {
  Picture picture{.width = width, .height = height};
  const std::size_t row = static_cast<std::size_t>(width) * 4;
  std::vector<std::uint8_t> upside_down(row * height);
  gl.pixel_store_i(GL_PACK_ALIGNMENT, 1);
  gl.read_pixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
  picture.rgba.resize(upside_down.size());
  for (int y = 0; y < height; ++y)
    std::memcpy(picture.rgba.data() + row * y, upside_down.data() + row * (height - 1 - y), row);
  for (std::size_t i = 3; i < picture.rgba.size(); i += 4) picture.rgba[i] = 255;
  return picture;
}

Expected<std::unique_ptr<Platform>> make_offscreen(const PlatformOptions& options) {
  constexpr const char* remedy =
      "install libegl1, and libegl-mesa0 and libgl1-mesa-dri where no graphics driver brings "
      "its own; commands such as check and render need neither";
  if (!egl().problem.empty()) return failure("drawing without a display failed: " + egl().problem, remedy);
  if (auto there = check_libgl(); !there) return tl::unexpected(there.error());
  const EglContext context = open_any_context();
  if (context.context == EGL_NO_CONTEXT) return failure("drawing without a display failed: " + context.problem, remedy);
  auto out = std::make_unique<Offscreen>(context, options.width, options.height);
  if (auto started = out->start(); !started) return tl::unexpected(started.error());
  return out;
}

float readable_scale(int width, int height) {
  const float larger = std::min(static_cast<float>(width) / 1920, static_cast<float>(height) / 1080);
  return std::clamp(std::floor(larger * 4) / 4, 1.0f, 3.0f);
}

Expected<std::unique_ptr<Platform>> make_platform(const PlatformOptions& options) {
  return options.offscreen ? make_offscreen(options) : make_window(options);
}

}  // namespace lanescope::gui
