#include "app/assist/completion.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include "app/document/document.h"
#include "kernels/base/text.h"
#include "profiling/review/findings/finding.h"

namespace lanescope::assist {
namespace {

enum class Where : std::uint8_t { code, comment, literal };

/// The kind of text that a byte at `caret` would belong to.
Where where(std::string_view text, std::size_t caret) {
  for (std::size_t at = 0; at < caret;) {
    if (text.substr(at, 2) == "//") {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (caret <= end) return Where::comment;
      at = end;
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t stop = text.find("*/", at + 2);
      if (stop == std::string_view::npos || caret < stop + 2) return Where::comment;
      at = stop + 2;
    } else if (text[at] == '"' || (text[at] == '\'' && (at == 0 || !is_word(text[at - 1])))) {
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      if (caret <= end) return Where::literal;
      at = end + 1;
    } else {
      ++at;
    }
  }
  return Where::code;
}

/// Lines of the launch header above the caret, the caret's cut at it; empty where the caret is in no header.
std::vector<std::string_view> header_lines(std::string_view text, std::size_t caret) {
  std::size_t at = text.find("[lanescope]");
  if (at == std::string_view::npos || at > caret || where(text, at) != Where::comment) return {};
  const std::size_t start = text.rfind("/*", at), end = text.find("*/", at);
  const bool block = start != std::string_view::npos && where(text, start) == Where::code;
  if (block && end != std::string_view::npos && caret > end) return {};
  std::vector<std::string_view> lines = split_lines(text.substr(at, caret - at));
  if (caret > at && text[caret - 1] == '\n') lines.emplace_back();
  if (block) return lines;
  for (std::string_view& line : lines) {
    if (line.starts_with("[lanescope]")) continue;
    line = without_indent(line);
    if (!line.starts_with("//")) return {};
    line = without_indent(line.substr(2));
  }
  return lines;
}

class Gatherer {
 public:
  Gatherer(std::string_view text, std::size_t caret, const std::vector<results::BufferInfo>& buffers)
      : text_(text), caret_(caret), buffers_(buffers) {
    begin_ = caret;
    while (begin_ > 0 && is_word(text[begin_ - 1])) --begin_;
    prefix_ = text.substr(begin_, caret - begin_);
    const std::size_t before = begin_ == 0 ? std::string_view::npos : text.rfind('\n', begin_ - 1);
    const std::size_t line_start = before == std::string_view::npos ? 0 : before + 1;
    line_ = text.substr(line_start, caret - line_start);
  }

  Offers run() {
    const auto header = header_lines(text_, caret_);
    if (!header.empty())
      in_header(header);
    else if (const Where place = where(text_, caret_); place == Where::comment)
      in_comment();
    else if (place == Where::code)
      in_code();
    return sorted();
  }

 private:
  void add(std::string_view word, std::string_view detail, std::string_view insert = {}) {
    found_.list.push_back({std::string(word), std::string(detail), std::string(insert.empty() ? word : insert)});
  }
  void add(std::span<const Word> words) {
    for (const Word& w : words) add(w.word, w.detail, w.insert);
  }

  void in_header(const std::vector<std::string_view>& lines) {
    std::string_view section;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
      if (const std::string_view line = trimmed(lines[i]); line.starts_with('[')) section = line;
    const std::string_view line = trimmed(lines.back());
    if (line.starts_with('[')) return add(sections());
    const bool buffers = section == "[buffers]";
    if (line.find('=') != std::string_view::npos) {
      const std::size_t quotes = static_cast<std::size_t>(std::ranges::count(line, '"'));
      const std::string_view key = trimmed(line.substr(0, line.find('=')));
      if (quotes % 2 == 1 && (buffers || key == "type")) add_types(key == "type");
      if (quotes % 2 == 1 && line.find('=') != line.rfind('=')) add_contents();
      if (quotes % 2 == 1 && (key == "init" || key == "expect")) add_contents();
      return;
    }
    if (line.find_first_of(" \t") != std::string_view::npos) return;
    if (buffers) {
      for (const auto& name : pointer_parameters()) add(name, "a pointer of a kernel", name + " = \"$\"");
    } else if (section.starts_with("[buffers.")) {
      add(buffer_keys());
    } else {
      add(launch_keys());
      if (section == "[lanescope]") add(lanescope_keys());
    }
  }

  void add_types(bool alone) {
    for (const Word& w : element_types()) add(w.word, w.detail, alone ? w.word : w.insert);
  }
  void add_contents() {
    add("iota", "element n holds n");
    add("zeros", "all elements 0");
    add("random", "random numbers of a seed", "random $");
  }

