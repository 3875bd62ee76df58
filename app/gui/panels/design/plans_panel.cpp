// Plans: what the ways from one end to the other cost, and the steps.

#include <fmt/format.h>

#include "app/gui/commands/command.h"
#include "app/gui/panels/design/design_panels.h"
#include "app/gui/widgets/control_strip.h"
#include "kernels/base/numbers.h"
#include "viz/views/layouts/layouts.h"

namespace lanescope::gui {
namespace {

class PlansPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    const Designer& d = app.designer;
    if (!d.is_open()) return {};
    if (d.planning()) return "planning…";
    const design::Study* s = d.study();
    return s != nullptr && s->planned
               ? counted(s->planned->plans.size(), "plan") +
                     (s->planned->plans.size() > 1 ? ", none worse than another in everything" : "")
               : std::string();
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_layout(app, stage, area, id())) return;
    ControlStrip strip(stage, {area.x, area.y, area.w, 0});
    const auto press = [&](const char* label, const char* words, const char* command) {
      if (strip.press(label, words, hint_of(command), refusal_of(app, *find_command(command))))
        run_command(app, command);
    };
    press("Plan it", "Plan it", "design.plan");
    press("Step earlier", "Step earlier", "design.step_earlier");
    press("Step later", "Step later", "design.step_later");
    press("Delete step", "Delete step", "design.delete_step");
    legs(app, stage, strip);
    const float used = strip.bottom() - area.y + stage.px(2);
    picture(app, stage, {area.x, area.y + used, area.w, std::max(area.h - used, 1.0f)});
  }

 private:
  /// Of a chain: what each leg costs, and the sum of them.
  static void legs(App& app, const Stage& stage, ControlStrip& strip) {
    Designer& d = app.designer;
    const design::Design& design = d.sheet().design;
    if (!design.is_chain()) return;
    const design::Study* s = d.study();
    for (std::size_t n = 0; n < design.legs(); ++n) {
      strip.next_row();
      const std::string id = "Leg " + std::to_string(n + 1);
      const bool known = s != nullptr && s->chain && n < s->chain->legs.size();
      if (strip.press(id.c_str(), (n == design.leg() ? "● " : "○ ") + id, "Shows this leg of the chain")) {
        d.show_leg(n);
        return;
      }
      strip.words(known ? s->chain->legs[n].words : "…",
                  known && !s->chain->legs[n].possible ? stage.theme->bad : stage.theme->text_dim);
    }
    if (s == nullptr || !s->chain) return;
    strip.next_row();
    strip.sentence(fmt::format("All legs, one by one: {}. From the first state to the last at once: {}.",
                               s->chain->total, s->chain->direct),
                   stage.theme->text);
  }

  void picture(App& app, Stage& stage, Rectangle area) {
    Designer& d = app.designer;
    views::PlansInput in;
    const design::Study* study = d.study();
    in.planned = study != nullptr ? study->planned.get() : nullptr;
    in.problem = problem_of(d);
    in.waiting = study == nullptr && d.sheet().complete();
    in.milliseconds = study != nullptr ? study->milliseconds : 0;
    in.chosen_plan = d.plan();
    in.chosen_step = d.step();
    for (std::size_t n = 0; n < d.sheet().steps.size(); ++n) {
      const design::Step& s = d.sheet().steps[n];
      views::StepRow row{.exchange = s.exchange ? design::to_string(*s.exchange) : "other",
                         .held = s.exchange ? design::held_by(s.before, *s.exchange) : "no exchange of bits",
                         .kind = s.exchange ? design::kind_of(*s.exchange) : ""};
      row.kind = row.kind.substr(0, row.kind.find(','));  // the cost says the rest
      if (study != nullptr && n < study->steps.size()) {
        row.cost = study->steps[n].words;
        row.possible = study->steps[n].possible;
      } else {
        row.cost = study == nullptr && d.sheet().complete() ? "…" : "";
      }
      in.steps.push_back(std::move(row));
    }
    const std::string stamp = fmt::format("{} {} {} {}", d.version, app.shell.view.theme, d.plan(), d.step());
    SceneCanvas::Result r = canvas_.draw(
        app, stage, id(), area, stamp, [&](float width) { return views::plan_table(in, width, app.shell.theme()); },
        {.zooms = false, .shrink_to_fit = false, .centered = false, .least_fit = 1, .scrolls = true});
    if (r.hit && r.hovered && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      for (const scene::Fact& f : stage.scenes.at("plans").scene.facts)
        if (f.id == *r.hit) tooltip(stage, f.text);
    if (!r.clicked) return;
    if (r.clicked->kind == scene::Id::Kind::plan_row) d.choose_plan(r.clicked->a);
    if (r.clicked->kind == scene::Id::Kind::step_row) d.choose_step(r.clicked->a);
  }

  static std::string problem_of(const Designer& d) {
    if (!d.sheet().complete()) return "The design has a mistake, which is marked in the panel Designer.";
    const design::Study* s = d.study();
    if (s == nullptr) return "Planning…";
    if (s->planned || s->wrong.empty()) return {};
    return as_sentence(with_remedy(s->wrong.front().message, s->wrong.front().remedy));
  }

  SceneCanvas canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_plans_panel() { return std::make_unique<PlansPanel>(); }

}  // namespace lanescope::gui
