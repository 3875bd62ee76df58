// The command line: subcommands and their options, and what becomes of words that no option takes. Only this folder includes CLI11.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/cli/answers/report.h"
#include "app/cli/cli.h"
#include "app/cli/commands/commands.h"
#include "app/cli/render/render.h"
#include "app/cli/shared_options.h"
#include "app/desktop/icon.h"
#include "app/engine/hardware/device.h"
#include "app/engine/remote/service.h"
#include "generated/resources.h"
#include "kernels/base/memory.h"
#include "kernels/base/nearest.h"
#include "kernels/base/standard_streams.h"
#include "kernels/base/text.h"

namespace lanescope::cli {
namespace {

std::vector<desktop::OptionHelp> window_options;

/// A sweep, or one run; several engines are of no use to one run.
int dispatch(const auto& options, Swept what, auto one) {
  if (options.sweep.empty() && options.more_files.empty() && options.array.empty() && options.jobs.empty())
    return one(options);
  if constexpr (requires { options.sarif; })
    if (options.sarif && options.sweep.empty() && options.array.empty() && options.jobs.empty()) return one(options);
  std::string_view left_out;  // what would otherwise be forgotten without a word
  if constexpr (requires { options.out; })
    if (!options.out.empty()) left_out = "--output";
  if constexpr (requires { options.sarif; })
    if (options.sarif) left_out = "--sarif";
  if (left_out.empty()) return sweep(options, what);
  report("", fmt::format("{} requires a single run", left_out), "name one file, without --sweep");
  return bad_input;
}

void add_check(Commands& all) {
  auto [c, o] =
      all.add<KernelOptions>("check", "check each assignment comment: holds, differs (and how) or unchecked (and why)",
                             [](const KernelOptions& o) { return dispatch(o, Swept::check, check); });
  kernel_options(*c, o, "kernel (.cu or .ptx)");
  verbose_option(*c, o);
  sweep_options(*c, o);
}
void add_kernels(Commands& all) {
  auto [c, o] = all.add<KernelsOptions>(
      "kernels", "list the kernels of a file and the instances that its host code launches", kernels);
  c->add_option("FILE", o.file, "kernel (.cu)")->required();
  c->add_flag("--json", o.json, "JSON on standard output");
}
void add_catalogue(Commands& all) {
  auto [c, o] =
      all.add<CatalogueOptions>("catalogue", "list the example kernels, or search them by words", list_catalogue);
  c->add_option("WORD", o.words, "words of a name, a topic, an explanation or a finding; all of them must fit");
  c->add_flag("--json", o.json, "JSON on standard output");
}
void add_lessons(Commands& all) {
  auto [list, of_list] =
      all.add<LessonsOptions>("lessons", "list the lessons, and how many questions of each are answered", list_lessons);
  list->add_flag("--json", of_list.json, "JSON on standard output");
  auto [one, o] = all.add<LessonOptions>(
      "lesson", "show a lesson: its pages, moments and questions; --play opens the window", show_lesson);
  one->add_option("NAME", o.name, "name or number of a lesson, or its folder")->required();
  one->add_option("--page", o.page, "this page alone, from 1")->check(CLI::Range(1, 1000));
  one->add_option("--gpu", o.gpu, "GPU that a lesson with a choice of it is about: K40, H200, ...");
  one->add_flag("--check", o.check, "find every moment, compute every answer, run every solution, and report failures");
  one->add_flag("--play", o.play, "play it in the window");
  one->add_flag("--json", o.json, "JSON on standard output");
}
void add_review(Commands& all) {
  auto [c, o] = all.add<ReviewOptions>("review", "review the kernel: findings with evidence", [](ReviewOptions& o) {
    o.fail_on = static_cast<Severity>(std::ranges::find(severity_words(), o.least) - severity_words().begin());
    return dispatch(o, Swept::review, review_kernel);
  });
  kernel_options(*c, o, "kernel (.cu or .ptx)");
  verbose_option(*c, o);
  c->add_flag("--sarif", o.sarif, "SARIF 2.1.0 on standard output, one log for all files")
      ->excludes(c->get_option("--json"));
  c->add_option("--fail-on", o.least, "the mildest severity of a finding that makes the exit status 1")
      ->capture_default_str()
      ->check(CLI::IsMember(severity_words()));
  sweep_options(*c, o);
}
void add_run(Commands& all) {
  auto [c, o] = all.add<RunOptions>("run", "run the kernel: outputs, and predicted counters per line and in total",
                                    [](const RunOptions& o) { return dispatch(o, Swept::run, run_kernel); });
  kernel_options(*c, o, "kernel (.cu or .ptx)");
  verbose_option(*c, o, "put its place before each printed line, and list the options of the compiler");
  c->add_option("-o,--output", o.out, "a buffer and the file to write it to; can be repeated")
      ->type_name("NAME=FILE.npy")
      ->allow_extra_args(false);
  sweep_options(*c, o);
}
void add_render(Commands& all) {
  auto [c, o] = all.add<RenderOptions>("render", "write a view as a picture", render);
  kernel_options(*c, o, "kernel (.cu or .ptx)");
  c->add_option("--view", o.view,
                "registers, global, shared, timeline, assignment, traffic, traffic-line, traffic-run, heat, ptx, "
                "lanes, barriers, claims, tree, journey, movement, divergence, grid, block, launches, offsets, "
                "occupancy, roofline or "
                "buffers; of "
                "a measurement: metrics, stalls, compare, sass or host-calls")
      ->required();
  c->add_option("--at", o.at,
                "LINE of the file, HEADER:LINE, or step:N (default: the end of the block); a line without "
                "instructions is that of "
                "the nearest that was executed");
  list_option(*c, "--family", o.families, "register arrays to show (default: those with elements)");
  c->add_option("--block", o.block, "block to show")->capture_default_str();
  ranged(*c, "--warp", o.warp, "first warp to show", 0, 1023);
  c->add_option("--warps", o.warps, "how many warps to show (default: 4 of registers, else all)")
      ->check(CLI::Range(1, 1024));
  c->add_option("--theme", o.theme, "dark, light or high-contrast")->capture_default_str();
  c->add_option("--colour,--color", o.colour, "colour by: an axis (j), bits (\"j1 j0\"), lane, warp or register");
  c->add_option("--counter", o.counter, "counter of heat and ptx: global_sectors, bank_conflicts, ...")
      ->capture_default_str();
  c->add_option("--gpu", o.gpu,
                "occupancy, roofline and views of traffic: name of a GPU (default: that of the architecture)");
  c->add_option("--measured", o.measured,
                "views of measurements: a file written by measure (default: measure now); several for compare; "
                "occupancy, roofline and buffers: measured values beside the calculated ones")
      ->type_name("FILE")
      ->allow_extra_args(false);
  c->add_option("--baseline", o.baseline, "metrics: file of an earlier measurement")->type_name("FILE");
  c->add_option("--filter", o.filter, "metrics: part of a counter's name, legacy name or group");
  c->add_flag("--differences", o.differences, "metrics: only counters that differ from the prediction");
  c->add_option("--buffer", o.buffer,
                "buffers: name of the buffer (default: one where GPU and emulator differ, or a written one)");
  c->add_option("--from", o.from, "buffers: first element shown")->capture_default_str();
  ranged(*c, "--count", o.count, "buffers: number of elements", std::uint64_t{1}, engine::most_contents);
  c->add_option("--of", o.of,
                "tree: the value, an element of a buffer (out[3]) or a register at --at (v) (default: the stored "
                "element that depends on most elements); journey: the elements (p[17],p[64..67])");
  c->add_option("--lane", o.lane, "tree: lane of the register (default: all lanes of the warp)")
      ->check(CLI::Range(0, 31));
  c->add_option("--what-if", o.what_if, "shared: padding:32+1 or swizzle:32/4/1, in words of 4 bytes");
  c->add_option("--wavefront", o.wavefront, "shared: show only this wavefront, from 0")->check(CLI::Range(0, 65535));
  c->add_option("--tile", o.tile, "block: threads of a cooperative-groups tile, 2 to 32")
      ->check(CLI::IsMember({2, 4, 8, 16, 32}));
  c->add_option("--label", o.label, "block: labels of the cells")
      ->capture_default_str()
      ->check(CLI::IsMember(label_words()));
  ranged(*c, "--share", o.share, "movement: position between before (0) and after (1) the statement", 0.0, 1.0);
  c->add_flag("--statement", o.statement, "movement: one statement, even if several together make an exchange");
  c->add_option("--width", o.width, "width in pixels (default: the view's own)")->check(CLI::Range(100.0, 32768.0));
  c->add_option("--height", o.height, "movement: height in pixels (default: the view's own)")
      ->check(CLI::Range(100.0, 32768.0));
  ranged(*c, "--scale", o.scale, "pixels of a PNG per unit", 0.1, 64.0);
  c->add_option("-o,--output", o.output, "file to write: .svg, .png, .json (the scene) or .csv (the data)")
      ->type_name("FILE")
      ->required();
}
void add_measure(Commands& all) {
  auto [c, o] = all.add<MeasureOptions>("measure", "measure the kernel on a GPU, beside the prediction", measure);
  o.measures = true;
  kernel_options(*c, o, "kernel (.cu or .ptx)");
  c->remove_option(c->get_option("--engine"));
  c->add_option("--engine", o.engine, "engine: gpu")->default_val("gpu")->check(CLI::IsMember({"gpu"}));
  list_option(*c, "--parts", o.parts,
              "timing, counters, instructions, stalls, activity, trace (default: all), separated by commas");
  list_option(*c, "--metrics", o.metrics,
              "additional counters by hardware name or by that of nvprof, separated by commas");
  ranged(*c, "--repetitions", o.repetitions, "number of timed launches", 1, 100000);
  ranged(*c, "--warm-up", o.warm_up, "number of warm-up launches", 0, 100000);
  c->add_option("-o,--output", o.output, "file to write, for render --measured on any machine")->type_name("FILE");
}
void add_annotate(Commands& all) {
  auto [c, o] = all.add<AnnotateOptions>("annotate", "write missing assignment comments", annotate);
  kernel_options(*c, o, "kernel (.cu)");
  c->remove_option(c->get_option("--launch"));  // that of a .ptx file, which has no comments
  CLI::Option* out =
      c->add_option("-o,--output", o.output, "file to write (default: standard output)")->type_name("FILE");
  c->add_flag("--in-place", o.in_place, "replace the file itself")->excludes(out);
}
void add_handout(Commands& all) {
  auto [c, o] = all.add<HandoutOptions>(
      "handout", "write a run, bookmarked moments or a lesson as one HTML file, or as slides", write_handout);
  kernel_options(*c, o, "kernel (.cu or .ptx), file of moments (.moments.toml), or name of a lesson");
  c->add_option("--at", o.at, "only this moment: LINE of the file, or step:N; of moments, its name");
  c->add_option("--block", o.block, "block to show")->capture_default_str();
  ranged(*c, "--warp", o.warp, "warp to show", 0, 1023);
  ranged(*c, "--steps", o.most_steps, "how many steps are shown, at most", 1, 2000);
  c->add_option("--gpu", o.gpu, "of a lesson with a choice of a GPU: the one that it is about");
  c->add_option("--theme", o.theme, "of slides and pictures: light or dark; HTML has both")->capture_default_str();
  ranged(*c, "--scale", o.scale, "pixels of a PNG per unit", 0.1, 8.0);
  c->add_option("-o,--output", o.output,
                "file to write: .html (plays in any browser, without a network), .pdf (slides), .png or .svg (one "
                "moment)")
      ->type_name("FILE")
      ->required();
}
void add_adopt(Commands& all) {
  auto [c, o] =
      all.add<AdoptOptions>("adopt", "write the launch header of a file that has none, from inferred values", adopt);
  c->add_option("FILE", o.file, "kernel (.cu)")->required();
  c->add_option("--kernel", o.kernel, "kernel or instance to run; see lanescope kernels");
  CLI::Option* out =
      c->add_option("-o,--output", o.output, "file to write (default: standard output)")->type_name("FILE");
  c->add_flag("--in-place", o.in_place, "replace the file itself")->excludes(out);
  c->add_flag("--json", o.json, "JSON on standard output");
}
void add_journey(Commands& all) {
  auto [c, o] = all.add<JourneyOptions>("journey", "follow elements of buffers through the kernel", journey);
  kernel_options(*c, o, "kernel (.cu or .ptx)");
  c->add_option("ELEMENT", o.elements, "elements to follow: p[17], p[64..67]")->required();
  c->add_option(
      "--block", o.block,
      "block that is recorded (default: 0, and of elements that it does not access the first block that does)");
}
void add_resources(Commands& all) {
  auto [c, o] = all.add<ResourcesOptions>(
      "resources", "list registers, stack, spills, shared memory and constant banks of each kernel, as ptxas -v does",
      resources);
  c->add_option("FILE", o.file, "kernel (.cu)")->required();
  c->add_option("--arch", o.arch, "architecture, for instance sm_90 (default: the file's, else sm_90)");
  c->add_option("--nvcc", o.nvcc_command, "an nvcc command whose options are used, in quotes")->type_name("COMMAND");
  c->add_flag("--no-nvrtc", o.no_nvrtc, "as without NVRTC");
  c->add_flag("--sass", o.sass, "print the machine code beside the source, where nvdisasm is installed");
  c->add_flag("--json", o.json, "JSON on standard output");
}
void add_rest(Commands& all) {
  auto [d, o] =
      all.add<DoctorOptions>("doctor", "list available and missing components of this machine, and how to install them",
                             [](const DoctorOptions& o) { return o.ptx ? doctor_ptx(o) : doctor(o); });
  d->add_flag("--json", o.json, "JSON on standard output");
  d->add_flag("--no-nvrtc", o.no_nvrtc, "as without NVRTC");
  d->add_flag("--ptx", o.ptx, "list the PTX instructions that the emulator executes, and those that it does not");
  CLI::App* w = all.app.add_subcommand("worker", "run the engine on standard input and output (for --via)");
  w->callback([&all] { all.status = engine::run_worker(); });
  CLI::App* k = all.app.add_subcommand(
      "child", "run one launch or measurement on a GPU: request on standard input, result on standard output");
  const auto task = std::make_shared<std::string>();
  k->add_option("TASK", *task, fmt::format("{}", fmt::join(engine::child_tasks, ", ")))
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(engine::child_tasks.begin(), engine::child_tasks.end())));
  k->callback([&all, task] { all.status = engine::serve_child(*task); });
}
/// For packages: not listed in the help.
void add_desktop(Commands& all) {
  const auto add = [&](const char* name, const char* meaning, auto action) {
    const auto added = all.add<DesktopOptions>(name, meaning, action);
    added.command->group("");
    added.command->add_option("-o,--output", added.options.output, "file to write (default: standard output)")
        ->type_name("FILE");
    return added;
  };
  add("man", "the manual page, for man(1)", [&all](const DesktopOptions& o) {
    return write_text(o, desktop::manual_page(help_of(all.app, window_options)));
  });
  const auto completion =
      add("completion", "completion of commands and options in a shell", [&all](const DesktopOptions& o) {
        return write_text(o, desktop::completion(o.shell, help_of(all.app, window_options)));
      });
  completion.command
      ->add_option("SHELL", completion.options.shell, fmt::format("{}", fmt::join(desktop::shells(), ", ")))
      ->required()
      ->check(CLI::IsMember(desktop::shells()));
  const auto icon = add("icon", "the icon as .svg or .png", write_icon);
  icon.command->add_option("--size", icon.options.icon_size, "side of a .png in pixels")
      ->capture_default_str()
      ->check(CLI::Range(8, 1024));
  icon.command->get_option("--output")->required();
}

