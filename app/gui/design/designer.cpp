#include "app/gui/design/designer.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "app/document/file_io.h"
#include "app/engine/remote/client.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

constexpr double seconds_a_move = 0.9, seconds_a_frame = 1.0 / 30, seconds_a_look = 0.02, seconds_a_wavefront = 0.5;
/// Code that was checked is remembered, so that undo need not wait for it.
constexpr std::size_t most_checks = 200;

/// The verdict of a run of a kernel file on the code in it.
CodeCheck judged(const results::Summary& summary, std::uint64_t elements) {
  using State = CodeCheck::State;
  const auto first_error = std::ranges::find(summary.diagnostics, Severity::error, &Diagnostic::severity);
  if (!summary.ok || first_error != summary.diagnostics.end()) {
    const std::string why = first_error != summary.diagnostics.end()
                                ? with_remedy(first_error->message, first_error->remedy)
                            : summary.diagnostics.empty() ? std::string("the run failed")
                                                          : summary.diagnostics.front().message;
    return {summary.ok ? State::wrong : State::impossible, as_sentence("The code did not pass its check: " + why)};
  }
  if (!summary.faults.empty()) return {State::wrong, as_sentence("The code faults: " + summary.faults.front().message)};
  std::size_t held = 0;
  for (const results::ClaimInfo& c : summary.claims) {
    if (c.result.verdict == claims::Verdict::differs)
      return {State::wrong, "A comment of the code is wrong: line " + std::to_string(c.claim.first_line) + "."};
    held += c.result.verdict == claims::Verdict::holds;
  }
  return {State::right, fmt::format("Compiled and run in the emulator: all {} are right, and {} of {} comments hold.",
                                    counted(elements, "element"), held, summary.claims.size())};
}

}  // namespace

Designer::Designer() : make_channel([] { return std::make_unique<engine::Client>(); }) {}

// --- document --------------------------------------------------------------------------------------------------------

std::string Designer::title() const {
  return file().empty() ? "untitled.layout" : std::filesystem::path(file()).filename().string();
}

Expected<void> Designer::take_text(std::string file, std::string text, std::string saved_text) {
  auto read = design::read_designs(text, file);
  if (!read) return tl::unexpected<Diagnostics>(std::move(read.error()));
  document::Document first(file, text, text == saved_text);
  if (text != saved_text) first = document::Document(file, saved_text, true).with_text(text);
  history_ = document::History(std::move(first));
  watch_ = file.empty() ? document::FileWatch() : document::FileWatch(file);
  open_ = true;
  which_ = leg_ = 0;
  step_ = 0;
  plan_ = -1;
  along = 1;
  last_export.clear();
  variable.clear();
  focused.reset();
  refresh();
  return {};
}

void Designer::start_new() {
  design::Design d{.name = "transpose"};
  if (const auto a = design::coalesced({.elements = 256, .type = "f16", .threads = 32}))
    d.from = d.to = layout::print_line(*a);
  const std::string text = design::text_of(d);
  static_cast<void>(take_text({}, text, text));
}

Expected<void> Designer::open(std::string path) {
  auto text = LS_TRY(document::read_text(path));
  return take_text(path, text, text);
}

Expected<void> Designer::restore(std::string file, std::string text, std::string saved_text) {
  const auto on_disk = file.empty() ? Expected<std::string>(saved_text) : document::read_text(file);
  // The file may have changed since: what is on screen then counts as edited.
  if (on_disk && text == saved_text && design::read_designs(*on_disk)) return take_text(file, *on_disk, *on_disk);
  return take_text(file, text, on_disk ? *on_disk : saved_text);
}

Expected<void> Designer::save(std::string path) {
  auto saved = LS_TRY(document::save(history_.now(), path));
  history_.mark_saved(saved.file());
  watch_ = document::FileWatch(path);
  ++version;
  return {};
}

void Designer::discard_edits() { history_ = document::History(document::Document(file(), text(), true)); }

