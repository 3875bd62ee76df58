// Commands on lessons and bookmarked moments. The keys of a clicker are PageDown and PageUp.

#include "app/gui/commands/groups.h"

namespace lanescope::gui {
namespace {

void step_by(App& app, int by) {
  app.shell.dismiss("code question");
  // On the stage the class answers, then the same key reports.
  if (by > 0 && app.shell.view.presentation && app.lecture.reveal()) return;
  if (!app.lecture.step(by)) app.shell.show_status(by > 0 ? "This is the last one." : "This is the first one.");
}

std::string needs_sequence(const App& app) {
  return app.lecture.playing() ? "" : "No lesson is open, and this kernel has no moments. B bookmarks one.";
}
std::string needs_lesson(const App& app) {
  return app.lecture.lesson() != nullptr ? "" : "No lesson is open. The Lesson panel lists them.";
}
std::string needs_moment(const App& app) {
  return app.lecture.chosen() >= 0 ? "" : "No moment is chosen. The Moments panel lists them.";
}
std::string needs_code_question(const App& app) {
  return app.lecture.question_about(app.document.file()) != nullptr
             ? ""
             : "The open kernel belongs to no exercise of a lesson.";
}

/// Puts the chosen moment before or after its neighbour.
void move_moment(App& app, int by) {
  std::vector<lessons::SavedMoment> all = app.lecture.moments();
  const int from = app.lecture.chosen(), to = from + by;
  if (to < 0 || to >= static_cast<int>(all.size())) return;
  std::swap(all[static_cast<std::size_t>(from)], all[static_cast<std::size_t>(to)]);
  if (app.lecture.save_moments(std::move(all))) app.lecture.mark(to);
}

void delete_moment(App& app) {
  std::vector<lessons::SavedMoment> all = app.lecture.moments();
  all.erase(all.begin() + app.lecture.chosen());
  app.lecture.save_moments(std::move(all));
}

}  // namespace

void add_lesson_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Lesson");
  group.add_repeating(
      "lesson.next", "Next moment",
      "Moves to the next moment or question of the lesson, or of the kernel's moments. On the stage it first shows the "
      "answer of a question.",
      {"PageDown"}, needs_sequence, [](App& a) { step_by(a, 1); });
  group.add_repeating("lesson.previous", "Previous moment", "Moves to the moment or question before.", {"PageUp"},
                      needs_sequence, [](App& a) { step_by(a, -1); });
  group.add("lesson.next_page", "Next page of the lesson", "Turns the page.", {"Shift+PageDown"}, needs_lesson,
            [](App& a) { a.lecture.go_to_page(a.lecture.page() + 1); });
  group.add("lesson.previous_page", "Previous page of the lesson", "Turns the page back.", {"Shift+PageUp"},
            needs_lesson, [](App& a) { a.lecture.go_to_page(a.lecture.page() - 1); });
  group.add("lesson.close", "Close the lesson", "Shows the list of lessons again. Answers are kept.", {}, needs_lesson,
            [](App& a) {
              a.shell.dismiss("code question");
              a.lecture.close();
              if (a.shell.view.arrangement == Arrangement::learn)
                a.shell.view.hidden[static_cast<int>(PanelId::assignment)] = false;
            });
  group.add("lesson.check_code", "Check the fixed kernel",
            "Saves the kernel of the exercise and checks it with the command of the question.", {"Ctrl+Shift+Enter"},
            needs_code_question, [](App& a) { a.check_code(); });
  group.add("lesson.notes", "Presenter notes", "Shows the notes of the moment or page on the stage, or hides them.", {},
            needs_sequence, [](App& a) {
              a.lecture.notes_shown = !a.lecture.notes_shown;
              ++a.lecture.version;
            });
  group.add(
      "moment.bookmark", "Bookmark this moment",
      "Keeps step, picture, selection and followed elements in a file beside the kernel, after the chosen moment.",
      {"B", "Ctrl+M"}, needs_results, [](App& a) { a.bookmark(); });
  group.add("moment.earlier", "Move the moment up", "The chosen moment changes places with the one before.", {},
            needs_moment, [](App& a) { move_moment(a, -1); });
  group.add("moment.later", "Move the moment down", "The chosen moment changes places with the one after.", {},
            needs_moment, [](App& a) { move_moment(a, 1); });
  group.add("moment.delete", "Delete the moment", "Takes the chosen moment out of the file.", {}, needs_moment,
            delete_moment);
}

}  // namespace lanescope::gui
