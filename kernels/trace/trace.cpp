#include "kernels/trace/trace.h"

#include <algorithm>

#include "kernels/trace/trace_index.h"

namespace lanescope::trace {

namespace {

Trace::Index& fresh_index(const Trace& trace) {
  if (!trace.index) trace.index = std::make_shared<Trace::Index>();
  trace.index->extend(trace);
  return *trace.index;
}

/// Records are in ascending order of step: how many of them happened up to and including `step`.
template <class Records>
std::size_t count_until(const std::vector<std::uint32_t>& indices, const Records& records, std::int64_t step) {
  const auto end = std::ranges::partition_point(
      indices, [&](std::uint32_t i) { return static_cast<std::int64_t>(records[i].step) <= step; });
  return static_cast<std::size_t>(end - indices.begin());
}

WordState word_after(const Trace& trace, const WordHistory& h, std::int64_t step) {
  WordState out;
  const std::size_t count = count_until(h.records, trace.probes, step);
  if (count == 0) return out;
  const std::size_t checkpoint = (count - 1) / WordHistory::stride;
  auto last = h.checkpoints[checkpoint];
  for (std::size_t k = checkpoint * WordHistory::stride; k < count; ++k)
    for (std::size_t lane = 0; lane < lanes_per_warp; ++lane)
      if (trace.probes[h.records[k]].mask >> lane & 1) last[lane] = static_cast<std::int32_t>(h.records[k]);
  for (std::size_t lane = 0; lane < lanes_per_warp; ++lane) {
    if (last[lane] < 0) continue;
    const ProbeRecord& p = trace.probes[static_cast<std::size_t>(last[lane])];
    out.values[lane] = p.values[lane];
    out.tags[lane] = p.tags[lane];
    out.defined |= 1u << lane;
  }
  const ProbeRecord& newest = trace.probes[h.records[count - 1]];
  out.written_at = newest.step;
  if (static_cast<std::int64_t>(newest.step) == step) out.changed = newest.mask;
  return out;
}

template <class Record>
const Record* find_step(const std::vector<Record>& records, std::uint64_t step) {
  const auto it = std::ranges::lower_bound(records, step, {}, &Record::step);
  return it != records.end() && it->step == step ? &*it : nullptr;
}

}  // namespace

std::vector<WordState> Trace::registers_at(std::int64_t step, std::uint32_t block, VariableWord word) const {
  const Index& index = fresh_index(*this);
  std::vector<WordState> out(launch.warps_per_block());
  for (std::uint32_t warp = 0; warp < out.size(); ++warp) {
    const auto it = index.words.find({block, word, warp});
    if (it != index.words.end()) out[warp] = word_after(*this, it->second, step);
  }
  return out;
}

std::vector<SharedByte> Trace::shared_at(std::int64_t step, std::uint32_t block) const {
  const Index& index = fresh_index(*this);
  std::vector<SharedByte> words((shared_bytes + 3) / 4);
  const auto it = index.shared.find(block);
  if (it == index.shared.end()) return words;
  const SharedHistory& h = it->second;
  const std::size_t count = count_until(h.records, accesses, step);
  const auto after = std::ranges::upper_bound(h.checkpoints, count, {}, &SharedHistory::Checkpoint::before);
  std::size_t k = 0;
  if (after != h.checkpoints.begin()) {
    words = (after - 1)->words;
    k = (after - 1)->before;
  }
  for (; k < count; ++k) apply_to_shared(tags, accesses[h.records[k]], words);
  return words;
}

const AccessRecord* Trace::access_at(std::uint64_t step) const { return find_step(accesses, step); }
const ShuffleRecord* Trace::shuffle_at(std::uint64_t step) const { return find_step(shuffles, step); }

std::span<const ProbeRecord> Trace::probes_at(std::uint64_t step) const {
  const auto found = std::ranges::equal_range(probes, step, {}, &ProbeRecord::step);
  return {found.begin(), found.end()};
}

std::optional<std::pair<int, std::uint64_t>> Trace::locate(std::uint64_t address) const {
  for (std::size_t i = 0; i < buffer_addresses.size() && i < buffers.size(); ++i)
    if (address >= buffer_addresses[i] && address - buffer_addresses[i] < buffers[i].bytes.size())
      return std::pair{static_cast<int>(i), address - buffer_addresses[i]};
  return std::nullopt;
}

}  // namespace lanescope::trace
