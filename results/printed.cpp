#include "results/printed.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::results {

std::vector<PrintedLine> printed_lines(const Summary& summary) {
  std::vector<PrintedLine> lines;
  for (std::size_t i = 0; i < summary.printed.size(); ++i) {
    std::string_view text = summary.printed[i].text;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      lines.push_back({i, text.substr(0, end)});
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  return lines;
}

std::size_t printed_line_count(const Summary& summary) {
  std::size_t count = 0;
  bool open = false;
  for (const PrintedText& p : summary.printed) {
    count += static_cast<std::size_t>(std::ranges::count(p.text, '\n'));
    if (!p.text.empty()) open = p.text.back() != '\n';
  }
  return count + (open ? 1 : 0);
}

std::string printed_place_words(const PrintedText& p, const SourceLines& lines, bool several_launches) {
  const auto index = [](const trace::Dim3& i) { return fmt::format("({},{},{})", i.x, i.y, i.z); };
  std::string words = several_launches ? fmt::format("launch {}, ", p.launch) : std::string();
  words +=
      fmt::format("block {}, thread {}, warp {}, lane {}", index(p.block_index), index(p.thread_index), p.warp, p.lane);
  if (p.line > 0) words += ", " + lines.words(p.line);
  return words;
}

bool prints_in_several_launches(const Summary& summary) {
  return std::ranges::any_of(summary.printed,
                             [&](const PrintedText& p) { return p.launch != summary.printed.front().launch; });
}

std::string printed_left_out(const Summary& summary) {
  const std::uint64_t kept = summary.printed.size();
  if (summary.printed_calls > kept)
    return fmt::format(
        "printf was called {} times: only the first {} are kept (at most 65,536 calls and 1 MiB of text)",
        summary.printed_calls, kept);
  const auto cut = std::ranges::find(summary.printed, true, &PrintedText::cut);
  if (cut != summary.printed.end())
    return fmt::format("the text of a call of printf at {} is cut (64 KiB a call, 1 MiB in all)",
                       summary.lines.words(cut->line));
  return {};
}

}  // namespace lanescope::results
