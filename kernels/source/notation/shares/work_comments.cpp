#include "kernels/source/notation/shares/work_comments.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/comments.h"
#include "kernels/source/notation/shares/work_chinese.h"
#include "kernels/source/notation/shares/work_forms.h"
#include "kernels/source/notation/shares/work_scope.h"
#include "kernels/source/notation/shares/work_words.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {
namespace {

using Owner = SubarrayClaim::Owner;
using Verb = WorkShare::Verb;
using Unit = WorkShare::Unit;

constexpr std::size_t longest_paragraph = 800, longest_sentence_words = 80, most_shares = 64, most_constants = 64;

class WorkReader {
 public:
  WorkReader(const Lexed& lexed, const Outline& outline, const Header& header)
      : lexed_(lexed),
        outline_(outline),
        header_(header),
        scope_(lexed, outline, header),
        lines_(comment_lines(lexed)) {
    for (CommentLine& l : lines_) {
      if (std::string english = work_in_english(l.text); !english.empty())
        l.text = translated_.emplace_back(std::move(english));
      const std::string words = lower(l.text);
      columns_ = columns_ || words.find("column-major") != std::string::npos ||
                 words.find("column major") != std::string::npos || words.find("col-major") != std::string::npos ||
                 words.find("col major") != std::string::npos;
    }
  }

  std::vector<SubarrayClaim> run() {
    for (std::size_t i = 0; i < lines_.size() && out_.size() < most_shares;) {
      std::size_t end = i + 1;
      std::string text(lines_[i].text);
      starts_ = {{0, i}};
      while (end < lines_.size() && continues(end) && text.size() + lines_[end].text.size() < longest_paragraph) {
        text += ' ';
        starts_.emplace_back(text.size(), end);
        text += lines_[end].text;
        ++end;
      }
      paragraph(text);
      i = end;
    }
    return std::move(out_);
  }

 private:
  /// Line k goes on with what the line before it says.
  bool continues(std::size_t k) const {
    const CommentLine &a = lines_[k - 1], &b = lines_[k];
    if (a.group != b.group || b.line != a.line + 1 || a.text.empty() || b.text.empty()) return false;
    if (scope_.behind_code(a) && !scope_.behind_code(b)) return false;
    const char first = b.text.front();
    const bool item = first == '-' || first == '*' || first == '@' || first == '\\' ||
                      (is_digit(first) && b.text.size() > 1 && (b.text[1] == '.' || b.text[1] == ')'));
    const std::string begin = lower(b.text.substr(0, 10));
    if (is_translated(a) || is_translated(b) || extent_line(a) || extent_line(b)) return false;
    const bool own = begin.starts_with("each ") || begin.starts_with("every ") || begin.starts_with("one thread") ||
                     begin.starts_with("one block") || begin.starts_with("one warp");
    return !item && !own;
  }

  bool is_translated(const CommentLine& l) const {
    return std::ranges::any_of(translated_, [&](const std::string& t) { return t.data() == l.text.data(); });
  }
  /// "thread tile: m8n8k8": a line of its own in a table.
  static bool extent_line(const CommentLine& l) {
    return l.text.size() < 60 && l.text.find(" tile: m") != std::string_view::npos;
  }

  void paragraph(std::string_view s) {
    std::size_t start = 0;
    for (std::size_t i = 0; i <= s.size(); ++i) {
      bool ends = i == s.size();
      if (!ends && (s[i] == '.' || s[i] == ';' || s[i] == '!' || s[i] == '?' || s[i] == ':'))
        ends = i + 1 == s.size() || (s[i + 1] == ' ' && !(s[i] == ':' && s.substr(i + 1, 2) == " m"));
      if (!ends && s[i] == ',') {
        const std::string_view rest = s.substr(i + 1, 12);
        ends = rest.starts_with(" each ") || rest.starts_with(" every") || rest.starts_with(" one warp") ||
               rest.starts_with(" one thread") || rest.starts_with(" one block");
      }
      if (!ends && s[i] == '(') ends = s.substr(i + 1, 4) == "one " || s.substr(i + 1, 5) == "each ";
      if (!ends) continue;
      sentence(s, start, i, i < s.size() && s[i] == '?');
      start = i + 1;
    }
  }

