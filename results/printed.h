#pragma once
// The printed lines of a kernel.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "results/summary.h"

namespace lanescope::results {

/// A line of the text of one call of printf, without the end of the line.
struct PrintedLine {
  std::size_t call = 0;  ///< into Summary::printed
  std::string_view text{};
};

/// The lines of all calls, in their order. A call that does not end its line and the next one that continues with it
/// are two entries: each has a thread of its own. They refer to `summary`.
std::vector<PrintedLine> printed_lines(const Summary& summary);

/// Lines as a terminal counts them.
std::size_t printed_line_count(const Summary& summary);

/// "launch 2, block (0,0,0), thread (3,0,0), warp 0, lane 3, line 9"; of a header "part.h:9"; the launch where there
/// are several.
std::string printed_place_words(const PrintedText& printed, const SourceLines& lines, bool several_launches);
bool prints_in_several_launches(const Summary& summary);

/// The output that the budget left out, as a sentence without its full stop; empty: none.
std::string printed_left_out(const Summary& summary);

}  // namespace lanescope::results