void Designer::undo() {
  if (!can_undo()) return;
  remark = "Undone: " + history_.undo_name() + ".";
  history_.undo();
  refresh();
}
void Designer::redo() {
  if (!can_redo()) return;
  remark = "Redone: " + history_.redo_name() + ".";
  history_.redo();
  refresh();
}

void Designer::show_leg(std::size_t leg) {
  leg_ = leg;
  step_ = 0;
  plan_ = -1;
  refresh();
}

void Designer::show(std::size_t which) {
  which_ = which;
  leg_ = 0;
  step_ = 0;
  plan_ = -1;
  refresh();
}

/// The text is what counts: everything else follows from it.
void Designer::refresh() {
  if (auto read = design::read_designs(text())) designs_ = std::move(*read);
  which_ = std::min(which_, designs_.empty() ? 0 : designs_.size() - 1);
  const design::Design whole = designs_.empty() ? design::Design{} : designs_[which_];
  leg_ = std::min(leg_, whole.legs() - 1);
  sheet_ = design::sheet_of(design::at_leg(whole, leg_));
  step_ = std::min(step_, static_cast<int>(sheet_.steps.size()));
  ++sheets_;
  along = static_cast<float>(path().size()) - 1;
  wavefront = 0;
  playing = false;
  picked.reset();
  if (!study_current()) plan_ = -1;
  ++version;
}

// --- edits -----------------------------------------------------------------------------------------------------------

void Designer::apply(const design::Edit& edit, const std::string& merge) {
  remark.clear();
  std::string next = design::with_design(text(), which_, edit.design);
  if (next == text()) return;
  const std::size_t steps = sheet_.steps.size();
  const bool other_leg = edit.design.leg() != leg_ || edit.design.legs() != sheet_.design.legs();
  if (other_leg) leg_ = edit.design.leg(), step_ = 0;
  history_.push(history_.now().with_text(std::move(next)), edit.name, merge);
  refresh();
  // The state that an exchange added is shown.
  if (!other_leg && sheet_.steps.size() > steps) choose_step(static_cast<int>(sheet_.steps.size()));
}

void Designer::take_assignment(design::End end, const layout::Assignment& assignment, const std::string& type,
                               const std::string& name) {
  design::Design d = sheet_.design;
  const bool still = sheet_.from.assignment && sheet_.to.assignment && *sheet_.from.assignment == *sheet_.to.assignment;
  d.text(end) = layout::print_line(assignment);
  if (still) d.from = d.to = d.text(end);
  d.type = type;
  d.steps.clear();
  apply(design::Edit{std::move(d), name});
}

void Designer::take_ends(const layout::Assignment& from, const layout::Assignment& to, const std::string& type,
                         const std::vector<std::string>& memory, const std::string& name) {
  design::Design d = sheet_.design;
  d.from = layout::print_line(from);
  d.to = layout::print_line(to);
  d.type = type;
  d.memory = memory;
  d.steps.clear();
  d.earlier.clear();
  d.later.clear();
  apply(design::Edit{std::move(d), name});
}

bool Designer::apply(const Expected<design::Edit>& edit) {
  if (!edit) {
    remark = capitalised(as_sentence(with_remedy(edit.error().front().message, edit.error().front().remedy)));
    ++version;
    return false;
  }
  apply(*edit);
  return true;
}

// --- what is looked at -----------------------------------------------------------------------------------------------

int Designer::plan() const {
  const design::Study* s = study();
  if (s == nullptr || !s->planned) return -1;
  return plan_ >= 0 && plan_ < static_cast<int>(s->planned->plans.size()) ? plan_ : s->recommended();
}

void Designer::choose_plan(int plan) {
  plan_ = plan;
  step_ = 0;
  along = static_cast<float>(path().size()) - 1;
  ++version;
}

void Designer::choose_step(int step) {
  step_ = std::clamp(step, 0, static_cast<int>(sheet_.steps.size()));
  along = static_cast<float>(path().size()) - 1;
  playing = false;
  ++version;
}

