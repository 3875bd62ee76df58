#include "kernels/source/notation/claim_variables.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/base/english.h"
#include "kernels/base/text.h"
#include "kernels/source/notation/next_writes.h"

namespace lanescope::source {
namespace {

/// Also a likely name of a variable: it counts only where the sentence treats it as a name.
bool is_common_word(std::string_view w) { return is_english(w) || one_of(w, {"a", "i", "s", "t"}); }

struct SentenceWord {
  std::string text;
  bool quoted = false;
  bool subject = false;  ///< what "has" something, or is quoted
  bool named = false;    ///< the sentence treats it as a name: "x has", "array x", "x[", "x:", "x-array", "a, after"
};

/// The place after the ".v4", "->v4" and "[2]" that follow a name at once; a full stop and the words after it are none.
std::size_t end_of_path(std::string_view s, std::size_t at) {
  for (;;) {
    std::size_t end = at;
    if (s.substr(at).starts_with("->")) {
      end = at + 2;
    } else if (at < s.size() && s[at] == '.') {
      end = at + 1;
    } else if (at < s.size() && s[at] == '[') {
      end = at + 1;
      while (end < s.size() && s[end] >= '0' && s[end] <= '9') ++end;
      if (end == at + 1 || end >= s.size() || s[end] != ']') return at;
      at = end + 1;
      continue;
    }
    if (end == at || end >= s.size() || !is_word_start(s[end])) return at;
    while (end < s.size() && is_word(s[end])) ++end;
    at = end;
  }
}

std::vector<SentenceWord> sentence_words(std::string_view sentence) {
  std::vector<SentenceWord> out;
  for (std::size_t i = 0; i < sentence.size();) {
    if (!is_word_start(sentence[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < sentence.size() && is_word(sentence[end])) ++end;
    SentenceWord w{.text = std::string(sentence.substr(i, end - i))};
    end = end_of_path(sentence, end);
    w.text = sentence.substr(i, end - i);
    if (w.text.starts_with("this->")) w.text.erase(0, 6);
    const char before = i > 0 ? sentence[i - 1] : ' ';
    if (before == '-') {  // the "bit" of "8-bit" names nothing
      i = end;
      continue;
    }
    const char after = end < sentence.size() ? sentence[end] : ' ';
    w.quoted = (before == '\'' || before == '"' || before == '`') && (after == '\'' || after == '"' || after == '`');
    w.named = w.quoted || after == '[' || after == ':' || w.text.ends_with("]");
    if (sentence.substr(end).starts_with("-array")) w.named = true;
    if (out.empty() && w.text.size() == 1 && after == ',') w.named = true;  // no article has a comma after it
    w.subject = w.named;
    out.push_back(std::move(w));
    i = end;
  }
  constexpr std::array<std::string_view, 7> verbs = {"has", "have", "array", "holds", "now", "registers", "contains"};
  constexpr std::array<std::string_view, 6> nouns = {"array", "variable", "register", "registers", "Array", "of"};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i + 1 < out.size() && one_of(out[i + 1].text, verbs)) out[i].named = true;
    if (i + 1 < out.size() && (out[i + 1].text == "has" || out[i + 1].text == "have")) out[i].subject = true;
    if (i > 0 && one_of(out[i - 1].text, nouns)) out[i].named = true;
  }
  return out;
}

}  // namespace

ClaimNames unclear_names(std::string why, std::string display) {
  return {.display = std::move(display), .problem = coded<Why::unclear_variable>(std::move(why))};
}

NamedVariables::NamedVariables(const Lexed& lexed, const Outline& outline, const Values& values,
                               const std::vector<bool>& data, int function)
    : lexed_(&lexed), outline_(&outline), values_(&values), data_(&data), function_(function) {
  for (const Local& l : outline.locals) {
    if (l.function != function || !l.in_registers || l.loop_header) continue;
    const Local*& known = by_name_[l.name];
    if (known == nullptr || l.array || known->member) known = &l;
    if (!l.parameter && !l.member) own_.push_back(&l);
  }
  std::stable_sort(own_.begin(), own_.end(), [](const Local* a, const Local* b) { return a->token < b->token; });
}

const Local* NamedVariables::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

bool NamedVariables::has_data(std::string_view name) const {
  const Local* l = find(name);
  return l != nullptr && (*data_)[static_cast<std::size_t>(l - outline_->locals.data())];
}

const std::vector<std::int64_t>& NamedVariables::array_after(const Local& local) const {
  const auto [known, fresh] = after_.try_emplace(local.name);
  std::vector<std::int64_t>& extents = known->second;
  constexpr std::size_t most_searched = 64;
  if (!fresh || after_.size() > most_searched) return extents;
  const FunctionRange& f = outline_->functions[static_cast<std::size_t>(function_)];
  if (!local.parameter || f.info.is_kernel) return extents;
  const auto& parameters = f.info.parameters;
  const auto position = std::ranges::find(parameters, local.name, &Parameter::name) - parameters.begin();
  bool agree = true;
  for (int i = 0; i + 1 < lexed_->count(); ++i) {
    if (lexed_->of(i) != f.info.name || !lexed_->is(i + 1, "(") || (f.head <= i && i < f.open)) continue;
    int at = i + 2;
    std::ptrdiff_t n = 0;
    const int close = lexed_->partner(i + 1);
    for (; at < close && n < position; ++at) {
      if (lexed_->is(at, ",")) ++n;
      if (lexed_->partner(at) > at) at = lexed_->partner(at);
    }
    const int l = at < close && (lexed_->is(at + 1, ",") || at + 1 == close) ? outline_->find(lexed_->of(at), at) : -1;
    const Local* passed = l < 0 ? nullptr : &outline_->locals[static_cast<std::size_t>(l)];
    if (passed == nullptr || !passed->array || !passed->in_registers || passed->parameter) {
      agree = false;
      break;
    }
    const auto object = object_at(*lexed_, *outline_, *values_, *passed, "");
    if (!object || object->extents.empty() || std::ranges::find(object->extents, -1) != object->extents.end() ||
        (!extents.empty() && extents != object->extents)) {
      agree = false;
      break;
    }
    extents = object->extents;
  }
  if (!agree) extents.clear();
  return extents;
}

std::optional<ObjectType> NamedVariables::object_of(std::string_view name) const {
  const NamePath parts = parts_of(name);
  const Local* l = find(parts.base);
  if (l == nullptr) return std::nullopt;
  return object_at(*lexed_, *outline_, *values_, *l, parts.path);
}

std::optional<bool> NamedVariables::fits(const ClaimNames& names, int wanted) const {
  std::uint64_t bytes = 0, element = 0;
  for (const std::string& name : names.members) {
    const auto object = object_of(name);
    if (!object) return std::nullopt;
    const std::uint64_t one = bytes_of(*object, *outline_, *values_);
    if (one == 0) return std::nullopt;
    bytes += one;
    const ObjectType scalar{.type = object->type, .extents = {}, .pointer = false};
    const std::uint64_t of_element = bytes_of(scalar, *outline_, *values_);
    element = of_element <= 8 ? of_element : 4;
  }
  return fills_registers(bytes, element, wanted);
}

bool NamedVariables::is_part(std::string_view name) const {
  const NamePath parts = parts_of(name);
  const Local* l = find(parts.base);
  if (l == nullptr || parts.path.empty() || !object_of(name)) return false;
  return parts.path.find_first_not_of("0123456789", 1) == parts.path.size() - 1 || parts.path.front() != '[';
}

bool NamedVariables::are_all_of_one(const std::vector<std::string>& names) const {
  if (names.size() < 2) return false;
  const std::string base = parts_of(names.front()).base;
  const auto whole = object_of(base);
  std::uint64_t bytes = 0;
  int before = -1;
  for (const std::string& name : names) {
    const NamePath parts = parts_of(name);
    const auto part = parts.base == base && parts.path.size() > 1 ? object_of(name) : std::nullopt;
    if (!part) return false;
    const std::size_t axis = std::string_view("xyzw").find(parts.path.substr(1));
    const bool number = parts.path.front() == '[' && is_part(name) && parts.path.size() < 9;
    const int at = number ? std::stoi(parts.path.substr(1)) : axis < 4 ? static_cast<int>(axis) : -1;
    if (at != before + 1) return false;
    before = at;
    bytes += bytes_of(*part, *outline_, *values_);
  }
  return whole && bytes != 0 && bytes == bytes_of(*whole, *outline_, *values_);
}

std::string NamedVariables::expression(const std::string& name) const {
  const Local* l = find(name);
  if (l == nullptr || !l->parameter || !l->pointer || l->reference) return name;
  std::string type = l->type, extents = l->extents;
  if (l->array) {
    type.resize(type.size() - (type.ends_with("[]") ? 2 : 0));
  } else {
    const std::size_t star = type.rfind('*');
    for (const std::int64_t n : array_after(*l)) extents += fmt::format("[{}]", n);
    if (star == std::string::npos || extents.empty()) return name;
    type.resize(star);
  }
  return fmt::format("*({}(*){}){}", type, extents, name);
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
  if (word.find_first_of(".[-") != std::string::npos) return part_meaning(word, wanted);
  const std::size_t digits = without_trailing_digits(word).size();
  const std::string base = digits > 0 ? word.substr(0, digits) : word;
  // "x0, x1 hold": the first member stands for its family.
  if (digits < word.size() && wanted > 1 && family(base) >= wanted) return base_meaning(base, wanted);
  if (std::optional<ClaimNames> r = base_meaning(word, wanted)) return r;
  return digits < word.size() ? base_meaning(base, wanted) : std::nullopt;
}

/// "s.v4", "x[2]". The number of "x[4]" is the extent of the whole array where the array has so many elements.
std::optional<ClaimNames> NamedVariables::part_meaning(const std::string& word, int wanted) const {
  const NamePath parts = parts_of(word);
  const Local* l = find(parts.base);
  if (l == nullptr) return std::nullopt;
  const auto whole = object_at(*lexed_, *outline_, *values_, *l, "");
  const auto part = object_at(*lexed_, *outline_, *values_, *l, parts.path);
  if (!part || !whole) return meaning(parts.base, wanted);
  if (parts.path.starts_with("[")) {
    const std::string digits = parts.path.substr(1, parts.path.find(']') - 1);
    const bool number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
    const std::int64_t index = number && digits.size() < 9 ? std::stoll(digits) : -1;
    const bool inside = index >= 0 && index < whole->extents.front();
    const bool all = wanted > 1 && fills_registers(bytes_of(*whole, *outline_, *values_), 4, wanted);
    if (!inside || all) return meaning(parts.base, wanted);
  }
  const std::string name = parts.base + parts.path;
  return ClaimNames{.display = name, .members = {name}};
}

std::optional<ClaimNames> NamedVariables::base_meaning(const std::string& base, int wanted) const {
  const Local* whole = find(base);
  if (whole != nullptr && whole->pointer && !whole->array && array_after(*whole).empty()) whole = nullptr;
  const int n = family(base);
  if (whole != nullptr && (whole->array || n == 0 || wanted == 1))
    return ClaimNames{.display = base, .members = {base}};
  if (n == 0) {
    if (whole == nullptr) return std::nullopt;
    return ClaimNames{.display = base, .members = {base}};
  }
  ClaimNames out{.display = base};
  if (wanted > n) {
    // v0[2] and v1[2] are four registers.
    for (int i = 0; i < n; ++i) out.members.push_back(base + std::to_string(i));
    if (fits(out, wanted) == true) return out;
    return unclear_names(fmt::format("the register row names {} registers, but there are {} ({}0 to {}{})", wanted, n,
                                     base, base, n - 1),
                         base);
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
  for (const std::string& word : claim.names) {
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
    } else if (part != std::string::npos && range == std::string::npos && variables.is_part(word)) {
      out.members.push_back(word);
    } else if (const std::string whole = word.substr(0, part); out.members.empty() || out.members.back() != whole) {
      out.members.push_back(whole);
    }
  }
  for (const std::string& m : out.members)
    if (out.problem.empty() && variables.find(parts_of(m).base) == nullptr)
      out.problem = coded<Why::no_variable>(fmt::format("`{}`", m));
  if (variables.are_all_of_one(out.members)) out.members = {parts_of(out.members.front()).base};
  out.display =
      out.members.size() == 1 ? out.members.front() : fmt::format("{}..{}", out.members.front(), out.members.back());
  return out;
}

/// Several variables that make up the registers together: "(x, y)", "x and y", "lo/hi". nullopt: no such list fits.
std::optional<ClaimNames> listed_in(const std::string& sentence, const NamedVariables& variables, int wanted) {
  if (wanted < 2) return std::nullopt;
  ClaimNames out;
  const auto whole = [&] { return out.members.size() > 1 && variables.fits(out, wanted) == true; };
  std::size_t past = 0;  // the last name
  for (std::size_t i = 0; i < sentence.size();) {
    if (!is_word_start(sentence[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < sentence.size() && is_word(sentence[end])) ++end;
    const std::size_t begin = i;
    std::string name = sentence.substr(begin, end - begin);
    i = end;
    if (name == "and" || name == "or") continue;
    if (const std::size_t path = end_of_path(sentence, end);
        path > end && variables.is_part(sentence.substr(begin, path - begin)))
      name = sentence.substr(begin, path - begin), i = path;
    std::string between = out.members.empty() ? "" : sentence.substr(past, begin - past);
    if (const std::size_t word = between.find("and"); word != std::string::npos) between.replace(word, 3, ",");
    const bool goes_on = between.find_first_of(",/&|") != std::string::npos &&
                         between.find_first_not_of(" ,/&|`'\"") == std::string::npos;
    if (whole() && !goes_on) break;
    const Local* local = variables.find(parts_of(name).base);
    const bool variable =
        local != nullptr && (!is_english(name) || goes_on) && std::ranges::find(out.members, name) == out.members.end();
    if (!goes_on || !variable) out.members.clear();
    if (variable) out.members.push_back(name), past = i;
  }
  if (!whole()) return std::nullopt;
  for (const std::string& m : out.members) out.display += (out.display.empty() ? "(" : ", ") + m;
  out.display += ")";
  return out;
}

/// "x has" of x0 to x3, and a register row for two: all of them are x.
void take_whole_family(ClaimNames& names, const NamedVariables& variables, int wanted,
                       const std::function<bool(const std::vector<std::string>&)>& ready) {
  const int n = variables.family(names.display);
  if (names.members.empty() || names.members.front() == names.display || static_cast<int>(names.members.size()) >= n)
    return;
  ClaimNames all;
  for (int i = 0; i < n; ++i) all.members.push_back(names.display + std::to_string(i));
  if (wanted == 0 || variables.fits(all, wanted) == true || !ready(all.members)) return;
  names.members = std::move(all.members);
  names.assumed = fmt::format("the register row is one of {} register{}, and `{}` is {} ({}0 to {}{})", wanted,
                              wanted == 1 ? "" : "s", names.display, n, names.display, names.display, n - 1);
}

/// "x", and not "x0".
bool whole_is_named(const std::string& sentence, const ClaimNames& names) {
  return std::ranges::any_of(sentence_words(sentence), [&](const SentenceWord& w) { return w.text == names.display; });
}

/// The first name in one sentence. `index`: the first that could be one, where its variable holds no data: in "each lane
/// holds two" the words are about lanes, and not about the variable `lane`.
std::optional<ClaimNames> name_in(const std::string& sentence, const NamedVariables& variables, int wanted,
                                  std::optional<ClaimNames>& index) {
  for (const SentenceWord& w : sentence_words(sentence)) {
    if (is_common_word(w.text) && !w.named) continue;
    const std::optional<ClaimNames> m = variables.meaning(w.text, wanted);
    if (!m) continue;
    // A variable that cannot be so many registers is mentioned in passing, unless the sentence says that it has them.
    if (!w.named && wanted > 0 && m->problem.empty() && variables.fits(*m, wanted) == false) continue;
    if (w.subject || m->members.empty() || variables.has_data(parts_of(m->members.front()).base)) return m;
    if (!index) index = m;
  }
  return std::nullopt;
}

/// A name that the sentence plainly uses and that no variable has: "'z' has register assignment:".
std::string unknown_name_in(const std::string& sentence) {
  const std::vector<SentenceWord> words = sentence_words(sentence);
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
    if (std::optional<ClaimNames> m = variables.meaning(l->name, wanted);
        m && m->problem.empty() && (wanted == 0 || variables.fits(*m, wanted) != false))
      return m;
  }
  return std::nullopt;
}

}  // namespace

ClaimNames names_of(const TextClaim& claim, const NamedVariables& variables, int anchor,
                    const std::function<bool(const std::vector<std::string>&)>& ready) {
  const int wanted = registers_wanted(claim);
  if (!claim.names.empty()) return explicit_names(claim, variables);
  std::vector<std::string> order(claim.sentences.rbegin(), claim.sentences.rend());
  const auto speaks_of_assignment = [](const std::string& s) {
    return s.find("assig") != std::string::npos || s.find("layout") != std::string::npos;
  };
  std::stable_partition(order.begin(), order.end(), speaks_of_assignment);
  std::optional<ClaimNames> index;
  for (const std::string& s : order) {
    std::optional<ClaimNames> m = name_in(s, variables, wanted, index);
    if (std::optional<ClaimNames> listed = listed_in(s, variables, wanted)) {
      // "x0 and x2 hold" speaks of these, and not of the first two of x.
      const bool misfit = m && m->problem.empty() && variables.fits(*m, wanted) == false;
      const bool others = m && m->members.size() == listed->members.size() && m->members != listed->members;
      if (!m || misfit || others || !m->problem.empty()) return *listed;
    }
    if (m) {
      if (whole_is_named(s, *m)) take_whole_family(*m, variables, wanted, ready);
      return *m;
    }
    if (!speaks_of_assignment(s)) continue;
    if (const std::string unknown = unknown_name_in(s); !unknown.empty())
      return {.display = unknown, .problem = coded<Why::no_variable>(fmt::format("`{}` or `{}0`", unknown, unknown))};
  }
  if (const std::string forward = forward_words(claim.sentences); !forward.empty()) {
    if (std::optional<WrittenLast> next = written_next(variables, anchor, wanted)) {
      next->names.assumed = fmt::format(
          "the comment names no variable and looks forward (\"{}\"); `{}` is meant, which line {} writes next", forward,
          next->names.display, next->line);
      return next->names;
    }
  }
  if (std::optional<WrittenLast> last = written_last(variables, anchor, wanted, ready)) {
    const std::string names = index ? fmt::format("`{}`, which holds no data", index->display) : "no variable";
    last->names.assumed = fmt::format("the comment names {}; `{}` is meant, which line {} wrote last", names,
                                      last->names.display, last->line);
    return last->names;
  }
  if (index) return *index;
  if (std::optional<ClaimNames> m = neighbours(variables, anchor, wanted)) {
    m->assumed = fmt::format("the comment names no variable; `{}` is meant, which is declared beside it", m->display);
    return *m;
  }
  return unclear_names(
      "the comment names no variable of this function; write `x has the following register assignment:` or a line "
      "`registers: x0 x1`");
}

}  // namespace lanescope::source
