// The designer: what a layout is called and made of, both of its ends as notation and as chips, and what each end costs.

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/design/costs.h"
#include "app/gui/commands/command.h"
#include "app/gui/panels/design/design_panels.h"
#include "app/gui/widgets/control_strip.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "viz/views/layouts/layouts.h"

namespace lanescope::gui {
namespace {

using design::End;
using views::ChipRef;

/// One line, as a field shows it.
std::string one_line(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("; ") : std::string(1, c);
  return out;
}

/// Rows as they stand in a paper or in a comment, as one line of a field: without comment marks, and without the sentence
/// that introduces them.
std::string rows_in_one_line(std::string_view text) {
  std::string out;
  for (std::string_view line : split_lines(text)) {
    line = trimmed(line);
    while (line.starts_with('/') || line.starts_with('*')) line.remove_prefix(1);
    line = trimmed(line);
    if (line.empty() || line.ends_with(':')) continue;
    out += (out.empty() ? "" : "; ") + std::string(line);
  }
  return out;
}

/// While it lives, a paste puts rows of several lines into a field of one line; then the clipboard is as before.
class PastedRows {
 public:
  PastedRows() {
    if (!ImGui::GetIO().KeyCtrl || !ImGui::IsKeyPressed(ImGuiKey_V, false)) return;
    const char* clip = ImGui::GetClipboardText();
    if (clip == nullptr || std::string_view(clip).find('\n') == std::string_view::npos) return;
    before_ = clip;
    ImGui::SetClipboardText(rows_in_one_line(*before_).c_str());
  }
  PastedRows(const PastedRows&) = delete;
  PastedRows& operator=(const PastedRows&) = delete;
  ~PastedRows() {
    if (before_) ImGui::SetClipboardText(before_->c_str());
  }

 private:
  std::optional<std::string> before_;
};

using Tone = views::EndFact::Tone;
constexpr trace::AccessKind load = trace::AccessKind::load, store = trace::AccessKind::store;

std::vector<views::EndFact> costs_of(const design::Sheet& s) {
  std::vector<views::EndFact> out;
  if (s.element_bits == 0) return out;
  for (const End end : {End::from, End::to}) {
    const auto& a = s.side(end).assignment;
    if (!a) continue;
    const trace::AccessKind kind = end == End::from ? load : store;
    const auto c = design::global_cost(*a, s.element_bits, design::memory_order(*a, s.design.memory), kind);
    out.push_back({end == End::from ? "load of From" : "store of To", design::words(c),
                   !c.problem.empty()                     ? Tone::plain
                   : c.sum.sectors == c.sum.ideal_sectors ? Tone::good
                                                          : Tone::warn});
  }
  for (const End end : {End::from, End::to}) {
    const auto& a = s.side(end).assignment;
    if (!a) continue;
    const trace::AccessKind kind = end == End::from ? store : load;
    const auto c =
        design::shared_cost(*a, s.element_bits, design::memory_order(*a, s.design.memory), s.design.shared, kind);
    out.push_back({end == End::from ? "shared, From" : "shared, To", design::words(c),
                   !c.problem.empty()                           ? Tone::plain
                   : c.sum.wavefronts <= c.sum.ideal_wavefronts ? Tone::good
                                                                : Tone::warn});
  }
  return out;
}

class DesignerPanel final : public Panel {
 public:
  std::string title(const App& app) const override {
    return app.designer.is_open() ? app.designer.title() + (app.designer.edited() ? " (edited)" : "") : "Designer";
  }
  std::string subtitle(const App& app) const override {
    const Designer& d = app.designer;
    if (!d.is_open() || !d.sheet().from.assignment) return {};
    const auto bits = layout::logical_bits(*d.sheet().from.assignment).size();
    const std::string count = bits < 40 ? spaced(std::uint64_t{1} << bits) + " elements" : std::string();
    return d.designs().size() > 1 ? fmt::format("{} of {} designs · {}", d.shown() + 1, d.designs().size(), count)
                                  : count;
  }

  /// The chips have the arrows while one of them is focused.
  bool typing(const App& app) const override {
    return app.shell.active_panel == PanelId::designer && app.designer.is_open() && app.designer.focused.has_value();
  }
  void leave_typing(App& app) override { app.designer.focused.reset(); }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_layout(app, stage, area, id())) return;
    leave_field_after_undo(app);
    const float inset = stage.px(2);
    ControlStrip strip(stage, {area.x + inset, area.y, area.w - inset, 0});
    names(app, strip);
    beginnings(app, strip);
    chain(app, strip);
    for (const End end : {End::from, End::to}) notation(app, stage, strip, end, area);
    shared_form(app, stage, strip);
    typed_version_ = app.designer.version;
    const float used = strip.bottom() - area.y + stage.px(6);
    chips(app, stage, {area.x, area.y + used, area.w, std::max(area.h - used, 1.0f)});
  }

