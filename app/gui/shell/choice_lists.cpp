// Lists over the window: commands, kernels, snippets.

#include <algorithm>
#include <filesystem>

#include "app/catalogue/catalogue.h"
#include "app/gui/commands/command.h"
#include "app/gui/shell/overlay.h"
#include "app/gui/state/editing_aids.h"
#include "kernels/base/numbers.h"

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
  if (!query.empty()) {
    for (const std::string& path : catalogue_kernels()) {
      const std::string name = std::filesystem::path(path).filename().string();
      if (const auto score = fuzzy_score(query, name)) {
        choices.push_back({"Open " + name, "kernel", {}, [path](App& a) { a.editor.open(path); }, *score - 8});
      }
    }
  }
  sort_choices(choices);
  // What reads as a search over steps is one, after the commands of that name.
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

}  // namespace lanescope::gui
