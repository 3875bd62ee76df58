// The one file that knows CLI11.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <iostream>

#include "app/cli/answers/measure_request.h"
#include "app/cli/answers/report.h"
#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/desktop_files.h"
#include "app/cli/render/picture.h"
#include "app/cli/render/render.h"
#include "app/desktop/icon.h"
#include "app/engine/hardware/child_command.h"
#include "app/engine/hardware/serve_child.h"
#include "app/engine/remote/worker.h"
#include "generated/resources.h"
#include "kernels/base/nearest.h"
#include "kernels/base/text.h"
#include "viz/views/base/theme_names.h"
#include "viz/views/costs/heat.h"
#include "viz/views/registers/block.h"

namespace lanescope::cli {
namespace {

std::vector<desktop::OptionHelp> window_options;

void kernel_options(CLI::App& command, KernelOptions& o, const std::string& what) {
  command.add_option("FILE", o.file, what)->required();
  command
      .add_option("--launch", o.launch_file, "launch of a .ptx file: TOML as in a launch header (docs/ptx-files.md)")
      ->type_name("FILE");
  command
      .add_option("--kernel", o.kernel,
                  "kernel to run, or an instance of a template such as 'reduce<int, 256>'; see lanescope kernels")
      ->type_name("NAME");
  command.add_option("--engine", o.engine, "engine: emulator or gpu")->capture_default_str();
  command.add_option("--device", o.device, "which GPU, from 0; doctor lists them")
      ->capture_default_str()
      ->check(CLI::Range(0, 1023));
  command.add_option("--gpu-limit", o.gpu_limit_seconds, "timeout of a run on the GPU, in seconds")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1e6));
  command.add_option("--arch", o.arch, "architecture, for instance sm_90 (default: the file's, else sm_90)");
  command.add_option("--seed", o.seed, "seed of the schedule of the warps")->capture_default_str();
  command.add_option("--max-steps", o.max_steps, "step limit: warp instructions after which the emulator stops a run")
      ->capture_default_str();
  command
      .add_option("--max-seconds", o.max_seconds,
                  "seconds that reading, compiling, running and judging may take together; 0: no limit")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6));
  command
      .add_option(
          "--run-seconds", o.run_seconds,
          "seconds of running after which no more blocks begin, so that what ran is judged and shown; 0: as late "
          "as --max-seconds allows")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6));
  command
      .add_option("--history", o.history_bytes,
                  "memory for checkpoints of the instrumented run, as 64MiB; what they use is in the JSON; 0: none")
      ->type_name("BYTES")
      ->transform(CLI::AsSizeValue(false));
  command
      .add_option(
          "--nvcc", o.nvcc_command,
          "an nvcc command whose options are used, in quotes; options of the compiler can also be written behind "
          "a --, as in k.cu -- -I include -DX=1")
      ->type_name("COMMAND");
  command.add_flag("--no-nvrtc", o.no_nvrtc, "use stored PTX only, as without NVRTC");
  command.add_flag("--json", o.json, "JSON on standard output");
  command
      .add_option("--via", o.via,
                  "shell command that starts a worker on another machine, for example \"ssh node lanescope worker\"; "
                  "several share a sweep")
      ->allow_extra_args(false);
  command.add_option("--via-wait", o.via_wait_seconds, "timeout for the first message of the --via worker, in seconds")
      ->capture_default_str()
      ->check(CLI::Range(1, 86400));
}

void verbose_option(CLI::App& command, KernelOptions& o,
                    const char* words = "list the options of the compiler, and where each comes from") {
  command.add_flag("-v,--verbose", o.verbose, words);
}

