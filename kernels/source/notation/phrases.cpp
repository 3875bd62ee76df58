#include "kernels/source/notation/phrases.h"

#include <algorithm>

#include "kernels/base/check.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {
namespace {

std::size_t bytes_of_character(char c) {
  const auto lead = static_cast<unsigned char>(c);
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
}

/// Whether digits begin at `i`, and end with the word.
bool is_number(std::string_view s, std::size_t i) {
  const std::size_t from = i;
  while (i < s.size() && is_digit(s[i])) ++i;
  return i > from && i < from + 9 && (i == s.size() || !is_word(s[i]));
}

}  // namespace

Words words_of(std::string_view s, std::size_t first, std::size_t end) {
  end = std::min(end, s.size());
  Words out;
  for (std::size_t i = first; i < end;) {
    if (is_blank(s[i]) || s[i] == '\n') {
      ++i;
      continue;
    }
    std::size_t stop = std::min(i + bytes_of_character(s[i]), end);
    const auto starts = [&](std::size_t k) { return k < end && is_word_start(s[k]); };
    if (is_digit(s[i])) {
      while (stop < end && is_digit(s[stop])) ++stop;
    } else if (s[i] == 'x' && i > first && is_digit(s[i - 1]) && is_number(s, i + 1)) {  // of "8x8"
    } else if (is_word_start(s[i])) {
      while (stop < end && (is_word(s[stop]) || (s[stop] == '.' && starts(stop + 1)) ||
                            (s.substr(stop, 2) == "::" && starts(stop + 2)) || (s[stop] == ':' && s[stop - 1] == ':')))
        ++stop;
    }
    const std::string_view text = s.substr(i, stop - i);
    out.push_back({text, text == "\u00d7" ? "x" : lower(text), i});
    i = stop;
  }
  return out;
}

Words plain_words_of(std::string_view s, std::size_t first) {
  Words out;
  for (std::size_t i = first; i < s.size();) {
    std::size_t end = i;
    while (end < s.size() && is_word(s[end])) ++end;
    if (end > i) out.push_back({s.substr(i, end - i), lower(s.substr(i, end - i)), i});
    i = end + 1;
  }
  return out;
}

std::size_t find_word(std::string_view s, std::string_view name, std::size_t from) {
  for (std::size_t at = s.find(name, from); at != std::string_view::npos; at = s.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word(s[at - 1])) && (end >= s.size() || !is_word(s[end]))) return at;
  }
  return std::string_view::npos;
}

std::string_view entry_in(std::string_view list, std::string_view text, bool whole) {
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find('|'));
    if ((whole ? find_word(text, entry) : text.find(entry)) != std::string_view::npos) return entry;
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
  }
  return {};
}

const Phrases::Tag* Phrases::Match::find(std::string_view tag) const {
  const auto at = std::ranges::find(tags, tag, &Tag::name);
  return at == tags.end() ? nullptr : &*at;
}

std::string_view Phrases::Match::text(std::string_view tag, std::span<const Word> words) const {
  const Tag* t = find(tag);
  if (t == nullptr || t->end == t->first) return {};
  const std::string_view a = words[t->first].text, b = words[t->end - 1].text;
  return {a.data(), static_cast<std::size_t>(b.data() + b.size() - a.data())};
}

/// Recursive descent over one rule's line.
class Phrases::Parser {
 public:
  Parser(Phrases& out, std::string_view s) : out_(out), s_(s) {}
  int choice() {
    Node all{.kind = Kind::choice};
    do {
      all.parts.push_back(sequence());
    } while (sign('|'));
    const auto plain = [&](int n) { return node(n).kind == Kind::words; };
    if (all.parts.size() == 1) return all.parts.front();
    if (!std::ranges::all_of(all.parts, plain)) return add(std::move(all));
    Node set;
    for (const int n : all.parts) set.words.insert(set.words.end(), node(n).words.begin(), node(n).words.end());
    std::ranges::sort(set.words);
    return add(std::move(set));
  }
  bool done() { return blanks(), at_ == s_.size(); }

 private:
  const Node& node(int n) const { return out_.nodes_[static_cast<std::size_t>(n)]; }
  int add(Node n) {
    out_.nodes_.push_back(std::move(n));
    return static_cast<int>(out_.nodes_.size()) - 1;
  }
  void blanks() {
    while (at_ < s_.size() && (is_blank(s_[at_]) || s_[at_] == '\n')) ++at_;
  }
  bool sign(char c) {
    blanks();
    if (at_ >= s_.size() || s_[at_] != c) return false;
    ++at_;
    return true;
  }

  int sequence() {
    Node all{.kind = Kind::sequence};
    for (blanks(); at_ < s_.size() && s_[at_] != '|' && s_[at_] != ')'; blanks()) all.parts.push_back(item());
    return all.parts.size() == 1 ? all.parts.front() : add(std::move(all));
  }