constexpr std::array<std::string_view, 9> kernel_command_names = {
    "check", "review", "run", "measure", "render", "annotate", "occupancy", "resources", "handout"};

/// Cuts off what is after `--`, but for the names of files right after it, which have stood there before.
std::vector<std::string> cut_compiler_options(std::vector<std::string>& words) {
  const auto dashes = std::ranges::find(words, "--");
  if (words.empty() || dashes == words.end() || !one_of(words.front(), kernel_command_names)) return {};
  auto first = dashes + 1;
  while (first != words.end() && !first->starts_with('-') && !first->starts_with('@')) ++first;
  std::vector<std::string> options(first, words.end());
  words.erase(first, words.end());
  if (words.back() == "--") words.pop_back();
  if (!options.empty() && options.front() == "--") options.erase(options.begin());
  return options;
}

/// A file may have a name that begins with a dash: where one is missing, the first word after `--` was meant.
void parse(CLI::App& app, const std::vector<std::string>& words, std::vector<std::string> after, Commands& commands) {
  const auto reversed = [](std::vector<std::string> list) {  // as CLI11 takes them
    std::ranges::reverse(list);
    return list;
  };
  try {
    app.parse(reversed(words));
  } catch (const CLI::RequiredError&) {
    if (after.empty()) throw;
    std::vector<std::string> more = words;
    more.insert(more.end(), {"--", after.front()});
    after.erase(after.begin());
    if (!after.empty() && after.front() == "--") after.erase(after.begin());
    for (KernelOptions* options : commands.of_kernels) options->compiler_options = after, options->words = words;
    app.parse(reversed(more));
  }
}

}  // namespace