  const CommentLine& line_at(std::size_t at) const {
    std::size_t line = starts_.front().second;
    for (const auto& [start, i] : starts_)
      if (start <= at) line = i;
    return lines_[line];
  }

  void sentence(std::string_view s, std::size_t first, std::size_t end, bool question) {
    if (question || end - first < 8 || out_.size() >= most_shares) return;
    const std::vector<Piece> words = pieces_of(s, first, end);
    if (words.size() < 3 || words.size() > longest_sentence_words) return;
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
      if (each_owner(s, words, i) || one_per(s, words, i)) return;
    }
    const CommentLine& l = line_at(words.front().at);
    const FunctionRange* f = scope_.function_of(l);
    if (f == nullptr) return;
    if (auto form = other_work_statement(words, declared_before(l, *f),
                                         [&]() -> const Values& { return scope_.values_in(*f, l); }))
      finish(s, words, form->first, form->tail, std::move(form->share), form->owner, std::move(form->problem),
             form->array);
  }

  /// The template parameter that is declared on the comment's line.
  std::string_view declared_before(const CommentLine& l, const FunctionRange& f) const {
    int k = lexed_.last_before(l.offset);
    if (k < f.head || k >= f.open || lexed_.token(k).line != l.line) return {};
    if (lexed_.is(k, ",") || lexed_.is(k, ">")) --k;
    int equals = k;
    while (equals > f.head && lexed_.token(equals).line == l.line && !lexed_.is(equals, "=")) --equals;
    if (lexed_.is(equals, "=")) k = equals - 1;
    const Token& name = lexed_.token(k);
    if (name.line != l.line || name.kind != TokenKind::identifier) return {};
    return lexed_.of(k);
  }

  /// "each thread in the block computes ..."
  bool each_owner(std::string_view s, const std::vector<Piece>& w, std::size_t i) {
    if (!one_of(w[i].low, {"each", "every", "one", "a", "1"})) return false;
    const bool sure = w[i].low == "each" || w[i].low == "every";
    // What is before it must not be part of the statement: "only one thread", "for each thread", "if one thread".
    if (i > 0 && one_of(w[i - 1].low, {"for", "only", "per", "of", "than", "if", "when", "from", "to", "in", "by",
                                       "with", "at", "let", "makes", "make", "the", "just", "on"}))
      return false;
    if (i > 0 && (is_digit(w[i - 1].text.front()) || w[i - 1].low == "have")) {
      // "Have each thread load one of the elements" begins a sentence; "we have each block ..." does not.
      if (w[i - 1].low != "have" || i != 1) return false;
    }
    std::size_t k = i + 1;
    const std::optional<Owner> owner = owner_at(w, k);
    if (!owner || k >= w.size()) return false;
    if (has_bad_word(w, 0, i)) return false;
    if (one_of(w[k].low, {"in", "of", "within"})) {
      ++k;
      while (k < w.size() && one_of(w[k].low, {"the", "a", "this", "thread"})) ++k;
      if (k >= w.size() || !one_of(w[k].low, {"block", "grid", "warp", "threadblock", "group", "kernel", "cta"}))
        return false;
      ++k;
    }
    while (k < w.size() && one_of(w[k].low, {"then", "simply", "also", "will", "is", "needs", "need", "has", "to",
                                             "must", "responsible", "for", "thus", "therefore", "independently"}))
      ++k;
    if (k >= w.size()) return false;
    std::optional<Verb> verb = work_verb(w[k].low);
    std::size_t next = k + 1;
    if (!verb && one_of(w[k].low, {"works", "operates"}) && next < w.size() && w[next].low == "on")
      verb = Verb::accesses, ++next;
    if (!verb && w[k].low == "deals" && next < w.size() && w[next].low == "with") verb = Verb::accesses, ++next;
    if (!verb && one_of(w[k].low, {"doing", "does", "do"}) && k + 2 < w.size() &&
        one_of(w[k + 1].low, {"one", "1", "two"}) && one_of(w[k + 2].low, {"row", "rows", "column", "columns"}))
      verb = Verb::accesses;
    if (!verb && k > i + 2 && w[k - 1].low == "for" && w[k - 2].low == "responsible") verb = Verb::accesses, next = k;
    if (!verb || (!sure && *verb == Verb::reads && w[i].low == "a")) return false;
    return amount(s, w, i, next, *owner, *verb, sure);
  }

