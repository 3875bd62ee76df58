#pragma once
// A call of NVRTC as a value, and its answer. Nothing else reaches the compiler: a caller gets the same answer from
// this process, from another one and from the cache.

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/frames.h"

namespace lanescope::compile {

struct Call {
  std::string text, name;
  std::map<std::string, std::string> headers;  ///< text by the name that an #include gives
  std::vector<std::string> expressions;        ///< whose lowered names are needed
  std::vector<std::string> options;
  std::vector<std::string> folders;  ///< absolute; the compiler has them by number (numbered_folders.h)
  /// State of the headers that may be precompiled (pch_folder.h); empty: nothing is.
  std::string precompiled;
  bool operator==(const Call&) const = default;
};

struct Answer {
  int status = 0;  ///< of nvrtcCompileProgram
  std::string log, ptx, cubin;
  std::vector<std::string> lowered;  ///< one for each expression; empty where the compiler has none
  bool operator==(const Answer&) const = default;
};

Bytes packed(const Call& call);
Bytes packed(const Answer& answer);
/// Nothing where the bytes are no whole one.
std::optional<Call> unpacked_call(std::span<const std::uint8_t> bytes);
std::optional<Answer> unpacked_answer(std::span<const std::uint8_t> bytes);

/// In this process.
Answer call_here(const Call& call);

// Where NVRTC may keep precompiled headers. It trusts the files there and keeps none of use to another process
// (measured with 13.0), while two processes that share a folder read each other's half-written files: so each process
// has its own folder under the user's cache, with a folder for each state of the headers. A process that is killed
// leaves its folder (8 MB a kernel) to be removed by the next one.

/// NVRTC does so from 12.8 on, and there is a place.
bool can_precompile();
/// Of this process, for a state of the headers that is a file name; empty: nothing is precompiled.
std::string pch_folder(const std::string& state);
/// For a state whose precompiled headers may be those of other headers.
void forget_precompiled(const std::string& state);

// Folders under names of plain letters instead of their own: while descriptor N is open on a folder, Linux finds that
// folder under /proc/self/fd/N, wherever it lies and even after it was renamed.
//
// A call's folders have the numbers from first_folder on, in the call's order, in every process. So input and output of
// the compiler depend only on the call: neither on the location of the folders nor on other open files of the process.

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
