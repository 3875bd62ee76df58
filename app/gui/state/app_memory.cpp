// What the memory panels look at: the moment's access, an earlier one, or the evidence of a finding; wavefronts in turn.

#include <algorithm>

#include "app/gui/state/app.h"
#include "app/gui/state/evidence.h"
#include "app/gui/state/navigate.h"
#include "viz/views/memory/what_if.h"

namespace lanescope::gui {
namespace {

constexpr double seconds_per_wavefront = 0.25;
constexpr int most_tries = 8;

bool same_access(const std::optional<results::AccessInfo>& a, const std::optional<results::AccessInfo>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->space == b->space && a->kind == b->kind && a->width_bytes == b->width_bytes && a->line == b->line &&
         a->warp == b->warp && a->mask == b->mask && a->offsets == b->offsets;
}

bool is_global(const std::optional<results::AccessInfo>& access) {
  return access && access->space == trace::MemorySpace::global;
}

}  // namespace

// --- evidence --------------------------------------------------------------------------------------------------------

void App::show_finding(const results::FindingInfo& finding) {
  playing = false;
  dismiss_evidence();
  if (finding.block >= 0 && finding.block != static_cast<std::int64_t>(results.summary.recorded_block)) {
    // Only one block's steps are kept: this one's come with another run.
    finding_due_ = finding;
    remark("Recording block " + std::to_string(finding.block) + ", where this was found…");
    return request_record_block(static_cast<std::uint32_t>(finding.block));
  }
  if (finding.warp >= 0 && finding.warp < static_cast<int>(results.summary.warps)) selection.warp = finding.warp;
  const int warp = selection.warp;
  trace::AccessKind kind = trace::AccessKind::load;
  if (const std::int64_t step = step_of_finding(results.summary, finding, warp); step >= 0) {
    go_to_step(step);
    const auto& timeline = results.summary.timeline;
    const auto mark = std::ranges::find(timeline, static_cast<std::uint32_t>(step), &results::TimelineMark::step);
    if (mark->kind == trace::StepKind::store) kind = trace::AccessKind::store;
    if (mark->kind == trace::StepKind::atomic) kind = trace::AccessKind::atomic;
  }
  selection.line = finding.line;
  reveal_line = finding.line;
  const auto access = evidence_access(results.summary, finding, kind);
  if (!access) return;
  evidence_ = Evidence{.rule = finding.rule, .access = *access, .at = selection};
  apply_evidence();
  show_panel(finding.shared ? PanelId::shared : PanelId::global);
}

std::string App::evidence_words() const { return evidence_ ? "evidence of " + evidence_->rule : std::string(); }

/// The evidence stands in for the moment's own access: every view, fact and file then speaks of it.
void App::apply_evidence() {
  if (evidence_) {
    moment.access = evidence_->access;
  } else {
    moment.access = own_access_;
  }
  access_changed();
}

void App::dismiss_evidence() {
  if (!evidence_) return;
  evidence_.reset();
  apply_evidence();
}

/// Evidence is of one place: it goes when the selection does.
void App::follow_selection() {
  if (!evidence_) return;
  const views::Selection& at = evidence_->at;
  if (at.step != selection.step || at.line != selection.line || at.warp != selection.warp ||
      at.block != selection.block)
    dismiss_evidence();
}

// --- the moment's access, or an earlier one --------------------------------------------------------------------------

void App::take_access() {
  own_access_ = moment.access;
  if (evidence_) moment.access = evidence_->access;
  access_changed();
}

void App::access_changed() {
  ++moment_version;
  if (same_access(moment.access, played_access_)) return;
  played_access_ = moment.access;
  wavefront = -1;
  wavefronts_playing = false;
}

const results::AccessInfo* App::global_access(std::string& note) const {
  note = evidence_words();
  if (is_global(moment.access)) return &*moment.access;
  if (!is_global(earlier_.access) || earlier_.before != selection.step || earlier_.warp != selection.warp)
    return nullptr;
  note = "earlier access";  // this step makes none
  return &*earlier_.access;
}

int App::totals_line() const {
  if (view.global_mode == GlobalMode::block_total) return 0;
  if (view.global_mode != GlobalMode::line_total) return -1;
  if (selection.line > 0 && reaches_global(results.summary, selection.line)) return selection.line;
  const std::int64_t step = earlier_global_step(results.summary, selection.step, selection.warp);
  return step >= 0 ? line_of_step(results.summary, step) : std::max(selection.line, 0);
}

/// The panel of global memory falls back to the last access before a step that makes none. Which steps reach global
/// memory is known by line only, so some are asked for in vain.
void App::request_earlier_access() {
  const bool shows_access = view.global_mode == GlobalMode::bytes || view.global_mode == GlobalMode::transactions;
  if (!shows_access || earlier_.under_way || moment.step != selection.step || is_global(moment.access)) return;
  const bool asked =
      earlier_.before == selection.step && earlier_.warp == selection.warp && earlier_.run == run_ticket_;
  if (!asked) {
    earlier_ = {.before = selection.step, .warp = selection.warp, .run = run_ticket_, .step = selection.step};
  } else if (earlier_.step < 0 || is_global(earlier_.access) || earlier_.tries >= most_tries) {
    return;
  }
  ++earlier_.tries;
  earlier_.step = earlier_global_step(results.summary, earlier_.step, selection.warp);
  if (earlier_.step < 0) return;
  earlier_.ticket = next_ticket_++;
  earlier_.under_way = true;
  backend_->request_moment(
      earlier_.ticket,
      {.step = earlier_.step, .families = {}, .first_warp = 0, .warp_count = 1, .moves_from = earlier_.step});
}

void App::take_earlier(results::Moment& arrived) {
  earlier_.under_way = false;
  earlier_.access = std::move(arrived.access);
  ++moment_version;
}

// --- wavefronts ------------------------------------------------------------------------------------------------------

int App::wavefront_count() const {
  if (!moment.access || moment.access->space != trace::MemorySpace::shared) return 0;
  return views::bank_costs(*moment.access, view.what_if).wavefronts;
}

void App::show_wavefront(int number) { wavefront = std::clamp(number, -1, wavefront_count() - 1); }

void App::play_wavefronts(bool play) {
  wavefronts_playing = play && wavefront_count() > 0;
  if (!wavefronts_playing) return;
  if (wavefront >= wavefront_count() - 1) wavefront = -1;
  wavefront_due_ = now;
}

bool App::advance_wavefront() {
  if (!wavefronts_playing || now < wavefront_due_) return false;
  wavefront_due_ = now + seconds_per_wavefront;
  show_wavefront(wavefront + 1);
  if (wavefront >= wavefront_count() - 1) wavefronts_playing = false;
  return true;
}

void App::set_what_if(const views::WhatIf& what_if) {
  view.what_if = bounded(what_if);
  show_wavefront(wavefront);
}

}  // namespace lanescope::gui