  /// "one warp per row", "one thread per output element", "one block per row of x".
  bool one_per(std::string_view s, const std::vector<Piece>& w, std::size_t i) {
    if (w[i].low != "one" && w[i].text != "1") return false;
    if (i > 0 && !one_of(w[i - 1].low,
                         {"use", "using", "-", "launch", "assign", "with", "strategy", "kernel", ",", "and", "simply"}))
      return false;
    std::size_t k = i + 1;
    const std::optional<Owner> owner = owner_at(w, k);
    if (!owner || k + 1 >= w.size() || w[k].low != "per" || has_bad_word(w, 0, i)) return false;
    ++k;
    std::size_t noun = k;
    while (noun < w.size() && is_filler(w[noun].low) && noun < k + 3) ++noun;
    if (noun >= w.size()) return false;
    const bool row = w[noun].low == "row", column = one_of(w[noun].low, {"column", "col"});
    // A channel may be one value or an image.
    const bool channel = w[noun].low == "channel" && noun > k && w[noun - 1].low == "output";
    if (!row && !column && !channel && !one_of(w[noun].low, {"element", "output", "pixel", "entry"})) return false;
    WorkShare share;
    share.loose = channel;
    share.count = 1;
    share.unit = row ? Unit::rows : column ? Unit::columns : Unit::elements;
    return finish(s, w, i, noun + 1, std::move(share), *owner, {});
  }

