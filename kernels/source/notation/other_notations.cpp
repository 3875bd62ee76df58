#include "kernels/source/notation/comment_readers.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "kernels/base/english.h"
#include "kernels/base/text.h"
#include "kernels/source/notation/cute_layout.h"
#include "kernels/source/notation/index_formula.h"
#include "kernels/source/notation/phrases.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {
namespace {

using Named = std::map<std::string, std::int64_t, std::less<>>;

constexpr std::size_t longest_other_line = 300;
constexpr int most_register_bits = 6;
constexpr std::size_t most_read = 200;  ///< comments of a file; far beyond what people write

bool ends_in_digit(std::string_view name) { return !name.empty() && is_digit(name.back()); }

class OtherReader {
 public:
  OtherReader(const std::vector<CommentLine>& lines, const Header& header) : lines_(lines) {
    for (const BufferSpec& b : header.buffers) {
      std::vector<std::string> names;
      for (const Axis& a : b.axes)
        if (a.extent > 1) names.push_back(a.name);
      if (names.empty()) continue;
      if (names.size() == 2) pairs_.push_back(names);
      const auto [known, fresh] = axes_by_rank_.try_emplace(names.size(), names);
      if (!fresh && known->second != names) known->second.clear();
    }
    if (!header.launches.empty() && header.launches.front().places.block.line > 0)
      block_ = header.launches.front().block;
  }

