#include "app/desktop/open_dialog.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace lanescope::desktop {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool in_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
  std::string rest = environment("PATH");
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string folder = rest.substr(0, end);
    if (!folder.empty() && ::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    rest.erase(0, end + 1);
  }
  return false;
}

std::vector<std::string> arguments_of(const std::string& program, const std::string& folder) {
  const std::string name = std::filesystem::path(program).filename().string();
  const std::string start = folder.empty() || folder.ends_with('/') ? folder : folder + "/";
  if (name == "kdialog")
    return {program,
            "--title",
            "Open a kernel",
            "--getopenfilename",
            start.empty() ? "." : start,
            "*.cu *.cuh *.ptx *.layout|Kernels and layouts (*.cu *.cuh *.ptx *.layout)"};
  std::vector<std::string> command{program, "--file-selection", "--title=Open a kernel",
                                   "--file-filter=Kernels and layouts | *.cu *.cuh *.ptx *.layout",
                                   "--file-filter=All files | *"};
  if (!start.empty()) command.push_back("--filename=" + start);
  return command;
}

}  // namespace

std::vector<std::string> open_dialog_command(const std::string& folder) {
  const std::string chosen = environment("LANESCOPE_FILE_DIALOG");
  if (chosen == "none") return {};
  if (!chosen.empty()) return in_path(chosen) ? arguments_of(chosen, folder) : std::vector<std::string>();
  if (environment("DISPLAY").empty() && environment("WAYLAND_DISPLAY").empty()) return {};
  std::vector<std::string> programs{"zenity", "kdialog", "qarma", "yad"};
  if (environment("XDG_CURRENT_DESKTOP").find("KDE") != std::string::npos) std::swap(programs[0], programs[1]);
  for (const std::string& program : programs)
    if (in_path(program)) return arguments_of(program, folder);
  return {};
}

bool OpenDialog::start(const std::vector<std::string>& command) {
  if (command.empty() || is_open()) return false;
  auto process = Process::start(command, Process::StandardError::kept);
  if (!process) return false;
  process_ = std::move(*process);
  process_.close_input();
  output_.clear();
  return true;
}

std::optional<OpenDialog::Answer> OpenDialog::poll() {
  if (!is_open()) return std::nullopt;
  if (process_.read_some(output_)) return std::nullopt;  // nothing has been chosen yet
  const std::string ending = process_.reap();
  std::string path(output_.begin(), output_.end());
  path.resize(std::min(path.find('\n'), path.size()));  // the first line
  close();
  const auto status = [&](const char* number) {
    const std::string words = std::string("exited with status ") + number;
    return ending == words || ending.starts_with(words + ",");
  };
  // These programs end with status 1 when they are cancelled.
  return Answer{.path = path, .failed = path.empty() && !status("0") && !status("1")};
}

}  // namespace lanescope::desktop
