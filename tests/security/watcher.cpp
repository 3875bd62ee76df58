#include "tests/security/watcher.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "kernels/base/plain_name.h"

namespace lanescope::security {
namespace {

namespace fs = std::filesystem;

/// Of libraries, the toolkit and the machine; no folder of a user, and of /etc only what the loader and the clock read.
constexpr std::string_view system_places[] = {"/usr/lib",
                                              "/usr/lib64",
                                              "/lib",
                                              "/lib64",
                                              "/usr/local/cuda",
                                              "/usr/share/zoneinfo",
                                              "/usr/share/fonts",
                                              "/usr/share/glvnd",
                                              "/usr/share/drirc.d",
                                              "/usr/share/libdrm",
                                              "/etc/ld.so.cache",
                                              "/etc/locale.alias",
                                              "/etc/localtime",
                                              "/sys/devices",
                                              "/sys/fs/cgroup",
                                              "/sys/bus",
                                              "/dev/null",
                                              "/dev/urandom"};

/// One call as strace writes it: `openat(AT_FDCWD</home>, "a\"b", O_RDONLY|O_CLOEXEC) = 3</home/a"b>`.
struct CallLine {
  std::string name;
  std::vector<std::string> paths;  ///< its names, whole: relative ones after the folder that they are meant from
  std::string result;              ///< what it opened, as it really lies
  std::string flags;               ///< all that is after the last name
};

/// After the `<` at `at`, up to the `>` that ends it.
std::string in_brackets(std::string_view line, std::size_t at) {
  const std::size_t end = line.find('>', at);
  return without_escapes(line.substr(at + 1, end == std::string_view::npos ? end : end - at - 1));
}

CallLine call_of(std::string_view line) {
  CallLine out;
  const std::size_t open = line.find('('), equals = line.rfind(") ");
  if (open == std::string_view::npos || equals == std::string_view::npos) return out;
  out.name = line.substr(0, open);
  std::string folder;
  std::size_t after = open;
  for (std::size_t i = open; i < equals; ++i) {
    if (line[i] == '<') folder = in_brackets(line, i);
    if (line[i] != '"') continue;
    std::size_t end = i + 1;
    while (end < equals && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
    out.paths.push_back(
        (fs::path(folder) / without_escapes(line.substr(i + 1, end - i - 1))).lexically_normal().string());
    after = i = end;
  }
  out.flags = line.substr(after, equals - after);
  const std::size_t result = line.find('<', equals);
  if (result != std::string_view::npos) out.result = in_brackets(line, result);
  return out;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}
bool lies_in(const fs::path& path, const std::vector<fs::path>& places) {
  return std::ranges::any_of(places, [&](const fs::path& place) { return lies_in(path, place); });
}

class Judge {
 public:
  Judge(const Allowed& allowed, const std::set<std::string>& processes) : allowed_(allowed), processes_(processes) {}

  void judge(const CallLine& call, Watched& out) {
    if (call.name.starts_with("exec")) {
      ++out.processes;
      const std::string program = call.paths.empty() ? "" : call.paths.front();
      if (program != "/proc/self/exe" && program != allowed_.program) report(out, "starts " + program);
    } else if (call.name == "connect" || call.name == "bind") {
      report(out, "uses a socket: " + call.flags);
    } else if (call.name.starts_with("open") || call.name == "creat") {
      judge_opened(call, out);
    } else {
      for (const std::string& path : call.paths)
        if (!lies_in(path, allowed_.written)) report(out, fmt::format("{} {}", call.name, path));
    }
  }

 private:
  void judge_opened(const CallLine& call, Watched& out) {
    const auto has = [&](std::string_view flag) { return call.flags.find(flag) != std::string::npos; };
    const bool writes = call.name == "creat" || has("O_WRONLY") || has("O_RDWR") || has("O_CREAT") || has("O_TRUNC");
    if (!writes && (has("O_PATH") || has("O_DIRECTORY"))) return;
    if (writes) {
      if (call.result != "/dev/null" && !lies_in(call.result, allowed_.written)) report(out, "writes " + call.result);
      return;
    }
    ++out.files_read;
    if (!lies_in(call.result, allowed_.read) && !lies_in(call.result, allowed_.written) && !is_of_system(call.result))
      report(out, "reads " + call.result);
  }
  bool is_of_system(const std::string& path) const {
    if (path.starts_with("/usr/local/cuda-")) return true;  // with its version
    if (std::ranges::any_of(system_places, [&](std::string_view place) { return lies_in(path, fs::path(place)); }))
      return true;
    if (!path.starts_with("/proc/")) return false;
    const std::string rest = path.substr(6), process = rest.substr(0, rest.find('/'));
    return processes_.contains(process);
  }
  static void report(Watched& out, std::string violation) {
    if (std::ranges::find(out.violations, violation) == out.violations.end())
      out.violations.push_back(std::move(violation));
  }

  const Allowed& allowed_;
  const std::set<std::string>& processes_;  ///< ids of all that were traced
};

constexpr const char* traced =
    "execve,execveat,open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,"
    "linkat,"
    "symlink,symlinkat,truncate,chmod,fchmodat,chown,lchown,fchownat,mknod,mknodat,connect,bind";

}  // namespace

bool can_watch() { return std::system("strace -f -o /dev/null true > /dev/null 2>&1") == 0; }

Watched watch(const std::string& environment, const std::string& command, const fs::path& folder,
              const fs::path& scratch, const Allowed& allowed) {
  fs::create_directories(scratch);
  const fs::path output = scratch / "output";
  const std::string whole = fmt::format(
      "cd '{}' && {} strace -ff --seccomp-bpf -qq -y -s 4096 -e signal=none -e status=successful -e trace={} -o '{}' "
      "{} < "
      "/dev/null > '{}' 2>&1",
      folder.string(), environment, traced, (scratch / "log").string(), command, output.string());
  const int status = std::system(whole.c_str());
  Watched out{.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  std::set<std::string> processes;
  std::vector<fs::path> logs;
  for (const auto& entry : fs::directory_iterator(scratch)) {
    if (entry.path() == output) continue;
    logs.push_back(entry.path());
    processes.insert(entry.path().extension().string().substr(1));
  }
  Judge judge(allowed, processes);
  for (const fs::path& log : logs) {
    std::ifstream lines(log);
    for (std::string line; std::getline(lines, line);) judge.judge(call_of(line), out);
  }
  std::ifstream text(output);
  out.output.assign(std::istreambuf_iterator<char>(text), {});
  fs::remove_all(scratch);
  return out;
}

}  // namespace lanescope::security