Commands::Commands(CLI::App& to) : app(to) {
  for (const auto add : {add_check,   add_kernels,   add_catalogue, add_lessons, add_review,   add_run,  add_measure,
                         add_render,  add_annotate,  add_handout,   add_adopt,   add_access,   add_plan, add_occupancy,
                         add_threads, add_resources, add_journey,   add_explain, add_counters, add_rest, add_desktop})
    add(*this);
}

bool is_command(std::string_view word) {
  CLI::App app;
  Commands commands(app);
  return word == "--help" || word == "-h" || word == "--help-all" || word == "--version" ||
         !app.get_subcommands([&](const CLI::App* c) { return c->get_name() == word; }).empty();
}

Diagnostics unknown_command(std::string_view word) {
  std::error_code ignored;
  const bool may_be_file = word.empty() || word.find_first_of("/.") != std::string_view::npos;
  if (may_be_file || word.starts_with('-') || std::filesystem::exists(word, ignored) || is_command(word)) return {};
  CLI::App app;
  Commands commands(app);
  std::vector<std::string> known;
  for (const CLI::App* c : app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); }))
    known.push_back(c->get_name());
  known.insert(known.end(), {"--help", "--version"});
  return {{.message = fmt::format("there is no command '{}', and no such file", word),
           .remedy = did_you_mean(word, known, "see lanescope --help")}};
}

