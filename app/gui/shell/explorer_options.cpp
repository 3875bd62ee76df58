#include "app/gui/shell/explorer_options.h"

#include <algorithm>
#include <functional>
#include <map>

#include "app/gui/model/options.h"
#include "kernels/base/nearest.h"
#include "kernels/base/numbers.h"
#include "kernels/compile/compile_options.h"
#include "viz/views/base/theme.h"

namespace lanescope::gui {
namespace {

template <class Number>
bool read_number(const std::string& text, Number& out) {
  const auto number = number_in<Number>(text);
  if (number) out = *number;
  return number.has_value();
}

bool read_extent(ExplorerOptions& o, const std::string& text) {
  const auto x = text.find('x');
  return x != std::string::npos && read_number(text.substr(0, x), o.width) &&
         read_number(text.substr(x + 1), o.height) && o.width >= 320 && o.height >= 240 && o.width <= 16384 &&
         o.height <= 16384;
}

struct Option {
  const char* value;  ///< what follows it, in words; nullptr: nothing
  const char* meaning;
  std::function<bool(ExplorerOptions&, const std::string&)> read;  ///< false: the value is not acceptable
};

auto text_into(std::string ExplorerOptions::*member) {
  return [member](ExplorerOptions& o, const std::string& v) { return o.*member = v, !v.empty(); };
}
auto flag_into(bool ExplorerOptions::*member) {
  return [member](ExplorerOptions& o, const std::string&) { return o.*member = true; };
}

const std::map<std::string, Option>& option_table() {
  static const std::map<std::string, Option> table{
      {"--arch", Option{"sm_XX", "architecture to compile for (default: the file's, else sm_90)",
                        [](ExplorerOptions& o, const std::string& v) {
                          return o.arch = v, compile::wrong_architecture({}, v).empty();
                        }}},
      {"--engine", Option{"NAME", "emulator or gpu",
                          [](ExplorerOptions& o, const std::string& v) {
                            o.on_gpu = v == "gpu";
                            return v == "gpu" || v == "emulator";
                          }}},
      {"--device",
       Option{"N", "which GPU, from 0; doctor lists them",
              [](ExplorerOptions& o, const std::string& v) { return read_number(v, o.device) && o.device >= 0; }}},
      {"--seed", Option{"N", "seed of the schedule (default 1)",
                        [](ExplorerOptions& o, const std::string& v) { return read_number(v, o.seed); }}},
      {"--run-seconds",
       Option{"S", "seconds of running after which no more blocks begin; 0: no limit (default 4; offscreen 0)",
              [](ExplorerOptions& o, const std::string& v) {
                return read_number(v, o.run_seconds) && o.run_seconds >= 0;
              }}},
      {"--history",
       Option{"BYTES",
              "memory for checkpoints, from which any step of any block is shown; 0: none (default 1073741824, 1 GiB)",
              [](ExplorerOptions& o, const std::string& v) { return read_number(v, o.history_bytes); }}},
      {"--no-nvrtc", Option{nullptr, "use stored PTX only, as without NVRTC", flag_into(&ExplorerOptions::no_nvrtc)}},
      {"--via",
       Option{"COMMAND", "command that starts the worker on another machine, for example \"ssh node lanescope worker\"",
              text_into(&ExplorerOptions::via)}},
      {"--nvcc",
       Option{"COMMAND",
              "an nvcc command whose options are used, in quotes; options of the compiler can also be written after a "
              "--, as in k.cu -- -I include -DX=1",
              text_into(&ExplorerOptions::nvcc_command)}},
      {"--script", Option{"FILE", "run a script; the window stays open unless the script quits",
                          text_into(&ExplorerOptions::script)}},
      {"--offscreen",
       Option{nullptr, "run without a display; with --script or --screenshot", flag_into(&ExplorerOptions::offscreen)}},
      {"--launch",
       Option{"FILE", "launch of a .ptx file: TOML as in a launch header", text_into(&ExplorerOptions::launch_file)}},
      {"--screenshot", Option{"FILE.png", "write a picture of the window when results are available, then quit",
                              text_into(&ExplorerOptions::screenshot)}},
      {"--size", Option{"WxH", "window in pixels (default 1600x1000)", read_extent}},
      {"--scale", Option{"X", "scale of the interface, 0.75 to 3",
                         [](ExplorerOptions& o, const std::string& v) {
                           return read_number(v, o.scale) && o.scale >= 0.75f && o.scale <= 3.0f;
                         }}},
      {"--theme", Option{"NAME", "dark, light or high-contrast",
                         [](ExplorerOptions& o, const std::string& v) {
                           return o.theme = views::theme_name_of(v), !o.theme.empty();
                         }}},
      {"--arrangement", Option{"NAME", "Learn, Debug, Profile or Design",
                               [](ExplorerOptions& o, const std::string& v) {
                                 return o.arrangement = v, arrangement_named(v).has_value();
                               }}},
      {"--session", Option{"FILE", "session file to read and write", text_into(&ExplorerOptions::session)}},
      {"--no-session", Option{nullptr, "do not read or write a session file", flag_into(&ExplorerOptions::no_session)}},
      {"--lesson", Option{"NAME", "open a lesson; lanescope lessons lists them", text_into(&ExplorerOptions::lesson)}},
      {"--lesson-page", Option{"N", "page of that lesson, from 1",
                               [](ExplorerOptions& o, const std::string& v) {
                                 return read_number(v, o.lesson_page) && o.lesson_page >= 1;
                               }}},
      {"--lesson-gpu",
       Option{"NAME", "GPU that a lesson with a choice of it is about", text_into(&ExplorerOptions::lesson_gpu)}},
      {"--list-commands", Option{nullptr, "print all commands with their keys, as in docs/keys.md",
                                 flag_into(&ExplorerOptions::list_commands)}},
      {"--in-process", Option{nullptr, "run the engine in this process", flag_into(&ExplorerOptions::in_process)}},
  };
  return table;
}

}  // namespace

Expected<ExplorerOptions> parse_explorer_arguments(std::span<const std::string> arguments) {
  ExplorerOptions options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string name = arguments[i], value;
    if (name == "--") {
      options.compiler_options.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      if (!options.compiler_options.empty() && options.file.empty())
        return failure("options of the compiler need a kernel file", "name a .cu file before the --");
      break;
    }
    if (name.empty() || name[0] != '-') {
      if (!options.file.empty())
        return failure("two files were given, '" + options.file + "' and '" + name + "'", "name one file");
      options.file = name;
      continue;
    }
    bool has_value = false;
    if (const auto equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
      has_value = true;
    }
    const auto found = option_table().find(name);
    if (found == option_table().end()) {
      std::vector<std::string> names;
      for (const auto& [each, option] : option_table()) names.push_back(each);
      return failure("unknown option '" + name + "'", did_you_mean(name, names, "see lanescope --help"));
    }
    const Option& option = found->second;
    if (option.value != nullptr && !has_value) {
      if (++i == arguments.size()) return failure(name + " needs a value", "write " + name + " " + option.value);
      value = arguments[i];
    }
    if (!option.read(options, value))
      return failure("'" + value + "' is not a value of " + name,
                     "write " + name + " " + (option.value ? option.value : "") + ": " + option.meaning);
  }
  return options;
}