 private:
  /// A field that has the keyboard shows the text after an undo.
  void leave_field_after_undo(App& app) {
    if (typed_version_ != app.designer.version && undo_seen_ != app.designer.undo_name() && typed_in_) {
      ImGui::ClearActiveID();
      // A field that lost the keyboard would write its text once more.
      ImGui::GetCurrentContext()->InputTextDeactivatedState.ClearFreeMemory();
      typed_in_ = false;
    }
    undo_seen_ = app.designer.undo_name();
  }

  void edited(App& app, const design::Edit& edit, const std::string& merge) {
    app.designer.apply(edit, merge);
    undo_seen_ = app.designer.undo_name();
    typed_in_ = true;
  }

  void names(App& app, ControlStrip& strip) {
    Designer& d = app.designer;
    const design::Design& now = d.sheet().design;
    std::string name = now.name, type = now.type;
    if (strip.field("Name", "function", name, 84, "Name of the generated function"))
      edited(app, design::with_name(now, name), "name");
    if (strip.field("Type", "type", type, 44,
                    "Element type, such as f16 or u8, or a number of bits: 1, 2, 4 ... 128")) {
      edited(app, design::with_type(now, type), "type");
      if (design::bits_of(type)) d.amount.type = type;
    }
    std::string order = fmt::format("{}", fmt::join(now.memory, " "));
    if (order.empty() && d.sheet().from.assignment)
      order = fmt::format("{}", fmt::join(design::memory_order(*d.sheet().from.assignment, {}).axes, " "));
    if (!order_typed_ || ImGui::GetActiveID() == 0) order_text_ = order, order_typed_ = false;
    if (strip.field("Memory order", "memory", order_text_, 44,
                    "Axes of the array in global and shared memory, the slowest first")) {
      order_typed_ = true;
      edited(app, design::with_memory(now, words_between(order_text_, " ,")), "memory");
    }
    for (const Diagnostics* wrong : {&d.sheet().wrong_name, &d.sheet().wrong_type})
      if (!wrong->empty())
        strip.sentence(as_sentence(with_remedy(wrong->front().message, wrong->front().remedy)), app.shell.theme().bad);
  }

  /// Elements, threads, presets.
  void beginnings(App& app, ControlStrip& strip) {
    strip.next_row();
    Designer& d = app.designer;
    if (elements_text_.empty()) elements_text_ = std::to_string(d.amount.elements);
    if (threads_text_.empty()) threads_text_ = std::to_string(d.amount.threads);
    strip.field("Elements", "elements", elements_text_, 52, "Of a new assignment: a power of two");
    strip.field("Threads", "threads", threads_text_, 42, "That hold them: a power of two from 32 to 1024");
    const auto number = [](const std::string& text) {
      return text.empty() || text.size() > 7 || text.find_first_not_of("0123456789") != std::string::npos
                 ? std::uint64_t{0}
                 : std::stoull(text);
    };
    d.amount.elements = number(elements_text_);
    d.amount.threads = static_cast<int>(number(threads_text_));
    if (d.sheet().element_bits > 0) d.amount.type = d.sheet().design.type;
    if (strip.press("Coalesced", "Coalesced load",
                    "Both ends hold so many elements, loaded side by side by vectors as wide as they can be")) {
      if (const auto a = design::coalesced(d.amount))
        d.apply(design::with_both(d.sheet().design, *a, d.amount.type, "new coalesced assignment"));
      else
        d.apply(Expected<design::Edit>(tl::unexpected<Diagnostics>(a.error())));
    }
  }

  /// From A to B to C: which leg is on show.
  void chain(App& app, ControlStrip& strip) {
    const design::Design& d = app.designer.sheet().design;
    const auto press = [&](const char* words, const char* command) {
      if (strip.press(words, words, hint_of(command), refusal_of(app, *find_command(command))))
        run_command(app, command);
    };
    if (!d.is_chain()) return press("Add a destination", "design.add_destination");
    strip.next_row();
    if (strip.icon("Previous leg", Icon::left, hint_of("design.previous_leg"))) run_command(app, "design.previous_leg");
    strip.words(fmt::format("leg {} of {}", d.leg() + 1, d.legs()), app.shell.theme().text);
    if (strip.icon("Next leg", Icon::right, hint_of("design.next_leg"))) run_command(app, "design.next_leg");
    press("Add a destination", "design.add_destination");
    press("Remove it", "design.remove_destination");
  }

