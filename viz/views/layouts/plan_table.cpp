#include "viz/views/layouts/layouts.h"

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/table.h"

namespace lanescope::views {
namespace {

constexpr float plan_row_pitch = 22, plans_margin = 8;
constexpr const char* plan_headings[] = {"shuffles", "selects",   "permutes",     "shifts", "wavefronts",
                                         "barriers", "registers", "shared bytes", "cycles"};

std::vector<std::string> plan_cells(const convert::Plan& p) {
  const auto number = [](auto n) { return spaced(static_cast<std::uint64_t>(n)); };
  return {p.counts.matrices > 0 ? fmt::format("{} + {} movmatrix", p.counts.shuffles, p.counts.matrices)
                                : number(p.counts.shuffles),
          number(p.counts.selects),
          number(p.counts.permutes),
          number(p.counts.logic),
          number(p.shared_cost.store_wavefronts + p.shared_cost.load_wavefronts),
          p.shared ? "1" : "0",
          number(p.registers),
          p.shared ? number(p.shared->shared_bytes()) : "0",
          fmt::format("{}", p.cycles)};
}

class PlanDrawing {
 public:
  PlanDrawing(const PlansInput& in, float width, const Theme& theme)
      : in_(in), theme_(theme), width_(std::max(width, 240.0f)) {
    scene_.width = width_;
  }

  Scene draw() {
    float y = 4;
    if (in_.planned != nullptr)
      y = table(y);
    else
      y = draw_paragraph(scene_, in_.problem, plans_margin, y, width_ - 2 * plans_margin,
                         in_.waiting ? theme_.text_dim : theme_.bad, type_px::body) +
          6;
    y = steps(y);
    scene_.height = y + 4;
    return std::move(scene_);
  }

 private:
  void row(const Id& id, float y, bool chosen) {
    add_box(scene_, {0, y, width_, plan_row_pitch}, chosen ? mixed(theme_, Mixed::chosen_row) : Color{}, id, 4);
  }

  float table(float y) {
    constexpr std::size_t count = std::size(plan_headings);
    // As narrow as its heading where room is short: the name of the plan then has what is left.
    std::vector<float> widths;
    float all = 0;
    for (const char* heading : plan_headings) {
      widths.push_back(sans_width(heading, type_px::small) + 13);
      all += widths.back();
    }
    const float name_room = 92;
    const float stretch = std::min((width_ - plans_margin - name_room) / all, 1.6f);
    const float size = stretch < 1 ? std::max(type_px::small * stretch, 8.5f) : type_px::small;
    std::vector<float> right(count);
    float x = width_ - 6;
    for (std::size_t n = count; n-- > 0;) {
      right[n] = x;
      x -= widths[n] * stretch;
    }
    add_text(scene_, {plans_margin, y + 9}, "plan", theme_.text_dim, size);
    for (std::size_t n = 0; n < count; ++n)
      add_text(scene_, {right[n], y + 9}, plan_headings[n], theme_.text_dim, size, Face::sans, Align::right);
    y += 20;
    for (std::size_t i = 0; i < in_.planned->plans.size(); ++i) {
      const convert::Plan& p = in_.planned->plans[i];
      const Id id{.kind = Id::Kind::plan_row, .a = static_cast<int>(i)};
      const bool chosen = in_.chosen_plan == static_cast<int>(i);
      row(id, y, chosen);
      const float middle = y + plan_row_pitch / 2;
      if (p.recommended) add_box(scene_, {plans_margin, middle - 3, 6, 6}, theme_.good, id, 3);
      add_text(scene_, {plans_margin + 12, middle}, fmt::format("{}: {}", i + 1, plan_kind(p)),
               chosen ? theme_.text : theme_.text_dim, type_px::note, Face::sans, Align::left, id, name_room - 12);
      const auto cells = plan_cells(p);
      for (std::size_t n = 0; n < count; ++n)
        add_text(scene_, {right[n], middle}, cells[n],
                 cells[n] == "0" ? theme_.text_faint
                 : chosen        ? theme_.text
                                 : theme_.text_dim,
                 type_px::note, Face::mono, Align::right, id);
      scene_.facts.push_back(
          {id, fmt::format("plan {}{}: {} instructions a thread, at most {} registers hold words at a time", i + 1,
                           p.recommended ? ", recommended" : "", p.counts.all(), p.registers)});
      y += plan_row_pitch;
    }
    y += 4;
    const std::string words = bound_in_words(*in_.planned);
    if (!words.empty())
      y = draw_paragraph(scene_, words, plans_margin, y, width_ - 2 * plans_margin,
                         in_.planned->proved_optimal() ? theme_.good : theme_.text_dim, type_px::note) +
          4;
    return y;
  }

