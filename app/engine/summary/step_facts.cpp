#include "app/engine/summary/summarize.h"

#include <algorithm>
#include <limits>

#include "kernels/emulator/machine/program.h"

namespace lanescope::engine {
namespace {

std::uint16_t narrowed(std::uint64_t number) {
  return static_cast<std::uint16_t>(std::min<std::uint64_t>(number, std::numeric_limits<std::uint16_t>::max()));
}

void fill_accesses(const trace::Trace& t, const SeenAccesses& seen, results::Summary& summary) {
  for (std::size_t i = 0; i < t.accesses.size(); ++i) {
    const trace::MemorySpace space = t.accesses.space(i);
    if (space != trace::MemorySpace::global && space != trace::MemorySpace::shared) continue;
    const trace::AccessRecord record = seen.at(t, i);
    if (!is_shown(record)) continue;
    const access::Cost cost = access::cost(access::access_of(record));
    const bool shared = space == trace::MemorySpace::shared;
    summary.accesses.push_back({.step = static_cast<std::uint32_t>(record.step),
                                .cost = narrowed(shared ? cost.wavefronts : cost.sectors),
                                .least = narrowed(shared ? cost.ideal_wavefronts : cost.ideal_sectors),
                                .space = space,
                                .kind = record.kind});
  }
}

/// Where a word of a variable is found among the families.
struct WordPlace {
  std::uint16_t family = 0, reg = 0;
  bool low = false;   ///< of the two words of a register of 64 bits: the other one is shown after it
  bool alone = true;  ///< the variable has no other word: a write of the variable writes this one
};

std::map<trace::VariableWord, WordPlace> places_of(const std::vector<Family>& families) {
  std::map<trace::VariableWord, WordPlace> places;
  for (std::size_t f = 0; f < families.size(); ++f) {
    const Family& family = families[f];
    for (std::size_t w = 0; w < family.words.size(); ++w) {
      const auto of_variable =
          std::ranges::count(family.words, family.words[w].variable, &trace::VariableWord::variable);
      const std::size_t reg = family.wide ? w / 2 : w;
      places.emplace(family.words[w], WordPlace{.family = static_cast<std::uint16_t>(f),
                                                .reg = static_cast<std::uint16_t>(reg),
                                                .low = family.wide && w % 2 == 0,
                                                .alone = of_variable <= (family.wide ? 2 : 1)});
    }
  }
  return places;
}

/// The last value of a word at a probe, to see which lanes of an array's register a statement changed.
struct ShownWord {
  std::uint32_t known = 0;  ///< lanes
  std::array<std::uint32_t, 32> values{}, tags{};

