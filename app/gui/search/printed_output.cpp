#include "app/gui/search/printed_output.h"

#include <algorithm>
#include <array>

#include "kernels/base/numbers.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

using What = PrintedFilter::Number::What;

struct Named {
  std::string_view name;
  What what;
  std::uint64_t (*number)(const results::PrintedText& p);
};
using Text = results::PrintedText;
constexpr std::array named{
    Named{"line", What::line, [](const Text& p) { return static_cast<std::uint64_t>(p.line); }},
    Named{"lane", What::lane, [](const Text& p) { return static_cast<std::uint64_t>(p.lane); }},
    Named{"warp", What::warp, [](const Text& p) { return static_cast<std::uint64_t>(p.warp); }},
    Named{"block", What::block, [](const Text& p) { return static_cast<std::uint64_t>(p.block); }},
    Named{"thread", What::thread, [](const Text& p) { return static_cast<std::uint64_t>(p.warp * 32 + p.lane); }},
    Named{"launch", What::launch, [](const Text& p) { return static_cast<std::uint64_t>(p.launch); }}};

}  // namespace

PrintedFilter printed_filter(std::string_view text) {
  PrintedFilter filter;
  std::vector<std::string> words = words_between(lower(text), " ,\t");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto name = std::ranges::find(named, words[i], &Named::name);
    if (name != named.end() && i + 1 < words.size())
      if (const auto value = number_in<std::uint64_t>(words[i + 1])) {
        filter.numbers.push_back({name->what, *value});
        ++i;
        continue;
      }
    filter.words.push_back(std::move(words[i]));
  }
  return filter;
}

bool matches(const PrintedFilter& filter, const results::PrintedText& printed, std::string_view line,
             const SourceLines& lines) {
  for (const PrintedFilter::Number& n : filter.numbers)
    if (std::ranges::find(named, n.what, &Named::what)->number(printed) != n.value) return false;
  if (filter.words.empty()) return true;
  const std::string text = lower(line);
  const std::string header = lines.in_header(printed.line) ? lower(lines.number(printed.line)) : std::string();
  return std::ranges::all_of(filter.words, [&](const std::string& word) {
    return text.find(word) != std::string::npos || (!header.empty() && word == header);
  });
}

const std::vector<results::PrintedLine>& PrintedOutput::lines(const results::Summary& summary, std::uint64_t version) {
  if (version == version_ && asked_ == filter) return lines_;
  version_ = version;
  asked_ = filter;
  lines_ = results::printed_lines(summary);
  count_ = lines_.size();
  const PrintedFilter wanted = printed_filter(filter);
  std::erase_if(lines_, [&](const results::PrintedLine& l) {
    return !matches(wanted, summary.printed[l.call], l.text, summary.lines);
  });
  if (chosen >= static_cast<int>(summary.printed.size())) chosen = -1;
  return lines_;
}

int PrintedOutput::neighbour(int by) const {
  if (lines_.empty()) return -1;
  const int count = static_cast<int>(lines_.size());
  const auto at = std::ranges::find_if(lines_, [&](const auto& l) { return static_cast<int>(l.call) == chosen; });
  if (at == lines_.end()) return static_cast<int>(lines_[by > 0 ? 0 : lines_.size() - 1].call);
  int index = static_cast<int>(at - lines_.begin());
  for (int i = 0; i < count; ++i) {  // a call may have several lines
    index = (index + by + count) % count;
    if (static_cast<int>(lines_[static_cast<std::size_t>(index)].call) != chosen) break;
  }
  return static_cast<int>(lines_[static_cast<std::size_t>(index)].call);
}

}  // namespace lanescope::gui