/// What can run over several files and values.
void sweep_options(CLI::App& command, KernelOptions& o) {
  command
      .add_option("--sweep", o.sweep,
                  "NAME=VALUE,VALUE,...: one run per value, as JSON lines; NAME is a scalar argument, a macro "
                  "(D:TILE), block, grid, cluster, dynamic_shared, seed or arch; can be repeated")
      ->allow_extra_args(false);
  command
      .add_option("--array", o.array,
                  "shell command that runs the sweep as a job array of a scheduler: it is given a script and ends with "
                  "its tasks, for example \"sbatch --wait --array={tasks}\"")
      ->type_name("COMMAND");
  command.add_option("--array-tasks", o.array_tasks, "tasks of the job array, at most; each has a part of the jobs")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command
      .add_option("--array-folder", o.array_folder, "where the files of the job array are put; the nodes must see it")
      ->capture_default_str()
      ->type_name("FOLDER");
  command.add_option("--jobs", o.jobs,
                     "only these jobs of the sweep, counted from 0, for example 0,3,4; lines have their `job`");
  command.add_flag("--progress", o.progress,
                   "jobs done and the time left on standard error, even where that is no terminal");
  command.add_option("MORE", o.more_files, "more files: one JSON line for each");
}

/// A sweep, or one run; several engines are of no use to one run.
template <class Options, class One>
int dispatch(const Options& options, Swept what, One one) {
  if (options.sweep.empty() && options.more_files.empty() && options.array.empty() && options.jobs.empty())
    return one(options);
  std::string_view left_out;  // what would otherwise be forgotten without a word
  if constexpr (requires { options.out; })
    if (!options.out.empty()) left_out = "--out";
  if constexpr (requires { options.sarif; })
    if (options.sarif) left_out = "--sarif";
  if (left_out.empty()) return sweep(options, what);
  report("", fmt::format("{} goes with one run, not with several", left_out), "name one file, without --sweep");
  return bad_input;
}

/// What --label of the view block takes.
std::vector<std::string> label_words() {
  std::vector<std::string> words;
  for (int i = 0; i < views::block_label_count; ++i)
    words.emplace_back(views::block_label_name(static_cast<views::BlockLabel>(i)));
  return words;
}

/// The words that an option accepts, where they are few; the same wherever it occurs.
std::vector<std::string> choices_of(const std::string& option) {
  const auto listed = [](const auto& range, auto word) {
    std::vector<std::string> words;
    for (const auto& each : range) words.emplace_back(word(each));
    return words;
  };
  const auto itself = [](std::string_view word) { return word; };
  if (option == "--engine") return {"emulator", "gpu"};
  if (option == "--parts") return measured_parts();
  if (option == "--pattern") return typed_patterns();
  if (option == "--space") return {"shared", "global"};
  if (option == "--op") return {"ld", "st"};
  if (option == "--label") return label_words();
  if (option == "--theme") return views::theme_names();
  if (option == "--counter") return listed(views::heat_counters(), [](const auto& counter) { return counter.name; });
  if (option == "--view") {
    std::vector<std::string> words = listed(view_names(), itself);
    std::ranges::move(listed(measured_view_names(), itself), std::back_inserter(words));
    return words;
  }
  if (option == "TASK") return listed(engine::child_tasks, itself);
  if (option == "SHELL") return {"bash"};
  return {};
}

/// Long names of the options that the command line names.
std::vector<std::string> given_to(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && !option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  return names;
}

/// CLI11 reads -4 as 18446744073709551612 where a number without a sign is wanted, cuts what is too large, and takes nan for
/// a number.
void refuse_odd_numbers(CLI::App& app) {
  const auto unsigned_number = [](const std::string& text) {
    if (text.starts_with('-')) return fmt::format("{} is negative", text);
    std::uint64_t number = 0;
    const bool fits =
        std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc::result_out_of_range;
    return fits ? std::string() : fmt::format("{} does not fit 64 bits", text);
  };
  const auto finite_number = [](const std::string& text) {
    const bool digits = std::ranges::any_of(text, [](char c) { return is_digit(c); });
    return digits ? std::string() : fmt::format("{} is not a number", text);
  };
  for (CLI::App* command : app.get_subcommands({}))
    for (CLI::Option* option : command->get_options()) {
      if (option->get_type_name().starts_with("UINT")) option->check(unsigned_number);
      if (option->get_type_name().starts_with("FLOAT")) option->check(finite_number);
    }
}

