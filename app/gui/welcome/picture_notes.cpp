#include <algorithm>

#include "app/gui/welcome/welcome_page.h"
#include "app/gui/widgets/items.h"

namespace lanescope::gui {
namespace {

using IdKind = scene::Id::Kind;

constexpr float between = 6, edge = 8;
/// Notes inside of a lower one would leave nothing of it in sight.
constexpr float low_room = 150;

scene::Rect on_screen(const scene::Rect& r, scene::Point origin, float scale) {
  return {origin.x + r.x * scale, origin.y + r.y * scale, r.w * scale, r.h * scale};
}
scene::Point middle(const scene::Rect& r) { return {r.x + r.w / 2, r.y + r.h / 2}; }

/// A shape of this kind in sight, left of `limit` where there is one: `nth` of so many parts of them all, for several notes
/// are to point at several places.
const scene::Box* shape_of(const scene::Scene& s, IdKind kind, scene::Point origin, float scale, scene::Rect room,
                           float limit, std::size_t nth) {
  std::vector<const scene::Box*> seen, beside;
  const auto look = [&](const scene::Box& box) {
    if (box.id.kind != kind) return;
    const scene::Rect r = on_screen(box.rect, origin, scale);
    const scene::Point at = middle(r);
    if (!room.contains(at)) return;
    seen.push_back(&box);
    if (r.x + std::min(r.w / 2, 40.0f) < limit) beside.push_back(&box);
  };
  for (const scene::Box& box : s.boxes) look(box);
  if (seen.empty())
    for (const scene::Box& box : s.outlines) look(box);
  const std::vector<const scene::Box*>& some = beside.empty() ? seen : beside;
  return some.empty() ? nullptr : some[some.size() * std::min<std::size_t>(nth + 1, 5) / 6];
}

/// Stacks notes of one column, each near its shape; they fit.
void stack(std::span<PlacedNote> column, scene::Rect room) {
  std::ranges::stable_sort(column, {}, [](const PlacedNote& n) { return n.to.y; });
  float y = room.y + edge;
  for (PlacedNote& n : column) {
    n.box.y = std::max(y, n.to.y - n.box.h / 2);
    y = n.box.y + n.box.h + between;
  }
  float bottom = room.y + room.h - edge;
  for (std::size_t k = column.size(); k-- > 0;) {
    PlacedNote& n = column[k];
    n.box.y = std::min(n.box.y, bottom - n.box.h);
    bottom = n.box.y - between;
  }
}

/// In a row over the upper edge of a low room, each near its shape; what has no room is left out.
std::vector<PlacedNote> above(std::vector<PlacedNote> notes, scene::Rect room) {
  std::ranges::stable_sort(notes, {}, [](const PlacedNote& n) { return n.to.x; });
  float all = 0;
  std::size_t fits = 0;
  while (fits < notes.size() && all + notes[fits].box.w <= room.w) all += notes[fits++].box.w + between;
  notes.resize(fits);
  float x = room.x;
  for (PlacedNote& n : notes) {
    n.box.x = std::max(x, n.to.x - n.box.w / 2);
    x = n.box.x + n.box.w + between;
  }
  float right = room.x + room.w;
  for (std::size_t k = notes.size(); k-- > 0;) {
    PlacedNote& n = notes[k];
    n.box.x = std::min(n.box.x, right - n.box.w);
    right = n.box.x - between;
    n.box.y = room.y - n.box.h - 2;
    n.from = {std::clamp(n.to.x, n.box.x, n.box.x + n.box.w), room.y - 2};
  }
  return notes;
}

constexpr float note_px = 232, pad_px = 8, line_px = 16;

float height_of(std::string_view words, float width, const void* context) {
  const Stage& stage = *static_cast<const Stage*>(context);
  const auto lines = wrapped_lines(stage.fonts.small, words, width - stage.px(2 * pad_px));
  return stage.px(line_px) * static_cast<float>(lines.size()) + stage.px(10);
}

void draw_box(const Stage& stage, std::string_view words, const scene::Rect& box) {
  const views::Theme& t = *stage.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low{box.x, box.y}, high{box.x + box.w, box.y + box.h};
  list.AddRectFilled(low, high, to_im(views::mixed(t, views::Mixed::overlay)), stage.px(5));
  list.AddRect(low, high, to_im(t.accent), stage.px(5), 0, stage.hairline());
  float y = box.y + stage.px(5 + line_px / 2);
  note_text(words);
  for (const std::string_view each : wrapped_lines(stage.fonts.small, words, box.w - stage.px(2 * pad_px))) {
    draw_text(stage, stage.fonts.small, {box.x + stage.px(pad_px), y}, t.text, each);
    y += stage.px(line_px);
  }
}

void draw(const Stage& stage, const PlacedNote& note) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 line = to_im(stage.theme->accent);
  list.AddLine({note.from.x, note.from.y}, {note.to.x, note.to.y}, line, stage.px(1.5f));
  list.AddCircleFilled({note.to.x, note.to.y}, stage.px(3.5f), line);
  list.AddCircle({note.to.x, note.to.y}, stage.px(5), to_im(stage.theme->panel), 0, stage.px(1));
  draw_box(stage, note.words, note.box);
}

}  // namespace

