#include "app/cli/shared_options.h"

namespace lanescope::cli {

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
  ranged(command, "--device", o.device, "which GPU, from 0; doctor lists them", 0, 1023);
  ranged(command, "--gpu-limit", o.gpu_limit_seconds, "timeout of a run on the GPU, in seconds", 0.001, 1e6);
  command.add_option("--arch", o.arch, "architecture, for instance sm_90 (default: the file's, else sm_90)");
  command.add_option("--seed", o.seed, "seed of the schedule of the warps")->capture_default_str();
  command.add_option("--max-steps", o.max_steps, "step limit: warp instructions after which the emulator stops a run")
      ->capture_default_str();
  ranged(command, "--cores", o.cores,
         "cores that blocks of one launch may use in the emulator, with the same results; 0: all", 0, 1024);
  ranged(command, "--max-seconds", o.max_seconds,
         "seconds that reading, compiling, running and judging may take together; 0: no limit", 0.0, 1e6);
  ranged(command, "--run-seconds", o.run_seconds,
         "seconds of running after which no more blocks begin; the blocks that ran are judged and shown; 0: "
         "limited only by --max-seconds",
         0.0, 1e6);
  command
      .add_option("--max-memory", o.max_memory,
                  "memory that this process may use, as 4GiB; a run that needs more is ended; 0: half of the machine's")
      ->capture_default_str()
      ->type_name("BYTES")
      ->transform(CLI::AsSizeValue(false));
  command
      .add_option("--history", o.history_bytes,
                  "memory for checkpoints of the instrumented run, as 64MiB; what they use is in the JSON; 0: none")
      ->type_name("BYTES")
      ->transform(CLI::AsSizeValue(false));
  command
      .add_option(
          "--nvcc", o.nvcc_command,
          "an nvcc command whose options are used, in quotes; options of the compiler can also be written after "
          "a --, as in k.cu -- -I include -DX=1")
      ->type_name("COMMAND");
  command.add_flag("--no-nvrtc", o.no_nvrtc, "use stored PTX only, as without NVRTC");
  command.add_flag("--json", o.json, "JSON on standard output");
  command
      .add_option("--via", o.via,
                  "shell command that starts a worker on another machine, for example \"ssh node lanescope worker\"; "
                  "several share a sweep")
      ->allow_extra_args(false);
  ranged(command, "--via-wait", o.via_wait_seconds, "timeout for the first message of the --via worker, in seconds", 1,
         86400);
}

void verbose_option(CLI::App& command, KernelOptions& o, const char* words) {
  command.add_flag("-v,--verbose", o.verbose, words);
}

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
  ranged(command, "--array-tasks", o.array_tasks, "tasks of the job array, at most; each has a part of the jobs", 1,
         100000);
  command
      .add_option("--array-folder", o.array_folder, "folder for the files of the job array, which all nodes must share")
      ->capture_default_str()
      ->type_name("FOLDER");
  command.add_option("--jobs", o.jobs,
                     "only these jobs of the sweep, counted from 0, for example 0,3,4; lines have their `job`");
  command.add_flag("--progress", o.progress,
                   "blocks or jobs done and the time left on standard error, even where that is no terminal");
  command.add_option("MORE", o.more_files,
                     "more files: the output of each as if it were alone, with --json in one line");
}

std::vector<std::string> given_to(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && !option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  return names;
}

}  // namespace lanescope::cli
