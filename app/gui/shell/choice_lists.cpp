// Lists over the window: commands, kernels, snippets.

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/catalogue/catalogue.h"
#include "app/design/presets.h"
#include "app/gui/commands/command.h"
#include "app/gui/commands/groups.h"
#include "app/gui/shell/overlay.h"
#include "app/gui/state/editing_aids.h"
#include "kernels/base/numbers.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {

void sort_choices(std::vector<Choice>& choices) {
  std::stable_sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) { return a.score > b.score; });
}

std::vector<Choice> command_choices(const App& app, const std::string& query) {
  std::vector<Choice> choices;
  for (const Command& c : commands()) {
    const auto score = fuzzy_score(query, c.title + " " + c.group);
    if (!score || c.id == "app.palette") continue;
    choices.push_back({c.title, key_of(c.id), refusal_of(app, c), [id = c.id](App& a) { run_command(a, id); },
                       query.empty() ? 0 : *score});
  }
  if (!query.empty())
    for (const std::string& path : catalogue_kernels()) {
      const std::string name = std::filesystem::path(path).filename().string();
      if (const auto score = fuzzy_score(query, name))
        choices.push_back({"Open " + name, "kernel", {}, [path](App& a) { a.editor.open(path); }, *score - 8});
    }
  sort_choices(choices);
  // Text that reads as a search over steps is one, after the commands of that name.
  if (query.size() > 3 && app.results.have) {
    if (const StepSearch::Found& found = app.search.find(query); found.problem.empty())
      choices.push_back({"Search steps: " + query, counted(found.steps.size(), "step"), {}, [query](App& a) {
                           a.search.text = query;
                           if (const std::string words = a.search.go_on(); !words.empty()) a.shell.show_status(words);
                         }});
  }
  return choices;
}

std::vector<Choice> kernel_choices(const App& app, const std::string& query) {
  std::vector<Choice> choices, by_letters;
  const std::vector<catalogue::Kernel>& kernels = catalogue::installed();
  for (const catalogue::Kernel* k : catalogue::search(kernels, query)) {
    std::string more = k->explanation;
    for (std::size_t i = 0; i < k->expects.size(); ++i)
      more += (i > 0 ? ", " : more.empty() ? "The review finds: " : "\nThe review finds: ") + k->expects[i];
    choices.push_back({k->name + ".cu", k->topic, {}, [path = k->path](App& a) { a.editor.open(path); }, 0, more});
  }
  // Names whose letters are typed in part.
  for (const catalogue::Kernel& k : kernels)
    if (const auto score = fuzzy_score(query, k.name + ".cu"); score && !catalogue::score(k, query))
      by_letters.push_back(
          {k.name + ".cu", k.topic, {}, [path = k.path](App& a) { a.editor.open(path); }, *score, k.explanation});
  for (const std::string& path : app.shell.view.recent) {
    const std::filesystem::path file(path);
    const auto score = fuzzy_score(query, file.filename().string());
    if (score && std::ranges::find(kernels, path, &catalogue::Kernel::path) == kernels.end())
      by_letters.push_back({file.filename().string(),
                            "recent · " + file.parent_path().string(),
                            {},
                            [path](App& a) { a.editor.open(path); },
                            query.empty() ? 0 : *score});
  }
  sort_choices(by_letters);
  choices.insert(choices.end(), by_letters.begin(), by_letters.end());
  return choices;
}

std::vector<Choice> snippet_choices(const std::string& query) {
  std::vector<Choice> choices;
  for (const assist::Snippet& s : assist::snippets()) {
    const auto score = fuzzy_score(query, std::string(s.name) + " " + std::string(s.description));
    if (!score) continue;
    choices.push_back({std::string(s.name),
                       std::string(s.description),
                       {},
                       [s](App& a) { insert_snippet(a, s); },
                       query.empty() ? 0 : *score});
  }
  sort_choices(choices);
  return choices;
}

void draw_key_list(const Stage& stage) {
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, line = stage.px(20.5f);
  draw_text(stage, stage.fonts.title, {top.x + stage.px(8), top.y + stage.px(14)}, stage.theme->text, "Keys");
  draw_text(stage, stage.fonts.small, {top.x + width - stage.px(8), top.y + stage.px(14)}, stage.theme->text_dim,
            "Escape closes this list. Ctrl+P finds each command by name.", TextAlign::right);
  const float column = (width - stage.px(24)) / 2;
  float x = top.x + stage.px(8), y = top.y + stage.px(44), lowest = y;
  int shown = 0, with_key = 0;
  for (const Command& c : commands()) with_key += !c.keys.empty();
  std::string group;
  for (const Command& c : commands()) {
    if (c.keys.empty()) continue;
    if (shown++ == (with_key + 1) / 2) {
      x += column + stage.px(16);
      y = top.y + stage.px(44);
      group.clear();
    }
    if (c.group != group) {
      group = c.group;
      draw_text(stage, stage.fonts.body_medium, {x, y}, stage.theme->accent, group);
      y += line;
    }
    draw_text(stage, stage.fonts.code_small, {x, y}, stage.theme->text, to_string(c.keys.front()));
    draw_text(stage, stage.fonts.small, {x + stage.px(112), y}, stage.theme->text_dim, c.title, TextAlign::left,
              column - stage.px(118));
    y += line;
    lowest = std::max(lowest, y);
  }
  ImGui::Dummy({1, lowest - top.y});
}

