#pragma once
// Folders under names of plain letters instead of their own: while descriptor N is open on a folder, Linux finds that
// folder under /proc/self/fd/N, wherever it lies and even after it was renamed.
//
// A call's folders have the numbers from first_folder on, in the call's order, in every process. So what the compiler is
// reported, and what it says, depends on the call alone: neither on where the folders lie nor on what else a process has open.

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

inline constexpr int first_folder = 700;
inline constexpr std::size_t most_folders = 48;  ///< of one call

/// "/proc/self/fd/700" for 0, without a slash at its end.
std::string numbered_folder(std::size_t index);
/// The file that a name within a numbered folder means; the name itself where it is none of those.
std::string after_number(std::string_view name, const std::vector<std::string>& folders);

/// Whether this process has the numbers to itself. Not where /proc is missing or few descriptors are allowed.
bool can_number_folders();

/// While this lives the numbers lead to these folders; one at a time in a process, others wait. A folder that cannot be
/// opened is one without files.
class NumberedFolders {
 public:
  explicit NumberedFolders(const std::vector<std::string>& folders);

 private:
  std::lock_guard<std::mutex> alone_;
};

}  // namespace lanescope::compile
