#include "app/engine/prepare/execution.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "profiling/races/unneeded.h"
#include "profiling/review/observe/barrier_text.h"
#include "profiling/uninitialised/reads.h"

namespace lanescope::engine {
namespace {

constexpr std::size_t most_launches = 8;                    ///< that run again with observers
constexpr std::uint64_t most_steps = 20'000'000;            ///< warp instructions of one such launch
constexpr std::uint64_t most_steps_replayed = 100'000'000;  ///< of those that run again to get there
constexpr std::size_t most_barriers = 8;

/// Barriers of the whole block of which the first run does not show that they order something, and those of warps and clusters.
std::vector<std::vector<std::uint32_t>> barriers_in_question(const ReviewedLaunch& reviewed) {
  const auto& seen = *reviewed.seen;
  const auto& code = reviewed.launch.code;
  std::map<std::tuple<int, int, int, std::size_t>, std::vector<std::uint32_t>> places;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const trace::CodeSite& site = code[pc];
    const bool of_warp = site.text.find("bar.warp.sync") != std::string::npos;
    const bool of_cluster = site.text.find("barrier.cluster.arrive") != std::string::npos;
    if (!of_warp && !of_cluster && (site.kind != trace::StepKind::barrier || !review::of_whole_block(site.text)))
      continue;
    if (site.text.find(".red") != std::string::npos) continue;  // its result is a use of its own
    places[{site.line, site.column, site.inner_line, site.line > 0 ? 0 : pc + 1}].push_back(
        static_cast<std::uint32_t>(pc));
  }
  const auto& used = seen.order().barriers();
  std::vector<std::vector<std::uint32_t>> out;
  for (auto& [place, pcs] : places) {
    const bool needed = std::ranges::any_of(pcs, [&](std::uint32_t pc) {
      const auto at = used.find(pc);
      return at != used.end() && at->second.needed > 0;
    });
    const auto reached_in_part = [&](const review::BarrierReach::Partial& p) {
      return std::ranges::find(pcs, seen.barriers().pc_of(p.place)) != pcs.end();
    };
    if (!needed && std::ranges::none_of(seen.barriers().partial(), reached_in_part)) out.push_back(std::move(pcs));
  }
  // A read of a matrix product through a descriptor is no access of a lane; the barrier before them orders it.
  const bool unseen_reads = std::ranges::any_of(
      code, [](const trace::CodeSite& site) { return site.text.find("wgmma.mma_async") != std::string::npos; });
  if (out.size() > most_barriers || unseen_reads) out.clear();
  return out;
}

/// A race makes every verdict about barriers worthless, one of writes of the same value as well (profiling/races/unneeded.h).
bool has_race(const races::RaceObserver& races) { return !races.races().empty(); }

std::vector<uninitialised::Area> areas_of(const review::LaunchReview& launch, const emulator::Unwritten& unwritten) {
  std::vector<uninitialised::Area> areas;
  for (std::size_t i = 0; i < unwritten.buffers.size(); ++i) {
    const review::LaunchReview::Buffer& b = launch.buffers[i];
    areas.push_back({b.address, b.heap ? unwritten.buffers[i].size() : b.bytes});
  }
  return areas;
}

std::vector<races::Area> race_areas(const review::LaunchReview& launch) {
  std::vector<races::Area> areas;
  for (const review::LaunchReview::Buffer& b : launch.buffers) areas.push_back({b.address, b.library ? 0 : b.bytes});
  return areas;
}

/// False: it does not run, or not to the same end.
bool answer(const Program& program, Memory& memory, const ExecutionOptions& options, const Question& question,
            ReviewedLaunch& reviewed) {
  const review::LaunchReview& launch = reviewed.launch;
  std::vector<trace::Buffer>& buffers = memory.buffers;
  auto look = std::make_unique<review::SecondLook>();
  emulator::Options how{.seed = options.seed, .max_steps = options.max_steps, .cancel = options.cancel};
  how.cores = options.probed_cores;
  how.print = {.calls = 0, .bytes = 0};
  how.heap = memory.heap;
  trace::TagPool tags;
  emulator::Unwritten unwritten;
  std::optional<uninitialised::Reads> reads;
  if (question.reads) {
    unwritten.buffers = question.unwritten.bytes();
    tags.keep_at_most(options.identity_bytes);
    how.tags = &tags;
    how.unwritten = &unwritten;
    how.observers.push_back(&reads.emplace(tags, areas_of(launch, unwritten)));
  }
  std::optional<races::Unneeded> barriers;
  if (!question.barriers.empty())
    how.observers.push_back(&barriers.emplace(launch.launch, launch.code, race_areas(launch), question.barriers));
  const auto result = emulator::run(program.module, launch.launch, buffers, how);
  if (!result) return false;
  memory.heap = result->heap;
  if (reads) {
    look->reads = reads->reads();
    if (result->identified_blocks < result->coverage.ran())
      look->not_followed = fmt::format("only the first {} of {} blocks were, within {} MiB", result->identified_blocks,
                                       result->coverage.ran(), tags.budget_bytes() >> 20);
  }
  if (barriers && result->faults.empty())
    for (const races::Unneeded::Found& f : barriers->found()) {
      const std::uint32_t pc = question.barriers[f.place].front();
      look->unneeded.push_back({.pc = pc,
                                .times = f.times,
                                .of_warp = launch.code[pc].text.find("bar.warp") != std::string::npos,
                                .of_cluster = launch.code[pc].text.find("barrier.cluster") != std::string::npos,
                                .last = f.last});
    }
  reviewed.again = std::move(look);
  return result->faults.empty();
}

void set_not_followed(ReviewedLaunch& reviewed, std::string why) {
  reviewed.again = std::make_unique<review::SecondLook>();
  reviewed.again->not_followed = std::move(why);
}

}  // namespace

