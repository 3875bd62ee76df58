#include "app/gui/shell/window.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/gui/commands/command.h"
#include "app/gui/model/steps.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "results/grids.h"

namespace lanescope::gui {
namespace {

struct Pill {
  std::string id, text, hint;
  scene::Color color;
  std::string command;  ///< pressed
  std::string menu;     ///< or this list opens
};

std::string dim3_words(const trace::Dim3& d) {
  std::string text = std::to_string(d.x);
  if (d.y > 1 || d.z > 1) text += "×" + std::to_string(d.y);
  if (d.z > 1) text += "×" + std::to_string(d.z);
  return text;
}

std::string assumed_words(int count) {
  return count == 1 ? "1 rests on an assumption" : std::to_string(count) + " rest on assumptions";
}

/// The number of problems of each severity, in front of any panel; a press moves to the first of them.
std::vector<Pill> problem_pills(const App& app, const views::Theme& t) {
  const results::ProblemCounts counts = results::count(app.results.problems);
  const bool old = app.results.running || (!app.results.failed && app.results.stale(app.document.text()));
  std::vector<Pill> pills;
  const auto add = [&](const char* id, const std::string& text, int first, scene::Color color, const char* command) {
    const results::Problem& p = app.results.problems[static_cast<std::size_t>(first)];
    std::string hint = p.title + (p.line > 0 ? " in " + app.results.lines.words(p.line) : "") + ": " +
                       as_sentence(p.message) + "\n" + hint_of(command);
    if (old) hint += "\nOf the last completed run; the text has changed since then.";
    pills.push_back(
        {.id = id, .text = text, .hint = std::move(hint), .color = old ? t.text_dim : color, .command = command});
  };
  const auto add_counted = [&](const char* id, const char* sign, int number, const char* name, Severity severity,
                               scene::Color color, const char* command) {
    if (number > 0)
      add(id, std::string(sign) + " " + counted(static_cast<std::size_t>(number), name),
          app.problems.first_of(severity), color, command);
  };
  add_counted("Errors", "■", counts.errors, "error", Severity::error, t.bad, "problem.worst");
  if (counts.assumed > 0)
    add("Assumed", assumed_words(counts.assumed), app.problems.first_assumed(), t.warn, "problem.first_assumed");
  add_counted("Warnings", "▲", counts.warnings, "warning", Severity::warning, t.warn, "problem.first_warning");
  add_counted("Notes", "○", counts.notes, "note", Severity::note, t.text_dim, "problem.first_note");
  return pills;
}

/// The verdicts of the claims; never in a healthy colour beside an error.
void report_claims(const App& app, const views::Theme& t, Pill& pill) {
  const ClaimTally claims = tally(app.results.summary);
  const results::ProblemCounts problems = results::count(app.results.problems);
  pill.hint = hint_of("claim.next");
  const std::string hold = std::to_string(claims.holds) + " of " + std::to_string(claims.total()) + " claims hold";
  if (claims.total() == 0) {
    // A race that the file expects is no trouble, and no health either.
    const bool races = std::ranges::any_of(app.results.problems, [](const results::Problem& p) {
      return p.expected && p.kind == results::Problem::Kind::race;
    });
    const bool well = problems.errors + problems.assumed + problems.warnings == 0 && !races;
    pill.text = well ? "● no problems, no claims" : "no claims";
    pill.color = well ? t.good : t.text_dim;
    pill.hint = "The comments of this kernel state no register assignment";
  } else if (claims.differs > 0) {
    pill.text = std::to_string(claims.differs) + " of " + std::to_string(claims.total()) + " claims differ";
    const bool certain = std::ranges::any_of(app.results.problems, [](const results::Problem& p) {
      return p.claim >= 0 && p.severity == Severity::error && !p.assumed;
    });
    pill.color = certain ? t.bad : t.warn;
    pill.command = "claim.first_failing";
    pill.hint = hint_of("claim.first_failing");
  } else if (problems.errors + problems.assumed > 0) {
    pill.text = hold;
  } else if (claims.unchecked > 0) {
    pill.text = "○ " + hold + ", " + std::to_string(claims.unchecked) + " unchecked";
    pill.color = t.warn;
  } else {
    pill.text = "● " + hold;
    pill.color = t.good;
  }
}

/// That only a part of the blocks ran; what is on screen is of these.
std::vector<Pill> coverage_pill(const App& app, const views::Theme& t) {
  const results::Summary& s = app.results.summary;
  if (!app.results.have || s.coverage.empty()) return {};
  const auto shown = std::ranges::find(s.coverage, s.recorded_launch, &results::LaunchCoverage::launch);
  const results::LaunchCoverage& l = shown == s.coverage.end() ? s.coverage.front() : *shown;
  std::string hint;
  for (const results::Notice& notice : s.notices)
    if (notice.code == results::NoticeCode::run_cut) hint += as_sentence(notice.words()) + "\n";
  return {{.id = "Coverage",
           .text = "○ " + trace::words_of(l.plain.whole() ? l.probed : l.plain),
           .hint = hint + hint_of("run.all_blocks"),
           .color = t.warn,
           .command = "run.all_blocks"}};
}

/// The state of the run, else of the claims.
Pill verdict_pill(const App& app, const views::Theme& t) {
  const Results& r = app.results;
  Pill pill{.id = "Verdict", .color = t.text_dim, .command = "claim.next"};
  if (r.running) {
    pill.text = r.run_words(app.shell.now) + " · stop";
    pill.command = "run.stop";
    pill.hint = hint_of("run.stop");
  } else if (r.failed) {
    pill.text = r.have ? "does not run; last successful run shown" : "does not run";
    pill.color = t.bad;
    pill.command = r.problems.empty() ? "run.now" : "problem.worst";
    pill.hint = r.diagnostics.empty() ? "" : to_string(r.diagnostics.front());
  } else if (!r.have) {
    pill.text = "no result";
    pill.command = "file.kernels";
    pill.hint = hint_of("file.kernels");
  } else if (r.stale(app.document.text())) {
    pill.text = "changed, not run yet";
    pill.color = t.warn;
    pill.command = "run.now";
    pill.hint = hint_of("run.now");
  } else {
    report_claims(app, t, pill);
  }
  return pill;
}

void draw_main_menu(App& app, Stage& stage) {
  if (!begin_menu(stage, "main menu")) return;
  ImGui::PushFont(stage.fonts.body);
  std::string group;
  bool open = false;
  for (const Command& c : commands()) {
    if (c.group != group) {
      if (open) ImGui::EndMenu();
      group = c.group;
      open = ImGui::BeginMenu(group.c_str());
    }
    if (open && menu_entry(stage, c.title.c_str(), false, key_of(c.id), refusal_of(app, c))) run_command(app, c.id);
  }
  if (open) ImGui::EndMenu();
  ImGui::PopFont();
  end_menu();
}

/// The user's choice, or what the last run was compiled for.
std::string compiled_for(const App& app) {
  if (!app.settings.arch.empty()) return app.settings.arch;
  return app.results.summary.arch.empty() ? "sm_90" : app.results.summary.arch;
}

void draw_arch_menu(App& app, Stage& stage) {
  if (!begin_menu(stage, "architectures")) return;
  for (const char* arch : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"})
    if (menu_entry(stage, arch, compiled_for(app) == arch)) {
      app.settings.arch = arch;
      run_command(app, "run.now");
    }
  end_menu();
}

void draw_engine_menu(App& app, Stage& stage) {
  if (!begin_menu(stage, "engines")) return;
  if (menu_entry(stage, "Emulator", !app.settings.on_gpu) && app.settings.on_gpu) run_command(app, "run.engine");
  if (app.settings.gpus.size() < 2) {
    if (menu_entry(stage, "GPU", app.settings.on_gpu) && !app.settings.on_gpu) run_command(app, "run.engine");
    return end_menu();
  }
  for (int i = 0; i < static_cast<int>(app.settings.gpus.size()); ++i) {
    const bool chosen = app.settings.on_gpu && app.settings.device == i;
    const std::string words = "GPU " + std::to_string(i) + ", " + app.settings.gpus[static_cast<std::size_t>(i)];
    if (!menu_entry(stage, words.c_str(), chosen) || chosen) continue;
    app.settings.device = i, app.settings.on_gpu = true;
    run_command(app, "run.now");
  }
  end_menu();
}

std::string extents_words(const std::array<std::uint32_t, 3>& e) {
  return e[0] == 0 ? "?" : dim3_words({e[0], e[1], e[2]});
}

/// The launches that ran, of which one is shown; and what can run in their place.
void draw_launch_menu(App& app, Stage& stage) {
  if (!begin_menu(stage, "launches")) return;
  const results::Summary& s = app.results.summary;
  const auto heading = [&](const char* words) {
    ImGui::PushStyleColor(ImGuiCol_Text, to_im(stage.theme->text_dim));
    ImGui::TextUnformatted(words);
    ImGui::PopStyleColor();
  };
  heading(s.grids.empty() ? "Launch shown" : "Grid shown");
  // Where kernels launch kernels: the tree of grids, equal ones once.
  for (const results::GridFold& f : results::folded(s.grids)) {
    const results::GridInfo& g = s.grids[f.first];
    const std::string words =
        std::string(2 * f.depth, ' ') + results::words_of(f, s.grids, s.lines) + "##grid" + std::to_string(f.first);
    const bool shown =
        std::ranges::any_of(f.members, [&](std::size_t m) { return s.grids[m].launch == s.recorded_launch; });
    if (menu_entry(stage, words.c_str(), shown) && !shown && g.launch >= 0) app.requests.record({0, g.launch});
  }
  for (int i = 0; s.grids.empty() && i < static_cast<int>(s.launches.size()); ++i) {
    const results::LaunchInfo& l = s.launches[static_cast<std::size_t>(i)];
    const std::string words = std::to_string(i + 1) + "  " + l.kernel + "   grid " + dim3_words(l.grid) + " · block " +
                              dim3_words(l.block) + "##launch";
    for (const std::string& step : l.before) {  // what the host does stands above the launch that sees it
      ImGui::PushStyleColor(ImGuiCol_Text, to_im(stage.theme->text_dim));
      ImGui::TextUnformatted(("     " + step).c_str());
      ImGui::PopStyleColor();
    }
    if (menu_entry(stage, words.c_str(), i == s.recorded_launch) && i != s.recorded_launch) app.requests.record({0, i});
  }
  if (!s.instances.empty()) {
    ImGui::Separator();
    heading("Kernel that runs");
    if (menu_entry(stage, "As in the file", app.settings.kernel.empty()) && !app.settings.kernel.empty())
      run_command(app, "run.own_kernel");
  }
  for (const source::KernelInstance& k : s.instances) {
    std::string words = (k.function.empty() ? k.kernel : k.function) + "   " + app.results.lines.words(k.line);
    words += !k.function.empty() ? ", called by itself with the input that is stated there"
             : k.launches == 0   ? ", not launched in this file"
                                 : ", " + std::to_string(k.launches) +
                                     (k.launches == 1 ? " launch, grid " : " launches, the first with grid ") +
                                     extents_words(k.grid) + " · block " + extents_words(k.block);
    words += "##" + std::to_string(k.line);
    if (!menu_entry(stage, words.c_str(), app.settings.kernel == k.kernel)) continue;
    app.settings.kernel = k.kernel;
    app.settings.record_launch = -1;
    run_command(app, "run.now");
  }
  end_menu();
}

std::string engine_words(const App& app) {
  if (!app.settings.on_gpu) return "Emulator";
  return app.settings.gpus.size() < 2 ? "GPU" : "GPU " + std::to_string(app.settings.device);
}

std::vector<Pill> pills_of(const App& app, const views::Theme& t) {
  // Trouble first: what follows is left out where the bar is short.
  std::vector<Pill> pills = problem_pills(app, t);
  const results::Summary& s = app.results.summary;
  for (Pill& pill : coverage_pill(app, t)) pills.push_back(std::move(pill));
  pills.push_back(verdict_pill(app, t));
  if (app.shell.view.presentation) return pills;
  pills.push_back({"Engine",
                   engine_words(app),
                   app.settings.on_gpu ? "Runs on the GPU in a separate process, and in the emulator for comparison"
                                       : "Runs in the emulator, in a worker process",
                   t.accent,
                   {},
                   "engines"});
  pills.push_back({"Architecture",
                   compiled_for(app),
                   "Architecture for which the kernel is compiled",
                   t.text_dim,
                   {},
                   "architectures"});
  if (app.results.have) {
    const bool several = s.launches.size() > 1;
    const std::string which =
        several ? "launch " + std::to_string(s.recorded_launch + 1) + " of " + std::to_string(s.launches.size()) + " · "
                : "";
    const results::Assumptions assumed = results::anything_rests_on(s);
    constexpr std::size_t most_named = 8;
    pills.push_back({"Launch",
                     which + "grid " + dim3_words(s.grid) + " · block " + dim3_words(s.block) +
                         (assumed.empty() ? "" : " · with assumptions"),
                     (assumed.empty() ? "" : "Assumed: " + source::list_of(assumed, most_named) + "\n") + s.kernel +
                         ": " + std::to_string(s.grid.count()) + " blocks of " + std::to_string(s.block.count()) +
                         " threads" + (several ? "\nThe launch whose steps are shown; a press lists all" : "") + "\n" +
                         hint_of("run.kernel"),
                     assumed.empty() ? t.text_dim : t.warn,
                     {},
                     "launches"});
  }
  return pills;
}

}  // namespace

void draw_top_bar(App& app, Stage& stage, Rectangle bar) {
  const views::Theme& t = *stage.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(bar.min(), bar.max(), to_im(t.panel));
  list.AddLine({bar.x, bar.y + bar.h}, {bar.x + bar.w, bar.y + bar.h}, to_im(t.border), stage.hairline());
  const float y = bar.y + bar.h / 2;

  // Placed first: what remains between both ends is the pills'.
  float right = bar.x + bar.w - stage.px(10);
  if (!app.shell.view.presentation) {
    for (const auto& [id, words, command] :
         {std::tuple{"Glossary", "Glossary", "app.glossary"}, std::tuple{"Palette", "Commands", "app.palette"},
          std::tuple{"Welcome", "Lessons", "app.welcome"}}) {
      right -= button_width(stage, words, {}) + stage.px(6);
      if (button(stage, id, {right, y}, words, hint_of(command), {})) run_command(app, command);
    }
  }

  float x = bar.x + stage.px(10);
  ButtonLook menu;
  menu.icon = Icon::menu;
  menu.icon_first = menu.pill = true;
  menu.color = t.text;
  const bool pressed = button(stage, "Menu", {x, y}, "Menu", hint_of("app.menu") + "\nAll commands by group", menu);
  if (pressed || std::exchange(app.shell.menu_request, false)) ImGui::OpenPopup("main menu");
  place_menu_below_item(stage);
  draw_main_menu(app, stage);
  x += button_width(stage, "Menu", menu) + stage.px(12);

  ButtonLook file{.color = t.text};
  const bool layout = app.designs();
  const std::string title = layout ? app.designer.title() : app.document.title();
  const std::string own = layout ? app.designer.file() : app.document.file();
  const std::string path = own.empty() ? "This text has no file yet" : own;
  if (button(stage, "File", {x, y}, title, path + "\n" + hint_of("file.kernels"), file))
    run_command(app, "file.kernels");
  x += button_width(stage, title, file) + stage.px(6);
  if (layout ? app.designer.edited() : app.document.edited()) {
    draw_text(stage, stage.fonts.small, {x, y}, t.text_dim, "edited");
    x += text_width(stage.fonts.small, "edited");
  }
  x += stage.px(18);

  bool launches_drawn = false;
  for (const Pill& pill : pills_of(app, t)) {
    ButtonLook look{.pill = true, .color = pill.color};
    const float width = button_width(stage, pill.text, look);
    if (x + width > right - stage.px(10)) break;
    if (button(stage, pill.id.c_str(), {x, y}, pill.text, pill.hint, look)) {
      if (!pill.menu.empty())
        ImGui::OpenPopup(pill.menu.c_str());
      else if (!pill.command.empty())
        run_command(app, pill.command);
    }
    if (pill.menu == "launches") {
      if (std::exchange(app.shell.launch_menu_request, false)) ImGui::OpenPopup("launches");
      place_menu_below_item(stage);
      draw_launch_menu(app, stage);
      launches_drawn = true;
    }
    x += width + stage.px(8);
  }
  draw_engine_menu(app, stage);
  draw_arch_menu(app, stage);
  if (std::exchange(app.shell.launch_menu_request, false)) ImGui::OpenPopup("launches");
  if (!launches_drawn) draw_launch_menu(app, stage);
  if (app.shell.view.presentation) return;

  // The arrangements, where there is room for all of them.
  float widths = 0;
  for (int i = 0; i < arrangement_count; ++i)
    widths += button_width(stage, arrangement_name(static_cast<Arrangement>(i)), {}) + stage.px(2);
  float ax = right - stage.px(18) - widths;
  if (ax < x) return;
  for (int i = 0; i < arrangement_count; ++i) {
    const auto a = static_cast<Arrangement>(i);
    const std::string name(arrangement_name(a));
    const std::string command = "arrange." + lower(name);
    ButtonLook look;
    if (app.shell.view.arrangement == a) look.color = t.accent;
    const float width = button_width(stage, name, look);
    if (button(stage, name.c_str(), {ax, y}, name, hint_of(command), look)) run_command(app, command);
    if (app.shell.view.arrangement == a)
      list.AddLine({ax + stage.px(5), bar.y + bar.h - stage.px(1)},
                   {ax + width - stage.px(5), bar.y + bar.h - stage.px(1)}, to_im(t.accent), stage.px(2));
    ax += width + stage.px(2);
  }
}

}  // namespace lanescope::gui
