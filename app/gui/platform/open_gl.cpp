#include "app/gui/platform/open_gl.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace lanescope::gui {
namespace {

constexpr const char* newer_driver = "update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1 for Mesa's own";

/// Functions taken by name; the first that is missing is remembered.
class Loader {
 public:
  explicit Loader(auto by_name) : by_name_(std::move(by_name)) {}
  template <class F>
  Loader& operator()(const char* name, F& function) {
    function = reinterpret_cast<F>(by_name_(name));
    if (function == nullptr && missing_.empty()) missing_ = name;
    return *this;
  }
  const std::string& missing() const { return missing_; }

 private:
  std::function<Function(const char*)> by_name_;
  std::string missing_;
};

Egl open_egl() {
  Egl e;
  void* library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    e.problem = "libEGL.so.1 cannot be opened";
    return e;
  }
  Loader load([&](const char* name) { return reinterpret_cast<Function>(dlsym(library, name)); });
  load("eglBindAPI", e.bind_api)("eglChooseConfig", e.choose_config)("eglCreateContext", e.create_context);
  load("eglCreatePbufferSurface", e.create_pbuffer_surface)("eglDestroyContext", e.destroy_context);
  load("eglDestroySurface", e.destroy_surface)("eglGetDisplay", e.get_display);
  load("eglGetProcAddress", e.get_proc_address)("eglInitialize", e.initialize)("eglMakeCurrent", e.make_current);
  load("eglQueryString", e.query_string)("eglTerminate", e.terminate);
  if (!load.missing().empty()) e.problem = "libEGL.so.1 has no " + load.missing();
  return e;
}

}  // namespace

const Egl& egl() {
  static const Egl library = open_egl();
  return library;
}

Expected<Gl> load_gl(FunctionByName by_name) {
  Gl g;
  Loader load(by_name);
  load("glGetString", g.get_string);
  const char* version = g.get_string ? reinterpret_cast<const char*>(g.get_string(GL_VERSION)) : nullptr;
  int major = 0, minor = 0;
  if (version == nullptr || std::sscanf(version, "%d.%d", &major, &minor) != 2)
    return failure("OpenGL does not report its version", newer_driver);
  if (major * 10 + minor < 33)
    return failure(fmt::format("this machine's OpenGL is {}, and 3.3 is needed", version), newer_driver);
  load("glBindFramebuffer", g.bind_framebuffer)("glBindRenderbuffer", g.bind_renderbuffer)("glClear", g.clear);
  load("glClearColor", g.clear_color)("glDeleteFramebuffers", g.delete_framebuffers);
  load("glDeleteRenderbuffers", g.delete_renderbuffers)("glFinish", g.finish);
  load("glFramebufferRenderbuffer", g.framebuffer_renderbuffer)("glGenFramebuffers", g.gen_framebuffers);
  load("glGenRenderbuffers", g.gen_renderbuffers)("glPixelStorei", g.pixel_store_i)("glReadBuffer", g.read_buffer);
  load("glReadPixels", g.read_pixels)("glRenderbufferStorage", g.renderbuffer_storage)("glViewport", g.viewport);
  if (!load.missing().empty()) return failure("OpenGL has no " + load.missing(), newer_driver);
  return g;
}

Expected<void> check_libgl() {
  // The names that the backend tries. It stays open: the backend opens it again.
  constexpr std::array names = {"libGL.so", "libGL.so.1", "libGL.so.3"};
  if (std::any_of(names.begin(), names.end(), [](const char* n) { return dlopen(n, RTLD_LAZY | RTLD_LOCAL); }))
    return {};
  return failure(
      "nothing can be drawn: libGL.so.1 cannot be opened",
      "install libgl1, and libgl1-mesa-dri where no graphics driver brings its own; commands such as check and "
      "render need neither");
}

Expected<void> start_imgui_drawing() {
  if (ImGui_ImplOpenGL3_Init("#version 330 core")) return {};
  return failure("nothing can be drawn: libGL.so.1 conflicts with this OpenGL", newer_driver);
}

}  // namespace lanescope::gui
