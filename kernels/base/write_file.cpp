#include "kernels/base/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

namespace lanescope {
namespace {

namespace fs = std::filesystem;

using Content = std::span<const std::byte>;

constexpr int most_links = 40;  // as Linux itself follows

tl::unexpected<Diagnostics> cannot(const std::string& path, int error) {
  return failure({.file = path,
                  .message = fmt::format("the file cannot be written: {}", std::generic_category().message(error)),
                  .remedy = error == ENOSPC || error == EDQUOT ? "free some space, or write elsewhere"
                                                               : "check the folder and its permissions",
                  .code = DiagnosticCode::file});
}

/// 0, or the error.
int write_bytes(int fd, Content bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(wrote));
  }
  return 0;
}

/// The number of /dev/fd/N, /dev/stdout, /proc/self/fd/N. Links there lead to what is open, not to a name.
std::optional<int> own_stream(const fs::path& path) {
  std::error_code problem;
  const fs::path folder = fs::canonical(path.has_parent_path() ? path.parent_path() : fs::path("."), problem);
  if (problem || folder != fs::path(fmt::format("/proc/{}/fd", ::getpid()))) return std::nullopt;
  const std::string name = path.filename().string();
  int fd = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), fd);
  if (error != std::errc{} || end != name.data() + name.size() || fd < 0) return std::nullopt;
  return fd;
}

/// Where links lead in the end.
struct Place {
  fs::path path;
  std::optional<int> stream;
  int error = 0;
};
Place after_links(fs::path path) {
  for (int hops = 0; hops < most_links; ++hops) {
    if (const auto stream = own_stream(path)) return {.path = path, .stream = stream};
    std::error_code problem;
    if (!fs::is_symlink(fs::symlink_status(path, problem))) return {.path = path, .stream = {}};
    const fs::path next = fs::read_symlink(path, problem);
    if (problem) return {.path = path, .stream = {}, .error = problem.value()};
    path = path.parent_path() / next;  // an absolute target takes the place of the folder
  }
  return {.path = path, .stream = {}, .error = ELOOP};
}

int write_to_stream(int fd, Content bytes) {
  if (fd == STDOUT_FILENO) std::fflush(stdout);  // keeps the order of the output
  return write_bytes(fd, bytes);
}

int write_to_device(const std::string& path, Content bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return errno;
  const int error = write_bytes(fd, bytes);
  return ::close(fd) != 0 && error == 0 ? errno : error;
}

/// A new file in the folder of `path`, under a name that nothing else has. `mode` as in open(); -1: errno says why.
int open_beside(const fs::path& path, mode_t mode, std::string& name) {
  static std::atomic<unsigned> number{0};
  for (;;) {
    name = (path.parent_path() / fmt::format(".lanescope-{}-{}.tmp", ::getpid(), number++)).string();
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
}

/// The permissions of the old file are those of the new one. Another owner's file stays his where we may say so.
int take_after(int fd, const struct stat& before) {
  struct stat now {};
  if (::fstat(fd, &now) != 0) return errno;
  if ((now.st_uid != before.st_uid || now.st_gid != before.st_gid) && ::fchown(fd, before.st_uid, before.st_gid) != 0 &&
      errno != EPERM)
    return errno;
  return ::fchmod(fd, before.st_mode & 07777) == 0 ? 0 : errno;
}

/// `before`: of the regular file that is there already.
int replace(const fs::path& path, const std::optional<struct stat>& before, Content bytes) {
  if (before && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return errno;
  std::string temporary;
  const int fd = open_beside(path, before ? 0600 : 0666, temporary);
  if (fd < 0) return errno;
  int error = before ? take_after(fd, *before) : 0;
  if (error == 0) error = write_bytes(fd, bytes);
  if (error == 0 && ::fsync(fd) != 0) error = errno;
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(temporary.c_str());
  return error;
}

int write_there(const std::string& path, Content bytes) {
  const Place place = after_links(path);
  if (place.error != 0) return place.error;
  if (place.stream) return write_to_stream(*place.stream, bytes);
  struct stat before {};
  if (::stat(path.c_str(), &before) != 0) return errno == ENOENT ? replace(place.path, {}, bytes) : errno;
  return S_ISREG(before.st_mode) ? replace(place.path, before, bytes) : write_to_device(path, bytes);
}

}  // namespace

Diagnostics wrong_target(const std::string& path) {
  if (path.empty()) return {{.file = {}, .message = "no file to write is named", .remedy = "name one"}};
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {};
  return {{.file = path, .message = "this is a folder", .remedy = "name a file in it"}};
}

Expected<void> write_file(const std::string& path, Content bytes) {
  if (Diagnostics wrong = wrong_target(path); !wrong.empty()) return tl::unexpected(std::move(wrong));
  if (const int error = write_there(path, bytes); error != 0) return cannot(path, error);
  return {};
}

Expected<void> write_file(const std::string& path, std::string_view text) {
  return write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace lanescope
