#include "app/cli/answers/report.h"

#include <chrono>
#include <filesystem>

#include "app/document/file_io.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/memory.h"
#include "kernels/base/text.h"
#include "kernels/compile/compile_options.h"

namespace lanescope::cli {

void report(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics) put_error(to_string(d) + "\n");
}

void report(std::string file, std::string message, std::string remedy) {
  report({{.file = std::move(file), .message = std::move(message), .remedy = std::move(remedy)}});
}

Opened refuse(Diagnostics why, Status status) { return {.refused = status, .diagnostics = std::move(why)}; }

namespace {

/// Options that belong to something that was not requested.
Diagnostics left_alone(const KernelOptions& o) {
  const auto refused = [&](std::string_view option, const char* what, const char* remedy) {
    return Diagnostics{{.message = fmt::format("{} {}", option, what), .remedy = remedy}};
  };
  const auto given = [&](std::string_view option) { return one_of(option, o.given); };
  for (const std::string_view option : {"--device", "--gpu-limit"})
    if (given(option) && o.engine != "gpu" && !o.measures)
      return refused(option, "is of a GPU, and the engine is the emulator", "add --engine gpu, or leave it out");
  if (given("--via-wait") && o.via.empty()) return refused("--via-wait", "is of --via", "add --via, or leave it out");
  for (const std::string_view option : {"--array-tasks", "--array-folder"})
    if (given(option) && o.array.empty()) return refused(option, "is of --array", "add --array, or leave it out");
  const bool one_run = o.sweep.empty() && o.more_files.empty() && o.jobs.empty();
  if (one_run && o.via.size() > 1) return refused("--via", "is given twice, but there is one run", "name one worker");
  return {};
}

}  // namespace

Opened open(const KernelOptions& options) {
  if (Diagnostics wrong = left_alone(options); !wrong.empty()) return refuse(std::move(wrong));
  if (options.engine != "emulator" && options.engine != "gpu")
    return refuse(
        {{.message = fmt::format("there is no engine '{}'", options.engine), .remedy = "use emulator or gpu"}});
  if (!options.arch.empty())
    if (Diagnostics wrong = compile::wrong_architecture({}, options.arch); !wrong.empty())
      return refuse(std::move(wrong));
  set_memory_budget(options.max_memory);
  const auto begun = std::chrono::steady_clock::now();
  const auto unread = [&](Diagnostics why) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    const bool late = options.max_seconds > 0 && taken.count() >= options.max_seconds;
    return refuse(std::move(why), late ? not_here : bad_input);
  };
  auto text = document::read_typed_text(options.file, options.max_seconds);
  if (!text) return unread(std::move(text.error()));
  Opened opened;
  engine::RunRequest& request = opened.request;
  request.file = options.file;
  request.text = std::move(*text);
  if (!options.arch.empty()) request.arch = options.arch;
  request.kernel = options.kernel;
  request.forbid_nvrtc = options.no_nvrtc;
  request.seed = options.seed;
  request.on_gpu = options.engine == "gpu";
  request.device = options.device;
  request.gpu_limit_seconds = options.gpu_limit_seconds;
  request.max_steps = options.max_steps;
  request.cores = options.cores;
  request.limit_seconds = options.max_seconds;
  request.run_seconds = options.run_seconds;
  request.memory_bytes = options.max_memory;
  request.history_bytes = options.history_bytes;
  std::error_code problem;
  request.given.folder = std::filesystem::current_path(problem).string();
  request.given.words = options.compiler_options;
  request.given.nvcc_command = options.nvcc_command;
  if (options.launch_file.empty()) return opened;
  if (std::filesystem::path(options.file).extension() != ".ptx")
    return refuse({{.file = options.file,
                    .message = "--launch needs a .ptx file",
                    .remedy = "a .cu file has its launch header in its first comment"}});
  auto launch = document::read_typed_text(options.launch_file, options.max_seconds);
  if (!launch) return unread(std::move(launch.error()));
  request.launch_file = options.launch_file;
  request.launch_text = std::move(*launch);
  return opened;
}

Diagnostics overwritten(const KernelOptions& options, const std::string& output, const std::vector<std::string>& also) {
  std::vector<std::string> read = {options.file, options.launch_file};
  read.insert(read.end(), also.begin(), also.end());
  for (const std::string& file : read) {
    std::error_code problem;
    if (file.empty() || !std::filesystem::equivalent(file, output, problem) || problem) continue;
    return {
        {.file = output, .message = "this file is read, and would be lost", .remedy = "name another file to write"}};
  }
  return {};
}

Status status_of(engine::Ending ending) {
  // good, unexpected, faulted, bad_input, cannot_here, cancelled
  static constexpr Status statuses[] = {all_good, kernel_wrong, kernel_wrong, bad_input, not_here, not_here};
  return entry_for(statuses, ending);
}

Status worse(Status a, Status b) {
  for (const Status s : {bad_input, kernel_wrong, not_here})
    if (a == s || b == s) return s;
  return all_good;
}

}  // namespace lanescope::cli