std::span<const PictureNote> picture_notes() {
  // clang-format off
  static constexpr PictureNote table[] = {
      {PanelId::registers, IdKind::lane_heading, "A column is a lane: one of the 32 threads of a warp."},
      {PanelId::registers, IdKind::register_row, "A row is one register, in all lanes of the warp."},
      {PanelId::registers, IdKind::register_cell, "A cell: the contents of this register in this lane. The words name the element of a buffer; equal colours are equal indices along the axis of the legend."},
      {PanelId::registers, IdKind::move_arrow, "An arrow: an element that this step moved."},
      {PanelId::registers, IdKind::warp_heading, "The warp whose registers these are."},
      {PanelId::assignment, IdKind::assignment_row, "A row: bits of a place in hardware, simd, register, thread, warp or block."},
      {PanelId::assignment, IdKind::assignment_chip, "A chip: the index bit of the element that this bit of the place decides."},
      {PanelId::global, IdKind::memory_line, "A row: 128 bytes, one cache line."},
      {PanelId::global, IdKind::memory_sector, "A sector: 32 bytes, the least that caches move."},
      {PanelId::global, IdKind::memory_word, "A word: 4 bytes, and those that the access requested."},
      {PanelId::global, IdKind::traffic_sector, "A sector of 32 bytes; the number counts its transfers."},
      {PanelId::shared, IdKind::bank_heading, "A column is a bank, which serves one word at a time."},
      {PanelId::shared, IdKind::shared_word, "A word of shared memory. Several words of one bank are served one after the other."},
      {PanelId::shared, IdKind::wavefront, "A wavefront: words that are served together."},
      {PanelId::timeline, IdKind::timeline_row, "A row is a warp; time runs to the right."},
      {PanelId::timeline, IdKind::timeline_step, "A step: one instruction of one warp. The colour is its kind; click to go there."},
      {PanelId::timeline, IdKind::timeline_span, "Many steps of one warp in one column; click to go to the first."},
      {PanelId::timeline, IdKind::playhead, "The playhead: the step that all panels show."},
      {PanelId::timeline, IdKind::timeline_claim, "A claim of a comment, where it was checked."},
      {PanelId::timeline, IdKind::timeline_overview, "The whole run; the frame is the part shown."},
      {PanelId::ptx, IdKind::ptx_row, "An instruction of the compiled kernel. Point at it to see its effect and the path of its data."},
      {PanelId::divergence, IdKind::divergence_row, "A source line, and with how many lanes it ran."},
      {PanelId::divergence, IdKind::divergence_bar, "The higher the bar, the more of the 32 lanes took part."},
      {PanelId::occupancy, IdKind::occupancy_limiter, "A resource, and the blocks that it admits on a multiprocessor. The smallest number decides."},
      {PanelId::occupancy, IdKind::occupancy_block, "A block on the multiprocessor."},
      {PanelId::occupancy, IdKind::occupancy_curve, "How occupancy changes with this number."},
      {PanelId::occupancy, IdKind::occupancy_point, "This kernel."},
      {PanelId::occupancy, IdKind::roofline_point, "This kernel: operations a byte, and operations a second."},
      {PanelId::calculator, IdKind::calculator_lane, "A lane and the address that it requests. Drag it."},
      {PanelId::calculator, IdKind::memory_sector, "A sector of 32 bytes that is moved for them."},
      {PanelId::calculator, IdKind::shared_word, "A word of shared memory, in the column of its bank."},
      {PanelId::metrics, IdKind::metric_row, "A counter: predicted by the emulator, and as a GPU measured it."},
      {PanelId::stalls, IdKind::stall_bar, "Samples in which a warp waited here; the colour is the reason."},
      {PanelId::stalls, IdKind::stall_row, "A source line."},
      {PanelId::compare, IdKind::variant_bar, "A variant's value of this counter."},
      {PanelId::host_calls, IdKind::host_call_row, "A call of the host: how often, and how long."},
      {PanelId::host_calls, IdKind::launch_mark, "A launch and its time."},
      {PanelId::sass, IdKind::sass_row, "A machine instruction. Point at it to see what it does."},
      {PanelId::live, IdKind::live_plot, "A counter over time, while the kernel runs again and again."},
      {PanelId::buffers, IdKind::buffer_row, "A buffer: an array in global memory."},
      {PanelId::buffers, IdKind::buffer_element, "An element and its value."},
      {PanelId::grid, IdKind::grid_block, "A block, or several; click to see its steps."},
      {PanelId::grid, IdKind::block_thread, "A thread of the block; the colour is its warp."},
      {PanelId::designer, IdKind::layout_chip, "An index bit, at the bit of the place that holds it. Drag it to another."},
      {PanelId::plans, IdKind::plan_row, "A plan: one way to move all elements, with its cost."},
      {PanelId::plans, IdKind::step_row, "A step of the plan."},
      {PanelId::elements, IdKind::register_cell, "An element, in the register and lane that hold it at this step of the plan."},
      {PanelId::elements, IdKind::matrix_cell, "A row for each bit of the new place, a column for each of the old one; a 1 marks the source of a row."},
      {PanelId::lanes, IdKind::lane_row, "A row is a lane; gaps are steps in which it did not take part."},
      {PanelId::lanes, IdKind::wait, "Lanes that wait for others."},
      {PanelId::lanes, IdKind::group_change, "Lanes diverge, or reconverge."},
      {PanelId::lanes, IdKind::playhead, "The step that all panels show."},
      {PanelId::barriers, IdKind::wait, "Lanes of a warp that wait, and at which barrier."},
      {PanelId::barriers, IdKind::timeline_step, "A warp that runs, and its last instruction."},
      {PanelId::claims, IdKind::timeline_claim, "A claim of a comment, with its verdict; click to go there."},
      {PanelId::claims, IdKind::remark, "The bits that change places from one claim to the next."},
      {PanelId::tree, IdKind::tree_node, "A value and the instruction that made it."},
      {PanelId::tree, IdKind::tree_edge, "Made of this one."},
      {PanelId::journey, IdKind::journey_row, "A row is an element that is followed."},
      {PanelId::journey, IdKind::journey_station, "A place that it passes through; click to go there."},
      {PanelId::journey, IdKind::journey_hop, "The operation that moved it, and its line."},
      {PanelId::journey, IdKind::journey_branch, "Copies of it lie elsewhere, too."},
      {PanelId::movement, IdKind::movement_cell, "A cell before the statement, or after it."},
      {PanelId::movement, IdKind::movement_chip, "A value on its way; the bar below moves it."},
  };
  // clang-format on
  return table;
}