  std::vector<TextClaim> run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view s = lines_[i].text;
      if (s.size() < 8 || s.size() > longest_other_line) continue;
      if (const auto registers = separate_registers(lines_, i); registers && separate(i, *registers)) {
        i += registers->lines - 1;
        continue;
      }
      triton(i) || cute(i) || fragment(i) || element_formula(i) || thread_holds(i) || thread_to_axes(i);
    }
    return std::move(out_);
  }

 private:
  TextClaim begun(std::size_t i) const {
    TextClaim c;
    c.row_lines = {lines_[i].line};
    c.offset = lines_[i].offset;
    c.end = lines_[i].offset + static_cast<std::uint32_t>(lines_[i].text.size());
    c.other_notation = true;
    return c;
  }

  void name(TextClaim& c, std::string_view subject) const {
    if (subject.empty())
      c.next_variable = true;
    else
      c.sentences = {fmt::format("`{}` has register assignment", subject)};
  }

  bool not_judged(std::size_t i, std::string_view subject, std::string why) {
    TextClaim c = begun(i);
    if (!subject.empty()) c.sentences = {std::string(subject)};
    c.not_judged = std::move(why);
    out_.push_back(std::move(c));
    return true;
  }

  bool judged(std::size_t i, std::string_view subject, Placing placing) {
    if (++read_ > most_read) return not_judged(i, subject, "this file has too many comments in other notations");
    for (const std::string& a : placing.axes)
      if (ends_in_digit(a)) return not_judged(i, subject, fmt::format("the axis `{}` ends in a digit", a));
    int bits = placing.register_bits;
    std::optional<layout::Assignment> rows = rows_of(placing, bits);
    while (!rows && placing.open && bits > 0) rows = rows_of(placing, --bits);
    if (!rows) return not_judged(i, subject, "its numbers are no sums of bits of places, each element at one of them");
    TextClaim c = begun(i);
    c.stated = *rows;
    c.open_registers = placing.open;
    c.says_all_axes = placing.axes.size() > 1 || placing.axes.front() == flat_axis();
    name(c, subject);
    out_.push_back(std::move(c));
    return true;
  }

  // --- names of threads ---

  /// Values of all names of threads at one place; empty where a name needs the size of the block, which is not known.
  Named thread_names(int lane, int warp) const {
    Named v;
    for (const char* n : {"lane", "laneid", "lane_id", "laneId", "lane_idx", "laneIdx", "lid"}) v[n] = lane;
    for (const char* n : {"group", "groupID", "group_id", "groupId"}) v[n] = lane >> 2;
    for (const char* n : {"threadID_in_group", "tig", "thread_in_group"}) v[n] = lane & 3;
    for (const char* n : {"warp", "warp_id", "warpid", "warpId", "wid", "warp_idx", "warpIdx"}) v[n] = warp;
    const std::int64_t linear = lane + 32 * warp;
    const std::int64_t x = block_ ? (*block_)[0] : 0, y = block_ ? (*block_)[1] : 0;
    for (const char* n : {"tid", "thread", "thread_id", "threadId", "threadid", "thread_idx", "tx"}) v[n] = linear;
    v["threadIdx.x"] = x > 0 ? linear % x : linear;
    if (x > 0 && y > 0) v["threadIdx.y"] = linear / x % y;
    if (x > 0 && y > 0) v["ty"] = v["threadIdx.y"];
    if (x > 0) v["tx"] = v["threadIdx.x"];
    return v;
  }

  int warp_bits() const {
    if (!block_) return 0;
    const std::uint64_t threads = std::uint64_t{(*block_)[0]} * (*block_)[1] * (*block_)[2];
    return threads > 32 && std::has_single_bit(threads) && threads <= 1024 ? std::bit_width(threads / 32) - 1 : 0;
  }

  // --- index arithmetic ---

  struct Part {
    std::string axis;
    IndexFormula formula;
  };

  bool judged_formulas(std::size_t i, std::string_view subject, std::vector<Part> parts, const std::string& index,
                       const std::string& thread, bool of_lane) {
    Placing p;
    int chosen = 0;
    bool any_thread = false, any_index = false;
    const Named known = thread_names(0, 0);
    for (const Part& part : parts) {
      p.axes.push_back(part.axis);
      if (part.formula.choices() > 1) {
        if (chosen > 1 || !std::has_single_bit(static_cast<unsigned>(part.formula.choices())))
          return not_judged(i, subject,
                            chosen > 1 ? "it leaves open which of two lists varies first"
                                       : "the number of elements is no power of two");
        chosen = part.formula.choices();
      }
      for (const std::string& n : part.formula.names()) {
        any_index = any_index || n == index;
        any_thread = any_thread || n == thread || known.contains(n);
        if (n != index && n != thread && !known.contains(n))
          return not_judged(i, subject, fmt::format("`{}` has no known value", n));
      }
    }
    if (!any_thread && !any_index) return false;
    p.warp_bits = warp_bits();
    p.open = any_index;
    p.register_bits = any_index    ? most_register_bits
                      : chosen > 1 ? std::bit_width(static_cast<unsigned>(chosen)) - 1
                                   : 0;
    if (any_index && chosen > 1) return not_judged(i, subject, "it has both an index and a list of elements");
    p.at = [this, parts = std::move(parts), index, thread, of_lane](int lane, int warp, int reg) {
      Named v = thread_names(lane, warp);
      if (!thread.empty()) v[thread] = of_lane ? lane : lane + 32 * warp;
      if (!index.empty()) v[index] = reg;
      std::optional<std::vector<std::int64_t>> out(std::in_place);
      for (const Part& part : parts) {
        const auto value = part.formula.value(v, reg);
        if (!value) return std::optional<std::vector<std::int64_t>>();
        out->push_back(*value);
      }
      return out;
    };
    return judged(i, subject, std::move(p));
  }

  /// "d0=C[row0,col0], d1=C[row0,col1]": each register by its own name.
  bool separate(std::size_t i, const SeparateRegisters& registers) {
    const Named known = thread_names(0, 0);
    bool any_thread = false;
    for (const auto& at : registers.at)
      for (const SeparateRegisters::Part& part : at)
        for (const std::string& n : part.formula.names()) {
          if (!known.contains(n)) return false;
          any_thread = true;
        }
    if (!any_thread) return false;
    Placing p;
    p.axes = registers.axes;
    p.warp_bits = 0;
    p.register_bits = std::bit_width(registers.names.size()) - 1;
    p.at = [this, at = registers.at](int lane, int warp, int reg) {
      const Named v = thread_names(lane, warp);
      std::optional<std::vector<std::int64_t>> out(std::in_place);
      for (const SeparateRegisters::Part& part : at[static_cast<std::size_t>(reg)]) {
        const auto value = part.formula.value(v, part.choice);
        if (!value) return std::optional<std::vector<std::int64_t>>();
        out->push_back(*value);
      }
      return out;
    };
    const std::size_t before = out_.size();
    judged(i, registers.names.front(), std::move(p));
    if (out_.size() == before || !out_.back().not_judged.empty()) return true;
    out_.back().names = registers.names;
    if (registers.output) out_.back().sentences.emplace_back("on output");
    return true;
  }

  /// "row = lane/4, col = 2*(lane%4)"; empty where the text is something else.
  static std::vector<Part> equations(std::string_view s) {
    std::vector<Part> out;
    std::string text(s);
    for (std::size_t at = text.find(" and "); at != std::string::npos; at = text.find(" and ", at))
      text.replace(at, 5, ", ");
    for (const std::string_view part : parts_between(text, ",;")) {
      const std::size_t equals = part.find('=');
      if (equals == std::string_view::npos) return {};
      const std::string_view axis = trimmed(part.substr(0, equals));
      std::string_view formula = trimmed(part.substr(equals + 1));
      while (formula.ends_with('.')) formula.remove_suffix(1);
      const auto read = IndexFormula::read(formula);
      if (!read || axis.empty() || !std::ranges::all_of(axis, is_word) || is_digit(axis.front())) return {};
      out.push_back({std::string(axis), *read});
    }
    return out;
  }

  /// "a[i]: row = lane/4 + 8*(i/2), col = 2*(lane%4) + i%2", also with "->" and "(...)".
  bool element_formula(std::size_t i) {
    const std::string_view s = lines_[i].text;
    std::size_t at = 0;
    while (at < s.size() && (is_word(s[at]) || s[at] == '.')) ++at;
    const std::string_view subject = s.substr(0, at);
    if (subject.empty() || is_digit(subject.front())) return false;
    std::string index;
    if (at < s.size() && s[at] == '[') {
      const std::size_t close = s.find(']', at);
      if (close == std::string_view::npos) return false;
      index = trimmed(s.substr(at + 1, close - at - 1));
      if (index.empty() || !std::ranges::all_of(index, is_word)) return false;
      at = close + 1;
      if (is_digit(index.front())) return false;  // one element: not how the others lie
    }
    const bool two = at < s.size() && s[at] == '[';
    while (at < s.size() && s[at] == '[') {
      const std::size_t close = s.find(']', at);
      if (close == std::string_view::npos) return false;
      at = close + 1;
    }
    while (at < s.size() && is_blank(s[at])) ++at;
    std::string_view rest = s.substr(at);
    std::size_t skip = 0;
    for (const std::string_view sign : {"->", "=>", ":", "holds ", "is at ", "at "})
      if (skip == 0 && rest.starts_with(sign)) skip = sign.size();
    if (skip == 0) return false;
    rest = trimmed(rest.substr(skip));
    if (rest.starts_with('(') && rest.ends_with(')')) rest = rest.substr(1, rest.size() - 2);
    std::vector<Part> parts = equations(rest);
    if (parts.empty() || (index.empty() && !about_threads(parts))) return false;
    if (two) return not_judged(i, subject, "the variable has two indices, and which of them varies first is not known");
    return judged_formulas(i, subject, std::move(parts), index, {}, true);
  }

  bool about_threads(const std::vector<Part>& parts) const {
    const Named known = thread_names(0, 0);
    return std::ranges::any_of(parts, [&](const Part& p) {
      return std::ranges::any_of(p.formula.names(), [&](const std::string& n) { return known.contains(n); });
    });
  }

  std::string axis_called(std::string_view word) const {
    const std::string w = lower(word);
    if (one_of(w, {"row", "rows"})) return "row";
    if (one_of(w, {"column", "columns", "col", "cols"})) return "col";
    if (one_of(w, {"element", "elements", "index", "indices", "item", "items", "entries"})) return flat_axis();
    return {};
  }

  std::string flat_axis() const {
    const auto one = axes_by_rank_.find(1);
    const bool known = axes_by_rank_.size() == 1 && one != axes_by_rank_.end() && !one->second.empty();
    return known ? one->second.front() : "element";
  }

  /// "thread t holds elements 4t..4t+3 of x", "lane l owns row l/4, columns 2*(l%4)+{0,1}".
  bool thread_holds(std::size_t i) {
    const std::string_view s = lines_[i].text;
    const Words words = words_of(s);
    std::size_t k = 0;  // the first "thread" or "lane" with a blank after it
    while (k + 1 < words.size() && (!one_of(words[k].low, {"thread", "lane"}) || words[k + 1].at == words[k].end()))
      ++k;
    const auto m = comment_phrases().at("holds", words, k);
    if (!m) return false;
    // "each thread holds elements tid*4 .. tid*4+3" names none.
    return holds(i, s.substr(words[m->end - 1].end()), std::string(m->text("NAME", words)), m->has("LANE"));
  }

  bool holds(std::size_t i, std::string_view s, const std::string& thread, bool of_lane) {
    struct AxisWord {
      std::size_t at = 0, end = 0;
      std::string axis;
    };
    std::vector<AxisWord> axes;
    for (const Word& w : words_of(s))
      if (std::string axis = axis_called(w.text); !axis.empty()) axes.push_back({w.at, w.end(), std::move(axis)});
    if (axes.empty() || !trimmed(s.substr(0, axes.front().at)).empty()) return false;
    std::vector<Part> parts;
    std::string subject;
    for (std::size_t n = 0; n < axes.size(); ++n) {
      const std::size_t end = n + 1 < axes.size() ? axes[n + 1].at : s.size();
      std::string_view text = trimmed(s.substr(axes[n].end, end - axes[n].end));
      for (const std::string_view of : {" of ", " in "}) {
        const std::size_t at = text.find(of);
        if (at == std::string_view::npos) continue;
        std::string_view who = trimmed(text.substr(at + of.size()));
        std::size_t stop = 0;
        while (stop < who.size() && is_word(who[stop])) ++stop;
        who = who.substr(0, stop);
        if (!who.empty() && !is_english(who) && !one_of(lower(who), {"the", "a", "an", "its", "each", "this"}))
          subject = who;
        text = trimmed(text.substr(0, at));
      }
      for (bool again = true; again;) {
        again = false;
        for (const std::string_view tail : {",", ";", ".", " and", "&", ":"})
          if (text.ends_with(tail) && !text.ends_with("..."))
            text = trimmed(text.substr(0, text.size() - tail.size())), again = true;
      }
      bool progression = false;
      const auto formula = IndexFormula::read(as_formula(text, progression));
      if (!formula) return false;
      parts.push_back({axes[n].axis, *formula});
    }
    return judged_formulas(i, subject, std::move(parts), free_index(parts, thread), thread, of_lane);
  }

  static constexpr std::string_view progression_index = "i_th";

  /// "[2*lane, 2*lane+1]", "[8*lane, 8*lane+8)" and "lane, lane+32, ..." as formulas. `progression`: the last of these.
  static std::string as_formula(std::string_view s, bool& progression) {
    for (const std::string_view more : {", for ", " for ", " (for "})
      if (const std::size_t at = s.find(more); at != std::string_view::npos) s = trimmed(s.substr(0, at));
    const bool dots = s.find("...") != std::string_view::npos || s.find("\u2026") != std::string_view::npos;
    const bool bracket = s.starts_with('[') && (s.ends_with(']') || s.ends_with(')'));
    const bool brace = s.starts_with('{') && s.ends_with('}');
    std::string inside(bracket || (brace && dots) ? s.substr(1, s.size() - 2) : s);
    if (const std::size_t range = inside.find(".."); bracket && !dots && range != std::string::npos)
      inside.replace(range, 2, ",");
    const std::vector<std::string_view> parts = all_parts(inside, ",");
    if (dots && parts.size() >= 3) {
      progression = true;
      return fmt::format("({0}) + (({1})-({0}))*{2}", parts[0], parts[1], progression_index);
    }
    if (bracket && parts.size() == 2)
      return fmt::format("({})..({}){}", parts[0], parts[1], s.ends_with(')') ? "-1" : "");
    return std::string(s);
  }

  /// The one short name that is no thread's: the number of the register, as in "lane + 32*v". Empty: there is none.
  std::string free_index(const std::vector<Part>& parts, const std::string& thread) const {
    const Named known = thread_names(0, 0);
    std::set<std::string> free;
    for (const Part& p : parts)
      for (const std::string& n : p.formula.names())
        if (n != thread && !known.contains(n)) free.insert(n);
    if (free.size() != 1) return {};
    return free.begin()->size() <= 2 || *free.begin() == progression_index ? *free.begin() : std::string();
  }

  /// "(threadIdx.x, threadIdx.y) -> (col, row)".
  bool thread_to_axes(std::size_t i) {
    const std::string_view s = lines_[i].text;
    const std::size_t arrow = s.find("->");
    if (arrow == std::string_view::npos || s.find("threadIdx") > arrow) return false;
    const std::string_view left = trimmed(s.substr(0, arrow)), right = trimmed(s.substr(arrow + 2));
    const std::size_t open = left.find('(');
    if (open == std::string_view::npos || !left.ends_with(')') || !right.starts_with('(') ||
        right.find(')') == std::string_view::npos)
      return false;
    std::string_view subject = trimmed(left.substr(0, open));
    while (subject.ends_with(':')) subject = trimmed(subject.substr(0, subject.size() - 1));
    const bool is_name = !subject.empty() && std::ranges::all_of(subject, is_word) && !is_english(subject);
    const auto threads = all_parts(left.substr(open + 1, left.size() - open - 2), ","),
               axes = all_parts(right.substr(1, right.find(')') - 1), ",");
    if (threads.size() != axes.size()) return false;
    std::vector<Part> parts;
    for (std::size_t n = 0; n < axes.size(); ++n) {
      const auto formula = IndexFormula::read(threads[n]);
      if (!formula || axes[n].empty() || !std::ranges::all_of(axes[n], is_word) || is_digit(axes[n].front()))
        return false;
      parts.push_back({std::string(axes[n]), *formula});
    }
    if (!is_name)
      return not_judged(i, {},
                        "it names no variable: the registers of the elements at these coordinates are not stated");
    if (!block_) return not_judged(i, subject, "the size of the block is not in the launch header");
    return judged_formulas(i, subject, std::move(parts), {}, {}, false);
  }

  // --- other tools ---

  /// The name before `at`: "x: #blocked", "x has layout #blocked", "x : tensor<...,".
  static std::string_view subject_before(std::string_view s, std::size_t at) {
    const Words words = words_of(s, 0, at);
    const auto m = comment_phrases().at("subject", words);
    return m && !is_english(words.front().text) ? words.front().text : std::string_view();
  }

  static std::vector<int> numbers_after(std::string_view s, std::string_view key) {
    std::size_t at = s.find(key);
    if (at != std::string_view::npos) at = s.find_first_of("[{", at + key.size());
    const std::size_t end = at == std::string_view::npos ? at : s.find_first_of("]}", at);
    std::vector<int> out;
    if (end == std::string_view::npos) return out;
    for (const Word& w : words_of(s, at + 1, end))
      if (is_digit(w.text.front())) out.push_back(w.text.size() > 4 ? 1 << 16 : std::stoi(w.low));
    return out;
  }

  /// Names for `rank` axes, slowest first.
  std::vector<std::string> axes_of_rank(std::size_t rank) const {
    const auto known = axes_by_rank_.find(rank);
    if (known != axes_by_rank_.end() && !known->second.empty()) return known->second;
    if (rank == 1) return {"element"};
    if (rank == 2) return {"row", "col"};
    return {};
  }

  bool triton(std::size_t i) {
    const std::string_view s = lines_[i].text;
    if (s.find("sizePerThread") == std::string_view::npos) return false;
    const std::string_view subject = subject_before(s, std::min(s.find('#'), s.find("sizePerThread")));
    const std::vector<int> size = numbers_after(s, "sizePerThread"), threads = numbers_after(s, "threadsPerWarp"),
                           warps = numbers_after(s, "warpsPerCTA"), order = numbers_after(s, "order");
    const std::size_t rank = size.size();
    if (rank == 0 || threads.size() != rank || warps.size() != rank || order.size() != rank)
      return not_judged(i, subject, "the layout is not complete: sizePerThread, threadsPerWarp, warpsPerCTA and order");
    if (subject.empty())
      return not_judged(i, {}, "a layout is defined here, but the comment names no variable that has it");
    const auto power = [](int n) { return n > 0 && std::has_single_bit(static_cast<unsigned>(n)); };
    int lanes = 1, registers = 1, all_warps = 1;
    for (std::size_t d = 0; d < rank; ++d) {
      const bool ok = power(size[d]) && power(threads[d]) && power(warps[d]) && order[d] < static_cast<int>(rank);
      if (!ok) return not_judged(i, subject, "its numbers are no powers of two");
      lanes *= threads[d], registers *= size[d], all_warps *= warps[d];
    }
    Placing p{.axes = axes_of_rank(rank)};
    if (p.axes.empty()) return not_judged(i, subject, "nothing names its dimensions");
    if (lanes != 32 || registers > 64 || all_warps > 32) return not_judged(i, subject, "a warp has 32 threads");
    p.register_bits = std::bit_width(static_cast<unsigned>(registers)) - 1;
    p.warp_bits = std::bit_width(static_cast<unsigned>(all_warps)) - 1;
    p.at = [=](int lane, int warp, int reg) {
      std::optional<std::vector<std::int64_t>> out(std::in_place, rank, 0);
      for (std::size_t n = 0; n < rank; ++n) {
        const auto d = static_cast<std::size_t>(order[n]);
        (*out)[d] = reg % size[d] + size[d] * (lane % threads[d] + threads[d] * (warp % warps[d]));
        reg /= size[d], lane /= threads[d], warp /= warps[d];
      }
      return out;
    };
    return judged(i, subject, std::move(p));
  }

  bool cute(std::size_t i) {
    const std::string_view s = lines_[i].text;
    const auto found = find_cute_layout(s);
    if (!found) return false;
    const std::string_view subject = subject_before(s, found->at);
    const std::string words = lower(s);
    const bool threads_first = words.find("tv") != std::string::npos || words.find("(t") != std::string::npos ||
                               (words.find("thr") != std::string::npos && words.find("val") != std::string::npos);
    const CuteLayout& l = found->layout;
    if (words.find("smem") != std::string::npos || words.find("shared") != std::string::npos ||
        words.find("gmem") != std::string::npos)
      return false;  // of memory
    if (!threads_first || l.modes.size() != 2) {
      // Only where something speaks of a layout: "(a,b):(c,d)" may be anything.
      if (subject.empty() || (!found->named && words.find("layout") == std::string::npos)) return false;
      return not_judged(i, subject, "a layout alone leaves open which of its modes are threads and registers");
    }
    if (subject.empty()) return not_judged(i, {}, "the comment names no variable that has this layout");
    std::int64_t threads = l.modes[0].size(), values = l.modes[1].size();
    const bool powers = threads > 0 && values > 0 && std::has_single_bit(static_cast<std::uint64_t>(threads)) &&
                        std::has_single_bit(static_cast<std::uint64_t>(values));
    if (!powers || threads < 32 || threads > 1024 || values > 64)
      return not_judged(i, subject, "its numbers of threads and values are no powers of two");
    std::int64_t rows = 0;
    const std::size_t target = s.find("->");
    if (target != std::string_view::npos) {
      const std::size_t m = s.find_first_of("Mm", target);
      for (std::size_t k = m == std::string_view::npos ? s.size() : m + 1; k < s.size() && is_digit(s[k]); ++k)
        rows = std::min<std::int64_t>(rows * 10 + (s[k] - '0'), 1 << 20);
    }
    Placing p{.axes = rows > 0 ? axes_of_rank(2) : std::vector<std::string>{flat_axis()}};
    if (p.axes.empty()) return not_judged(i, subject, "nothing names its dimensions");
    p.register_bits = std::bit_width(static_cast<std::uint64_t>(values)) - 1;
    p.warp_bits = std::bit_width(static_cast<std::uint64_t>(threads / 32)) - 1;
    p.at = [l, rows](int lane, int warp, int reg) {
      const std::int64_t number = l.modes[0].at(lane + 32 * warp) + l.modes[1].at(reg);
      return rows > 0 ? std::optional<std::vector<std::int64_t>>({number % rows, number / rows})
                      : std::optional<std::vector<std::int64_t>>(std::in_place, 1, number);
    };
    return judged(i, subject, std::move(p));
  }

  // --- operands of mma.sync ---

  /// The axis that the lanes' groups count, and that along which a group's lanes lie: m and k of A, n and k of B, m and n of C. k
  /// is the axis of that name; of the others m is the one beside it that the header has first.
  std::pair<std::string, std::string> axes_of_operand(char operand) const {
    std::vector<std::string> beside_k;
    std::string k;
    for (const std::vector<std::string>& pair : pairs_)
      for (const std::size_t n : {0, 1})
        if (one_of(pair[n], {"k", "K"})) k = pair[n], beside_k.push_back(pair[1 - n]);
    if (beside_k.size() >= 2 && operand == 'A') return {beside_k[0], k};
    if (beside_k.size() >= 2 && operand == 'B') return {beside_k[1], k};
    if (beside_k.size() >= 2) return {beside_k[0], beside_k[1]};
    const std::vector<std::string> axes = axes_of_rank(2);
    if (axes.size() != 2) return {};
    return operand == 'B' ? std::pair(axes[1], axes[0]) : std::pair(axes[0], axes[1]);
  }

  /// "a: A fragment of mma.m16n8k16", "acc holds the C fragment of m16n8k8 (tf32)". Registers are those of the instruction, 32 bits
  /// each. PTX ISA 9.0, "Matrix Fragments for mma.m16n8k16" and those of the other shapes.
  bool fragment(std::size_t i) {
    const std::string_view s = lines_[i].text;
    const std::size_t at = s.find("m16n8k");
    if (at == std::string_view::npos) return false;
    const Words words = words_of(s);
    const auto any = [&](std::initializer_list<std::string_view> of) {
      return std::ranges::any_of(words, [&](const Word& w) { return one_of(w.low, of); });
    };
    if (!any({"fragment", "fragments", "frag", "operand"}) || words.size() < 3) return false;
    const std::string_view subject = words[0].text;
    const bool named = !is_english(subject) && is_word_start(subject.front()) &&
                       (words[1].text == ":" || one_of(words[1].low, {"holds", "is", "has"}));
    if (!named) return false;
    char operand = 0;
    for (const Word& w : words)
      if (w.text.size() == 1 && one_of(w.text, {"A", "B", "C", "D"}) && w.at > 0) operand = w.text.front();
    std::size_t end = at + 6;
    int k = 0;
    for (; end < s.size() && is_digit(s[end]) && k < 100; ++end) k = 10 * k + (s[end] - '0');
    if (operand == 0) return not_judged(i, subject, "it does not say which operand: A, B, C or D");
    const bool wide = s.find("tf32") != std::string_view::npos || k == 4;
    const int simd = wide ? 0 : k == 32 ? 2 : 1;  // bits of a register's elements
    if ((k != 4 && k != 8 && k != 16 && k != 32) || (wide && k > 8))
      return not_judged(i, subject, "the shape is none of m16n8k4, m16n8k8, m16n8k16 and m16n8k32");
    const bool accumulator = operand == 'C' || operand == 'D', b = operand == 'B';
    const auto [across, along] = axes_of_operand(operand);
    if (along.empty()) return not_judged(i, subject, "nothing names the axes of the matrix");
    const auto name = [](const std::string& axis, int bit) { return layout::sum_of({fmt::format("{}{}", axis, bit)}); };
    const int packed = accumulator ? 0 : simd, first_lane = accumulator ? 1 : simd;
    std::vector<layout::Term> low, registers, lanes;
    for (int bit = 0; bit < packed; ++bit) low.push_back(name(along, bit));
    lanes = {name(along, first_lane), name(along, first_lane + 1)};
    for (int bit = 0; bit < 3; ++bit) lanes.push_back(name(across, bit));
    if (accumulator) registers.push_back(name(along, 0));
    if (!b) registers.push_back(name(across, 3));
    if (!accumulator)
      for (int bit = simd + 2; 1 << bit < k; ++bit) registers.push_back(name(along, bit));
    TextClaim c = begun(i);
    if (!low.empty()) c.stated.row(layout::Place::simd) = std::move(low);
    c.stated.row(layout::Place::reg) = std::move(registers);
    c.stated.row(layout::Place::thread) = std::move(lanes);
    c.sentences = {fmt::format("`{}` has register assignment", subject)};
    out_.push_back(std::move(c));
    return true;
  }

  const std::vector<CommentLine>& lines_;
  std::map<std::size_t, std::vector<std::string>> axes_by_rank_;  ///< empty: buffers do not agree
  std::vector<std::vector<std::string>> pairs_;                   ///< axes of buffers that have two
  std::optional<std::array<std::uint32_t, 3>> block_;
  std::size_t read_ = 0;
  std::vector<TextClaim> out_;
};

}  // namespace

std::vector<TextClaim> other_notations(const std::vector<CommentLine>& lines, const Header& header) {
  return OtherReader(lines, header).run();
}

}  // namespace lanescope::source
