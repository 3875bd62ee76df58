#include "kernels/source/notation/stated_steps.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/layout/assignment.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

using layout::PhysicalBit;
using layout::Place;

struct Step {
  int line = 0;
  std::string a, b;
};

constexpr std::size_t most_between = 12;  ///< words from the verb to the second bit

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

/// "k0", "ReIm" at the end of a list of words that may stand between the verb and the bits.
bool may_be_between(std::string_view low) {
  return one_of(low,
                {"physical", "logical", "bit",  "bits", "the", "a",     "simd", "register", "registers", "thread",
                 "lane",     "lanes",   "warp", "with", "and", "index", "this", "data",     "of",        "threads"});
}

/// The two bits that the sentence from word `verb` on names; `is_bit` selects what counts as one.
std::optional<std::pair<std::string, std::string>> bits_after(const Words& words, std::size_t verb,
                                                              const auto& is_bit) {
  std::string first;
  for (std::size_t k = verb + 1; k < std::min(words.size(), verb + 1 + most_between); ++k) {
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
std::optional<PhysicalBit> holder(const layout::Assignment& a, std::string_view name) {
  for (int p = 0; p < layout::place_count; ++p)
    if (const auto& row = a.row(static_cast<Place>(p)))
      for (std::size_t i = 0; i < row->size(); ++i)
        if ((*row)[i].names.size() == 1 && (*row)[i].names.front() == name && !(*row)[i].constant)
          return PhysicalBit{static_cast<Place>(p), static_cast<int>(i)};
  return std::nullopt;
}

/// The only two bits in which the claims differ, if their contents are exchanged.
std::optional<std::pair<PhysicalBit, PhysicalBit>> exchange_between(const layout::Assignment& before,
                                                                    const layout::Assignment& after) {
  layout::Assignment stated = before, real = after;
  for (int p = 0; p < layout::place_count; ++p) {
    const auto place = static_cast<Place>(p);
    if (stated.row(place).has_value() != real.row(place).has_value())
      stated.row(place).reset(), real.row(place).reset();
  }
  const auto moved = layout::compare(stated, real);
  if (moved.size() != 2 || moved[0].stated != moved[1].real || moved[1].stated != moved[0].real) return std::nullopt;
  return std::pair(moved[0].bit, moved[1].bit);
}

/// Sentences with an exchange of two bits between two lines.
std::vector<Step> steps_between(const std::vector<CommentLine>& lines, const Claim& before, int until) {
  std::vector<Step> out;
  for (const CommentLine& l : lines) {
    if (l.line <= before.last_line || l.line >= until) continue;
    const Words words = plain_words_of(l.text);
    const auto is_verb = [](const Word& w) {
      return one_of(w.low,
                    {"exchange", "exchanges", "exchanged", "exchanging", "swap", "swaps", "swapping", "swapped"});
    };
    const auto is_open = [](const Word& w) {
      return one_of(w.low,
                    {"would", "could", "rather", "if", "instead", "not", "or", "no", "never", "without", "then"});
    };
    const auto verb = std::ranges::find_if(words, is_verb);
    if (verb == words.end()) continue;
    const auto at = static_cast<std::size_t>(verb - words.begin());
    const auto physical = [](std::string_view w) { return physical_bit(w).has_value(); };
    const auto logical = [&](std::string_view w) { return holder(before.stated, w).has_value(); };
    auto bits = bits_after(words, at, physical);
    if (!bits) bits = bits_after(words, at, logical);
    // A sentence that continues in another way counts as one, so that nothing is judged.
    if (!bits || std::ranges::any_of(words, is_open))
      out.push_back({.line = l.line});
    else
      out.push_back({.line = l.line, .a = bits->first, .b = bits->second});
  }
  return out;
}

}  // namespace

Diagnostics wrong_steps(const std::vector<CommentLine>& lines, const std::vector<Claim>& claims) {
  Diagnostics out;
  for (std::size_t n = 1; n < claims.size(); ++n) {
    const Claim &before = claims[n - 1], &after = claims[n];
    if (before.function.empty() || before.function != after.function || before.alternative_of >= 0 ||
        after.alternative_of >= 0)
      continue;
    const auto moved = exchange_between(before.stated, after.stated);
    if (!moved) continue;
    const std::vector<Step> steps = steps_between(lines, before, after.first_line);
    if (steps.size() != 1 || steps.front().a.empty()) continue;
    const Step& s = steps.front();
    const auto bit_of = [&](const std::string& word) -> std::optional<PhysicalBit> {
      const auto physical = physical_bit(word), logical = holder(before.stated, word);
      if (physical && logical) return std::nullopt;  // an axis called t
      return physical ? physical : logical;
    };
    const auto a = bit_of(s.a), b = bit_of(s.b);
    const bool same = (a == moved->first && b == moved->second) || (a == moved->second && b == moved->first);
    if (!a || !b || same) continue;
    out.push_back(
        {.file = {},
         .line = s.line,
         .message = fmt::format("the comment exchanges {} and {}, but the claims at lines {} and {} differ by "
                                "an exchange of {} and {}",
                                s.a, s.b, before.first_line, after.first_line, layout::to_string(moved->first),
                                layout::to_string(moved->second)),
         .remedy = "correct the comment or the claims",
         .severity = Severity::warning});
  }
  return out;
}

}  // namespace lanescope::source
