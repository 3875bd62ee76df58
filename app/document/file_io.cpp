#include "app/document/file_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

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

Expected<void> write_file(const std::string& path, std::span<const std::byte> bytes) {
  std::string temporary = path + ".XXXXXX";
  const int fd = ::mkstemp(temporary.data());
  if (fd < 0)
    return wrong(path, fmt::format("the file cannot be written: {}", std::strerror(errno)),
                 "check the folder and its permissions");
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t wrote = ::write(fd, bytes.data() + written, bytes.size() - written);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) break;
    written += static_cast<std::size_t>(wrote);
  }
  struct stat before {};
  const bool existed = ::stat(path.c_str(), &before) == 0;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(fd, existed ? before.st_mode & 07777 : 0666 & ~mask);
  const bool whole = written == bytes.size() && ::fsync(fd) == 0;
  ::close(fd);
  if (whole && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
  const std::string why = std::strerror(errno);
  ::unlink(temporary.c_str());
  return wrong(path, fmt::format("the file cannot be written: {}", why),
               "check the free space and the folder's permissions");
}

Expected<void> write_file(const std::string& path, std::string_view text) {
  return write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace lanescope::document