/// What stands on the command line and nobody reads, with the option that was meant.
std::string words_of_extras(const CLI::App& app, const CLI::ParseError& mistake) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? std::string() : chosen.front()->get_name() + " ";
  const std::string help = fmt::format("see lanescope {}--help", command);
  const std::vector<std::string> extras = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&mistake) == nullptr || extras.empty() || chosen.empty())
    return fmt::format("{}; {}", mistake.what(), help);
  const std::string& word = extras.front();
  if (!word.starts_with('-')) return fmt::format("'{}' is not expected here; {}", word, help);
  std::vector<std::string> names;
  for (const CLI::Option* option : chosen.front()->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string typed = word.substr(0, word.find('='));
  return fmt::format("{}has no option {}; {}", command, typed, did_you_mean(typed, names, help));
}

desktop::OptionHelp help_of(const CLI::Option& option) {
  desktop::OptionHelp help{.meaning = option.get_description(),
                           .default_value = option.get_default_str(),
                           .required = option.get_required()};
  for (const std::string& name : option.get_snames()) help.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) help.names.push_back("--" + name);
  help.choices = choices_of(help.names.empty() ? option.get_name(true) : help.names.back());
  if (help.names.empty()) {
    help.value = option.get_name(true);
  } else if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();  // "INT", or "INT:INT in [1 - 100]"
    const std::size_t colon = type.find(':');
    help.value = type.substr(0, colon);
    if (colon != std::string::npos) help.limits = type.substr(colon + 1);
  }
  return help;
}

desktop::ProgramHelp help_of(const CLI::App& app) {
  const auto options_of = [](const CLI::App& command) {
    std::vector<desktop::OptionHelp> all;
    for (const CLI::Option* option : command.get_options()) all.push_back(help_of(*option));
    return all;
  };
  desktop::ProgramHelp help{.name = app.get_name(),
                            .version = std::string(resources::version),
                            .meaning = app.get_description(),
                            .options = options_of(app),
                            .window = window_options};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); }))
    help.commands.push_back({command->get_name(), command->get_description(), options_of(*command)});
  return help;
}

