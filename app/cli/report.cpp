#include "app/cli/report.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/document/file_io.h"

namespace lanescope::cli {

void report(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics) fmt::print(stderr, "{}\n", to_string(d));
}

void report(std::string file, std::string message, std::string remedy) {
  report({{.file = std::move(file), .message = std::move(message), .remedy = std::move(remedy)}});
}

namespace {

Opened refuse(Status status) { return {.request = {}, .refused = status}; }

}  // namespace

Opened open(const KernelOptions& options) {
  if (options.engine != "emulator" && options.engine != "gpu") {
    report("", fmt::format("there is no engine '{}'", options.engine), "use emulator or gpu");
    return refuse(bad_input);
  }
  auto text = document::read_text(options.file);
  if (!text) return report(text.error()), refuse(bad_input);
  Opened opened;
  engine::RunRequest& request = opened.request;
  request.file = options.file;
  request.text = std::move(*text);
  if (!options.arch.empty()) request.arch = options.arch;
  request.forbid_nvrtc = options.no_nvrtc;
  request.seed = options.seed;
  request.on_gpu = options.engine == "gpu";
  request.device = options.device;
  request.gpu_limit_seconds = options.gpu_limit_seconds;
  request.max_steps = options.max_steps;
  if (options.launch_file.empty()) return opened;
  if (std::filesystem::path(options.file).extension() != ".ptx") {
    report(options.file, "--launch goes with a .ptx file", "a .cu file has its launch header in its first comment");
    return refuse(bad_input);
  }
  auto launch = document::read_text(options.launch_file);
  if (!launch) return report(launch.error()), refuse(bad_input);
  request.launch_file = options.launch_file;
  request.launch_text = std::move(*launch);
  return opened;
}

Status status_of(engine::Ending ending) {
  switch (ending) {
    case engine::Ending::good:
      return all_good;
    case engine::Ending::unexpected:
    case engine::Ending::faulted:
      return kernel_wrong;
    case engine::Ending::bad_input:
      return bad_input;
    case engine::Ending::cannot_here:
    case engine::Ending::cancelled:
      return not_here;
  }
  return bad_input;
}

Status worse(Status a, Status b) {
  for (const Status s : {bad_input, kernel_wrong, not_here})
    if (a == s || b == s) return s;
  return all_good;
}

}  // namespace lanescope::cli