  bool amount(std::string_view s, const std::vector<Piece>& w, std::size_t each, std::size_t k, Owner owner, Verb verb,
              bool sure) {
    const FunctionRange* f = scope_.function_of(line_at(w[each].at));
    if (f == nullptr) return false;
    const Values& values = scope_.values_in(*f, line_at(w[each].at));
    while (k < w.size() && one_of(w[k].low, {"exactly", "just", "its", "the", "own"})) ++k;
    // "calculates the sum of 256 elements" speaks of what is read.
    if (k + 2 < w.size() && one_of(w[k].low, {"sum", "sums", "maximum", "minimum", "mean"}) &&
        one_of(w[k + 1].low, {"of", "for", "over"}) && verb == Verb::writes) {
      k += 2;
      verb = Verb::reads;
      while (k < w.size() && w[k].low == "the") ++k;
    }
    // "one of the elements"
    if (k + 3 < w.size() && w[k].low == "one" && w[k + 1].low == "of" && w[k + 2].low == "the" &&
        is_element_word(w[k + 3].low)) {
      WorkShare share;
      share.verb = verb;
      share.count = 1;
      return finish(s, w, each, k + 4, std::move(share), owner, {});
    }
    const std::size_t from = k;
    bool article = false;
    if (k < w.size() && one_of(w[k].low, {"a", "an", "one", "single"}) && !values.contains(w[k].text)) {
      article = true;
      ++k;
      if (k < w.size() && w[k].low == "single") ++k;
    }
    Quantity q = quantity(w, k, values);
    if (q.factors.empty()) {
      if (!article) return false;
      k = from + 1;
      if (k < w.size() && w[k].low == "single") ++k;
      q.factors = {1};
      q.word = true;
    }
    WorkShare share;
    share.verb = verb;
    for (std::size_t n = each; n < from && verb == Verb::writes; ++n)
      share.computed = share.computed || is_computing(w[n].low);
    for (; k < w.size(); ++k) {
      if (one_of(w[k].low, {"consecutive", "contiguous", "adjacent", "neighboring", "neighbouring"})) {
        share.consecutive = true;
      } else if (k + 1 >= w.size() || !is_filler(w[k].low) || (is_element_word(w[k].low) && !noun_follows(w, k + 1))) {
        break;
      }
    }
    if (k >= w.size()) return false;
    const std::string& noun = w[k].low;
    for (std::size_t n = from; n <= k; ++n)
      if (verb == Verb::accesses && one_of(w[n].low, {"output", "outputs", "result", "results"}))
        share.verb = Verb::writes;
    std::string problem = q.problem;
    if (one_of(noun, {"row", "rows", "column", "columns", "col", "cols"}) && q.factors.size() == 1) {
      share.unit = noun.front() == 'r' ? Unit::rows : Unit::columns;
      share.count = q.product();
      ++k;
    } else if (is_tile_word(noun)) {
      ++k;
      // "a tile of size TM x TN", "a tile of shape (BM, BN)"
      if (q.factors.size() == 1 && article && k + 1 < w.size() && (w[k].low == "of" || w[k].low == "with")) {
        std::size_t at = k + 1;
        while (at < w.size() && one_of(w[at].low, {"size", "shape", "dimension", "dimensions"})) ++at;
        if (at == k + 1 && w[k].low == "with") return false;
        Quantity size = quantity(w, at, values);
        if (size.factors.size() != 2) return false;
        q = std::move(size);
        k = at;
        while (k < w.size() && is_element_word(w[k].low)) ++k;
      }
      if (q.factors.size() != 2 || (one_of(noun, {"matrix", "tiles"}))) return false;
      share.unit = Unit::box;
      problem = q.problem;
    } else if (is_element_word(noun)) {
      ++k;
      share.unit = q.by ? Unit::box : Unit::elements;
      if (q.by && q.factors.size() != 2) return false;
      share.count = q.product();
      share.unit_bytes = bytes_of_unit(noun);
      if (noun == "half" || noun == "float" || noun == "int" || noun == "double")
        if (q.product() != 1) return false;
      // "one output dimension", "one element block", "two float numbers": another noun
      if (noun_follows(w, k)) return false;
    } else {
      return false;
    }
    if (share.unit == Unit::box) {
      share.count = q.product();
      share.rows = q.factors[0];
      share.cols = q.factors[1];
      const int a = axis_of_name(q.names[0]), b = axis_of_name(q.names[1]);
      share.ordered = a * b < 0;
      if (share.ordered && a < 0) std::swap(share.rows, share.cols);
    }
    if (!sure && share.unit == Unit::elements && q.word && owner == Owner::thread && verb == Verb::reads) return false;
    return finish(s, w, each, k, std::move(share), owner, problem);
  }

