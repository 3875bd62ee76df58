#pragma once
// OpenGL and EGL, opened at run time: commands work without them, and the window reports the missing library.

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <string>

#include "kernels/base/diagnostic.h"

namespace lanescope::gui {

struct Egl {
  decltype(&::eglBindAPI) bind_api = nullptr;
  decltype(&::eglChooseConfig) choose_config = nullptr;
  decltype(&::eglCreateContext) create_context = nullptr;
  decltype(&::eglCreatePbufferSurface) create_pbuffer_surface = nullptr;
  decltype(&::eglDestroyContext) destroy_context = nullptr;
  decltype(&::eglDestroySurface) destroy_surface = nullptr;
  decltype(&::eglGetDisplay) get_display = nullptr;
  decltype(&::eglGetProcAddress) get_proc_address = nullptr;
  decltype(&::eglInitialize) initialize = nullptr;
  decltype(&::eglMakeCurrent) make_current = nullptr;
  decltype(&::eglQueryString) query_string = nullptr;
  decltype(&::eglTerminate) terminate = nullptr;

  std::string problem;  ///< non-empty: why it cannot be used
};
/// Opened once for the process.
const Egl& egl();

/// OpenGL with its function names, of the context that was current when they were loaded.
struct Gl {
  decltype(&::glBindFramebuffer) bind_framebuffer = nullptr;
  decltype(&::glBindRenderbuffer) bind_renderbuffer = nullptr;
  decltype(&::glClear) clear = nullptr;
  decltype(&::glClearColor) clear_color = nullptr;
  decltype(&::glDeleteFramebuffers) delete_framebuffers = nullptr;
  decltype(&::glDeleteRenderbuffers) delete_renderbuffers = nullptr;
  decltype(&::glFinish) finish = nullptr;
  decltype(&::glFramebufferRenderbuffer) framebuffer_renderbuffer = nullptr;
  decltype(&::glGenFramebuffers) gen_framebuffers = nullptr;
  decltype(&::glGenRenderbuffers) gen_renderbuffers = nullptr;
  decltype(&::glGetString) get_string = nullptr;
  decltype(&::glPixelStorei) pixel_store_i = nullptr;
  decltype(&::glReadBuffer) read_buffer = nullptr;
  decltype(&::glReadPixels) read_pixels = nullptr;
  decltype(&::glRenderbufferStorage) renderbuffer_storage = nullptr;
  decltype(&::glViewport) viewport = nullptr;
};

using Function = void (*)();
using FunctionByName = Function (*)(const char*);
/// The current context's functions. Error: it is older than 3.3, or lacks one.
Expected<Gl> load_gl(FunctionByName by_name);

/// libGL, through which Dear ImGui's backend finds its functions and which it opens by itself. Error: it is missing.
Expected<void> check_libgl();

/// Dear ImGui's backend on the current context.
Expected<void> start_imgui_drawing();

}  // namespace lanescope::gui