void set_explorer_options(std::vector<desktop::OptionHelp> options) { window_options = std::move(options); }

int run(int argc, char** argv) {
  CLI::App app(
      "Shows where each array element is while a CUDA kernel runs.\nWithout a subcommand: lanescope [FILE.cu] opens "
      "the explorer.",
      "lanescope");
  app.set_version_flag("--version", "lanescope " + std::string(resources::version));
  app.require_subcommand(1);
  Commands commands(app);
  // After the subcommands, which would inherit them.
  app.set_help_all_flag("--help-all", "help of every subcommand");
  refuse_odd_values(app);
  app.footer((window_options.empty() ? std::string() : window_words(window_options)) + desktop_words());
  std::vector<std::string> words(argv + 1, argv + argc);
  watch_memory([](const Diagnostic& full) {
    report({full});
    std::_Exit(not_here);
  });
  put_current_names(words);
  const std::vector<std::string> after = cut_compiler_options(words);
  for (KernelOptions* options : commands.of_kernels) options->compiler_options = after, options->words = words;
  try {
    parse(app, words, after, commands);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& mistake) {
    put_error("lanescope: " + words_of_mistake(app, mistake) + "\n");
    return bad_input;
  } catch (const std::exception& broken) {
    put_error(fmt::format("lanescope: {}\n", broken.what()));
    return bad_input;
  }
  return commands.status;
}

}  // namespace lanescope::cli
