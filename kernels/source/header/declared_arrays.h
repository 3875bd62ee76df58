#pragma once
// Arrays that functions declare, with their sizes: what a kernel with too much local or shared memory is refused with.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/source_lines.h"
#include "kernels/source/model/launch.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

/// Extents of the array whose first `[` is token `open`; empty if one is no constant.
std::vector<std::int64_t> extents_at(const Lexed& lexed, int open, const Values& values);

struct DeclaredArray {
  std::string name;
  int line = 0, column = 0;  ///< unit line (kernels/base/source_lines.h)
  std::uint64_t bytes = 0;   ///< an element whose type is no number counts as one byte
};
enum class ArrayMemory : std::uint8_t { local, shared };
/// The largest one of at most `most_bytes`, of the kernel of this launch, of functions that are no kernels, or of none.
std::optional<DeclaredArray> largest_array(const Lexed& lexed, const Header& header, const LaunchSpec& launch,
                                           ArrayMemory memory, std::uint64_t most_bytes);
/// Names it in a refusal: its line, and "; the largest array is `a` (381.5 MiB)" after the message.
void name_array(const DeclaredArray& array, const SourceLines& lines, Diagnostic& refusal);

}  // namespace lanescope::source
