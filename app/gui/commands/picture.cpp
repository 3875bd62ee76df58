// Commands on the pictures in the panels.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/gui/commands/groups.h"
#include "app/lessons/moments_file.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

void escape(App& app) {
  app.navigation.playing = false;
  app.memory.play_wavefronts(false);
  app.movement.play(false, app.shell.now);
  if (app.shell.overlay != Overlay::none) {
    app.shell.overlay = Overlay::none;
  } else if (app.writing.search.open) {
    app.writing.search.open = false;
  } else if (app.shell.view.maximised) {
    app.shell.view.maximised.reset();
  } else {
    app.memory.dismiss_evidence();
    app.memory.show_wavefront(-1);
    app.navigation.selection.place.reset();
    app.navigation.selection.element.reset();
    app.navigation.selection.address.reset();
    app.navigation.selection.family = -1;
  }
}

/// The counters that say most; one of the others comes before all of them.
void next_heat(App& app) {
  constexpr std::array<const char*, 4> usual{"", "instructions", "global_sectors", "shared_wavefronts"};
  const auto* now = std::find(usual.begin(), usual.end(), app.shell.view.heat);
  app.shell.view.heat = now == usual.end() || now + 1 == usual.end() ? usual[0] : now[1];
}

/// Requests a path; its suffix chooses the form.
void save_panel(App& app, const char* suffix) {
  show_overlay(app, Overlay::export_path);
  const std::filesystem::path file(app.document.file());
  const std::string stem = file.empty() ? "lanescope" : file.stem().string();
  const std::string name = stem + "-" + std::string(panel_name(app.shell.active_panel)) + suffix;
  app.shell.overlay_text =
      (app.shell.view.export_folder.empty() ? file.parent_path()
                                            : std::filesystem::path(app.shell.view.export_folder)) /
      name;
}

std::string needs_moments_file(const App& app) {
  std::error_code unreadable;
  if (std::filesystem::exists(lessons::moments_path(app.document.file()), unreadable)) return {};
  return "No moment of this kernel is bookmarked.";
}

void export_handout(App& app, HandoutExport::What what) {
  show_overlay(app, Overlay::export_handout);
  app.handout.what = what;
  const std::filesystem::path file(app.document.file());
  const std::filesystem::path folder =
      app.shell.view.export_folder.empty() ? file.parent_path() : std::filesystem::path(app.shell.view.export_folder);
  std::string name = file.empty() ? "lanescope" : file.stem().string();
  if (what == HandoutExport::What::lesson && app.lecture.lesson() != nullptr) name = app.lecture.lesson()->name;
  app.shell.overlay_text = folder / (name + ".html");
}

void add_export_commands(CommandGroup& group) {
  struct Form {
    const char *id, *title, *description, *key, *suffix;
  };
  constexpr Form forms[] = {{"picture.save_svg", "Save the panel as SVG…",
                             "Saves the picture of the active panel as SVG.", "Ctrl+Alt+S", ".svg"},
                            {"picture.save_png", "Save the panel as PNG…",
                             "Saves the picture of the active panel as PNG.", "Ctrl+Alt+P", ".png"},
                            {"picture.save_csv", "Save the panel as CSV…",
                             "Saves the data of the active panel as comma-separated values.", "Ctrl+Alt+C", ".csv"}};
  for (const Form& f : forms)
    group.add(f.id, f.title, f.description, {f.key}, needs_results,
              [suffix = f.suffix](App& a) { save_panel(a, suffix); });
  group.add("picture.export_handout", "Export handout…",
            "Saves the steps of this warp as one HTML file that plays in any browser, or as slides; or this moment as "
            "a picture.",
            {"Ctrl+Alt+H"}, needs_results, [](App& a) { export_handout(a, HandoutExport::What::run); });
  group.add("picture.export_moments", "Export the moments as a handout…",
            "Saves the bookmarked moments of this kernel, as they are in its file, as one HTML file or as slides.", {},
            needs_moments_file, [](App& a) { export_handout(a, HandoutExport::What::moments); });
  group.add(
      "picture.export_lesson", "Export the lesson as a handout…",
      "Saves the open lesson with its moments, questions and computed answers as one HTML file, or as slides.", {},
      [](const App& a) -> std::string { return a.lecture.lesson() != nullptr ? "" : "No lesson is open."; },
      [](App& a) { export_handout(a, HandoutExport::What::lesson); });
}

