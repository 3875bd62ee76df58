#include "app/cli/answers/answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/cli/answers/problems.h"
#include "app/cli/answers/progress_line.h"
#include "app/engine/prepare/prepare.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/memory.h"

namespace lanescope::cli {

Answer refused_answer(const Opened& opened, const std::string& file) {
  return {
      .status = opened.refused.value_or(bad_input), .diagnostics = opened.diagnostics, .json = fields("file", file)};
}

void add_notices(nlohmann::json& out, const std::vector<results::Notice>& notices) {
  for (const results::Notice& notice : notices) {
    out["notices"].push_back(notice.words());
    out["notice_codes"].push_back(notice.name());
  }
}

void add_run(nlohmann::json& out, const results::Summary& s) {
  out["file"] = s.file;
  put_known(out, "engine", s.engine, "kernel", s.kernel, "arch", s.arch, "compiler", s.compiler, "inferred",
            s.inferred);
  for (const source::Assumption& a : s.assumed)
    out["assumed"][std::string(source::assumption_groups.at(static_cast<std::size_t>(group_of(a.code))))].push_back(
        assumption_json(a));
  add_notices(out, s.notices);
  for (const results::LaunchCoverage& l : s.coverage) {
    nlohmann::json& one = out["cut"].emplace_back(fields("launch", l.launch));
    const auto add_part = [&](const char* name, const trace::Coverage& c) {
      one[name] = fields("blocks", c.blocks, "ran", c.ran(), "first", c.in_order, "midway", c.midway, "ended",
                         enum_name(c.ended));
      if (!c.others.empty()) one[name]["others"] = c.others;
    };
    if (!l.plain.whole()) add_part("plain", l.plain);
    if (!l.probed.whole()) add_part("instrumented", l.probed);
  }
  if (const results::HistoryInfo& h = s.history; h.budget_bytes > 0)
    out["history"] = fields("budget_bytes", h.budget_bytes, "used_bytes", h.used_bytes, "most_bytes", h.most_bytes,
                            "checkpoints", h.checkpoints, "thinned", h.thinned, "refused", h.refused, "farthest",
                            h.farthest, "instructions", h.instructions);
  const auto written = [](const auto& option) {
    nlohmann::json one = fields("option", option.written, "origin", enum_name(option.origin));
    put_known(one, "file", option.place.file, "line", option.place.line);
    return one;
  };
  for (const options::UsedOption& o : s.settings.used)
    put_fields(out["options"].emplace_back(written(o)), "kind", enum_name(o.kind), "value", o.value);
  for (const options::LeftOut& o : s.settings.left_out)
    put_fields(out["options_not_used"].emplace_back(written(o)), "reason", o.reason, "code",
               o.replaced    ? "replaced"
               : o.no_option ? "no-option"
                             : "no-use");
}

Cause reason_of_cut(const results::Summary& s) {
  if (s.coverage.empty()) return {};
  const results::LaunchCoverage& l = s.coverage.front();
  return {"run-cut",
          fmt::format("launch {} was cut: {}", l.launch + 1, trace::words_of(l.plain.whole() ? l.probed : l.plain))};
}

std::string remarks_of(const results::Summary& s, const results::Assumptions& assumed) {
  constexpr std::size_t most_named = 8;
  std::string text;
  if (!assumed.empty())
    text += fmt::format("ASSUMED: {}; no launch header, comment or host code that could be followed states this\n",
                        source::list_of(assumed, most_named));
  for (const std::string& sentence : s.inferred) text += fmt::format("inferred: {}\n", sentence);
  for (const results::Notice& notice : s.notices) text += fmt::format("note: {}\n", notice.words());
  return text;
}

std::string details_of(const results::Summary& s) {
  std::string text = options::table(s.settings);
  for (const std::string& sentence : source::sentences_of(s.assumed)) text += fmt::format("assumed: {}\n", sentence);
  return text;
}

Cause reason_of(const Answer& answer) {
  if (answer.status == all_good || answer.diagnostics.empty() || !answer.reason.empty())
    return answer.status == all_good ? Cause{} : answer.reason;
  const auto error = std::ranges::find(answer.diagnostics, Severity::error, &Diagnostic::severity);
  const Diagnostic& d = error == answer.diagnostics.end() ? answer.diagnostics.front() : *error;
  return {std::string(name_of(d.code)), d.message};
}

nlohmann::json json_of(const Answer& answer) {
  nlohmann::json out = answer.json;
  if (!answer.diagnostics.empty()) out["diagnostics"] = diagnostics_json(answer.diagnostics);
  return out;
}

int print(const Answer& answer, bool as_json, bool verbose) {
  report(answer.diagnostics);
  if (as_json)
    say(json_of(answer));
  else
    put(verbose ? answer.details + answer.text : answer.text), put_content(answer.content);
  return answer.status;
}

std::unique_ptr<engine::Engine> engine_for(const KernelOptions& options, bool watched) {
  const std::shared_ptr<ProgressLine> line = watched ? progress_line(options.progress) : nullptr;
  const engine::Watch watch =
      line ? engine::Watch([line](const engine::Progress& p) { line->show(p); }) : engine::Watch();
  // A call that is stuck ends with this process: the compiler cannot be stopped.
  const auto overdue = [file = options.file, json = options.json, line](const Diagnostic& late) {
    if (line) line->end();
    print({.status = not_here, .diagnostics = {late}, .json = fields("file", file)}, json);
    std::fflush(stdout);
    std::_Exit(not_here);
  };
  watch_memory([overdue, file = options.file](Diagnostic full) {
    full.file = file;
    overdue(full);
  });
  if (options.via.empty()) return engine::engine_here(overdue, watch);
  engine::ClientOptions client = engine::via_options(options.via.front());
  client.hello_limit = std::chrono::seconds(options.via_wait_seconds);
  client.run_limit = std::chrono::hours(24);  // as long as in this process: --max-steps ends runaway loops
  client.answer_limit = std::chrono::minutes(10);
  return engine::engine_behind(
      std::move(client), [](const std::string& sentence) { report("", sentence, ""); }, watch);
}

engine::RunResult run_file(engine::Engine& engine, engine::RunRequest& request) {
  engine::RunResult result = engine.run(request);
  if (result.summary.ok || !engine::failed_as_part(result.summary.diagnostics)) return result;
  const auto whole = engine::request_of_includer(request);
  if (!whole) return result;
  engine::RunResult other = engine.run(*whole);
  if (!other.summary.ok) return result;
  const std::string part = request.file;
  request = *whole;
  const SourceLines& lines = other.summary.lines;
  const auto elsewhere = [&](int unit_line) {
    std::error_code problem;
    const std::size_t file = lines.place(unit_line).file;
    return file >= lines.files.size() || !std::filesystem::equivalent(lines.files[file].path, part, problem);
  };
  std::erase_if(other.summary.claims, [&](const results::ClaimInfo& c) { return elsewhere(c.claim.first_line); });
  std::erase_if(other.findings, [&](const review::Finding& f) { return f.line > 0 && elsewhere(f.line); });
  other.summary.notices.insert(other.summary.notices.begin(),
                               coded<results::NoticeCode::compiled_as_part>(part, whole->file));
  return other;
}

namespace {

struct Part {
  std::string_view name;
  bool engine::MeasureRequest::*wanted;
};
constexpr Part parts[] = {{"timing", &engine::MeasureRequest::timing},
                          {"counters", &engine::MeasureRequest::counters},
                          {"instructions", &engine::MeasureRequest::instructions},
                          {"stalls", &engine::MeasureRequest::stalls},
                          {"activity", &engine::MeasureRequest::activity},
                          {"trace", &engine::MeasureRequest::trace}};

}  // namespace

std::vector<std::string> measured_parts() {
  std::vector<std::string> names;
  for (const Part& part : parts) names.emplace_back(part.name);
  return names;
}

Expected<engine::MeasureRequest> measure_request(const std::vector<std::string>& wanted) {
  engine::MeasureRequest request;
  for (const Part& part : parts) request.*part.wanted = wanted.empty();
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(parts, std::string_view(name), &Part::name);
    if (found == std::end(parts))
      return failure(fmt::format("a measurement has no part '{}'", name),
                     fmt::format("the parts are {}", fmt::join(measured_parts(), ", ")));
    request.*found->wanted = true;
  }
  return request;
}

}  // namespace lanescope::cli