  int item() {
    if (sign('!')) return add({.kind = Kind::not_ahead, .parts = {item()}});
    if (sign('&')) return add({.kind = Kind::ahead, .parts = {item()}});
    std::size_t end = at_;
    while (end < s_.size() && s_[end] >= 'A' && s_[end] <= 'Z') ++end;
    if (end > at_ && end < s_.size() && s_[end] == ':') {
      std::string name(s_.substr(at_, end - at_));
      at_ = end + 1;
      return add({.kind = Kind::tag, .words = {std::move(name)}, .parts = {item()}});
    }
    const int one = primary();
    const char how = at_ < s_.size() ? s_[at_] : ' ';
    if (how != '?' && how != '*' && how != '+') return one;
    ++at_;
    return add({.kind = Kind::repeat,
                .parts = {one},
                .least = how == '+' ? std::size_t{1} : 0,
                .most = how == '?' ? 1 : std::string_view::npos});
  }

  int primary() {
    if (sign('(')) {
      const int inner = choice();
      LS_CHECK_EQ(sign(')'), true);
      return inner;
    }
    if (sign('.')) return add({.kind = Kind::any});
    if (sign('$')) return add({.kind = Kind::end});
    if (sign('<')) return add({.kind = Kind::rule, .words = {upto('>')}});
    if (sign('\\')) return literal(std::string(1, s_[at_++]));
    const std::size_t from = at_;
    while (at_ < s_.size() && !is_blank(s_[at_]) &&
           std::string_view("\n|()?*+").find(s_[at_]) == std::string_view::npos)
      ++at_;
    LS_CHECK(at_ > from);
    return literal(std::string(s_.substr(from, at_ - from)));
  }
  std::string upto(char close) {
    const std::size_t from = at_, end = s_.find(close, at_);
    LS_CHECK(end != std::string_view::npos);
    at_ = end + 1;
    return std::string(s_.substr(from, end - from));
  }
  int literal(const std::string& text) {
    Node all{.kind = Kind::sequence};
    for (const Word& w : words_of(text))
      all.parts.push_back(add({.kind = w.low == w.text ? Kind::words : Kind::exact, .words = {std::string(w.text)}}));
    return all.parts.size() == 1 ? all.parts.front() : add(std::move(all));
  }

  Phrases& out_;
  std::string_view s_;
  std::size_t at_ = 0;
};

Phrases::Phrases(std::string_view table) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const std::string_view line : split_lines(table)) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0)
      lines.emplace_back(line.substr(0, end), line.substr(end));
    else if (!lines.empty())
      lines.back().second += line;
  }
  rules_ = {{"NAME", 0}, {"INT", 1}};
  nodes_ = {{.kind = Kind::name}, {.kind = Kind::number}};
  for (const auto& [name, text] : lines) {
    Parser parser(*this, text);
    const int root = parser.choice();
    LS_CHECK(parser.done());
    rules_[name] = root;
  }
  for (Node& n : nodes_) {
    if (n.kind != Kind::rule) continue;
    const auto rule = rules_.find(n.words.front());
    LS_CHECK(rule != rules_.end());
    n.parts = {rule->second};
  }
}

bool Phrases::match(int number, std::span<const Word> words, std::size_t& k, std::vector<Tag>& tags) const {
  const Node& n = nodes_[static_cast<std::size_t>(number)];
  const std::size_t from = k, noted = tags.size();
  const auto one = [&](bool fits) {
    if (fits) ++k;
    return fits;
  };
  const auto undone = [&](bool result) {
    k = from;
    tags.resize(noted);
    return result;
  };
  switch (n.kind) {
    case Kind::words:
      return one(k < words.size() && std::ranges::binary_search(n.words, words[k].low));
    case Kind::exact:
      return one(k < words.size() && n.words.front() == words[k].text);
    case Kind::any:
      return one(k < words.size());
    case Kind::name:
      return one(k < words.size() && is_word_start(words[k].text.front()));
    case Kind::number:
      return one(k < words.size() && is_digit(words[k].text.front()));
    case Kind::end:
      return k == words.size();
    case Kind::sequence:
      return std::ranges::all_of(n.parts, [&](int part) { return match(part, words, k, tags); }) || undone(false);
    case Kind::choice:
      return std::ranges::any_of(n.parts, [&](int part) { return match(part, words, k, tags); });
    case Kind::repeat: {
      std::size_t times = 0;
      for (std::size_t before = k; times < n.most && match(n.parts.front(), words, k, tags); before = k, ++times)
        if (k == before) break;
      return times >= n.least || undone(false);
    }
    case Kind::tag:
      if (!match(n.parts.front(), words, k, tags)) return false;
      tags.push_back({n.words.front(), from, k});
      return true;
    case Kind::ahead:
      return undone(match(n.parts.front(), words, k, tags));
    case Kind::not_ahead:
      return undone(!match(n.parts.front(), words, k, tags));
    case Kind::rule:
      return match(n.parts.front(), words, k, tags);
  }
  return false;
}

