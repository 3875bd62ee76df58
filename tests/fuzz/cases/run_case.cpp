#include <algorithm>

#include <fmt/format.h>

#include "app/engine/prepare/prepare.h"
#include "app/engine/session/session.h"
#include "app/engine/summary/summarize.h"
#include "kernels/emulator/emulator.h"
#include "kernels/resources/resources.h"
#include "kernels/source/data/sha256.h"
#include "profiling/races/races.h"
#include "tests/fuzz/cases/cases.h"

namespace lanescope::fuzz {
namespace {

/// Of one launch; a mutated loop hardly ever ends by itself.
constexpr std::uint64_t most_steps = 20'000;

engine::RunRequest request_of(const Case& one) {
  engine::RunRequest r;
  const auto folder = resources::assets_directory() / "kernels";
  r.file = (folder / "fuzzed.ptx").string();
  r.text = one.ptx;
  r.launch_file = (folder / "fuzzed.toml").string();
  r.launch_text = one.launch;
  r.max_steps = most_steps;
  r.block_as_fits = true;
  r.settings.emplace();
  return r;
}

std::string words_of(const results::Summary& summary) {
  std::string all;
  for (const Diagnostic& d : summary.diagnostics) all += to_string(d) + "\n";
  for (const std::string& n : words_of(summary.notices)) all += n + "\n";
  return all;
}

/// Results that two runs of a case must have in common.
std::string print_of(const engine::Session& session) {
  std::string all = words_of(session.summary());
  for (const engine::Output& o : session.outputs())
    all += fmt::format("{} {} {} {}\n", o.name, source::sha256(o.bytes), o.partial, o.difference.value_or("-"));
  for (const emulator::Fault& f : session.faults()) all += fmt::format("{}: {}\n", f.line, f.message);
  return all +
         fmt::format("{} {}", session.counters().total.instructions, session.counters().total.thread_instructions);
}

std::string wrong_with(const engine::Session& session) {
  const results::Summary& s = session.summary();
  for (const Diagnostic& d : s.diagnostics) {
    if (d.message.empty()) return "a diagnostic without words";
    if (d.message.find("ended unexpectedly") != std::string::npos) return "an exception: " + d.message;
  }
  for (const emulator::Fault& f : session.faults())
    if (f.message.empty()) return "a fault without words";
  const bool said =
      std::ranges::any_of(s.diagnostics, [](const Diagnostic& d) { return d.severity == Severity::error; });
  if (session.ending() == engine::Ending::bad_input && !said) return "bad input, and nothing says so";
  if (session.ending() == engine::Ending::faulted && session.faults().empty()) return "it faulted without a fault";
  return {};
}

struct Left {
  std::vector<trace::Bytes> bytes;
  std::vector<std::string> faults;
  std::uint64_t instructions = 0, thread_instructions = 0;
  bool operator==(const Left&) const = default;
};

struct How {
  bool tags = false, races = false;
  bool translate = true, long_turns = false;
};

/// All launches in the emulator alone.
Left emulate(const engine::Prepared& prepared, How run) {
  Left left;
  std::vector<trace::Buffer> buffers = prepared.buffers;
  for (const trace::Launch& launch : prepared.plain.launches) {
    trace::perform(launch.before, buffers, emulator::place_buffers(buffers));
    trace::TagPool pool;
    pool.space = emulator::tag_space(buffers);
    emulator::Options how{.max_steps = most_steps,
                          .slice = run.long_turns ? 0u : 1u,
                          .tags = run.tags ? &pool : nullptr,
                          .translate = run.translate};
    const ptx::Module& module = prepared.plain.module;
    const ptx::Entry* entry = module.find_entry(launch.kernel);
    std::vector<trace::CodeSite> sites;
    if (entry != nullptr) sites = emulator::code_sites(module, *entry, "");
    std::vector<races::Area> areas;
    const auto addresses = emulator::place_buffers(buffers);
    for (std::size_t i = 0; i < buffers.size(); ++i) areas.push_back({addresses[i], buffers[i].bytes.size()});
    races::RaceObserver observer(launch, sites, areas);
    if (run.races) how.observers = {&observer};
    const auto result = emulator::run(module, launch, buffers, how);
    if (!result) {
      left.faults.push_back("refused: " + to_string(result.error().front()));
      break;
    }
    if (run.races) observer.launch_ended();
    left.instructions += result->warp_instructions;
    left.thread_instructions += result->thread_instructions;
    for (const emulator::Fault& f : result->faults) left.faults.push_back(f.message);
    if (!result->faults.empty()) break;
  }
  for (trace::Buffer& b : buffers) left.bytes.push_back(std::move(b.bytes));
  return left;
}

}  // namespace

Outcome run_case(const Case& one, bool thorough) {
  Outcome out;
  const engine::RunRequest request = request_of(one);
  engine::Session session;
  session.run(request);
  out.instructions = session.counters().total.instructions;
  out.executed = out.instructions > 0;
  out.faulted = !session.faults().empty();
  out.broken = wrong_with(session);
  if (!thorough || !out.broken.empty()) return out;
  engine::MomentRequest middle;
  middle.step = static_cast<std::int64_t>(session.summary().steps / 2);
  (void)session.moment(middle);
  (void)session.contents({});
  engine::Session again;
  again.run(request);
  if (print_of(session) != print_of(again)) {
    out.broken = fmt::format("two runs differ:\n{}\n---\n{}", print_of(session), print_of(again));
    return out;
  }
  const engine::Prepared prepared = engine::prepare(
      request, [](std::string_view) {}, nullptr);
  if (!prepared.ready) return out;
  if (!engine::too_many_blocks(prepared).empty()) return out;
  const Left alone = emulate(prepared, {});
  if (alone != emulate(prepared, {.tags = true})) out.broken = "identities change what a kernel does";
  if (alone != emulate(prepared, {.races = true})) out.broken = "who watches for races changes what a kernel does";
  const Left interpreted = emulate(prepared, {.translate = false, .long_turns = true});
  if (interpreted != emulate(prepared, {.long_turns = true})) out.broken = "translation changes what a kernel does";
  if (interpreted != emulate(prepared, {.races = true, .long_turns = true}))
    out.broken = "translation with an observer changes what a kernel does";
  return out;
}

}  // namespace lanescope::fuzz
