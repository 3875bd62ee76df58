#include "kernels/claims/elements.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <utility>

#include "kernels/base/text.h"

namespace lanescope::claims {
namespace {

struct Numbered {
  std::string stem;
  int number = 0;
};

std::optional<Numbered> numbered(const std::string& name) {
  const std::size_t at = without_trailing_digits(name).size();
  const bool padded = name.size() - at > 1 && name[at] == '0';  // x00 is not x0
  if (at == 0 || at == name.size() || padded) return std::nullopt;
  Numbered n{name.substr(0, at), 0};
  const auto [end, error] = std::from_chars(name.data() + at, name.data() + name.size(), n.number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return n;
}

/// Variables of one stem in one function and scope, as far as they have been met.
struct Gathered {
  std::string stem, function;
  std::vector<std::pair<int, int>> members;  ///< number, id
  std::size_t order = 0;                     ///< of the first one
};

bool complete(const Gathered& g) {
  if (g.members.size() < 2 || !std::has_single_bit(g.members.size())) return false;
  for (std::size_t i = 0; i < g.members.size(); ++i) {
    if (g.members[i].first != static_cast<int>(i)) return false;
  }
  return true;
}

}  // namespace

std::vector<Family> families(const source::Source& source) {
  std::vector<Gathered> gathered;
  std::vector<std::pair<std::size_t, Family>> found;
  for (std::size_t order = 0; order < source.variables.size(); ++order) {
    const source::Variable& v = source.variables[order];
    const std::optional<Numbered> n = numbered(v.name);
    if (!n) {
      found.push_back({order, {v.name, {v.id}, v.function}});
      continue;
    }
    auto open = std::find_if(gathered.rbegin(), gathered.rend(),
                             [&](const Gathered& g) { return g.stem == n->stem && g.function == v.function; });
    const bool again = open != gathered.rend() &&
                       std::ranges::any_of(open->members, [&](const auto& m) { return m.first == n->number; });
    if (open == gathered.rend() || again) {
      gathered.push_back({n->stem, v.function, {}, order});
      open = gathered.rbegin();
    }
    open->members.emplace_back(n->number, v.id);
  }
  for (Gathered& g : gathered) {
    std::ranges::sort(g.members);
    if (complete(g)) {
      Family f{g.stem, {}, g.function};
      for (const auto& [number, id] : g.members) f.variables.push_back(id);
      found.push_back({g.order, std::move(f)});
      continue;
    }
    for (const auto& [number, id] : g.members) {
      found.push_back({g.order, {g.stem + std::to_string(number), {id}, g.function}});
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::size_t, Family>::first);
  std::vector<Family> out;
  for (auto& [order, family] : found) out.push_back(std::move(family));
  return out;
}

}  // namespace lanescope::claims
