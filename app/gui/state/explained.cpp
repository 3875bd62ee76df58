#include "app/gui/state/glossary.h"

#include "app/engine/summary/occupancy_info.h"
#include "profiling/occupancy/gpu_table.h"
#include "viz/views/costs/ptx.h"

namespace lanescope::gui {

explain::Generation shown_generation(const Model& model) {
  engine::ShownMemory shown = engine::shown_memory(model.results.summary.arch, model.occupancy.choice.gpu);
  explain::Generation out;
  if (shown.arch.empty()) return out;  // not in the table: an H200's
  out.arch = shown.arch, out.memory = std::move(shown.memory);
  if (const auto& table = occupancy::gpu_table())
    if (const auto arch = table->arch(out.arch)) out.name = arch->generation;
  return out;
}

explain::Explanation explained(const Model& model, std::string_view instruction) {
  return explain::explain(instruction, shown_generation(model));
}

std::string explained_text(const Model& model, std::string_view instruction) {
  const explain::Generation generation = shown_generation(model);
  const explain::Explanation e = explain::explain(instruction, generation);
  std::string words = explain::to_text(e);
  if (e.route) words += "\n(" + generation.name + ", " + generation.arch + ")";
  return words;
}

std::string instruction_on_show(const Model& model) {
  const results::Summary& s = model.results.summary;
  const int pc = model.results.moment.pc;
  if (!model.results.have || pc < 0 || pc >= static_cast<int>(s.code.size())) return {};
  const trace::CodeSite& site = s.code[static_cast<std::size_t>(pc)];
  if (site.kind != trace::StepKind::probe) return site.text;
  const int row = views::ptx_row_of(s, model.results.moment);
  const auto& code = views::ptx_code(s);
  return row >= 0 && row < static_cast<int>(code.size()) ? code[static_cast<std::size_t>(row)].text : std::string();
}

}  // namespace lanescope::gui
