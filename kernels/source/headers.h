#pragma once
// The headers of the user's own that a file includes, read with it.
//
// `#include "a.h"` is searched beside the includer, then in the folders of -I, then beside the file; `<a.h>` in the
// last two. A folder that holds the CUDA Toolkit's own headers is left to the compiler, and so is a header
//
//   - that is only a piece of code: brackets without partner, no end of a declaration at its end, or included inside of a
//     function;
//   - beyond most_headers files or most_header_bytes together.
//
// A header is read once, however often and by any path it is included.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/source_lines.h"
#include "kernels/source/cxx/conditionals.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/cxx/structural_macros.h"

namespace lanescope::source {

inline constexpr std::size_t most_headers = 256;
inline constexpr std::size_t most_header_bytes = std::size_t{4} << 20;

/// Which header an #include of a file means: index into SourceLines::files, by the name as written with its delimiters.
using IncludeTargets = std::map<std::string, std::size_t, std::less<>>;

struct ReadHeaders {
  std::string text;                      ///< active parts of all files, each from the beginning of a line
  std::vector<std::string> given;        ///< by file: its text as it is, without a byte-order mark; empty for the first
  std::vector<TextPart> parts;           ///< of it: the file, then its headers
  std::vector<IncludeTargets> includes;  ///< by file
  SourceLines lines;                     ///< in the same order; empty where there is no header
  Diagnostics notes;                     ///< headers that were left to the compiler
};

/// Reads headers for the evaluation of conditions: those that the file may include, at most most_header_bytes.
/// `options`: of the compiler, for their -I.
ReadInclude header_reader(std::string_view file, const std::vector<std::string>& options);

/// `active`: the active parts of the file and of its headers, by a header_reader of the same options. `lexed` and
/// `parts`: of its first text.
ReadHeaders read_headers(std::string_view file, const Lexed& lexed, const Outline& parts, const Conditionals& active,
                         const std::vector<std::string>& options);

}  // namespace lanescope::source
