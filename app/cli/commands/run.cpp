#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "app/cli/answers/problems.h"
#include "app/cli/commands/commands.h"
#include "app/engine/prepare/launch_plan.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/write_file.h"
#include "kernels/source/data/sha256.h"
#include "kernels/source/model/buffer.h"
#include "results/grids.h"
#include "results/printed.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

/// Every counter, and every quotient that has something below the line; both under the hardware's names, with the older
/// name that the references use where there is one.
json to_json(const counters::Counts& counts) {
  json out = json::object();
  const auto add = [&](std::string_view name, std::string_view legacy, std::string_view unit, const json& value) {
    json& one = out[std::string(name)] = fields("predicted", value, "unit", unit);
    put_known(one, "legacy", legacy);
  };
  for (const counters::Metric& m : counters::metrics()) add(m.name, m.legacy, m.unit, m.value(counts));
  for (const counters::Ratio& r : counters::ratios())
    if (const auto value = r.value(counts)) add(r.name, r.legacy, r.unit, *value);
  return out;
}

json to_json(const counters::Report& report, const SourceLines& of_source) {
  json lines = json::array();
  for (const auto& [line, counts] : report.lines) {
    if (line == 0) continue;
    json one = to_json(counts);
    put_line(one, of_source, line);
    lines.push_back(std::move(one));
  }
  return fields("total", to_json(report.total), "lines", std::move(lines));
}

json printed_json(const results::Summary& s) {
  json out = json::array();
  const auto index = [](const trace::Dim3& i) { return json::array({i.x, i.y, i.z}); };
  for (const results::PrintedText& p : s.printed) {
    json one = fields("text", p.text, "launch", p.launch, "block", p.block, "block_index", index(p.block_index),
                      "thread_index", index(p.thread_index), "warp", p.warp, "lane", p.lane);
    if (p.line > 0) put_line(one, s.lines, p.line);
    put_known(one, "cut", p.cut);
    out.push_back(std::move(one));
  }
  return out;
}

/// The tree of grids as a list, equal ones once.
json grids_json(const results::Summary& s) {
  const auto extents = [](const trace::Dim3& d) { return json::array({d.x, d.y, d.z}); };
  json out = json::array();
  std::vector<std::size_t> open;  // by depth: the entry that deeper ones belong to
  for (const results::GridFold& f : results::folded(s.grids)) {
    const results::GridInfo& g = s.grids[f.first];
    json one = fields("kernel", g.kernel, "grid", extents(g.grid), "block", extents(g.block), "shared",
                      g.dynamic_shared_bytes, "count", f.count, "depth", f.depth, "order", enum_name(g.order));
    if (g.line > 0) put_line(one, s.lines, g.line);
    if (g.launch >= 0) one["launch"] = g.launch;
    open.resize(f.depth);
    if (f.depth > 0) {
      one["parent"] = open.back();
      for (const std::size_t m : f.members)
        one["by"].push_back(fields("block", s.grids[m].from_block, "thread", s.grids[m].from_thread));
    }
    open.push_back(out.size());
    out.push_back(std::move(one));
  }
  return out;
}

void print_grids(std::string& text, const results::Summary& s) {
  if (s.grids.empty()) return;
  text += "grids\n";
  for (const results::GridFold& f : results::folded(s.grids))
    text += fmt::format("{:>{}}{}\n", "", 2 + 2 * f.depth, results::words_of(f, s.grids, s.lines));
  text += '\n';
}

/// The elements of a buffer that is short enough to be read at a glance.
std::optional<json> few_values(const engine::Output& o) {
  constexpr std::size_t most = 64, bits_of_byte = 8;
  const auto bits = static_cast<std::size_t>(source::element_bits(o.element_type));
  if (bits == 0 || o.bytes.size() * bits_of_byte > most * bits) return std::nullopt;
  json values = json::array();
  for (std::size_t i = 0; i < o.bytes.size() * bits_of_byte / bits; ++i) {
    const std::string words = engine::element_words(o.element_type, o.bytes, i);
    json number = json::parse(words, nullptr, false);
    values.push_back(number.is_number() ? std::move(number) : json(words));
  }
  return values;
}