std::span<const PanelNote> panel_notes() {
  // clang-format off
  static constexpr PanelNote table[] = {
      {PanelId::source, "The kernel's file. Icons at the left say whether a claim holds; the bright line is that of the step."},
      {PanelId::inspector, "The selection in words and numbers: the step, its access, counters of the line and of the kernel."},
      {PanelId::problems, "Problems, the worst first; a click moves to the place of each."},
      {PanelId::output, "Lines that the kernel printed, each by one thread; a click moves to the step that printed it."},
      {PanelId::options, "Options of the compiler, and values of the launch that the file leaves open."},
      {PanelId::code, "The code of the chosen plan, as it enters the kernel."},
      {PanelId::lesson, "A lesson: text, moments that show a picture, and questions. Answers are computed, not written down."},
      {PanelId::moments, "Bookmarked moments of this kernel. A click shows one; PageDown and PageUp pass through them."},
  };
  // clang-format on
  return table;
}

scene::Rect place_panel_note(std::string_view words, scene::Rect body, float note_width, HeightOf height,
                             const void* context) {
  const float width = std::min(note_width, body.w - 2 * edge);
  if (width < 60) return {};
  const float h = height(words, width, context);
  if (h > body.h - 2 * edge) return {};
  return {body.x + body.w - edge - width, body.y + body.h - edge - h, width, h};
}

