#include "app/cli/commands/job_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

#include "app/cli/answers/report.h"
#include "kernels/base/process.h"
#include "kernels/base/read_file.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A word for a shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text)
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  return out + "'";
}

/// The output of a task: lines of JSON.
constexpr std::uint64_t most_task_bytes = std::uint64_t{1} << 32;

std::string text_of(const fs::path& path) { return read_file(path.string(), most_task_bytes).value_or(""); }

std::string last_line_of(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t from = text.rfind('\n', end);
  return text.substr(from == std::string::npos ? 0 : from + 1, end - (from == std::string::npos ? 0 : from + 1) + 1);
}

/// The files of one array: task k has the jobs in k.jobs, and writes k.R.jsonl the Rth time that it runs.
class ArrayFolder {
 public:
  explicit ArrayFolder(const fs::path& in)
      : path_(fs::absolute(in) / fmt::format("lanescope-sweep-{}-{:08x}", ::getpid(), std::random_device{}())) {
    std::error_code problem;
    fs::create_directories(path_, problem);
    if (problem) why_ = fmt::format("{} cannot be made: {}", path_.string(), problem.message());
  }
  ~ArrayFolder() {
    std::error_code ignored;
    if (!keeps_) fs::remove_all(path_, ignored);
  }
  ArrayFolder(const ArrayFolder&) = delete;
  ArrayFolder& operator=(const ArrayFolder&) = delete;
  const fs::path& path() const { return path_; }
  const std::string& why() const { return why_; }
  void keep() { keeps_ = true; }

  bool assign(std::size_t task, const std::vector<std::size_t>& jobs) const {
    std::ofstream file(path_ / fmt::format("{}.jobs", task));
    file << fmt::format("{}", fmt::join(jobs, ","));
    return static_cast<bool>(file.flush());
  }

 private:
  fs::path path_;
  std::string why_;
  bool keeps_ = false;
};

std::string script_of(const JobArray& array, const fs::path& folder, int round) {
  std::string command = shell_quoted(fs::read_symlink("/proc/self/exe").string());
  for (const std::string& word : array.words) command += " " + shell_quoted(word);
  command += R"x( --jobs "$(cat "$files/$task.jobs")")x";
  if (!array.after.empty()) command += " --";
  for (const std::string& word : array.after) command += " " + shell_quoted(word);
  return fmt::format(
      "#!/bin/sh\ncd {} || exit 2\nfiles={}\ntask=$SLURM_ARRAY_TASK_ID\nexec {} > \"$files/$task.{}.jsonl\" 2> "
      "\"$files/$task.err\" < /dev/null\n",
      shell_quoted(fs::current_path().string()), shell_quoted(folder.string()), command, round);
}

/// Whole lines of a task's file, those that were not there before.
class TaskFile {
 public:
  explicit TaskFile(fs::path path) : path_(std::move(path)) {}
  void read(std::set<std::size_t>& missing, const std::function<void(ArrayLine)>& arrived) {
    const std::string text = text_of(path_);
    for (std::size_t end = text.find('\n', read_); end != std::string::npos; end = text.find('\n', read_)) {
      json line = json::parse(text.substr(read_, end - read_), nullptr, false);
      read_ = end + 1;
      if (line.is_discarded() || !line.contains("job") || !line["job"].is_number_unsigned()) continue;
      const std::size_t job = line["job"];
      if (missing.erase(job) == 0) continue;
      line.erase("job");
      arrived({job, line_of(line), line.value("status", 0)});
    }
  }

 private:
  fs::path path_;
  std::size_t read_ = 0;
};

/// Starts the tasks and reads their output until the command has ended. Returns the end of a failed command, in words.
std::string run_tasks(const JobArray& array, const std::vector<std::size_t>& tasks, const fs::path& folder, int round,
                      std::set<std::size_t>& missing, const std::function<void(ArrayLine)>& arrived) {
  std::string command = array.command;
  constexpr std::string_view place = "{tasks}";
  for (std::size_t at = command.find(place); at != std::string::npos; at = command.find(place, at))
    command.replace(at, place.size(), fmt::format("{}", fmt::join(tasks, ",")));
  Expected<Process> started = Process::start({"/bin/sh", "-c", command}, Process::StandardError::kept);
  if (!started) return started.error().front().message;
  Process& process = *started;
  const std::string script = script_of(array, folder, round);
  std::size_t written = 0;
  std::vector<TaskFile> files;
  for (const std::size_t task : tasks) files.emplace_back(folder / fmt::format("{}.{}.jsonl", task, round));
  const auto read_all = [&] {
    for (TaskFile& f : files) f.read(missing, arrived);
  };
  Bytes said;
  while (process.read_some(said)) {
    if (written < script.size()) {
      const auto n =
          process.write_some({reinterpret_cast<const std::uint8_t*>(script.data()) + written, script.size() - written});
      written = n < 0 ? script.size() : written + static_cast<std::size_t>(n);
      if (written == script.size()) process.close_input();
    }
    read_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::string ending = process.reap();
  // Files of nodes may be seen a little later.
  for (int i = 0; i < 20 && (i == 0 || !missing.empty()); ++i) {
    read_all();
    if (!missing.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return ending;
}

}  // namespace

std::vector<std::size_t> numbers_of_list(const std::string& text) {
  std::vector<std::size_t> out;
  const char *at = text.data(), *const end = text.data() + text.size();
  while (at != end) {
    std::size_t number = 0;
    const auto [after, problem] = std::from_chars(at, end, number);
    if (problem != std::errc() || (after != end && *after != ',') || (!out.empty() && number <= out.back())) return {};
    out.push_back(number);
    at = after == end ? end : after + 1;
    if (after != end && at == end) return {};
  }
  return out;
}

ArrayEnd run_array(const JobArray& array, std::size_t jobs, const std::function<void(ArrayLine)>& arrived,
                   const std::function<void(std::size_t)>& repeats) {
  std::set<std::size_t> missing;
  for (std::size_t i = 0; i < jobs; ++i) missing.insert(i);
  ArrayFolder folder(array.folder);
  const auto all_lost = [&](std::string why) { return ArrayEnd{{missing.begin(), missing.end()}, std::move(why)}; };
  if (!folder.why().empty()) return all_lost(folder.why());
  const std::size_t tasks = std::clamp<std::size_t>(array.tasks, 1, std::max<std::size_t>(jobs, 1));
  std::string why;
  for (int round = 0; round < 2 && !missing.empty(); ++round) {
    if (round > 0) repeats(missing.size());
    std::vector<std::vector<std::size_t>> of_task(tasks);
    for (const std::size_t job : missing) of_task[job % tasks].push_back(job);
    std::vector<std::size_t> wanted;
    for (std::size_t t = 0; t < tasks; ++t) {
      if (of_task[t].empty()) continue;
      if (!folder.assign(t, of_task[t])) return all_lost(folder.path().string() + " cannot be written");
      wanted.push_back(t);
    }
    why = "the command " + run_tasks(array, wanted, folder.path(), round, missing, arrived);
    if (missing.empty()) break;
    const std::string said = last_line_of(text_of(folder.path() / fmt::format("{}.err", *missing.begin() % tasks)));
    if (!said.empty()) why = "its task said: " + said;
  }
  if (!missing.empty()) folder.keep();
  return all_lost(why);
}

}  // namespace lanescope::cli
