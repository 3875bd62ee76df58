// What the reference documents state, beside what this program computes.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/answers/problems.h"
#include "app/cli/answers/report.h"
#include "app/cli/answers/say.h"
#include "app/cli/commands.h"
#include "profiling/occupancy/reference_figures.h"

namespace lanescope::cli {
namespace {

using occupancy::ReferenceFigure;

std::string_view name_of(ReferenceFigure::Relation relation) {
  switch (relation) {
    case ReferenceFigure::Relation::equal:
      return "equal";
    case ReferenceFigure::Relation::at_least:
      return "at least";
    case ReferenceFigure::Relation::at_most:
      return "at most";
    case ReferenceFigure::Relation::derived:
      break;
  }
  return "derived";
}

nlohmann::json json_of(const ReferenceFigure& f) {
  nlohmann::json out = {{"name", f.name},         {"source", f.source}, {"unit", f.unit},
                        {"computed", f.computed}, {"holds", f.holds()}, {"relation", name_of(f.relation)}};
  if (f.stated) out["stated"] = *f.stated;
  return out;
}

}  // namespace

int figures(const FiguresOptions& options) {
  const auto all = occupancy::reference_figures();
  if (!all) {
    report(all.error());
    if (options.json) say(nlohmann::json{{"diagnostics", diagnostics_json(all.error())}});
    return bad_input;
  }
  nlohmann::json out = {{"figures", nlohmann::json::array()}};
  std::size_t wrong = 0;
  for (const ReferenceFigure& f : *all) {
    if (!f.holds()) ++wrong;
    if (options.json)
      out["figures"].push_back(json_of(f));
    else
      say("{} {}\n", f.holds() ? "holds  " : "DIFFERS", to_string(f));
  }
  if (options.json)
    say(out);
  else
    say("{} of {} numbers hold\n", all->size() - wrong, all->size());
  return wrong == 0 ? all_good : kernel_wrong;
}

}  // namespace lanescope::cli
