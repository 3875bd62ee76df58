#include "kernels/source/notation/stated_steps.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/text.h"
#include "kernels/layout/assignment.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

using layout::Assignment;
using layout::PhysicalBit;
using layout::Place;
using layout::Term;

struct Step {
  enum class Kind : std::uint8_t { exchange, local_transpose, warp_transpose, broadcast, gather };
  Kind kind = Kind::exchange;
  int line = 0;
  std::string a, b;   ///< the two bits; empty: it names none
  bool open = false;  ///< it continues in another way, or is conditional: nothing is known

  bool has_bits() const { return !a.empty(); }
};
using Kind = Step::Kind;

constexpr std::size_t most_between = 12;    ///< words from the verb to the second bit
constexpr std::size_t most_exchanges = 10;  ///< between two claims

std::optional<PhysicalBit> physical_bit(std::string_view word) {
  constexpr std::size_t most_digits = 2;
  const std::string_view digits = word.substr(std::min<std::size_t>(1, word.size()));
  if (digits.empty() || digits.size() > most_digits || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  for (int p = 0; p < layout::place_count; ++p) {
    const auto place = static_cast<Place>(p);
    const bool is_lane = place == Place::thread && word.front() == 'l';
    if (word.front() == layout::row_letter(place) || is_lane) return PhysicalBit{place, std::stoi(std::string(digits))};
  }
  return std::nullopt;
}

/// Words that may stand between the verb and the bits.
bool may_be_between(std::string_view low) {
  return one_of(low, {"physical", "logical", "bit",   "bits", "the",  "a",    "simd",     "register", "registers",
                      "thread",   "lane",    "lanes", "warp", "with", "and",  "index",    "this",     "data",
                      "of",       "threads", "is",    "are",  "now",  "were", "operation"});
}

/// The next two bits from word `from` on, in the direction `by`; `is_bit` selects what counts as one.
std::optional<std::pair<std::string, std::string>> bits_beside(const Words& words, std::size_t from, bool back,
                                                               const auto& is_bit) {
  std::string first;
  for (std::size_t n = 1; n <= most_between; ++n) {
    const std::size_t k = back ? from - n : from + n;  // wraps below 0, which is past the end
    if (k >= words.size()) break;
    if (is_bit(words[k].text)) {
      if (!first.empty()) return std::pair(first, std::string(words[k].text));
      first = words[k].text;
    } else if (!may_be_between(words[k].low)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Which bit of the claim holds this logical bit alone.
std::optional<PhysicalBit> holder(const Assignment& a, std::string_view name) {
  for (int p = 0; p < layout::place_count; ++p)
    if (const auto& row = a.row(static_cast<Place>(p)))
      for (std::size_t i = 0; i < row->size(); ++i)
        if ((*row)[i].names.size() == 1 && (*row)[i].names.front() == name && !(*row)[i].constant)
          return PhysicalBit{static_cast<Place>(p), static_cast<int>(i)};
  return std::nullopt;
}

Term* term_at(Assignment& a, PhysicalBit bit) {
  auto& row = a.row(bit.place);
  return row && bit.index < static_cast<int>(row->size()) ? &(*row)[static_cast<std::size_t>(bit.index)] : nullptr;
}

/// The words of a sentence, which may go over several lines, and the line of each.
struct Sentence {
  Words words;
  std::vector<int> lines;
};

/// Of comment lines between two lines.
std::vector<Sentence> sentences_between(const std::vector<CommentLine>& lines, int after, int until) {
  std::vector<Sentence> out;
  const CommentLine* last = nullptr;
  for (const CommentLine& l : lines) {
    if (l.line <= after || l.line >= until) continue;
    const bool goes_on = last != nullptr && last->group == l.group && last->line + 1 == l.line;
    if (!goes_on) out.emplace_back();
    last = &l;
    std::size_t past = 0;
    for (Word& w : plain_words_of(l.text)) {
      const std::string_view between = l.text.substr(past, w.at - past);
      const std::size_t stop = between.find_first_of(".;!?");
      if (stop != std::string_view::npos && stop + 1 < between.size() && is_blank(between[stop + 1]))
        out.emplace_back();
      past = w.end();
      if (out.empty()) out.emplace_back();
      out.back().words.push_back(std::move(w));
      out.back().lines.push_back(l.line);
    }
    if (l.text.find_first_of(".;!?", past) != std::string_view::npos) out.emplace_back();
  }
  return out;
}

/// The kind of the step that word `k` states.
std::optional<Kind> kind_at(const Words& words, std::size_t k) {
  const std::string_view low = words[k].low;
  if (low.starts_with("exchang") || one_of(low, {"swap", "swaps", "swapping", "swapped"})) return Kind::exchange;
  if (low.starts_with("transpos") && k > 0) {
    if (words[k - 1].low == "local") return Kind::local_transpose;
    if (words[k - 1].low == "warp") return Kind::warp_transpose;
  }
  if (one_of(low, {"broadcast", "broadcasts", "broadcasting"})) return Kind::broadcast;
  if (one_of(low, {"gather", "gathers", "gathering", "gathered"})) return Kind::gather;
  return std::nullopt;
}

std::optional<Step> step_in(const Sentence& s, const Assignment& before) {
  const auto physical = [](std::string_view w) { return physical_bit(w).has_value(); };
  const auto logical = [&](std::string_view w) { return holder(before, w).has_value(); };
  const auto is_open = [](const Word& w) {
    return one_of(w.low, {"would", "could", "rather", "if", "instead", "not", "or", "no", "never", "without", "then"});
  };
  std::optional<Step> out;
  for (std::size_t k = 0; k < s.words.size(); ++k) {
    const std::optional<Kind> kind = kind_at(s.words, k);
    if (!kind) continue;
    Step step{.kind = *kind, .line = s.lines[k], .a = {}, .b = {}, .open = std::ranges::any_of(s.words, is_open)};
    if (*kind != Kind::broadcast && *kind != Kind::gather) {
      auto bits = bits_beside(s.words, k, false, physical);
      if (!bits) bits = bits_beside(s.words, k, false, logical);
      if (!bits && s.words[k].low.ends_with("ed")) bits = bits_beside(s.words, k, true, physical);
      if (!bits && s.words[k].low.ends_with("ed")) bits = bits_beside(s.words, k, true, logical);
      if (bits) std::tie(step.a, step.b) = *bits;
    }
    // "The warp transpose exchanges r0 with t2": the verb with bits says more than the noun.
    if (!out || (!out->has_bits() && step.has_bits())) {
      const bool kind_stays = out && out->kind != Kind::exchange;
      if (kind_stays && step.kind == Kind::exchange && step.has_bits()) step.kind = out->kind;
      out = step;
    }
  }
  return out;
}

std::string_view kind_words(Kind kind) {
  constexpr std::string_view words[] = {"an exchange", "a local transpose", "a warp transpose", "a broadcast",
                                        "a gather"};
  return entry_for(words, kind);
}

/// Two claims whose rows can be compared: those that both have.
struct Between {
  const Claim &before, &after;
  Assignment from, to;
  std::vector<layout::BitDifference> moved;

  bool changes(std::initializer_list<Place> places) const {
    return std::ranges::any_of(
        moved, [&](const layout::BitDifference& d) { return std::ranges::find(places, d.bit.place) != places.end(); });
  }
};

std::optional<Between> between(const Claim& before, const Claim& after) {
  Between b{.before = before, .after = after, .from = before.stated, .to = after.stated, .moved = {}};
  for (int p = 0; p < layout::place_count; ++p) {
    const auto place = static_cast<Place>(p);
    if (b.from.row(place).has_value() != b.to.row(place).has_value())
      b.from.row(place).reset(), b.to.row(place).reset();
  }
  b.moved = layout::compare(b.from, b.to);
  const bool any = std::ranges::any_of(b.from.rows, [](const auto& row) { return row.has_value(); });
  return any ? std::optional(std::move(b)) : std::nullopt;
}

/// The bits of a step, where the exchanges so far have put the logical ones.
std::optional<std::pair<PhysicalBit, PhysicalBit>> bits_of(const Step& s, const Assignment& now) {
  const auto one = [&](const std::string& word) -> std::optional<PhysicalBit> {
    const auto physical = physical_bit(word), logical = holder(now, word);
    if (physical && logical) return std::nullopt;  // an axis called t
    return physical ? physical : logical;
  };
  const auto a = one(s.a), b = one(s.b);
  return a && b ? std::optional(std::pair(*a, *b)) : std::nullopt;
}

enum class Led : std::uint8_t { there, elsewhere, unknown };

/// Whether some of the exchanges, one after another, lead from the one claim to the other.
Led some_lead_there(const Between& b, const std::vector<Step>& steps) {
  if (steps.size() > most_exchanges) return Led::unknown;
  for (std::size_t chosen = 1; chosen < std::size_t{1} << steps.size(); ++chosen) {
    Assignment now = b.from;
    for (std::size_t n = 0; n < steps.size(); ++n) {
      if ((chosen >> n & 1) == 0) continue;
      const auto bits = bits_of(steps[n], now);
      Term *first = bits ? term_at(now, bits->first) : nullptr, *second = bits ? term_at(now, bits->second) : nullptr;
      if (first == nullptr || second == nullptr) return Led::unknown;
      std::swap(*first, *second);
    }
    if (layout::compare(now, b.to).empty()) return Led::there;
  }
  return Led::elsewhere;
}

/// The only two bits in which the claims differ, if their contents are exchanged.
std::optional<std::pair<PhysicalBit, PhysicalBit>> only_exchange(const Between& b) {
  const auto& m = b.moved;
  if (m.size() != 2 || m[0].stated != m[1].real || m[1].stated != m[0].real) return std::nullopt;
  return std::pair(m[0].bit, m[1].bit);
}

/// Exchanges that name their bits: in words why none of their orders leads there; empty: one does, or it is open.
std::string wrong_exchanges(const Between& b, const std::vector<Step>& steps) {
  if (some_lead_there(b, steps) != Led::elsewhere) return {};
  const std::string claims = fmt::format("the claims at lines {} and {}", b.before.first_line, b.after.first_line);
  const Step& s = steps.front();
  if (steps.size() > 1) {
    // Further steps may have no words. A bit that changes and that no sentence names shows that this is so.
    for (const layout::BitDifference& d : b.moved)
      if (std::ranges::none_of(steps, [&](const Step& one) {
            const auto bits = bits_of(one, b.from);
            return bits && (bits->first == d.bit || bits->second == d.bit);
          }))
        return {};
    return fmt::format("no order of the {} exchanges in the comments leads from one to the other of {}: {}",
                       steps.size(), claims, layout::describe(b.moved));
  }
  if (const auto only = only_exchange(b))
    return fmt::format("the comment exchanges {} and {}, but {} differ by an exchange of {} and {}", s.a, s.b, claims,
                       layout::to_string(only->first), layout::to_string(only->second));
  const auto bits = bits_of(s, b.from);
  for (const PhysicalBit bit : {bits->first, bits->second})
    if (std::ranges::find(b.moved, bit, &layout::BitDifference::bit) == b.moved.end())
      return fmt::format("the comment exchanges {} and {}, but {} have the same contents in {}", s.a, s.b, claims,
                         layout::to_string(bit));
  return {};
}

/// A step of which only the kind is known: in words why it is another one; empty: it is not.
std::string wrong_kind(const Between& b, const Step& s) {
  const bool lanes = b.changes({Place::thread}), above = b.changes({Place::warp, Place::block});
  const bool inside = b.changes({Place::simd, Place::reg});
  std::string_view rule;
  switch (s.kind) {
    case Kind::exchange:
      return {};
    case Kind::local_transpose:
      if (!inside || lanes || above) rule = "changes bits of simd and register alone";
      break;
    case Kind::warp_transpose:
      if (!lanes || above) rule = "changes bits of the lane, and none of the warp or the block";
      break;
    case Kind::broadcast: {
      const auto repeats = [](const auto& row) {
        return row && std::ranges::any_of(*row, [](const Term& t) { return t.role != Term::Role::sum; });
      };
      if (b.to.row(Place::thread) && !std::ranges::any_of(b.to.rows, repeats)) rule = "leaves a bit [unused]";
      break;
    }
    case Kind::gather:
      if (inside && !lanes && !above) rule = "changes bits of the lane, the warp or the block";
      break;
  }
  if (rule.empty()) return {};
  const std::string moved = b.moved.empty() ? "they are the same" : layout::describe(b.moved);
  return fmt::format("the comment names {}, which {}; of the claims at lines {} and {} {}", kind_words(s.kind), rule,
                     b.before.first_line, b.after.first_line, moved);
}

bool same_logical_bits(const Between& b) { return layout::logical_bits(b.from) == layout::logical_bits(b.to); }

/// `own_group`: of the comment with the second claim.
std::pair<int, std::string> wrong_step(const std::vector<CommentLine>& lines, const Between& b) {
  std::vector<Step> exact, kinds;
  const auto own = std::ranges::find(lines, b.after.first_line, &CommentLine::line);
  for (const Sentence& s : sentences_between(lines, b.before.last_line, b.after.first_line)) {
    const std::optional<Step> step = step_in(s, b.before.stated);
    if (!step) continue;
    if (step->kind == Kind::broadcast || step->kind == Kind::gather) {
      const auto at = std::ranges::find(lines, step->line, &CommentLine::line);
      const bool of_memory = std::ranges::any_of(s.words, [](const Word& w) {
        return one_of(w.low, {"memory", "shared", "global", "smem", "tile", "table", "array"});
      });
      if (own == lines.end() || at->group != own->group || step->open || of_memory) continue;
    } else if (step->open || (step->kind == Kind::exchange && !step->has_bits())) {
      return {};  // it continues in another way
    }
    (step->has_bits() ? exact : kinds).push_back(*step);
  }
  if (!exact.empty()) return {exact.front().line, same_logical_bits(b) ? wrong_exchanges(b, exact) : std::string()};
  const auto others = [&](const Step& s) { return s.kind != kinds.front().kind; };
  if (kinds.empty() || std::ranges::any_of(kinds, others)) return {};
  if (kinds.front().kind != Kind::broadcast && !same_logical_bits(b)) return {};
  return {kinds.front().line, wrong_kind(b, kinds.front())};
}

}  // namespace

bool begins_with_step(std::string_view line) {
  constexpr std::size_t most_before = 3;  // "the next warp transpose"
  const Words words = plain_words_of(line);
  for (std::size_t k = 0; k < std::min(words.size(), most_before + 1); ++k)
    if (kind_at(words, k)) return true;
  return false;
}

Diagnostics wrong_steps(const std::vector<CommentLine>& lines, const std::vector<Claim>& claims) {
  Diagnostics out;
  for (std::size_t n = 1; n < claims.size(); ++n) {
    const Claim &before = claims[n - 1], &after = claims[n];
    if (before.function.empty() || before.function != after.function || before.alternative_of >= 0 ||
        after.alternative_of >= 0)
      continue;
    const std::optional<Between> both = between(before, after);
    if (!both) continue;
    auto [line, wrong] = wrong_step(lines, *both);
    if (wrong.empty()) continue;
    out.push_back({.file = {},
                   .line = line,
                   .message = std::move(wrong),
                   .remedy = "correct the comment or the claims",
                   .severity = Severity::warning,
                   .code = DiagnosticCode::stated_step});
  }
  return out;
}

}  // namespace lanescope::source
