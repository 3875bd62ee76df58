#include "kernels/source/notation/shares/work_comments.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <optional>
#include <set>

#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/notation/shares/work_scope.h"

namespace lanescope::source {
namespace {

using Verb = WorkShare::Verb;
using Unit = WorkShare::Unit;
using Match = Phrases::Match;

constexpr std::size_t longest_paragraph = 800, longest_sentence_words = 80, most_shares = 64, most_constants = 64;

/// A share of work as a sentence states it.
struct Statement {
  WorkShare share{};
  std::size_t first = 0, tail = 0;  ///< words: where it begins, and the first word after it
  std::size_t array = 0;            ///< the word that names an array before `tail`; 0: none does
  std::string problem{};            ///< a name without a value
};

Owner owner_in(const Match& m) { return m.has("BLOCK") ? Owner::block : m.has("WARP") ? Owner::warp : Owner::thread; }
Verb verb_in(const Match& m) { return m.has("WRITES") ? Verb::writes : m.has("READS") ? Verb::reads : Verb::accesses; }
Unit unit_in(const Match& m) { return m.has("ROWS") ? Unit::rows : m.has("COLUMNS") ? Unit::columns : Unit::elements; }

class WorkReader {
 public:
  WorkReader(const Lexed& lexed, const Outline& outline, const Header& header)
      : lexed_(lexed), header_(header), scope_(lexed, outline, header), lines_(comment_lines(lexed)) {
    for (CommentLine& l : lines_) {
      if (std::string english = work_in_english(l.text); !english.empty())
        l.text = translated_.emplace_back(std::move(english));
      const std::string words = lower(l.text);
      for (const std::string_view order : {"column-major", "column major", "col-major", "col major"})
        columns_ = columns_ || words.find(order) != std::string::npos;
    }
  }

  std::vector<Claim> run() {
    for (std::size_t i = 0; i < lines_.size() && out_.size() < most_shares;) {
      std::size_t end = i + 1;
      text_ = lines_[i].text;
      starts_ = {{0, i}};
      while (end < lines_.size() && continues(end) && text_.size() + lines_[end].text.size() < longest_paragraph) {
        text_ += ' ';
        starts_.emplace_back(text_.size(), end);
        text_ += lines_[end].text;
        ++end;
      }
      paragraph();
      i = end;
    }
    return std::move(out_);
  }

 private:
  /// Whether the text is "each ..." or the like.
  bool begins(std::string_view s) const { return table_.is("begins", words_of(s.substr(0, 16)), 0); }

  /// Line k continues with what the line before it says.
  bool continues(std::size_t k) const {
    const CommentLine &a = lines_[k - 1], &b = lines_[k];
    if (a.group != b.group || b.line != a.line + 1 || a.text.empty() || b.text.empty()) return false;
    if (after_code(lexed_, a) && !after_code(lexed_, b)) return false;
    if (is_translated(a) || is_translated(b) || extent_line(a) || extent_line(b)) return false;
    const char first = b.text.front();
    const bool item = std::string_view("-*@\\").find(first) != std::string_view::npos ||
                      (is_digit(first) && b.text.size() > 1 && (b.text[1] == '.' || b.text[1] == ')'));
    return !item && !begins(b.text);
  }

  bool is_translated(const CommentLine& l) const {
    return std::ranges::any_of(translated_, [&](const std::string& t) { return t.data() == l.text.data(); });
  }
  /// "thread tile: m8n8k8": a line of its own in a table.
  static bool extent_line(const CommentLine& l) {
    return l.text.size() < 60 && l.text.find(" tile: m") != std::string_view::npos;
  }

  void paragraph() {
    const std::string_view s = text_;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= s.size(); ++i) {
      const char c = i < s.size() ? s[i] : '.';
      const std::string_view rest = s.substr(std::min(i + 1, s.size()));
      const bool ends = std::string_view(".;!?:").find(c) != std::string_view::npos
                            ? rest.empty() || (rest.starts_with(' ') && !(c == ':' && rest.starts_with(" m")))
                            : (c == ',' && rest.starts_with(' ') && begins(rest)) ||
                                  (c == '(' && (rest.starts_with("one ") || rest.starts_with("each ")));
      if (!ends) continue;
      if (c != '?') sentence(start, i);
      start = i + 1;
    }
  }

  /// The last line that begins at or before byte `at` of the paragraph: its start there, and its number.
  std::pair<std::size_t, std::size_t> start_of(std::size_t at) const {
    return *std::prev(std::ranges::find_if(starts_, [&](const auto& s) { return s.first > at; }));
  }
  const CommentLine& line_of(std::size_t word) const { return lines_[start_of(w_[word].at).second]; }

