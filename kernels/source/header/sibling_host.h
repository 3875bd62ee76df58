#pragma once
// The host code of another file: a .cu file with kernels, or with functions that launch them, is often called from a
// main.cu or main.cpp beside it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/outline_data.h"
#include "kernels/source/host/host_run.h"

namespace lanescope::source {

inline constexpr std::size_t most_siblings = 16;             ///< files of the folder that are searched
inline constexpr std::size_t longest_sibling = 512 * 1024;   ///< bytes; longer files are not searched
inline constexpr std::size_t most_siblings_interpreted = 3;  ///< of those that name a function of this file

struct SiblingHost {
  HostRun run;       ///< of this file's text and the other's after it; lines above `own_lines` are the other's
  std::string file;  ///< name of the other, without its folder
  int own_lines = 0;
};

/// The first file of the folder of `file` whose host code calls a function of this file so that a kernel of it is
/// launched; files called main first. nullopt if there is none, or `file` does not exist.
std::optional<SiblingHost> host_of_sibling(std::string_view file, const Lexed& lexed, const Outline& outline,
                                           const std::vector<std::string>& command_line = {});

/// "line 212" of `run` as "line 12 of main.cpp", wherever it stands in the sentence.
std::string with_sibling_lines(const std::string& sentence, const SiblingHost& sibling);

}  // namespace lanescope::source
