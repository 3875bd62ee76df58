#include "app/engine/summary/summarize.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/engine/values/warp_groups.h"
#include "kernels/source/header/declared_arrays.h"
#include "kernels/trace/launch.h"

namespace lanescope::engine {
namespace {

using results::NoticeCode;

/// More than a timeline can show; a pipe carries this many in a tenth of a second.
constexpr std::size_t most_marks = 1'000'000;

/// `file`: where the lines are; of bare PTX that is not the file of the launch header.
void add_faults(const std::string& file, const std::vector<emulator::Fault>& faults, Diagnostics& out) {
  for (const emulator::Fault& f : faults)
    out.push_back({.file = file,
                   .line = f.line,
                   .message = f.message,
                   .remedy = remedy_of(f),
                   .severity = is_only_cut(f) ? Severity::warning : Severity::error,
                   .code = DiagnosticCode::fault});
}

/// Where the emulator refuses a launch for its local memory: the array of the source that takes most of it.
void name_local_array(const Prepared& prepared, Diagnostic& refusal) {
  const source::Source& source = *prepared.source;
  std::uint64_t bytes = 0;  // of a thread; the compiler puts the arrays of a function into one variable
  for (const ptx::Entry& e : prepared.plain.module.entries)
    for (const ptx::Variable& v : e.variables)
      if (v.space == ptx::Space::local) bytes += v.bytes;
  for (std::size_t i = 0; i < prepared.plain.launches.size() && i < source.header.launches.size(); ++i) {
    if (emulator::check_local_memory(bytes, 1, prepared.plain.launches[i])) continue;
    const source::Lexed lexed = source::lexed(source);
    const auto array =
        source::largest_array(lexed, source.header, source.header.launches[i], source::ArrayMemory::local, bytes);
    if (array) source::name_array(*array, source.lines, refusal);
    return;
  }
}

/// The kernel that the line is in, if no launch runs it. Names of launches may have namespaces and template arguments.
const source::Function* kernel_without_launch(const source::Source& source, int line) {
  const auto kernel = std::ranges::find_if(source.functions, [&](const source::Function& f) {
    return f.is_kernel && f.first_line <= line && line <= f.last_line;
  });
  const auto runs_it = [&](const source::LaunchSpec& l) {
    const std::string_view bare = std::string_view(l.kernel).substr(0, l.kernel.find('<'));
    return bare == kernel->name || bare.ends_with(fmt::format("::{}", kernel->name));
  };
  const bool none = kernel == source.functions.end() || std::ranges::any_of(source.header.launches, runs_it);
  return none ? nullptr : &*kernel;
}

std::vector<results::ClaimInfo> judge_all(const source::Source& source, const ProbedRun& probed) {
  std::vector<claims::ClaimResult> best;
  std::vector<int> launches;
  int launch = 0;
  for (const auto& ran : probed.launches) {
    std::vector<claims::ClaimResult> results = ran->collector->judge();
    claims::put_under_contract(source, launch, results);
    take_better(std::move(results), best, launch++, &launches);
  }
  const bool known = !best.empty();
  if (!known) best = not_run(source);
  for (std::size_t i = 0; i < source.claims.size() && i < best.size(); ++i)
    if (best[i].reason.code == source::Why::not_executed)
      if (const auto* kernel = kernel_without_launch(source, source.claims[i].first_line))
        best[i].reason = coded<source::Why::kernel_not_launched>(kernel->name);
  for (const source::Contract& c : source.contracts)
    for (std::size_t i = 0; !c.problem.empty() && i < source.claims.size() && i < best.size(); ++i)
      if (best[i].reason.code == source::Why::not_executed && source.claims[i].function == c.function)
        best[i].reason = coded<source::Why::no_contract>(c.function, c.problem);
  if (!probed.faults.empty() && probed.launches.size() < source.header.launches.size())
    for (claims::ClaimResult& r : best)
      if (r.verdict == claims::Verdict::unchecked && r.reason.code == source::Why::not_executed)
        r.reason = coded<source::Why::launch_not_reached>(probed.launches.size(), source.header.launches.size(),
                                                          probed.faults.front().message);
  std::vector<results::ClaimInfo> out;
  for (std::size_t i = 0; i < source.claims.size() && i < best.size(); ++i)
    out.push_back({.claim = source.claims[i],
                   .result = best[i],
                   .launch = known ? launches[i] : -1,
                   .question = claims::question_on(source, best[i])});
  return out;
}

void fill_buffers(const source::Source& source, const std::vector<trace::Buffer>& buffers,
                  const std::vector<std::uint64_t>& addresses, results::Summary& summary) {
  for (std::size_t i = 0; i < source.header.buffers.size(); ++i) {
    const source::BufferSpec& b = source.header.buffers[i];
    summary.buffers.push_back({.name = b.name,
                               .element_type = b.element_type,
                               .element_bits = b.element_bits,
                               .bytes = i < buffers.size() ? buffers[i].bytes.size() : 0,
                               .elements = b.elements,
                               .address = i < addresses.size() ? addresses[i] : 0,
                               .axes = b.axes});
  }
}

/// Which steps of the block are not recorded or not shown; empty where all are.
results::Notice unrecorded(const trace::Trace& t, std::uint32_t block) {
  const std::uint64_t marks = std::min<std::uint64_t>(t.steps.size(), most_marks);
  if (t.first_step > 0)
    return coded<NoticeCode::part_recorded>(block, t.first_step + 1, t.first_step + t.steps.size(),
                                            t.block_steps > 0 ? fmt::format(" of {}", t.block_steps) : "");
  if (t.truncated) return coded<NoticeCode::later_steps_not_shown>(block, t.steps.size());
  if (marks < t.steps.size()) return coded<NoticeCode::timeline_cut>(marks, t.steps.size());
  return {};
}

}  // namespace

void fill_trace(const ProbedLaunch& shown, results::Summary& summary) {
  const trace::Trace& t = shown.trace;
  summary.grid = t.launch.grid;
  summary.block = t.launch.block;
  summary.code = t.code;
  summary.steps = t.steps.size();
  summary.warps = t.launch.warps_per_block();
  summary.shared_bytes = t.shared_bytes;
  const std::size_t marks = std::min(t.steps.size(), most_marks);
  summary.timeline.reserve(marks);
  summary.active_masks.reserve(marks);
  for (std::size_t i = 0; i < marks; ++i) {
    const trace::StepRecord& step = t.steps[i];
    const trace::CodeSite* site = step.pc < t.code.size() ? &t.code[step.pc] : nullptr;
    summary.timeline.push_back({.step = static_cast<std::uint32_t>(i),
                                .warp = static_cast<std::uint16_t>(step.warp),
                                .kind = site ? site->kind : trace::StepKind::other,
                                .line = site ? site->line : 0,
                                .pc = static_cast<std::int32_t>(step.pc)});
    summary.active_masks.push_back(step.active);
  }
  // Which lanes had diverged before a part that begins later, and who waited, is not known.
  WarpGroups groups = t.first_step == 0 ? warp_groups(t, marks) : WarpGroups{};
  summary.group_changes = std::move(groups.changes), summary.waits = std::move(groups.waits);
  summary.first_step = t.first_step;
  summary.block_steps = t.block_steps;
  if (results::Notice notice = unrecorded(t, summary.recorded_block); !notice.empty())
    summary.notices.push_back(std::move(notice));
  if (!shown.history) return;
  const emulator::HistoryUse use = shown.history->use();
  summary.history = {.budget_bytes = use.budget_bytes,
                     .used_bytes = use.used_bytes,
                     .most_bytes = use.most_bytes,
                     .checkpoints = use.checkpoints,
                     .thinned = use.thinned,
                     .refused = use.refused,
                     .farthest = use.farthest,
                     .instructions = use.instructions};
}

namespace {

void fill_notices(const Prepared& prepared, int recorded_launch, results::Summary& summary) {
  const auto i = static_cast<std::size_t>(recorded_launch);
  if (i < prepared.plain.launches.size() && !prepared.probed.module.entries.empty()) {
    const ptx::Entry* plain = prepared.plain.module.find_entry(prepared.plain.launches[i].kernel);
    const ptx::Entry* probed = prepared.probed.module.find_entry(prepared.probed.launches[i].kernel);
    if (plain && probed) std::ranges::move(memory_differences(*plain, *probed), std::back_inserter(summary.notices));
  }
  for (const int id : prepared.dropped_probes)
    for (const source::ProbePoint& p : prepared.source->probes)
      if (p.id == id)
        summary.notices.push_back(coded<NoticeCode::probe_not_compiled>(fmt::format("line {}", p.statement_line)));
}

void fill_printed(const Program& program, const PlainRun& plain, results::Summary& summary) {
  for (std::size_t i = 0; i < plain.launches.size(); ++i) {
    const trace::Launch& launch = program.launches[i];
    summary.printed_calls += plain.launches[i].printed_calls;
    for (const emulator::Printed& p : plain.launches[i].printed)
      summary.printed.push_back({.text = p.text,
                                 .launch = static_cast<int>(i),
                                 .block = p.where.block,
                                 .warp = static_cast<int>(p.where.warp),
                                 .lane = p.lane,
                                 .block_index = trace::index_of(launch.grid, p.where.block),
                                 .thread_index = trace::index_of(launch.block, std::uint64_t{p.where.warp} * 32 +
                                                                                   static_cast<std::uint64_t>(p.lane)),
                                 .line = p.line,
                                 .cut = p.cut});
  }
}

/// Launches of which nothing is visible afterwards: mostly a mistake of what was launched, or of what was assumed.
void fill_invisible(const Prepared& prepared, const PlainRun& plain, results::Summary& summary) {
  if (!prepared.grids.empty() || !plain.faults.empty()) return;
  for (std::size_t i = 0; i < plain.launches.size() && i < summary.launches.size(); ++i) {
    const PlainLaunch& l = plain.launches[i];
    if (l.printed_calls > 0 || !l.coverage.whole()) continue;
    const bool visible = std::ranges::any_of(l.by_pc, [](const counters::Counts& c) {
      return c.global_store.requests + c.global_atomic.requests + c.global_async.requests > 0;
    });
    if (!visible) summary.notices.push_back(coded<NoticeCode::no_visible_result>(i + 1, summary.launches[i].kernel));
  }
}

/// False where what the header expects cannot be read.
bool fill_outputs(const Prepared& prepared, const PlainRun& plain, results::Summary& summary,
                  std::vector<Output>& outputs) {
  bool all_read = true;
  const source::Source& source = *prepared.source;
  const bool finished = plain.faults.empty() && plain.refused.empty() && plain.whole();
  const std::string partial = partial_words(summary);
  for (std::size_t i = 0; i < plain.buffers.size(); ++i) {
    const source::BufferSpec& spec = source.header.buffers[i];
    Output& out = outputs.emplace_back();
    out.name = spec.name;
    out.element_type = spec.element_type;
    for (const source::Axis& axis : spec.axes) out.shape.push_back(axis.extent);
    out.partial = partial;
    if (!partial.empty()) continue;  // there is no result to keep
    out.bytes = plain.buffers[i].bytes;
    if (!finished) continue;  // a stopped run has no result to compare
    auto verdict = judge_expectation(source, spec, out.bytes, prepared.directory);
    if (!verdict) {
      summary.diagnostics.insert(summary.diagnostics.end(), verdict.error().begin(), verdict.error().end());
      all_read = false;
      continue;
    }
    out.difference = std::move(*verdict);
    if (!out.differs()) continue;
    out.undecided = !prepared.expected_for.empty();
    if (out.undecided)
      summary.diagnostics.push_back(
          {.file = source.file,
           .line = spec.line,
           .message = fmt::format("'{}' differs from the result that the launch header expects for {}: {}", spec.name,
                                  prepared.expected_for, *out.difference),
           .remedy = "whether it is right here is not decided",
           .severity = Severity::warning,
           .code = DiagnosticCode::expectation_differs});
    else
      summary.diagnostics.push_back(
          {.file = source.file,
           .line = spec.line,
           .message = fmt::format("'{}' differs from the expected result of the launch header: {}", spec.name,
                                  *out.difference),
           .remedy = "correct the kernel or the expectation",
           .code = DiagnosticCode::expectation_differs});
  }
  return all_read;
}

}  // namespace

bool is_only_cut(const emulator::Fault& fault) {
  return fault.kind == emulator::Fault::Kind::runaway || fault.kind == emulator::Fault::Kind::unsupported;
}

void take_better(std::vector<claims::ClaimResult> results, std::vector<claims::ClaimResult>& best, int launch,
                 std::vector<int>* launches) {
  if (best.empty()) {
    best = std::move(results);
    if (launches != nullptr) launches->assign(best.size(), launch);
    return;
  }
  const auto rank = [](const claims::ClaimResult& r) {
    const bool given = r.reason.code == source::Why::input;
    return r.verdict == claims::Verdict::differs ? 4
           : r.seen_in_part                      ? 3
           : r.verdict != claims::Verdict::holds ? 0
           : given                               ? 1
                                                 : 2;
  };
  for (std::size_t i = 0; i < best.size() && i < results.size(); ++i) {
    const bool reached_first =
        best[i].verdict == claims::Verdict::unchecked && best[i].instances == 0 && results[i].instances > 0;
    if (rank(results[i]) < rank(best[i]) || (rank(results[i]) == rank(best[i]) && !reached_first)) continue;
    best[i] = std::move(results[i]);
    if (launches != nullptr) (*launches)[i] = launch;
  }
}

std::vector<claims::ClaimResult> not_run(const source::Source& source) {
  std::vector<claims::ClaimResult> out;
  for (std::size_t i = 0; i < source.claims.size(); ++i)
    out.push_back({.claim = static_cast<int>(i), .reason = coded<source::Why::not_run>()});
  return out;
}

namespace {

std::vector<std::string> words_of(const std::vector<source::HostStep>& steps) {
  constexpr std::size_t most = 12;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(steps.size(), most); ++i) out.push_back(steps[i].words);
  if (steps.size() > most) out.push_back(fmt::format("and {} more", steps.size() - most));
  return out;
}

}  // namespace

