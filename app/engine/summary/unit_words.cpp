#include "app/engine/summary/summarize.h"

#include <algorithm>

namespace lanescope::engine {

void fill_files(const Prepared& prepared, results::Summary& summary) {
  if (!prepared.source) return;
  summary.lines = prepared.source->lines;
  for (std::size_t k = 1; k < summary.lines.files.size(); ++k)
    summary.header_texts.emplace_back(source::text_of(*prepared.source, k));
}

void name_lines(RunState& s) {
  const SourceLines& lines = s.summary.lines;
  if (lines.files.size() < 2) return;
  const auto name = [&](std::string& words) { words = lines.sentence(words); };
  put_into_files(s.summary.diagnostics, lines);
  for (std::string& words : s.summary.inferred) name(words);
  for (results::Notice& notice : s.summary.notices) std::ranges::for_each(notice.operands, name);
  for (results::ClaimInfo& c : s.summary.claims)
    std::ranges::for_each(c.result.reason.operands, name), name(c.result.actual_words), name(c.result.difference);
  for (results::FindingInfo& f : s.summary.findings) {
    name(f.message), name(f.remedy);
    for (results::Party& p : f.parties) name(p.does);
  }
  for (results::FaultInfo& f : s.summary.faults) {
    name(f.what), name(f.message), name(f.remedy);
    for (results::Party& p : f.parties) name(p.does);
  }
  for (review::Finding& f : s.findings) {
    name(f.message), name(f.remedy);
    for (review::Evidence::Side& side : f.evidence.sides) name(side.does);
  }
  for (auto* faults : {&s.plain.faults, &s.probed.faults})
    for (emulator::Fault& f : *faults) name(f.message), name(f.what);
}

}  // namespace lanescope::engine
