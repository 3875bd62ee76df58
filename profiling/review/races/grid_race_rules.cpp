// Grids that launch grids, and access the same element of global memory as them with no order between.

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "profiling/races/grid_races.h"
#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

using races::GridRace;
using races::GridRaces;

/// A race with the launches of its sides.
struct Conflict {
  const ReviewInput& input;
  const ReviewInput::Tree& tree;
  const GridRace& race;

  std::size_t index(bool second) const { return tree.first + (second ? race.second : race.first); }
  const LaunchReview& launch(bool second) const { return *input.launches[index(second)].launch; }
  const races::Side& side(bool second) const { return second ? race.race.second : race.race.first; }
  int line(bool second) const { return line_of(input, launch(second), side(second).pc); }
};

std::string place_of(const Conflict& m) {
  const LaunchReview::Buffer& b = m.launch(true).buffers[static_cast<std::size_t>(m.race.race.buffer)];
  const auto bits = static_cast<std::uint64_t>(std::max(b.element_bits, 1));
  return fmt::format("element {} of `{}`", m.race.race.byte * 8 / bits, b.name);
}

/// "`child` (launched in line 12 by block 3, thread 0)"
std::string grid_words(const GridRaces& races, std::size_t grid) {
  const GridRaces::Origin& o = races.origin(grid);
  const std::string name = ptx::qualified_name(o.kernel);
  if (o.parent < 0) return fmt::format("`{}` (launched by the host)", name);
  return fmt::format("`{}` (launched {}by block {}, thread {})", name,
                     o.line > 0 ? fmt::format("in line {} ", o.line) : "", o.block, o.thread);
}

/// The launch by which `grid` leads to `below`; -1: `below` is not below it.
std::int64_t launched_towards(const GridRaces& races, std::size_t grid, std::size_t below) {
  for (auto at = static_cast<std::int64_t>(below); at >= 0;) {
    const int parent = races.origin(static_cast<std::size_t>(at)).parent;
    if (parent == static_cast<int>(grid)) return at;
    at = parent;
  }
  return -1;
}

std::string remedy_of(const Conflict& m) {
  const std::int64_t launch = launched_towards(*m.tree.races, m.race.first, m.race.second);
  if (launch < 0)
    return "launch both into one stream, or the later one as a tail launch (cudaStreamTailLaunch): fire-and-forget "
           "launches and other streams are not ordered";
  const GridRaces::Origin& o = m.tree.races->origin(static_cast<std::size_t>(launch));
  const races::Side& own = m.race.race.first;
  if (own.block != o.block)
    return "make it a tail launch (cudaStreamTailLaunch), which begins when all blocks have ended";
  if (own.warp == o.warp && static_cast<int>(own.lane) == o.lane)
    return "do it before the launch, or make it a tail launch (cudaStreamTailLaunch): a child grid does not wait for "
           "later accesses of the launching thread";
  return "add __syncthreads() between this access and the launch: a child grid sees only writes that the launching "
         "thread has seen";
}

Evidence::Side party(const Conflict& m, bool second) {
  const races::Side& s = m.side(second);
  return {.does = fmt::format("{} {}", enum_name(verb_of(s.touch)), place_of(m)),
          .line = m.line(second),
          .block = s.block,
          .warp = static_cast<int>(s.warp),
          .lane = static_cast<int>(s.lane),
          .has_address = true,
          .address = m.race.race.byte,
          .buffer = m.launch(true).buffers[static_cast<std::size_t>(m.race.race.buffer)].name,
          .launch = static_cast<int>(m.index(second))};
}