  void sentence(std::size_t first, std::size_t end) {
    if (end < first + 8 || out_.size() >= most_shares) return;
    w_ = words_of(text_, first, end);
    if (w_.size() < 3 || w_.size() > longest_sentence_words) return;
    for (std::size_t i = 0; i + 2 < w_.size(); ++i)
      if (each_owner(i) || one_per(i)) return;
    const FunctionRange* f = scope_.function_of(line_of(0));
    if (f == nullptr) return;
    if (auto form = other_form(declared_before(line_of(0), *f), *f)) finish(std::move(*form));
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
    return name.line == l.line && name.kind == TokenKind::identifier ? lexed_.of(k) : std::string_view();
  }

  /// "each thread in the block computes ..."
  bool each_owner(std::size_t i) {
    const auto m = table_.at("each", w_, i);
    // Words before it must not be part of the statement: "only one thread", "for each thread", "if one thread".
    if (!m || (i > 0 && table_.is("not_behind", w_, i - 1)) || has_bad_word(w_, 0, i)) return false;
    // "Have each thread load one of the elements" begins a sentence; "we have each block ..." does not.
    if (i > 1 && w_[i - 1].low == "have") return false;
    if (m->has("ARTICLE") && m->has("READS")) return false;
    Statement s{.share = {.owner = owner_in(*m)}, .first = i, .tail = m->end};
    s.share.verb = verb_in(*m);
    return amount(s, m->has("SURE")) && finish(std::move(s));
  }

  /// "one warp per row", "one thread per output element", "one block per row of x".
  bool one_per(std::size_t i) {
    const auto m = table_.at("one_per", w_, i);
    if (!m || (i > 0 && !table_.is("behind_one", w_, i - 1)) || has_bad_word(w_, 0, i)) return false;
    Statement s{.share = {.owner = owner_in(*m)}, .first = i, .tail = m->end};
    // A channel may be one value or an image.
    s.share.loose = m->has("CHANNEL");
    if (s.share.loose && w_[m->end - 2].low != "output") return false;
    s.share.count = 1;
    s.share.unit = unit_in(*m);
    return finish(std::move(s));
  }

  /// The object of the verb: "4 consecutive elements", "a TM x TN tile".
  bool amount(Statement& s, bool sure) {
    const FunctionRange* f = scope_.function_of(line_of(s.first));
    if (f == nullptr) return false;
    const Values& values = scope_.values_in(*f, line_of(s.first));
    std::size_t k = s.tail;
    WorkShare& share = s.share;
    table_.skip("lead", w_, k);
    // "calculates the sum of 256 elements" speaks of what is read.
    if (share.verb == Verb::writes && table_.skip("sum", w_, k)) share.verb = Verb::reads;
    if (table_.skip("one_of", w_, k)) {
      share.count = 1;
      s.tail = k;
      return true;
    }
    const std::size_t from = k;
    const bool article = k < w_.size() && !values.contains(w_[k].text) && table_.skip("article", w_, k);
    const std::size_t behind_article = k;
    Quantity q = quantity(w_, k, values);
    if (q.factors.empty()) {
      if (!article) return false;
      k = behind_article;
      q.factors = {1};
      q.word = true;
    }
    const auto any = [&](std::string_view rule, std::size_t first, std::size_t end) {
      while (first < end && !table_.is(rule, w_, first)) ++first;
      return first < end;
    };
    share.computed = share.verb == Verb::writes && any("computes", s.first, from);
    const auto modifiers = table_.at("modifiers", w_, k);
    share.consecutive = modifiers->has("CONSECUTIVE");
    const auto noun = table_.at("noun", w_, k = modifiers->end);
    if (!noun) return false;
    if (share.verb == Verb::accesses && any("result", from, k + 1)) share.verb = Verb::writes;
    const std::string& word = w_[k].low;
    k = noun->end;
    if (noun->has("TILE")) {
      // "a tile of size TM x TN", "a tile of shape (BM, BN)"
      if (q.factors.size() == 1 && article && table_.skip("sized", w_, k)) {
        q = quantity(w_, k, values);
        table_.skip("elements", w_, k);
      }
      share.unit = Unit::box;
    } else if (noun->has("ELEMENTS")) {
      share.unit = q.by ? Unit::box : Unit::elements;
      share.unit_bytes = bytes_of_unit(word);
      if (one_of(word, {"half", "float", "int", "double"}) && q.product() != 1) return false;
    } else if (q.factors.size() == 1) {
      share.unit = unit_in(*noun);
    } else {
      return false;
    }
    share.count = q.product();
    s.problem = q.problem;
    s.tail = k;
    if (share.unit == Unit::box) {
      if (q.factors.size() != 2) return false;
      share.rows = q.factors[0];
      share.cols = q.factors[1];
      const int a = axis_of_name(q.names[0]), b = axis_of_name(q.names[1]);
      share.ordered = a * b < 0;
      if (share.ordered && a < 0) std::swap(share.rows, share.cols);
    }
    return sure || share.unit != Unit::elements || !q.word || share.owner != Owner::thread || share.verb != Verb::reads;
  }

