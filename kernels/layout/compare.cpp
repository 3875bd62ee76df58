#include <algorithm>

#include <fmt/format.h>

#include "kernels/layout/assignment.h"

namespace lanescope::layout {
namespace {

/// Two terms state the same relation exactly when these are equal: logical bits are independent of each other, so sums
/// differ as functions as soon as they differ as sets. A bit that is always 0 and a junk bit say the same.
Term canonical(const Term& t) {
  if (t.role != Term::Role::sum) return {.role = t.role, .names = {}, .constant = false};
  Term sum = sum_of(t.names, t.constant);
  if (sum.names.empty() && !sum.constant) sum.role = Term::Role::junk;
  return sum;
}

std::optional<Term> term_at(const std::optional<std::vector<Term>>& row, std::size_t i) {
  if (!row || i >= row->size()) return std::nullopt;
  return canonical((*row)[i]);
}

}  // namespace

std::vector<BitDifference> compare(const Assignment& stated, const Assignment& real) {
  std::vector<BitDifference> out;
  for (int p = 0; p < place_count; ++p) {
    const Place place = static_cast<Place>(p);
    if (!stated.row(place)) continue;
    const std::size_t bits = static_cast<std::size_t>(std::max(stated.bits(place), real.bits(place)));
    for (std::size_t i = 0; i < bits; ++i) {
      std::optional<Term> said = term_at(stated.row(place), i);
      std::optional<Term> is = term_at(real.row(place), i);
      if (said && said->role == Term::Role::unsaid) continue;
      if (said != is) out.push_back({{place, static_cast<int>(i)}, std::move(said), std::move(is)});
    }
  }
  return out;
}

// --- in words -------------------------------------------------------------------------------------------------------

namespace {

using Differences = std::vector<BitDifference>;

bool is_sum(const std::optional<Term>& t) { return t && t->role == Term::Role::sum; }

std::string contents(const Term& t) {
  if (t.role == Term::Role::unused) return "is unused (both values hold the same elements)";
  if (t.role == Term::Role::junk) return "is junk (places where it is 1 hold no elements)";
  return "holds " + print(t);
}

std::string one_bit(const BitDifference& d) {
  const std::string bit = to_string(d.bit);
  if (!d.stated) return fmt::format("{} {}, but is not in the stated row", bit, contents(*d.real));
  if (!d.real)
    return is_sum(d.stated) ? fmt::format("there is no {}, but it is stated to be {}", bit, print(*d.stated))
                            : fmt::format("there is no {}, which is stated to be {}", bit, print(*d.stated));
  if (is_sum(d.stated) && is_sum(d.real) && d.stated->names == d.real->names)
    return fmt::format("{} is inverted: it holds {}, not {}", bit, print(*d.real), print(*d.stated));
  return fmt::format("{} {}, not {}", bit, contents(*d.real), print(*d.stated));
}

/// Follows "holds what is stated for" from one bit until it returns. Empty when it leads out of the differences.
std::vector<std::size_t> cycle_from(const Differences& ds, std::size_t start) {
  std::vector<std::size_t> cycle{start};
  while (true) {
    const BitDifference& d = ds[cycle.back()];
    if (!is_sum(d.stated) || !is_sum(d.real) || d.stated->names == d.real->names) return {};
    std::size_t owner = ds.size();
    int owners = 0;
    for (std::size_t i = 0; i < ds.size(); ++i) {
      if (!is_sum(ds[i].stated) || ds[i].stated->names != d.real->names) continue;
      owner = i;
      ++owners;
    }
    if (owners != 1) return {};
    if (owner == start) return cycle;
    if (std::find(cycle.begin(), cycle.end(), owner) != cycle.end()) return {};
    cycle.push_back(owner);
  }
}

/// Higher bits first, as rows are written.
std::string listed(const Differences& ds, std::vector<std::size_t> members, std::string_view last_joint) {
  std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) { return ds[a].bit > ds[b].bit; });
  std::string out;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i != 0) out += i + 1 == members.size() ? last_joint : std::string_view(last_joint == " " ? " " : ", ");
    out += to_string(ds[members[i]].bit);
  }
  return out;
}

/// Inversions beside a swap or a rotation.
std::string inversions(const Differences& ds, const std::vector<std::size_t>& members) {
  std::string out;
  for (const std::size_t i : members) {
    const auto owner = std::find_if(members.begin(), members.end(),
                                    [&](std::size_t o) { return ds[o].stated->names == ds[i].real->names; });
    if (ds[*owner].stated->constant == ds[i].real->constant) continue;
    out += fmt::format("; {} is inverted too: it holds {}", to_string(ds[i].bit), print(*ds[i].real));
  }
  return out;
}

std::string each_holds(const Differences& ds, std::vector<std::size_t> members) {
  std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) { return ds[a].bit > ds[b].bit; });
  std::string out;
  for (const std::size_t i : members)
    out += fmt::format("{}{} holds {}", out.empty() ? "" : ", ", to_string(ds[i].bit), print(*ds[i].real));
  return out;
}

/// Neighbouring bits of one row where each holds what is stated for the next higher (+1) or lower (-1) one. 0 otherwise.
int rotation_step(const Differences& ds, const std::vector<std::size_t>& cycle) {
  int up = 0;
  int down = 0;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const PhysicalBit here = ds[cycle[i]].bit;
    const PhysicalBit owner = ds[cycle[(i + 1) % cycle.size()]].bit;
    if (here.place != owner.place) return 0;
    up += owner.index == here.index + 1;
    down += owner.index == here.index - 1;
  }
  const int steps = static_cast<int>(cycle.size()) - 1;
  return up == steps ? 1 : down == steps ? -1 : 0;
}

std::string cycle_in_words(const Differences& ds, const std::vector<std::size_t>& cycle) {
  if (cycle.size() == 2) return listed(ds, cycle, " and ") + " are swapped" + inversions(ds, cycle);
  // Text runs from the highest bit on the left; holding what belongs one bit higher is a move to the right.
  const int step = rotation_step(ds, cycle);
  if (step != 0)
    return fmt::format("{} are rotated by one to the {} ({}){}", listed(ds, cycle, " "), step > 0 ? "right" : "left",
                       each_holds(ds, cycle), inversions(ds, cycle));
  return fmt::format("{} are permuted cyclically ({}){}", listed(ds, cycle, " and "), each_holds(ds, cycle),
                     inversions(ds, cycle));
}

}  // namespace

std::string describe(const std::vector<BitDifference>& differences) {
  std::string out;
  std::vector<bool> reported(differences.size(), false);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (reported[i]) continue;
    const std::vector<std::size_t> cycle = cycle_from(differences, i);
    if (!out.empty()) out += "; ";
    out += cycle.empty() ? one_bit(differences[i]) : cycle_in_words(differences, cycle);
    for (const std::size_t member : cycle) reported[member] = true;
  }
  return out;
}

}  // namespace lanescope::layout
