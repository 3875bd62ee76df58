#include "kernels/source/notation/swizzle_comments.h"

#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/source/notation/bracket_list.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_swizzle_line = 300;
constexpr std::int64_t most_swizzled_places = std::int64_t{1} << 16;

bool is_name(std::string_view s) { return !s.empty() && !is_digit(s.front()) && std::ranges::all_of(s, is_word); }

/// The two parts of "(a, b)" that opens at `at`.
std::vector<std::string_view> pair_at(std::string_view s, std::size_t at) {
  const auto inside = bracket_at(s, at);
  std::vector<std::string_view> parts = inside ? parts_between(*inside, ",") : std::vector<std::string_view>();
  return parts.size() == 2 ? parts : std::vector<std::string_view>();
}

struct Coordinates {
  std::string_view row, col;
  std::size_t at = 0;
};

/// "(row=x, col=y)": all of them in the line.
std::vector<Coordinates> named_coordinates(std::string_view s) {
  std::vector<Coordinates> out;
  for (std::size_t at = s.find('('); at != std::string_view::npos; at = s.find('(', at + 1)) {
    const auto parts = pair_at(s, at);
    if (parts.empty()) continue;
    const auto value = [](std::string_view part, std::initializer_list<std::string_view> names) {
      const std::size_t equals = part.find('=');
      const std::string name = lower(trimmed(part.substr(0, equals)));
      const bool known = equals != std::string_view::npos && one_of(name, names);
      return known ? trimmed(part.substr(equals + 1)) : std::string_view();
    };
    const std::string_view row = value(parts[0], {"row", "r"}), col = value(parts[1], {"col", "column", "c"});
    if (!row.empty() && !col.empty()) out.push_back({row, col, at});
  }
  return out;
}

std::optional<SwizzleStatement> stated(std::string_view row, std::string_view col, std::string_view physical_row,
                                       std::string_view physical_col) {
  if (!is_name(row) || !is_name(col) || row == col) return std::nullopt;
  const auto r = IndexFormula::read(physical_row), c = IndexFormula::read(physical_col);
  if (!r || !c || r->choices() != 1 || c->choices() != 1) return std::nullopt;
  for (const IndexFormula* f : {&*r, &*c})
    for (const std::string& n : f->names())
      if (n != row && n != col) return std::nullopt;
  const bool exchanges =
      physical_row.find('^') != std::string_view::npos || physical_col.find('^') != std::string_view::npos;
  if (!exchanges) return std::nullopt;
  return SwizzleStatement{.row = std::string(row), .col = std::string(col), .physical_row = *r, .physical_col = *c};
}

/// "(row, col) -> (row, col ^ row)"
std::optional<SwizzleStatement> by_arrow(std::string_view line) {
  const std::size_t arrow = line.find("->");
  if (arrow == std::string_view::npos) return std::nullopt;
  const std::string_view left = trimmed(line.substr(0, arrow)), right = trimmed(line.substr(arrow + 2));
  const std::size_t open = left.rfind('(');
  if (open == std::string_view::npos || !left.ends_with(')') || !right.starts_with('(')) return std::nullopt;
  const auto logical = pair_at(left, open), physical = pair_at(right, 0);
  if (logical.empty() || physical.empty()) return std::nullopt;
  return stated(logical[0], logical[1], physical[0], physical[1]);
}

/// "swizzled col = col ^ (row & 7)": the formula is the rest of the line.
std::optional<SwizzleStatement> by_equation(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || line.find('=', equals + 1) != std::string_view::npos) return std::nullopt;
  const std::string left = lower(trimmed(line.substr(0, equals)));
  for (const std::string_view word : {"physical col", "physical_col", "phys_col", "swizzled col", "swizzled_col",
                                      "swizzled column", "physical column"}) {
    if (!left.ends_with(word)) continue;
    const std::string_view before = trimmed(std::string_view(left).substr(0, left.size() - word.size()));
    if (!before.empty() && !before.ends_with(':')) continue;
    return stated("row", "col", "row", trimmed(line.substr(equals + 1)));
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::int32_t> SwizzleStatement::logical_of_place(std::int64_t rows, std::int64_t columns) const {
  if (rows <= 0 || columns <= 0 || rows * columns > most_swizzled_places) return {};
  std::vector<std::int32_t> out(static_cast<std::size_t>(rows * columns), -1);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      const std::map<std::string, std::int64_t, std::less<>> at = {{row, r}, {col, c}};
      const auto pr = physical_row.value(at, 0), pc = physical_col.value(at, 0);
      if (!pr || !pc || *pr >= rows || *pc >= columns) return {};
      std::int32_t& place = out[static_cast<std::size_t>(*pr * columns + *pc)];
      if (place >= 0) return {};
      place = static_cast<std::int32_t>(r * columns + c);
    }
  return out;
}

std::optional<SwizzleStatement> swizzle_statement(std::string_view before, std::string_view line) {
  if (line.size() > longest_swizzle_line || before.size() > longest_swizzle_line) return std::nullopt;
  if (line.find('^') == std::string_view::npos) return std::nullopt;
  const std::string words = lower(line);
  if (!entry_in(" not |n't |without|instead| no | if ", " " + words + " ").empty()) return std::nullopt;
  const bool of_places = !entry_in("physical|swizz|stored|物理|映射|xor", words).empty();
  const std::vector<Coordinates> here = named_coordinates(line), earlier = named_coordinates(before);
  if (here.size() == 2 && of_places) return stated(here[0].row, here[0].col, here[1].row, here[1].col);
  if (here.size() == 1 && earlier.size() == 1 && of_places)
    return stated(earlier[0].row, earlier[0].col, here[0].row, here[0].col);
  if (!here.empty()) return std::nullopt;
  if (auto s = by_equation(line)) return s;
  return by_arrow(line);
}

}  // namespace lanescope::source