/// What the window takes, below the options of the program itself.
std::string window_words() {
  std::string text = "lanescope [FILE.cu]   opens the explorer\n\n";
  for (const desktop::OptionHelp& option : window_options) {
    std::string left = "  " + option.names.front() + (option.value.empty() ? "" : " " + option.value);
    left.resize(std::max<std::size_t>(left.size() + 2, 26), ' ');
    text += left + option.meaning + "\n";
  }
  return text;
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
  AccessOptions access_options;
  AdoptOptions adopt_options;
  PlanOptions plan_options;
  OccupancyOptions occupancy_options;
  FiguresOptions figures_options;
  ThreadsOptions threads_options;
  ResourcesOptions resources_options;
  JourneyOptions journey_options;
  ExplainOptions explain_options;
  DesktopOptions desktop_options;
  std::string child_task;
  int status = 0;

  /// Of the commands that take a kernel file.
  std::vector<KernelOptions*> kernel_commands() {
    return {&check_options,    &review_options,    &run_options,       &measure_options, &render_options,
            &annotate_options, &occupancy_options, &resources_options, &journey_options, &handout_options};
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
    add_access(app);
    add_plan(app);
    add_occupancy(app);
    add_threads(app);
    add_resources(app);
    add_journey(app);
    add_explain(app);
    add_rest(app);
    add_desktop(app);
  }

  void add_check(CLI::App& app) {
    CLI::App* c =
        app.add_subcommand("check", "check each assignment comment: holds, differs (and how) or unchecked (and why)");
    kernel_options(*c, check_options, "kernel (.cu or .ptx)");
    verbose_option(*c, check_options);
    sweep_options(*c, check_options);
    c->callback([this] { status = dispatch(check_options, Swept::check, check); });
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
    one->add_flag("--check", lesson_options.check,
                  "find every moment, compute every answer, run every solution, and say what does not work");
    one->add_flag("--play", lesson_options.play, "play it in the window");
    one->add_flag("--json", lesson_options.json, "JSON on standard output");
    one->callback([this] { status = show_lesson(lesson_options); });
  }
  void add_review(CLI::App& app) {
    CLI::App* c = app.add_subcommand("review", "review the kernel: findings with evidence");
    kernel_options(*c, review_options, "kernel (.cu or .ptx)");
    verbose_option(*c, review_options);
    c->add_flag("--sarif", review_options.sarif, "SARIF 2.1.0 on standard output");
    sweep_options(*c, review_options);
    c->callback([this] { status = dispatch(review_options, Swept::review, review_kernel); });
  }
  void add_run(CLI::App& app) {
    CLI::App* c = app.add_subcommand("run", "run the kernel: outputs, and predicted counters per line and in total");
    kernel_options(*c, run_options, "kernel (.cu or .ptx)");
    verbose_option(*c, run_options, "put its place before each printed line, and list the options of the compiler");
    c->add_option("--out", run_options.out, "NAME=FILE.npy: write a buffer; can be repeated");
    sweep_options(*c, run_options);
    c->callback([this] { status = dispatch(run_options, Swept::run, run_kernel); });
  }
  void add_render(CLI::App& app) {
    RenderOptions& o = render_options;
    CLI::App* c = app.add_subcommand("render", "write a view as a picture");
    kernel_options(*c, o, "kernel (.cu or .ptx)");
    c->add_option(
         "--view", o.view,
         "registers, global, shared, timeline, assignment, traffic, traffic-line, traffic-run, heat, ptx, "
         "lanes, tree, journey, movement, divergence, grid, block, offsets, occupancy, roofline or buffers; of "
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
    c->add_option("--gpu", o.gpu, "occupancy, roofline and traffic: name of a GPU (default: that of the architecture)");
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
    c->add_option("--label", o.label, "block: what is written into the cells")
        ->capture_default_str()
        ->check(CLI::IsMember(label_words()));
    c->add_option("--share", o.share, "movement: position between before (0) and after (1) the statement")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1.0));
    c->add_flag("--statement", o.statement, "movement: one statement, also where several together make an exchange");
    c->add_option("--width", o.width, "width in pixels (default: the view's own)")->check(CLI::Range(100.0, 32768.0));
    c->add_option("--height", o.height, "movement: height in pixels (default: the view's own)")
        ->check(CLI::Range(100.0, 32768.0));
    c->add_option("--scale", o.scale, "pixels of a PNG per unit")->capture_default_str()->check(CLI::Range(0.1, 64.0));
    c->add_option("-o,--output", o.output, "file to write: .svg, .png, .json (the scene) or .csv (the data)")
        ->type_name("FILE")
        ->required();
    c->callback([this, c] {
      render_options.given = given_to(*c);
      status = render(render_options);
    });
  }
  void add_measure(CLI::App& app) {
    MeasureOptions& o = measure_options;
    CLI::App* c = app.add_subcommand("measure", "measure the kernel on a GPU, beside the prediction");
    kernel_options(*c, o, "kernel (.cu or .ptx)");
    c->add_option("--parts", o.parts,
                  "timing, counters, instructions, stalls, activity, trace (default: all), separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    c->add_option("--metrics", o.metrics, "additional counters by hardware name, separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    c->add_option("--repetitions", o.repetitions, "number of timed launches")
        ->capture_default_str()
        ->check(CLI::Range(1, 100000));
    c->add_option("--warm-up", o.warm_up, "number of warm-up launches")
        ->capture_default_str()
        ->check(CLI::Range(0, 100000));
    c->add_option("-o,--output", o.output, "file to write, for render --measured on any machine")->type_name("FILE");
    c->callback([this] { status = measure(measure_options); });
  }
  void add_annotate(CLI::App& app) {
    CLI::App* c = app.add_subcommand("annotate", "write missing assignment comments");
    kernel_options(*c, annotate_options, "kernel (.cu)");
    c->remove_option(c->get_option("--launch"));  // that of a .ptx file, which has no comments
    CLI::Option* out = c->add_option("-o,--output", annotate_options.output, "file to write (default: standard output)")
                           ->type_name("FILE");
    c->add_flag("--in-place", annotate_options.in_place, "replace the file itself")->excludes(out);
    c->callback([this] { status = annotate(annotate_options); });
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
    c->add_option("--theme", o.theme, "of slides and pictures: light or dark; HTML has both")->capture_default_str();
    c->add_option("--scale", o.scale, "pixels of a PNG per unit")->capture_default_str()->check(CLI::Range(0.1, 8.0));
    c->add_option("-o,--output", o.output,
                  "file to write: .html (plays in any browser, without a network), .pdf (slides), .png or .svg (one "
                  "moment)")
        ->type_name("FILE")
        ->required();
    c->callback([this, c] {
      handout_options.given = given_to(*c);
      status = write_handout(handout_options);
    });
  }
  void add_adopt(CLI::App& app) {
    AdoptOptions& o = adopt_options;
    CLI::App* c = app.add_subcommand("adopt", "write the launch header of a file that has none, from what is inferred");
    c->add_option("FILE", o.file, "kernel (.cu)")->required();
    c->add_option("--kernel", o.kernel, "kernel or instance to run; see lanescope kernels");
    CLI::Option* out =
        c->add_option("-o,--output", o.output, "file to write (default: standard output)")->type_name("FILE");
    c->add_flag("--in-place", o.in_place, "replace the file itself")->excludes(out);
    c->add_flag("--json", o.json, "JSON on standard output");
    c->callback([this] { status = adopt(adopt_options); });
  }
  void add_access(CLI::App& app) {
    AccessOptions& o = access_options;
    CLI::App* c = app.add_subcommand("access", "calculate the cost of one warp-wide memory access");
    c->add_option("--space", o.space, "shared, global, constant or local");
    c->add_option("--path", o.path, "of global loads: caching, non-caching or read-only; or constant");
    c->add_option("--arch", o.arch, "architecture or GPU whose memory it is: sm_20, sm_35, K20, ... (default: H200)");
    c->add_option("--op", o.op, "ld or st");
    c->add_option("--width", o.width, "bytes per lane: 1, 2, 4, 8 or 16");
    c->add_option("--mask", o.mask, "active lanes, hexadecimal")->capture_default_str();
    c->add_option("--offsets", o.offsets, "32 byte offsets, separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    c->add_option("--pattern", o.pattern,
                  "in place of offsets: aligned, permuted, misaligned:4, broadcast, scattered, "
                  "stride:2, structure:12; after the colon bytes, elements or a seed");
    c->add_option("--formula", o.formula, "in place of offsets: bytes by lane, as 'lane*4 ^ (lane>>3)*4'");
    c->add_option("-o,--output", o.output, "picture file: .svg, .png, .json or .csv")->type_name("FILE");
    c->add_option("--theme", o.theme, "theme of the picture: dark, light or high-contrast")->capture_default_str();
    c->add_option("--what-if", o.what_if,
                  "picture of shared memory: padding:32+1 or swizzle:32/4/1, in words of 4 bytes");
    c->add_option("--wavefront", o.wavefront, "picture of shared memory: show only this wavefront, from 0")
        ->check(CLI::Range(0, 65535));
    c->add_flag("--stdin", o.from_stdin, "read JSON lines from standard input, write one line for each");
    c->add_flag("--json", o.json, "JSON on standard output");
    c->callback([this, c] {
      access_options.given = given_to(*c);
      status = access(access_options);
    });
  }
  void add_plan(CLI::App& app) {
    PlanOptions& o = plan_options;
    CLI::App* c =
        app.add_subcommand("plan", "plan the conversion from one register assignment to another, and write its code");
    CLI::Option* file = c->add_option("file", o.file, "designs (.toml): name, type, from and to");
    CLI::Option* from = c->add_option(
        "--from", o.from, "assignment, rows separated by semicolons: 'simd: k0; register: j3 j2; thread: ...'");
    CLI::Option* to = c->add_option("--to", o.to, "assignment; rows that are left out stay as they are");
    CLI::Option* type = c->add_option("--type", o.type, "of the elements: f16, u8, ..., or a number of bits");
    from->needs(to, type)->excludes(file);
    to->needs(from);
    type->needs(from);
    c->add_option("--through", o.through, "an assignment between the two; may be given several times")
        ->needs(from)
        ->take_all();
    c->add_option("--rename", o.rename, "logical bits of the source that the others call otherwise: 'i0=j0 i1=j1'")
        ->needs(from);
    c->add_flag("--free-lanes", o.free_lanes, "the thread bits of --to may stand in any order")->needs(from);
    c->add_flag("--free-registers", o.free_registers, "the simd and register bits of --to may change places")
        ->needs(from);
    CLI::Option* structures =
        c->add_option(
             "--structures", o.structures,
             "words of 4 bytes of a structure: plan the way from 32 structures, dealt to lanes word by word, to "
             "one structure in each lane")
            ->check(CLI::Range(1, 64))
            ->excludes(file)
            ->excludes(from);
    c->add_flag("--to-structures", o.to_structures, "the way back")->needs(structures);
    c->add_option("--name", o.name, "of the function")
        ->capture_default_str()
        ->check(CLI::Validator(
            [](const std::string& s) { return is_word(s) ? std::string() : "use letters, digits and _"; }, "NAME"));
    c->add_option("--namespace", o.name_space, "around the function");
    c->add_option("--emit", o.emit, "header to write: the function in CUDA C++")->type_name("FILE");
    c->add_option("--global", o.global, "header to write: a whole kernel from an array in global memory to another")
        ->type_name("FILE");
    c->add_option("--self-test", o.self_test, "program to write: the function and a main() that tests it on a GPU")
        ->type_name("FILE")
        ->excludes(structures);
    c->add_option("--kernel", o.kernel,
                  "kernel file to write: the function, a kernel that uses it, claims, and its launch")
        ->type_name("FILE")
        ->excludes(structures);
    c->add_option("--element", o.element, "element type of a whole kernel in CUDA C++: float, __half, ...");
    c->add_option("--from-axes", o.from_axes, "axes of the source array in memory, the fastest last: 'i j'");
    c->add_option("--to-axes", o.to_axes, "axes of the destination array");
    add_kernel_shape(*c, o);
    c->add_option(
        "--target", o.targets,
        "architectures that what is written is compiled for before: 'sm_80 sm_90' (default: all from sm_75 on; "
        "none: written without being compiled and run)");
    c->add_option("--plan", o.number, "which plan is written, from 1 (default: the recommended one)")
        ->check(CLI::Range(1, 1000));
    c->add_flag("--json", o.json, "JSON on standard output");
    c->callback([this, file, from, structures] {
      if (file->count() + from->count() + structures->count() == 0)
        throw CLI::RequiredError("a file, or --from, --to and --type, or --structures");
      status = plan(plan_options);
    });
  }
  /// How the work of a whole kernel is cut into accesses, tiles and blocks.
  static void add_kernel_shape(CLI::App& c, PlanOptions& o) {
    c.add_option("--warps-of-a-block", o.warps_of_a_block, "of --global, for conversions inside a warp (default: 8)")
        ->check(CLI::IsMember({1, 2, 4, 8, 16, 32}));
    c.add_option("--tile-group", o.tile_group,
                 "of --global: tiles that follow one another along the destination's fastest axis; 0: all (default)")
        ->check(CLI::Range(0, 1024));
    c.add_option("--tiles-in-a-row", o.tiles_in_a_row,
                 "of --global: tiles that a block moves, each loaded before the one before it is stored (default: 1)")
        ->check(CLI::Range(1, 1024));
    c.add_option("--blocks-of-a-multiprocessor", o.blocks_of_a_multiprocessor,
                 "of --global: second argument of __launch_bounds__")
        ->check(CLI::Range(1, 32));
    c.add_option("--access-bytes", o.access_bytes,
                 "of --structures --global: 4, or 16 where the arrays are aligned to it (default: 16)")
        ->check(CLI::IsMember({4, 16}));
    c.add_option("--groups", o.groups, "of --structures --global: times that a warp moves what it moves at once")
        ->check(CLI::Range(1, 16));
  }
  static bool is_word(const std::string& s) {
    return !s.empty() &&
           s.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
               std::string::npos &&
           (s.front() < '0' || s.front() > '9');
  }
  void add_occupancy(CLI::App& app) {
    OccupancyOptions& o = occupancy_options;
    CLI::App* c = app.add_subcommand(
        "occupancy", "calculate occupancy: resident blocks, limiting resource, and operations in flight");
    kernel_options(*c, o, "kernel (.cu or .ptx); not needed with --registers and --threads");
    c->get_option("FILE")->required(false);
    verbose_option(*c, o);
    c->add_option("--registers", o.registers, "registers per thread")->check(CLI::Range(1, 10000));
    c->add_option("--threads", o.threads, "threads per block")->check(CLI::Range(1, 1000000));
    c->add_option("--shared", o.shared_bytes, "bytes of dynamic shared memory per block")
        ->check(CLI::NonNegativeNumber);
    c->add_option("--gpu", o.gpu, "name of the GPU (default: that of the architecture; H200)");
    c->add_option("--caps", o.caps, "register limits to compile with, for example 32,64,128")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, 255));
    CLI::Option* fixed = c->get_option("--shared");
    CLI::Option* each = c->add_option("--shared-per-thread", o.shared_per_thread,
                                      "bytes of dynamic shared memory for each thread of a block")
                            ->check(CLI::Range(0, 65536))
                            ->excludes(fixed);
    c->add_option("--shared-formula", o.shared_formula,
                  "bytes of dynamic shared memory by `threads` of a block, as '(threads+2)*8'")
        ->type_name("FORMULA")
        ->excludes(fixed)
        ->excludes(each);
    c->add_option("--carveout", o.carveout_percent, "percentage of shared memory preferred over L1")
        ->check(CLI::Range(0, 100));
    c->add_option("--latency", o.latency_cycles, "latency of memory in cycles, in place of the table's")
        ->check(CLI::Range(1, 1000000));
    c->add_option("--arithmetic-latency", o.arithmetic_cycles, "latency of arithmetic in cycles")
        ->check(CLI::Range(1, 100000));
    c->add_option("--bandwidth", o.bandwidth_gb_per_s, "bandwidth of memory in GB/s, in place of the table's")
        ->check(CLI::Range(0.001, 1e6));
    c->add_option("--bytes-per-thread", o.bytes_per_thread, "bytes that each thread has in flight")
        ->capture_default_str()
        ->check(CLI::Range(1, 4096));
    c->add_flag("--limits", o.limits, "list what the GPU has and allows, with sources");
    c->add_flag("--gpus", o.list_gpus, "list the GPUs of the table");
    c->callback([this] { status = occupancy(occupancy_options); });
    CLI::App* f = app.add_subcommand("figures", "compare the numbers of the reference documents with computed ones");
    f->add_flag("--json", figures_options.json, "JSON on standard output");
    f->callback([this] { status = figures(figures_options); });
  }
  void add_threads(CLI::App& app) {
    ThreadsOptions& o = threads_options;
    CLI::App* c =
        app.add_subcommand("threads", "map the threads of a block to warps and lanes, with idle lanes and ranks");
    c->add_option("FILE", o.file, "kernel (.cu), whose launch is taken; not needed with --block");
    c->add_option("--kernel", o.kernel, "kernel or instance whose launch is taken")->type_name("NAME");
    const auto triple = [&](const char* name, std::vector<std::uint32_t>& numbers, const char* meaning) {
      c->add_option(name, numbers, meaning)
          ->delimiter(',')
          ->expected(1, 3)
          ->allow_extra_args(false)
          ->check(CLI::Range(0u, 2147483647u));
    };
    triple("--grid", o.grid, "blocks of the grid, x,y,z");
    triple("--block", o.block, "threads of a block, x,y,z");
    triple("--block-index", o.block_index, "blockIdx of the block, x,y,z");
    triple("--thread", o.thread, "threadIdx of one thread, x,y,z: only where it is");
    c->add_option("--tile", o.tile, "threads of a cooperative-groups tile, for ranks in it")
        ->check(CLI::IsMember({1, 2, 4, 8, 16, 32}));
    c->add_flag("--json", o.json, "JSON on standard output");
    c->callback([this] { status = threads(threads_options); });
  }
  void add_journey(CLI::App& app) {
    JourneyOptions& o = journey_options;
    CLI::App* c = app.add_subcommand("journey", "follow elements of buffers through the kernel");
    kernel_options(*c, o, "kernel (.cu or .ptx)");
    c->add_option("ELEMENT", o.elements, "elements to follow: p[17], p[64..67]")->required();
    c->add_option(
        "--block", o.block,
        "block that is recorded (default: 0, and of elements that it does not access the first block that does)");
    c->callback([this] { status = journey(journey_options); });
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
  void add_explain(CLI::App& app) {
    ExplainOptions& o = explain_options;
    CLI::App* c =
        app.add_subcommand("explain", "explain an instruction of PTX or machine code, or those of a .ptx file");
    c->add_option("INSTRUCTION", o.what, "as 'ld.global.ca.v4.f32', with or without operands; or a .ptx file")
        ->required();
    c->add_option("--arch", o.arch, "architecture or GPU whose memory it is: sm_35, K20, ... (default: sm_90)");
    c->add_flag("--unknown", o.unknown_only, "of a file: only instructions that are not explained fully");
    c->add_flag("--json", o.json, "JSON on standard output");
    c->callback([this] { status = explain(explain_options); });
  }
  void add_rest(CLI::App& app) {
    CLI::App* d =
        app.add_subcommand("doctor", "list available and missing components of this machine, and how to install them");
    d->add_flag("--json", doctor_options.json, "JSON on standard output");
    d->add_flag("--no-nvrtc", doctor_options.no_nvrtc, "as without NVRTC");
    d->add_flag("--ptx", doctor_options.ptx, "which instructions of PTX the emulator executes, and which not");
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
    m->callback([this, &app] { status = write_text(desktop_options, desktop::manual_page(help_of(app))); });
    CLI::App* b = add("completion", "completion of commands and options in a shell");
    b->add_option("SHELL", o.shell, "bash")->required()->check(CLI::IsMember({"bash"}));
    b->callback([this, &app] { status = write_text(desktop_options, desktop::bash_completion(help_of(app))); });
    CLI::App* i = add("icon", "the icon as .svg or .png");
    i->add_option("--size", o.icon_size, "side of a .png in pixels")->capture_default_str()->check(CLI::Range(8, 1024));
    i->get_option("--output")->required();
    i->callback([this] { status = write_icon(desktop_options); });
  }
};

