// The access calculator: the cost of 32 offsets from any source.

#include <algorithm>
#include <cmath>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/control_strip.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

using access::Shape;
using scene::Id;
using Kind = views::WhatIf::Kind;

constexpr float px_per_element = 10;  ///< of dragging a lane
constexpr int most_offset = 1 << 20;
constexpr const char* what_if_names[] = {"no what-if", "padding", "swizzle"};

class CalculatorPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    const Calculator& c = app.calculator;
    const access::Cost cost = c.access().cost;
    if (c.constant()) return counted(cost.broadcasts, "broadcast");
    if (c.shared()) return counted(cost.wavefronts, "wavefront");
    // Where generations or paths move other pieces than sectors, the picture counts them.
    const engine::ShownMemory shown = memory_shown(app);
    const bool sectors = shown.memory.half_warps == access::HalfWarps::none && !shown.memory.replays &&
                         !path_shown(app, c.pattern().reads());
    return sectors ? counted(cost.sectors, "sector") : shown.arch;
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    const float inset = stage.px(6);
    ControlStrip strip(stage, {area.x + inset, area.y, area.w - inset, 0});
    main_row(app, stage, strip);
    shape_row(app.calculator, strip);
    lane_row(app.calculator, strip);
    if (app.calculator.shared()) shared_row(app, stage, strip);
    if (!app.calculator.problem().empty()) strip.sentence(app.calculator.problem() + ".", stage.theme->bad);
    const float used = strip.bottom() - area.y + stage.px(4);
    picture(app, stage, {area.x, area.y + used, area.w, std::max(area.h - used, 1.0f)});
  }

 private:
  static void main_row(App& app, const Stage& stage, ControlStrip& strip) {
    Calculator& c = app.calculator;
    drop_down(strip, stage, "Pattern", "pattern", c.words(), "Selects how the offsets of the lanes are given", [&] {
      for (const Shape shape : access::shapes()) {
        const std::string name(access::name_of(shape));
        if (menu_entry(stage, name.c_str(), c.words() == name)) c.pick(shape);
      }
    });
    const char* space = c.shared() ? "shared memory" : c.constant() ? "constant memory" : "global memory";
    drop_down(strip, stage, "Space", "in", space, hint_of("calculator.space"), [&] {
      if (menu_entry(stage, "global memory", !c.shared() && !c.constant())) c.set_space(trace::MemorySpace::global);
      if (menu_entry(stage, "shared memory", c.shared())) c.set_space(trace::MemorySpace::shared);
      if (menu_entry(stage, "constant memory", c.constant())) c.set_space(trace::MemorySpace::constant);
    });
    drop_down(strip, stage, "Width", "width", counted(static_cast<std::uint64_t>(c.pattern().width_bytes), "byte"),
              "Access width in bytes per lane", [&] {
                for (const int width : {1, 2, 4, 8, 16}) {
                  const std::string words = counted(static_cast<std::uint64_t>(width), "byte");
                  if (menu_entry(stage, words.c_str(), c.pattern().width_bytes == width)) c.set_width(width);
                }
              });
    const bool store = !c.pattern().reads();
    if (!c.constant() && strip.press("Direction", store ? "store" : "load",
                                     "Selects loads or stores. Wide loads of shared memory can be combined."))
      c.set_kind(store ? trace::AccessKind::load : trace::AccessKind::store);
    if (strip.press("From this step", "From this step", hint_of("calculator.from_step"),
                    refusal_of(app, *find_command("calculator.from_step"))))
      run_command(app, "calculator.from_step");
    if (!c.constant()) memory_choices(app, stage, strip, !c.shared() && !store);
  }

  /// The numbers that the shape has.
  static void shape_row(Calculator& c, ControlStrip& strip) {
    strip.next_row();
    access::PatternSpec spec = c.spec();
    bool changed = false;
    const auto number = [&](const char* name, const std::string& words, auto& value, int low, int high, int step,
                            const char* hint) {
      int n = static_cast<int>(value);
      if (!strip.number(name, words, n, low, high, step, hint)) return;
      value = static_cast<std::remove_reference_t<decltype(value)>>(n);
      changed = true;
    };
    if (spec.shape == Shape::formula) {
      std::string text = c.formula_text;
      if (strip.field("Formula", "offset in bytes =", text, 230,
                      "Formula with lane, warp, numbers and the operators of C"))
        return c.set_formula(text);
    } else if (spec.shape == Shape::map) {
      std::string text = c.columns_text;
      if (strip.field("Columns", "offset per bit", text, 230,
                      "Offset that each bit of lane + 32 * warp contributes by XOR, lowest bit first"))
        return c.set_columns(text);
    } else if (const std::string meaning(access::meaning_of_amount(spec.shape)); !meaning.empty()) {
      number("Amount", meaning, spec.amount, 0, 4096, 1, "Parameter of the pattern");
    }
    if (spec.shape == Shape::structure)
      number("Field", "field at", spec.field_bytes, 0, 4096, spec.width_bytes,
             "Bytes from the start of each structure");
    if (spec.shape == Shape::permuted || spec.shape == Shape::scattered)
      number("Seed", "seed", spec.seed, 1, 9999, 1, "Seed of the random order");
    number("Base", "from byte", spec.base_bytes, 0, 4096, spec.width_bytes, "Offset of the start of the array");
    number("Warp", "warp", spec.warp, 0, 31, 1, "Each warp continues where the previous one ends");
    std::string mask = c.mask_text;
    if (strip.field("Mask", "lanes", mask, 92, "Mask of active lanes, one bit per lane")) return c.set_mask(mask);
    if (changed) c.change(spec);
  }

  static void lane_row(Calculator& c, ControlStrip& strip) {
    if (c.lane < 0) return;
    strip.next_row();
    const access::Access& p = c.pattern();
    int offset = static_cast<int>(std::min<std::uint64_t>(p.addresses[static_cast<std::size_t>(c.lane)], most_offset));
    if (strip.number("Offset", "lane " + std::to_string(c.lane) + " at byte", offset, 0, most_offset, p.width_bytes,
                     "Dragging the lane sideways also changes it"))
      c.set_offset(c.lane, static_cast<std::uint64_t>(offset));
    const bool active = (p.mask >> c.lane & 1) != 0;
    if (strip.press("Lane active", active ? "Deactivate the lane" : "Activate the lane",
                    "Selects whether the lane is active"))
      c.set_active(c.lane, !active);
  }

  static void shared_row(App& app, const Stage& stage, ControlStrip& strip) {
    Calculator& c = app.calculator;
    strip.next_row();
    drop_down(strip, stage, "What if", "what-if", entry_for(what_if_names, c.what_if.kind),
              hint_of("calculator.what_if"), [&] {
                for (int i = 0; i < 3; ++i)
                  if (menu_entry(stage, what_if_names[i], static_cast<int>(c.what_if.kind) == i)) {
                    c.what_if.kind = static_cast<Kind>(i);
                    c.wavefront = -1;
                  }
              });
    if (c.what_if.kind != Kind::none) what_if_numbers(c, strip);
    const int count = c.wavefront_count();
    if (strip.icon("Previous wavefront", Icon::left, hint_of("calculator.previous_wavefront")))
      run_command(app, "calculator.previous_wavefront");
    if (strip.icon("Play wavefronts", c.playing ? Icon::pause : Icon::play, hint_of("calculator.play")))
      run_command(app, "calculator.play");
    if (strip.icon("Next wavefront", Icon::right, hint_of("calculator.next_wavefront")))
      run_command(app, "calculator.next_wavefront");
    strip.words(c.wavefront < 0 ? "all of " + counted(static_cast<std::uint64_t>(count), "wavefront")
                                : "wavefront " + std::to_string(c.wavefront + 1) + " of " + std::to_string(count),
                stage.theme->text_dim);
  }

  static void what_if_numbers(Calculator& c, ControlStrip& strip) {
    views::WhatIf w = c.what_if;
    bool changed =
        strip.number("Row words", "rows of words", w.row_words, 1, 4096, 32, "Row length in words of 4 bytes");
    if (w.kind == Kind::padding) {
      changed |= strip.number("Padding words", "padding after each row", w.padding_words, 1, 32, 1, "Words of 4 bytes");
    } else {
      int bits = 0;
      while (1 << bits < w.unit_words) ++bits;
      if (strip.number("Unit bits", "units of 2^", bits, 0, 5, 1, "Words that are moved together: 1, 2, 4, … 32")) {
        w.unit_words = 1 << bits;
        changed = true;
      }
      changed |= strip.number("Rows per step", "rows per permutation", w.rows_per_step, 1, 32, 1,
                              "Consecutive rows with the same permutation");
    }
    if (!changed) return;
    c.what_if = bounded(w);
    c.wavefront = -1;
  }

  void picture(App& app, Stage& stage, Rectangle area) {
    Calculator& c = app.calculator;
    const auto make = [&](float width) {
      views::CalculatorOptions o{
          .width = width, .selected_lane = c.lane, .wavefront = c.wavefront, .what_if = c.what_if};
      engine::ShownMemory shown = memory_shown(app);
      o.arch = std::move(shown.arch), o.memory = std::move(shown.memory);
      o.path = path_shown(app, c.pattern().reads());
      return views::calculator_view(c.pattern(), o, app.shell.theme());
    };
    const auto is_lane = [](const Id& at) { return at.kind == Id::Kind::calculator_lane; };
    const SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), area, stamp(app), make,
                     {.zooms = false, .shrink_to_fit = false, .centered = false, .grabs = is_lane, .scrolls = true});
    drag(c, result);
    if (result.clicked) click(c, *result.clicked);
    if (result.hit && !result.dragging && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      tooltip(stage, fact(c, *result.hit));
  }

  static std::string stamp(const App& app) {
    const Calculator& c = app.calculator;
    const access::Access& p = c.pattern();
    const views::WhatIf& w = c.what_if;
    std::string text = app.shell.view.theme + memory_stamp(app);
    for (const int n : {p.width_bytes, static_cast<int>(p.kind), static_cast<int>(c.space()), c.lane, c.wavefront,
                        static_cast<int>(w.kind), w.row_words, w.padding_words, w.unit_words, w.rows_per_step})
      text += " " + std::to_string(n);
    text += " " + std::to_string(p.mask);
    for (const std::uint64_t offset : p.addresses) text += " " + std::to_string(offset);
    return text;
  }

  /// A lane that is dragged sideways moves by whole elements.
  void drag(Calculator& c, const SceneCanvas::Result& result) {
    if (!result.grabbed) {
      grabbed_lane_ = -1;
      return;
    }
    const int lane = result.grabbed->a;
    if (grabbed_lane_ != lane) {
      grabbed_lane_ = lane;
      grabbed_from_ = static_cast<std::int64_t>(c.pattern().addresses[static_cast<std::size_t>(lane)]);
    }
    const std::int64_t elements = std::lround(result.moved.x / px_per_element);
    const std::int64_t wanted =
        std::clamp<std::int64_t>(grabbed_from_ + elements * c.pattern().width_bytes, 0, most_offset);
    if (wanted == static_cast<std::int64_t>(c.pattern().addresses[static_cast<std::size_t>(lane)])) return;
    c.lane = lane;
    c.set_offset(lane, static_cast<std::uint64_t>(wanted));
  }

  static void click(Calculator& c, const Id& at) {
    if (at.kind == Id::Kind::calculator_lane) c.lane = c.lane == at.a ? -1 : at.a;
    if (at.kind == Id::Kind::calculator_width) c.set_width(at.a);
    if (at.kind == Id::Kind::wavefront) c.wavefront = c.wavefront == at.a ? -1 : at.a;
  }

  static std::string fact(const Calculator& c, const Id& at) {
    if (at.kind == Id::Kind::calculator_lane) {
      const std::uint64_t offset = c.pattern().addresses[static_cast<std::size_t>(at.a)];
      if (c.constant()) return "lane " + std::to_string(at.a) + ": byte " + spaced(offset);
      const std::string where = c.shared() ? "bank " + std::to_string(offset / 4 % 32)
                                           : "sector " + spaced(offset / 32) + ", line " + spaced(offset / 128);
      return "lane " + std::to_string(at.a) + ": byte " + spaced(offset) + ", " + where +
             "\nClick to select, drag sideways to move";
    }
    if (at.kind == Id::Kind::calculator_width) return "Click to use this access width";
    // The other shapes speak of a buffer: an array of as many bytes as are touched.
    results::Summary summary;
    summary.buffers.push_back({.name = "array",
                               .element_bits = 8 * c.pattern().width_bytes,
                               .bytes = most_offset,
                               .elements = most_offset / static_cast<std::uint64_t>(c.pattern().width_bytes),
                               .address = 0});
    return views::tooltip_text(summary, {.access = c.access()}, at);
  }

  SceneCanvas canvas_;
  int grabbed_lane_ = -1;
  std::int64_t grabbed_from_ = 0;
};

}  // namespace

std::unique_ptr<Panel> make_calculator_panel() { return std::make_unique<CalculatorPanel>(); }

}  // namespace lanescope::gui
