#include "kernels/layout/assignment.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/text.h"

namespace lanescope::layout {
namespace {

static_assert(place_count == enum_size<Place>);
constexpr std::string_view row_names[] = {"simd", "register", "thread", "warp", "block"};
constexpr char row_letters[] = {'s', 'r', 't', 'w', 'b'};

}  // namespace

std::string_view row_name(Place place) { return entry_for(row_names, place); }
char row_letter(Place place) { return entry_for(row_letters, place); }

std::string to_string(PhysicalBit bit) { return fmt::format("{}{}", row_letter(bit.place), bit.index); }

LogicalBit split_name(std::string_view name) {
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[name.size() - 1 - digits])) ++digits;
  // More than three digits is a name such as "run2024", not a bit of an axis with 2024 bits.
  if (digits == 0 || digits > 3 || digits == name.size()) return {std::string(name), 0};
  return {std::string(name.substr(0, name.size() - digits)), std::stoi(std::string(name.substr(name.size() - digits)))};
}

bool name_less(std::string_view a, std::string_view b) {
  const LogicalBit x = split_name(a);
  const LogicalBit y = split_name(b);
  return x != y ? x < y : a < b;
}

Term sum_of(std::vector<std::string> names, bool constant) {
  std::sort(names.begin(), names.end(), name_less);
  Term t{.role = Term::Role::sum, .names = {}, .constant = constant};
  for (std::string& name : names) {
    if (!t.names.empty() && t.names.back() == name)
      t.names.pop_back();
    else
      t.names.push_back(std::move(name));
  }
  return t;
}

std::vector<std::string> logical_bits(const Assignment& a) {
  std::vector<std::string> names;
  for (const auto& row : a.rows) {
    if (!row) continue;
    for (const Term& t : *row) names.insert(names.end(), t.names.begin(), t.names.end());
  }
  std::sort(names.begin(), names.end(), name_less);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string print(const Term& term) {
  if (term.role == Term::Role::unused) return "[unused]";
  if (term.role == Term::Role::junk) return "[junk]";
  if (term.role == Term::Role::unsaid) return "[any]";
  if (term.names.empty()) return term.constant ? "1" : "0";
  std::string out;
  for (auto name = term.names.rbegin(); name != term.names.rend(); ++name) {
    if (!out.empty()) out += '+';
    out += *name;
  }
  return term.constant ? out + "+1" : out;
}

namespace {

std::string right_side(const std::vector<Term>& row) {
  std::string out;
  for (auto t = row.rbegin(); t != row.rend(); ++t) {
    if (!out.empty()) out += ' ';
    out += print(*t);
  }
  return row.empty() ? "-" : out;
}

std::string left_side(Place place, std::size_t bits) {
  std::string out;
  for (int i = static_cast<int>(bits) - 1; i >= 0; --i) {
    if (!out.empty()) out += ' ';
    out += to_string(PhysicalBit{place, i});
  }
  return out;
}

}  // namespace

std::string print(const Assignment& a, bool with_left_side) {
  std::size_t widest = 0;
  for (int p = 0; p < place_count; ++p) {
    const Place place = static_cast<Place>(p);
    if (a.row(place)) widest = std::max(widest, left_side(place, a.row(place)->size()).size());
  }
  std::string out;
  for (int p = 0; p < place_count; ++p) {
    const Place place = static_cast<Place>(p);
    if (!a.row(place)) continue;
    const std::string label = fmt::format("{}:", row_name(place));
    const std::string right = right_side(*a.row(place));
    if (with_left_side && !a.row(place)->empty())
      out += fmt::format("{:<11}{:<{}}  <->  {}\n", label, left_side(place, a.row(place)->size()), widest, right);
    else
      out += fmt::format("{:<11}{}\n", label, right);
  }
  return out;
}

std::string print_line(const Assignment& a) {
  std::string out;
  for (int p = 0; p < place_count; ++p) {
    const Place place = static_cast<Place>(p);
    if (!a.row(place)) continue;
    if (!out.empty()) out += "; ";
    out += fmt::format("{}: {}", row_name(place), right_side(*a.row(place)));
  }
  return out;
}

}  // namespace lanescope::layout
