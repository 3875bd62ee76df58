#include "app/gui/model/navigation.h"

#include <algorithm>

#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

constexpr double seconds_per_played_step = 0.25;

}  // namespace

views::Selection Navigation::shown() const {
  if (!hovered || pinned()) return selection;
  views::Selection s = views::select(results_.summary, results_.moment, *hovered, selection);
  // Hovering points; it does not travel.
  s.step = selection.step;
  s.warp = selection.warp;
  s.block = selection.block;
  s.line = selection.line;
  return s;
}

bool Navigation::pinned() const {
  return selection.place.has_value() || selection.element.has_value() || selection.address.has_value();
}

void Navigation::select(const views::Selection& next) {
  const std::int64_t step = next.step;
  const bool moved = step != selection.step, scrubbed = next.share != selection.share;
  selection = next;
  if (moved) go_to_step(step);
  if (scrubbed) selection.share = next.share;
}

void Navigation::follow_line() {
  if (reveal_line) shown_file = results_.lines.place(*reveal_line).file;
  if (shown_file > results_.header_texts.size()) shown_file = 0;
}

void Navigation::go_to_step(std::int64_t step) {
  if (step != selection.step) selection.share = 1;
  selection.step = step;
  if (const int warp = warp_of_step(results_.summary, step); warp >= 0) selection.warp = warp;
  if (const int line = line_of_step(results_.summary, step); line > 0) selection.line = *(reveal_line = line);
}

void Navigation::go_to_line(int line) {
  selection.line = line;
  const std::int64_t step = step_at_line(results_.summary, line, selection.warp, selection.step);
  if (step >= 0) go_to_step(step);
}

void Navigation::go_to_claim(const results::ClaimInfo& claim) {
  go_to_step(step_of_claim(results_.summary, claim, selection.warp));
  selection.line = *(reveal_line = claim.claim.first_line);
}

ShownRegisters Navigation::shown_registers() const {
  std::vector<int> families;
  for (int i = 0; i < static_cast<int>(results_.summary.families.size()); ++i) {
    const std::string& name = results_.summary.families[i].name;
    if (std::find(view_.families.begin(), view_.families.end(), name) != view_.families.end()) families.push_back(i);
  }
  if (families.empty()) return registers_to_show(results_.summary, results_.names, selection);
  const int last = families.back();
  return {.families = std::move(families), .assignment = last};
}

void Navigation::start_over(const views::Selection& where) {
  selection = where;
  named_pins.clear(), journey_ends.clear();
  fresh_ = where.step < 0;
  playing = false;
  shown_file = 0;
  ++kernel_;
  reveal_line.reset();
  if (where.line > 0) reveal_line = where.line;
}

void Navigation::name_pins() {
  std::vector<NamedPin> all;
  for (const auto& [buffer, element] : selection.pins)
    if (buffer >= 0 && static_cast<std::size_t>(buffer) < results_.summary.buffers.size())
      all.push_back({results_.summary.buffers[static_cast<std::size_t>(buffer)].name, element});
  all.insert(all.end(), named_pins.begin(), named_pins.end());
  named_pins = std::move(all);
  selection.pins.clear();
}

/// A pin whose buffer this run does not have waits for a run that has it.
void Navigation::find_pins() {
  const auto& buffers = results_.summary.buffers;
  std::erase_if(named_pins, [&](const NamedPin& pin) {
    const auto at = std::ranges::find(buffers, pin.buffer, &results::BufferInfo::name);
    if (at == buffers.end() || pin.element >= at->elements) return false;
    const std::pair found(static_cast<int>(at - buffers.begin()), pin.element);
    if (std::ranges::find(selection.pins, found) == selection.pins.end()) selection.pins.push_back(found);
    return true;
  });
}

void Navigation::run_finished(int line, const std::optional<VisitOfLine>& visit) {
  const results::Summary& s = results_.summary;
  find_pins();
  selection.warp = std::clamp(selection.warp, 0, std::max(static_cast<int>(s.warps) - 1, 0));
  if (selection.family >= static_cast<int>(s.families.size())) selection.family = -1;
  if (fresh_) {
    fresh_ = false;
    choose_first_step();
    return;
  }
  const bool elsewhere =
      visit && (line_of_step(s, selection.step) != visit->line || warp_of_step(s, selection.step) < 0);
  const std::int64_t same = elsewhere && visit->line > 0 ? step_of_visit(s, *visit) : -1;
  if (same >= 0) {
    selection.step = same;
    selection.warp = warp_of_step(s, same);
  }
  if (warp_of_step(s, selection.step) < 0)
    choose_first_step();
  else if (line > 0)
    selection.line = line;
  else if (const int now = line_of_step(s, selection.step); now > 0)
    selection.line = now;
}

/// Where there is most to see; a problem of the kernel comes before it (problem_focus.h).
void Navigation::choose_first_step() { go_to_step(instructive_step(results_.summary, selection.warp)); }

bool Navigation::advance(double now) {
  if (!playing || now < due_) return false;
  due_ = now + seconds_per_played_step;
  const std::int64_t next = neighbour_line(results_.summary, selection.step, selection.warp, Direction::forward);
  if (next < 0)
    playing = false;
  else
    go_to_step(next);
  return true;
}

}  // namespace lanescope::gui