  void notation(App& app, Stage& stage, ControlStrip& strip, End end, Rectangle area) {
    strip.next_row();
    Designer& d = app.designer;
    std::string text = one_line(d.sheet().design.text(end));
    const char* id = end == End::from ? "From notation" : "To notation";
    const char* command = end == End::from ? "design.from_preset" : "design.to_preset";
    if (strip.choice(end == End::from ? "From preset" : "To preset", "", end == End::from ? "From" : "To",
                     hint_of(command)))
      run_command(app, command);
    strip.advance_to(stage.px(56));
    const PastedRows pasted;
    if (strip.field(id, "", text, strip.room() / stage.scale - 12,
                    "Rows of the notation, separated by semicolons: simd, register, thread, warp"))
      edited(app, design::with_text(d.sheet().design, end, text), id);
    const Diagnostics& wrong = d.sheet().side(end).wrong;
    if (wrong.empty()) return;
    // In its place: under the letters where the mistake begins.
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const ImGuiInputTextState* state = ImGui::GetInputTextState(ImGui::GetItemID());
    const float scrolled = state == nullptr ? 0 : state->ScrollX;
    const float letter = text_width(stage.fonts.code_small, "0");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const Diagnostic& w : wrong) {
      const float x = low.x + stage.px(6) + letter * static_cast<float>(std::max(w.column - 1, 0)) - scrolled;
      if (w.line > 1 || x < low.x || x > high.x - letter) continue;
      list.AddRectFilled({x, high.y - stage.px(3)}, {x + letter * 2, high.y - stage.px(1)}, to_im(stage.theme->bad));
    }
    list.AddRect(low, high, to_im(stage.theme->bad), stage.px(3));
    static_cast<void>(area);
    const Diagnostic& first = wrong.front();
    strip.sentence((first.column > 0 ? "Column " + std::to_string(first.column) + ": " : std::string()) +
                       as_sentence(with_remedy(first.message, first.remedy)),
                   stage.theme->bad);
  }

  void shared_form(App& app, const Stage& stage, ControlStrip& strip) {
    strip.next_row();
    Designer& d = app.designer;
    design::SharedForm form = d.sheet().design.shared;
    using Kind = design::SharedForm::Kind;
    constexpr const char* kinds[] = {"as it is", "padding", "swizzle"};
    drop_down(strip, stage, "Shared form", "in shared memory", entry_for(kinds, form.kind),
              "How the array lies in shared memory when it passes through it", [&] {
                for (int i = 0; i < 3; ++i) {
                  if (!menu_entry(stage, kinds[i], static_cast<int>(form.kind) == i)) continue;
                  form.kind = static_cast<Kind>(i);
                  d.apply(design::with_shared(d.sheet().design, form));
                }
              });
    bool changed = false;
    if (form.kind != Kind::plain)
      changed |= strip.number("Row words", "row", form.row_words, 1, 4096, 32, "Words of 4 bytes in a row");
    if (form.kind == Kind::padding)
      changed |= strip.number("Padding words", "pad", form.padding_words, 1, 32, 1, "Unused words after each row");
    if (form.kind == Kind::swizzle) {
      int unit = form.unit_words;
      if (strip.number("Unit words", "unit", unit, 1, 32, 1, "Words that stay together; a power of two")) {
        form.unit_words = unit > form.unit_words ? std::min(form.unit_words * 2, 32) : std::max(form.unit_words / 2, 1);
        changed = true;
      }
    }
    if (changed) d.apply(design::with_shared(d.sheet().design, form), "shared");
  }

  // --- chips -----------------------------------------------------------------------------------------------------------

  void chips(App& app, Stage& stage, Rectangle area) {
    Designer& d = app.designer;
    views::ChipsInput in;
    const design::Sheet& sheet = d.sheet();
    for (int end = 0; end < 2; ++end) {
      const auto& a = sheet.side(static_cast<End>(end)).assignment;
      in.ends[end] = a ? &*a : nullptr;
    }
    in.focused = app.shell.active_panel == PanelId::designer ? d.focused : std::nullopt;
    in.picked = dragged_ ? dragged_ : d.picked;
    in.aimed_at = dragged_ ? aimed_ : std::nullopt;
    in.sentence = sentence(d);
    if (costs_version_ != d.version) {
      costs_ = costs_of(sheet);
      costs_version_ = d.version;
    }
    in.facts = costs_;
    const auto ref = [](const std::optional<ChipRef>& c) {
      return c ? scene::to_string(views::id_of(*c)) : std::string("-");
    };
    const std::string stamp = fmt::format("{} {} {} {} {} {}", d.version, app.shell.view.theme, ref(in.focused),
                                          ref(in.picked), ref(in.aimed_at), in.sentence);
    const auto make = [&](float width) { return views::assignment_chips(in, width, app.shell.theme()); };
    SceneCanvas::Result r =
        canvas_.draw(app, stage, id(), area, stamp, make,
                     {.zooms = false,
                      .shrink_to_fit = false,
                      .centered = false,
                      .least_fit = 1,
                      .grabs = [](const scene::Id& i) { return i.kind == scene::Id::Kind::layout_chip; },
                      .scrolls = true});
    pointer(app, stage, r);
    if (app.shell.active_panel == PanelId::designer && d.focused) keys(app, stage);
  }

  static std::optional<ChipRef> chip_at(const std::optional<scene::Id>& id) {
    return id ? views::chip_of(*id) : std::nullopt;
  }

  void pointer(App& app, const Stage& stage, const SceneCanvas::Result& r) {
    Designer& d = app.designer;
    const auto under = chip_at(r.hit);
    if (r.grabbed) {
      dragged_ = chip_at(r.grabbed);
      aimed_ = under && dragged_ && *under != *dragged_ && under->end == dragged_->end ? under : std::nullopt;
      far_ = far_ || std::abs(r.moved.x) + std::abs(r.moved.y) > 5;
      if (far_) ghost(stage, d);
    } else if (dragged_) {
      const ChipRef from = *std::exchange(dragged_, std::nullopt);
      const bool far = std::exchange(far_, false);
      aimed_.reset();
      d.focused.reset();
      if (far) {
        d.picked.reset();
        if (under && under->end == from.end && *under != from)
          exchange(d, from, *under);
        else if (under && under->end != from.end)
          d.remark = "Drop a chip onto another of the same side.";
      } else {
        pick(d, from);
      }
      ++d.version;
    }
    if (under && !dragged_ && r.hovered)
      for (const scene::Fact& f : stage.scenes.at("designer").scene.facts)
        if (views::chip_of(f.id) == under && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(stage, f.text);
  }

  static void exchange(Designer& d, const ChipRef& a, const ChipRef& b) {
    const auto end = static_cast<End>(a.end);
    const design::Exchange e{a.bit, b.bit};
    const auto& before = d.sheet().side(end).assignment;
    const std::string held = before && design::exchanged(*before, e) ? design::held_by(*before, e) : std::string();
    if (!d.apply(design::exchange_bits(d.sheet(), end, e))) return;
    d.remark = fmt::format("Exchanged {}: {}, {}.", held, design::to_string(e), design::kind_of(e));
  }

  /// The first one is held, the second one exchanged with it.
  static void pick(Designer& d, const ChipRef& chip) {
    if (!d.picked || d.picked->end != chip.end) {
      d.picked = chip;
      d.remark.clear();
    } else if (*d.picked == chip) {
      d.picked.reset();
    } else {
      const ChipRef first = *std::exchange(d.picked, std::nullopt);
      exchange(d, first, chip);
    }
    ++d.version;
  }

  void ghost(const Stage& stage, const Designer& d) const {
    const auto& a = d.sheet().side(static_cast<End>(dragged_->end)).assignment;
    if (!a || dragged_->bit.index >= a->bits(dragged_->bit.place)) return;
    const std::string words =
        layout::print((*a->row(dragged_->bit.place))[static_cast<std::size_t>(dragged_->bit.index)]);
    const ImVec2 at = ImGui::GetMousePos();
    const float w = text_width(stage.fonts.code, words) / 2 + stage.px(10), h = stage.px(13);
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddRectFilled({at.x - w, at.y - h}, {at.x + w, at.y + h},
                       to_im(views::mixed(*stage.theme, views::Mixed::popup)), stage.px(6));
    list.AddRect({at.x - w, at.y - h}, {at.x + w, at.y + h}, to_im(stage.theme->text), stage.px(6), 0, stage.px(1.5f));
    list.AddText(stage.fonts.code, stage.fonts.code->FontSize,
                 {at.x - w + stage.px(10), at.y - stage.fonts.code->FontSize / 2}, to_im(stage.theme->text),
                 words.c_str());
  }

  std::string sentence(const Designer& d) const {
    const auto& held = dragged_ ? dragged_ : d.picked;
    const auto& target = dragged_ ? aimed_ : d.focused;
    if (!held) return d.remark;
    const auto& a = d.sheet().side(static_cast<End>(held->end)).assignment;
    if (!a) return {};
    if (target && target->end == held->end && *target != *held) {
      const design::Exchange e{held->bit, target->bit};
      if (design::exchanged(*a, e))
        return fmt::format("Exchange {}: {}, {}.", design::held_by(*a, e), design::to_string(e), design::kind_of(e));
    }
    return fmt::format("{} is held. {} exchanges it with another chip, Escape releases it.",
                       layout::to_string(held->bit), dragged_ ? "Dropping it" : "A click or Enter");
  }

  // --- keys ------------------------------------------------------------------------------------------------------------

  void keys(App& app, const Stage& stage) {
    Designer& d = app.designer;
    if (ImGui::GetIO().WantTextInput || app.shell.overlay != Overlay::none ||
        ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup))
      return;
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true) && ImGui::GetIO().KeyMods == 0; };
    if (pressed(ImGuiKey_Escape)) {
      if (d.picked)
        d.picked.reset();
      else
        d.focused.reset();
      ++d.version;
      return;
    }
    if (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_Space)) return pick(d, *d.focused);
    const int dx = (pressed(ImGuiKey_RightArrow) ? 1 : 0) - (pressed(ImGuiKey_LeftArrow) ? 1 : 0);
    const int dy = (pressed(ImGuiKey_DownArrow) ? 1 : 0) - (pressed(ImGuiKey_UpArrow) ? 1 : 0);
    if (dx != 0 || dy != 0) move_focus(stage, d, dx, dy);
  }

  /// To the nearest chip in that direction, as they are drawn: from the last row of one end to the other one, too.
  static void move_focus(const Stage& stage, Designer& d, int dx, int dy) {
    const auto drawn = stage.scenes.find("designer");
    if (drawn == stage.scenes.end()) return;
    const scene::Scene& scene = drawn->second.scene;
    const scene::Box* at = scene::find(scene, views::id_of(*d.focused));
    const scene::Box* best = nullptr;
    float least = 1e9f;
    for (const scene::Box& b : scene.boxes) {
      if (!views::chip_of(b.id) || at == nullptr || b.id == at->id) continue;
      const float x = b.rect.x + b.rect.w / 2 - at->rect.x - at->rect.w / 2, y = b.rect.y - at->rect.y;
      if (dx != 0 && (std::abs(y) > 4 || x * static_cast<float>(dx) <= 0)) continue;
      if (dy != 0 && y * static_cast<float>(dy) <= 4) continue;
      const float distance = dx != 0 ? std::abs(x) : std::abs(y) * 100 + std::abs(x);
      if (distance < least) least = distance, best = &b;
    }
    if (best != nullptr) d.focused = views::chip_of(best->id);
    ++d.version;
  }

  SceneCanvas canvas_;
  std::optional<ChipRef> dragged_, aimed_;
  bool far_ = false, typed_in_ = false, order_typed_ = false;
  std::string elements_text_, threads_text_, order_text_, undo_seen_;
  std::vector<views::EndFact> costs_;
  std::uint64_t costs_version_ = ~std::uint64_t{0}, typed_version_ = 0;
};

}  // namespace

