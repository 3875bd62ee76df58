#include "results/problems.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lanescope::results {
namespace {

constexpr std::size_t most_named = 3;

/// Rules about the text or the compiled code: any launch has what they find.
constexpr std::array<std::string_view, 11> code_rules = {
    "assumed-convergence",       "bad-comment",       "claim-typo",     "claim-unchecked", "double-precision",
    "missing-launch-bounds",     "shared-misaligned", "shared-removed", "spills",          "pointer-offset-unchecked",
    "pointer-offset-uncommented"};

Assumptions named(const Summary& summary, const std::set<int>& indices) {
  Assumptions out;
  for (const int i : indices)
    if (i >= 0 && static_cast<std::size_t>(i) < summary.assumed.size())
      out.push_back(summary.assumed[static_cast<std::size_t>(i)]);
  return out;
}

const Rests* rests_in(const Summary& summary, int launch) {
  const bool known = launch >= 0 && static_cast<std::size_t>(launch) < summary.launches.size();
  return known ? &summary.launches[static_cast<std::size_t>(launch)].rests : nullptr;
}

}  // namespace

Assumptions fault_rests_on(const Summary& summary, int launch, std::optional<std::string_view> array) {
  const Rests* rests = rests_in(summary, launch);
  if (rests == nullptr) return {};
  std::set<int> all(rests->steps.begin(), rests->steps.end());
  for (const int i : rests->bounds) {
    const source::Assumption& a = summary.assumed[static_cast<std::size_t>(i)];
    if (array && *array == a.name) all.insert(i);  // that of shared memory has none
  }
  return named(summary, all);
}

Assumptions rests_on(const Summary& summary, std::string_view rule, std::set<int> launches) {
  if (std::ranges::find(code_rules, rule) != code_rules.end()) return {};
  std::erase_if(launches, [&](int l) { return rests_in(summary, l) == nullptr; });
  if (launches.empty())
    for (int l = 0; l < static_cast<int>(summary.launches.size()); ++l) launches.insert(l);
  std::set<int> all;
  for (const int l : launches) {
    const Rests& rests = *rests_in(summary, l);
    all.insert(rests.steps.begin(), rests.steps.end());
    if (rule == "pointer-offset-differs") all.insert(rests.bounds.begin(), rests.bounds.end());
  }
  return named(summary, all);
}

Assumptions rests_on(const Summary& summary, const FindingInfo& finding) {
  std::set<int> launches{finding.launch};
  for (const Party& p : finding.parties) launches.insert(p.launch);
  return rests_on(summary, finding.rule, std::move(launches));
}

Assumptions rests_on(const Summary& summary, const ClaimInfo& claim) {
  const Rests* rests = rests_in(summary, claim.launch);
  if (rests == nullptr) return {};
  std::set<int> all(rests->elements.begin(), rests->elements.end());
  if (claim.result.for_this_input)
    for (const int i : rests->steps)
      if (group_of(summary.assumed[static_cast<std::size_t>(i)].code) == source::Assumption::Group::contents)
        all.insert(i);
  return named(summary, all);
}

Assumptions silence_rests_on(const Summary& summary) {
  std::set<int> all;
  for (const LaunchInfo& l : summary.launches)
    for (const std::vector<int>* each : {&l.rests.steps, &l.rests.bounds, &l.rests.others})
      all.insert(each->begin(), each->end());
  Assumptions out = named(summary, all);
  // An array that a claim is about has the elements that it names: nothing else would be known of most exercises.
  std::erase_if(out, [](const source::Assumption& a) { return a.code == source::Assumption::Code::claimed_size; });
  return out;
}

Assumptions anything_rests_on(const Summary& summary) {
  Assumptions out = silence_rests_on(summary);
  for (const LaunchInfo& l : summary.launches)
    for (const source::Assumption& a : named(summary, {l.rests.elements.begin(), l.rests.elements.end()}))
      if (std::ranges::find(out, a) == out.end()) out.push_back(a);
  return out;
}

std::vector<std::string> sentences_of(const Summary& summary) {
  std::vector<std::string> out;
  for (const std::string& s : source::sentences_of(summary.assumed)) out.push_back("Assumed: " + s);
  out.insert(out.end(), summary.inferred.begin(), summary.inferred.end());
  return out;
}

std::string condition_words(const Assumptions& assumed) {
  return assumed.empty() ? "" : "if " + source::list_of(assumed, most_named) + " (assumed): ";
}

}  // namespace lanescope::results
