
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/engine/hardware/run.h"
#include "kernels/base/set_bits.h"
#include "kernels/emulator/emulator.h"

namespace lanescope::engine {
namespace {

/// Bytes of one element in global memory, and who stored one of them last.
struct Watched {
  std::uint64_t begin = 0, end = 0;
  std::optional<LastStore> last{};
};

class StoreObserver final : public trace::Observer {
 public:
  StoreObserver(std::vector<Watched>& watched, std::size_t launch) : watched_(watched), launch_(launch) {}

  void on_access(const trace::AccessEvent& e) override {
    if (e.space != trace::MemorySpace::global || e.kind == trace::AccessKind::load ||
        e.kind == trace::AccessKind::async_copy)
      return;
    for (const std::size_t lane : set_bits(e.where.active)) {
      const std::uint64_t at = e.addresses[lane];
      for (Watched& w : watched_)
        if (at < w.end && at + static_cast<std::uint64_t>(e.width_bytes) > w.begin)
          w.last = LastStore{.launch = launch_,
                             .block = e.where.block,
                             .warp = e.where.warp,
                             .pc = e.where.pc,
                             .lane = static_cast<int>(lane),
                             .line = 0};
    }
  }

 private:
  std::vector<Watched>& watched_;
  std::size_t launch_;
};

/// "`st.global.u32 [%rd1], %r2` at line 12"
std::string instruction_words(const std::string& text, int line) {
  return fmt::format("`{}`{}", text, line > 0 ? fmt::format(" at line {}", line) : "");
}

}  // namespace

std::vector<std::optional<LastStore>> last_stores(const Program& program, const std::vector<trace::Buffer>& buffers,
                                                  const std::vector<results::BufferComparison>& comparisons,
                                                  const ExecutionOptions& options) {
  const auto addresses = emulator::place_buffers(buffers);
  std::vector<Watched> watched(comparisons.size());
  for (std::size_t i = 0; i < comparisons.size() && i < buffers.size(); ++i) {
    if (comparisons[i].different == 0) continue;
    const auto bits = static_cast<std::uint64_t>(std::max(buffers[i].element_bits, 1));
    watched[i].begin = addresses[i] + comparisons[i].first * bits / 8;
    watched[i].end = addresses[i] + ((comparisons[i].first + 1) * bits + 7) / 8;
  }
  std::vector<trace::Buffer> contents = buffers;
  auto heap = first_heap(program);
  for (std::size_t n = 0; n < program.launches.size(); ++n) {
    StoreObserver observer(watched, n);
    trace::perform(program.launches[n].before, contents, addresses);
    const auto result = emulator::run(program.module, program.launches[n], contents,
                                      {.seed = options.seed,
                                       .max_steps = options.max_steps,
                                       .observers = {&observer},
                                       .cancel = options.cancel,
                                       .grids = program.grids,
                                       .heap = heap});
    if (!result || !result->faults.empty()) break;
    heap = result->heap;
  }
  std::vector<std::optional<LastStore>> out;
  for (Watched& w : watched) {
    if (w.last)
      if (const auto code = sites_of(program, program.launches[w.last->launch]); w.last->pc < code.size())
        w.last->line = code[w.last->pc].line, w.last->instruction = code[w.last->pc].text;
    out.push_back(std::move(w.last));
  }
  return out;
}

void take_trace(const LastStore& store, const std::optional<instrument::Difference>& difference, bool cut_off,
                const std::vector<trace::CodeSite>& code, DifferenceEvidence& evidence) {
  if (difference) {
    const std::string text = difference->pc < code.size() ? code[difference->pc].text : "";
    evidence.first = fmt::format("{}: {}", instruction_words(text, difference->line), difference->words);
    evidence.line = difference->line;
    return;
  }
  evidence.unknown = cut_off ? fmt::format("the trace of block {} ends before it", store.block)
                             : fmt::format(
                                   "all accesses and shuffles of block {} are equal, so a computed value differs; "
                                   "traces contain no values",
                                   store.block);
}

DifferenceEvidence difference_evidence(const HardwareRun& run, const std::optional<LastStore>& store) {
  DifferenceEvidence out;
  if (!store) {
    out.unknown = "no instruction in the emulator stores the element";
    return out;
  }
  out.line = store->line;
  out.store = fmt::format("{} in block {}, warp {}, lane {}", instruction_words(store->instruction, store->line),
                          store->block, store->warp, store->lane);
  const auto traced = trace_block({run, store->launch, store->block});
  if (!traced) {
    out.unknown = traced.error().front().message;
    return out;
  }
  take_trace(*store, traced->difference, traced->dropped > 0,
             sites_of(run.program, run.program.launches[store->launch]), out);
  return out;
}

Diagnostic difference_words(const std::string& file, const results::BufferComparison& c,
                            const DifferenceEvidence& evidence) {
  std::string remedy;
  if (!evidence.first.empty())
    remedy = "the first differing instruction is " + evidence.first;
  else
    remedy = fmt::format("the first instruction with a different result is not known: {}",
                         evidence.unknown.empty() ? "nothing was traced" : evidence.unknown);
  if (evidence.first.empty() && !evidence.store.empty()) remedy += "; the element is stored by " + evidence.store;
  if (!evidence.race_lines.empty() && evidence.threads > 1)
    remedy += fmt::format("; threads race at line{} {}: run check with several seeds",
                          evidence.race_lines.size() == 1 ? "" : "s", fmt::join(evidence.race_lines, ", "));
  return {.file = file,
          .line = evidence.line,
          .message = fmt::format("'{}' differs from the emulator: element {} is {} on the GPU and {} in the emulator; "
                                 "{} of {} elements differ",
                                 c.name, c.first, c.gpu, c.emulator, c.different, c.elements),
          .remedy = std::move(remedy),
          .severity = Severity::warning};
}

}  // namespace lanescope::engine
