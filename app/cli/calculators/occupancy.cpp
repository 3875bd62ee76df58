// How full a GPU gets: of a kernel as it was compiled, of the same under caps of registers, or of bare numbers.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/problems.h"
#include "app/cli/answers/report.h"
#include "app/cli/calculators/calculators.h"
#include "app/engine/summary/occupancy_info.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/text.h"
#include "profiling/occupancy/gpu_table.h"
#include "results/occupancy.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

/// Where neither a GPU nor an architecture is named.
constexpr std::string_view default_gpu = "H200";

json sources_of(const occupancy::Arch& a) {
  return fields("limits", a.limits.source, "registers", a.registers.source, "shared", a.shared.source, "multiprocessor",
                a.multiprocessor.source, "latency", a.latency.source, "memory", a.memory.source);
}

int list_gpus(bool as_json) {
  const auto& table = occupancy::gpu_table();
  if (!table) return print({.status = bad_input, .diagnostics = table.error()}, as_json);
  json out = fields("gpus", json::array(), "archs", json::array());
  for (const occupancy::Arch& a : table->archs)
    out["archs"].push_back(fields("name", a.name, "generation", a.generation, "sources", sources_of(a)));
  for (const occupancy::Gpu& g : table->gpus) {
    if (!as_json)
      say("{:<18} {:<7} {:>3} multiprocessors  {:.3f} GHz  {:>6.0f} GB/s  {}\n", g.name, g.arch.name, g.multiprocessors,
          g.multiprocessor_clock_ghz, g.bandwidth_gb_per_s, g.source);
    out["gpus"].push_back(fields("name", g.name, "arch", g.arch.name, "multiprocessors", g.multiprocessors,
                                 "multiprocessor_clock_ghz", g.multiprocessor_clock_ghz, "bandwidth_gb_per_s",
                                 g.bandwidth_gb_per_s, "source", g.source));
  }
  if (as_json) say(out);
  return all_good;
}

