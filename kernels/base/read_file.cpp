#include "kernels/base/read_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>
#include <system_error>

#include "kernels/base/text.h"

namespace lanescope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t read_at_once = std::size_t{1} << 20;
constexpr std::chrono::milliseconds clock_interval{1000};

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

tl::unexpected<Diagnostics> wrong(const std::string& path, std::string message, std::string remedy) {
  return failure(Diagnostic{
      .file = path, .message = std::move(message), .remedy = std::move(remedy), .code = DiagnosticCode::file});
}
tl::unexpected<Diagnostics> unreadable(const std::string& path, int error) {
  return wrong(path, fmt::format("the file cannot be read: {}", std::generic_category().message(error)),
               "check its permissions");
}
tl::unexpected<Diagnostics> too_large(const std::string& path, std::string_view has, std::uint64_t most_bytes) {
  return wrong(path, fmt::format("the file has {}, and at most {} are read", has, bytes_in_words(most_bytes)),
               "make it smaller");
}

std::string_view kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFIFO:
      return "a pipe";
    case S_IFCHR:
    case S_IFBLK:
      return "a device";
    case S_IFSOCK:
      return "a socket";
    default:
      return "no regular file";
  }
}

/// Up to the end of the file, or until there are more than `most_bytes`. 0, or the error.
int read_on(int fd, std::uint64_t most_bytes, std::string& into) {
  while (into.size() <= most_bytes) {
    const std::size_t before = into.size();
    into.resize(before + static_cast<std::size_t>(std::min<std::uint64_t>(read_at_once, most_bytes + 1 - before)));
    const ssize_t got = ::read(fd, into.data() + before, into.size() - before);
    const int error = got < 0 ? errno : 0;
    into.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return 0;
    if (error != 0 && error != EINTR) return error;
  }
  return 0;
}

/// N of /dev/fd/N and /proc/self/fd/N, 0 of /dev/stdin, as they are typed: a link to one of them is none.
std::optional<int> typed_stream(std::string_view path) {
  if (path == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view name = path.substr(folder.size());
    int fd = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), fd);
    if (error == std::errc{} && end == name.data() + name.size() && fd >= 0) return fd;
  }
  return std::nullopt;
}

Expected<std::string> read_stream(const std::string& path, int fd, double seconds, std::uint64_t most_bytes) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::string text;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (seconds > 0 && left.count() <= 0)
      return wrong(path, fmt::format("timeout: reading was stopped after {:g} s", seconds),
                   "close the other end of this stream, or raise the time limit (--max-seconds)");
    pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
    const auto wait = seconds > 0 ? std::min(left + std::chrono::milliseconds(1), clock_interval) : clock_interval;
    if (::poll(&ready, 1, static_cast<int>(wait.count())) <= 0) continue;
    char chunk[1 << 16];
    const ssize_t got = ::read(fd, chunk, sizeof chunk);
    if (got == 0) return text;
    if (got < 0 && errno != EINTR && errno != EAGAIN) return unreadable(path, errno);
    if (got > 0) text.append(chunk, static_cast<std::size_t>(got));
    if (text.size() > most_bytes) return too_large(path, "more", most_bytes);
  }
}

namespace fs = std::filesystem;

constexpr std::string_view header_endings[] = {".h",   ".hh",  ".hpp", ".hxx", ".h++", ".H",   ".cuh", ".inl",
                                               ".inc", ".ipp", ".tpp", ".tcc", ".txx", ".ixx", ".def", ".impl",
                                               ".cu",  ".cpp", ".cc",  ".cxx", ".c++", ".c",   ".C"};

bool begins_with_capital(const fs::path& name) {
  const std::string text = name.string();
  return !text.empty() && text.front() >= 'A' && text.front() <= 'Z';
}

/// cuda/std/atomic of the toolkit has no ending.
bool is_below_toolkit(const fs::path& file) {
  constexpr int most_folders = 8;
  std::error_code problem;
  fs::path folder = file.parent_path();
  for (int up = 0; up < most_folders && folder != folder.parent_path(); ++up, folder = folder.parent_path())
    for (const char* name : {"cuda_runtime_api.h", "cuda/std/version"})
      if (fs::is_regular_file(folder / name, problem)) return true;
  return false;
}

}  // namespace

Expected<std::string> read_file(const std::string& path, std::uint64_t most_bytes) {
  // O_PATH looks without opening: opening a device may do something, and opening a pipe waits for its other end.
  const Descriptor held(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (held.get() < 0 && (errno == ENOENT || errno == ENOTDIR))
    return wrong(path, "there is no such file", "check the name and the folder");
  struct stat there {};
  if (held.get() < 0 || ::fstat(held.get(), &there) != 0) return unreadable(path, errno);
  if (S_ISDIR(there.st_mode)) return wrong(path, "this is a folder", "name a file in it");
  if (!S_ISREG(there.st_mode))
    return wrong(path, fmt::format("this is {}; only regular files are read", kind_of(there.st_mode)),
                 "copy its output into a file, and name that");
  const auto bytes = static_cast<std::uint64_t>(there.st_size);
  if (bytes > most_bytes) return too_large(path, bytes_in_words(bytes), most_bytes);
  const Descriptor file(::open(fmt::format("/proc/self/fd/{}", held.get()).c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (file.get() < 0) return unreadable(path, errno);
  std::string text;
  text.reserve(bytes + 1);
  if (const int error = read_on(file.get(), most_bytes, text); error != 0) return unreadable(path, error);
  if (text.size() > most_bytes) return too_large(path, "more", most_bytes);  // files of /proc have no size, some grow
  return text;
}

Expected<std::string> read_typed_file(const std::string& path, double seconds, std::uint64_t most_bytes) {
  const std::optional<int> stream = typed_stream(path);
  return stream ? read_stream(path, *stream, seconds, most_bytes) : read_file(path, most_bytes);
}

std::string bytes_in_words(std::uint64_t bytes) {
  constexpr std::uint64_t mebi = std::uint64_t{1} << 20, gibi = std::uint64_t{1} << 30;
  if (bytes < mebi) return fmt::format("{} bytes", bytes);
  const bool large = bytes >= gibi;
  const std::uint64_t unit = large ? gibi : mebi;
  return fmt::format("{:.{}f} {}", static_cast<double>(bytes) / static_cast<double>(unit), bytes % unit == 0 ? 0 : 1,
                     large ? "GiB" : "MiB");
}

fs::path real_path(const fs::path& path) {
  std::error_code problem;
  const fs::path absolute = fs::absolute(path, problem);
  fs::path found = fs::weakly_canonical(absolute, problem);
  return problem ? absolute.lexically_normal() : found;
}

bool is_of_folder(const fs::path& file, const fs::path& folder) {
  const fs::path inside = real_path(file).lexically_relative(folder);
  return !inside.empty() && std::ranges::none_of(inside, [](const fs::path& part) {
    return part.string().starts_with('.');  // ".." leads out
  });
}

bool is_header(const fs::path& file) {
  const fs::path path = real_path(file);
  const std::string ending = path.extension().string();
  if (!ending.empty()) return one_of(ending, header_endings) || is_below_toolkit(path);
  return (begins_with_capital(path.filename()) && begins_with_capital(path.parent_path().filename())) ||
         is_below_toolkit(path);
}

}  // namespace lanescope