std::string expand_home(const std::string& path) {
  const char* home = std::getenv("HOME");
  return path.starts_with("~/") && home != nullptr ? std::string(home) + path.substr(1) : path;
}

namespace {

bool is_kernel_file(const std::filesystem::path& path) {
  const std::string name = path.filename().string(), extension = path.extension().string();
  if (name.ends_with(".plain.ptx") || name.ends_with(".probed.ptx")) return false;  // stored beside a .cu file
  return extension == ".cu" || extension == ".ptx" || extension == ".cuh" || extension == ".layout";
}

Choice folder_choice(std::string label, std::string detail, const std::string& path) {
  const std::string into = path.ends_with('/') ? path : path + "/";
  return {std::move(label), std::move(detail), {}, [into](App& a) { a.shell.overlay_text = into; }, 0};
}

/// Files that were open before, and their folders, where a name has what is typed.
std::vector<Choice> recent_choices(const App& app, const std::filesystem::path& folder, const std::string& typed) {
  constexpr std::size_t most_files = 4, most_folders = 3;
  std::vector<Choice> files, folders;
  std::vector<std::filesystem::path> known{folder.lexically_normal()};
  std::error_code error;
  for (const std::string& recent : app.shell.view.recent) {
    const std::filesystem::path path(recent), parent = path.parent_path();
    const bool here = parent == folder || parent / "" == folder;
    const bool matches = typed.empty() || fuzzy_score(typed, path.filename().string()).has_value();
    if (matches && !here && recent != app.document.file() && files.size() < most_files)
      files.push_back({path.filename().string(),
                       "recent · " + parent.string(),
                       {},
                       [recent](App& a) { a.editor.open(recent); },
                       0});
    const std::filesystem::path normal = (parent / "").lexically_normal();
    if (!typed.empty() || std::find(known.begin(), known.end(), normal) != known.end()) continue;
    known.push_back(normal);
    if (!here && folders.size() < most_folders && std::filesystem::is_directory(parent, error))
      folders.push_back(folder_choice(parent.string() + "/", "recent folder", parent.string()));
  }
  files.insert(files.end(), folders.begin(), folders.end());
  return files;
}

}  // namespace

std::vector<Choice> path_choices(const App& app, const std::string& typed) {
  const std::filesystem::path path(expand_home(typed));
  const std::filesystem::path folder = path.parent_path().empty() ? "." : path.parent_path();
  const std::string beginning = path.filename().string();
  std::vector<Choice> folders, files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(beginning) || (name[0] == '.' && beginning.empty())) continue;
    const std::string whole = (path.parent_path() / name).string();
    std::error_code unreadable;
    if (entry.is_directory(unreadable))
      folders.push_back(folder_choice(name + "/", "folder", whole));
    else if (is_kernel_file(entry.path()))
      files.push_back({name, "", {}, [whole](App& a) { a.editor.open(whole); }, 0});
  }
  const auto by_name = [](const Choice& a, const Choice& b) { return a.label < b.label; };
  std::sort(files.begin(), files.end(), by_name);
  std::sort(folders.begin(), folders.end(), by_name);
  // Where a name is begun, what it may be comes first; before that, what was open last.
  const std::vector<Choice> recent = recent_choices(app, path.parent_path() / "", beginning);
  std::vector<Choice> choices;
  const auto append = [&](const std::vector<Choice>& more) { choices.insert(choices.end(), more.begin(), more.end()); };
  if (beginning.empty()) append(recent);
  if (beginning.empty() && path.has_parent_path() && path.parent_path() != path.parent_path().root_path())
    choices.push_back(folder_choice("../", "the folder above", path.parent_path().parent_path().string()));
  append(folders);
  append(files);
  if (!beginning.empty()) append(recent);
  return choices;
}

// The list of presets of the layout under design.

