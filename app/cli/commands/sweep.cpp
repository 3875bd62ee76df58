#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "app/cli/answers/report.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/job_array.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/numbers.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

struct Parameter {
  std::string name;
  std::vector<std::string> values;
};

/// "n=1,2,4". Nullopt: reported.
std::optional<Parameter> parameter_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  Parameter out{text.substr(0, equals), {}};
  for (std::size_t at = equals; at != std::string::npos;) {
    const std::size_t end = text.find(',', at + 1);
    out.values.push_back(text.substr(at + 1, end == std::string::npos ? end : end - at - 1));
    at = end;
  }
  bool good = !out.name.empty() && !out.values.empty();
  for (const std::string& value : out.values) good = good && !value.empty();
  if (good) return out;
  report("", fmt::format("--sweep {} names no values", text), "write NAME=VALUE,VALUE,... as in --sweep block=64,128");
  return std::nullopt;
}

struct Job {
  Opened opened;  ///< of a refused file, too: its lines say why
  std::string file;
};

/// Every combination of values, the last parameter fastest.
std::vector<std::vector<engine::Override>> combinations(const std::vector<Parameter>& parameters) {
  std::vector<std::vector<engine::Override>> out(1);
  for (const Parameter& p : parameters) {
    std::vector<std::vector<engine::Override>> longer;
    for (const auto& before : out)
      for (const std::string& value : p.values) {
        longer.push_back(before);
        longer.back().push_back({p.name, value});
      }
    out = std::move(longer);
  }
  return out;
}

/// Several files and nothing else, for people: each says what it says alone.
bool is_text(const KernelOptions& options) {
  return options.sweep.empty() && options.array.empty() && options.jobs.empty() && !options.json;
}

std::vector<Job> jobs_of(const KernelOptions& options, const std::vector<Parameter>& parameters) {
  std::vector<std::string> files = {options.file};
  files.insert(files.end(), options.more_files.begin(), options.more_files.end());
  std::vector<Job> jobs;
  for (const std::string& file : files) {
    KernelOptions one = options;
    one.file = file;
    const Opened opened = open(one);
    if (!is_text(options)) report(opened.diagnostics);
    for (const auto& values : combinations(parameters)) {
      jobs.push_back({opened, file});
      jobs.back().opened.request.overrides = values;
    }
  }
  return jobs;
}

/// "3 of 12 jobs done, about 40 s left" on standard error, once a second at most and in the end.
class Progress {
 public:
  Progress(bool shown, std::size_t jobs) : shown_(shown || ::isatty(STDERR_FILENO) != 0), jobs_(jobs) {}

