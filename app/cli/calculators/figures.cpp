// Figures of the reference documents beside those that this program computes.

#include <nlohmann/json.hpp>

#include "app/cli/answers/answer.h"
#include "app/cli/calculators/calculators.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/json_fields.h"
#include "profiling/occupancy/reference_figures.h"

namespace lanescope::cli {
namespace {

using occupancy::ReferenceFigure;

constexpr std::string_view relation_words[] = {"equal", "at least", "at most", "derived"};

nlohmann::json json_of(const ReferenceFigure& f) {
  nlohmann::json out = fields("name", f.name, "source", f.source, "unit", f.unit, "computed", f.computed, "holds",
                              f.holds(), "relation", entry_for(relation_words, f.relation));
  put_known(out, "stated", f.stated);
  return out;
}

nlohmann::json json_of(const occupancy::ReferenceDispute& d) {
  nlohmann::json out = fields("statement", d.statement, "source", d.source, "truth", d.truth, "why", d.why, "stated",
                              d.stated, "unit", d.unit, "computed", d.computed);
  put_known(out, "against", d.against);
  return out;
}

}  // namespace

int figures(const FiguresOptions& options) {
  const auto all = occupancy::reference_figures();
  const auto disputes = occupancy::reference_disputes();
  if (!all || !disputes) {
    const Diagnostics& wrong = all ? disputes.error() : all.error();
    return print({.status = bad_input, .diagnostics = wrong}, options.json);
  }
  nlohmann::json out = fields("figures", nlohmann::json::array(), "disputes", nlohmann::json::array());
  std::size_t wrong = 0;
  for (const ReferenceFigure& f : *all) {
    if (!f.holds()) ++wrong;
    if (options.json)
      out["figures"].push_back(json_of(f));
    else
      say("{} {}\n", f.holds() ? "holds  " : "DIFFERS", to_string(f));
  }
  std::size_t contradictions = 0;
  for (const occupancy::ReferenceDispute& d : *disputes) {
    if (!d.against.empty()) ++contradictions;
    if (options.json)
      out["disputes"].push_back(json_of(d));
    else
      say("{} {}\n", d.against.empty() ? "FALSE  " : "OPPOSED", to_string(d));
  }
  if (options.json)
    say(out);
  else
    say("{} of {} numbers hold; beside them {} false {} and {} that another document contradicts\n",
        all->size() - wrong, all->size(), disputes->size() - contradictions,
        disputes->size() - contradictions == 1 ? "statement" : "statements", contradictions);
  return wrong == 0 ? all_good : kernel_wrong;
}

}  // namespace lanescope::cli
