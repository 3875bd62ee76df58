#pragma once
// A call of NVRTC as a value, and what it says to it. Nothing else reaches the compiler: where a call is answered (in this
// process, in another one, from the cache) makes no difference to who requests.

#include <map>
#include <optional>
#include <string>
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

}  // namespace lanescope::compile
