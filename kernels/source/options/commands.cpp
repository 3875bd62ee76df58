#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/options/build_files.h"
#include "kernels/source/options/command_words.h"
#include "kernels/source/options/header_search.h"
#include "kernels/source/options/nvcc_words.h"

namespace lanescope::options {
namespace {

using Command = std::vector<CommandWord>;

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

/// "nvcc", "/usr/local/cuda/bin/nvcc", "nvcc-13", "clang++-17", "x86_64-linux-gnu-g++".
bool is_compiler(std::string_view word) {
  std::string name = fs::path(word).filename().string();
  if (name.ends_with(".exe")) name.resize(name.size() - 4);
  while (!name.empty() && (is_digit(name.back()) || name.back() == '.' || name.back() == '-')) name.pop_back();
  for (const std::string_view known : {"nvcc", "clang", "clang++", "gcc", "g++", "c++", "cc", "nvc++", "hipcc"})
    if (name == known || name.ends_with("-" + std::string(known))) return true;
  return name == "nvcc_wrapper" || name == "__nvcc_device_query";
}

CompileSettings not_used(const std::vector<std::string>& words, const char* reason, const Base& base) {
  CompileSettings out;
  if (!words.empty())
    out.left_out.push_back(
        {.written = shell_text(words), .reason = reason, .origin = base.origin, .place = base.place});
  return out;
}

/// Where the command was run, as far as its file names show.
fs::path run_folder(const Command& command, const Base& base) {
  std::error_code problem;
  const fs::path own = fs::weakly_canonical(fs::absolute(base.file, problem), problem);
  for (const CommandWord& word : command) {
    const fs::path named = word.text;
    if (named.filename() != own.filename() || named.is_absolute()) continue;
    for (const fs::path& folder : folders_above(own))
      if (fs::weakly_canonical(folder / named, problem) == own) return folder;
    // "../src/k.cu", run in a folder beside it: of all folders that would do, the one that was made for building.
    for (const fs::path& folder : folders_above(own, 4))
      for (const char* name : {"build", "bin", "out", "obj", "."})
        if (fs::is_directory(folder / name, problem) && fs::weakly_canonical(folder / name / named, problem) == own)
          return folder / name;
  }
  return base.folder;
}

/// Options with a word whose value only a shell has are left out.
CompileSettings without_variables(CompileSettings settings, const std::set<std::string>& unknown) {
  std::vector<UsedOption> used = std::move(settings.used);
  settings.used.clear();
  for (UsedOption& o : used) {
    const CommandWords words = command_words(o.written);
    if (std::ranges::none_of(words.words, [&](const CommandWord& w) { return unknown.contains(w.text); })) {
      settings.used.push_back(std::move(o));
      continue;
    }
    settings.left_out.push_back({.written = std::move(o.written),
                                 .reason = "has a variable of the shell, whose value is not known here",
                                 .origin = o.origin,
                                 .place = std::move(o.place)});
  }
  return settings;
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

CompileSettings read_compiler_call(const std::vector<std::string>& words, const Base& base) {
  std::size_t first = 0;
  const auto compiler = std::ranges::find_if(words, is_compiler);
  std::vector<std::string> before;
  if (compiler != words.end()) {
    first = static_cast<std::size_t>(compiler - words.begin()) + 1;
    before.assign(words.begin(), compiler + 1);
  } else if (!words.empty() && !words.front().starts_with('-')) {
    first = 1;
    before = {words.front()};
  }
  CompileSettings call = not_used(before, "calls the compiler", base);
  for (LeftOut& o : call.left_out) o.no_option = true;
  return merged(read_words({words.begin() + static_cast<std::ptrdiff_t>(first), words.end()}, base), std::move(call));
}

CompileSettings read_nvcc_command(std::string_view text, Base base) {
  const CommandWords all = command_words(text);
  CompileSettings out;
  if (!all.mistake.empty()) {
    out.diagnostics.push_back({.file = base.place.file,
                               .line = base.place.line,
                               .message = "the nvcc command cannot be read: " + all.mistake,
                               .remedy = "paste the whole command"});
    return out;
  }
  std::vector<Command> commands(1);
  for (std::size_t i = 0; i < all.words.size(); ++i) {
    const CommandWord& word = all.words[i];
    if (!word.is_operator) {
      commands.back().push_back(word);
    } else if (word.text.starts_with('>') || word.text.starts_with('<')) {
      std::vector<std::string> words = {word.text};
      while (i + 1 < all.words.size() && all.words[i + 1].is_operator && all.words[i + 1].text == "&")
        words.push_back(all.words[++i].text);
      if (i + 1 < all.words.size() && !all.words[i + 1].is_operator) words.push_back(all.words[++i].text);
      out = merged(std::move(out), not_used(words, "is a redirection", base));
    } else {
      commands.emplace_back();
    }
  }
  std::erase_if(commands, [](const Command& c) { return c.empty(); });
  if (commands.empty()) return out;
  const auto calls = [](bool (*matches)(std::string_view)) {
    return [matches](const Command& c) {
      return std::ranges::any_of(c, [&](const CommandWord& w) { return matches(w.text); });
    };
  };
  auto chosen = std::ranges::find_if(
      commands, calls([](std::string_view w) { return is_compiler(w) && w.find("nvcc") != std::string_view::npos; }));
  if (chosen == commands.end()) chosen = std::ranges::find_if(commands, calls(is_compiler));
  if (chosen == commands.end()) chosen = commands.begin();
  for (auto command = commands.begin(); command != commands.end(); ++command) {
    if (command == chosen) continue;
    std::vector<std::string> words;
    for (const CommandWord& w : *command) words.push_back(w.text);
    const bool moves = command < chosen && words.size() == 2 && words.front() == "cd";
    if (moves) base.folder = fs::path(words[1]).is_absolute() ? fs::path(words[1]) : base.folder / words[1];
    out =
        merged(std::move(out), not_used(words, moves ? "names the folder of the command" : "is another command", base));
  }
  base.folder = run_folder(*chosen, base);
  std::vector<std::string> words;
  std::set<std::string> unknown;
  for (const CommandWord& word : *chosen) {
    words.push_back(word.text);
    if (word.expands) unknown.insert(word.text);
  }
  return merged(without_variables(read_compiler_call(words, base), unknown), std::move(out));
}

}  // namespace lanescope::options