std::vector<design::State> Designer::path_now() const {
  std::vector<design::State> out;
  if (step_ > 0 && step_ <= static_cast<int>(sheet_.steps.size())) {
    const design::Step& s = sheet_.steps[static_cast<std::size_t>(step_) - 1];
    out.push_back({"before", s.before});
    out.push_back({s.exchange ? design::to_string(*s.exchange) : "after", s.after});
    return out;
  }
  if (const design::Study* s = study(); s != nullptr && plan() >= 0) return design::states_of(*s, plan());
  for (const design::Side* side : {&sheet_.from, &sheet_.to})
    if (side->assignment) out.push_back({out.empty() ? "source" : "destination", *side->assignment});
  if (out.size() == 2 && out[0].assignment == out[1].assignment) out.pop_back();
  return out;
}

const Designer::Derived& Designer::derived() const {
  const design::Study* s = study();
  const std::uint64_t number = s == nullptr ? 0 : studies_;
  const int plan_now = plan();
  if (derived_.sheet == sheets_ && derived_.study == number && derived_.plan == plan_now && derived_.step == step_ &&
      derived_.warp == warp)
    return derived_;
  const bool same_code = derived_.sheet == sheets_ && derived_.study == number && derived_.plan == plan_now;
  derived_.sheet = sheets_, derived_.study = number, derived_.plan = plan_now, derived_.step = step_;
  derived_.warp = warp;
  derived_.path = path_now();
  if (!same_code) derived_.kernels = s == nullptr ? std::vector<std::string>() : design::kernels_of(*s, plan_now);
  derived_.accesses =
      s == nullptr || plan_now < 0 ? std::vector<design::SharedAccess>() : design::shared_accesses(*s, plan_now, warp);
  return derived_;
}

int Designer::wavefronts() const {
  int out = 0;
  for (const design::SharedAccess& a : accesses()) out += static_cast<int>(a.cost.wavefronts);
  return out;
}

void Designer::show_wavefront(int number) {
  wavefront = std::clamp(number, 0, std::max(wavefronts() - 1, 0));
  ++version;
}

void Designer::play(bool on, double now) {
  if (view == ElementsView::shared) {
    playing = on && wavefronts() > 1;
    if (playing && wavefront + 1 >= wavefronts()) wavefront = 0;
    frame_due_ = now + seconds_a_wavefront;
    ++version;
    return;
  }
  const float end = static_cast<float>(path().size()) - 1;
  playing = on && end > 0;
  if (playing && along >= end) along = 0;
  frame_due_ = now;
  ++version;
}

// --- code ------------------------------------------------------------------------------------------------------------

std::string Designer::header() const {
  const design::Study* s = study();
  return s == nullptr ? std::string() : design::header_of(*s, plan());
}
std::string Designer::kernel() const {
  const std::size_t leg = sheet_.design.leg();
  return kernels().size() == sheet_.design.legs() ? kernels()[leg] : std::string();
}

CodeCheck Designer::check() const {
  if (!open_ || study() == nullptr || plan() < 0) return {};
  const std::vector<std::string>& files = kernels();
  if (files.size() < sheet_.design.legs())
    return {CodeCheck::State::impossible, "Not every leg of the chain has a plan, so there is no code of the whole."};
  CodeCheck out{CodeCheck::State::none, {}};
  for (const std::string& file : files) {
    if (file.empty())
      return {CodeCheck::State::impossible,
              "No buffer has such elements, so the code was not run. The plan itself is proved bit by bit."};
    const auto at = checks_.find(file);
    if (at == checks_.end()) return {CodeCheck::State::running, "The code is compiled and run in the emulator…"};
    if (at->second.state != CodeCheck::State::right) return at->second;
    if (out.state == CodeCheck::State::none || &file == &files[sheet_.design.leg()]) out = at->second;
  }
  if (files.size() > 1) out.words = fmt::format("All {} legs: {}", files.size(), out.words);
  return out;
}