std::optional<Phrases::Match> Phrases::at(std::string_view rule, std::span<const Word> words, std::size_t k) const {
  const auto root = rules_.find(rule);
  LS_CHECK(root != rules_.end());
  Match out{.first = k, .end = k, .tags = {}};
  return match(root->second, words, out.end, out.tags) ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Phrases::Match> Phrases::in(std::string_view rule, std::span<const Word> words, std::size_t k) const {
  for (; k < words.size(); ++k)
    if (auto found = at(rule, words, k)) return found;
  return std::nullopt;
}

bool Phrases::is(std::string_view rule, std::string_view word) const {
  const Word one[] = {{word, lower(word), 0}};
  const auto found = at(rule, one);
  return found && found->end == 1;
}

bool Phrases::skip(std::string_view rule, std::span<const Word> words, std::size_t& k) const {
  const auto found = at(rule, words, k);
  if (found) k = found->end;
  return found.has_value();
}

const Phrases& comment_phrases() {
  static const Phrases table(R"(
or          <INT>* (or (else|alternatively|equivalently|this)?|alternatively) <INT>* $

extents     (=|:)? dim3? (\(|{|[) <INT> (, <INT>)* ,? (\)|}|])
extent_one  = <INT> ($|!(\*|\+|/|x) .)
index_names [ <NAME> (, <NAME>)* ]

subarray    (each|every) cuda? (BLOCK:(thread block|block|threadblock|cta)|WARP:warp|THREAD:(thread|lane))
            VERB:(processes|handles|works|owns|covers|accesses)
            (<small>* SHAPE:(shape|shapes|shaped)|SHAPE:(one element|a single element))
small       a|an|the|one|its|own|on|of|with|in|contiguous|sub|subarray|array|tile|part|piece|chunk|slice|region|block

subject     <NAME> (:|has|is|=)
holds       (LANE:lane|thread) (<holding>|NAME:<NAME> <holding>)
holding     holds|owns|has|stores|contains|keeps|gets

called      call (IT:(it|this|them|these|the (result|results|output|outputs|sum|product))|!the OF:<NAME>) NAME:<NAME>
            (INDICES:<indices>)? (END:($|\.|,|:))?
summed      NAME:<NAME> <indices> = (sum|sums|summed|summation|fft|Σ|∑)
indices     [ (!] .)* ]|\( (!\) .)* \)
no_name     with|from|again|once|a|by

letter      <NAME> ('|`|"|\))? (=|:|is|are|for|denotes|denote|means|marks|stands for|stand for) (<of_bits> !<within>)*
            (PART:<part> <within> (the|a|each|one|32|-|bit)* (register|registers|word|words) <ends>|!(<part> <within>) ROW:.
            (index|indices|id|number|bits|bit)* (<within> (the|a|each)* (warp|block|grid|cta|thread)|!<within>) <ends>)
of_bits     the|a|an|bit|bits|number|index
part        bit|bits|byte|bytes|nibble|nibbles|part|parts|position|element
within      within|in|inside|of
ends        $|,|;|\.|\)|and|\||]
counts      (counts|count|counting|runs) (to|over) COUNT:<INT>|COUNT:<INT> values
equation    WHOLE:<NAME> = <term> (\+ <term>)+ <ends>
term        TERM:(<INT> \* <NAME>|<NAME> (\* <INT>)?)
announces   write|writing|let|split|splits|with|where
split       (WHOLE:<NAME> is? (splits|split) into|(split|splitting) WHOLE:<NAME> into) (,|and|\(|\)|PART:<NAME>)* ($|\.|:|;)
axis_count  NAME:<NAME> : COUNT:<INT>
axis_range  NAME:<NAME> (in|=) 0 \. \. \.? LAST:<INT>
axis_set    NAME:<NAME> in ([|{) 0 , (LAST:<INT>|,|\.)* (COUNTED:\)|}|])
axis_bound  0 \< = NAME:<NAME> \< COUNT:<INT>

declared    (SHARED:(shared|smem|__shared__|lds)|GLOBAL:(global|gmem)) memory? :
            TYPE:(!(<NAME> [) (<NAME>|<INT>|\*|:))* NAME:<NAME> &[
space       SHARED:(shared|smem|__shared__|lds)|GLOBAL:(global|gmem)
axes_lead   (,|:|;)* (indexed by|indices|axes|as)?
layout      layout (of OF:<NAME>)? (:|=|is)
swizzle     Swizzle \< BITS:<INT> , BASE:<INT> , SHIFT:<INT> > ({ })? (o|of|over|,)?
transposing <NAME> NAME:<NAME> while (loading|storing|writing|copying) it? $
transposed  NAME:<NAME> is (stored|kept|held|saved|now|written|already)* END:transposed
written     transposed (write|store)
)");
  return table;
}

}  // namespace lanescope::source
