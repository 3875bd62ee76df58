#include "app/document/file_io.h"

#include <algorithm>

namespace lanescope::document {
namespace {

Expected<std::string> checked(const std::string& path, Expected<std::string> text) {
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

}  // namespace

Expected<std::string> read_text(const std::string& path, std::uint64_t most_bytes) {
  return checked(path, read_file(path, most_bytes));
}

Expected<std::string> read_typed_text(const std::string& path, double seconds) {
  return checked(path, read_typed_file(path, seconds));
}

}  // namespace lanescope::document
