#pragma once
// Runs a command under strace and lists its forbidden actions: a process that is not the program's own, a file
// that is written, made, renamed or removed in another place than it may, a file that is read and is neither of
// the project nor of the system. Calls that only look (stat, O_PATH, a listing of a folder) are not reported.

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::security {

struct Allowed {
  std::filesystem::path program;                 ///< the one thing that may be executed
  std::vector<std::filesystem::path> read{};     ///< folders and files, beside those of the system
  std::vector<std::filesystem::path> written{};  ///< folders and files
};

struct Watched {
  int status = -1;  ///< of the command; -1: a signal ended it
  std::string output{};
  std::vector<std::string> violations{};  ///< in words, each once
  std::size_t processes = 0, files_read = 0;
};

/// Whether there is an strace that may trace here.
bool can_watch();

/// `command`: of the shell, run in `folder`, after `environment` (of env). `scratch`: an empty folder for the log.
Watched watch(const std::string& environment, const std::string& command, const std::filesystem::path& folder,
              const std::filesystem::path& scratch, const Allowed& allowed);

}  // namespace lanescope::security