  /// Names with a star before them between parentheses, in the order of the text.
  std::vector<std::string> pointer_parameters() const {
    std::vector<std::string> names;
    for (std::size_t at = text_.find("__global__"); at != std::string_view::npos;
         at = text_.find("__global__", at + 1)) {
      const std::size_t body = text_.find('{', at);
      const std::string_view head = text_.substr(at, std::min(body, text_.size()) - at);
      for (std::size_t i = 0; i < head.size(); ++i) {
        if (head[i] != '*') continue;
        std::size_t from = i + 1;
        while (from < head.size() && (is_blank(head[from]) || head[from] == '\n')) ++from;
        std::size_t to = from;
        while (to < head.size() && is_word(head[to])) ++to;
        std::string name(head.substr(from, to - from));
        if (name == "__restrict__") {
          from = head.find_first_not_of(" \t\n", to);
          if (from == std::string_view::npos) continue;
          to = from;
          while (to < head.size() && is_word(head[to])) ++to;
          name = head.substr(from, to - from);
        }
        if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
    return names;
  }

  void in_comment() {
    std::size_t comment = std::min(line_.find("//"), line_.rfind("/*"));  // in the middle of one: none
    if (comment == std::string_view::npos) comment = 0;
    const std::size_t start = line_.find_first_not_of(" \t/*", comment);
    if (start == std::string_view::npos) return;
    const std::string_view words = line_.substr(start);
    if (words.starts_with("lanescope:")) return in_remark(words.substr(10));
    const std::size_t colon = words.find(':');
    const bool row = colon != std::string_view::npos && std::ranges::any_of(rows(), [&](const Word& w) {
                       return trimmed(words.substr(0, colon)) == w.word;
                     });
    if (row) return in_row(words.substr(0, colon), words.substr(colon + 1));
    if (words.size() == prefix_.size()) {
      add(rows());
      add("lanescope", "a remark to the review", "lanescope: $");
    }
  }

  void in_remark(std::string_view words) {
    const std::string_view before = trimmed(words.substr(0, words.size() - prefix_.size()));
    if (before.empty()) {
      add("allow", "suppresses a finding", "allow $");
      add("expect", "marks a finding as known", "expect $");
      return;
    }
    // Rules have dashes in their names.
    std::size_t from = caret_;
    while (from > 0 && (is_word(text_[from - 1]) || text_[from - 1] == '-')) --from;
    begin_ = from;
    prefix_ = text_.substr(from, caret_ - from);
    for (const review::Rule& rule : review::rules()) add(rule.id, rule.what);
  }

  void in_row(std::string_view name, std::string_view words) {
    const char letter = trimmed(name).front();
    std::set<std::string, std::less<>> used;
    const bool left = words.find("<->") == std::string_view::npos;
    const std::string_view side = left ? words : words.substr(words.find("<->") + 3);
    for (std::size_t at = 0; at < side.size();) {
      std::size_t end = at;
      while (end < side.size() && is_word(side[end])) ++end;
      if (end > at && side.data() + at != text_.data() + begin_) used.emplace(side.substr(at, end - at));
      at = std::max(end, at + 1);
    }
    for (const std::string& bit : logical_bits(buffers_))
      if (!used.contains(bit)) add(bit, "a bit of an axis");
    if (left)
      for (int i = letter == 't' ? 4 : 3; i >= 0; --i) {
        const std::string bit = letter + std::to_string(i);
        if (!used.contains(bit)) add(bit, "a bit of the place");
      }
    if (left) add("<->", "is the same as");
  }

  void in_code() {
    add(intrinsics());
    std::set<std::string, std::less<>> seen;
    for (const Offer& offer : found_.list) seen.insert(offer.word);
    for (const Snippet& s : snippets()) {
      std::string indentation(line_.substr(0, line_.size() - without_indent(line_).size()));
      add(s.name, "snippet: " + std::string(s.description), indented(s, indentation));
    }
    for (const results::BufferInfo& b : buffers_)
      if (seen.insert(b.name).second) add(b.name, "buffer of " + b.element_type);
    // Other names of the text.
    for (std::size_t at = 0; at < text_.size();) {
      if (!is_word(text_[at])) {
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < text_.size() && is_word(text_[end])) ++end;
      const std::string_view word = text_.substr(at, end - at);
      if (end - at > 2 && !is_digit(word[0]) && at != begin_ && seen.insert(std::string(word)).second &&
          where_is_code(at))
        add(word, "");
      at = end;
    }
  }
  /// Names of comments are prose. Looked at for words that begin as what is typed, which are few.
  bool where_is_code(std::size_t at) const {
    return !prefix_.empty() && lower(text_[at]) == lower(prefix_[0]) && where(text_, at + 1) == Where::code;
  }

  /// Words that begin as what is typed, then those that do after underscores, then words that contain it.
  Offers sorted() {
    const std::string typed = lower(prefix_);
    std::vector<Offer> begins, hidden, contains;
    for (Offer& offer : found_.list) {
      const std::string word = lower(offer.word);
      if (word.starts_with(typed))
        begins.push_back(std::move(offer));
      else if (without_underscores(word).starts_with(typed))
        hidden.push_back(std::move(offer));
      else if (typed.size() >= 2 && word.find(typed) != std::string::npos)
        contains.push_back(std::move(offer));
    }
    Offers out{.begin = begin_, .end = caret_, .list = std::move(begins)};
    std::ranges::move(hidden, std::back_inserter(out.list));
    std::ranges::move(contains, std::back_inserter(out.list));
    if (out.list.size() > most_offers) out.list.resize(most_offers);
    return out;
  }
  static std::string_view without_underscores(std::string_view word) {
    while (word.starts_with('_')) word.remove_prefix(1);
    return word;
  }

  std::string_view text_, prefix_, line_;
  std::size_t caret_, begin_ = 0;
  const std::vector<results::BufferInfo>& buffers_;
  Offers found_;
};

constexpr auto all = std::to_array<Snippet>({
    {"header", "a launch header with two buffers",
     "/*\n[lanescope]\nblock = 32$\n\n[buffers]\np = \"u32 i:32\"\nq = \"u32 i:32 = zeros\"\n*/\n"},
    {"kernel", "a kernel that reads p and writes q",
     "extern \"C\" __global__ void __launch_bounds__(32) kernel(const unsigned *p, unsigned *q)\n{\n    $\n}\n"},
    {"load", "one element a thread", "unsigned x = p[blockIdx.x * blockDim.x + threadIdx.x];$"},
    {"store", "one element a thread", "q[blockIdx.x * blockDim.x + threadIdx.x] = x;$"},
    {"shuffle", "exchanges with the lane whose number differs in one bit", "x = __shfl_xor_sync(~0u, x, 1);$"},
    {"transpose", "32x32 elements through shared memory, without bank conflicts (block of 32x32)",
     "__shared__ unsigned tile[32][33];\n"
     "tile[threadIdx.y][threadIdx.x] = p[threadIdx.y * 32 + threadIdx.x];\n"
     "__syncthreads();\n"
     "q[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];$"},
    {"reduction", "sum over the lanes of a warp; lane 0 holds it",
     "for (int offset = 16; offset > 0; offset /= 2)\n    x += __shfl_down_sync(~0u, x, offset);$"},
    {"claim", "an assignment comment of a variable",
     "// x has the following register assignment:\n//   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0$"},
});

}  // namespace

std::vector<std::string> logical_bits(const std::vector<results::BufferInfo>& buffers) {
  std::vector<std::string> names;  // in the order of the axes
  std::map<std::string, int> bits;
  for (const results::BufferInfo& b : buffers)
    for (const source::Axis& axis : b.axes) {
      if (!bits.contains(axis.name)) names.push_back(axis.name);
      const std::uint64_t extent = std::max<std::uint64_t>(axis.extent, 1);
      bits[axis.name] = std::max(bits[axis.name], static_cast<int>(std::bit_width(extent - 1)));
    }
  std::vector<std::string> out;
  for (const std::string& name : names)
    for (int bit = bits[name] - 1; bit >= 0; --bit) out.push_back(name + std::to_string(bit));
  return out;
}

Offers offers_at(std::string_view text, std::size_t caret, const std::vector<results::BufferInfo>& buffers) {
  return Gatherer(text, std::min(caret, text.size()), buffers).run();
}

Taken take(std::string_view text, const Offers& offers, const Offer& offer) {
  const std::size_t mark = std::min(offer.insert.find('$'), offer.insert.size());
  std::string words = offer.insert;
  if (mark < words.size()) words.erase(mark, 1);
  std::string out(text.substr(0, offers.begin));
  out += words;
  out += text.substr(offers.end);
  return {std::move(out), offers.begin + mark};
}

std::span<const Snippet> snippets() { return all; }

std::string indented(const Snippet& snippet, std::string_view indentation) {
  std::string out;
  for (std::size_t i = 0; i < snippet.text.size(); ++i) {
    out += snippet.text[i];
    const bool more = i + 1 < snippet.text.size() && snippet.text[i + 1] != '\n';
    if (snippet.text[i] == '\n' && more) out += indentation;
  }
  return out;
}

}  // namespace lanescope::assist
