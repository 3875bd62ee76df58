// Commands on the layout under design: its ends, plans, steps and code.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/assist/fixes.h"
#include "app/gui/commands/design_actions.h"
#include "app/gui/commands/groups.h"

namespace lanescope::gui {
namespace {

std::string needs_layout(const App& app) {
  return app.designer.is_open() ? std::string() : std::string("No layout is open. Start one with File, New layout.");
}
std::string needs_plans(const App& app) {
  if (std::string no = needs_layout(app); !no.empty()) return no;
  return app.designer.plan() < 0 ? std::string("There is no plan.") : std::string();
}
std::string needs_step(const App& app) {
  if (std::string no = needs_layout(app); !no.empty()) return no;
  return app.designer.step() == 0 ? std::string("No step is chosen. Choose one in the panel Plans.") : std::string();
}

void turn_plan(App& app, int by) {
  const design::Study* s = app.designer.study();
  const int count = static_cast<int>(s->planned->plans.size());
  app.designer.choose_plan((app.designer.plan() + by + count) % count);
}

void turn_step(App& app, int by) {
  const int count = static_cast<int>(app.designer.sheet().steps.size()) + 1;
  app.designer.choose_step((app.designer.step() + by + count) % count);
}

std::string needs_chain(const App& app) {
  if (std::string no = needs_layout(app); !no.empty()) return no;
  return app.designer.sheet().design.is_chain() ? std::string()
                                                : "The design has one destination. Add another one first.";
}

void turn_leg(App& app, int by) {
  const design::Design& d = app.designer.sheet().design;
  const auto legs = static_cast<int>(d.legs());
  app.designer.show_leg(static_cast<std::size_t>((static_cast<int>(d.leg()) + by + legs) % legs));
}

void move_step(App& app, bool later) {
  Designer& d = app.designer;
  const auto which = static_cast<std::size_t>(d.step() - 1);
  const int next = d.step() + (later ? 1 : -1);
  if (d.apply(design::with_step_moved(d.sheet(), which, later))) d.choose_step(next);
}

void delete_step(App& app) {
  Designer& d = app.designer;
  d.apply(design::without_step(d.sheet(), static_cast<std::size_t>(d.step() - 1)));
}

void show_plan(App& app) {
  app.designer.choose_plan(-1);
  app.shell.show_panel(PanelId::plans);
}

void focus_chips(App& app) {
  Designer& d = app.designer;
  app.shell.show_panel(PanelId::designer);
  if (d.focused) return;
  for (const auto place : {layout::Place::thread, layout::Place::reg, layout::Place::simd})
    if (const auto& to = d.sheet().to.assignment; to && to->bits(place) > 0) {
      d.focused = views::ChipRef{1, {place, to->bits(place) - 1}};
      break;
    }
  ++d.version;
}

void ask_for_path(App& app, CodeForm form) {
  app.designer.exporting = form;
  app.designer.preview_kernel = form == CodeForm::kernel;
  show_overlay(app, Overlay::export_code);
}

std::string export_refusal(const App& app) { return app.designer.export_refusal(); }

std::string insert_refusal(const App& app) {
  if (std::string no = export_refusal(app); !no.empty()) return no;
  return app.document.text().empty() || std::filesystem::path(app.document.file()).extension() == ".ptx"
             ? std::string("No kernel file is open.")
             : std::string();
}

void add_layout_commands(CommandGroup& group) {
  group.add("design.chips", "Move among the chips",
            "Arrows move from chip to chip, Enter picks one up and exchanges it with another, Escape ends it.",
            {"Shift+F6"}, needs_layout, focus_chips);
  group.add("design.from_preset", "Source from a preset…",
            "Lists assignments for the source: coalesced, tensor-core fragments, CuTe and Triton layouts as typed.",
            {"Ctrl+Shift+F"}, needs_layout, [](App& a) {
              a.designer.preset_end = design::End::from;
              show_overlay(a, Overlay::presets);
            });
  group.add("design.to_preset", "Destination from a preset…", "Lists assignments for the destination.",
            {"Ctrl+Shift+D"}, needs_layout, [](App& a) {
              a.designer.preset_end = design::End::to;
              show_overlay(a, Overlay::presets);
            });
  group.add(
      "design.from_variable", "Design from here",
      "Begins a layout with the actual assignment of the registers on show.", {"Ctrl+Shift+L"},
      [](const App& a) {
        return a.results.have && a.results.moment.real
                   ? std::string()
                   : "The actual assignment of no variable is on show. Go to a line that writes one.";
      },
      design_from_variable);
  group.add("design.turn", "Exchange source and destination", "Plans the way back.", {}, needs_layout,
            [](App& a) { a.designer.apply(design::with_ends_turned(a.designer.sheet().design)); });
  group.add("design.add_destination", "Add a destination",
            "Makes a chain: after this destination another one, planned from there. It begins as the same.",
            {"Ctrl+Alt+D"}, needs_layout,
            [](App& a) { a.designer.apply(design::with_destination_added(a.designer.sheet().design)); });
  group.add("design.remove_destination", "Remove the destination",
            "The destination of the leg on show is left out of the chain.", {"Ctrl+Alt+Delete"}, needs_chain,
            [](App& a) { a.designer.apply(design::without_destination(a.designer.sheet().design)); });
  group.add_repeating("design.next_leg", "Next leg of the chain", "Shows the way to the next destination.",
                      {"Ctrl+Alt+Right"}, needs_chain, [](App& a) { turn_leg(a, 1); });
  group.add_repeating("design.previous_leg", "Previous leg of the chain", "Shows the way before.", {"Ctrl+Alt+Left"},
                      needs_chain, [](App& a) { turn_leg(a, -1); });
  group.add(
      "design.next_layout", "Next layout of the file", "Shows the next design of a file with several.", {},
      [](const App& a) { return a.designer.designs().size() > 1 ? std::string() : "The file has a single design."; },
      [](App& a) { a.designer.show((a.designer.shown() + 1) % a.designer.designs().size()); });
  group.add(
      "design.reload", "Reload the layout", "Discards unsaved edits of the layout.", {},
      [](const App& a) {
        return a.designer.is_open() && !a.designer.file().empty() ? std::string() : "This layout has no file yet.";
      },
      [](App& a) {
        a.shell.dismiss("layout disk");
        a.designer.discard_edits();
        a.editor.open(a.designer.file());
      });
  group.add("design.keep", "Keep the edits of the layout",
            "Keeps the layout on screen although its file changed on disk.", {},
            [](App& a) { a.shell.dismiss("layout disk"); });
}

void add_plan_commands(CommandGroup& group) {
  group.add("design.plan", "Plan it", "Chooses the recommended plan of the whole conversion.", {"F9"}, needs_plans,
            show_plan);
  group.add_repeating("design.next_plan", "Next plan", "Chooses the next plan of the table.", {"Alt+F9"}, needs_plans,
                      [](App& a) { turn_plan(a, 1); });
  group.add_repeating("design.previous_plan", "Previous plan", "Chooses the previous plan of the table.", {"Shift+F9"},
                      needs_plans, [](App& a) { turn_plan(a, -1); });
  group.add_repeating("design.next_step", "Next step of the design", "Shows the next exchange and its cost.", {"F12"},
                      needs_layout, [](App& a) { turn_step(a, 1); });
  group.add_repeating("design.previous_step", "Previous step of the design", "Shows the exchange before.",
                      {"Shift+F12"}, needs_layout, [](App& a) { turn_step(a, -1); });
  group.add("design.step_earlier", "Step earlier", "The chosen step trades places with the one before.",
            {"Ctrl+Alt+Up"}, needs_step, [](App& a) { move_step(a, false); });
  group.add("design.step_later", "Step later", "The chosen step trades places with the next one.", {"Ctrl+Alt+Down"},
            needs_step, [](App& a) { move_step(a, true); });
  group.add("design.delete_step", "Delete the step", "The destination becomes the result of the other steps.",
            {"Ctrl+Alt+X"}, needs_step, delete_step);
  group.add("design.play", "Play the moves", "Moves the elements from before to after. The same command stops it.",
            {"Ctrl+F12"}, needs_layout, [](App& a) { a.designer.play(!a.designer.playing, a.shell.now); });
  group.add_repeating("design.state_forward", "Next state", "Shows the elements after the next move of the plan.",
                      {"Alt+F12"}, needs_layout, [](App& a) {
                        Designer& d = a.designer;
                        if (d.view == ElementsView::shared) return d.show_wavefront(d.wavefront + 1);
                        d.along = std::min(std::floor(d.along) + 1, static_cast<float>(d.path().size()) - 1);
                        ++d.version;
                      });
  group.add_repeating("design.state_back", "Previous state", "Shows the elements before that move.", {"Alt+Shift+F12"},
                      needs_layout, [](App& a) {
                        Designer& d = a.designer;
                        if (d.view == ElementsView::shared) return d.show_wavefront(d.wavefront - 1);
                        d.along = std::max(std::ceil(d.along) - 1, 0.0f);
                        ++d.version;
                      });
  group.add(
      "design.shared", "Elements or shared memory",
      "Shows how the chosen plan passes through the banks of shared memory, wavefront by wavefront, or the elements.",
      {"Ctrl+Alt+B"},
      [](const App& a) {
        if (std::string no = needs_plans(a); !no.empty()) return no;
        return a.designer.view == ElementsView::shared || !a.designer.accesses().empty()
                   ? std::string()
                   : "The chosen plan does not pass through shared memory. Choose one that does in the panel Plans.";
      },
      [](App& a) {
        Designer& d = a.designer;
        d.view = d.view == ElementsView::shared ? ElementsView::elements : ElementsView::shared;
        d.playing = false;
        ++d.version;
        a.shell.show_panel(PanelId::elements);
      });
  group.add("design.matrix", "Elements or bit matrix", "Shows the conversion as a matrix over bits, or the elements.",
            {}, needs_layout, [](App& a) {
              Designer& d = a.designer;
              d.view = d.view == ElementsView::matrix ? ElementsView::elements : ElementsView::matrix;
              d.playing = false;
              ++d.version;
              a.shell.show_panel(PanelId::elements);
            });
}

void add_code_commands(CommandGroup& group) {
  group.add("design.export", "Export the function…", "Writes a header with the function of the chosen plan.",
            {"Ctrl+Shift+E"}, export_refusal, [](App& a) { ask_for_path(a, CodeForm::header); });
  group.add(
      "design.export_kernel", "Export a kernel file…",
      "Writes a kernel that moves an array with the function, with claims and the expected output.", {"Ctrl+Shift+K"},
      [](const App& a) {
        if (std::string no = export_refusal(a); !no.empty()) return no;
        return a.designer.kernel().empty() ? std::string("No buffer has such elements. Export the function.") : "";
      },
      [](App& a) { ask_for_path(a, CodeForm::kernel); });
  group.add(
      "design.open_kernel", "Open the kernel in the explorer", "Opens the kernel file of the plan, with its claims.",
      {"Ctrl+Shift+X"},
      [](const App& a) {
        if (std::string no = export_refusal(a); !no.empty()) return no;
        return a.designer.kernel().empty() ? std::string("No buffer has such elements.") : "";
      },
      [](App& a) {
        const std::string text = a.designer.kernel();
        a.shell.set_arrangement(Arrangement::learn);
        a.shell.show_panel(PanelId::source);
        a.editor.new_kernel(text);
      });
  group.add(
      "design.insert", "Insert into the kernel",
      "Puts the function of the chosen plan, its call and a claim at the cursor of the open kernel, as one change.",
      {"Ctrl+Shift+I"}, insert_refusal, insert_conversion);
  group.add("design.code", "Function or kernel file", "Shows the other form of the generated code.", {}, needs_layout,
            [](App& a) {
              a.designer.preview_kernel = !a.designer.preview_kernel;
              ++a.designer.version;
            });
}

// Conversions of the planner put into the kernel: at the caret, and in place of the code between two claims.

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

std::string proposed_code_path(const App& app) {
  const std::filesystem::path own = std::filesystem::path(app.designer.file()).parent_path();
  const std::string name =
      app.designer.sheet().design.name + (app.designer.exporting == CodeForm::kernel ? ".cu" : ".cuh");
  return ((own.empty() ? std::filesystem::path(app.shell.view.export_folder) : own) / name).string();
}

void write_code(App& app, const std::string& path) {
  const CodeForm form = app.designer.exporting.value_or(CodeForm::header);
  app.designer.exporting.reset();
  if (const auto written = app.designer.export_code(form, path); !written) {
    app.shell.notify({.id = "export",
                      .kind = Notice::Kind::error,
                      .text = "Could not write the code: " + to_string(written.error().front()) + "."});
    return;
  }
  app.shell.dismiss("export");
  app.shell.view.export_folder = std::filesystem::path(path).parent_path().string();
  const CodeCheck check = app.designer.check();
  app.shell.show_status("Wrote " + path + ". " + check.words);
}

void design_from_variable(App& app) {
  if (app.designer.edited()) return app.shell.show_status("The layout under design has unsaved edits. Save it first.");
  const results::Moment& m = app.results.moment;
  if (!m.real) return;
  int bits = 32 >> std::min(m.real->bits(layout::Place::simd), 5);
  std::string type;
  std::vector<std::string> memory;
  for (const results::RegisterGrid& grid : m.grids) {
    if (grid.family != m.assignment_family) continue;
    bits = grid.element_bits;
    const auto cell =
        std::ranges::find_if(grid.cells, [](const results::Cell& c) { return c.defined && c.buffer >= 0; });
    if (cell == grid.cells.end()) continue;
    const results::BufferInfo& buffer = app.results.summary.buffers[static_cast<std::size_t>(cell->buffer)];
    if (buffer.element_bits == bits) type = buffer.element_type;
    for (const source::Axis& axis : buffer.axes) memory.push_back(axis.name);
  }
  if (type.empty()) type = std::to_string(bits);
  const auto& families = app.results.summary.families;
  const int family = m.assignment_family;
  const std::string name =
      family >= 0 && family < static_cast<int>(families.size()) ? families[static_cast<std::size_t>(family)].name : "";
  app.editor.new_layout();
  const bool claimed = m.claimed && layout::logical_bits(*m.claimed) == layout::logical_bits(*m.real);
  app.designer.take_ends(*m.real, claimed ? *m.claimed : *m.real, type, memory, "design from " + name);
  app.designer.variable = name;
  if (design::is_function_name("convert_" + name))
    app.designer.apply(design::with_name(app.designer.sheet().design, "convert_" + name), "from variable");
}

void add_design_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Design");
  group.add("design.better", "Plan this better…",
            "Compares the code between two claims with the planner's, and puts that in its place or beside it.",
            {"Ctrl+Shift+B"}, better_refusal, plan_better);
  add_layout_commands(group);
  add_plan_commands(group);
  add_code_commands(group);
}

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
