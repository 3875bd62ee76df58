#include "kernels/source/notation/claim_variables.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "kernels/base/english.h"
#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

/// Also a likely name of a variable: it counts only where the sentence treats it as a name.
bool is_common_word(std::string_view w) { return is_english(w) || one_of(w, {"a", "i", "s", "t"}); }

struct SentenceWord {
  std::string text;
  bool quoted = false;
  bool named = false;  ///< the sentence treats it as a name: "x has", "array x", "x[", "x:", "x-array"
};

std::vector<SentenceWord> words_of(std::string_view sentence) {
  std::vector<SentenceWord> out;
  for (std::size_t i = 0; i < sentence.size();) {
    if (!is_word_start(sentence[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < sentence.size() && is_word(sentence[end])) ++end;
    SentenceWord w{.text = std::string(sentence.substr(i, end - i))};
    const char before = i > 0 ? sentence[i - 1] : ' ';
    if (before == '-') {  // the "bit" of "8-bit" names nothing
      i = end;
      continue;
    }
    const char after = end < sentence.size() ? sentence[end] : ' ';
    w.quoted = (before == '\'' || before == '"' || before == '`') && (after == '\'' || after == '"' || after == '`');
    w.named = w.quoted || after == '[' || after == ':';
    if (sentence.substr(end).starts_with("-array")) w.named = true;
    out.push_back(std::move(w));
    i = end;
  }
  constexpr std::array<std::string_view, 7> verbs = {"has", "have", "array", "holds", "now", "registers", "contains"};
  constexpr std::array<std::string_view, 6> nouns = {"array", "variable", "register", "registers", "Array", "of"};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i + 1 < out.size() && one_of(out[i + 1].text, verbs)) out[i].named = true;
    if (i > 0 && one_of(out[i - 1].text, nouns)) out[i].named = true;
  }
  return out;
}

}  // namespace

NamedVariables::NamedVariables(const Outline& outline, int function) {
  for (const Local& l : outline.locals) {
    if (l.function != function || !l.in_registers || l.loop_header) continue;
    const Local*& known = by_name_[l.name];
    if (known == nullptr || l.array) known = &l;
    if (!l.parameter) own_.push_back(&l);
  }
  std::stable_sort(own_.begin(), own_.end(), [](const Local* a, const Local* b) { return a->token < b->token; });
}

const Local* NamedVariables::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

int NamedVariables::family(const std::string& base) const {
  const auto known = families_.find(base);
  if (known != families_.end()) return known->second;
  int n = 0;
  while (n < most_members && find(base + std::to_string(n)) != nullptr) ++n;
  if (n > 0) families_.emplace(base, n);
  return n;
}

std::optional<ClaimNames> NamedVariables::meaning(const std::string& word, int wanted) const {
  const std::size_t digits = without_trailing_digits(word).size();
  const std::string base = digits > 0 ? word.substr(0, digits) : word;
  // "x0, x1 hold": the first member stands for its family.
  if (digits < word.size() && wanted > 1 && family(base) >= wanted) return base_meaning(base, wanted);
  if (std::optional<ClaimNames> r = base_meaning(word, wanted)) return r;
  return digits < word.size() ? base_meaning(base, wanted) : std::nullopt;
}

std::optional<ClaimNames> NamedVariables::base_meaning(const std::string& base, int wanted) const {
  const Local* whole = find(base);
  if (whole != nullptr && whole->pointer && !whole->array) whole = nullptr;
  const int n = family(base);
  if (whole != nullptr && (whole->array || n == 0 || wanted == 1))
    return ClaimNames{.display = base, .members = {base}, .problem = {}};
  if (n == 0) {
    if (whole == nullptr) return std::nullopt;
    return ClaimNames{.display = base, .members = {base}, .problem = {}};
  }
  ClaimNames out{.display = base, .members = {}, .problem = {}};
  if (wanted > n) {
    out.problem = fmt::format("the register row names {} registers, but there are {} ({}0 to {}{})", wanted, n, base,
                              base, n - 1);
    return out;
  }
  for (int i = 0; i < (wanted > 0 ? wanted : n); ++i) out.members.push_back(base + std::to_string(i));
  return out;
}

std::pair<const Local*, const Local*> NamedVariables::around(int anchor) const {
  const auto after = std::partition_point(own_.begin(), own_.end(), [&](const Local* l) { return l->token <= anchor; });
  const Local* before = nullptr;
  constexpr std::ptrdiff_t most = 1000;  // a comment speaks of what is near
  for (auto at = after; at != own_.begin() && before == nullptr && after - at < most;) {
    --at;
    if ((*at)->scope_end > anchor) before = *at;
  }
  return {after == own_.end() ? nullptr : *after, before};
}

