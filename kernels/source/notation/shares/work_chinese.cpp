#include "kernels/source/notation/shares/work_chinese.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

struct Word {
  std::string_view chinese, english;
};

constexpr std::array<Word, 10> owners = {{{"线程块", "block"},
                                          {"thread block", "block"},
                                          {"threadblock", "block"},
                                          {"block", "block"},
                                          {"CTA", "block"},
                                          {"线程束", "warp"},
                                          {"warp", "warp"},
                                          {"线程", "thread"},
                                          {"thread", "thread"},
                                          {"lane", "lane"}}};
// The longest come first.
constexpr std::array<Word, 18> verbs = {{{"负责处理", "handles"},
                                         {"负责计算", "computes"},
                                         {"负责加载", "loads"},
                                         {"负责读取", "loads"},
                                         {"负责", "handles"},
                                         {"处理", "handles"},
                                         {"计算", "computes"},
                                         {"读取", "loads"},
                                         {"加载", "loads"},
                                         {"搬运", "loads"},
                                         {"覆盖", "covers"},
                                         {"写入", "writes"},
                                         {"load", "loads"},
                                         {"读", "loads"},
                                         {"写", "writes"},
                                         {"处理了", "handles"},
                                         {"拷贝", "copies"},
                                         {"取", "loads"}}};
constexpr std::array<Word, 14> nouns = {{{"元素", "elements"},
                                         {"数据", "elements"},
                                         {"数", "elements"},
                                         {"elements", "elements"},
                                         {"element", "elements"},
                                         {"float", "float"},
                                         {"行", "rows"},
                                         {"列", "columns"},
                                         {"矩阵块", "tile"},
                                         {"子矩阵", "tile"},
                                         {"子块", "tile"},
                                         {"tile", "tile"},
                                         {"块", "tile"},
                                         {"", "elements"}}};

void blanks(std::string_view& s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
}

bool take(std::string_view& s, std::string_view word) {
  blanks(s);
  if (word.empty() || !s.starts_with(word)) return false;
  const bool latin = is_letter(word.back());
  if (latin && s.size() > word.size() && is_word(s[word.size()])) return false;
  s.remove_prefix(word.size());
  return true;
}

template <std::size_t n>
std::string_view take_one(std::string_view& s, const std::array<Word, n>& words) {
  for (const Word& w : words)
    if (take(s, w.chinese)) return w.english;
  return {};
}

std::string_view take_name(std::string_view& s) {
  blanks(s);
  std::size_t end = 0;
  while (end < s.size() && is_word(s[end])) ++end;
  const std::string_view name = s.substr(0, end);
  s.remove_prefix(end);
  return name;
}

/// "每个block负责出C中大小为BM*BN的块"; all of the clause has to be understood.
std::optional<std::string> clause_in_english(std::string_view s) {
  blanks(s);
  if (!take(s, "每个") && !take(s, "每") && !take(s, "一个") && !take(s, "1个")) return std::nullopt;
  const std::string_view owner = take_one(s, owners);
  if (owner.empty()) return std::nullopt;
  take(s, "会");
  take(s, "需要");
  const std::string_view verb = take_one(s, verbs);
  if (verb.empty()) return std::nullopt;
  take(s, "出");
  std::string_view array, behind = s;
  if (const std::string_view name = take_name(behind); !name.empty() && !is_digit(name.front()))
    if (take(behind, "中的") || take(behind, "中") || take(behind, "上的") || take(behind, "里的")) {
      array = name;
      s = behind;
    }
  take(s, "大小为");
  std::string quantity(take_name(s));
  if (quantity.empty()) return std::nullopt;
  bool product = false;
  if (const std::size_t x = quantity.find('x'); is_digit(quantity.front()) && x != std::string::npos) {  // "16x16"
    quantity = fmt::format("{} x {}", quantity.substr(0, x), quantity.substr(x + 1));
    product = true;
  }
  for (const std::string_view times : {"*", "×"})
    if (!product && take(s, times)) {
      const std::string_view second = take_name(s);
      if (second.empty()) return std::nullopt;
      quantity += fmt::format(" x {}", second);
      product = true;
    }
  take(s, "个");
  take(s, "的");
  const std::string_view noun = take_one(s, nouns);
  blanks(s);
  if (!s.empty()) return std::nullopt;
  const std::string of = array.empty() ? std::string() : fmt::format(" of {}", array);
  if (noun == "tile") {
    if (!product) return std::nullopt;
    return fmt::format("each {} {} a {} tile{}", owner, verb, quantity, of);
  }
  if (product && (noun == "rows" || noun == "columns")) return std::nullopt;
  return fmt::format("each {} {} {} {}{}", owner, verb, quantity, noun.empty() ? "elements" : noun, of);
}

}  // namespace

std::string work_in_english(std::string_view line) {
  if (std::ranges::none_of(line, [](char c) { return static_cast<unsigned char>(c) >= 0xe4; })) return {};
  std::string out;
  std::size_t start = 0;
  const auto clause = [&](std::size_t end) {
    if (const auto english = clause_in_english(trimmed(line.substr(start, end - start))))
      out += fmt::format("{}{}.", out.empty() ? "" : " ", *english);
  };
  for (std::size_t i = 0; i <= line.size(); ++i) {
    std::size_t bytes = i == line.size() || line[i] == ',' || line[i] == ';' ? 1 : 0;
    for (const std::string_view mark : {"，", "。", "；", "：", "、"})
      if (line.substr(i).starts_with(mark)) bytes = mark.size();
    if (bytes == 0) continue;
    clause(i);
    start = i + bytes;
    i = start - 1;
  }
  return out;
}

}  // namespace lanescope::source
