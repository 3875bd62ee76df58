#include "app/gui/state/app.h"

#include <algorithm>
#include <utility>

namespace lanescope::gui {
namespace {

constexpr double watch_every_seconds = 1.0;
/// Of the timeline that are counted in one frame: some milliseconds.
constexpr std::size_t marks_per_frame = 250'000;
/// How often the time of a run under way is drawn anew.
constexpr double run_clock_seconds = 0.1;

}  // namespace

App::App(std::unique_ptr<Backend> backend, const views::Theme* theme)
    : Model(theme), requests(std::move(backend), *this), editor(*this, requests) {}

bool App::update(double now_seconds) {
  shell.now = now_seconds;
  const std::uint64_t before = version();
  requests.handle_answers();
  results.extend_index(marks_per_frame);
  memory.follow_selection();
  requests.send_pending();
  bool changed = before != version();
  changed |= navigation.advance(now_seconds);
  changed |= memory.advance(now_seconds);
  changed |= calculator.advance(now_seconds);
  if (now_seconds >= watch_due_) {
    watch_due_ = now_seconds + watch_every_seconds;
    editor.watch_file();
  }
  changed |= shell.expire_status();
  if (results.running && now_seconds >= run_clock_due_) {
    run_clock_due_ = now_seconds + run_clock_seconds;
    changed = true;
  }
  return changed;
}

double App::due_in(double now_seconds) const {
  double at = requests.next_due(now_seconds, watch_due_);
  if (navigation.playing) at = std::min(at, navigation.due());
  if (calculator.playing) at = std::min(at, calculator.due());
  if (memory.wavefronts_playing) at = std::min(at, memory.due());
  if (results.running) at = std::min(at, run_clock_due_);
  if (!results.index_complete()) at = now_seconds;
  if (!shell.status_text.empty()) at = std::min(at, shell.status_until);
  return std::max(at - now_seconds, 0.0);
}

void App::show_finding(const results::FindingInfo& finding) {
  if (const auto block = memory.show(finding)) requests.record_block(*block);
}

}  // namespace lanescope::gui
