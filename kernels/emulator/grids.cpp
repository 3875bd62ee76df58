// A launch with all that its kernels launch. A grid runs to its end, then what it launched runs, one after the other and each
// with all that it launches itself; tail launches come last (order_of_launches). That is one of the orders that a device may
// choose: a child sees what was written before its launch, nothing waits for a child grid, and a grid of a stream begins when the
// one before it has ended with all its own.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/emulator/ahead/ahead.h"
#include "kernels/emulator/emulator.h"

namespace lanescope::emulator {

namespace {

constexpr std::size_t most_grids = 1 << 16;  ///< of one launch

class GridTree {
 public:
  GridTree(const ptx::Module& module, std::vector<trace::Buffer>& buffers, const Options& options)
      : module_(module), buffers_(buffers), options_(options) {}

  Expected<Result> run(const trace::Launch& launch) {
    auto machine = Machine::create(module_, launch, buffers_, options_);
    if (!machine) return tl::unexpected(machine.error());
    machine->run_ahead();
    while (machine->advance(std::uint64_t{1} << 40)) {}
    total_ = machine->result();
    if (options_.grids == Options::Grids::leave || total_.grids.empty()) return std::move(total_);
    variables_ = machine->variables();
    std::vector<trace::DeviceLaunch> own = std::move(total_.grids);
    total_.grids.clear();
    if (total_.coverage.whole())
      run_all(std::move(own), -1, launch.waiting);
    else
      total_.coverage.grids_left += own.size();
    return std::move(total_);
  }

 private:
  /// Runs the launches of one grid in their order. False: the run has ended.
  bool run_all(std::vector<trace::DeviceLaunch> own, std::int64_t parent, std::uint32_t waiting) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (const auto why = limit_reached(); why != trace::Coverage::Ended::whole) {
        total_.coverage.ended = why;
        total_.coverage.grids_left += own.size() - i;
        return true;
      }
      own[i].parent = parent;
      own[i].launch.waiting = waiting + static_cast<std::uint32_t>(own.size() - i - 1);
      const auto index = static_cast<std::int64_t>(total_.grids.size());
      total_.grids.push_back(std::move(own[i]));
      if (!run_one(index)) return false;
    }
    return true;
  }

  bool run_one(std::int64_t index) {
    const trace::Launch launch = total_.grids[static_cast<std::size_t>(index)].launch;
    auto machine = Machine::create(module_, launch, buffers_, options_of_grid());
    if (!machine) {
      const trace::DeviceLaunch& d = total_.grids[static_cast<std::size_t>(index)];
      total_.faults.push_back(
          {.kind = Fault::Kind::launch,
           .where = d.where,
           .lane = d.lane,
           .line = d.line,
           .what = "cannot be launched: " + machine.error().front().message,
           .message = fmt::format("{} cannot be launched: {}", words_of(index), machine.error().front().message),
           .remedy = machine.error().front().remedy});
      return false;
    }
    machine->set_variables(variables_);
    machine->run_ahead();
    while (machine->advance(std::uint64_t{1} << 40)) {}
    variables_ = machine->variables();
    Result result = machine->result();
    total_.heap = result.heap;
    add(result, index);
    if (!result.faults.empty()) return false;
    if (!result.coverage.whole()) {
      total_.coverage.ended = result.coverage.ended;
      total_.coverage.grids_left += 1 + result.grids.size();
      return true;
    }
    return run_all(std::move(result.grids), index, launch.waiting);
  }

  void add(Result& result, std::int64_t index) {
    total_.warp_instructions += result.warp_instructions;
    total_.thread_instructions += result.thread_instructions;
    total_.printed_calls += result.printed_calls;
    std::ranges::move(result.printed, std::back_inserter(total_.printed));
    total_.unfinished.blocks += result.unfinished.blocks;
    for (const int probe : result.unfinished.probes)
      if (!std::ranges::binary_search(total_.unfinished.probes, probe))
        total_.unfinished.probes.insert(std::ranges::upper_bound(total_.unfinished.probes, probe), probe);
    for (const Fault& f : result.faults) {
      total_.faults.push_back(f);
      total_.faults.back().what = words_of(index) + ": " + f.what;
      total_.faults.back().message = words_of(index) + ": " + f.message;
    }
  }

  /// "grid `child`, launched in line 12 by block 3, thread 0".
  std::string words_of(std::int64_t index) const {
    const trace::DeviceLaunch& d = total_.grids[static_cast<std::size_t>(index)];
    return fmt::format("grid `{}`, launched{} by block {}, thread {}", ptx::qualified_name(d.launch.kernel),
                       d.line > 0 ? fmt::format(" in line {}", d.line) : "", d.where.block, d.thread);
  }

  Options options_of_grid() const {
    Options out = options_;
    out.tags = nullptr;
    out.unwritten = nullptr;
    out.heap = total_.heap;
    out.observers = options_.observers_of_grids;
    out.limits.blocks = 0;
    out.limits.wanted.reset();
    out.limits.while_identified = false;
    out.print.calls -= std::min<std::uint64_t>(out.print.calls, total_.printed.size());
    for (const Printed& p : total_.printed) out.print.bytes -= std::min<std::uint64_t>(out.print.bytes, p.text.size());
    return out;
  }

  trace::Coverage::Ended limit_reached() const {
    using Ended = trace::Coverage::Ended;
    const auto end = options_.limits.no_block_after;
    if (end != Limits::Clock::time_point::max() && Limits::Clock::now() >= end) return Ended::time;
    const bool full = total_.warp_instructions >= options_.max_steps || total_.grids.size() >= most_grids;
    return full ? Ended::steps : Ended::whole;
  }

  const ptx::Module& module_;
  std::vector<trace::Buffer>& buffers_;
  const Options& options_;
  Result total_;
  std::vector<std::vector<std::uint8_t>> variables_;  ///< of the module, as the last grid left them
};

}  // namespace

Expected<Result> run(const ptx::Module& module, const trace::Launch& launch, std::vector<trace::Buffer>& buffers,
                     const Options& options) {
  return GridTree(module, buffers, options).run(launch);
}

}  // namespace lanescope::emulator