constexpr std::array<std::string_view, 9> kernel_command_names = {
    "check", "review", "run", "measure", "render", "annotate", "occupancy", "resources", "handout"};

/// Cuts off what is behind `--`, but for the names of files right behind it, which have stood there before.
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

/// A file may have a name that begins with a dash: where one is missing, the first word behind `--` was meant.
void parse(CLI::App& app, const std::vector<std::string>& words, std::vector<std::string> behind, Commands& commands) {
  const auto reversed = [](std::vector<std::string> list) {  // as CLI11 takes them
    std::ranges::reverse(list);
    return list;
  };
  try {
    app.parse(reversed(words));
  } catch (const CLI::RequiredError&) {
    if (behind.empty()) throw;
    std::vector<std::string> more = words;
    more.insert(more.end(), {"--", behind.front()});
    behind.erase(behind.begin());
    if (!behind.empty() && behind.front() == "--") behind.erase(behind.begin());
    for (KernelOptions* options : commands.kernel_commands())
      options->compiler_options = behind, options->words = words;
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
  refuse_odd_numbers(app);
  if (!window_options.empty()) app.footer(window_words());
  std::vector<std::string> words(argv + 1, argv + argc);
  const std::vector<std::string> behind = cut_compiler_options(words);
  for (KernelOptions* options : commands.kernel_commands()) options->compiler_options = behind, options->words = words;
  try {
    parse(app, words, behind, commands);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& mistake) {
    std::cerr << "lanescope: " << words_of_extras(app, mistake) << "\n";
    return bad_input;
  } catch (const std::exception& broken) {
    std::cerr << "lanescope: " << broken.what() << "\n";
    return bad_input;
  }
  return commands.status;
}

}  // namespace lanescope::cli