json to_json(const engine::RunResult& result) {
  const results::Summary& s = result.summary;
  json outputs = json::object();
  for (const engine::Output& o : result.outputs) {
    json one = fields("type", o.element_type, "shape", o.shape);
    if (o.partial.empty()) {
      one["sha256"] = source::sha256(o.bytes);
      if (std::optional<json> values = few_values(o)) one["values"] = std::move(*values);
    } else {
      one["partial"] = o.partial;
    }
    if (o.difference) one["expectation"] = o.differs() ? *o.difference : "equal";
    put_known(one, "undecided", o.undecided);
    outputs[o.name] = std::move(one);
  }
  json out = {
      {"outputs", outputs}, {"counters", to_json(result.counters, s.lines)}, {"faults", faults_json(result.faults, s)}};
  add_run(out, s);
  if (s.printed_calls > 0) out["printed"] = printed_json(s), out["printed_calls"] = s.printed_calls;
  if (!s.grids.empty()) out["grids"] = grids_json(s);
  if (s.resources.registers >= 0) out["registers"] = s.resources.registers;
  return out;
}

std::string with_legacy(std::string_view name, std::string_view legacy) {
  return legacy.empty() ? std::string(name) : fmt::format("{} ({})", name, legacy);
}

void print_counters(std::string& text, const counters::Report& report, const SourceLines& lines) {
  text += fmt::format("\ntotal, predicted\n");
  for (const counters::Metric& m : counters::metrics())
    if (const auto value = m.value(report.total))
      text += fmt::format("  {:>12} {:<14} {}\n", value, m.unit, with_legacy(m.name, m.legacy));
  for (const counters::Ratio& r : counters::ratios())
    if (const auto value = r.value(report.total))
      text += fmt::format("  {:>12.2f} {:<14} {}\n", *value, r.unit, with_legacy(r.name, r.legacy));
  std::size_t width = 6;
  for (const auto& [line, c] : report.lines) width = std::max(width, lines.number(line).size());
  text += fmt::format("\n{:>{}} {:>8} {:>9} {:>8} {:>9} {:>11} {:>10} {:>9} {:>9}\n", "line", width, "inst", "thread",
                      "global", "sectors", "wavefronts", "conflicts", "shuffles", "barriers");
  text += fmt::format("{:>{}} {:>8} {:>9} {:>8}\n", "", width, "", "inst", "requests");
  for (const auto& [line, c] : report.lines) {
    const auto global = c.global();
    const auto shared = c.shared();
    text +=
        fmt::format("{:>{}} {:>8} {:>9} {:>8} {:>9} {:>11} {:>10} {:>9} {:>9}\n", line > 0 ? lines.number(line) : "-",
                    width, c.instructions, c.thread_instructions, global.requests, global.sectors, shared.wavefronts,
                    shared.bank_conflicts, c.shuffles, c.barriers);
  }
}

/// The lines as the program prints them; with places, each after its own.
void print_printed(std::string& text, const results::Summary& s, bool places) {
  if (s.printed_calls == 0) return;
  const bool several = results::prints_in_several_launches(s);
  if (places)
    for (const results::PrintedLine& line : results::printed_lines(s))
      text += fmt::format("{}: {}\n", results::printed_place_words(s.printed[line.call], s.lines, several), line.text);
  else
    for (const results::PrintedText& p : s.printed) text += p.text;
  if (!text.empty() && text.back() != '\n') text += '\n';
  if (const std::string left_out = results::printed_left_out(s); !left_out.empty())
    text += fmt::format("note: {}\n", left_out);
  text += '\n';
}

/// `outputs`: as JSON, with the digests.
void print(std::string& text, const engine::RunResult& result, const json& outputs, bool places) {
  const results::Summary& s = result.summary;
  text += remarks_of(s, s.assumed);  // outputs rest on all of them
  print_printed(text, s, places);
  print_grids(text, s);
  for (const engine::Output& o : result.outputs) {
    text += fmt::format(
        "{}  {} {}  {}", o.name, o.element_type, fmt::join(o.shape, "x"),
        o.partial.empty() ? "sha256 " + outputs.at(o.name).at("sha256").get<std::string>() : "not final: " + o.partial);
    if (o.difference)
      text += !o.differs() ? "  equals the expectation"
                           : fmt::format("  {}differs from the expectation: {}", o.undecided ? "undecided; " : "",
                                         *o.difference);
    text += fmt::format("\n");
  }
  print_counters(text, result.counters, s.lines);
}

