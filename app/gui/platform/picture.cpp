#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

#include "app/document/file_io.h"
#include "app/gui/platform/platform.h"

namespace lanescope::gui {

Expected<void> write_picture(const Picture& picture, const std::string& path) {
  std::string bytes;
  const auto append = [](void* to, void* data, int count) {
    static_cast<std::string*>(to)->append(static_cast<char*>(data), count);
  };
  if (stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 4, picture.rgba.data(),
                             picture.width * 4) == 0) {
    return failure(Diagnostic{.file = path, .message = "the picture cannot be encoded"});
  }
  return document::write_file(path, bytes);
}

}  // namespace lanescope::gui
