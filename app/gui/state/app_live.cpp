// The live mode, and elements of buffers: what is asked of the engine beside runs and moments.

#include "app/gui/state/app.h"

namespace lanescope::gui {
namespace {

double milliseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

}  // namespace

void App::measure_live(bool on) {
  measurements.live.on = on;
  measurements.live.refused.clear();
  ++measurements.version;
  live_request_.due = false;
  if (on) live_changed();
}

void App::take_back_overrides() {
  overrides.clear();
  live_changed();
}

void App::live_changed() {
  if (!measurements.live.on) return;
  live_request_.due = true;
  live_request_.changed = std::chrono::steady_clock::now();
}

/// One at a time: what changes meanwhile is asked when the answer is here, and only as it is then.
void App::send_live() {
  if (!live_request_.due || measurements.live.under_way) return;
  live_request_ = {.due = false,
                   .changed = live_request_.changed,
                   .asked_changed = live_request_.changed,
                   .words = override_words()};
  measurements.live.under_way = true;
  live_ticket_ = next_ticket_++;
  backend_->request_live(live_ticket_, run_request());
}

void App::take_live(MeasuredArrived& arrived) {
  LiveMode& live = measurements.live;
  live.under_way = false;
  ++measurements.version;
  if (!live.on) return;
  if (!arrived.refused.empty()) {
    live.refused = std::move(arrived.refused);
  } else if (arrived.measured.metrics.empty()) {
    const Diagnostics& why = arrived.measured.refused;
    live.refused = why.empty() ? "The GPU counted nothing." : to_string(why.front());
  } else {
    const auto now_here = std::chrono::steady_clock::now();
    live.take({.words = live_request_.words,
               .measured = std::move(arrived.measured),
               .at_seconds = milliseconds(now_here.time_since_epoch()) * 1e-3,
               .wait_ms = milliseconds(now_here - live_request_.asked_changed)});
  }
}

void App::want_contents() {
  if (!results.have || results.running || contents_under_way_) return;
  const bool there = view.contents_buffer < static_cast<int>(results.summary.buffers.size());
  const ContentsAsked wanted{
      .run = good_run_, .buffer = there ? view.contents_buffer : -1, .first = view.contents_first};
  if (wanted == contents_asked_) return;
  contents_asked_ = wanted;
  contents_under_way_ = true;
  contents_ticket_ = next_ticket_++;
  backend_->request_contents(contents_ticket_, {.buffer = wanted.buffer, .first = wanted.first});
}

void App::take(ContentsRefused& refused) {
  if (refused.ticket == contents_ticket_) contents_under_way_ = false;
}

void App::look_at_contents(int buffer, std::uint64_t first) {
  view.contents_buffer = buffer, view.contents_first = first;
}

void App::take(ContentsArrived& arrived) {
  if (arrived.ticket != contents_ticket_) return;
  contents_under_way_ = false;
  contents = std::move(arrived.contents);
  ++contents_version;
}

}  // namespace lanescope::gui