/// NAME=FILE.npy; the names are checked before anything is written.
void write_outputs(const engine::RunResult& result, const std::vector<std::string>& wanted, Answer& answer) {
  struct Job {
    const engine::Output* output;
    std::string path;
  };
  std::vector<Job> jobs;
  for (const std::string& text : wanted) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto found = std::ranges::find(result.outputs, name, &engine::Output::name);
    if (found == result.outputs.end()) {
      std::vector<std::string> names;
      for (const auto& o : result.outputs) names.push_back(o.name);
      answer.diagnostics.push_back({.file = result.summary.file,
                                    .message = fmt::format("there is no buffer '{}'", name),
                                    .remedy = fmt::format("the buffers are {}", fmt::join(names, ", "))});
      answer.status = bad_input;
      answer.text.clear();
      return;
    }
    if (!found->partial.empty()) {
      answer.diagnostics.push_back({.file = result.summary.file,
                                    .message = fmt::format("'{}' is not written: {}", name, found->partial),
                                    .remedy = "raise the time limit (--max-seconds), or make the grid smaller"});
      answer.status = not_here;
      return;
    }
    jobs.push_back({&*found, text.substr(equals + 1)});
  }
  for (const Job& job : jobs) {
    const auto index = static_cast<std::size_t>(job.output - result.outputs.data());
    const auto written = write_file(job.path, npy_bytes(*job.output, result.summary.buffers[index]));
    if (!written) answer.refuse(written.error(), not_here);
  }
}

engine::RunResult run_plainly(engine::Engine& engine, engine::RunRequest request) {
  request.probed_run = request.history_bytes > 0;
  request.measure = request.on_gpu;
  return run_file(engine, request);
}

Answer answer_of(const engine::RunResult& result, bool on_gpu, bool places) {
  Answer answer{.status = status_of(result.ending), .diagnostics = result.summary.diagnostics, .json = json::object()};
  answer.details = details_of(result.summary);
  add_run(answer.json, result.summary);
  answer.json["faults"] = faults_json(result.faults, result.summary);
  if (!result.summary.ok) return answer;  // without outputs and counters, which must not be reported as 0
  answer.add(result.measured.refused);
  answer.json = to_json(result);
  if (on_gpu) add_measured(answer.json, result.hardware, result.measured);
  answer.reason = reason_of_cut(result.summary);
  for (const engine::Output& o : result.outputs)
    if (o.undecided && answer.reason.empty())
      answer.reason = {std::string(name_of(DiagnosticCode::expectation_differs)),
                       fmt::format("'{}' differs from the result that the header expects of another launch: {}", o.name,
                                   *o.difference)};
  print(answer.text, result, answer.json.at("outputs"), places);
  return answer;
}

}  // namespace

Answer run_answer(engine::Engine& engine, const engine::RunRequest& request) {
  return answer_of(run_plainly(engine, request), request.on_gpu, false);
}

int run_kernel(const RunOptions& options) {
  Diagnostics wrong;
  std::set<std::string> targets;
  const auto add_wrong = [&](const std::string& path) {
    for (Diagnostic& d : wrong_target(path)) wrong.push_back(std::move(d));
    for (Diagnostic& d : overwritten(options, path)) wrong.push_back(std::move(d));
    if (!targets.insert(path).second && path != "/dev/null")
      wrong.push_back(
          {.file = path, .message = "two buffers would be written to this file", .remedy = "name two files"});
  };
  for (const std::string& out : options.out) {
    const std::size_t equals = out.find('=');
    if (equals == std::string::npos || out.ends_with('='))
      wrong.push_back({.message = fmt::format("--output {} names no file", out), .remedy = "write NAME=FILE.npy"});
    else
      add_wrong(out.substr(equals + 1));
  }
  const Opened opened = wrong.empty() ? open(options) : refuse(std::move(wrong));
  if (opened.refused) return print(refused_answer(opened, options.file), options.json);
  const auto engine = engine_for(options);
  const engine::RunResult result = run_plainly(*engine, opened.request);
  Answer answer = answer_of(result, opened.request.on_gpu, options.verbose);
  if (result.summary.ok) write_outputs(result, options.out, answer);
  const int status = print(answer, options.json, options.verbose);
  if (opened.request.on_gpu && !options.json && result.summary.ok) print_measured(result.hardware, result.measured);
  return status;
}

}  // namespace lanescope::cli
