#include "kernels/base/standard_streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <string>
#include <system_error>

#include "kernels/base/visible.h"

namespace lanescope {
namespace {

std::mutex guard;
int lost = 0;  ///< errno of the first write that failed

void remember_failure() {
  if (lost == 0) lost = errno != 0 ? errno : EIO;
}

void write_out(std::string_view text) {
  const std::lock_guard lock(guard);
  errno = 0;
  if (lost == 0 && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) remember_failure();
}

}  // namespace

void prepare_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      // The lowest free number is this one. The wrong way round: reading standard input fails, too.
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  std::signal(SIGPIPE, SIG_IGN);
}

void put(std::string_view text) { write_out(visible(text)); }
void put_content(std::string_view text) { ::isatty(STDOUT_FILENO) == 1 ? put(text) : write_out(text); }

void put_error(std::string_view text) {
  const std::string shown = visible(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

bool standard_output_works() {
  const std::lock_guard lock(guard);
  return lost == 0;
}

Expected<void> flush_standard_output() {
  const std::lock_guard lock(guard);
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) remember_failure();
  if (lost == 0) return {};
  return failure(
      fmt::format("standard output cannot be written: {}", std::generic_category().message(lost)),
      lost == ENOSPC || lost == EDQUOT ? "free some space, or send it elsewhere" : "send it where it can be written");
}

}  // namespace lanescope
