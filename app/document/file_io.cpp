#include "app/document/file_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lanescope::document {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Diagnostics> wrong(const std::string& path, std::string message, std::string remedy) {
  return failure({.file = path, .message = std::move(message), .remedy = std::move(remedy)});
}

}  // namespace

Expected<std::string> read_text(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return wrong(path, "there is no such file", "check the name and the folder");
  if (status.type() == fs::file_type::directory) return wrong(path, "this is a folder", "name a file in it");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return wrong(path, fmt::format("the file cannot be read: {}", std::strerror(errno)), "check its permissions");
  std::ostringstream whole;
  whole << file.rdbuf();
  std::string text = std::move(whole).str();
  if (text.empty()) return wrong(path, "the file is empty", "write a kernel into it");
  const auto nul = std::ranges::find(text, '\0');
  if (nul != text.end())
    return failure({.file = path,
                    .line = static_cast<int>(std::count(text.begin(), nul, '\n')) + 1,
                    .message = "this is not a text file",
                    .remedy = "name a .cu or .ptx file"});
  return text;
}

}  // namespace lanescope::document
