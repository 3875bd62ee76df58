#include "app/gui/state/app.h"

#include <algorithm>
#include <utility>

#include "app/gui/state/editing_aids.h"

namespace lanescope::gui {
namespace {

constexpr double watch_every_seconds = 1.0;
constexpr double dialog_poll_seconds = 0.1;
constexpr double answer_poll_seconds = 0.02;  // while an answer of a lesson is computed

/// The folder of the open file, else of the last one that was open, else this one; with a slash at its end.
std::string usual_folder(const App& app) {
  std::filesystem::path folder = std::filesystem::path(app.document.file()).parent_path();
  if (folder.empty() && !app.shell.view.recent.empty())
    folder = std::filesystem::path(app.shell.view.recent.front()).parent_path();
  std::error_code error;
  if (folder.empty()) folder = std::filesystem::current_path(error);
  std::string text = folder.string();
  if (!text.ends_with('/')) text += '/';
  return text;
}
/// Of the timeline that are counted in one frame: some milliseconds.
constexpr std::size_t marks_per_frame = 250'000;
/// How often the time of a current run is redrawn.
constexpr double run_clock_seconds = 0.1;

}  // namespace

App::App(std::unique_ptr<engine::Channel> channel, const views::Theme* theme)
    : Model(theme), requests(std::move(channel), *this), editor(*this, requests) {}

bool App::update(double now_seconds) {
  shell.now = now_seconds;
  const std::uint64_t before = version();
  requests.handle_answers();
  follow_output();
  take_dialog_answer();
  results.extend_index(marks_per_frame);
  const bool annotated = finish_annotation(*this);
  memory.follow_selection();
  requests.send_pending();
  bool changed = before != version() || annotated;
  changed |= follow_lecture();
  const bool arrived = results.moment.step == navigation.selection.step && !results.running;
  changed |= movement.advance(now_seconds, arrived);
  // Where lines are played and their movement is on show, each is moved before the next one.
  if (!(navigation.playing && movement.playing())) {
    const std::int64_t before_step = navigation.selection.step;
    changed |= navigation.advance(now_seconds);
    if (navigation.playing && navigation.selection.step != before_step && shell.in_front(PanelId::movement)) {
      navigation.selection.share = 0;
      movement.play(true, now_seconds);
    }
  }
  changed |= memory.advance(now_seconds);
  changed |= calculator.advance(now_seconds);
  changed |= designer.advance(now_seconds);
  changed |= improvement.advance();
  if (const auto ended = handout.advance()) {
    if (ended->good) shell.dismiss("handout");
    if (ended->good)
      shell.show_status(ended->words);
    else
      shell.notify({.id = "handout", .kind = Notice::Kind::error, .text = ended->words});
    changed = true;
  }
  navigation.follow_line();
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
  at = std::min(at, movement.due(now_seconds));
  if (calculator.playing) at = std::min(at, calculator.due());
  if (memory.wavefronts_playing) at = std::min(at, memory.due());
  at = std::min(at, designer.due(now_seconds));
  at = std::min(at, improvement.due(now_seconds));
  at = std::min(at, handout.due(now_seconds));
  if (lecture.busy()) at = std::min(at, now_seconds + answer_poll_seconds);
  if (open_dialog.is_open()) at = std::min(at, now_seconds + dialog_poll_seconds);
  if (results.running) at = std::min(at, run_clock_due_);
  if (!results.index_complete()) at = now_seconds;
  if (!shell.status_text.empty()) at = std::min(at, shell.status_until);
  return std::max(at - now_seconds, 0.0);
}

void App::ask_for_file() {
  if (open_dialog.is_open()) return shell.show_status("The dialog for opening a file is open already.");
  if (!shell.has_desktop || !open_dialog.start(desktop::open_dialog_command(usual_folder(*this)))) browse_files();
}

void App::browse_files() {
  shell.overlay_text = usual_folder(*this);
  shell.overlay = Overlay::open_path;
}

void App::take_dialog_answer() {
  const auto answer = open_dialog.poll();
  if (!answer) return;
  if (answer->failed) {
    shell.show_status("The dialog of the desktop could not be shown.");
    browse_files();
  } else if (!answer->path.empty()) {
    editor.open(answer->path);
  }
}

void App::open_dropped(const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  std::error_code error;
  if (std::filesystem::is_directory(paths.front(), error)) {
    shell.overlay_text = paths.front() + (paths.front().ends_with('/') ? "" : "/");
    shell.overlay = Overlay::open_path;
    return;
  }
  shell.overlay = Overlay::none;
  if (paths.size() > 1) shell.show_status("Of " + std::to_string(paths.size()) + " dropped files the first is opened.");
  editor.open(paths.front());
}

int App::shown_line(int line) const {
  if (results.lines.in_header(line)) return 0;
  return results.have ? document::map_line(results.text, document.text(), line) : line;
}

int App::run_line(int line) const {
  return results.have ? document::map_line(document.text(), results.text, line) : line;
}

std::string_view App::panel_text() const {
  const std::size_t file = navigation.shown_file;
  return file == 0 || file > results.header_texts.size() ? std::string_view(writing.edit.text)
                                                         : std::string_view(results.header_texts[file - 1]);
}

int App::panel_line_of_text(int line) const {
  const SourceLines::Place at = results.lines.place(line);
  return at.file == navigation.shown_file ? at.line : 0;
}

int App::panel_line(int line) const { return navigation.shown_file == 0 ? shown_line(line) : panel_line_of_text(line); }

int App::run_line_of_panel(int line) const {
  const std::size_t file = navigation.shown_file;
  return file == 0 ? run_line(line) : results.lines.files[file].first_line + line - 1;
}

void App::show_problem(int index) {
  if (const auto wanted = problems.show(index)) requests.record(*wanted);
}

void App::show_printed(int call) {
  output.due = -1;
  if (call < 0 || call >= static_cast<int>(results.summary.printed.size())) return;
  output.chosen = call;
  const results::PrintedText& p = results.summary.printed[static_cast<std::size_t>(call)];
  navigation.playing = false;
  memory.dismiss_evidence();
  const bool shown = p.launch == results.summary.recorded_launch;
  if (shown && p.block != results.summary.recorded_block) {
    output.due = call;  // the same call prints it again: runs are deterministic
    shell.show_status("Recording block " + std::to_string(p.block) + ", which printed this line…");
    return requests.record_block(p.block);
  }
  if (shown && p.warp < static_cast<int>(results.summary.warps)) navigation.selection.warp = p.warp;
  if (shown && p.step >= 0) navigation.go_to_step(p.step);
  if (p.line > 0) navigation.selection.line = *(navigation.reveal_line = p.line);
}

/// A line of another block was clicked, and that block is recorded now.
void App::follow_output() {
  if (output.due < 0 || results.running || !requests.settled()) return;
  const int call = std::exchange(output.due, -1);
  const std::vector<results::PrintedText>& printed = results.summary.printed;
  if (results.failed || call >= static_cast<int>(printed.size())) return;
  if (printed[static_cast<std::size_t>(call)].block == results.summary.recorded_block) show_printed(call);
}

void App::show_party(int index, int party) {
  if (const auto wanted = problems.show_party(index, party)) requests.record(*wanted);
}

}  // namespace lanescope::gui
