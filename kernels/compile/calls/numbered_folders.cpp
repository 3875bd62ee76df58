#include "kernels/compile/calls/call.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>

#include <fmt/format.h>

namespace lanescope::compile {
namespace {

constexpr std::string_view descriptors = "/proc/self/fd/";

std::mutex& numbers_in_use() {
  static std::mutex mutex;
  return mutex;
}

/// What is no folder: no name leads through it.
int open_nothing() { return ::open("/dev/null", O_PATH | O_CLOEXEC); }

/// Takes all numbers, so that no other code of this process gets one of them.
bool take_numbers() {
  const int nothing = open_nothing();
  if (nothing < 0) return false;
  bool good = ::access(descriptors.data(), X_OK) == 0;
  int taken = 0;
  for (; good && taken < static_cast<int>(most_folders); ++taken) {
    const int got = ::fcntl(nothing, F_DUPFD_CLOEXEC, first_folder + taken);
    good = got == first_folder + taken;
    if (!good && got >= 0) ::close(got);
    if (!good) break;
  }
  for (int k = 0; !good && k < taken; ++k) ::close(first_folder + k);
  ::close(nothing);
  return good;
}

}  // namespace

std::string numbered_folder(std::size_t index) {
  return fmt::format("{}{}", descriptors, static_cast<std::size_t>(first_folder) + index);
}

std::string after_number(std::string_view name, const std::vector<std::string>& folders) {
  if (!name.starts_with(descriptors)) return std::string(name);
  const std::string_view rest = name.substr(descriptors.size());
  int number = 0;
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  const std::string_view after = rest.substr(static_cast<std::size_t>(end - rest.data()));
  if (problem != std::errc() || number < first_folder || (!after.empty() && after.front() != '/'))
    return std::string(name);
  const auto index = static_cast<std::size_t>(number - first_folder);
  return index < folders.size() ? folders[index] + std::string(after) : std::string(name);
}

bool can_number_folders() {
  static const bool can = take_numbers();
  return can;
}

NumberedFolders::NumberedFolders(const std::vector<std::string>& folders) : alone_(numbers_in_use()) {
  if (!can_number_folders()) return;
  const int nothing = open_nothing();
  for (std::size_t k = 0; k < most_folders; ++k) {
    const int number = first_folder + static_cast<int>(k);
    const int opened = k < folders.size() ? ::open(folders[k].c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    ::dup3(opened < 0 ? nothing : opened, number, O_CLOEXEC);
    if (opened >= 0) ::close(opened);
  }
  ::close(nothing);
}

}  // namespace lanescope::compile