std::optional<std::vector<std::string>> played_lesson(std::span<const std::string> words) {
  const auto play = std::ranges::find(words, "--play");
  if (words.size() < 2 || words[0] != "lesson" || play == words.end()) return std::nullopt;
  std::vector<std::string> out;
  for (const std::string& word : words.subspan(1)) {
    if (word == "--play") continue;
    if (out.empty()) out.emplace_back("--lesson");
    // Those of the command are the lesson's; all others are the explorer's.
    const std::string name = word.substr(0, word.find('='));
    out.push_back(name == "--page" || name == "--gpu" ? "--lesson-" + word.substr(2) : word);
  }
  return out;
}

std::vector<desktop::OptionHelp> explorer_options() {
  std::vector<desktop::OptionHelp> all;
  for (const auto& [name, option] : option_table()) {
    desktop::OptionHelp help{.names = {name}, .value = option.value ? option.value : "", .meaning = option.meaning};
    if (name == "--engine") help.choices = {"emulator", "gpu"};
    if (name == "--theme") help.choices = views::theme_names();
    if (name == "--arrangement")
      for (int n = 0; n < arrangement_count; ++n)
        help.choices.emplace_back(arrangement_name(static_cast<Arrangement>(n)));
    all.push_back(std::move(help));
  }
  return all;
}

}  // namespace lanescope::gui
