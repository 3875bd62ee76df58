// The command line: subcommands and their options, and what becomes of words that no option takes. Only this folder includes CLI11.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
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
#include "app/engine/hardware/serve_child.h"
#include "app/engine/remote/worker.h"
#include "generated/resources.h"
#include "kernels/base/memory.h"
#include "kernels/base/nearest.h"
#include "kernels/base/standard_streams.h"
#include "kernels/base/text.h"

namespace lanescope::cli {
namespace {

std::vector<desktop::OptionHelp> window_options;

/// A sweep, or one run; several engines are of no use to one run.
template <class Options, class One>
int dispatch(const Options& options, Swept what, One one) {
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

/// The subcommands: their options live as long as the parse, their actions give the exit status.
struct Commands {
  KernelOptions check_options;
  KernelsOptions kernels_options;
  CatalogueOptions catalogue_options;
  LessonsOptions lessons_options;
  LessonOptions lesson_options;
  ReviewOptions review_options;
  RunOptions run_options;
  MeasureOptions measure_options;
  RenderOptions render_options;
  AnnotateOptions annotate_options;
  HandoutOptions handout_options;
  DoctorOptions doctor_options;
  AdoptOptions adopt_options;
  ResourcesOptions resources_options;
  JourneyOptions journey_options;
  DesktopOptions desktop_options;
  std::string child_task;
  int status = 0;
  CalculatorArguments calculators{status};

  /// Of the commands that take a kernel file.
  std::vector<KernelOptions*> kernel_commands() {
    return {&check_options,
            &review_options,
            &run_options,
            &measure_options,
            &render_options,
            &annotate_options,
            &calculators.occupancy_options,
            &resources_options,
            &journey_options,
            &handout_options};
  }

  explicit Commands(CLI::App& app) {
    add_check(app);
    add_kernels(app);
    add_catalogue(app);
    add_lessons(app);
    add_review(app);
    add_run(app);
    add_measure(app);
    add_render(app);
    add_annotate(app);
    add_handout(app);
    add_adopt(app);
    calculators.add_access(app);
    calculators.add_plan(app);
    calculators.add_occupancy(app);
    calculators.add_threads(app);
    add_resources(app);
    add_journey(app);
    calculators.add_explain(app);
    calculators.add_counters(app);
    add_rest(app);
    add_desktop(app);
  }

  /// What a kernel command does, once it has received which options were named.
  template <class Options, class Action>
  void on(CLI::App* c, Options& options, Action action) {
    c->callback([this, c, &options, action] {
      options.given = given_to(*c);
      status = action(options);
    });
  }

  void add_check(CLI::App& app) {
    CLI::App* c =
        app.add_subcommand("check", "check each assignment comment: holds, differs (and how) or unchecked (and why)");
    kernel_options(*c, check_options, "kernel (.cu or .ptx)");
    verbose_option(*c, check_options);
    sweep_options(*c, check_options);
    on(c, check_options, [](const KernelOptions& o) { return dispatch(o, Swept::check, check); });
  }
  void add_kernels(CLI::App& app) {
    CLI::App* c =
        app.add_subcommand("kernels", "list the kernels of a file and the instances that its host code launches");
    c->add_option("FILE", kernels_options.file, "kernel (.cu)")->required();
    c->add_flag("--json", kernels_options.json, "JSON on standard output");
    c->callback([this] { status = kernels(kernels_options); });
  }
  void add_catalogue(CLI::App& app) {
    CLI::App* c = app.add_subcommand("catalogue", "list the example kernels, or search them by words");
    c->add_option("WORD", catalogue_options.words,
                  "words of a name, a topic, an explanation or a finding; all of them must fit");
    c->add_flag("--json", catalogue_options.json, "JSON on standard output");
    c->callback([this] { status = list_catalogue(catalogue_options); });
  }
  void add_lessons(CLI::App& app) {
    CLI::App* all = app.add_subcommand("lessons", "list the lessons, and how many questions of each are answered");
    all->add_flag("--json", lessons_options.json, "JSON on standard output");
    all->callback([this] { status = list_lessons(lessons_options); });
    CLI::App* one =
        app.add_subcommand("lesson", "show a lesson: its pages, moments and questions; --play opens the window");
    one->add_option("NAME", lesson_options.name, "name or number of a lesson, or its folder")->required();
    one->add_option("--page", lesson_options.page, "this page alone, from 1")->check(CLI::Range(1, 1000));
    one->add_option("--gpu", lesson_options.gpu, "GPU that a lesson with a choice of it is about: K40, H200, ...");
    one->add_flag("--check", lesson_options.check,
                  "find every moment, compute every answer, run every solution, and report failures");
    one->add_flag("--play", lesson_options.play, "play it in the window");
    one->add_flag("--json", lesson_options.json, "JSON on standard output");
    one->callback([this] { status = show_lesson(lesson_options); });
  }
  void add_review(CLI::App& app) {
    CLI::App* c = app.add_subcommand("review", "review the kernel: findings with evidence");
    kernel_options(*c, review_options, "kernel (.cu or .ptx)");
    verbose_option(*c, review_options);
    c->add_flag("--sarif", review_options.sarif, "SARIF 2.1.0 on standard output, one log for all files")
        ->excludes(c->get_option("--json"));
    c->add_option("--fail-on", review_options.least, "the mildest severity of a finding that makes the exit status 1")
        ->capture_default_str()
        ->check(CLI::IsMember(severity_words()));
    sweep_options(*c, review_options);
    on(c, review_options, [](ReviewOptions& o) {
      o.fail_on = static_cast<Severity>(std::ranges::find(severity_words(), o.least) - severity_words().begin());
      return dispatch(o, Swept::review, review_kernel);
    });
  }
  void add_run(CLI::App& app) {
    CLI::App* c = app.add_subcommand("run", "run the kernel: outputs, and predicted counters per line and in total");
    kernel_options(*c, run_options, "kernel (.cu or .ptx)");
    verbose_option(*c, run_options, "put its place before each printed line, and list the options of the compiler");
    c->add_option("-o,--output", run_options.out, "a buffer and the file to write it to; can be repeated")
        ->type_name("NAME=FILE.npy")
        ->allow_extra_args(false);
    sweep_options(*c, run_options);
    on(c, run_options, [](const RunOptions& o) { return dispatch(o, Swept::run, run_kernel); });
  }
  void add_render(CLI::App& app) {
    RenderOptions& o = render_options;
    CLI::App* c = app.add_subcommand("render", "write a view as a picture");
    kernel_options(*c, o, "kernel (.cu or .ptx)");
    c->add_option(
         "--view", o.view,
         "registers, global, shared, timeline, assignment, traffic, traffic-line, traffic-run, heat, ptx, "
         "lanes, barriers, tree, journey, movement, divergence, grid, block, launches, offsets, occupancy, roofline or "
         "buffers; of "
         "a measurement: metrics, stalls, compare, sass or host-calls")
        ->required();
    c->add_option("--at", o.at,
                  "LINE of the file, HEADER:LINE, or step:N (default: the end of the block); a line without "
                  "instructions is that of "
                  "the nearest that was executed");
    c->add_option("--family", o.families, "register arrays to show (default: those with elements)")
        ->delimiter(',')
        ->allow_extra_args(false);
    c->add_option("--block", o.block, "block to show")->capture_default_str();
    c->add_option("--warp", o.warp, "first warp to show")->capture_default_str()->check(CLI::Range(0, 1023));
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
    c->add_option("--count", o.count, "buffers: number of elements")
        ->capture_default_str()
        ->check(CLI::Range(std::uint64_t{1}, engine::most_contents));
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
    c->add_option("--share", o.share, "movement: position between before (0) and after (1) the statement")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1.0));
    c->add_flag("--statement", o.statement, "movement: one statement, even if several together make an exchange");
    c->add_option("--width", o.width, "width in pixels (default: the view's own)")->check(CLI::Range(100.0, 32768.0));
    c->add_option("--height", o.height, "movement: height in pixels (default: the view's own)")
        ->check(CLI::Range(100.0, 32768.0));
    c->add_option("--scale", o.scale, "pixels of a PNG per unit")->capture_default_str()->check(CLI::Range(0.1, 64.0));
    c->add_option("-o,--output", o.output, "file to write: .svg, .png, .json (the scene) or .csv (the data)")
        ->type_name("FILE")
        ->required();
    on(c, render_options, render);
  }
  void add_measure(CLI::App& app) {
    MeasureOptions& o = measure_options;
    CLI::App* c = app.add_subcommand("measure", "measure the kernel on a GPU, beside the prediction");
    o.measures = true;
    kernel_options(*c, o, "kernel (.cu or .ptx)");
    c->remove_option(c->get_option("--engine"));
    c->add_option("--engine", o.engine, "engine: gpu")->default_val("gpu")->check(CLI::IsMember({"gpu"}));
    c->add_option("--parts", o.parts,
                  "timing, counters, instructions, stalls, activity, trace (default: all), separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    c->add_option("--metrics", o.metrics,
                  "additional counters by hardware name or by that of nvprof, separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    c->add_option("--repetitions", o.repetitions, "number of timed launches")
        ->capture_default_str()
        ->check(CLI::Range(1, 100000));
    c->add_option("--warm-up", o.warm_up, "number of warm-up launches")
        ->capture_default_str()
        ->check(CLI::Range(0, 100000));
    c->add_option("-o,--output", o.output, "file to write, for render --measured on any machine")->type_name("FILE");
    on(c, measure_options, measure);
  }
  void add_annotate(CLI::App& app) {
    CLI::App* c = app.add_subcommand("annotate", "write missing assignment comments");
    kernel_options(*c, annotate_options, "kernel (.cu)");
    c->remove_option(c->get_option("--launch"));  // that of a .ptx file, which has no comments
    CLI::Option* out = c->add_option("-o,--output", annotate_options.output, "file to write (default: standard output)")
                           ->type_name("FILE");
    c->add_flag("--in-place", annotate_options.in_place, "replace the file itself")->excludes(out);
    on(c, annotate_options, annotate);
  }
  void add_handout(CLI::App& app) {
    HandoutOptions& o = handout_options;
    CLI::App* c =
        app.add_subcommand("handout", "write a run, bookmarked moments or a lesson as one HTML file, or as slides");
    kernel_options(*c, o, "kernel (.cu or .ptx), file of moments (.moments.toml), or name of a lesson");
    c->add_option("--at", o.at, "only this moment: LINE of the file, or step:N; of moments, its name");
    c->add_option("--block", o.block, "block to show")->capture_default_str();
    c->add_option("--warp", o.warp, "warp to show")->capture_default_str()->check(CLI::Range(0, 1023));
    c->add_option("--steps", o.most_steps, "how many steps are shown, at most")
        ->capture_default_str()
        ->check(CLI::Range(1, 2000));
    c->add_option("--gpu", o.gpu, "of a lesson with a choice of a GPU: the one that it is about");
    c->add_option("--theme", o.theme, "of slides and pictures: light or dark; HTML has both")->capture_default_str();
    c->add_option("--scale", o.scale, "pixels of a PNG per unit")->capture_default_str()->check(CLI::Range(0.1, 8.0));
    c->add_option("-o,--output", o.output,
                  "file to write: .html (plays in any browser, without a network), .pdf (slides), .png or .svg (one "
                  "moment)")
        ->type_name("FILE")
        ->required();
    on(c, handout_options, write_handout);
  }
  void add_adopt(CLI::App& app) {
    AdoptOptions& o = adopt_options;
    CLI::App* c = app.add_subcommand("adopt", "write the launch header of a file that has none, from inferred values");
    c->add_option("FILE", o.file, "kernel (.cu)")->required();
    c->add_option("--kernel", o.kernel, "kernel or instance to run; see lanescope kernels");
    CLI::Option* out =
        c->add_option("-o,--output", o.output, "file to write (default: standard output)")->type_name("FILE");
    c->add_flag("--in-place", o.in_place, "replace the file itself")->excludes(out);
    c->add_flag("--json", o.json, "JSON on standard output");
    c->callback([this] { status = adopt(adopt_options); });
  }
  void add_journey(CLI::App& app) {
    JourneyOptions& o = journey_options;
    CLI::App* c = app.add_subcommand("journey", "follow elements of buffers through the kernel");
    kernel_options(*c, o, "kernel (.cu or .ptx)");
    c->add_option("ELEMENT", o.elements, "elements to follow: p[17], p[64..67]")->required();
    c->add_option(
        "--block", o.block,
        "block that is recorded (default: 0, and of elements that it does not access the first block that does)");
    on(c, journey_options, journey);
  }
  void add_resources(CLI::App& app) {
    ResourcesOptions& o = resources_options;
    CLI::App* c = app.add_subcommand(
        "resources",
        "list registers, stack, spills, shared memory and constant banks of each kernel, as ptxas -v does");
    c->add_option("FILE", o.file, "kernel (.cu)")->required();
    c->add_option("--arch", o.arch, "architecture, for instance sm_90 (default: the file's, else sm_90)");
    c->add_option("--nvcc", o.nvcc_command, "an nvcc command whose options are used, in quotes")->type_name("COMMAND");
    c->add_flag("--no-nvrtc", o.no_nvrtc, "as without NVRTC");
    c->add_flag("--sass", o.sass, "print the machine code beside the source, where nvdisasm is installed");
    c->add_flag("--json", o.json, "JSON on standard output");
    c->callback([this] { status = resources(resources_options); });
  }
  void add_rest(CLI::App& app) {
    CLI::App* d =
        app.add_subcommand("doctor", "list available and missing components of this machine, and how to install them");
    d->add_flag("--json", doctor_options.json, "JSON on standard output");
    d->add_flag("--no-nvrtc", doctor_options.no_nvrtc, "as without NVRTC");
    d->add_flag("--ptx", doctor_options.ptx,
                "list the PTX instructions that the emulator executes, and those that it does not");
    d->callback([this] { status = doctor_options.ptx ? doctor_ptx(doctor_options) : doctor(doctor_options); });
    CLI::App* w = app.add_subcommand("worker", "run the engine on standard input and output (for --via)");
    w->callback([this] { status = engine::run_worker(); });
    CLI::App* k = app.add_subcommand(
        "child", "run one launch or measurement on a GPU: request on standard input, result on standard output");
    k->add_option("TASK", child_task, fmt::format("{}", fmt::join(engine::child_tasks, ", ")))
        ->required()
        ->check(CLI::IsMember(std::vector<std::string>(engine::child_tasks.begin(), engine::child_tasks.end())));
    k->callback([this] { status = engine::serve_child(child_task); });
  }
  /// For packages: not listed in the help.
  void add_desktop(CLI::App& app) {
    DesktopOptions& o = desktop_options;
    const auto add = [&](const char* name, const char* meaning) {
      CLI::App* c = app.add_subcommand(name, meaning)->group("");
      c->add_option("-o,--output", o.output, "file to write (default: standard output)")->type_name("FILE");
      return c;
    };
    CLI::App* m = add("man", "the manual page, for man(1)");
    m->callback(
        [this, &app] { status = write_text(desktop_options, desktop::manual_page(help_of(app, window_options))); });
    CLI::App* b = add("completion", "completion of commands and options in a shell");
    b->add_option("SHELL", o.shell, fmt::format("{}", fmt::join(desktop::shells(), ", ")))
        ->required()
        ->check(CLI::IsMember(desktop::shells()));
    b->callback([this, &app] {
      status = write_text(desktop_options, desktop::completion(desktop_options.shell, help_of(app, window_options)));
    });
    CLI::App* i = add("icon", "the icon as .svg or .png");
    i->add_option("--size", o.icon_size, "side of a .png in pixels")->capture_default_str()->check(CLI::Range(8, 1024));
    i->get_option("--output")->required();
    i->callback([this] { status = write_icon(desktop_options); });
  }
};

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
    for (KernelOptions* options : commands.kernel_commands()) options->compiler_options = after, options->words = words;
    app.parse(reversed(more));
  }
}

}  // namespace

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
  return {{.file = {},
           .message = fmt::format("there is no command '{}', and no such file", word),
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
  for (KernelOptions* options : commands.kernel_commands()) options->compiler_options = after, options->words = words;
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
