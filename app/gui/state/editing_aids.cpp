#include "app/gui/state/editing_aids.h"

#include <algorithm>
#include <utility>

#include "app/assist/adopt.h"
#include "app/gui/model/steps.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

/// Empty: the results are of the text on screen.
std::string results_refusal(const App& app) {
  if (!app.results.have) return "There is no result yet. Correct the kernel, or wait for its result.";
  if (app.results.running || app.results.stale(app.document.text()))
    return "The text has changed since the last successful run. Wait for its result.";
  return {};
}

/// One step of undo; the caret is after what was changed.
void change_text(App& app, std::string text, const std::string& name) {
  app.editor.edit(std::move(text), name);
  app.writing.follow(app.document.text(), app.navigation.kernel());
  app.writing.reveal_caret = true;
}

std::string_view word_at(std::string_view text, std::size_t caret) {
  std::size_t from = std::min(caret, text.size()), to = from;
  while (from > 0 && is_word(text[from - 1])) --from;
  while (to < text.size() && is_word(text[to])) ++to;
  return text.substr(from, to - from);
}

/// The family that a name stands for: "x", or one of its registers "x2"; -1: none.
int family_named(const results::Summary& summary, std::string_view name) {
  for (int i = 0; i < static_cast<int>(summary.families.size()); ++i)
    if (summary.families[i].name == name) return i;
  for (int i = 0; i < static_cast<int>(summary.families.size()); ++i)
    if (one_of(name, summary.families[i].registers)) return i;
  return -1;
}

/// The variable that the statement of a line on screen gives a value; -1: none in registers.
int family_written_at(const App& app, int line) {
  const auto names = app.results.names.find(app.run_line(line));
  if (names == app.results.names.end()) return -1;
  for (const source::NamedLocal& local : names->second) {
    const int family = local.written ? family_named(app.results.summary, local.name) : -1;
    if (family >= 0) return family;
  }
  return -1;
}

/// The end of the visit of these lines that the selected step is in, else of a visit elsewhere; -1: none.
std::int64_t end_of_visit(const App& app, int first_line, int last_line) {
  const results::Summary& s = app.results.summary;
  const int warp = app.navigation.selection.warp;
  std::int64_t step = app.navigation.selection.step;
  if (const int now = line_of_step(s, step); now < first_line || now > last_line) {
    step = -1;
    for (int line = first_line; line <= last_line && step < 0; ++line)
      step = step_at_line(s, line, warp, app.navigation.selection.step);
  }
  if (step < 0) return step;
  for (const results::TimelineMark& m : s.timeline) {
    if (m.warp != warp || static_cast<std::int64_t>(m.step) <= step) continue;
    if (m.line < first_line || m.line > last_line) break;
    step = m.step;
  }
  return step;
}

/// True where the line that is meant is in a header, which is not written to; it says so.
bool in_header(App& app) {
  const std::string name(app.results.lines.header_name(app.navigation.selection.line));
  if (app.writing.focused || name.empty()) return false;
  app.shell.show_status("This line is in " + name + ", which the file includes. Open that file to change it.");
  return true;
}

void annotate(App& app, int family, int line) {
  const std::string& text = app.document.text();
  const std::int64_t step = end_of_visit(app, line, assist::end_of_statement(text, line));
  const std::string& name = app.results.summary.families[static_cast<std::size_t>(family)].name;
  if (step < 0)
    return app.shell.show_status("No instruction of this warp belongs to line " + std::to_string(line) + ".");
  app.writing.annotation = Annotation{.family = family, .step = step, .line = line, .name = name, .text = text};
}

}  // namespace

int line_meant(const App& app) {
  return app.writing.focused ? app.writing.line() : app.shown_line(app.navigation.selection.line);
}

void suggest(App& app, bool asked) {
  Writing& w = app.writing;
  w.suggestions = {.open = false,
                   .asked = asked,
                   .chosen = 0,
                   .offers = assist::offers_at(w.edit.text, w.edit.caret, app.results.summary.buffers)};
  const assist::Offers& offers = w.suggestions.offers;
  const std::string_view typed = std::string_view(w.edit.text).substr(offers.begin, offers.end - offers.begin);
  const bool written = offers.list.size() == 1 && offers.list.front().insert == typed;
  w.suggestions.open = !offers.list.empty() && (asked || (typed.size() >= 2 && !is_digit(typed[0]) && !written));
  if (asked && offers.list.empty()) app.shell.show_status("No suggestion is known here.");
}

void take_suggestion(App& app) {
  Writing& w = app.writing;
  const Suggestions s = w.suggestions;
  w.suggestions = {};
  if (s.offers.list.empty()) return;
  const assist::Offer& offer =
      s.offers.list[static_cast<std::size_t>(std::clamp(s.chosen, 0, static_cast<int>(s.offers.list.size()) - 1))];
  assist::Taken taken = assist::take(w.edit.text, s.offers, offer);
  change_text(app, std::move(taken.text), "completion of " + offer.word);
  w.edit.place(taken.caret, false);
}

