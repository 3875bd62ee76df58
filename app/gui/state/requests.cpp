#include "app/gui/state/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/document/document.h"
#include "app/gui/model/steps.h"
#include "kernels/base/numbers.h"

namespace lanescope::gui {
namespace {

// Typing pauses for this long before the text runs by itself.
constexpr double run_delay_seconds = 0.45;
constexpr double poll_seconds = 0.008;  // while an answer is awaited

/// Names of a header, with the lines of their declarations as unit lines.
std::vector<source::NamedLocal> in_unit_lines(std::vector<source::NamedLocal> names, const SourceLines& lines,
                                              std::size_t file) {
  for (source::NamedLocal& n : names) n.declared_line += lines.files[file].first_line - 1;
  return names;
}

}  // namespace

// --- asking ----------------------------------------------------------------------------------------------------------

void Requests::text_changed() {
  run_due_ = model_.shell.now + run_delay_seconds;
  ++model_.results.version;
  live_changed();
}

void Requests::clear_results() {
  code_asked_.clear(), code_ = 0;
  model_.results.clear();
  model_.memory.reset();
  model_.shell.without_shared = false;
}

void Requests::forget_kernel() {
  clear_results();
  take_back_overrides();
  model_.measurements.live.samples.clear();
  model_.measurements.live.under_way = false, live_ = 0;  // the pending one is of the previous kernel
  ++model_.measurements.version;
  model_.shell.show_contents(-1, 0);
}

void Requests::submit(bool from_history, std::int64_t step) {
  run_due_ = -1;
  wanted_step_ = step;
  if (model_.document.text().find_first_not_of(" \t\r\n") == std::string::npos) return clear_results();
  engine::RunRequest request = run_request(model_.document, model_.settings);
  request.from_history = from_history;
  request.record_step = static_cast<std::uint64_t>(std::max<std::int64_t>(step, 0));
  running_text_ = request.text;
  if (journeys_ != 0) journeys_asked_run_ = 0;  // a run that fails leaves them to be requested again
  model_.results.running = true;
  model_.results.stage.clear();
  model_.results.run_steps = 0;
  model_.results.run_started = model_.shell.now;
  ++model_.results.version;
  forget_questions();
  model_.occupancy.limits = {};
  model_.measurements.under_way = false;
  run_ticket_ = channel_->send<engine::ask::Run>(std::move(request));
}

void Requests::forget_questions() {
  moment_ = earlier_ = contents_ = journeys_ = limits_ = measure_ = 0;
  if (std::exchange(code_, 0) != 0) code_asked_.clear();
  model_.memory.forget_earlier();
}

void Requests::stop() {
  channel_->cancel(run_ticket_);
  run_due_ = -1;
  model_.results.running = false;
  ++model_.results.version;
  model_.shell.show_status("The run was stopped. The window shows the last completed run.");
}

void Requests::record(const Recording& wanted) {
  model_.settings.record_block = wanted.block;
  if (wanted.launch >= 0) model_.settings.record_launch = wanted.launch;
  model_.navigation.selection.block = wanted.block;
  submit(true, wanted.step);
}

/// Which part of the block is shown now, where that is not all of it, and how it was come by.
void Requests::say_recorded() {
  const results::Summary& s = model_.results.summary;
  const results::HistoryInfo& h = s.history;
  if (!h.replayed) return;
  std::string words = "Block " + std::to_string(s.recorded_block);
  if (s.first_step > 0 || s.block_steps > s.steps)
    words += fmt::format(", steps {} to {} of {}", spaced(s.first_step + 1), spaced(s.first_step + s.timeline.size()),
                         s.block_steps > 0 ? spaced(s.block_steps) : "more");
  model_.shell.show_status(
      fmt::format("{}: {} instructions were run again{} in {:.0f} ms. Checkpoints use {} of {} KiB.", words,
                  spaced(h.replayed_until - h.replayed_from), h.replayed_from > 0 ? " from a checkpoint" : "",
                  h.replay_seconds * 1e3, spaced((h.used_bytes + 1023) >> 10), spaced(h.budget_bytes >> 10)));
}

void Requests::put_override(const std::string& name, const std::optional<std::string>& value) {
  model_.settings.put_override(name, value);
  if (!model_.measurements.live.on) return run();
  run_due_ = model_.shell.now + run_delay_seconds;  // the GPU is measured at once; emulator and claims wait for a pause
  live_changed();
}

void Requests::register_limits() {
  const int own = model_.results.summary.resources.registers;
  std::vector<int> wanted{0};
  for (const int limit : {192, 168, 128, 112, 96, 80, 72, 64, 56, 48, 40, 32, 24, 16})
    if ((own < 0 || limit < own) && wanted.size() < 9) wanted.push_back(limit);
  model_.occupancy.limits = {.under_way = true};
  limits_ = channel_->send<engine::ask::Caps>({.run = run_request(model_.document, model_.settings), .caps = wanted});
}

void Requests::measure(const engine::MeasureRequest& request, std::string what) {
  Measurements& m = model_.measurements;
  m.under_way = true, m.what = std::move(what);
  m.asked_text = model_.results.text, m.name = model_.document.title();
  ++m.version;
  engine::MeasureRequest here = request;
  here.device = model_.settings.device;
  measure_ = channel_->send<engine::ask::Measure>(std::move(here));
}

void Requests::stop_measuring() {
  channel_->cancel(std::exchange(measure_, 0));
  model_.measurements.under_way = false;
  ++model_.measurements.version;
  model_.shell.show_status("The measurement was stopped. There are no results.");
}

bool Requests::settled() const {
  return !model_.results.running && run_due_ < 0 && moment_ == 0 && earlier_ == 0 &&
         !model_.occupancy.limits.under_way && !model_.measurements.under_way && !model_.measurements.live.under_way &&
         !live_request_.due && contents_ == 0 && code_ == 0 && journeys_ == 0 && model_.results.index_complete();
}

double Requests::next_due(double now, double latest) const {
  if (run_due_ >= 0) latest = std::min(latest, run_due_);
  return channel_->busy() ? std::min(latest, now + poll_seconds) : latest;
}

void Requests::send_pending() {
  send_live();
  if (run_due_ >= 0 && model_.shell.now >= run_due_) run();
  if (model_.results.have && !model_.results.running && moment_ == 0) request_moment();
  request_journeys();
}

bool Requests::asked_for(const engine::MomentRequest& wanted) const {
  return asked_moment_ && asked_moment_run_ == run_ticket_ && *asked_moment_ == wanted;
}

bool Requests::asked_for_moment() const { return asked_for(moment_request()); }

void Requests::request_moment() {
  engine::MomentRequest wanted = moment_request();
  if (asked_for(wanted)) return request_earlier_access();
  if (std::exchange(earlier_, 0) != 0) model_.memory.forget_earlier();  // only the last question is answered
  asked_moment_ = wanted;
  asked_moment_run_ = run_ticket_;
  moment_ = channel_->send<engine::ask::Moment>(std::move(wanted));
}

void Requests::request_earlier_access() {
  if (earlier_ != 0) return;
  const auto step = model_.memory.next_earlier_step(run_ticket_);
  if (!step) return;
  earlier_ =
      channel_->send<engine::ask::Moment>({.step = *step, .first_warp = 0, .warp_count = 1, .moves_from = *step});
}

engine::MomentRequest Requests::moment_request() const {
  const results::Summary& summary = model_.results.summary;
  const views::Selection& at = model_.navigation.selection;
  const ViewOptions& view = model_.shell.view;
  engine::MomentRequest request{.step = at.step};
  ShownRegisters shown = model_.navigation.shown_registers();
  request.families = std::move(shown.families);
  request.warp_count = std::min<int>(view.warps_shown, static_cast<int>(summary.warps));
  request.first_warp = view.warps_shown <= 1 ? at.warp : 0;
  request.moves_from = step_before_line(summary, at.step, at.warp);
  request.assignment_family = shown.assignment;
  if (const auto& wanted = model_.writing.annotation) {
    request.step = wanted->step;
    request.assignment_family = wanted->family;
  }
  request.totals_line = model_.memory.totals_line();
  if (request.totals_line >= 0) request.totals_buffer = view.buffer;
  if (model_.shell.in_front(PanelId::tree)) request.tree = model_.tree.request(model_.results);
  using MovementOf = engine::MomentRequest::MovementOf;
  if (model_.shell.in_front(PanelId::movement))
    request.movement = model_.movement.one_statement ? MovementOf::statement : MovementOf::exchange;
  return request;
}

// --- answers ---------------------------------------------------------------------------------------------------------

void Requests::handle_answers() {
  while (auto event = channel_->poll())
    std::visit(
        [&](auto& what) {
          if constexpr (requires { what.value; })
            take(event->ticket, what.value);
          else
            take(event->ticket, what);
        },
        event->what);
}

bool Requests::ended(engine::Ticket& under_way, engine::Ticket ticket) {
  if (under_way != ticket) return false;
  under_way = 0;
  return true;
}

void Requests::take(engine::Ticket ticket, engine::RunSummary& finished) {
  if (ticket != run_ticket_) return;
  Results& results = model_.results;
  results.running = false;
  if (!finished.gpus.empty()) model_.settings.gpus = std::move(finished.gpus);
  results.failed = !finished.summary.ok;
  results.diagnostics = finished.summary.diagnostics;
  results.settings = finished.summary.settings;
  results.lines = finished.summary.lines;
  results.header_texts = finished.summary.header_texts;
  ++results.version;
  model_.shell.dismiss("engine");
  if (!finished.summary.ok) {
    model_.problems.run_finished();
    return model_.memory.run_failed();
  }
  std::optional<VisitOfLine> visit =
      results.have ? visit_of_step(results.summary, model_.navigation.selection.step) : std::nullopt;
  if (results.have) model_.navigation.name_pins();
  results.summary = std::move(finished.summary);
  results.index.clear();
  const auto now = [&](int line) {
    return results.have && !results.lines.in_header(line) ? document::map_line(results.text, running_text_, line)
                                                          : line;
  };
  const int line = now(model_.navigation.selection.line);
  if (visit) visit->line = now(visit->line);
  results.have = true;
  results.text = running_text_;
  results.names = source::names_by_line(results.text);
  for (std::size_t k = 0; k < results.header_texts.size(); ++k)
    for (auto& [number, names] : source::names_by_line(results.header_texts[k]))
      results.names[results.lines.files[k + 1].first_line + number - 1] = in_unit_lines(names, results.lines, k + 1);
  good_run_ = ticket;
  model_.settings.record_block = results.summary.recorded_block;
  model_.navigation.selection.block = results.summary.recorded_block;
  asked_moment_.reset();
  model_.shell.without_shared = results.summary.shared_bytes == 0;
  model_.navigation.run_finished(line, visit);
  if (const std::int64_t step = std::exchange(wanted_step_, -1); step >= 0 && !results.summary.timeline.empty())
    model_.navigation.go_to_step(
        std::clamp<std::int64_t>(step - static_cast<std::int64_t>(results.summary.first_step), 0,
                                 static_cast<std::int64_t>(results.summary.timeline.size()) - 1));
  say_recorded();
  model_.memory.run_finished();
  if (const auto wanted = model_.problems.run_finished()) record(*wanted);
}

void Requests::take(engine::Ticket ticket, results::Moment& moment) {
  if (ended(earlier_, ticket)) return model_.memory.take_earlier(std::move(moment.access));
  if (!ended(moment_, ticket)) return;
  model_.results.moment = std::move(moment);
  model_.memory.take_moment();
}

void Requests::take(engine::Ticket ticket, std::vector<results::RegisterLimit>& rows) {
  if (!ended(limits_, ticket)) return;
  model_.occupancy.limits = {.rows = std::move(rows)};
  ++model_.results.version;
}

void Requests::take(engine::Ticket ticket, results::Measured& measured) {
  if (ended(live_, ticket)) return take_live(std::move(measured), {});
  if (ended(code_, ticket)) return take_code(std::move(measured));
  if (!ended(measure_, ticket)) return;
  model_.measurements.take(std::move(measured));
  ++model_.results.version;
}

void Requests::take(engine::Ticket ticket, engine::Refusal& refusal) {
  std::string why =
      refusal.diagnostics.empty() ? "The engine rejected the request." : to_string(refusal.diagnostics.front()) + ".";
  if (ended(earlier_, ticket) || ended(moment_, ticket) || ended(contents_, ticket) || ended(journeys_, ticket)) return;
  if (ended(live_, ticket)) return take_live({}, std::move(why));
  if (ended(code_, ticket)) return take_code({.refused = {{.message = std::move(why)}}});
  if (ended(limits_, ticket))
    model_.occupancy.limits = {.refused = std::move(why)};
  else if (ended(measure_, ticket))
    model_.measurements.refuse(std::move(why));
  ++model_.results.version;
  if (ticket != run_ticket_) return;
  engine::RunSummary failed;
  failed.summary.diagnostics = std::move(refusal.diagnostics);
  take(ticket, failed);
}

void Requests::take(engine::Ticket ticket, engine::Progress& progress) {
  if (ticket != run_ticket_) return;
  model_.results.run_steps = std::max(model_.results.run_steps, progress.ran.steps);
  if (model_.results.stage == progress.stage) return;  // no scene shows the steps
  model_.results.stage = progress.stage;
  ++model_.results.version;
}

void Requests::take(engine::Ticket ticket, engine::Repeated&) {
  engine::Progress again{.stage = "connecting again"};
  take(ticket, again);
}

void Requests::take(engine::Ticket, engine::Stopped& stopped) {
  forget_questions();  // contents are requested after the next run
  live_ = 0;
  model_.occupancy.limits.under_way = false;
  if (model_.measurements.under_way)
    model_.measurements.refuse("the engine stopped while measuring: " + stopped.reason);
  model_.measurements.live.under_way = false;
  asked_moment_.reset();
  const bool was_running = std::exchange(model_.results.running, false);
  ++model_.results.version;
  if (was_running) model_.results.failed = true;
  model_.shell.notify({.id = "engine",
                       .kind = Notice::Kind::error,
                       .text = "The engine stopped: " + stopped.reason + " Your edits are kept.",
                       .buttons = {{"Run again", "run.now"}}});
}

}  // namespace lanescope::gui
