#include "world.h"
#include "kernels/base/read_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/launch_plan.h"
#include "app/engine/prepare/prepare.h"
#include "kernels/compile/compile.h"
#include "kernels/emulator/machine/heap.h"
#include "kernels/ptx/heap_functions.h"
#include "kernels/ptx/value_numbers.h"
#include "kernels/source/notation/allow_comments.h"
#include "profiling/review/memory/pointer_reach.h"
#include "profiling/review/observe/collector.h"

namespace lanescope::review {
namespace {

std::string joined(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += lanescope::to_string(d) + "\n";
  return out;
}

struct Built {
  engine::Program program;
  std::vector<Resources> resources;
};

Expected<Built> build(const source::Source& source, compile::Variant variant) {
  compile::Options options;
  if (!source.header.compile.arch.empty()) options.arch = source.header.compile.arch;
  auto outcome = compile::compile(source, variant, options);
  if (!outcome) return tl::unexpected(outcome.error());
  auto module = ptx::parse(outcome->compiled.ptx);
  if (!module) return tl::unexpected(module.error());
  auto launches = engine::make_launches(source, *module, outcome->compiled.entry_names);
  if (!launches) return tl::unexpected(launches.error());
  Built out;
  out.program.module = std::move(*module);
  out.program.launches = std::move(*launches);
  if (ptx::allocates_memory(out.program.module)) out.program.heap_bytes = emulator::default_heap_bytes;
  out.program.user_file = source.file;
  for (const auto& [entry, r] : outcome->compiled.resources)
    out.resources.push_back({.entry = entry, .registers = r.registers, .spill_bytes = r.spill_bytes});
  return out;
}

LaunchReview launch_review(const source::Source& source, const Built& built, std::size_t index,
                           const std::vector<trace::Buffer>& buffers) {
  LaunchReview out;
  out.launch = built.program.launches[index];
  out.entry = built.program.module.find_entry(out.launch.kernel);
  out.code = engine::sites_of(built.program, out.launch);
  out.spec = &source.header.launches[index];
  const auto addresses = emulator::place_buffers(buffers);
  for (std::size_t b = 0; b < buffers.size(); ++b)
    out.buffers.push_back({buffers[b].name, addresses[b], buffers[b].bytes.size(), buffers[b].element_bits});
  if (built.program.heap_bytes > 0)
    out.buffers.push_back({.name = "device heap",
                           .address = emulator::heap_begin(),
                           .bytes = emulator::Heap().range_bytes(),
                           .element_bits = 8,
                           .heap = true});
  for (const auto& v : emulator::variable_places(built.program.module))
    if (std::ranges::find(buffers, v.name, &trace::Buffer::variable) == buffers.end())
      out.buffers.push_back({v.name, v.address, v.bytes, v.element_bits, v.name.starts_with("__")});
  for (const auto& s : emulator::shared_places(built.program.module, out.launch, buffers))
    out.shared.push_back({s.name, s.address, s.alignment, s.offset, s.bytes});
  out.shared_bases = ptx::shared_bases(built.program.module, *out.entry);
  return out;
}

std::vector<claims::ClaimResult> judged(const source::Source& source, const std::vector<trace::Buffer>& buffers,
                                        const Budgets& budgets, std::string& problem) {
  if (source.claims.empty()) return {};
  auto probed = build(source, compile::Variant::probed);
  if (!probed) return problem = joined(probed.error()), std::vector<claims::ClaimResult>{};
  const engine::ProbedRun run =
      engine::run_probed(probed->program, source, buffers,
                         {.identity_bytes = budgets.identity_bytes, .identified_blocks = budgets.identified_blocks});
  if (run.launches.empty()) return problem = joined(run.refused), std::vector<claims::ClaimResult>{};
  return run.launches.front()->collector->judge();
}

}  // namespace

Reviewed reviewed(const std::string& text, const std::string& file, const Budgets& budgets) {
  Reviewed out;
  for (const auto& e : source::review_comments(source::lex(text)).expected) out.expected.push_back(e.rule);
  auto source = source::read(file, text);
  if (!source) {
    out.problem = joined(source.error());
    out.findings = review_of(source.error());
    return out;
  }
  auto buffers = engine::make_buffers(*source, LANESCOPE_SOURCE_DIR "/assets/kernels");
  auto plain = build(*source, compile::Variant::plain);
  if (!plain || !buffers) {
    out.problem = !plain ? joined(plain.error()) : joined(buffers.error());
    return out;
  }
  {  // variables keep from launch to launch what they hold; what kernels launch
    engine::Prepared all;
    all.source = *source;
    all.plain = std::move(plain->program);
    all.buffers = *buffers;
    engine::add_variables(all);
    engine::add_device_launches(all, {}, nullptr);
    source = std::move(*all.source);
    buffers = std::move(all.buffers);
    plain->program = std::move(all.plain);
  }
  ReviewInput input{.source = &*source,
                    .claims = {},
                    .launches = {},
                    .resources = plain->resources,
                    .arch = source->header.compile.arch};
  const auto verdicts = judged(*source, *buffers, budgets, out.problem);
  input.claims = verdicts;
  const engine::ExecutionOptions options{.review = &*source, .initial = &*buffers};
  engine::PlainRun run;
  std::vector<engine::Question> questions;
  std::optional<engine::GridWatch> grids;
  std::vector<trace::Buffer> now = *buffers;
  run.heap = engine::first_heap(plain->program);
  uninitialised::UnwrittenBytes unwritten = engine::unwritten_bytes(*source, now, plain->program.heap_bytes);
  for (std::size_t i = 0; i < plain->program.launches.size(); ++i) {
    auto& reviewed = *run.reviewed.emplace_back(std::make_unique<engine::ReviewedLaunch>());
    reviewed.launch = launch_review(*source, *plain, i, now);
    reviewed.seen = std::make_unique<AccessCollector>(reviewed.launch, watched_buffers(*source, reviewed.launch),
                                                      budgets.review, &unwritten);
    engine::take_steps(reviewed.launch.launch.before, now, unwritten);
    engine::PackedUnwritten before(unwritten);
    emulator::Options how;
    how.observers = {reviewed.seen.get()};
    how.grids = plain->program.grids;
    how.heap = run.heap;
    if (!grids) grids.emplace(plain->program, watched_areas(reviewed.launch));
    if (trace::Observer* tree = grids->before(i); tree != nullptr) how.observers.push_back(tree);
    UseObserver uses(source->header, i, now, emulator::place_buffers(now), run.uses);
    how.observers.push_back(&uses);
    const auto result = emulator::run(plain->program.module, reviewed.launch.launch, now, how);
    out.address_bytes = reviewed.seen->address_bytes();
    out.writer_bytes = reviewed.seen->writes().bytes();
    out.watched_blocks = reviewed.seen->watched_blocks();
    reviewed.seen->launch_ended();
    if (result) grids->after(i, result->grids);
    run.launches.emplace_back();
    if (!result) {
      out.problem += joined(result.error());
      break;
    }
    run.launches.back().coverage = result->coverage;
    run.heap = result->heap;
    run.uses.push_back(uses.take(reviewed.launch.code));
    if (run.heap != nullptr) reviewed.launch.allocations = engine::allocations_of(*run.heap);
    reviewed.launch.host_prints = engine::host_prints_of(result->printed);
    if (!result->faults.empty()) out.problem += result->faults.front().message;
    engine::Question q = engine::question_of(reviewed, i, std::move(before), *result);
    if (q.reads || !q.barriers.empty()) questions.push_back(std::move(q));
  }
  std::vector<LeftUnwritten> left;
  if (out.problem.empty()) left = engine::left_unwritten(*source, unwritten);
  input.left = left;
  input.uses = run.uses;
  engine::run_again(plain->program, *buffers, options, questions, run);
  for (const auto& r : run.reviewed) input.launches.push_back({&r->launch, r->seen.get(), r->again.get()});
  if (run.heap != nullptr && out.problem.empty())
    for (const auto& a : engine::allocations_of(*run.heap))
      if (!a.freed) input.left_in_heap.push_back(a);
  if (grids) run.trees = grids->take();
  for (const auto& t : run.trees) input.trees.push_back({t.first, t.races.get()});
  out.findings = review(input);
  return out;
}

std::vector<std::set<std::string>> races_by_seed(const std::string& text, std::uint64_t seeds) {
  std::vector<std::set<std::string>> out;
  auto source = source::read("k.cu", text);
  if (!source) return out;
  const auto buffers = engine::make_buffers(*source, LANESCOPE_SOURCE_DIR "/assets/kernels");
  const auto plain = build(*source, compile::Variant::plain);
  if (!plain || !buffers) return out;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    ReviewInput input{
        .source = &*source, .claims = {}, .launches = {}, .resources = {}, .arch = source->header.compile.arch};
    std::vector<trace::Buffer> now = *buffers;
    std::vector<std::unique_ptr<LaunchReview>> launches;
    std::vector<std::unique_ptr<AccessCollector>> collectors;
    for (std::size_t i = 0; i < plain->program.launches.size(); ++i) {
      launches.push_back(std::make_unique<LaunchReview>(launch_review(*source, *plain, i, now)));
      collectors.push_back(std::make_unique<AccessCollector>(*launches.back()));
      emulator::Options how{.seed = seed};
      how.observers = {collectors.back().get()};
      const auto result = emulator::run(plain->program.module, launches.back()->launch, now, how);
      if (!result || !result->faults.empty()) return {};
      collectors.back()->launch_ended();
      input.launches.push_back({launches.back().get(), collectors.back().get()});
    }
    auto& rules = out.emplace_back();
    for (const Finding& f : review(input))
      if (is_race(f) || f.rule == "volatile-unordered" || f.rule == "lock-unfenced") rules.insert(f.rule);
  }
  return out;
}

std::string file_text(const std::string& path) { return read_file(path).value_or(""); }

std::vector<std::string> places(const Reviewed& r, bool notes) {
  std::vector<std::string> out;
  for (const Finding& f : r.findings)
    if (notes || is_wrong(f)) out.push_back(fmt::format("{}:{}", f.rule, f.line));
  return out;
}

std::vector<Finding> of_rule(const Reviewed& r, std::string_view rule) {
  std::vector<Finding> out;
  for (const Finding& f : r.findings)
    if (f.rule == rule) out.push_back(f);
  return out;
}

std::string words(const Reviewed& r) {
  std::string out = r.problem.empty() ? "" : "problem: " + r.problem + "\n";
  for (const Finding& f : r.findings) out += to_string(f, "k.cu") + "\n";
  return out;
}

}  // namespace lanescope::review