  std::uint32_t changed_by(const trace::ProbeRecord& record) {
    std::uint32_t changed = 0;
    for (std::size_t lane = 0; lane < values.size(); ++lane) {
      const std::uint32_t bit = 1u << lane;
      if ((record.mask & bit) == 0) continue;
      if ((known & bit) == 0 || values[lane] != record.values[lane] || tags[lane] != record.tags[lane]) changed |= bit;
      values[lane] = record.values[lane], tags[lane] = record.tags[lane];
    }
    known |= record.mask;
    return changed;
  }
};

void fill_writes(const trace::Trace& t, const source::Source& source, const std::vector<Family>& families,
                 results::Summary& summary) {
  std::map<int, bool> watches;  // by number: it follows a statement that writes; those of claims only look
  for (const source::ProbePoint& p : source.probes) watches[p.id] = p.claim < 0;
  const auto places = places_of(families);
  struct Site {
    bool writes = false;
    WordPlace place;
  };
  std::vector<std::optional<Site>> sites(t.code.size());  // a probe of the program shows always the same word
  std::map<std::pair<std::uint32_t, trace::VariableWord>, ShownWord> shown;
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::pair<std::uint16_t, std::uint32_t>> low_lanes;
  for (const auto& [word, state] : t.beginning.words)
    shown[{word.second, word.first}] = {.known = state.defined, .values = state.values, .tags = state.tags};
  for (std::size_t i = 0; i < t.probes.size(); ++i) {
    const std::uint64_t step = t.probes.step(i);
    const std::uint32_t pc = t.steps[step].pc, warp = t.steps[step].warp;
    if (pc >= sites.size()) continue;
    const trace::VariableWord word{t.probes.variable(i), t.probes.byte_offset(i)};
    std::optional<Site>& site = sites[pc];
    if (!site) {
      const auto place = places.find(word);
      const auto watch = watches.find(t.probes[i].probe);
      site = place == places.end() ? Site{}
                                   : Site{.writes = watch != watches.end() && watch->second, .place = place->second};
    }
    std::uint32_t lanes = t.probes.mask(i);
    if (!site->place.alone) lanes = shown[{warp, word}].changed_by(t.probes[i]);
    if (!site->writes) continue;
    if (site->place.low) {  // both words are one write
      low_lanes[{warp, site->place.family}] = {site->place.reg, lanes};
      continue;
    }
    if (const auto low = low_lanes.find({warp, site->place.family});
        low != low_lanes.end() && low->second.first == site->place.reg)
      lanes |= low->second.second, low_lanes.erase(low);
    if (lanes == 0) continue;
    summary.writes.push_back({.step = static_cast<std::uint32_t>(step),
                              .lanes = lanes,
                              .family = site->place.family,
                              .reg = site->place.reg});
  }
}

}  // namespace

std::vector<results::LoopInfo> loops_of(const ptx::Module& module, const ptx::Entry& entry,
                                        const std::vector<trace::CodeSite>& code) {
  std::map<std::int32_t, results::LoopInfo> by_first;
  std::int32_t start = 0;  // of the entry or function, in `code`
  const auto branch = [&](std::int32_t from, int target) {
    const std::int32_t to = start + target;
    if (target < 0 || to > from) return;
    results::LoopInfo& loop =
        by_first.try_emplace(to, results::LoopInfo{.first_pc = to, .last_pc = from}).first->second;
    loop.last_pc = std::max(loop.last_pc, from);
  };
  for (const int index : emulator::reachable(module, entry)) {
    const ptx::Entry& e = module.entries[static_cast<std::size_t>(index)];
    for (std::size_t n = 0; n < e.code.size(); ++n) {
      const auto from = start + static_cast<std::int32_t>(n);
      for (const ptx::Operand& operand : e.code[n].operands) {
        if (operand.kind == ptx::Operand::Kind::label) branch(from, operand.target);
        for (const ptx::Operand& each : operand.elements)
          if (each.kind == ptx::Operand::Kind::label) branch(from, each.target);
      }
    }
    start += static_cast<std::int32_t>(e.code.size()) + 1;  // and the site of the exit after it
  }
  std::vector<results::LoopInfo> loops;
  for (auto& [first, loop] : by_first) {
    const auto line_at = [&](std::int32_t pc) {
      return static_cast<std::size_t>(pc) < code.size() ? code[static_cast<std::size_t>(pc)].line : 0;
    };
    loop.line = line_at(loop.last_pc);
    for (std::int32_t pc = loop.first_pc; loop.line == 0 && pc <= loop.last_pc; ++pc) loop.line = line_at(pc);
    loops.push_back(loop);
  }
  return loops;
}

void fill_step_facts(RunState& run) {
  const ProbedLaunch* shown = run.recorded();
  if (shown == nullptr || !run.summary.ok) return;
  const trace::Trace& t = shown->trace;
  fill_accesses(t, run.seen, run.summary);
  fill_writes(t, *run.prepared.source, run.families, run.summary);
  if (const ptx::Entry* entry = run.prepared.probed.module.find_entry(t.launch.kernel))
    run.summary.loops = loops_of(run.prepared.probed.module, *entry, t.code);
}

}  // namespace lanescope::engine