void insert_snippet(App& app, const assist::Snippet& snippet) {
  Writing& w = app.writing;
  w.follow(app.document.text(), app.navigation.kernel());
  if (!w.focused)
    if (const int line = app.shown_line(app.navigation.selection.line); line > 0) w.go_to(line);
  const LineIndex index(w.edit.text);
  // A claim after a statement that has run is a true one.
  const int number = index.line_of(w.edit.low()) + 1;
  if (const int family = snippet.name == "claim" && results_refusal(app).empty() ? family_written_at(app, number) : -1;
      family >= 0)
    return annotate(app, family, number);
  const std::string_view line = index.line(w.edit.text, index.line_of(w.edit.low()));
  const std::string indentation(line.substr(0, line.size() - without_indent(line).size()));
  std::string words = assist::indented(snippet, indentation);
  // After code: in a line of its own.
  if (!is_blank(line.substr(0, std::min(line.size(), w.edit.low() - index.start(index.line_of(w.edit.low()))))))
    words = "\n" + indentation + words;
  const std::size_t begin = w.edit.low(), mark = std::min(words.find('$'), words.size());
  if (mark < words.size()) words.erase(mark, 1);
  TextEdit edit = w.edit;
  edit.insert(words);
  change_text(app, edit.text, "snippet " + std::string(snippet.name));
  w.edit.place(begin + mark, false);
  app.shell.show_panel(PanelId::source);
  app.shell.editor_focus_request = PanelId::source;
}

std::vector<assist::Fix> fixes_of(const App& app, int line) {
  if (!results_refusal(app).empty()) return {};
  return assist::fixes_at(app.document.text(), line, app.results.summary);
}

void apply_fix(App& app, const assist::Fix& fix) {
  change_text(app, fix.text, lower(fix.title.substr(0, 1)) + fix.title.substr(1));
}

void write_true_assignment(App& app) {
  if (const std::string no = results_refusal(app); !no.empty()) return app.shell.show_status(no);
  if (in_header(app)) return;
  const int line = line_meant(app);
  for (const results::ClaimInfo& c : app.results.summary.claims) {
    if (line < c.claim.first_line - 1 || line > c.claim.last_line) continue;
    if (!c.result.actual)
      return app.shell.show_status(
          "The assignment of " + c.claim.variable +
          " is not known: " + (c.result.actual_words.empty() ? c.result.reason.words() : c.result.actual_words) + ".");
    std::string text = assist::with_true_rows(app.document.text(), c.claim, *c.result.actual);
    if (text == app.document.text())
      return app.shell.show_status("The comment already states the actual assignment of " + c.claim.variable + ".");
    return change_text(app, std::move(text), "true assignment at line " + std::to_string(c.claim.first_line));
  }
  const int family = app.results.moment.assignment_family;
  if (family < 0 || family >= static_cast<int>(app.results.summary.families.size()))
    return app.shell.show_status("No variable in registers is on show. Go to a line that writes one.");
  annotate(app, family, line);
}

void annotate_variable(App& app) {
  if (const std::string no = results_refusal(app); !no.empty()) return app.shell.show_status(no);
  if (in_header(app)) return;
  Writing& w = app.writing;
  w.follow(app.document.text(), app.navigation.kernel());
  const std::string_view word = word_at(w.edit.text, w.edit.caret);
  const bool at_caret = w.focused && !word.empty();
  int family = at_caret ? family_named(app.results.summary, word) : -1;
  if (family < 0) family = family_written_at(app, line_meant(app));
  if (family < 0 && !at_caret) family = app.results.moment.assignment_family;
  if (family < 0 || family >= static_cast<int>(app.results.summary.families.size()))
    return app.shell.show_status(at_caret ? "'" + std::string(word) + "' is no variable in registers."
                                          : std::string("Put the caret on a variable first."));
  annotate(app, family, line_meant(app));
}

void write_launch_header(App& app) {
  const Expected<assist::Adoption> adopted =
      assist::adopt(app.document.file(), app.document.text(), {.watch_probes = false, .kernel = app.settings.kernel});
  if (!adopted) return app.shell.show_status(as_sentence(adopted.error().front().message));
  change_text(app, adopted->text, "launch header");
  app.shell.show_status(adopted->questions.empty()
                            ? std::string("The launch header was written.")
                            : "The launch header was written. Please check: " + adopted->questions.front());
}

bool finish_annotation(App& app) {
  if (!app.writing.annotation) return false;
  const Annotation a = *app.writing.annotation;
  const results::Moment& m = app.results.moment;
  const bool arrived = app.requests.settled() && m.step == a.step && m.assignment_family == a.family;
  // The requested moment, or the one that has just arrived, may be an earlier one.
  if (!app.requests.settled() || (!arrived && !app.requests.asked_for_moment())) return false;
  app.writing.annotation.reset();
  if (!arrived || a.text != app.document.text()) {
    app.shell.show_status("The assignment of " + a.name + " could not be read.");
    return true;
  }
  if (!m.real) {
    app.shell.show_status("The assignment of " + a.name + " is not known: " + m.real_words + ".");
    return true;
  }
  change_text(app, assist::with_comment(a.text, a.line, a.name, *m.real),
              "assignment comment of " + a.name + " at line " + std::to_string(a.line));
  return true;
}

}  // namespace lanescope::gui