  /// Other words than "each thread computes ...". `parameter`: what is declared before the comment on its line; may be empty.
  std::optional<Statement> other_form(std::string_view parameter, const FunctionRange& f) const {
    std::size_t begin = 0;
    if (w_[0].text == "@" && w_.size() > 3 && one_of(w_[1].low, {"tparam", "param"})) {
      parameter = w_[2].text;
      begin = 3;
    }
    const auto values = [&]() -> const Values& { return scope_.values_in(f, line_of(0)); };
    const auto of = [&](const Match& m) {
      Statement s{.share = {.owner = owner_in(m)}, .first = m.first, .tail = m.end};
      s.share.verb = verb_in(m);
      return s;
    };
    // A height or a width alone is a box whose other extent may be anything.
    const auto extent = [&](Statement s, const Match& m) {
      const auto v = values().find(parameter);
      if (v == values().end()) s.problem = "`" + std::string(parameter) + "` has no known value";
      s.share.unit = Unit::box;
      s.share.count = v == values().end() ? 0 : v->second;
      (m.has("ROWS") ? s.share.rows : s.share.cols) = s.share.count;
      s.share.ordered = true;
      return s;
    };
    if (!parameter.empty()) {
      if (const auto m = table_.at("extent", w_, begin); m && (!m->has("DIM") || m->has("WRITES"))) {
        Statement s = of(*m);
        s.share.loose = s.share.verb != Verb::writes;
        s.share.computed = true;
        if (const auto* array = m->find("ARRAY")) s.array = array->first;
        return extent(std::move(s), *m);
      }
      if (const auto m = table_.at("owner_size", w_, begin)) {
        Statement s = of(*m);
        s.share.verb = Verb::writes;
        // Tiles of a warp may be computed in several passes, of which each has a tile of this size.
        s.share.loose = true;
        return extent(std::move(s), *m);
      }
    }
    if (begin > 0) return std::nullopt;
    if (const auto m = table_.at("product", w_)) return tile_of_product(of(*m), *m);
    if (const auto m = table_.at("one_one", w_)) {
      Statement s = of(*m);
      s.share.count = 1;
      s.share.unit = unit_in(*m);
      return s;
    }
    return per_owner(values);
  }

  /// "warp tile: m32n64k8", all of the line.
  std::optional<Statement> tile_of_product(Statement s, const Match& m) const {
    s.first = m.find("FIRST")->first;
    const std::string_view mnk = m.text("MNK", w_);
    std::int64_t numbers[3] = {0, 0, 0};
    std::size_t at = 0;
    for (std::size_t n = 0; n < 3; ++n) {
      if (at >= mnk.size() || lower(mnk[at]) != "mnk"[n]) return std::nullopt;
      const char *first = mnk.data() + at + 1, *last = mnk.data() + mnk.size();
      const auto [end, problem] = std::from_chars(first, std::min(last, first + 6), numbers[n]);
      if (problem != std::errc()) return std::nullopt;
      at = static_cast<std::size_t>(end - mnk.data());
    }
    if (at != mnk.size()) return std::nullopt;
    s.share.verb = Verb::writes;
    s.share.unit = Unit::box;
    s.share.ordered = s.share.computed = true;
    s.share.rows = numbers[0];
    s.share.cols = numbers[1];
    s.share.count = s.share.rows * s.share.cols;
    return s;
  }

  /// "2 half elements per thread", "process 4 * 32 elements per warp", "we load 4 elements per thread at each step".
  std::optional<Statement> per_owner(const auto& values) const {
    const auto per = static_cast<std::size_t>(std::ranges::find(w_, "per", &Word::low) - w_.begin());
    const auto m = table_.at("per_owner", w_, per);
    if (!m || per == 0) return std::nullopt;
    // The words after it may only state a repetition.
    if (m->has("PURPOSE") && has_bad_word(w_, m->find("PURPOSE")->first, w_.size())) return std::nullopt;
    std::size_t k = 0;
    for (std::size_t n = 0; n < per; ++n)
      if (w_[n].text == "=") k = n + 1;  // "128bit / 32bit = 4 elements"
    Statement s{.share = {.owner = owner_in(*m)}, .first = k, .tail = w_.size()};
    s.share.loose = true;
    const std::span<const Word> before(w_.data(), k), words(w_.data(), per);
    if (k > 0) {
      bool loads = false;
      for (std::size_t n = 0; n < k; ++n)
        if (const auto verb = table_.at("verb", before, n)) loads = loads || verb->has("READS");
      if (!loads) return std::nullopt;
    } else {
      table_.skip("per_lead", w_, k);
    }
    const auto verb = table_.at("verb", words, k);
    if (verb) s.share.verb = verb_in(*verb), k = verb->end;
    if (s.first > 0) s.share.verb = Verb::reads;
    if (m->has("AGAIN") && s.share.verb != Verb::reads) return std::nullopt;
    const Quantity q = quantity(w_, k, values());
    if (q.factors.empty() || q.by || (q.word && q.product() == 1 && (k >= per || !one_of(w_[k].low, {"token", "row"}))))
      return std::nullopt;
    const auto noun = table_.at("per_noun", words, k);
    if (!noun || (noun->has("NOUN") && bytes_of_unit(w_[per - 1].low) != 0)) return std::nullopt;
    s.share.unit = unit_in(*noun);
    s.share.count = q.product();
    s.problem = q.problem;
    return s;
  }

