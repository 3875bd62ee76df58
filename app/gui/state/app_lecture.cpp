// From a saved moment to what the window shows, and back: the kernel is opened, the block is recorded, the step chosen.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/gui/state/app.h"
#include "app/lessons/lesson.h"
#include "app/lessons/moments_file.h"
#include "kernels/base/text.h"
#include "kernels/resources/resources.h"

namespace lanescope::gui {
namespace {

bool same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  return a == b || (!a.empty() && !b.empty() && std::filesystem::equivalent(a, b, failed) && !failed);
}

std::string words_of(const Diagnostics& why) {
  return why.empty() ? std::string() : with_remedy(why.front().message, why.front().remedy);
}

void show_look(Shell& shell, const lessons::SavedMoment& m) {
  if (const auto a = arrangement_named(m.arrangement); a && *a != shell.view.arrangement && !shell.view.presentation)
    shell.set_arrangement(*a);
  shell.view.color_by = m.colour;
  shell.view.label = enum_named<views::LabelMode>(m.label).value_or(views::LabelMode::element);
  if (!shell.view.presentation)
    for (const std::string& panel : m.panels)
      if (const auto id = panel_named(panel)) shell.show_panel(*id);
  if (const auto id = panel_named(m.picture.empty() ? "registers" : m.picture)) shell.show_panel(*id);
  shell.fit_request = true;
  if (m.zoom != 1) shell.zoom_request = m.zoom;
}

}  // namespace

bool App::follow_lecture() {
  const std::uint64_t before = lecture.version;
  lecture.follow_kernel(document.file());
  shell.view.lesson_open = lecture.lesson() != nullptr;
  bool changed = lecture.advance();
  if (!lecture.problem.empty()) {
    shell.notify({.id = "lecture", .kind = Notice::Kind::warning, .text = std::move(lecture.problem)});
    lecture.problem.clear();
    changed = true;
  }
  if (!lecture.remark.empty()) {
    shell.notify({.id = "code question",
                  .kind = Notice::Kind::info,
                  .text = as_sentence(std::exchange(lecture.remark, {})),
                  .buttons = {{"Check", "lesson.check_code"}, {"Back to the lesson", "panel.lesson"}}});
    changed = true;
  }
  if (lecture.wanted) changed |= show_wanted_moment();
  if (lecture.rewind && requests.settled() && !results.running) {
    // Asked before it is shown: the picture, and the counts of its step, are not in sight.
    if (results.have) {
      navigation.playing = false;
      const auto first =
          std::ranges::find(results.summary.timeline, navigation.selection.warp, &results::TimelineMark::warp);
      if (first != results.summary.timeline.end()) navigation.go_to_step(static_cast<std::int64_t>(first->step));
      changed = true;
    }
    lecture.rewind.reset();
  }
  return changed || before != lecture.version;
}

bool App::show_wanted_moment() {
  const lessons::SavedMoment& wanted = *lecture.wanted;
  const auto give_up = [&](const std::string& why) {
    shell.notify({.id = "moment", .kind = Notice::Kind::warning, .text = "The moment is not shown: " + why});
    lecture.wanted.reset();
    return true;
  };
  if (!same_file(document.file(), wanted.kernel)) {
    if (shell.overlay == Overlay::discard) return false;  // a question about unsaved edits is open
    if (lecture.opening) return give_up("another kernel is open.");
    lecture.opening = true;
    editor.open(wanted.kernel);
    return true;
  }
  if (!requests.settled() || results.running) return false;
  if (!results.have || results.failed) return give_up("the kernel does not run.");
  const results::Summary& s = results.summary;
  const bool elsewhere = wanted.block != s.recorded_block || (wanted.launch >= 0 && wanted.launch != s.recorded_launch);
  if (elsewhere && !lecture.recording) {
    lecture.recording = true;
    requests.record({.block = wanted.block, .launch = wanted.launch});
    return true;
  }
  // Another moment, or the user, has chosen a launch; this moment is of the default launch.
  if (wanted.launch < 0 && settings.record_launch >= 0 && !lecture.recording) {
    lecture.recording = true;
    settings.record_launch = -1;
    settings.record_block = wanted.block;
    requests.run();
    return true;
  }
  const auto place = lessons::resolve(wanted, results.text, s);
  if (!place) return give_up(as_sentence(words_of(place.error())));
  shell.dismiss("moment");
  if (!place->remarks.empty())
    shell.show_status(as_sentence(fmt::format("Moment {}: {}", wanted.name, place->remarks.front().message)));
  navigation.playing = false;
  navigation.selection = place->selection;
  navigation.go_to_step(place->selection.step);
  navigation.selection.share = place->selection.share;
  show_look(shell, wanted);
  lecture.wanted.reset();
  return true;
}