Finding finding_of(const Conflict& m, std::uint64_t times, int launches) {
  const races::Race& r = m.race.race;
  const bool harmless = r.same_value && !r.updates;
  Finding f =
      finding(harmless ? "same-value-writes" : "global-unordered", m.line(true), 0,
              fmt::format("{} {} {} in line {}, and {} {} it in line {}, with nothing that orders the two "
                          "grids{}",
                          grid_words(*m.tree.races, m.race.first), enum_name(verb_of(r.first.touch)), place_of(m),
                          m.line(false), grid_words(*m.tree.races, m.race.second), enum_name(verb_of(r.second.touch)),
                          m.line(true), at_least(times, "pairs of accesses", launches)));
  const LaunchReview& launch = m.launch(true);
  if (r.second.pc < launch.code.size()) f.column = launch.code[r.second.pc].column;
  if (harmless)
    f.message = "the same value is written: " + f.message;
  else
    f.remedy = remedy_of(m);
  f.evidence = evidence_of(launch, static_cast<int>(m.index(true)),
                           {.step = r.second.step,
                            .block = r.second.block,
                            .warp = r.second.warp,
                            .pc = r.second.pc,
                            .active = 1u << r.second.lane});
  f.evidence.space = trace::MemorySpace::global;
  f.evidence.buffer = launch.buffers[static_cast<std::size_t>(r.buffer)].name;
  f.evidence.width_bytes = 4;
  f.evidence.addresses[r.second.lane] = r.byte;
  f.evidence.numbers = {{"byte", static_cast<double>(r.byte)},
                        {"launch of the earlier access", static_cast<double>(m.index(false))},
                        {"pairs of accesses", static_cast<double>(std::max<std::uint64_t>(times, 1))}};
  f.evidence.sides = {party(m, false), party(m, true)};
  return f;
}

void not_compared(const ReviewInput& input, const ReviewInput::Tree& tree, std::vector<Finding>& out) {
  const auto add = [&](std::string message, std::string remedy) {
    Finding f =
        finding("global-unordered", line_of(input, *input.launches[tree.first].launch, ~0u), 0, std::move(message));
    f.severity = Severity::note;
    f.remedy = std::move(remedy);
    f.evidence.launch = static_cast<int>(tree.first);
    out.push_back(std::move(f));
  };
  if (!tree.races->judged())
    add("accesses of a grid and its child grids to the same memory were not compared: they use clusters, or their "
        "second run differed from the first",
        "compare the outputs of several seeds");
  if (tree.races->events())
    add("grids of different streams that events may order were not compared", "use one stream, or a tail launch");
  if (const std::uint64_t left = tree.races->unwatched_words() + tree.races->dropped_accesses(); left > 0)
    add(fmt::format("{} of parent and child grids {} not compared", counted(left, "access", "accesses"),
                    left == 1 ? "was" : "were"),
        "review it with smaller arrays and fewer blocks");
}

}  // namespace

void grid_race_rules(const ReviewInput& input, std::vector<Finding>& out) {
  struct Found {
    const ReviewInput::Tree* tree = nullptr;  ///< the first, which is shown
    GridRace race;
    std::uint64_t times = 0;
    int launches = 0;
    const ReviewInput::Tree* last = nullptr;
  };
  std::map<std::tuple<bool, int, int, std::string, std::string>, Found> pairs;  ///< by harmless, lines, kernels
  for (const ReviewInput::Tree& tree : input.trees) {
    for (const GridRace& r : tree.races->found()) {
      const Conflict m{input, tree, r};
      if (m.index(true) >= input.launches.size() || m.index(false) >= input.launches.size()) continue;
      const auto [low, high] = std::minmax({m.line(false), m.line(true)});
      const auto [kernel, other] = std::minmax({m.launch(false).launch.kernel, m.launch(true).launch.kernel});
      Found& found =
          pairs.try_emplace({r.race.same_value && !r.race.updates, low, high, kernel, other}, Found{&tree, r})
              .first->second;
      found.times += r.race.times;
      if (found.last != &tree) ++found.launches;
      found.last = &tree;
    }
    not_compared(input, tree, out);
  }
  for (const auto& [key, found] : pairs)
    out.push_back(finding_of({input, *found.tree, found.race}, found.times, found.launches));
}

}  // namespace lanescope::review