PackedUnwritten::PackedUnwritten(const uninitialised::UnwrittenBytes& bytes) {
  constexpr std::uint64_t low_bit_of_each = 0x0101010101010101, gather = 0x0102040810204080;
  for (const trace::Pages<std::uint8_t>& from : bytes) {
    Buffer& to = buffers_.emplace_back(Buffer{from.size(), std::vector<std::uint8_t>((from.size() + 7) / 8)});
    for (std::size_t i = 0; i < to.bits.size(); ++i) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, from.data() + i * 8, std::min<std::size_t>(8, from.size() - i * 8));
      to.bits[i] = static_cast<std::uint8_t>((eight & low_bit_of_each) * gather >> 56);
    }
  }
}

uninitialised::UnwrittenBytes PackedUnwritten::bytes() const {
  uninitialised::UnwrittenBytes out(buffers_.size());
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    // Most of a buffer is unwritten, or all of it is written: the value of the most bytes costs no memory.
    const Buffer& from = buffers_[b];
    const auto ones = static_cast<std::size_t>(std::ranges::count(from.bits, 0xff)) * 8;
    const std::uint8_t most = ones * 2 >= from.bytes ? 1 : 0;
    out[b] = trace::Pages<std::uint8_t>(from.bytes, most);
    if (from.bytes == 0) continue;
    std::uint8_t* const to = out[b].data();
    for (std::size_t i = 0; i < from.bytes; ++i)
      if (const std::uint8_t bit = from.bits[i / 8] >> i % 8 & 1; bit != most) to[i] = bit;
  }
  return out;
}

uninitialised::UnwrittenBytes unwritten_bytes(const source::Source& source, const std::vector<trace::Buffer>& buffers,
                                              std::uint64_t heap_bytes) {
  uninitialised::UnwrittenBytes out(buffers.size());
  if (heap_bytes > 0) out.emplace_back(uninitialised::followed_heap_bytes, std::uint8_t{1});
  for (std::size_t i = 0; i < buffers.size() && i < source.header.buffers.size(); ++i)
    if (source.header.buffers[i].initial.uninitialised) out[i].assign(buffers[i].bytes.size(), 1);
  return out;
}

std::vector<review::LeftUnwritten> left_unwritten(const source::Source& source,
                                                  const uninitialised::UnwrittenBytes& unwritten) {
  std::vector<review::LeftUnwritten> out;
  for (std::size_t i = 0; i < unwritten.size() && i < source.header.buffers.size(); ++i) {
    const source::BufferSpec& b = source.header.buffers[i];
    const auto element_bytes = static_cast<std::uint64_t>(b.element_bits) / 8;
    if (unwritten[i].empty() || element_bytes == 0) continue;
    review::LeftUnwritten left{.buffer = static_cast<int>(i)};
    const auto look = [&](std::uint64_t from, std::uint64_t to, const source::CopyBack* copied) {
      for (std::uint64_t e = from; e < std::min<std::uint64_t>(to, unwritten[i].size() / element_bytes); ++e) {
        const std::uint8_t* const first = unwritten[i].data() + e * element_bytes;
        const bool written = std::all_of(first, first + element_bytes, [](std::uint8_t x) { return x == 0; });
        if (!written && !source::coordinates(b, e)) continue;  // a hole between rows
        ++left.elements;
        if (written) continue;
        if (left.unwritten++ == 0) left.first = e, left.copied = copied;
        left.last = e;
      }
    };
    std::uint64_t seen = 0;  // elements of earlier copies
    if (b.initial.line > 0)
      look(0, ~std::uint64_t{0}, nullptr);
    else
      for (const source::CopyBack& c : source.header.copied_back)
        if (const std::uint64_t end = (c.offset_bytes + c.bytes) / element_bytes; c.buffer == b.name && end > seen) {
          look(std::max(seen, c.offset_bytes / element_bytes), end, &c);
          seen = end;
        }
    if (left.unwritten > 0) out.push_back(left);
  }
  return out;
}

