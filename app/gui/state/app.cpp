#include "app/gui/state/app.h"

#include <algorithm>
#include <utility>

#include "app/gui/state/navigate.h"
#include "viz/views/facts.h"

namespace lanescope::gui {
namespace {

// Typing pauses for this long before the text runs by itself.
constexpr double run_delay_seconds = 0.45;
constexpr double seconds_per_played_step = 0.25;
constexpr double watch_every_seconds = 1.0;
constexpr double remark_seconds = 4.0;
constexpr double poll_seconds = 0.008;  // while an answer is awaited

bool same_request(const engine::MomentRequest& a, const engine::MomentRequest& b) {
  return a.step == b.step && a.families == b.families && a.first_warp == b.first_warp && a.warp_count == b.warp_count &&
         a.moves_from == b.moves_from && a.assignment_family == b.assignment_family && a.totals_line == b.totals_line &&
         a.totals_buffer == b.totals_buffer;
}

}  // namespace

bool same(const views::Selection& a, const views::Selection& b) {
  return a.step == b.step && a.line == b.line && a.family == b.family && a.place == b.place && a.element == b.element &&
         a.address == b.address && a.warp == b.warp && a.block == b.block;
}

App::App(std::unique_ptr<Backend> backend, const views::Theme* theme) : backend_(std::move(backend)), theme_(theme) {
  view.theme = theme->name;
}

// --- running ---------------------------------------------------------------------------------------------------------

void App::text_changed() {
  run_due_ = now + run_delay_seconds;
  ++results.version;
  live_changed();
}

engine::RunRequest App::run_request() const {
  engine::RunRequest request;
  request.file = editing.file().empty() ? editing.title() : editing.file();
  request.text = editing.text();
  request.arch = arch;
  request.on_gpu = on_gpu;
  request.device = device;
  request.forbid_nvrtc = forbid_nvrtc;
  request.seed = seed;
  request.record_block = record_block_;
  request.review = true;
  request.overrides = overrides;
  return request;
}

void App::run() {
  run_due_ = -1;
  if (editing.text().find_first_not_of(" \t\r\n") == std::string::npos) {
    results.clear();
    return;
  }
  const engine::RunRequest request = run_request();
  run_ticket_ = next_ticket_++;
  running_text_ = request.text;
  results.running = true;
  results.stage.clear();
  ++results.version;
  moment_under_way_ = false;
  earlier_ = {};
  caps = {};
  measurements.under_way = false;  // the engine forgets what was asked about the run before
  contents_under_way_ = false;
  backend_->submit(run_ticket_, request);
}

void App::request_caps() {
  const int own = results.summary.resources.registers;
  std::vector<int> wanted{0};
  for (const int cap : {192, 168, 128, 112, 96, 80, 72, 64, 56, 48, 40, 32, 24, 16}) {
    if ((own < 0 || cap < own) && wanted.size() < 9) wanted.push_back(cap);
  }
  caps_ticket_ = next_ticket_++;
  caps = {.rows = {}, .refused = {}, .under_way = true};
  backend_->request_caps(caps_ticket_, run_request(), wanted);
}

void App::measure(const engine::MeasureRequest& request, std::string what) {
  measure_ticket_ = next_ticket_++;
  measurements.under_way = true, measurements.what = std::move(what);
  measurements.asked_text = results.text, measurements.name = editing.title();
  ++measurements.version;
  engine::MeasureRequest here = request;
  here.device = device;
  backend_->request_measure(measure_ticket_, here);
}

void App::stop_measuring() {
  backend_->cancel_measure();
  measurements.under_way = false;
  ++measurements.version;
  remark("Stopped; nothing was measured.");
}

void App::set_override(const std::string& name, const std::optional<std::string>& value) {
  std::erase_if(overrides, [&](const engine::Override& o) { return o.name == name; });
  if (value) overrides.push_back({name, *value});
  if (!measurements.live.on) return run();
  run_due_ = now + run_delay_seconds;  // the GPU follows the hand; the emulator and the claims wait until it rests
  live_changed();
}

std::string App::override_words() const {
  std::string words;
  for (const engine::Override& o : overrides) words += (words.empty() ? "" : ", ") + o.name + " " + o.value;
  return words;
}

void App::stop() {
  backend_->cancel();
  run_due_ = -1;
  results.running = false;
  ++results.version;
  remark("Stopped; the picture is of the last run that ended.");
}

void App::request_record_block(std::uint32_t block) {
  record_block_ = block;
  selection.block = block;
  run();
}

bool App::settled() const {
  return !results.running && run_due_ < 0 && !moment_under_way_ && !earlier_.under_way && !caps.under_way &&
         !measurements.under_way && !measurements.live.under_way && !live_request_.due && !contents_under_way_;
}

void App::take(RunFinished& finished) {
  if (finished.ticket != run_ticket_) return;
  results.running = false;
  if (!finished.gpus.empty()) gpus = std::move(finished.gpus);
  results.failed = !finished.summary.ok;
  results.diagnostics = finished.summary.diagnostics;
  ++results.version;
  dismiss("engine");
  if (!finished.summary.ok) return finding_due_.reset();
  results.summary = std::move(finished.summary);
  results.have = true;
  results.text = running_text_;
  good_run_ = finished.ticket;
  asked_moment_.reset();
  const int warps = static_cast<int>(results.summary.warps);
  selection.warp = std::clamp(selection.warp, 0, std::max(warps - 1, 0));
  if (selection.family >= static_cast<int>(results.summary.families.size())) selection.family = -1;
  if (fresh_file_) {
    fresh_file_ = false;
    first_look();
  } else if (warp_of_step(results.summary, selection.step) < 0) {
    go_to_step(last_step(results.summary, selection.warp));
  }
  dismiss_evidence();
  if (finding_due_) {
    const results::FindingInfo due = *std::exchange(finding_due_, std::nullopt);
    if (due.block == static_cast<std::int64_t>(results.summary.recorded_block)) show_finding(due);
  }
}

void App::take(MomentArrived& arrived) {
  if (arrived.ticket == earlier_.ticket && earlier_.under_way) return take_earlier(arrived.moment);
  if (arrived.ticket != moment_ticket_) return;
  moment_under_way_ = false;
  moment = std::move(arrived.moment);
  take_access();
}

void App::take(MomentRefused& refused) {
  if (refused.ticket == earlier_.ticket) earlier_.under_way = false;
  if (refused.ticket == moment_ticket_) moment_under_way_ = false;
}

void App::take(CapsArrived& arrived) {
  if (arrived.ticket != caps_ticket_) return;
  caps = {.rows = std::move(arrived.rows), .refused = std::move(arrived.refused)};
  ++results.version;
}

void App::take(MeasuredArrived& arrived) {
  if (arrived.ticket == live_ticket_) return take_live(arrived);
  if (arrived.ticket != measure_ticket_ || !measurements.under_way) return;
  if (arrived.refused.empty())
    measurements.take(std::move(arrived.measured));
  else
    measurements.refuse(std::move(arrived.refused));
  ++results.version;
}

void App::take(RunProgress& progress) {
  if (progress.ticket != run_ticket_) return;
  results.stage = progress.stage;
  ++results.version;
}

void App::take(EngineStopped& stopped) {
  moment_under_way_ = false;
  earlier_ = {};
  caps.under_way = false;
  if (measurements.under_way) measurements.refuse("the engine stopped while measuring: " + stopped.reason);
  measurements.live.under_way = contents_under_way_ = false;  // contents are asked again after the next run
  asked_moment_.reset();
  const bool was_running = results.running;
  results.running = false;
  ++results.version;
  if (was_running) results.failed = true;
  notify({.id = "engine",
          .kind = Notice::Kind::error,
          .text = "The engine stopped: " + stopped.reason + " Nothing you typed is lost.",
          .buttons = {{"Run again", "run.now"}}});
}

/// A new file opens where there is something to see: where lanes have exchanged data, at its first claim, or at its end.
void App::first_look() {
  const results::Summary& s = results.summary;
  std::int64_t step = step_after_shuffle(s, selection.warp);
  for (const results::ClaimInfo& c : s.claims) {
    if (step >= 0 || c.result.verdict == claims::Verdict::unchecked) continue;
    step = step_of_claim(s, c, selection.warp);
    break;
  }
  if (step < 0) step = last_step(s, selection.warp);
  go_to_step(step);
}

bool App::update(double now_seconds) {
  now = now_seconds;
  const auto versions = [this] { return results.version + moment_version + measurements.version + contents_version; };
  const std::uint64_t before = versions();
  for (BackendEvent& event : backend_->poll()) {
    std::visit([this](auto& e) { take(e); }, event);
  }
  follow_selection();
  send_due(now_seconds);
  bool changed = before != versions();
  if (playing && now >= play_due_) {
    play_due_ = now + seconds_per_played_step;
    const std::int64_t next = neighbour_line(results.summary, selection.step, selection.warp, Direction::forward);
    if (next < 0)
      playing = false;
    else
      go_to_step(next);
    changed = true;
  }
  changed |= advance_wavefront();
  changed |= calculator.advance(now);
  if (now >= watch_due_) {
    watch_due_ = now + watch_every_seconds;
    watch_file();
  }
  if (!remark_text.empty() && now > remark_until) {
    remark_text.clear();
    changed = true;
  }
  return changed;
}

void App::send_due(double now_seconds) {
  send_live();
  if (run_due_ >= 0 && now_seconds >= run_due_) run();
  if (!results.have || results.running || moment_under_way_) return;
  engine::MomentRequest wanted = wanted_moment();
  if (asked_moment_ && asked_moment_run_ == run_ticket_ && same_request(*asked_moment_, wanted))
    return request_earlier_access();
  if (earlier_.under_way) earlier_ = {};  // the backend answers the last question only
  moment_ticket_ = next_ticket_++;
  moment_under_way_ = true;
  asked_moment_ = wanted;
  asked_moment_run_ = run_ticket_;
  backend_->request_moment(moment_ticket_, wanted);
}

double App::due_in(double now_seconds) const {
  double at = watch_due_;
  if (run_due_ >= 0) at = std::min(at, run_due_);
  if (playing) at = std::min(at, play_due_);
  if (calculator.playing) at = std::min(at, calculator.due());
  if (wavefronts_playing) at = std::min(at, wavefront_due_);
  if (!remark_text.empty()) at = std::min(at, remark_until);
  if (backend_->busy()) at = std::min(at, now_seconds + poll_seconds);
  return std::max(at - now_seconds, 0.0);
}

engine::MomentRequest App::wanted_moment() const {
  engine::MomentRequest request;
  request.step = selection.step;
  request.families = shown_families();
  request.warp_count = std::min<int>(view.warps_shown, static_cast<int>(results.summary.warps));
  request.first_warp = view.warps_shown <= 1 ? selection.warp : 0;
  request.moves_from = step_before_line(results.summary, selection.step, selection.warp);
  request.assignment_family = request.families.empty() ? -1 : request.families.back();
  request.totals_line = totals_line();
  if (request.totals_line >= 0) request.totals_buffer = view.buffer;
  return request;
}

// --- looking ---------------------------------------------------------------------------------------------------------

views::Selection App::shown() const {
  if (!hovered) return selection;
  views::Selection s = views::select(results.summary, moment, *hovered, selection);
  // Hovering points; it does not travel.
  s.step = selection.step;
  s.warp = selection.warp;
  s.block = selection.block;
  s.line = selection.line;
  return s;
}

void App::select(const views::Selection& next) {
  const std::int64_t step = next.step;
  const bool moved = step != selection.step;
  selection = next;
  if (moved) go_to_step(step);
}

void App::go_to_step(std::int64_t step) {
  selection.step = step;
  if (const int warp = warp_of_step(results.summary, step); warp >= 0) selection.warp = warp;
  if (const int line = line_of_step(results.summary, step); line > 0) {
    selection.line = line;
    reveal_line = line;
  }
}

void App::go_to_line(int line) {
  selection.line = line;
  const std::int64_t step = step_at_line(results.summary, line, selection.warp, selection.step);
  if (step >= 0) go_to_step(step);
}

const results::ClaimInfo* App::claim_at_line(int line) const {
  for (const results::ClaimInfo& c : results.summary.claims) {
    if (line >= c.claim.first_line && line <= c.claim.last_line) return &c;
  }
  return nullptr;
}

/// The family that the nearest claim at or above the current line speaks of, and after it the one that is being made
/// from it since: both ends of a move are then in the picture. Without claims the last array above the line.
std::vector<int> App::automatic_families() const {
  const results::Summary& s = results.summary;
  if (selection.family >= 0) return {selection.family};
  const int line = selection.line;
  const results::ClaimInfo* nearest = nullptr;
  for (const results::ClaimInfo& c : s.claims) {
    if (c.claim.first_line <= line || nearest == nullptr) nearest = &c;
  }
  int claimed = -1, last_array = -1;
  for (int i = 0; i < static_cast<int>(s.families.size()); ++i) {
    const results::FamilyInfo& family = s.families[i];
    if (nearest != nullptr && family.name == nearest->claim.variable) claimed = i;
    if (family.registers.size() > 1 && (last_array < 0 || family.first_line <= line)) last_array = i;
  }
  if (claimed < 0) {
    if (last_array >= 0) return {last_array};
    return s.families.empty() ? std::vector<int>{} : std::vector<int>{0};
  }
  const bool made_since = last_array >= 0 && last_array != claimed && s.families[last_array].first_line <= line &&
                          s.families[last_array].first_line > nearest->claim.last_line;
  return made_since ? std::vector<int>{claimed, last_array} : std::vector<int>{claimed};
}

std::vector<int> App::shown_families() const {
  std::vector<int> families;
  for (int i = 0; i < static_cast<int>(results.summary.families.size()); ++i) {
    const std::string& name = results.summary.families[i].name;
    if (std::find(view.families.begin(), view.families.end(), name) != view.families.end()) families.push_back(i);
  }
  return families.empty() ? automatic_families() : families;
}

// --- the window ------------------------------------------------------------------------------------------------------

void App::remark(std::string text) {
  remark_text = std::move(text);
  remark_until = now + remark_seconds;
}

void App::notify(Notice notice) {
  dismiss(notice.id);
  notices.push_back(std::move(notice));
}

void App::dismiss(const std::string& id) {
  std::erase_if(notices, [&](const Notice& n) { return n.id == id; });
}

void App::set_theme(const std::string& name) {
  theme_ = &views::theme_named(name);
  view.theme = theme_->name;
}

void App::set_scale(float scale) { view.scale = std::clamp(scale, smallest_scale, largest_scale); }

void App::set_arrangement(Arrangement a) {
  view.arrangement = a;
  view.maximised.reset();
  view.hidden = default_hidden(a);
  view.front[static_cast<int>(a)].clear();
}

}  // namespace lanescope::gui
