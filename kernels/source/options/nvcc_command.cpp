#include "kernels/source/options/nvcc_command.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/options/command_words.h"
#include "kernels/source/options/project.h"

namespace lanescope::options {
namespace {

namespace fs = std::filesystem;

/// "nvcc", "/usr/local/cuda/bin/nvcc", "nvcc-13", "clang++-17", "x86_64-linux-gnu-g++".
bool is_compiler(std::string_view word) {
  std::string name = fs::path(word).filename().string();
  if (name.ends_with(".exe")) name.resize(name.size() - 4);
  while (!name.empty() && (is_digit(name.back()) || name.back() == '.' || name.back() == '-')) name.pop_back();
  for (const std::string_view known : {"nvcc", "clang", "clang++", "gcc", "g++", "c++", "cc", "nvc++", "hipcc"})
    if (name == known || name.ends_with("-" + std::string(known))) return true;
  return name == "nvcc_wrapper" || name == "__nvcc_device_query";
}

using Command = std::vector<CommandWord>;

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