  void done() {
    const auto now = Clock::now();
    ++done_;
    if (!shown_ || jobs_ < 2 || (done_ < jobs_ && reported_ && now - *reported_ < std::chrono::seconds(1))) return;
    reported_ = now;
    const double passed = std::chrono::duration<double>(now - begun_).count();
    const std::string left = done_ == jobs_
                                 ? fmt::format("in {}", duration_words(passed))
                                 : fmt::format("about {} left", duration_words(passed / static_cast<double>(done_) *
                                                                               static_cast<double>(jobs_ - done_)));
    std::fputs(fmt::format("lanescope: {} of {} jobs done, {}\n", done_, jobs_, left).c_str(), stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_ = false;
  std::size_t jobs_ = 0, done_ = 0;
  Clock::time_point begun_ = Clock::now();
  std::optional<Clock::time_point> reported_;
};

/// The part of each line of a sweep that names its job.
void put_job(json& line, const Job& job, Status status) {
  put_fields(line, "file", job.file, "status", static_cast<int>(status), "parameters", json::object());
  for (const engine::Override& o : job.opened.request.overrides) line["parameters"][o.name] = o.value;
}

/// "3 files: 2 good, 1 wrong", by status.
std::string counts_words(const std::array<int, 4>& by_status) {
  static constexpr std::array words = {"good", "wrong", "invalid", "undecided"};
  int files = 0;
  std::string out;
  for (std::size_t s = 0; s < words.size(); ++s) {
    files += by_status[s];
    if (by_status[s] > 0) out += fmt::format("{} {} {}", out.empty() ? ":" : ",", by_status[s], words[s]);
  }
  return fmt::format("{} files{}", files, out);
}

/// Jobs go out in order to a free engine; lines come back in order.
class Sweep {
 public:
  /// `wanted`: numbers of jobs, ascending; their lines then have them.
  Sweep(std::vector<Job> jobs, Swept what, const KernelOptions& options,
        const std::optional<std::vector<std::size_t>>& wanted)
      : jobs_(std::move(jobs)),
        lines_(jobs_.size()),
        what_(what),
        options_(options),
        numbered_(wanted.has_value()),
        progress_(options.progress, wanted ? wanted->size() : jobs_.size()) {
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      if (!wanted || std::ranges::binary_search(*wanted, i)) open_.push_back(i);
    printed_.assign(open_.begin(), open_.end());
  }

  int run(std::vector<std::unique_ptr<engine::Engine>> engines) {
    working_ = engines.size();
    std::vector<std::jthread> threads;
    for (auto& engine : engines) threads.emplace_back([this, &engine] { work(*engine); });
    Status status = all_good;
    std::array<int, 4> by_status{};
    for (const std::size_t i : printed_) {
      const Status one = print_line(i);
      ++by_status.at(static_cast<std::size_t>(one));
      status = worse(status, one);
    }
    if (is_text(options_)) say("{}\n", counts_words(by_status));
    return status;
  }

 private:
  struct Line {
    std::string text;
    Status status = all_good;
    Diagnostics diagnostics{};  ///< for standard error
  };

  void work(engine::Engine& engine) {
    while (const auto job = take()) {
      const Answer answer = answer_of(engine, jobs_[*job]);
      if (!engine.reachable() && give_back(*job)) return;
      finish(*job, answer);
    }
  }

  /// Waits for jobs that others still have: an engine that cannot be reached gives its own back.
  std::optional<std::size_t> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !open_.empty() || under_way_ == 0; });
    if (open_.empty()) return std::nullopt;
    const std::size_t job = open_.front();
    open_.pop_front();
    ++under_way_;
    return job;
  }

  /// True where another engine is left to do it; the last one says what is wrong in the job's own line.
  bool give_back(std::size_t job) {
    const std::lock_guard lock(mutex_);
    const bool is_last = working_ <= 1;
    if (is_last) return false;
    --working_, --under_way_;
    open_.push_front(job);
    changed_.notify_all();
    return true;
  }

  Answer answer_of(engine::Engine& engine, const Job& job) const {
    if (job.opened.refused) return refused_answer(job.opened, job.file);
    switch (what_) {
      case Swept::check:
        return check_answer(engine, job.opened.request);
      case Swept::review:
        return review_answer(engine, job.opened.request, options_.fail_on);
      case Swept::run:
        return run_answer(engine, job.opened.request);
    }
    return {};
  }

  void finish(std::size_t job, const Answer& answer) {
    Line line = is_text(options_) ? text_of(job, answer) : json_line(job, answer);
    const std::lock_guard lock(mutex_);
    progress_.done();
    lines_[job] = std::move(line);
    --under_way_;
    changed_.notify_all();
  }

  Line text_of(std::size_t job, const Answer& answer) const {
    std::string text = fmt::format("{}:\n{}{}", jobs_[job].file, options_.verbose ? answer.details : "", answer.text);
    if (!text.ends_with('\n')) text += '\n';
    return {.text = std::move(text), .status = answer.status, .diagnostics = answer.diagnostics};
  }

  Line json_line(std::size_t job, const Answer& answer) const {
    json line = json_of(answer);
    put_job(line, jobs_[job], answer.status);
    if (const Cause why = reason_of(answer); !why.empty()) line["reason"] = why.words, line["code"] = why.code;
    if (numbered_) line["job"] = job;
    return {.text = line_of(line), .status = answer.status};
  }

  Status print_line(std::size_t job) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return lines_[job].has_value(); });
    const Line line = std::move(*lines_[job]);
    lock.unlock();
    report(line.diagnostics);
    say("{}\n", line.text);
    if (!flush_standard_output()) drop_open_jobs();
    return line.status;
  }

  /// Their results would be lost; main() reports lost output.
  void drop_open_jobs() {
    const std::lock_guard lock(mutex_);
    for (const std::size_t job : open_) lines_[job] = Line{};
    open_.clear();
    changed_.notify_all();
  }

  std::vector<Job> jobs_;
  std::vector<std::optional<Line>> lines_;
  Swept what_;
  const KernelOptions& options_;
  bool numbered_ = false;
  Progress progress_;
  std::vector<std::size_t> printed_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> open_;
  std::size_t working_ = 0;    ///< engines that can be reached, as far as is known
  std::size_t under_way_ = 0;  ///< jobs
};