std::string counted(std::int64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

engine::OccupancyChoice choice_of(const OccupancyOptions& o) {
  engine::OccupancyChoice choice{.gpu = o.gpu};
  if (choice.gpu.empty() && o.file.empty() && o.arch.empty()) choice.gpu = default_gpu;
  if (o.registers >= 0) choice.registers = o.registers;
  if (o.threads >= 0) choice.threads = o.threads;
  if (o.shared_bytes >= 0) choice.dynamic_shared_bytes = o.shared_bytes;
  choice.shared_formula = o.shared_per_thread >= 0 ? fmt::format("threads*{}", o.shared_per_thread) : o.shared_formula;
  if (o.carveout_percent >= 0) choice.carveout_percent = o.carveout_percent;
  if (o.latency_cycles > 0) choice.latency_cycles = o.latency_cycles;
  if (o.arithmetic_cycles > 0) choice.arithmetic_cycles = o.arithmetic_cycles;
  if (o.bandwidth_gb_per_s > 0) choice.bandwidth_gb_per_s = o.bandwidth_gb_per_s;
  choice.bytes_per_thread = o.bytes_per_thread;
  return choice;
}

/// The run of the file, or a kernel of which only the numbers are known.
struct Subject {
  results::Summary summary;
  engine::RunRequest request;
  std::unique_ptr<engine::Engine> engine;  ///< of a file
  Diagnostics diagnostics;
  Status status = all_good;
  bool known = false;
};

Subject subject_of(const OccupancyOptions& o) {
  Subject out;
  if (o.file.empty()) {
    out.summary.arch = o.arch;
    out.known = o.registers >= 0 && o.threads >= 0 && o.caps.empty();
    if (!out.known)
      out.diagnostics = {{.message = o.caps.empty() ? "a kernel file, or --registers and --threads, are needed"
                                                    : "--caps needs a kernel file",
                          .remedy = "see lanescope occupancy --help"}};
    out.status = out.known ? all_good : bad_input;
    return out;
  }
  const Opened opened = open(o);
  if (opened.refused) {
    out.status = *opened.refused;
    out.diagnostics = opened.diagnostics;
    return out;
  }
  out.request = opened.request;
  engine::RunRequest request = opened.request;
  request.probed_run = false;
  out.engine = engine_for(o);
  engine::RunResult result = out.engine->run(request);
  out.diagnostics = result.summary.diagnostics;
  out.status = status_of(result.ending);
  out.known = result.summary.ok;
  out.summary = std::move(result.summary);
  return out;
}

json json_of(const results::OccupancyInfo& info) {
  json out = fields("gpu", info.gpu, "summary", info.summary, "blocks", info.blocks, "warps", info.warps, "most_warps",
                    info.most_warps, "percent", info.percent, "limiters", json::array(), "in_flight", json::array());
  put_known(out, "cannot_run", info.cannot_run);
  for (const auto& l : info.limiters) {
    json one = fields("resource", l.resource, "limiting", l.limiting, "detail", l.detail);
    put_known(one, "blocks", l.blocks);
    out["limiters"].push_back(std::move(one));
  }
  if (info.suggested_threads > 0)
    out["suggested"] = fields("threads_per_block", info.suggested_threads, "percent", info.suggested_percent);
  for (const auto& s : info.suggested)
    out["suggestions"].push_back(fields("threads_per_block", s.threads, "blocks_per_multiprocessor", s.blocks, "warps",
                                        s.warps, "percent", s.percent, "dynamic_shared_bytes", s.shared_bytes,
                                        "blocks_to_fill_the_gpu", s.blocks_to_fill));
  out["most_threads_per_block"] = info.most_threads;
  if (const auto& s = info.split) {
    out["split"] = fields("shared_bytes", s->shared_bytes, "l1_bytes", s->l1_bytes, "choices_bytes", s->choices_bytes);
    if (s->carveout_percent) out["split"]["carveout_percent"] = *s->carveout_percent;
  }
  for (const auto& r : info.roofs) {
    json one = fields("memory", r.memory, "gb_per_s", r.gb_per_s, "source", r.source);
    put_known(one, "bytes", r.bytes);
    if (r.attainable_gop_per_s > 0)
      one["operations_per_byte"] = r.operations_per_byte, one["attainable_gop_per_s"] = r.attainable_gop_per_s,
      one["lowest"] = r.lowest;
    out["roofs"].push_back(std::move(one));
  }
  if (info.waves)
    out["waves"] = fields("blocks", info.waves->blocks, "waves", info.waves->waves, "tail_blocks",
                          info.waves->tail_blocks, "used_percent", info.waves->used_percent);
  for (const auto& f : info.in_flight)
    out["in_flight"].push_back(fields("what", f.what, "law", f.law, "needed_warps", f.needed_warps, "resident_warps",
                                      f.resident_warps, "independent_needed", f.independent_needed));
  if (const auto& r = info.roofline)
    out["roofline"] =
        fields("operations_per_byte", r->operations_per_byte, "ridge_operations_per_byte", r->ridge_operations_per_byte,
               "peak_gop_per_s", r->peak_gop_per_s, "bandwidth_gb_per_s", r->bandwidth_gb_per_s, "attainable_gop_per_s",
               r->attainable_gop_per_s, "bound", r->compute_bound ? "compute" : "memory");
  return out;
}

/// `of_a_kernel`: it was run, so that what it moves is known.
void print(const results::OccupancyInfo& info, bool of_a_kernel) {
  say("{}: {}\n", info.gpu, info.summary);
  for (const auto& l : info.limiters)
    say("  {:<14} {:>9}{}  {}\n", l.resource, l.blocks ? fmt::format("{} blocks", *l.blocks) : "no limit",
        l.limiting ? " *" : "  ", l.detail);
  for (const auto& s : info.suggested)
    say("  {}: {} threads per block: {} per multiprocessor, {:.1f} %; {} fill the GPU{}\n",
        &s == &info.suggested.front() ? "highest occupancy" : "            as high", s.threads,
        counted(s.blocks, "block"), s.percent, counted(s.blocks_to_fill, "block"),
        s.shared_bytes > 0 ? fmt::format("; {} bytes of dynamic shared memory each", s.shared_bytes) : "");
  if (info.most_threads > 0) say("  largest block that runs: {} threads\n", info.most_threads);
  if (const auto& s = info.split)
    say("  shared memory takes {} of {} bytes, L1 has {}{}\n", s->shared_bytes, s->shared_bytes + s->l1_bytes,
        s->l1_bytes,
        s->carveout_percent ? fmt::format(" (carveout {} %)", *s->carveout_percent)
                            : " (smallest size for these blocks; the driver decides)");
  if (info.waves)
    say("  {} in {}, {}: {:.1f} % of the block slots used\n", counted(info.waves->blocks, "block"),
        counted(info.waves->waves, "wave"),
        info.waves->tail_blocks == 0 ? "the last one full" : fmt::format("{} in the last", info.waves->tail_blocks),
        info.waves->used_percent);
  for (const auto& f : info.in_flight)
    say("  {}: {}: {} warps needed, {} resident\n", f.what, f.law, f.needed_warps, f.resident_warps);
  if (const auto& r = info.roofline)
    say("  roofline: {:.3g} operations a byte, {}-bound below {:.0f} GOP/s (roofs meet at {:.3g})\n",
        r->operations_per_byte, r->compute_bound ? "compute" : "memory", r->attainable_gop_per_s,
        r->ridge_operations_per_byte);
  for (const auto& r : info.roofs) {
    say("  {:<13} {:>8.0f} GB/s at most{}\n", r.memory, r.gb_per_s,
        r.attainable_gop_per_s > 0 ? fmt::format("; {:.3g} operations a byte: {:.0f} Gop/s{}", r.operations_per_byte,
                                                 r.attainable_gop_per_s, r.lowest ? ", the lowest" : "")
        : !of_a_kernel             ? ""
        : r.bytes > 0              ? "; no floating-point operations"
                                   : "; the kernel moves nothing there");
    if (r.memory == "L2") say("                {}\n", r.source);  // few documents state this rate
  }
}

/// The occupancy under a cap, beside its cost in spills.
json json_of(const results::RegisterLimit& row, const Expected<results::OccupancyInfo>& info, int launch_bounds) {
  json out = fields("cap", row.cap);
  if (const std::string why = results::above_the_limit(row, launch_bounds); !why.empty()) out["note"] = why;
  put_known(out, "refused", row.refused);
  if (row.registers >= 0) out["registers"] = row.registers;
  if (row.spill_bytes >= 0) out["spill_bytes"] = row.spill_bytes;
  if (row.local_bytes >= 0) out["local_bytes"] = row.local_bytes;
  if (info) out["percent"] = info->percent, out["warps"] = info->warps;
  return out;
}

void print(const results::RegisterLimit& row, const Expected<results::OccupancyInfo>& info, int launch_bounds) {
  const std::string name = row.cap == 0 ? "as it is" : fmt::format("at most {}", row.cap);
  if (!row.refused.empty()) return say("  {:<12} {}\n", name, row.refused);
  const std::string why = results::above_the_limit(row, launch_bounds);
  say("  {:<12} {:>3} registers, {} bytes spilled, {} bytes local{}{}\n", name, row.registers, row.spill_bytes,
      row.local_bytes, info ? fmt::format(": {} warps, {:.1f} %", info->warps, info->percent) : "",
      why.empty() ? "" : "; " + why);
}

/// Adds the rows to `out`, or prints them.
Status add_caps(const OccupancyOptions& o, Subject& subject, json& out) {
  std::vector<int> caps = {0};
  caps.insert(caps.end(), o.caps.begin(), o.caps.end());
  const auto rows = subject.engine->ask<engine::ask::Caps>({.run = subject.request, .caps = caps});
  // The file ran, so what is refused now is not the file's: the engine was lost.
  if (!rows) {
    report(rows.error());
    subject.diagnostics.insert(subject.diagnostics.end(), rows.error().begin(), rows.error().end());
    return not_here;
  }
  Status status = all_good;
  if (!o.json) say("  compiled with register limits:\n");
  for (const results::RegisterLimit& row : *rows) {
    engine::OccupancyChoice choice = choice_of(o);
    choice.registers = row.registers;
    const auto info = row.registers < 0 ? Expected<results::OccupancyInfo>(failure("not compiled"))
                                        : engine::occupancy_info(subject.summary, choice);
    if (!row.refused.empty()) status = worse(status, not_here);
    if (o.json)
      out["caps"].push_back(json_of(row, info, subject.summary.resources.launch_bounds_threads));
    else
      print(row, info, subject.summary.resources.launch_bounds_threads);
  }
  return status;
}

}  // namespace

