// Live mode, elements of buffers, and their journeys.

#include "app/gui/state/requests.h"

#include <fmt/format.h>

namespace lanescope::gui {
namespace {

double milliseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

}  // namespace

void Requests::measure_live(bool on) {
  model_.measurements.live.on = on;
  model_.measurements.live.refused.clear();
  ++model_.measurements.version;
  live_request_.due = false;
  if (on) live_changed();
}

void Requests::take_back_overrides() {
  model_.settings.overrides.clear();
  live_changed();
}

void Requests::live_changed() {
  if (!model_.measurements.live.on) return;
  live_request_.due = true;
  live_request_.changed = std::chrono::steady_clock::now();
}

/// One request at a time. A change meanwhile is requested after the answer, with the values of then.
void Requests::send_live() {
  if (!live_request_.due || model_.measurements.live.under_way) return;
  live_request_ = {.due = false,
                   .changed = live_request_.changed,
                   .asked_changed = live_request_.changed,
                   .words = model_.settings.override_words()};
  model_.measurements.live.under_way = true;
  live_ = channel_->send<engine::ask::Live>(run_request(model_.document, model_.settings));
}

void Requests::take_live(results::Measured measured, std::string refused) {
  LiveMode& live = model_.measurements.live;
  live.under_way = false;
  ++model_.measurements.version;
  if (!live.on) return;
  if (!refused.empty()) {
    live.refused = std::move(refused);
  } else if (measured.metrics.empty()) {
    const Diagnostics& why = measured.refused;
    live.refused = why.empty() ? "The GPU returned no counters." : to_string(why.front());
  } else {
    const auto now_here = std::chrono::steady_clock::now();
    live.take({.words = live_request_.words,
               .measured = std::move(measured),
               .at_seconds = milliseconds(now_here.time_since_epoch()) * 1e-3,
               .wait_ms = milliseconds(now_here - live_request_.asked_changed)});
  }
}

void Requests::request_contents() {
  const Results& results = model_.results;
  const ViewOptions& view = model_.shell.view;
  if (!results.have || results.running || contents_ != 0) return;
  const bool there = view.contents_buffer < static_cast<int>(results.summary.buffers.size());
  const ContentsAsked wanted{
      .run = good_run_, .buffer = there ? view.contents_buffer : -1, .first = view.contents_first};
  if (wanted == contents_asked_) return;
  contents_asked_ = wanted;
  contents_ = channel_->send<engine::ask::Contents>({.buffer = wanted.buffer, .first = wanted.first});
}

/// The machine code is the same as long as its text, architecture and options are.
void Requests::request_machine_code() {
  const Results& results = model_.results;
  if (!results.have || results.running || code_ != 0 || results.stale(model_.document.text())) return;
  engine::RunRequest request = run_request(model_.document, model_.settings);
  std::string wanted = fmt::format("{}\n{}\n{}\n{}\n{}", request.file, results.summary.arch, request.forbid_nvrtc,
                                   model_.settings.override_words(), results.text);
  for (const std::string& option : results.settings.words_beside_header()) wanted += "\n" + option;
  for (const std::string& header : results.header_texts) wanted += "\n" + header;
  if (wanted == code_asked_) return;
  code_asked_ = std::move(wanted);
  code_ = channel_->send<engine::ask::MachineCode>(std::move(request));
}

void Requests::take_code(results::Measured code) {
  model_.results.have_code = true;
  model_.results.code = std::move(code);
  ++model_.results.code_version;
}

void Requests::request_journeys() {
  const Results& results = model_.results;
  if (!results.have || results.running || journeys_ != 0) return;
  engine::JourneyRequest wanted;
  for (const auto& [buffer, element] : model_.navigation.selection.pins) wanted.elements.push_back({buffer, element});
  if (wanted == journeys_asked_ && (journeys_asked_run_ == good_run_ || wanted.elements.empty())) return;
  journeys_asked_ = wanted, journeys_asked_run_ = good_run_;
  if (wanted.elements.empty()) {
    model_.results.journeys = {};
    ++model_.results.journeys_version;
    return;
  }
  journeys_ = channel_->send<engine::ask::Journeys>(std::move(wanted));
}

void Requests::take(engine::Ticket ticket, results::Journeys& journeys) {
  if (!ended(journeys_, ticket)) return;
  model_.results.journeys = std::move(journeys);
  ++model_.results.journeys_version;
}

void Requests::take(engine::Ticket ticket, results::Contents& contents) {
  if (!ended(contents_, ticket)) return;
  model_.results.contents = std::move(contents);
  ++model_.results.contents_version;
}

}  // namespace lanescope::gui