void fill_launches(const Prepared& prepared, results::Summary& summary) {
  const source::Header& header = prepared.source->header;
  summary.assumed = header.assumed;
  const std::vector<results::Rests> rests = rests_of(prepared);
  for (std::size_t i = 0; i < header.launches.size(); ++i) {
    const source::LaunchSpec& l = header.launches[i];
    summary.launches.push_back({.kernel = l.kernel,
                                .grid = {l.grid[0], l.grid[1], l.grid[2]},
                                .block = {l.block[0], l.block[1], l.block[2]},
                                .dynamic_shared_bytes = l.dynamic_shared_bytes,
                                .before = words_of(l.before),
                                .rests = i < rests.size() ? rests[i] : results::Rests{}});
  }
}

bool summarize(const RunRequest& request, const Prepared& prepared, const PlainRun& plain, const ProbedRun& probed,
               int recorded_launch, const std::vector<Family>& families, results::Summary& summary,
               std::vector<Output>& outputs) {
  const source::Source& source = *prepared.source;
  const auto shown = static_cast<std::size_t>(recorded_launch);
  summary.compiler = prepared.made_by;
  summary.kernel = source.header.launches[shown].kernel;
  summary.inferred = source.header.inferred;
  summary.instances = source.instances;
  summary.grids = prepared.grids;
  summary.recorded_block = request.record_block;
  summary.recorded_launch = recorded_launch;
  const trace::Launch& launch = prepared.plain.launches[shown];
  summary.grid = launch.grid;
  summary.block = launch.block;
  summary.warps = launch.warps_per_block();

  const auto& refused = request.plain_run ? plain.refused : probed.refused;
  for (Diagnostic d : refused) {
    if (d.file.empty() && !is_ptx(request)) {
      d.line = 0;  // a line of the compiler's PTX
      name_local_array(prepared, d);
    }
    summary.diagnostics.push_back(std::move(d));
  }
  for (Diagnostic& d : summary.diagnostics)
    if (d.file.empty()) d.file = request.file;
  add_faults(request.file, request.plain_run ? plain.faults : probed.faults, summary.diagnostics);
  // The probed program may stop where the plain one does not (its budget of steps is shared with the probes).
  if (request.plain_run && plain.faults.empty() && !probed.faults.empty())
    add_faults(request.file, probed.faults, summary.diagnostics);

  const ProbedLaunch* view = shown < probed.launches.size() ? probed.launches[shown].get() : nullptr;
  fill_buffers(source, prepared.buffers, emulator::place_buffers(prepared.buffers), summary);
  for (const Family& f : families) summary.families.push_back(f.info);
  if (view) fill_trace(*view, summary);
  if (view && !view->notice.empty()) summary.notices.push_back(view->notice);
  if (request.probed_run && !is_ptx(request)) summary.claims = judge_all(source, probed);
  fill_coverage(request, prepared.plain, plain, probed, summary);
  bool all_read = true;
  if (request.plain_run) {
    fill_costs(prepared, plain, recorded_launch, summary);
    fill_printed(prepared.plain, plain, summary);
    fill_invisible(prepared, plain, summary);
    all_read = fill_outputs(prepared, plain, summary, outputs);
  }
  if (request.plain_run && request.probed_run && !is_ptx(request)) fill_notices(prepared, recorded_launch, summary);
  summary.ok = view != nullptr || (request.plain_run && plain.refused.empty());
  return all_read;
}

}  // namespace lanescope::engine
