#include "kernels/source/options/compile_commands.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/base/read_file.h"
#include "kernels/source/options/command_words.h"
#include "kernels/source/options/nvcc_command.h"
#include "kernels/source/options/nvcc_words.h"
#include "kernels/source/options/project.h"

namespace lanescope::options {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
constexpr std::uintmax_t most_json_bytes = std::uintmax_t{128} << 20;

CompileSettings doubted(const fs::path& json, std::string message) {
  CompileSettings out;
  out.diagnostics.push_back({.file = json.string(),
                             .message = std::move(message),
                             .remedy = "the options in it are not used",
                             .severity = Severity::warning});
  return out;
}

std::string text_of(const Json& entry, const char* key) {
  const auto at = entry.find(key);
  return at != entry.end() && at->is_string() ? at->get<std::string>() : std::string();
}

fs::path folder_of(const Json& entry, const fs::path& json) {
  const fs::path folder = text_of(entry, "directory");
  return folder.is_absolute() ? folder : json.parent_path() / folder;
}

}  // namespace

std::optional<fs::path> find_compile_commands(const fs::path& file) {
  const fs::path project = project_folder(file);
  for (const fs::path& folder : folders_above(file))
    for (const char* name : {"compile_commands.json", "build/compile_commands.json"})
      if (is_found(folder / name, project)) return folder / name;
  return std::nullopt;
}

CompileSettings read_compile_commands(const fs::path& json, const fs::path& kernel) {
  const auto text = read_file(json.string(), most_json_bytes);
  if (!text) return doubted(json, text.error().front().message);
  // Most files of a project are not its kernels: without the name in the text there is nothing to parse.
  const std::string name = kernel.filename().string();
  CompileSettings out;
  if (text->find(name) == std::string::npos) {
    out.remarks.push_back(fmt::format("{} has no entry of this file", json.string()));
    return out;
  }
  const Json all = Json::parse(*text, nullptr, false);
  if (all.is_discarded() || !all.is_array()) return doubted(json, "this is not a list in JSON");
  std::error_code problem;
  const fs::path wanted = fs::weakly_canonical(fs::absolute(kernel, problem), problem);
  const Json* found = nullptr;
  std::size_t entries = 0;
  for (const Json& entry : all) {
    if (!entry.is_object()) continue;
    const fs::path file = text_of(entry, "file");
    if (file.filename() != wanted.filename()) continue;
    if (fs::weakly_canonical(file.is_absolute() ? file : folder_of(entry, json) / file, problem) != wanted) continue;
    if (entries++ == 0) found = &entry;
  }
  if (found == nullptr) {
    out.remarks.push_back(fmt::format("{} has no entry of this file", json.string()));
    return out;
  }
  std::vector<std::string> words;
  if (const auto list = found->find("arguments"); list != found->end() && list->is_array()) {
    for (const Json& word : *list)
      if (word.is_string()) words.push_back(word.get<std::string>());
  } else {
    const CommandWords command = command_words(text_of(*found, "command"));
    if (!command.mistake.empty()) return doubted(json, command.mistake + " in the command of this file");
    for (const CommandWord& word : command.words) words.push_back(word.text);
  }
  if (words.empty()) return doubted(json, "the entry of this file has no command");
  const Base base{Origin::compile_commands, folder_of(*found, json), wanted, {json.string(), 0}};
  out = merged(read_compiler_call(words, base), std::move(out));
  if (entries > 1)
    out.remarks.push_back(fmt::format("{} has {} entries of this file; the first is used", json.string(), entries));
  return out;
}

}  // namespace lanescope::options