std::string Designer::export_refusal() const {
  if (!open_) return "No layout is open. Start one with File, New layout.";
  if (!sheet_.wrong_name.empty())
    return as_sentence("The name of the function is wrong: " + sheet_.wrong_name.front().message);
  if (!sheet_.complete()) return "The design has a mistake. Fix it first.";
  if (study() == nullptr) return "The plan is not ready yet.";
  if (plan() < 0) return study()->wrong.empty() ? "There is no plan." : as_sentence(study()->wrong.front().message);
  const CodeCheck c = check();
  if (c.state == CodeCheck::State::running) return "The code is being checked in the emulator.";
  if (c.state == CodeCheck::State::wrong) return c.words;
  return {};
}

Expected<void> Designer::export_code(CodeForm form, const std::string& path) {
  if (const std::string no = export_refusal(); !no.empty()) return failure(no);
  const std::string text = form == CodeForm::header ? header() : kernel();
  if (text.empty()) return failure("no buffer has such elements", "export the header");
  if (auto written = document::write_file(path, text); !written) return written;
  last_export[form] = text;
  ++version;
  return {};
}

// --- threads ---------------------------------------------------------------------------------------------------------

void Designer::start_planning() {
  planning_.start(
      [sheet = sheet_](const std::stop_token&) { return std::make_shared<design::Study>(design::study_of(sheet)); },
      on_event);
}

void Designer::start_check() {
  const std::vector<std::string>& files = kernels();
  const auto next =
      std::ranges::find_if(files, [&](const std::string& f) { return !f.empty() && !checks_.contains(f); });
  if (next == files.end()) return;
  const std::string file = *next;
  if (!channel_) {
    channel_ = make_channel();
    if (!channel_) {
      checks_[file] = {CodeCheck::State::impossible, "There is no engine that could check the code."};
      return;
    }
    channel_->on_event = on_event;
  }
  engine::RunRequest request{.file = sheet_.design.name + ".cu", .text = file};
  ticket_ = channel_->send<engine::ask::Run>(std::move(request));
  checking_ = file;
}

void Designer::take_check() {
  if (!channel_) return;
  while (const auto event = channel_->poll()) {
    if (const auto* stopped = std::get_if<engine::Stopped>(&event->what)) {
      if (checking_) checks_[*checking_] = {CodeCheck::State::impossible, "The engine stopped: " + stopped->reason};
    } else if (const auto summary = engine::summary_in(*event); summary && event->ticket == ticket_ && checking_) {
      std::uint64_t elements = 1;
      for (const results::BufferInfo& b : summary->buffers) elements = std::max<std::uint64_t>(elements, b.elements);
      if (checks_.size() >= most_checks) checks_.clear();
      checks_[*checking_] = judged(*summary, elements);
    } else {
      continue;
    }
    checking_.reset();
    ++version;
  }
}

bool Designer::advance(double now) {
  if (!open_) return false;
  const std::uint64_t before = version;
  if (auto study = planning_.take()) {
    study_ = std::move(*study);
    ++studies_;
    along = static_cast<float>(path().size()) - 1;
    ++version;
  }
  if (!planning() && !study_current() && sheet_.complete()) start_planning();
  if (!sheet_.complete() && study_ && !study_current()) study_.reset();
  take_check();
  if (!checking_ && study() != nullptr && plan() >= 0) start_check();
  if (playing && view == ElementsView::shared && now >= frame_due_) {
    if (++wavefront + 1 >= wavefronts()) playing = false;
    frame_due_ = now + seconds_a_wavefront;
    ++version;
  } else if (playing && now >= frame_due_) {
    const float end = static_cast<float>(path().size()) - 1;
    along = std::min(along + static_cast<float>(seconds_a_frame / seconds_a_move), end);
    if (along >= end) playing = false;
    frame_due_ = now + seconds_a_frame;
    ++version;
  }
  return version != before;
}

double Designer::due(double now) const {
  // A thread that is done wakes the window, where that can be; else one looks now and then.
  if (playing) return frame_due_;
  return settled() ? std::numeric_limits<double>::infinity() : now + seconds_a_look;
}

}  // namespace lanescope::gui
