#include "app/engine/values/span_flow.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"

namespace lanescope::engine {
namespace {

using FlowKind = InstructionFacts::Kind;

/// The records of one step in a log.
std::pair<std::size_t, std::size_t> records_of(const auto& log, std::int64_t step) {
  return {log.count_until(step - 1), log.count_until(step)};
}

bool is_followed(trace::MemorySpace space) {
  return space == trace::MemorySpace::global || space == trace::MemorySpace::shared;
}

}  // namespace

SpanFlow::SpanFlow(const trace::Trace& trace, std::span<const InstructionFacts> facts,
                   std::span<const InstructionFacts::Source> probed, std::int64_t from, std::int64_t to,
                   std::uint32_t warp)
    : trace_(trace), facts_(facts), probed_(probed) {
  std::vector<std::int64_t> own;
  for (std::int64_t i = to; i > from && i >= 0; --i) {
    if (trace_.steps[static_cast<std::size_t>(i)].warp != warp) continue;
    own.push_back(i);
    if (own.size() <= most_steps) continue;
    refused_ = fmt::format("the statement takes more than {} instructions of the warp", most_steps);
    return;
  }
  for (auto at = own.rbegin(); at != own.rend(); ++at) step(*at);
}

std::uint32_t SpanFlow::intern(std::vector<Leaf> leaves) {
  if (leaves.empty()) return 0;
  const auto [known, fresh] = known_sets_.try_emplace(leaves, static_cast<std::uint32_t>(sets_.size()));
  if (fresh) sets_.push_back(std::move(leaves));
  return known->second;
}

SpanFlow::Value SpanFlow::joined(Value a, Value b) {
  Value out{.set = a.set, .copied = a.copied && b.copied, .known = a.known && b.known};
  if (a.set == b.set || b.set == 0) return out;
  if (a.set == 0) return out.set = b.set, out;
  const auto key = std::minmax(a.set, b.set);
  const auto found = unions_.find(key);
  if (found != unions_.end()) return out.set = found->second, out;
  std::vector<Leaf> both;
  std::ranges::set_union(sets_[a.set], sets_[b.set], std::back_inserter(both));
  if (both.size() > most_leaves) return {.set = 0, .copied = false, .known = false};
  out.set = intern(std::move(both));
  unions_.emplace(key, out.set);
  return out;
}

SpanFlow::Value SpanFlow::in_register(RegisterKey reg, int lane) {
  const std::uint64_t key = std::uint64_t{reg} * trace::lanes_per_warp + static_cast<unsigned>(lane);
  const auto [found, fresh] = registers_.try_emplace(key);
  if (fresh)
    found->second = {
        .set = intern({{.kind = Leaf::Kind::live_in, .lane = static_cast<std::uint8_t>(lane), .reg = reg}}),
        .copied = true};
  return found->second;
}

SpanFlow::Value SpanFlow::value_of(const InstructionFacts::Source& source, int lane) {
  return source.is_register ? in_register(source.reg, lane) : Value{.copied = true};
}

SpanFlow::Value SpanFlow::result(const InstructionFacts& f, std::size_t number, int lane, std::int64_t step,
                                 const trace::ShuffleRecord* shuffle, std::uint32_t active) {
  switch (f.kind) {
    case FlowKind::none:
    case FlowKind::old:
    case FlowKind::opaque:
      return {.known = false};
    case FlowKind::transpose: {
      Value both{.copied = false};  // each half is in another place of another lane
      for (int half = 0; half < 2 && !f.sources.empty(); ++half)
        both = joined(both, value_of(f.sources.front(), transposed_half(lane, half).lane));
      return both;
    }
    case FlowKind::product: {
      Value all{.copied = false};
      for (std::size_t s = 0; s < f.sources.size(); ++s)
        for (const std::size_t other : set_bits(product_lanes(f, s, number, lane)))
          all = joined(all, value_of(f.sources[s], static_cast<int>(other)));
      return all.copied = false, all;
    }
    case FlowKind::load: {
      const auto [first, end] = records_of(trace_.accesses, step);
      if (first == end || !is_followed(trace_.accesses.space(first)) || f.element_bytes == 0) return {.known = false};
      if (f.matrix) {
        Value all{.copied = true};
        for (const FragmentPart& part : parts_of_fragment(static_cast<int>(number), lane, f.transposed)) {
          const Leaf leaf{.kind = Leaf::Kind::loaded,
                          .lane = static_cast<std::uint8_t>(part.lane),
                          .record = static_cast<std::uint32_t>(first),
                          .first = part.first,
                          .bytes = part.bytes,
                          .bit = static_cast<std::uint8_t>(part.bit)};
          all = joined(all, {.set = intern({leaf}), .copied = true});
        }
        return all;
      }
      return {.set = intern({{.kind = Leaf::Kind::loaded,
                              .lane = static_cast<std::uint8_t>(lane),
                              .record = static_cast<std::uint32_t>(first),
                              .first = static_cast<std::int32_t>(number) * f.element_bytes,
                              .bytes = f.element_bytes}}),
              .copied = true};
    }
    case FlowKind::shuffle: {
      const int source = shuffle == nullptr ? -1 : shuffle->source_lane[static_cast<std::size_t>(lane)];
      if (source < 0 || f.sources.empty()) return {.known = false};
      return value_of(f.sources.front(), source);
    }
    case FlowKind::lanes: {
      Value all{.copied = false};
      for (const std::size_t other : set_bits(active))
        for (const auto& s : f.sources) all = joined(all, value_of(s, static_cast<int>(other)));
      return all.copied = false, all;
    }
    case FlowKind::copy:
    case FlowKind::compute:
      break;
  }
  Value out{.copied = f.kind == FlowKind::copy && f.op != "prmt"};
  for (const auto& s : f.sources) out = joined(out, value_of(s, lane));
  return out;
}

void SpanFlow::store(const InstructionFacts& f, std::int64_t step, std::uint32_t active) {
  const auto [first, end] = records_of(trace_.accesses, step);
  for (std::size_t record = first; record < end; ++record) {
    const trace::AccessKind kind = trace_.accesses.kind(record);
    const trace::MemorySpace space = trace_.accesses.space(record);
    if (!is_followed(space) || kind == trace::AccessKind::load) continue;
    Stored out{.record = record};
    if (kind == trace::AccessKind::async_copy) {
      // The read has a record of its own, the other one of this step.
      if (space != trace::MemorySpace::shared || end - first != 2) continue;
      const auto source = static_cast<std::uint32_t>(record == first ? first + 1 : first);
      const int bytes = trace_.accesses[record].width_bytes;
      out.element_bytes = bytes;
      out.values.assign(trace::lanes_per_warp, {.known = false});
      for (const std::size_t lane : set_bits(active))
        out.values[lane] = {.set = intern({{.kind = Leaf::Kind::loaded,
                                            .lane = static_cast<std::uint8_t>(lane),
                                            .record = source,
                                            .first = 0,
                                            .bytes = bytes}}),
                            .copied = true};
    } else if (f.matrix) {
      constexpr int row_elements = 8;
      out.element_bytes = 2;
      out.values.assign(row_elements * trace::lanes_per_warp, {.known = false});
      for (const std::size_t row : set_bits(trace_.accesses[record].mask))
        for (int column = 0; column < row_elements; ++column) {
          const FragmentPlace from = fragment_of_byte(static_cast<int>(row), 2 * column, f.transposed);
          if (static_cast<std::size_t>(from.matrix) >= f.stored.size()) continue;
          Value v = value_of(f.stored[static_cast<std::size_t>(from.matrix)], from.lane);
          v.bit = static_cast<std::uint8_t>(from.bit);
          out.values[static_cast<std::size_t>(column) * trace::lanes_per_warp + row] = v;
        }
    } else {
      const bool plain = kind == trace::AccessKind::store && f.memory_op.empty();
      out.element_bytes = std::max(f.element_bytes, 1);
      out.values.assign(std::max<std::size_t>(f.stored.size(), 1) * trace::lanes_per_warp, {.known = false});
      for (std::size_t n = 0; n < f.stored.size(); ++n)
        for (const std::size_t lane : set_bits(active)) {
          Value v = value_of(f.stored[n], static_cast<int>(lane));
          if (!plain) v.copied = false, v.known = false;  // combined with what memory held, lane by lane
          out.values[n * trace::lanes_per_warp + lane] = v;
        }
    }
    stored_.push_back(std::move(out));
  }
}

void SpanFlow::step(std::int64_t at) {
  const trace::StepRecord& s = trace_.steps[static_cast<std::size_t>(at)];
  if (s.pc >= facts_.size()) return;
  const InstructionFacts& f = facts_[s.pc];
  const trace::ShuffleRecord* shuffle = nullptr;
  if (f.kind == FlowKind::shuffle) {
    const auto found =
        std::ranges::lower_bound(trace_.shuffles, static_cast<std::uint64_t>(at), {}, &trace::ShuffleRecord::step);
    if (found != trace_.shuffles.end() && found->step == static_cast<std::uint64_t>(at)) shuffle = &*found;
    if (shuffle != nullptr)
      for (const std::size_t lane : set_bits(s.active))
        if (const int source = shuffle->source_lane[lane]; source >= 0) lanes_read_[lane] |= std::uint32_t{1} << source;
  }
  store(f, at, s.active);
  // All lanes read before any writes.
  std::vector<std::pair<std::uint64_t, Value>> writes;
  for (std::size_t n = 0; n < f.results.size(); ++n)
    for (const std::size_t lane : set_bits(s.active))
      writes.emplace_back(std::uint64_t{f.results[n]} * trace::lanes_per_warp + lane,
                          result(f, n, static_cast<int>(lane), at, shuffle, s.active));
  for (const auto& [key, value] : writes) registers_[key] = value;

  const auto [first, end] = records_of(trace_.probes, at);
  for (std::size_t record = first; record < end; ++record) {
    Shown out{.record = record};
    for (const std::size_t lane : set_bits(trace_.probes.mask(record)))
      out.values[lane] = value_of(probed_[s.pc], static_cast<int>(lane));
    shown_.push_back(out);
  }
}

}  // namespace lanescope::engine
