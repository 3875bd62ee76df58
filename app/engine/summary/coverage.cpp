#include <fmt/format.h>

#include <algorithm>

#include "app/engine/summary/summarize.h"
#include "kernels/base/numbers.h"

namespace lanescope::engine {
namespace {

using trace::Coverage;

std::string which_words(const Coverage& c) {
  if (c.others.empty() || c.in_order == 0) return {};
  const std::uint64_t more = c.others.size();
  const std::string first = c.in_order == 1 ? "the first" : fmt::format("the first {}", c.in_order);
  if (more == 1) return fmt::format(" ({} and block {})", first, c.others.front());
  return fmt::format(" ({} and {} of the others)", first, more);
}

std::string cause_of(const Coverage& c) {
  return c.ended == Coverage::Ended::steps ? "the limit of warp instructions was reached"
                                           : "the time for running was over";
}

/// The time of all blocks, estimated from those that ran; 0: unknown.
double whole_seconds(const Coverage& c, double seconds) {
  const double ran = static_cast<double>(c.ran()) - 0.5 * static_cast<double>(c.midway);
  return c.ended == Coverage::Ended::time && ran > 0 ? seconds * static_cast<double>(c.blocks) / ran : 0;
}

/// "of launch 2, " where there are several.
std::string cut_words(const results::LaunchCoverage& l, std::size_t launches, bool has_plain, bool has_probed,
                      double seconds) {
  const std::string name = launches > 1 ? fmt::format("launch {}: ", l.launch + 1) : "";
  const Coverage& cause = l.plain.whole() ? l.probed : l.plain;
  if (l.plain.ran() == 0 && l.probed.ran() == 0 && !cause.whole())
    return fmt::format("{}did not run: the time for running was over before it", name);
  std::string words = name + cause_of(cause) + ": ";
  if (has_plain && !l.plain.whole())
    words += fmt::format("{}{}; outputs, counters and findings are of these", words_of(l.plain), which_words(l.plain));
  if (has_probed && !l.probed.whole())
    words += fmt::format("{}{}{}; steps and verdicts are of these",
                         has_plain && !l.plain.whole() ? "; with probes, " : "with probes, ", words_of(l.probed),
                         which_words(l.probed));
  if (seconds > 0) words += fmt::format("; all blocks would take about {}", duration_words(seconds));
  if (l.launch + 1 < static_cast<int>(launches)) words += "; later launches use the results of these blocks";
  return words;
}

}  // namespace

void fill_coverage(const RunRequest& request, const Program& program, const PlainRun& plain, const ProbedRun& probed,
                   results::Summary& summary) {
  const std::size_t launches = program.launches.size();
  const auto of = [](std::size_t i, std::size_t ran, const auto& coverage, const std::vector<Coverage>& not_begun) {
    if (i < ran) return coverage(i);
    return i - ran < not_begun.size() ? not_begun[i - ran] : Coverage{};
  };
  for (std::size_t i = 0; i < launches; ++i) {
    results::LaunchCoverage l{.launch = static_cast<int>(i)};
    if (request.plain_run)
      l.plain = of(
          i, plain.launches.size(), [&](std::size_t n) { return plain.launches[n].coverage; }, plain.not_begun);
    if (request.probed_run)
      l.probed = of(
          i, probed.launches.size(), [&](std::size_t n) { return probed.launches[n]->coverage; }, probed.not_begun);
    // Blocks that were not requested do not limit the answer; where identities ended, a notice of its own says it.
    if (l.probed.ended == Coverage::Ended::asked) l.probed = {};
    if (l.plain.whole() && l.probed.whole()) continue;
    const double seconds =
        std::max(i < plain.launches.size() ? whole_seconds(l.plain, plain.launches[i].seconds) : 0,
                 i < probed.launches.size() ? whole_seconds(l.probed, probed.launches[i]->seconds) : 0);
    summary.notices.push_back(
        coded<results::NoticeCode::run_cut>(cut_words(l, launches, request.plain_run, request.probed_run, seconds)));
    summary.coverage.push_back(std::move(l));
  }
}

std::string partial_words(const results::Summary& summary) {
  std::string words;
  for (const results::LaunchCoverage& l : summary.coverage) {
    if (l.plain.whole()) continue;
    if (!words.empty()) words += "; ";
    if (summary.launches.size() > 1) words += fmt::format("of launch {}, ", l.launch + 1);
    words += words_of(l.plain);
  }
  return words;
}

void refresh_recorded(RunState& s) {
  results::Summary& summary = s.summary;
  s.reals.clear(), s.totals.clear(), s.iterations.clear();
  s.tree.reset();
  s.journeys.reset();
  s.seen = {};
  summary.recorded_block = s.request.record_block;
  std::erase_if(summary.notices, [](const results::Notice& n) { return is_of_recording(n.code); });
  summary.timeline.clear(), summary.active_masks.clear();
  summary.accesses.clear(), summary.writes.clear(), summary.loops.clear();
  fill_trace(*s.recorded(), summary);
  fill_step_facts(s);
  for (results::ClaimInfo& c : summary.claims) c.step = -1;
  for (results::PrintedText& p : summary.printed) p.step = -1;
  for (results::FindingInfo& f : summary.findings) {
    f.step = -1;
    for (results::Party& p : f.parties) p.step = -1;
  }
  // place_problems() makes the faults again; of these only the places are needed: their words have file names already.
  std::vector<results::FaultInfo> faults = std::move(summary.faults);
  summary.faults.clear();
  place_problems(s, summary);
  for (std::size_t i = 0; i < faults.size() && i < summary.faults.size(); ++i) {
    faults[i].step = summary.faults[i].step;
    for (std::size_t p = 0; p < faults[i].parties.size() && p < summary.faults[i].parties.size(); ++p)
      faults[i].parties[p].step = summary.faults[i].parties[p].step;
  }
  summary.faults = std::move(faults);
}

}  // namespace lanescope::engine