namespace {

int registers_wanted(const TextClaim& claim) {
  if (!claim.stated.row(layout::Place::reg)) return 0;
  const int bits = claim.stated.bits(layout::Place::reg);
  return bits > 12 ? 1 << 12 : 1 << bits;
}

/// `registers: x0 x1`, `x0..x3`, `x[0..3]`, `v.x v.y v.z v.w`.
ClaimNames explicit_names(const TextClaim& claim, const NamedVariables& variables) {
  ClaimNames out;
  for (const std::string& word : claim.registers) {
    if (out.members.size() >= most_members) break;
    const std::size_t range = word.find("..");
    const std::size_t part = word.find_first_of(".[");
    if (range != std::string::npos && part == range) {
      const std::string first = word.substr(0, range);
      const std::size_t digits = without_trailing_digits(first).size();
      const std::string base = first.substr(0, digits);
      const std::size_t last_digits = word.find_last_not_of("0123456789") + 1;
      const int from = digits < first.size() && first.size() - digits < 6 ? std::stoi(first.substr(digits)) : 0;
      const int to =
          last_digits < word.size() && word.size() - last_digits < 6 ? std::stoi(word.substr(last_digits)) : from;
      for (int i = from; i <= to && out.members.size() < most_members; ++i) {
        out.members.push_back(base + std::to_string(i));
        if (variables.find(out.members.back()) == nullptr) break;  // said below
      }
    } else if (const std::string whole = word.substr(0, part); out.members.empty() || out.members.back() != whole) {
      out.members.push_back(whole);
    }
  }
  for (const std::string& m : out.members) {
    if (out.problem.empty() && variables.find(m) == nullptr)
      out.problem = fmt::format("there is no variable `{}` in this function", m);
  }
  out.display =
      out.members.size() == 1 ? out.members.front() : fmt::format("{}..{}", out.members.front(), out.members.back());
  return out;
}

/// The first name in one sentence.
std::optional<ClaimNames> name_in(const std::string& sentence, const NamedVariables& variables, int wanted) {
  for (const SentenceWord& w : words_of(sentence)) {
    if (is_common_word(w.text) && !w.named) continue;
    if (std::optional<ClaimNames> m = variables.meaning(w.text, wanted)) return m;
  }
  return std::nullopt;
}

/// A name that the sentence plainly uses and that no variable has: "'z' has register assignment:".
std::string unknown_name_in(const std::string& sentence) {
  const std::vector<SentenceWord> words = words_of(sentence);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].quoted) return words[i].text;
    if (words[i].text.size() <= 3 && !is_common_word(words[i].text) && i + 1 < words.size() &&
        (words[i + 1].text == "has" || words[i + 1].text == "array")) {
      return words[i].text;
    }
  }
  return {};
}

std::optional<ClaimNames> neighbours(const NamedVariables& variables, int anchor, int wanted) {
  const auto [after, before] = variables.around(anchor);
  for (const Local* l : {after, before}) {
    // "Immediately after": the declaration is the next statement.
    if (l == nullptr || (l == after && after->token > anchor + 8)) continue;
    if (std::optional<ClaimNames> m = variables.meaning(l->name, wanted); m && m->problem.empty()) return m;
  }
  return std::nullopt;
}

}  // namespace

ClaimNames names_of(const TextClaim& claim, const NamedVariables& variables, int anchor) {
  const int wanted = registers_wanted(claim);
  if (!claim.registers.empty()) return explicit_names(claim, variables);
  std::vector<std::string> order(claim.sentences.rbegin(), claim.sentences.rend());
  const auto speaks_of_assignment = [](const std::string& s) {
    return s.find("assig") != std::string::npos || s.find("layout") != std::string::npos;
  };
  std::stable_partition(order.begin(), order.end(), speaks_of_assignment);
  for (const std::string& s : order) {
    if (std::optional<ClaimNames> m = name_in(s, variables, wanted)) return *m;
    if (!speaks_of_assignment(s)) continue;
    if (const std::string unknown = unknown_name_in(s); !unknown.empty()) {
      return {.display = unknown,
              .members = {},
              .problem = fmt::format("there is no variable `{}` or `{}0` in this function", unknown, unknown)};
    }
  }
  if (std::optional<ClaimNames> m = neighbours(variables, anchor, wanted)) return *m;
  return {.display = {},
          .members = {},
          .problem =
              "the comment names no variable of this function; write `x has the following register assignment:` or a "
              "line `registers: x0 x1`"};
}

}  // namespace lanescope::source
