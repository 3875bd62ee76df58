#include "app/engine/summary/summarize.h"

namespace lanescope::engine {

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