std::vector<Choice> preset_choices(const App& app, const std::string& query) {
  const Designer& d = app.designer;
  const design::End end = d.preset_end;
  std::vector<Choice> choices;
  const auto add = [&](std::string label, std::string detail, std::string refusal, std::function<void(App&)> pick) {
    const auto score = fuzzy_score(query, label);
    if (!score) return;
    choices.push_back(
        {std::move(label), std::move(detail), std::move(refusal), std::move(pick), query.empty() ? 0 : *score});
  };
  const std::string amount = fmt::format("{} of {}, {}", counted(d.amount.elements, "element"), d.amount.type,
                                         counted(static_cast<std::uint64_t>(d.amount.threads), "thread"));
  for (const int width : {16, 8, 4}) {
    const auto a = design::coalesced(d.amount, width);
    add(fmt::format("coalesced, {} bytes a thread", width), amount,
        a ? std::string() : as_sentence(a.error().front().message), [end, a, width](App& app_) {
          if (a)
            app_.designer.take_assignment(end, *a, app_.designer.amount.type,
                                          fmt::format("coalesced assignment of {} bytes a thread", width));
        });
  }
  for (const design::Preset& p : design::fragments())
    add(std::string(p.name), std::string(p.type), {}, [end, p](App& app_) {
      if (const auto a = layout::parse(p.text))
        app_.designer.take_assignment(end, *a, std::string(p.type), std::string(p.name));
    });
  for (const design::RefusedPreset& p : design::refused_presets())
    add(std::string(p.name), "not specified", std::string(p.why), [](App&) {});
  for (const design::Chain& c : design::chains())
    add(std::string(c.name), "both ends, " + std::string(c.type), {}, [c](App& app_) {
      const auto from = layout::parse(c.from), to = layout::parse(c.to);
      if (from && to) app_.designer.take_ends(*from, *to, std::string(c.type), {}, std::string(c.name));
    });
  std::stable_sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) { return a.score > b.score; });
  // The typed text may itself be an assignment.
  if (query.find_first_of(":[(<") != std::string::npos) {
    const int bits = d.sheet().element_bits > 0 ? d.sheet().element_bits : 32;
    const auto a = design::import_assignment(query, bits);
    choices.insert(
        choices.begin(),
        {a ? layout::print_line(*a) : as_sentence(with_remedy(a.error().front().message, a.error().front().remedy)),
         "as typed", a ? std::string() : as_sentence(a.error().front().message),
         [end, a](App& app_) {
           if (a) app_.designer.take_assignment(end, *a, app_.designer.sheet().design.type, "import of a layout");
         },
         0});
  }
  return choices;
}

namespace {

constexpr std::size_t most_listed_steps = 200;

/// Becomes the search of the timeline, and moves there.
void search_for(App& app, const std::string& text) {
  app.search.text = text;
  if (const std::string words = app.search.go_on(); !words.empty()) app.shell.show_status(words);
}

}  // namespace

std::vector<Choice> step_choices(const App& app, const std::string& text) {
  std::vector<Choice> choices;
  if (text.empty()) {
    for (const std::string& example : example_queries(app.results.summary))
      choices.push_back({example, "example", {}, [example](App& a) { search_for(a, example); }});
    return choices;
  }
  const StepSearch::Found& found = app.search.find(text);
  if (!found.problem.empty()) {
    choices.push_back({found.problem, "", found.problem, [](App&) {}});
    return choices;
  }
  const std::string count = counted(found.steps.size(), "step") + (found.query.own_warp ? " of this warp" : "");
  choices.push_back({found.query.last ? "Go to the last one" : "Go to the next one", count, {}, [text](App& a) {
                       search_for(a, text);
                     }});
  const results::Summary& s = app.results.summary;
  // From here on: those that follow, or those before where the last one is requested; then the others.
  std::vector<std::uint32_t> steps = found.steps;
  const std::int64_t here = app.navigation.selection.step;
  const auto after =
      std::partition_point(steps.begin(), steps.end(), [&](std::uint32_t s) { return std::int64_t{s} <= here; });
  std::rotate(steps.begin(), after, steps.end());
  if (found.query.last) std::reverse(steps.begin(), steps.end());
  for (const std::uint32_t step : steps) {
    if (choices.size() > most_listed_steps) break;
    const std::string words = views::tooltip_text(
        s, app.results.moment, {.kind = scene::Id::Kind::timeline_step, .a = static_cast<int>(step)});
    const std::int64_t mark = app.results.index.mark_at(s, step);
    const int pc = mark < 0 ? -1 : s.timeline[static_cast<std::size_t>(mark)].pc;
    const bool known = pc >= 0 && static_cast<std::size_t>(pc) < s.code.size() &&
                       s.code[static_cast<std::size_t>(pc)].kind != trace::StepKind::probe;
    choices.push_back({words,
                       known ? std::string(results::opcode_of(s.code[static_cast<std::size_t>(pc)])) : "",
                       {},
                       [step, text](App& a) {
                         a.search.text = text;
                         a.navigation.playing = false;
                         a.navigation.go_to_step(step);
                       }});
  }
  return choices;
}

}  // namespace lanescope::gui