  bool finish(Statement s) {
    WorkShare& share = s.share;
    const CommentLine& l = line_of(s.first);
    const FunctionRange* f = scope_.function_of(l);
    if (f == nullptr || has_bad_word(w_, s.tail, w_.size())) return false;
    // "each thread loads 4 elements from shared memory": not of global memory.
    bool into = false;
    for (std::size_t k = s.tail; k < w_.size(); ++k) {
      into = (into || one_of(w_[k].low, {"to", "into", "in"})) && w_[k].low != "from";
      if (table_.is("on_chip", w_, k) && !(share.verb == Verb::reads && into)) return false;
      // "4 elements of a row" is still a number of elements.
      if (share.unit == Unit::elements && table_.is("lines", w_, k) && !table_.is("one_line", w_, k - 1)) return false;
      // "8 rows of the tile": parts of the array's rows.
      if (share.unit == Unit::rows || share.unit == Unit::columns)
        share.loose = share.loose || table_.is("tile", w_, k);
    }
    const std::size_t at = w_[s.first].at;
    const int column =
        is_translated(l) ? l.column : l.column + static_cast<int>(std::min<std::size_t>(at - start_of(at).first, 200));
    Claim claim = claim_at({l.line, column}, text_.substr(at, w_.back().end() - at));
    claim.function = f->info.name;
    if (!s.problem.empty()) claim.unchecked_reason = coded<Why::unread_comment>(s.problem);
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
    if (s.array > 0) share.array = array_named(s.array, s.array + 1, *f);
    if (share.array.empty()) share.array = array_named(s.tail, w_.size(), *f);
    claim.variable = share.array.empty() ? "subarray" : share.array;
    claim.about = std::move(share);
    out_.push_back(std::move(claim));
    return true;
  }

  static std::string plain(std::string_view name) {
    std::string n = lower(name);
    for (const std::string_view p : {"d_", "g_", "dev_", "gpu_", "global_", "p_"})
      if (n.starts_with(p) && n.size() > p.size()) n.erase(0, p.size());
    for (const std::string_view p : {"_d", "_ptr", "_global", "_gmem", "_dev", "ptr"})
      if (n.ends_with(p) && n.size() > p.size()) n.resize(n.size() - p.size());
    return n;
  }

  /// "of C", "from the A matrix": the only pointer of the kernel that these words name.
  std::string array_named(std::size_t first, std::size_t end, const FunctionRange& f) const {
    std::set<std::string> found;
    for (std::size_t k = first; f.info.is_kernel && k < end; ++k) {
      if (table_.is("second", w_, k)) break;  // "one row of A and one column of B": the first is meant
      if (table_.is("no_array", w_, k) && w_[k].text == w_[k].low) continue;
      for (const Parameter& p : f.info.parameters)
        if (p.type.find('*') != std::string::npos && (p.name == w_[k].text || plain(p.name) == w_[k].low))
          found.insert(p.name);
    }
    return found.size() == 1 ? *found.begin() : std::string();
  }

  const Lexed& lexed_;
  const Header& header_;
  const Phrases& table_ = work_phrases();
  WorkScope scope_;
  std::vector<CommentLine> lines_;
  std::string text_;                                         ///< the paragraph
  std::vector<std::pair<std::size_t, std::size_t>> starts_;  ///< of each line in it, and its number
  Words w_;                                                  ///< of the sentence
  std::deque<std::string> translated_;                       ///< lines that were not in English
  std::vector<Claim> out_;
  bool columns_ = false;  ///< the file speaks of column-major arrays
};

}  // namespace

std::vector<Claim> work_claims(const Lexed& lexed, const Outline& outline, const Header& header) {
  return WorkReader(lexed, outline, header).run();
}

}  // namespace lanescope::source