void take_steps(const std::vector<trace::HostStep>& steps, const std::vector<trace::Buffer>& buffers,
                uninitialised::UnwrittenBytes& unwritten) {
  using Kind = trace::HostStep::Kind;
  for (const trace::HostStep& s : steps) {
    const auto to = static_cast<std::size_t>(s.to.buffer);
    if (to >= unwritten.size() || unwritten[to].empty()) continue;
    const std::uint64_t bytes = s.kind == Kind::write ? s.contents.size() : s.kind == Kind::address ? 8 : s.bytes;
    const auto from = static_cast<std::size_t>(s.from.buffer);
    const bool copies = s.kind == Kind::copy && from < unwritten.size() && !unwritten[from].empty();
    const trace::Pages<std::uint8_t> source = copies ? unwritten[from] : trace::Pages<std::uint8_t>{};
    std::uint8_t* const held = unwritten[to].data();
    for (std::uint64_t i = 0; i < bytes; ++i) {
      const std::uint64_t at = static_cast<std::uint64_t>(s.to.offset_bytes) + i;
      const std::uint64_t from_at = static_cast<std::uint64_t>(s.from.offset_bytes) + i;
      if (at < buffers[to].bytes.size()) held[at] = from_at < source.size() ? source[from_at] : 0;
    }
  }
}

Question question_of(const ReviewedLaunch& reviewed, std::size_t launch, PackedUnwritten before,
                     const emulator::Result& result) {
  Question q{.launch = launch, .reads = reviewed.seen->reads_unwritten()};
  const bool small = result.warp_instructions <= most_steps;
  if (small && result.faults.empty() && result.coverage.whole() && !has_race(reviewed.seen->races()))
    q.barriers = barriers_in_question(reviewed);
  if (q.reads) q.unwritten = std::move(before);
  return q;
}

void run_again(const Program& program, const std::vector<trace::Buffer>& initial, const ExecutionOptions& options,
               const std::vector<Question>& questions, PlainRun& run) {
  const auto cancelled = [&] { return options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed); };
  Memory memory{.heap = first_heap(program)};
  std::vector<trace::Buffer>& buffers = memory.buffers;
  std::size_t at = 0, answered = 0;
  std::uint64_t replayed = 0;
  bool ended = false;
  for (const Question& q : questions) {
    ReviewedLaunch& reviewed = *run.reviewed[q.launch];
    const auto leave = [&](std::string why) {
      if (q.reads) set_not_followed(reviewed, std::move(why));
    };
    const std::uint64_t steps = reviewed.seen->instructions();
    if (!run.launches[q.launch].coverage.whole()) {
      leave("not all blocks ran in the time that there was");
      continue;
    }
    if (!std::all_of(run.launches.begin(), run.launches.begin() + static_cast<std::ptrdiff_t>(q.launch),
                     [](const PlainLaunch& l) { return l.coverage.whole(); })) {
      leave("of a launch before it not all blocks ran, and those may be the ones that write it");
      continue;
    }
    if (ended || cancelled() || answered >= most_launches) {
      leave(fmt::format("only the first {} such launches are", answered));
      continue;
    }
    if (steps > most_steps || replayed > most_steps_replayed) {
      leave(fmt::format("the launch has {} warp instructions, and {} are the most that run twice", steps, most_steps));
      continue;
    }
    if (buffers.empty()) buffers = initial;
    for (; at < q.launch && !ended; ++at) {
      trace::perform(program.launches[at].before, buffers, emulator::place_buffers(buffers));
      const auto result = emulator::run(program.module, program.launches[at], buffers,
                                        {.seed = options.seed,
                                         .max_steps = options.max_steps,
                                         .cancel = options.cancel,
                                         .print = {.calls = 0, .bytes = 0},
                                         .grids = program.grids,
                                         .heap = memory.heap});
      ended = !result || !result->faults.empty();
      if (result) replayed += result->warp_instructions, memory.heap = result->heap;
    }
    if (ended) {
      leave("a launch before it did not run to its end");
      continue;
    }
    trace::perform(program.launches[at].before, buffers, emulator::place_buffers(buffers));
    ended = !answer(program, memory, options, q, reviewed);
    ++at, ++answered;
    replayed += steps;
  }
}

}  // namespace lanescope::engine
