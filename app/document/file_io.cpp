#include "app/document/file_io.h"

#include <algorithm>

#include "kernels/base/read_file.h"

namespace lanescope::document {

Expected<std::string> read_text(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text;
  if (text->empty()) return failure({.file = path, .message = "the file is empty", .remedy = "write a kernel into it"});
  const auto nul = std::ranges::find(*text, '\0');
  if (nul != text->end())
    return failure({.file = path,
                    .line = static_cast<int>(std::count(text->begin(), nul, '\n')) + 1,
                    .message = "this is not a text file",
                    .remedy = "name a .cu or .ptx file"});
  return text;
}

}  // namespace lanescope::document