  bool finish(std::string_view s, const std::vector<Piece>& w, std::size_t first, std::size_t tail, WorkShare share,
              Owner owner, std::string problem, std::size_t array = 0) {
    const CommentLine& l = line_at(w[first].at);
    const FunctionRange* f = scope_.function_of(l);
    if (f == nullptr || has_bad_word(w, tail, w.size())) return false;
    // "each thread loads 4 elements from shared memory": not of global memory.
    bool into = false;
    for (std::size_t k = tail; k < w.size(); ++k) {
      const bool shared = one_of(w[k].low, {"shared", "smem", "__shared__", "sram", "shmem", "lds", "cache"});
      const bool registers = one_of(w[k].low, {"register", "registers", "reg", "regs", "tmem"});
      if (w[k].low == "to" || w[k].low == "into" || w[k].low == "in") into = true;
      if (w[k].low == "from") into = false;
      if ((shared || registers) && !(share.verb == Verb::reads && into)) return false;
      if (one_of(w[k].low, {"rows", "row", "columns", "column"}) && share.unit == Unit::elements &&
          w[k - 1].low != "one") {
        // "4 elements of a row" is still a number of elements.
        if (!one_of(w[k - 1].low, {"a", "the", "same"})) return false;
      }
      if (one_of(w[k].low, {"dot", "product", "sum", "sums", "reduction"}) && share.verb == Verb::writes) continue;
    }
    // "8 rows of the tile": parts of the array's rows.
    for (std::size_t k = tail; k < w.size() && (share.unit == Unit::rows || share.unit == Unit::columns); ++k)
      share.loose = share.loose || is_tile_word(w[k].low);
    SubarrayClaim claim;
    claim.owner = owner;
    claim.function = f->info.name;
    claim.text = std::string(trimmed(s.substr(w[first].at, w.back().at + w.back().text.size() - w[first].at)));
    claim.place = {l.line, l.column};
    if (!is_translated(l))
      claim.place.column += static_cast<int>(std::min<std::size_t>(w[first].at - start_of(w[first].at), 200));
    if (!problem.empty()) claim.unchecked_reason = coded<Why::unread_comment>(problem);
    if (claim.unchecked_reason.empty() && (share.count <= 0 || share.count > (std::int64_t{1} << 24))) return false;
    if (const LaunchSpec* launch = scope_.launch_of(*f)) share.instance = launch->kernel;
    const auto size = std::ranges::find_if(
        header_.assumed, [](const Assumption& a) { return group_of(a.code) != Assumption::Group::contents; });
    if (size != header_.assumed.end()) share.sizes_assumed = sentence_of(*size);
    scope_.limit(share, l, *f);
    share.maybe_columns = columns_;
    if (share.unit != Unit::elements)
      for (const auto& [name, value] : scope_.values_in(*f, l))
        if (value > 1 && name.find('.') == std::string::npos && share.constants.size() < most_constants)
          share.constants.push_back(value);
    if (array > 0) array_named(claim, {w[array]}, 0, *f);
    if (claim.pointer.empty()) array_named(claim, w, tail, *f);
    claim.share = std::move(share);
    out_.push_back(std::move(claim));
    return true;
  }

  std::size_t start_of(std::size_t at) const {
    std::size_t out = 0;
    for (const auto& [start, i] : starts_)
      if (start <= at) out = start;
    return out;
  }

  static std::string plain(std::string_view name) {
    std::string n = lower(name);
    for (const std::string_view p : {"d_", "g_", "dev_", "gpu_", "global_", "p_"})
      if (n.starts_with(p) && n.size() > p.size()) n.erase(0, p.size());
    for (const std::string_view p : {"_d", "_ptr", "_global", "_gmem", "_dev", "ptr"})
      if (n.ends_with(p) && n.size() > p.size()) n.resize(n.size() - p.size());
    return n;
  }

  /// "of C", "from the A matrix": a pointer of the kernel.
  void array_named(SubarrayClaim& claim, const std::vector<Piece>& w, std::size_t tail, const FunctionRange& f) const {
    if (!f.info.is_kernel) return;
    std::set<std::string> found;
    // "one row of A and one column of B": the first is meant.
    std::size_t end = w.size();
    for (std::size_t k = tail; k + 2 < w.size(); ++k)
      if (w[k].low == "and" && one_of(w[k + 1].low, {"a", "one", "1"}) &&
          one_of(w[k + 2].low, {"row", "column", "col", "element"}))
        end = std::min(end, k);
    for (std::size_t k = tail; k < end; ++k) {
      if (one_of(w[k].low, {"a", "i", "the", "in", "of", "to", "and", "x"}) && w[k].text == w[k].low) continue;
      for (const Parameter& p : f.info.parameters)
        if (p.type.find('*') != std::string::npos && (p.name == w[k].text || plain(p.name) == w[k].low))
          found.insert(p.name);
    }
    if (found.size() == 1) claim.pointer = *found.begin();
  }

  const Lexed& lexed_;
  const Outline& outline_;
  const Header& header_;
  WorkScope scope_;
  std::vector<CommentLine> lines_;
  std::vector<std::pair<std::size_t, std::size_t>> starts_;  ///< of each line in the paragraph
  std::deque<std::string> translated_;                       ///< lines that were not in English
  std::vector<SubarrayClaim> out_;
  bool columns_ = false;  ///< the file speaks of column-major arrays
};

}  // namespace

std::vector<SubarrayClaim> work_claims(const Lexed& lexed, const Outline& outline, const Header& header) {
  return WorkReader(lexed, outline, header).run();
}

}  // namespace lanescope::source