  float steps(float y) {
    add_line(scene_, {0, y + 2}, {width_, y + 2}, theme_.border);
    y += 18;
    add_text(scene_, {plans_margin, y}, "Steps", theme_.text, type_px::title, Face::sans_bold);
    y += 12;
    const auto step = [&](int number, const StepRow& s) {
      const Id id{.kind = Id::Kind::step_row, .a = number};
      const bool chosen = in_.chosen_step == number;
      row(id, y, chosen);
      const float middle = y + plan_row_pitch / 2;
      const Color ink = chosen ? theme_.text : theme_.text_dim;
      if (number > 0)
        add_text(scene_, {plans_margin + 14, middle}, std::to_string(number), ink, type_px::note, Face::mono,
                 Align::right, id);
      add_text(scene_, {plans_margin + 24, middle}, s.exchange, ink, type_px::note,
               number > 0 ? Face::mono : Face::sans, Align::left, id);
      float x = plans_margin + 24 + (number > 0 ? 82.0f : 120.0f);
      if (!s.held.empty()) {
        add_text(scene_, {x, middle}, s.held, ink, type_px::note, Face::mono, Align::left, id, 98);
        x += 104;
      }
      if (!s.kind.empty() && width_ - x > 240) {
        add_text(scene_, {x, middle}, s.kind, theme_.text_dim, type_px::note, Face::sans, Align::left, id, 102);
        x += 108;
      }
      add_text(scene_, {x, middle}, s.cost, s.possible ? ink : theme_.bad, type_px::note, Face::sans, Align::left, id,
               std::max(width_ - x - 6, 20.0f));
      scene_.facts.push_back({id, s.kind.empty() ? s.cost : s.kind + ": " + s.cost});
      y += plan_row_pitch;
    };
    if (in_.steps.empty() && in_.planned == nullptr) return y + plan_row_pitch;
    if (in_.steps.empty()) {
      add_text(scene_, {plans_margin, y + 10}, "Nothing moves. Drag a chip of the destination onto another.",
               theme_.text_dim, type_px::note, Face::sans, Align::left, {}, width_ - 2 * plans_margin);
      return y + plan_row_pitch;
    }
    StepRow whole{.exchange = "whole conversion", .cost = in_.problem, .possible = in_.planned != nullptr};
    if (in_.planned != nullptr)
      whole.cost =
          fmt::format("{} in one, planned in {} ms", counted(in_.steps.size(), "step"),
                      number_text(in_.milliseconds < 0.1 ? 0.1 : static_cast<int>(in_.milliseconds * 10) / 10.0));
    step(0, whole);
    for (std::size_t n = 0; n < in_.steps.size(); ++n) step(static_cast<int>(n) + 1, in_.steps[n]);
    return y;
  }

  const PlansInput& in_;
  const Theme& theme_;
  float width_;
  Scene scene_;
};

}  // namespace

std::string plan_kind(const convert::Plan& plan) {
  if (plan.shared) return "shared";
  if (plan.counts.shuffles > 0) return "shuffles";
  if (plan.counts.matrices > 0) return "movmatrix";
  return plan.counts.all() > 0 ? "in each lane" : "renaming";
}

std::string bound_in_words(const convert::Planned& planned) {
  if (!planned.bound)
    return planned.plans.empty() ? std::string() : "Elements move between warps: only shared memory can do that.";
  const std::string least = counted(static_cast<std::uint64_t>(planned.bound->shuffles), "shuffle");
  if (planned.bound->shuffles == 0) return "Every element stays in its lane: no shuffle is needed.";
  if (planned.proved_optimal())
    return fmt::format("Plan 1 needs {}, and no way needs fewer: {}.", least, planned.bound->argument);
  return fmt::format("No plan needs fewer than {}: {}. Whether plan 1 can be improved is not known.", least,
                     planned.bound->argument);
}

scene::Scene plan_table(const PlansInput& input, float width, const Theme& theme) {
  return PlanDrawing(input, width, theme).draw();
}

}  // namespace lanescope::views
