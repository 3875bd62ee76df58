#pragma once
// The launch header: TOML in the first comment of a .cu file that holds a line `[lanescope]`, from that line to the end
// of the comment. Prose above it is the kernel's title. All of it may be left out; docs/kernel-files.md has the same
// for readers.
//
//   /* Transposes 16x16 tiles.
//   [lanescope]
//   kernel = "transpose<4>"        # which kernel or template instance; default: the only kernel
//   grid = 4                       # 4, [4], [4, 2] or [4, 2, 1]; so are block and cluster
//   block = [32, 16]
//   shared = 2048                  # bytes of dynamic shared memory
//   stream = 1                     # 0 (the default) to 31: launches of one stream run in order, streams do not wait
//   args = ["p", "q+64", 16]       # in order; or { n = 16, scale = 0.5 } by parameter name; default: buffers by name
//   arch = "sm_90"
//   options = ["-DTILE=16"]        # as nvcc and NVRTC take them
//
//   [buffers]                      # TYPE AXIS:EXTENT[/STRIDE]..., slowest axis first; strides count elements
//   p = "f16 i:16 j:16 k:16"
//   q = "f32 i:32/33 j:32 = zeros" # = contents before the launch, also "f32 i:4 = [1, 2, 3, 4]"
//   r = { type = "f32", axes = "n:512", init = "random 7", expect = "copy of p", tolerance = 1e-3, traced = false }
//
//   [[launch]]                     # several launches, in order; keys as in [lanescope], which gives their defaults
//   kernel = "first"
//   */
//
// init and expect: "iota" (the default: element n holds n, or the n-th distinct value where the type cannot count that
// far), "zeros", "random SEED", a number, a list of numbers, "file.npy"; expect also "copy of BUFFER" (its initial
// contents) and "sha256 HEX".
//
// Streams order launches: those of one stream run in the order written, others are unordered. The
// emulator runs all launches in the order written, which is one of the orders that the streams allow; a GPU may choose
// another and runs launches of different streams at the same time where it has room.

#include <optional>
#include <string>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/model/launch.h"

namespace lanescope::source {

// Where the launch header of a file is, and comments that nearly are one.
//
// The header is the first comment before all code that has a line `[lanescope]`. A comment with `lanescope`,
// `[launch]`, `[[launch]]` or `[buffers]` on a line of its own, or a header below the first code, is not read, although
// its author may expect that, so it is reported, with the correct form. It is an error if it has values; else a
// warning.

/// Lines of a comment; 0, 0 where there is none.
struct HeaderPlace {
  int first_line = 0, last_line = 0;
};

struct HeaderComment {
  std::string toml;  ///< same lines and columns as the file, everything else blank
  std::string title;
  HeaderPlace where;
};

struct HeaderSearch {
  std::optional<HeaderComment> header;
  Diagnostics mistakes;  ///< errors and warnings; file name left empty
};

HeaderSearch find_header(const Lexed& lexed);

inline constexpr std::int64_t most_heap_bytes = std::int64_t{1} << 32;
inline constexpr std::uint32_t most_streams = 32;                        ///< of one file
inline constexpr std::size_t most_buffers = 1024, most_launches = 1024;  ///< of one file

struct ReadHeader {
  Header header;
  HeaderPlace where{};     ///< of its comment, which has no claims
  Diagnostics warnings{};  ///< comments that nearly are a header
};

/// Reads the header of a file. `Header::present` is false when there is none. Argument names are not resolved here.
Expected<ReadHeader> read_header(const Lexed& lexed, std::string_view file);

}  // namespace lanescope::source
