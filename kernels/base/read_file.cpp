#include "kernels/base/read_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace lanescope {

namespace fs = std::filesystem;

Expected<std::string> read_file(const std::string& path) {
  const auto wrong = [&](std::string message, std::string remedy) {
    return failure(Diagnostic{.file = path, .message = std::move(message), .remedy = std::move(remedy)});
  };
  std::error_code unknown;
  const fs::file_type type = fs::status(path, unknown).type();
  if (type == fs::file_type::not_found) return wrong("there is no such file", "check the name and the folder");
  if (type == fs::file_type::directory) return wrong("this is a folder", "name a file in it");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream whole;
  if (file && file.peek() != std::ifstream::traits_type::eof()) whole << file.rdbuf();
  if (!file.is_open() || file.bad() || whole.bad())
    return wrong(fmt::format("the file cannot be read: {}", std::strerror(errno)), "check its permissions");
  return std::move(whole).str();
}

}  // namespace lanescope
