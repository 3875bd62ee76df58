#include <algorithm>
#include <utility>

#include "app/gui/model/focus.h"
#include "viz/views/memory/what_if.h"

namespace lanescope::gui {
namespace {

constexpr double seconds_per_wavefront = 0.25;
constexpr int most_tries = 8;

bool same_access(const std::optional<results::AccessInfo>& a, const std::optional<results::AccessInfo>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->space == b->space && a->kind == b->kind && a->width_bytes == b->width_bytes && a->line == b->line &&
         a->warp == b->warp && a->mask == b->mask && a->addresses == b->addresses;
}

bool is_global(const std::optional<results::AccessInfo>& access) {
  return access && access->space == trace::MemorySpace::global;
}

}  // namespace

// --- evidence --------------------------------------------------------------------------------------------------------

std::optional<Recording> MemoryFocus::show(const results::FindingInfo& finding) {
  const results::Summary& summary = results_.summary;
  views::Selection& selection = navigation_.selection;
  navigation_.playing = false;
  dismiss_evidence();
  if (results::elsewhere(summary, finding.launch, finding.block)) {
    // Only one block's steps are kept: this one's come with another run.
    finding_due_ = finding;
    const Recording wanted{static_cast<std::uint32_t>(finding.block), finding.launch};
    shell_.show_status("Recording " + words_of(wanted, summary) + ", to which the finding belongs…");
    return wanted;
  }
  if (finding.warp >= 0 && finding.warp < static_cast<int>(summary.warps)) selection.warp = finding.warp;
  const int warp = selection.warp;
  const std::int64_t step = step_of_finding(summary, finding, warp);
  if (step >= 0) navigation_.go_to_step(step);
  selection.line = *(navigation_.reveal_line = finding.line);
  const auto access = evidence_access(summary, finding, step);
  if (!access) return std::nullopt;
  evidence_ = Evidence{.rule = finding.rule, .access = *access, .at = selection};
  apply_evidence();
  shell_.show_panel(finding.shared ? PanelId::shared : PanelId::global);
  return std::nullopt;
}

std::string MemoryFocus::evidence_words() const {
  return evidence_ ? "evidence for " + evidence_->rule : std::string();
}

/// The evidence stands in for the moment's own access: every view, fact and file then speaks of it.
void MemoryFocus::apply_evidence() {
  results_.moment.access = evidence_ ? evidence_->access : own_access_;
  access_changed();
}

void MemoryFocus::dismiss_evidence() {
  if (!evidence_) return;
  evidence_.reset();
  apply_evidence();
}

void MemoryFocus::follow_selection() {
  if (!evidence_) return;
  const views::Selection &at = evidence_->at, &now = navigation_.selection;
  if (at.step != now.step || at.line != now.line || at.warp != now.warp || at.block != now.block) dismiss_evidence();
}

void MemoryFocus::take_moment() {
  own_access_ = results_.moment.access;
  if (evidence_) results_.moment.access = evidence_->access;
  access_changed();
}

void MemoryFocus::run_finished() {
  dismiss_evidence();
  if (!finding_due_) return;
  const results::FindingInfo due = *std::exchange(finding_due_, std::nullopt);
  if (!results::elsewhere(results_.summary, due.launch, due.block)) show(due);
}

void MemoryFocus::reset() {
  evidence_.reset(), finding_due_.reset(), own_access_.reset();
  earlier_ = {};
  access_changed();
}

void MemoryFocus::access_changed() {
  ++results_.moment_version;
  if (same_access(results_.moment.access, played_access_)) return;
  played_access_ = results_.moment.access;
  wavefront = -1;
  wavefronts_playing = false;
}

// --- global memory ---------------------------------------------------------------------------------------------------

const results::AccessInfo* MemoryFocus::global_access(std::string& note) const {
  note = evidence_words();
  if (is_global(results_.moment.access)) return &*results_.moment.access;
  const views::Selection& at = navigation_.selection;
  if (!is_global(earlier_.access) || earlier_.before != at.step || earlier_.warp != at.warp) return nullptr;
  note = "earlier access";  // this step makes none
  return &*earlier_.access;
}

int MemoryFocus::totals_line() const {
  if (shell_.view.global_mode == GlobalMode::block_total) return 0;
  if (shell_.view.global_mode != GlobalMode::line_total) return -1;
  const views::Selection& at = navigation_.selection;
  if (at.line > 0 && reaches_global(results_.summary, at.line)) return at.line;
  const std::int64_t step = earlier_global_step(results_.summary, at.step, at.warp);
  return step >= 0 ? line_of_step(results_.summary, step) : std::max(at.line, 0);
}

/// The panel of global memory falls back to the last access before a step that makes none. Which steps reach global
/// memory is known by line only, so some are requested in vain.
std::optional<std::int64_t> MemoryFocus::next_earlier_step(std::uint64_t run) {
  const GlobalMode mode = shell_.view.global_mode;
  const views::Selection& at = navigation_.selection;
  const bool shows_access = mode == GlobalMode::bytes || mode == GlobalMode::transactions;
  if (!shows_access || results_.moment.step != at.step || is_global(results_.moment.access)) return std::nullopt;
  const bool begun = earlier_.before == at.step && earlier_.warp == at.warp && earlier_.run == run;
  // A healthy access before it would only hide what happened at the fault.
  if (results::fault_at(results_.summary, at.step) != nullptr) return std::nullopt;
  if (!begun)
    earlier_ = {.before = at.step, .warp = at.warp, .run = run, .step = at.step};
  else if (earlier_.step < 0 || is_global(earlier_.access) || earlier_.tries >= most_tries)
    return std::nullopt;
  ++earlier_.tries;
  earlier_.step = earlier_global_step(results_.summary, earlier_.step, at.warp);
  return earlier_.step < 0 ? std::nullopt : std::optional(earlier_.step);
}

void MemoryFocus::take_earlier(std::optional<results::AccessInfo> access) {
  earlier_.access = std::move(access);
  ++results_.moment_version;
}

// --- problems ---------------------------------------------------------------------------------------------------------

std::string MemoryFocus::error_of(const results::AccessInfo& access) const {
  const results::Problem* problem =
      results_.failed ? nullptr
                      : results::problem_of_access(results_.problems, results_.summary, access.line, access.space);
  return problem == nullptr ? std::string() : "■ " + results::parties_words(*problem);
}

bool MemoryFocus::has_error() const {
  if (results_.failed) return false;
  if (results_.moment.access && !error_of(*results_.moment.access).empty()) return true;
  const std::int64_t step = navigation_.selection.step;
  return std::ranges::any_of(results_.problems, [&](const results::Problem& p) {
    if (p.severity != Severity::error || step < 0 || p.kind == results::Problem::Kind::claim) return false;
    return p.step == step || std::ranges::any_of(p.parties, [&](const results::Party& s) { return s.step == step; });
  });
}

// --- wavefronts ------------------------------------------------------------------------------------------------------

int MemoryFocus::wavefront_count() const {
  const auto& access = results_.moment.access;
  if (!access || access->space != trace::MemorySpace::shared) return 0;
  return views::bank_costs(*access, shell_.view.what_if).wavefronts;
}

void MemoryFocus::show_wavefront(int number) { wavefront = std::clamp(number, -1, wavefront_count() - 1); }

void MemoryFocus::play_wavefronts(bool play) {
  wavefronts_playing = play && wavefront_count() > 0;
  if (!wavefronts_playing) return;
  if (wavefront >= wavefront_count() - 1) wavefront = -1;
  wavefront_due_ = shell_.now;
}

bool MemoryFocus::advance(double now) {
  if (!wavefronts_playing || now < wavefront_due_) return false;
  wavefront_due_ = now + seconds_per_wavefront;
  show_wavefront(wavefront + 1);
  if (wavefront >= wavefront_count() - 1) wavefronts_playing = false;
  return true;
}

void MemoryFocus::set_what_if(const views::WhatIf& what_if) {
  shell_.view.what_if = bounded(what_if);
  show_wavefront(wavefront);
}

void MovementFocus::play(bool on, double now) {
  playing_ = on;
  last_ = now;
  if (on && navigation_.selection.share >= 1) navigation_.selection.share = 0;
}

void MovementFocus::go_to(float share) {
  playing_ = false;
  navigation_.selection.share = std::clamp(share, 0.0f, 1.0f);
}

bool MovementFocus::advance(double now, bool shown) {
  if (!playing_) return false;
  const double passed = std::clamp(now - last_, 0.0, 0.1);
  last_ = now;
  if (!shown) return false;
  float& share = navigation_.selection.share;
  share = std::min(share + static_cast<float>(passed / seconds) * speed(), 1.0f);
  if (share >= 1) playing_ = false;
  return true;
}

using Of = engine::TreeRequest::Of;

void TreeFocus::set(const engine::TreeRequest& request, std::string family) {
  request_ = request, family_ = std::move(family), root_ = -1;
  ++version_;
}

engine::TreeRequest TreeFocus::request(const Results& results) const {
  engine::TreeRequest request = request_;
  if (results.version != of_version_) request.step = -2;
  if (request.of == Of::register_) {
    const auto& families = results.summary.families;
    const auto found = std::ranges::find(families, family_, &results::RegisterArray::name);
    if (found == families.end()) return {};
    request.family = static_cast<int>(found - families.begin());
  }
  if (request.of == Of::element && request.buffer >= static_cast<int>(results.summary.buffers.size())) return {};
  return request;
}

void TreeFocus::show_register(const Results& results, const views::Selection& at, bool all_lanes) {
  if (!at.place) return;
  const auto family = static_cast<std::size_t>(at.place->family);
  if (family >= results.summary.families.size()) return;
  of_version_ = results.version;
  set({.of = Of::register_,
       .family = at.place->family,
       .warp = at.place->warp,
       .reg = at.place->reg,
       .part = at.place->part,
       .lane = at.place->lane,
       .step = at.step,
       .all_lanes = all_lanes},
      results.summary.families[family].name);
}

void TreeFocus::show_memory(const Results& results, const views::Selection& at) {
  if (!at.address) return;
  of_version_ = results.version;
  if (at.address->first < 0) return set({.of = Of::word, .element = at.address->second / 4, .step = at.step}, {});
  const auto buffer = static_cast<std::size_t>(at.address->first);
  if (buffer >= results.summary.buffers.size()) return;
  const auto bits = static_cast<std::uint64_t>(std::max(results.summary.buffers[buffer].element_bits, 1));
  set({.of = Of::element, .buffer = at.address->first, .element = at.address->second * 8 / bits, .step = at.step}, {});
}

}  // namespace lanescope::gui