std::vector<PlacedNote> place_notes(PanelId panel, const scene::Scene& s, scene::Point origin, float scale,
                                    scene::Rect room, float note_width, HeightOf height, const void* context) {
  std::vector<PlacedNote> out;
  note_width = std::min(note_width, room.w - 2 * edge);
  if (note_width < 60) return out;
  const float limit = room.x + room.w - edge - note_width - 24;
  std::size_t nth = 0;
  for (const PictureNote& note : picture_notes()) {
    if (note.panel != panel) continue;
    PlacedNote placed{.words = note.words};
    if (note.kind == IdKind::move_arrow) {  // a line, not a box
      const auto arrow = std::ranges::find_if(s.arrows, [&](const scene::Arrow& a) {
        const scene::Point at = scene::curve_of(a)[2];
        return room.contains({origin.x + at.x * scale, origin.y + at.y * scale});
      });
      if (arrow == s.arrows.end()) continue;
      const scene::Point at = scene::curve_of(*arrow)[2];
      placed.to = {origin.x + at.x * scale, origin.y + at.y * scale};
      placed.shape = {placed.to.x - 3, placed.to.y - 3, 6, 6};
    } else {
      const scene::Box* const shape = shape_of(s, note.kind, origin, scale, room, limit, nth++);
      if (shape == nullptr) continue;
      placed.shape = on_screen(shape->rect, origin, scale);
      placed.to = middle(placed.shape);
      // Of a long shape the part beside the words.
      if (placed.to.x > limit) placed.to.x = std::max(limit, placed.shape.x + std::min(placed.shape.w / 2, 40.0f));
      placed.to.x = std::clamp(placed.to.x, room.x, room.x + room.w - 1);
    }
    placed.box = {0, 0, note_width, height(note.words, note_width, context)};
    out.push_back(placed);
  }
  if (room.h < low_room) return above(std::move(out), room);
  std::ranges::stable_sort(out, {}, [](const PlacedNote& n) { return n.to.y; });
  // From the right edge on, in as many columns as leave a third of the picture free; what has no room is left out.
  const auto most = static_cast<std::size_t>(std::max(room.w * 0.66f / (note_width + between), 1.0f));
  std::vector<PlacedNote> placed;
  std::size_t n = 0;
  for (std::size_t column = 0; column < most && n < out.size(); ++column) {
    const std::size_t first = placed.size();
    float used = 2 * edge;
    while (n < out.size() && used + out[n].box.h <= room.h) used += out[n].box.h + between, placed.push_back(out[n++]);
    if (placed.size() == first) break;
    const float x = room.x + room.w - edge - note_width - static_cast<float>(column) * (note_width + between);
    for (std::size_t k = first; k < placed.size(); ++k) placed[k].box.x = x;
    stack(std::span(placed).subspan(first), room);
  }
  for (PlacedNote& note : placed) {
    const scene::Rect& b = note.box;
    note.from = {note.to.x < b.x ? b.x : b.x + b.w, b.y + b.h / 2};
    if (note.to.x >= b.x && note.to.x <= b.x + b.w) note.from = {note.to.x, note.to.y < b.y ? b.y : b.y + b.h};
  }
  return placed;
}

void draw_picture_notes(App& app, const Stage& stage) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  // A window of its own, above the panels, which also takes the click that ends it.
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("picture notes", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({0, 0}, screen, to_im(views::with_alpha(stage.theme->background, 80)));
  for (const auto& [name, drawn] : stage.scenes) {
    const auto panel = panel_named(name);
    if (!panel) continue;
    const auto notes =
        place_notes(*panel, drawn.scene, {drawn.origin.x, drawn.origin.y}, drawn.scale,
                    {drawn.area.x, drawn.area.y, drawn.area.w, drawn.area.h}, stage.px(note_px), height_of, &stage);
    for (const PlacedNote& note : notes) draw(stage, note);
  }
  for (const PanelNote& note : panel_notes()) {
    const auto body = stage.bodies.find(panel_name(note.panel));
    if (body == stage.bodies.end()) continue;
    const Rectangle& b = body->second;
    const scene::Rect box = place_panel_note(note.words, {b.x, b.y, b.w, b.h}, stage.px(note_px), height_of, &stage);
    if (box.w > 0) draw_box(stage, note.words, box);
  }
  const std::string words = "What the picture means. F1: the glossary. Any other key or a click ends it.";
  note_text(words);
  const float w = text_width(stage.fonts.body, words) + stage.px(32), h = stage.px(34);
  const ImVec2 low{(screen.x - w) / 2, stage.px(5)};
  list.AddRectFilled(low, {low.x + w, low.y + h}, to_im(views::mixed(*stage.theme, views::Mixed::status)), h / 2);
  list.AddRect(low, {low.x + w, low.y + h}, to_im(stage.theme->accent), h / 2);
  draw_text(stage, stage.fonts.body, {screen.x / 2, low.y + h / 2}, stage.theme->text, words, TextAlign::center);
  const bool appeared = ImGui::IsWindowAppearing();
  bool ends = !appeared && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  for (int key = ImGuiKey_Tab; key < ImGuiKey_GamepadStart && !appeared; ++key) {
    const bool modifier = key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper;
    ends |= !modifier && ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false);
  }
  if (ends) app.shell.overlay = ImGui::IsKeyPressed(ImGuiKey_F1, false) ? Overlay::glossary : Overlay::none;
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace lanescope::gui