void App::stage_moment() {
  const lessons::SavedMoment* m = lecture.shown_moment();
  if (m == nullptr) return;
  if (const auto id = panel_named(m->picture.empty() ? "registers" : m->picture)) shell.show_panel(*id);
}

bool App::bookmark() {
  if (document.file().empty()) {
    shell.show_status("Moments are kept beside the kernel's file. Save the kernel first.");
    return false;
  }
  if (same_file(std::filesystem::path(document.file()).parent_path().string(),
                (resources::assets_directory() / "kernels").string())) {
    shell.show_status("This kernel belongs to the catalogue. Save a copy first; its moments are kept beside it.");
    return false;
  }
  auto moment = lessons::bookmark(navigation.selection, results.text, results.summary);
  if (!moment) {
    shell.show_status(as_sentence(words_of(moment.error())));
    return false;
  }
  const std::vector<lessons::SavedMoment>& known = lecture.moments();
  moment->kernel = document.file();
  const PanelId picture = shell.view.presentation ? shell.staged : shell.active_panel;
  const std::string name(panel_name(picture));
  const bool shows = picture != PanelId::source && views::is_picture(picture);
  moment->picture = shows ? name : "registers";
  if (shows) moment->zoom = std::round(shell.zoom[static_cast<std::size_t>(picture)] * 100) / 100;
  // Of each set of tabs the one that was chosen; the others are in front in every moment of this arrangement.
  for (const PanelId id : shell.view.front[static_cast<std::size_t>(shell.view.arrangement)])
    if (const std::string panel(panel_name(id));
        panel != moment->picture && shell.in_front(id) && id != PanelId::source && views::is_picture(id))
      moment->panels.push_back(panel);
  moment->arrangement = std::string(arrangement_name(shell.view.arrangement));
  moment->colour = shell.view.color_by;
  if (shell.view.label != views::LabelMode::element) moment->label = enum_name(shell.view.label);
  moment->name = lessons::name_of_new(known, *moment);
  std::vector<lessons::SavedMoment> all = known;
  // After the one that is shown, else at the end: a sequence is made in its order.
  const auto at = lecture.chosen() < 0 ? all.end() : all.begin() + lecture.chosen() + 1;
  const int index = static_cast<int>(at - all.begin());
  all.insert(at, *moment);
  if (!lecture.save_moments(std::move(all))) return false;
  lecture.mark(index);
  shell.show_status(fmt::format("Moment {} of {}: {}.", index + 1, lecture.moments().size(), moment->name));
  return true;
}

void App::open_lesson(const std::filesystem::path& folder) {
  if (const auto opened = lecture.open(folder); !opened) {
    shell.notify({.id = "lesson",
                  .kind = Notice::Kind::error,
                  .text = "The lesson cannot be opened: " + to_string(opened.error().front())});
    return;
  }
  shell.dismiss("lesson");
  if (shell.view.presentation) return;
  // A page needs the height of the column; a moment whose picture is the assignment shows that again.
  if (shell.view.arrangement == Arrangement::learn) shell.view.hidden[static_cast<int>(PanelId::assignment)] = true;
  shell.show_panel(PanelId::lesson);
}

void App::choose_lesson_gpu(std::string_view gpu) {
  if (const auto chosen = lecture.choose_gpu(gpu); !chosen)
    return shell.show_status(as_sentence(words_of(chosen.error())));
  // Other panels show the same GPU.
  occupancy.choice.gpu = lecture.lesson()->gpu;
}

void App::edit_code(const lessons::Question& question) {
  const auto file = lecture.working_copy(question);
  if (!file) return shell.show_status(as_sentence(words_of(file.error())));
  editor.open(file->string());
  shell.show_panel(PanelId::source);
  shell.notify({.id = "code question",
                .kind = Notice::Kind::info,
                .text = question.ask,
                .buttons = {{"Check", "lesson.check_code"}, {"Back to the lesson", "panel.lesson"}}});
}

void App::check_code() {
  const lessons::Question* question = lecture.question_about(document.file());
  if (question == nullptr) return;
  if (document.edited()) editor.save();
  if (document.edited()) return;  // it could not be written, which a notice reports
  lecture.check_code(*question);
}

}  // namespace lanescope::gui
