#include <algorithm>

#include "app/engine/summary/access_info.h"
#include "app/engine/summary/moment.h"

namespace lanescope::engine {
namespace {

using results::Moment;

/// How far back a statement's effect is looked for, in executions of probes of one family.
constexpr std::size_t most_instances = 24;

/// One execution of a probe in one warp.
struct ProbeInstance {
  std::size_t record = 0;  ///< index in Trace::probes
  int probe = 0;
  std::uint32_t iteration = 0;
  bool operator==(const ProbeInstance& o) const { return probe == o.probe && iteration == o.iteration; }
};

std::uint32_t warp_of(const trace::Trace& t, std::size_t record) { return t.steps[t.probes.step(record)].warp; }

std::uint32_t iteration_of(const RunState& s, const trace::Trace& t, std::size_t index) {
  if (s.iterations.empty()) {
    std::map<std::tuple<int, int, int, std::uint32_t>, std::uint32_t> times;
    for (std::size_t i = 0; i < t.probes.size(); ++i) {
      const trace::ProbeRecord r = t.probes[i];
      s.iterations.push_back(times[{r.probe, r.variable, r.byte_offset, warp_of(t, i)}]++);
    }
  }
  return s.iterations[index];
}

/// Newest first: executions at or before `step` of probes that read a variable of the family, in one warp.
std::vector<ProbeInstance> instances_before(const RunState& s, const trace::Trace& t, const Family& family,
                                            std::int64_t step, std::uint32_t warp, std::size_t most) {
  std::vector<ProbeInstance> found;
  for (std::size_t i = t.probes.count_until(step); i-- > 0 && found.size() < most;) {
    if (warp_of(t, i) != warp || std::ranges::find(family.variables, t.probes.variable(i)) == family.variables.end())
      continue;
    const ProbeInstance instance{i, t.probes[i].probe, iteration_of(s, t, i)};
    if (found.empty() || !(found.back() == instance)) found.push_back(instance);
  }
  return found;
}

/// The family of the newest probe at or before a step, in one warp or (nullopt) in any.
int family_written_last(const RunState& s, const trace::Trace& t, std::int64_t step,
                        std::optional<std::uint32_t> warp) {
  for (std::size_t i = t.probes.count_until(step); i-- > 0;) {
    if (warp && warp_of(t, i) != *warp) continue;
    if (const int family = family_of(s.families, t.probes.variable(i)); family >= 0) return family;
  }
  return -1;
}

const claims::Real& real_of(const RunState& s, int family, const ProbeInstance& instance) {
  const std::uint32_t block = s.request.record_block;
  const auto key = std::tuple{instance.probe, family, block, instance.iteration};
  const auto found = s.reals.find(key);
  if (found != s.reals.end()) return found->second;
  const auto& variables = s.families[static_cast<std::size_t>(family)].variables;
  const ProbedLaunch& shown = *s.recorded();
  const claims::Collector& collector = shown.part ? *shown.part : *shown.collector;
  return s.reals.emplace(key, collector.real_at(instance.probe, variables, block, instance.iteration)).first->second;
}

/// Whether two assignments are of the same logical bits: while an array is only half written, some are missing.
bool comparable(const claims::Real& earlier, const layout::Assignment& now) {
  return earlier.assignment && layout::logical_bits(*earlier.assignment) == layout::logical_bits(now);
}

/// Whether each variable of a family has had a value by then: an assignment that fits those that have says nothing yet
/// of the others.
bool complete(const trace::Trace& t, const Family& family, std::size_t record, std::uint32_t warp) {
  constexpr std::size_t most_records = 100'000;
  std::vector<int> missing = family.variables;
  const std::size_t end = record + 1 > most_records ? record + 1 - most_records : 0;
  for (std::size_t i = record + 1; i-- > end && !missing.empty();)
    if (warp_of(t, i) == warp) std::erase(missing, t.probes.variable(i));
  return missing.empty();
}

/// The exchange of the statement at `m.step`: against the newest assignment of the same registers before the statement,
/// else of those written before them. Statements that only wrote a part of it belong to the exchange.
void report_statement(const RunState& s, const trace::Trace& t, int number, const std::vector<ProbeInstance>& instances,
                      std::uint32_t warp, Moment& m) {
  const layout::Assignment& now = *m.real;
  const std::int64_t begin = statement_begin(t, m.step, warp);
  const auto step_of = [&](const ProbeInstance& i) { return static_cast<std::int64_t>(t.probes.step(i.record)); };
  const Family& family = s.families[static_cast<std::size_t>(number)];
  if (step_of(instances.front()) < begin) return;  // it wrote none of these registers
  if (!complete(t, family, instances.front().record, warp)) return;
  int began = 0;  ///< line of the earliest statement before this one that wrote a part of what is there now
  for (std::size_t i = 1; i < instances.size(); ++i) {
    if (step_of(instances[i]) >= begin) continue;
    const claims::Real& earlier = real_of(s, number, instances[i]);
    if (comparable(earlier, now) && complete(t, family, instances[i].record, warp)) {
      if (*earlier.assignment == now) return;
      m.statement_words = statement_words(*earlier.assignment, now);
      m.statement_first_line = m.statement_words.empty() ? 0 : began;
      return;
    }
    began = line_of(t, static_cast<std::uint64_t>(step_of(instances[i])));
  }
  const std::int64_t before = step_of(instances.back()) - 1;
  const int other = family_written_last(s, t, before, warp);
  if (other < 0 || other == number) return;
  for (const ProbeInstance& instance :
       instances_before(s, t, s.families[static_cast<std::size_t>(other)], before, warp, 1)) {
    const claims::Real& earlier = real_of(s, other, instance);
    if (!comparable(earlier, now)) continue;
    m.statement_words = statement_words(*earlier.assignment, now);
    m.statement_first_line = m.statement_words.empty() ? 0 : began;
  }
}

/// In the recorded block, before its end: the family may be of a function that another launch calls.
bool is_written(const RunState& s, const trace::Trace& t, int number) {
  const std::vector<int>& variables = s.families[static_cast<std::size_t>(number)].variables;
  const std::size_t count = t.probes.count_until(static_cast<std::int64_t>(t.steps.size()));
  for (std::size_t i = 0; i < count; ++i)
    if (std::ranges::find(variables, t.probes.variable(i)) != variables.end()) return true;
  return false;
}

}  // namespace

void fill_assignment(const RunState& s, const MomentRequest& request, Moment& m) {
  const trace::Trace& t = s.recorded()->trace;
  std::uint32_t warp = m.step >= 0 ? m.warp : 0;
  int number = request.assignment_family;
  if (number < 0 || static_cast<std::size_t>(number) >= s.families.size() || !is_written(s, t, number)) {
    number = family_written_last(s, t, m.step, warp);
    if (number < 0) number = family_written_last(s, t, m.step, std::nullopt);
  }
  m.assignment_family = number;
  if (number < 0) return;

  const Family& family = s.families[static_cast<std::size_t>(number)];
  auto instances = instances_before(s, t, family, m.step, warp, most_instances);
  for (std::uint32_t w = 0; instances.empty() && w < t.launch.warps_per_block(); ++w) {
    instances = instances_before(s, t, family, m.step, w, most_instances);
    warp = w;
  }
  if (instances.empty()) {
    m.real_words = "no instruction has written " + family.info.name + " yet";
    return;
  }
  const claims::Real& real = real_of(s, number, instances.front());
  m.real = real.assignment;
  m.real_words = real.words;
  for (const ProbeInstance& instance : instances) {
    const auto& all = s.prepared.source->claims;
    const auto claim = std::ranges::find_if(
        all, [&](const source::Claim& c) { return c.probe == instance.probe && c.registers == family.variables; });
    if (claim == all.end()) continue;
    m.claimed = claim->stated;
    m.claimed_line = claim->first_line;
    // A moment is of one block: its registers show nothing of a block row. The verdict, over all blocks, does.
    if (!m.real || !m.real->row(layout::Place::block)) m.claimed->row(layout::Place::block).reset();
    break;
  }
  if (m.real && m.step >= 0 && m.warp == warp) report_statement(s, t, number, instances, warp, m);
}

}  // namespace lanescope::engine