/// The words of the command line that a task repeats: without the array's own.
std::vector<std::string> words_of_task(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    if (name == "--array" || name == "--array-tasks" || name == "--array-folder")
      i += name == words[i] ? 1 : 0;
    else if (name != "--progress")
      out.push_back(words[i]);
  }
  return out;
}

/// Lines are printed in order, as they come from the tasks.
int sweep_by_array(const KernelOptions& options, const std::vector<Job>& jobs) {
  std::vector<std::optional<ArrayLine>> lines(jobs.size());
  std::size_t next = 0;
  Status worst = all_good;
  const auto print_ready = [&] {
    for (; next < lines.size() && lines[next]; ++next) {
      say("{}\n", lines[next]->text);
      worst = worse(worst, static_cast<Status>(lines[next]->status));
    }
    flush_standard_output();
  };
  Progress progress(options.progress, jobs.size());
  const ArrayEnd end = run_array(
      {.command = options.array,
       .tasks = static_cast<std::size_t>(options.array_tasks),
       .words = words_of_task(options.words),
       .after = options.compiler_options,
       .folder = options.array_folder},
      jobs.size(),
      [&](ArrayLine line) {
        const std::size_t job = line.job;
        lines[job] = std::move(line);
        progress.done();
        print_ready();
      },
      [](std::size_t lost) {
        report(
            "",
            fmt::format("{} job{} lost with {} task", lost, lost == 1 ? " was" : "s were", lost == 1 ? "its" : "their"),
            "the tasks are started once more");
      });
  for (const std::size_t job : end.lost) {
    json line;
    put_job(line, jobs[job], not_here);
    put_fields(line, "reason", fmt::format("no task of the job array answered: {}", end.why), "code", "job-lost");
    lines[job] = ArrayLine{job, line_of(line), not_here};
  }
  if (!end.lost.empty())
    report("", fmt::format("{} of {} jobs have no answer: {}", end.lost.size(), jobs.size(), end.why),
           "see the files of the folder lanescope-sweep-* here; the command of --array must take a script on its "
           "standard input and end with its tasks");
  print_ready();
  return worst;
}

}  // namespace

int sweep(const KernelOptions& options, Swept what) {
  std::vector<Parameter> parameters;
  for (const std::string& text : options.sweep) {
    auto parameter = parameter_of(text);
    if (!parameter) return bad_input;
    if (std::ranges::find(parameters, parameter->name, &Parameter::name) != parameters.end()) {
      report("", fmt::format("{} is swept twice", parameter->name), "give all of its values to one --sweep");
      return bad_input;
    }
    parameters.push_back(std::move(*parameter));
  }
  std::optional<std::vector<std::size_t>> wanted;
  if (!options.jobs.empty()) {
    wanted = numbers_of_list(options.jobs);
    if (wanted->empty()) {
      report("", fmt::format("--jobs {} is no list of numbers", options.jobs),
             "write them ascending, as in --jobs 0,3,4");
      return bad_input;
    }
  }
  if (!options.array.empty() && (wanted || !options.via.empty())) {
    report("", fmt::format("--array conflicts with {}", wanted ? "--jobs" : "--via"), "leave one of them out");
    return bad_input;
  }
  std::vector<Job> jobs = jobs_of(options, parameters);
  if (wanted && wanted->back() >= jobs.size()) {
    report("", fmt::format("there is no job {}: the sweep has {}", wanted->back(), jobs.size()),
           "they are counted from 0");
    return bad_input;
  }
  if (!options.array.empty()) return sweep_by_array(options, jobs);
  // Without --via a worker child does the work, so that a crash costs one job.
  std::vector<std::unique_ptr<engine::Engine>> engines;
  for (const std::string& via : options.via) {
    KernelOptions one = options;
    one.via = {via};
    engines.push_back(engine_for(one, false));
  }
  if (engines.empty()) engines.push_back(engine::engine_behind({.run_limit = std::chrono::hours(24)}));
  return Sweep(std::move(jobs), what, options, wanted).run(std::move(engines));
}

}  // namespace lanescope::cli