int occupancy(const OccupancyOptions& options) {
  if (options.list_gpus && !options.file.empty()) {
    report("", "--gpus lists the table of GPUs and takes no kernel", "leave out --gpus or " + options.file);
    return bad_input;
  }
  if (options.list_gpus) return list_gpus(options.json);
  if (options.limits && !options.file.empty()) {
    report("", "--limits lists a GPU and takes no kernel", "leave out --limits or " + options.file);
    return bad_input;
  }
  if (options.limits) return list_limits(options.gpu, options.arch, options.json);
  if (options.file.empty() && !(options.compiler_options.empty() && options.nvcc_command.empty())) {
    report("", "options of the compiler need a kernel file", "name a .cu file before the --");
    return bad_input;
  }
  for (const std::string& option : options.given)
    if (options.file.empty() && one_of(option, {"--launch", "--kernel", "--engine", "--device", "--gpu-limit", "--seed",
                                                "--max-steps", "--cores", "--max-seconds", "--run-seconds", "--history",
                                                "--no-nvrtc", "--via", "--via-wait", "--verbose"})) {
      report("", fmt::format("{} is of a kernel file", option), "name one, or leave it out");
      return bad_input;
    }
  Subject subject = subject_of(options);
  Status status = subject.status;
  json out = json::object();
  std::optional<results::OccupancyInfo> info;
  if (subject.known) {
    auto computed = engine::occupancy_info(subject.summary, choice_of(options));
    if (computed) {
      info = std::move(*computed);
    } else {
      subject.diagnostics.insert(subject.diagnostics.end(), computed.error().begin(), computed.error().end());
      status = bad_input;
    }
  }
  report(subject.diagnostics);
  if (info) {
    out = json_of(*info);
    if (!info->cannot_run.empty()) status = worse(status, kernel_wrong);
    if (!options.json) print(*info, !options.file.empty());
    if (!options.caps.empty()) status = worse(status, add_caps(options, subject, out));
  }
  if (!options.file.empty() && options.verbose && !options.json) say("{}", options::table(subject.summary.settings));
  if (!options.file.empty()) {
    subject.summary.file = options.file;
    add_run(out, subject.summary);
  }
  if (!subject.diagnostics.empty()) out["diagnostics"] = diagnostics_json(subject.diagnostics);
  if (options.json) say(out);
  return status;
}

}  // namespace lanescope::cli
