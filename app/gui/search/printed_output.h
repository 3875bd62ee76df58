#pragma once
// Lines that the kernel printed, for the Output panel: those that match a filter, and the selected one.
//
//   line 9, lane 3       printed by line 9 of the source, in lane 3; also "warp 1", "block 2", "thread 35", "launch 1"
//   sum =                lines that contain "sum" and "="
//
// Blocks and threads are numbered as %ctaid and %tid count, the x axis first.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/printed.h"

namespace lanescope::gui {

struct PrintedFilter {
  struct Number {
    enum class What : std::uint8_t { line, lane, warp, block, thread, launch } what = What::line;
    std::uint64_t value = 0;
  };
  std::vector<Number> numbers;
  std::vector<std::string> words;  ///< lower case
};
PrintedFilter printed_filter(std::string_view text);
/// Every number and every word; a word is in the text, or is the header's line that printed it: "part.h:4".
bool matches(const PrintedFilter& filter, const results::PrintedText& printed, std::string_view line,
             const SourceLines& lines);

class PrintedOutput {
 public:
  std::string filter;          ///< as typed
  bool focus_request = false;  ///< the panel's field takes the keyboard
  int chosen = -1;             ///< into Summary::printed; -1: none
  int due = -1;                ///< the call that is shown when its block is recorded; -1: none

  /// The lines that match the filter; updated if summary (by `version`) or filter changed.
  const std::vector<results::PrintedLine>& lines(const results::Summary& summary, std::uint64_t version);
  /// Lines without the filter, as of the last lines().
  std::size_t count() const { return count_; }
  /// The call of the line after (by 1) or before (by -1) the chosen one, from end to end; -1: there are no lines.
  int neighbour(int by) const;

 private:
  std::string asked_;
  std::uint64_t version_ = ~std::uint64_t{0};
  std::size_t count_ = 0;
  std::vector<results::PrintedLine> lines_;
};

}  // namespace lanescope::gui
