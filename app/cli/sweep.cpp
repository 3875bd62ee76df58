#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/say.h"
#include "app/cli/commands.h"

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

std::vector<Job> jobs_of(const KernelOptions& options, const std::vector<Parameter>& parameters) {
  std::vector<std::string> files = {options.file};
  files.insert(files.end(), options.more_files.begin(), options.more_files.end());
  std::vector<Job> jobs;
  for (const std::string& file : files) {
    KernelOptions one = options;
    one.file = file;
    const Opened opened = open(one);
    report(opened.diagnostics);
    for (const auto& values : combinations(parameters)) {
      jobs.push_back({opened, file});
      jobs.back().opened.request.overrides = values;
    }
  }
  return jobs;
}

/// Jobs go out in order to whoever is free; lines come back in order.
class Sweep {
 public:
  Sweep(std::vector<Job> jobs, Swept what) : jobs_(std::move(jobs)), lines_(jobs_.size()), what_(what) {
    for (std::size_t i = 0; i < jobs_.size(); ++i) open_.push_back(i);
  }

  int run(std::vector<std::unique_ptr<engine::Engine>> engines) {
    working_ = engines.size();
    std::vector<std::jthread> threads;
    for (auto& engine : engines) threads.emplace_back([this, &engine] { work(*engine); });
    Status status = all_good;
    for (std::size_t i = 0; i < lines_.size(); ++i) status = worse(status, print_line(i));
    return status;
  }

 private:
  struct Line {
    std::string text;
    Status status = all_good;
  };

  void work(engine::Engine& engine) {
    while (const auto job = take()) {
      const Answer answer = answer_of(engine, jobs_[*job]);
      if (!engine.reachable() && give_back(*job)) return;
      finish(*job, answer);
    }
  }

  std::optional<std::size_t> take() {
    const std::lock_guard lock(mutex_);
    if (open_.empty()) return std::nullopt;
    const std::size_t job = open_.front();
    open_.pop_front();
    return job;
  }

  /// True where another engine is left to do it; the last one says what is wrong in the job's own line.
  bool give_back(std::size_t job) {
    const std::lock_guard lock(mutex_);
    const bool is_last = working_ <= 1;
    if (is_last) return false;
    --working_;
    open_.push_front(job);
    return true;
  }

  Answer answer_of(engine::Engine& engine, const Job& job) const {
    if (job.opened.refused) return refused_answer(job.opened, job.file);
    switch (what_) {
      case Swept::check:
        return check_answer(engine, job.opened.request);
      case Swept::review:
        return review_answer(engine, job.opened.request);
      case Swept::run:
        return run_answer(engine, job.opened.request);
    }
    return {};
  }

  void finish(std::size_t job, const Answer& answer) {
    json line = json_of(answer);
    line["file"] = jobs_[job].file;
    line["status"] = static_cast<int>(answer.status);
    if (const std::string reason = reason_of(answer); !reason.empty()) line["reason"] = reason;
    line["parameters"] = json::object();
    for (const engine::Override& o : jobs_[job].opened.request.overrides) line["parameters"][o.name] = o.value;
    const std::lock_guard lock(mutex_);
    lines_[job] = Line{line.dump(-1, ' ', false, json::error_handler_t::replace), answer.status};
    ready_.notify_all();
  }

  Status print_line(std::size_t job) {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [&] { return lines_[job].has_value(); });
    const Line line = std::move(*lines_[job]);
    lock.unlock();
    say("{}\n", line.text);
    if (!flush_standard_output()) drop_open_jobs();
    return line.status;
  }

  /// Nobody reads what they would say; main() tells that output was lost.
  void drop_open_jobs() {
    const std::lock_guard lock(mutex_);
    for (const std::size_t job : open_) lines_[job] = Line{};
    open_.clear();
  }

  std::vector<Job> jobs_;
  std::vector<std::optional<Line>> lines_;
  Swept what_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::size_t> open_;
  std::size_t working_ = 0;
};

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
  // Without --via a worker child does the work, so that a crash costs one job.
  std::vector<std::unique_ptr<engine::Engine>> engines;
  for (const std::string& via : options.via) {
    KernelOptions one = options;
    one.via = {via};
    engines.push_back(engine_for(one));
  }
  if (engines.empty()) {
    engine::ClientOptions worker;
    worker.run_limit = std::chrono::hours(24);
    engines.push_back(engine::engine_behind(std::move(worker)));
  }
  return Sweep(jobs_of(options, parameters), what).run(std::move(engines));
}

}  // namespace lanescope::cli
