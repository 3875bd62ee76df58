// Conversions of the planner put into the kernel: at the caret, and in place of the code between two claims.

#include "app/assist/fixes.h"
#include "app/gui/commands/design_actions.h"

namespace lanescope::gui {
namespace {

bool results_are_of_the_text(const App& app) {
  return app.results.have && !app.results.running && !app.results.stale(app.document.text());
}

/// One step of undo; the caret is at the call.
void write_text(App& app, std::string text, const std::string& name, int line) {
  app.editor.edit(std::move(text), name);
  app.writing.follow(app.document.text(), app.navigation.kernel());
  app.writing.go_to(line);
  app.writing.reveal_caret = true;
  app.shell.show_panel(PanelId::source);
}

/// The caret's line where it was ever placed, else the current one.
int caret_line(const App& app) {
  return app.writing.edit.caret > 0 && app.writing.edit.text == app.document.text()
             ? app.writing.line()
             : app.shown_line(app.navigation.selection.line);
}

}  // namespace

std::string better_refusal(const App& app) {
  if (!results_are_of_the_text(app)) return "There is no result of this text. Wait for it, or correct the kernel.";
  if (assist::claims_between_which(app.results.summary).size() < 2)
    return "The kernel has no two claims about registers whose assignment is known. Write a second one.";
  return {};
}

void plan_better(App& app) {
  const std::vector<std::size_t> all = assist::claims_between_which(app.results.summary);
  const int line = app.writing.focused ? app.writing.line() : app.navigation.selection.line;
  const auto pair = assist::pair_at(app.results.summary, line);
  app.improvement.begin(run_request(app.document, app.settings), app.results.summary,
                        pair ? *pair : assist::ClaimPair{all[all.size() - 2], all.back()});
  app.shell.overlay_text.clear();
  app.shell.overlay = Overlay::better;
}

void take_better_plan(App& app) {
  const Improvement& i = app.improvement;
  if (const std::string no = i.offer_refusal(); !no.empty()) return app.shell.show_status(no);
  if (i.text() != app.document.text()) {
    app.shell.overlay = Overlay::none;
    app.improvement.end();
    return app.shell.show_status("The text has changed since. Plan it again.");
  }
  const assist::Rewritten rewritten = *i.rewritten();
  const bool replaced = i.way() == RewriteWay::replace;
  const std::string function = i.plan()->function;
  const assist::LineRange code = i.plan()->code;
  app.shell.overlay = Overlay::none;
  app.improvement.end();
  write_text(app, rewritten.text, replaced ? "replacement by " + function : "insertion of " + function,
             rewritten.lines.last);
  app.shell.show_status(replaced ? "Lines " + std::to_string(code.first) + " to " + std::to_string(code.last) +
                                       " gave way to " + function + ". The claims are judged again."
                                 : function + " was inserted. The claims are judged again.");
}

void insert_conversion(App& app) {
  const Designer& d = app.designer;
  const design::Study* s = d.study();
  if (s == nullptr || d.plan() < 0) return;
  const convert::Plan& plan = s->planned->plans[static_cast<std::size_t>(d.plan())];
  const int line = caret_line(app);
  const auto put = assist::conversion_at(app.document.text(), line, s->design.name, {*s->planned, plan},
                                         results_are_of_the_text(app) ? &app.results.summary : nullptr, d.variable);
  if (!put)
    return app.shell.show_status(as_sentence(with_remedy(put.error().front().message, put.error().front().remedy)));
  write_text(app, put->text, "insertion of " + put->function, put->line);
  app.shell.show_status(put->variable.empty() ? "The function was inserted at line " + std::to_string(put->line) +
                                                    ". No registers before it fit: write the call."
                                              : put->function + " converts " + put->variable + " at line " +
                                                    std::to_string(put->line) + ". The claims are judged again.");
}

}  // namespace lanescope::gui
