// The list of presets of the layout under design.

#include <algorithm>

#include <fmt/format.h>

#include "app/design/presets.h"
#include "app/gui/commands/command.h"
#include "app/gui/shell/overlay.h"
#include "kernels/base/numbers.h"

namespace lanescope::gui {

std::vector<Choice> preset_choices(const App& app, const std::string& query) {
  const Designer& d = app.designer;
  const design::End end = d.preset_end;
  std::vector<Choice> choices;
  const auto add = [&](std::string label, std::string detail, std::string refusal, std::function<void(App&)> pick) {
    const auto score = fuzzy_score(query, label);
    if (!score) return;
    choices.push_back(
        {std::move(label), std::move(detail), std::move(refusal), std::move(pick), query.empty() ? 0 : *score});
  };
  const std::string amount = fmt::format("{} of {}, {}", counted(d.amount.elements, "element"), d.amount.type,
                                         counted(static_cast<std::uint64_t>(d.amount.threads), "thread"));
  for (const int width : {16, 8, 4}) {
    const auto a = design::coalesced(d.amount, width);
    add(fmt::format("coalesced, {} bytes a thread", width), amount,
        a ? std::string() : as_sentence(a.error().front().message), [end, a, width](App& app_) {
          if (a)
            app_.designer.take_assignment(end, *a, app_.designer.amount.type,
                                          fmt::format("coalesced assignment of {} bytes a thread", width));
        });
  }
  for (const design::Preset& p : design::fragments())
    add(std::string(p.name), std::string(p.type), {}, [end, p](App& app_) {
      if (const auto a = layout::parse(p.text))
        app_.designer.take_assignment(end, *a, std::string(p.type), std::string(p.name));
    });
  for (const design::RefusedPreset& p : design::refused_presets())
    add(std::string(p.name), "not specified", std::string(p.why), [](App&) {});
  for (const design::Chain& c : design::chains())
    add(std::string(c.name), "both ends, " + std::string(c.type), {}, [c](App& app_) {
      const auto from = layout::parse(c.from), to = layout::parse(c.to);
      if (from && to) app_.designer.take_ends(*from, *to, std::string(c.type), {}, std::string(c.name));
    });
  std::stable_sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) { return a.score > b.score; });
  // What is typed may itself be an assignment.
  if (query.find_first_of(":[(<") != std::string::npos) {
    const int bits = d.sheet().element_bits > 0 ? d.sheet().element_bits : 32;
    const auto a = design::import_assignment(query, bits);
    choices.insert(
        choices.begin(),
        {a ? layout::print_line(*a) : as_sentence(with_remedy(a.error().front().message, a.error().front().remedy)),
         "as typed", a ? std::string() : as_sentence(a.error().front().message),
         [end, a](App& app_) {
           if (a) app_.designer.take_assignment(end, *a, app_.designer.sheet().design.type, "import of a layout");
         },
         0});
  }
  return choices;
}

}  // namespace lanescope::gui