bool draw_missing_layout(App& app, const Stage& stage, Rectangle area, PanelId panel) {
  if (app.designer.is_open()) return false;
  switch (panel) {
    case PanelId::plans:
      draw_state(stage, area, "No plan yet.",
                 "The ways from the source to the destination of a layout, with their costs.");
      return true;
    case PanelId::elements:
      draw_state(stage, area, "No elements yet.",
                 "Which element is in which register of which lane, before, on the way and after.");
      return true;
    case PanelId::code:
      draw_state(stage, area, "No code yet.", "The CUDA C++ of the chosen plan, and whether it passed its check.");
      return true;
    default:
      break;
  }
  draw_state(stage, {area.x, area.y, area.w, area.h * 0.8f}, "No layout is under design.",
             "File, New layout begins one. A .layout file can be opened, and a variable of the kernel designed from.");
  ButtonLook look{.pill = true, .color = stage.theme->accent};
  const float width = button_width(stage, "New layout", look);
  if (button(stage, "New layout", {area.x + (area.w - width) / 2, area.y + area.h * 0.4f + stage.px(56)}, "New layout",
             hint_of("file.new_layout"), look))
    run_command(app, "file.new_layout");
  return true;
}

std::unique_ptr<Panel> make_designer_panel() { return std::make_unique<DesignerPanel>(); }

}  // namespace lanescope::gui