/// Its text in the inspector, one fact a line.
void copy_selection(App& app) {
  std::string words;
  for (const views::InspectorSection& section :
       views::inspector(app.results.summary, app.results.moment, app.navigation.selection)) {
    words += (words.empty() ? "" : "\n") + section.title + "\n";
    for (const views::InspectorRow& row : section.rows) words += "  " + row.name + ": " + row.value + "\n";
  }
  ImGui::SetClipboardText(words.c_str());
  app.shell.show_status("The facts about the selection are in the clipboard.");
}

}  // namespace

void write_handout(App& app, const std::string& path) {
  const views::Selection& at = app.navigation.selection;
  const std::int64_t step =
      std::max<std::int64_t>(at.step, 0) + static_cast<std::int64_t>(app.results.summary.first_step);
  HandoutExport::Wanted wanted{.what = app.handout.what,
                               .request = run_request(app.document, app.settings),
                               .path = path,
                               .theme = app.shell.theme().dark ? "dark" : "light",
                               .warp = at.warp,
                               .moment = "step:" + std::to_string(step)};
  wanted.request.record_block = app.results.summary.recorded_block;
  wanted.request.record_launch = app.results.summary.recorded_launch;
  wanted.request.record_step = static_cast<std::uint64_t>(step);
  if (app.handout.what == HandoutExport::What::lesson && app.lecture.lesson() != nullptr)
    wanted.lesson = *app.lecture.lesson(), wanted.program = app.lecture.program;
  app.shell.view.export_folder = std::filesystem::path(path).parent_path().string();
  if (const auto begun = app.handout.begin(std::move(wanted)); !begun) {
    const Diagnostic& why = begun.error().front();
    app.shell.notify(
        {.id = "handout", .kind = Notice::Kind::error, .text = as_sentence(with_remedy(why.message, why.remedy))});
    return;
  }
  app.shell.dismiss("handout");
  app.shell.show_status("Writing " + path + "…");
}

void add_picture_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Picture");
  group.add("picture.label", "Next label mode", "Labels cells with their element, their value or their provenance.",
            {"L"}, [](App& a) {
              a.shell.view.label = static_cast<views::LabelMode>((static_cast<int>(a.shell.view.label) + 1) % 3);
            });
  group.add("picture.arrows", "Arrows", "Shows or hides the moves of this step.", {"A"},
            [](App& a) { a.shell.view.arrows = !a.shell.view.arrows; });
  group.add("picture.all_warps", "All warps or one", "Shows the registers of one warp or of up to sixteen.", {"W"},
            [](App& a) { a.shell.view.warps_shown = a.shell.view.warps_shown > 1 ? 1 : 16; });
  group.add("picture.heat", "Next heat column",
            "Selects the heat column beside the source lines: none, instructions, sectors, wavefronts. The menu "
            "has all counters.",
            {"H"}, next_heat);
  group.add("picture.fit", "Fit", "Shows the whole picture of the active panel.", {"0"},
            [](App& a) { a.shell.fit_request = true; });
  group.add_repeating("picture.zoom_in", "Zoom in", "Enlarges the picture of the active panel.", {"+"},
                      [](App& a) { a.shell.zoom_request = 1.25f; });
  group.add_repeating("picture.zoom_out", "Zoom out", "Shrinks the picture of the active panel.", {"-"},
                      [](App& a) { a.shell.zoom_request = 0.8f; });
  group.add("picture.deselect", "Close or deselect",
            "Closes a list or the search, restores a maximised panel, or clears the selection.", {"Escape"}, escape);
  group.add("picture.copy", "Copy the facts", "Copies the text of the inspector about the selection to the clipboard.",
            {}, needs_results, copy_selection);
  add_export_commands(group);
}

}  // namespace lanescope::gui
