#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/gui/commands/command.h"
#include "app/gui/shell/overlay.h"

namespace lanescope::gui {

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

}  // namespace lanescope::gui
