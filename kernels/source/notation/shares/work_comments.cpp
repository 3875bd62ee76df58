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
      : lexed_(lexed), outline_(outline), header_(header), lines_(comment_lines(lexed)) {
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
  bool behind_code(const CommentLine& l) const {
    const int before = lexed_.last_before(l.offset);
    return before >= 0 && lexed_.token(before).line == l.line;
  }

  /// Line k goes on with what the line before it says.
  bool continues(std::size_t k) const {
    const CommentLine &a = lines_[k - 1], &b = lines_[k];
    if (a.group != b.group || b.line != a.line + 1 || a.text.empty() || b.text.empty()) return false;
    if (behind_code(a) && !behind_code(b)) return false;
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
    const FunctionRange* f = function_of(l);
    if (f == nullptr) return;
    if (auto form =
            other_work_statement(words, declared_before(l, *f), [&]() -> const Values& { return values_in(*f, l); }))
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
    const FunctionRange* f = function_of(line_at(w[each].at));
    if (f == nullptr) return false;
    const Values& values = values_in(*f, line_at(w[each].at));
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
    const FunctionRange* f = function_of(l);
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
    claim.unchecked_reason = std::move(problem);
    if (claim.unchecked_reason.empty() && (share.count <= 0 || share.count > (std::int64_t{1} << 24))) return false;
    if (const LaunchSpec* launch = launch_of(*f)) share.instance = launch->kernel;
    if (!header_.assumed.empty()) share.sizes_assumed = header_.assumed.front();
    scope(share, l, *f);
    share.maybe_columns = columns_;
    if (share.unit != Unit::elements)
      for (const auto& [name, value] : values_in(*f, l))
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

  /// The kernel or device function around the comment, or the one that begins right behind it.
  const FunctionRange* function_of(const CommentLine& l) const {
    const int anchor = lexed_.last_before(l.offset);
    if (const int around = anchor >= 0 ? outline_.function_at(anchor) : -1; around >= 0) {
      const FunctionRange& f = outline_.functions[static_cast<std::size_t>(around)];
      return f.info.is_kernel || f.info.is_device ? &f : launched_in(f);
    }
    for (const FunctionRange& f : outline_.functions)  // among its parameters
      if (f.head <= anchor && anchor < f.open) return f.info.is_kernel ? &f : nullptr;
    const auto next = std::ranges::find(outline_.functions, anchor + 1, &FunctionRange::head);
    if (next == outline_.functions.end() || behind_code(l)) return nullptr;
    return next->info.is_kernel ? &*next : nullptr;
  }

  /// The only kernel that this host function launches.
  const FunctionRange* launched_in(const FunctionRange& host) const {
    const auto [at, fresh] = launched_.try_emplace(host.head, nullptr);
    if (!fresh) return at->second;
    bool several = false;
    for (int k = host.open + 1; k < host.close && !several; ++k) {
      if (!lexed_.is(k, "<<<")) continue;
      int name = k - 1;
      if (lexed_.is(name, ">")) {
        int depth = 0;
        for (; name > host.open; --name) {
          if (lexed_.is(name, ">")) ++depth;
          if (lexed_.is(name, "<") && --depth == 0) break;
        }
        --name;
      }
      const FunctionRange* kernel = nullptr;
      for (const FunctionRange& f : outline_.functions)
        if (f.info.is_kernel && lexed_.is(name, f.info.name)) kernel = &f;
      several = kernel == nullptr || (at->second != nullptr && at->second != kernel);
      at->second = kernel;
    }
    if (several) at->second = nullptr;
    return at->second;
  }

  const LaunchSpec* launch_of(const FunctionRange& f) const {
    if (!f.info.is_kernel) return header_.launches.empty() ? nullptr : &header_.launches.front();
    for (const LaunchSpec& l : header_.launches) {
      const std::string_view name = std::string_view(l.kernel).substr(0, l.kernel.find('<'));
      if (name == f.info.name || name.ends_with("::" + f.info.name)) return &l;
    }
    return nullptr;
  }

  /// Constants of the function, of the host function around the comment, and of no function.
  const Values& values_in(const FunctionRange& f, const CommentLine& l) const {
    const int anchor = lexed_.last_before(l.offset);
    const int around = anchor >= 0 ? outline_.function_at(anchor) : -1;
    const auto [at, fresh] = values_.try_emplace({f.head, around});
    if (!fresh) return at->second;
    const LaunchSpec* launch = launch_of(f);
    at->second = known_values(lexed_, header_, launch == nullptr ? LaunchSpec{} : *launch, [&](int token) {
      const int in = outline_.function_at(token);
      return in < 0 || in == around || &outline_.functions[static_cast<std::size_t>(in)] == &f;
    });
    return at->second;
  }

  /// The statements that a comment about loads speaks of: that on its line, or those behind it up to an empty line, the next
  /// comment or the end of its block. Of a device function never more than itself.
  void scope(WorkShare& share, const CommentLine& l, const FunctionRange& f) const {
    const int anchor = lexed_.last_before(l.offset);
    const bool inside = anchor >= f.open && anchor < f.close;
    if (!f.info.is_kernel) {
      share.first_line = f.info.first_line;
      share.last_line = f.info.last_line;
    }
    share.straight = f.info.is_kernel && no_loop(f.open, f.close);
    if (share.verb != Verb::reads) return;
    if (!inside && f.info.is_kernel && share.unit == Unit::box) {  // of a parameter: at each time
      share.first_line = f.info.first_line;
      share.last_line = f.info.last_line;
    }
    if (!inside) return;
    int first = anchor + 1, last = anchor + 1;
    if (behind_code(l)) {
      first = anchor;
      while (first > f.open + 1 && lexed_.token(first - 1).line == l.line) --first;
      last = anchor;
    } else {
      bool declaring = false, loads = false;
      int line = lexed_.token(first).line;
      if (line > l.line + 8) return void(share.repeated = true);
      for (int i = first; i < f.close; ++i) {
        if (lexed_.is(i, "}") && lexed_.partner(i) < first) break;
        const int at = lexed_.token(i).line;
        // Arithmetic that prepares an index, and declarations, load nothing: what they prepare comes behind them.
        if (lexed_.is(i, "__shared__")) declaring = true;
        if (lexed_.is(i, ";")) declaring = false;
        const bool gap = at > line + 1 && i > first && !inside_brackets(i, first);
        if (gap && (loads || at > l.line + 30)) break;
        loads = loads || (lexed_.is(i, "[") && !declaring) || lexed_.of(i).ends_with("_cast");
        line = at;
        last = i;
        if (lexed_.is(i, "{") && lexed_.partner(i) > i) {
          i = std::min(lexed_.partner(i), f.close - 1);
          last = i;
          line = lexed_.token(i).line;
        }
      }
    }
    share.first_line = lexed_.token(first).line;
    share.last_line = lexed_.token(last).line;
    share.straight = no_loop(first, last) && !within_loop(first, f);
    // Within a loop each time counts by itself, where a barrier parts them.
    for (int open = first; (open = opener_before(open)) > f.open;) {
      if (!opens_loop(open)) continue;
      bool barrier = false;
      for (int i = open; i < lexed_.partner(open); ++i)
        barrier = barrier || lexed_.is(i, "__syncthreads") || lexed_.of(i).ends_with("sync");
      share.repeated = share.repeated || !barrier;
    }
  }

  bool opens_loop(int open) const {
    const int head = lexed_.is(open - 1, ")") ? lexed_.partner(open - 1) - 1 : -1;
    return lexed_.is(head, "for") || lexed_.is(head, "while") || lexed_.is(open - 1, "do");
  }
  bool no_loop(int first, int last) const {
    for (int i = first; i <= last; ++i)
      if (lexed_.is(i, "for") || lexed_.is(i, "while") || lexed_.is(i, "do") || lexed_.is(i, "goto")) return false;
    return true;
  }
  bool within_loop(int i, const FunctionRange& f) const {
    for (int open = i; (open = opener_before(open)) > f.open;)
      if (opens_loop(open)) return true;
    return false;
  }

  /// A line break inside of brackets ends no paragraph.
  bool inside_brackets(int i, int first) const {
    for (int k = i - 1; k >= first && k > i - 200; --k) {
      if (lexed_.partner(k) > i) return true;
      if (lexed_.partner(k) >= 0 && lexed_.partner(k) < k) k = lexed_.partner(k);
    }
    return false;
  }

  /// The `{` around token i; -1: none.
  int opener_before(int i) const {
    for (int k = i - 1; k >= 0; --k) {
      if (lexed_.is(k, "}") && lexed_.partner(k) >= 0) {
        k = lexed_.partner(k);
        continue;
      }
      if (lexed_.is(k, "{")) return k;
    }
    return -1;
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
  std::vector<CommentLine> lines_;
  std::vector<std::pair<std::size_t, std::size_t>> starts_;  ///< of each line in the paragraph
  mutable std::map<std::pair<int, int>, Values> values_;     ///< by function, and by the one around the comment
  mutable std::map<int, const FunctionRange*> launched_;     ///< by host function
  std::deque<std::string> translated_;                       ///< lines that were not in English
  std::vector<SubarrayClaim> out_;
  bool columns_ = false;  ///< the file speaks of column-major arrays
};

}  // namespace

std::vector<SubarrayClaim> work_claims(const Lexed& lexed, const Outline& outline, const Header& header) {
  return WorkReader(lexed, outline, header).run();
}

}  // namespace lanescope::source
