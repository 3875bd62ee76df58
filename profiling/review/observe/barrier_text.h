#pragma once
// The canonical text of a barrier instruction.

#include <algorithm>
#include <string_view>

namespace lanescope::review {

inline bool is_barrier(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return (has("bar.") || has("barrier.")) && !has("bar.warp") && !has("membar") && !has("mbarrier");
}

/// Barrier 0 without a number of threads: "bar.sync 0;", "bar.red.popc.u32 %r1, 0, %p1;".
inline bool of_whole_block(std::string_view text) {
  if (!is_barrier(text) || text.find(".cluster") != std::string_view::npos ||
      text.find(".arrive") != std::string_view::npos)
    return false;
  const std::size_t opcode = text.starts_with('@') ? text.find(' ') + 1 : 0;
  const std::size_t blank = text.find(' ', opcode);
  if (blank == std::string_view::npos) return false;
  const std::string_view operands = text.substr(blank + 1);
  if (text.find(".red", opcode) == std::string_view::npos) return operands == "0;";
  return std::ranges::count(operands, ',') == 2 && operands.find(", 0,") != std::string_view::npos;
}

}  // namespace lanescope::review
