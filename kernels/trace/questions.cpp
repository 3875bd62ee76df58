// Queries on a recorded run.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/base/enum_size.h"
#include "kernels/base/set_bits.h"
#include "kernels/trace/trace.h"
#include "kernels/trace/trace_index.h"

namespace lanescope::trace {
namespace {

Trace::Index& fresh_index(const Trace& trace) {
  if (!trace.index) trace.index = std::make_shared<Trace::Index>();
  trace.index->extend(trace);
  return *trace.index;
}

/// Records are in ascending order of step: how many of those named happened up to and including `step`.
std::size_t count_until(const std::vector<std::uint32_t>& indices, const auto& log, std::int64_t step) {
  const auto end = std::ranges::partition_point(
      indices, [&](std::uint32_t i) { return static_cast<std::int64_t>(log.step(i)) <= step; });
  return static_cast<std::size_t>(end - indices.begin());
}

WordState word_after(const Trace& trace, const WordHistory& h, std::int64_t step, WordState out) {
  const std::size_t count = count_until(h.records, trace.probes, step);
  if (count == 0) return out;
  const std::size_t checkpoint = (count - 1) / WordHistory::stride;
  auto last = h.checkpoints[checkpoint];
  for (std::size_t k = checkpoint * WordHistory::stride; k < count; ++k)
    for (const std::size_t lane : set_bits(trace.probes.mask(h.records[k])))
      last[lane] = static_cast<std::int32_t>(h.records[k]);
  std::uint32_t todo = 0;
  for (std::size_t lane = 0; lane < lanes_per_warp; ++lane) todo |= last[lane] >= 0 ? 1u << lane : 0u;
  out.defined |= todo;
  while (todo != 0) {  // record by record: mostly all lanes come from one
    const std::int32_t record = last[static_cast<std::size_t>(std::countr_zero(todo))];
    const ProbeRecord p = trace.probes[static_cast<std::size_t>(record)];
    for (const std::size_t lane : set_bits(todo)) {
      if (last[lane] != record) continue;
      out.values[lane] = p.values[lane];
      out.tags[lane] = p.tags[lane];
      todo &= ~(1u << lane);
    }
  }
  const std::uint32_t newest = h.records[count - 1];
  out.written_at = trace.probes.step(newest);
  if (static_cast<std::int64_t>(out.written_at) == step) out.changed = trace.probes.mask(newest);
  return out;
}

constexpr std::string_view kinds[] = {"load", "store", "atomic", "reduction", "asynchronous copy"};
constexpr std::string_view spaces[] = {"global", "shared", "local", "constant", "parameter"};

}  // namespace

std::vector<WordState> Trace::registers_at(std::int64_t step, std::uint32_t block, VariableWord word) const {
  const Index& index = fresh_index(*this);
  std::vector<WordState> out(launch.warps_per_block());
  for (std::uint32_t warp = 0; warp < out.size(); ++warp) {
    if (const auto before = beginning.words.find({word, warp}); before != beginning.words.end())
      out[warp] = before->second;
    const auto it = index.words.find({block, word, warp});
    if (it != index.words.end()) out[warp] = word_after(*this, it->second, step, std::move(out[warp]));
  }
  return out;
}

std::vector<SharedByte> Trace::shared_at(std::int64_t step, std::uint32_t block) const {
  const Index& index = fresh_index(*this);
  std::vector<SharedByte> words = beginning.shared;
  words.resize((shared_bytes + 3) / 4);
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

std::optional<AccessRecord> Trace::access_at(std::uint64_t step) const {
  const std::size_t i = accesses.count_until(static_cast<std::int64_t>(step) - 1);
  if (i == accesses.size() || accesses.step(i) != step) return std::nullopt;
  return accesses[i];
}

std::vector<ProbeRecord> Trace::probes_at(std::uint64_t step) const {
  std::vector<ProbeRecord> out;
  for (std::size_t i = probes.count_until(static_cast<std::int64_t>(step) - 1);
       i < probes.size() && probes.step(i) == step; ++i)
    out.push_back(probes[i]);
  return out;
}

void Trace::prepare() const { fresh_index(*this); }

std::size_t Trace::memory_bytes() const {
  return steps.capacity() * sizeof(StepRecord) + accesses.bytes() + probes.bytes() +
         shuffles.capacity() * sizeof(ShuffleRecord) + branches.capacity() * sizeof(BranchRecord) +
         barriers.capacity() * sizeof(BarrierRecord) + objects.capacity() * sizeof(ObjectRecord) +
         (index ? index->bytes() : 0);
}

std::optional<std::pair<int, std::uint64_t>> Trace::locate(std::uint64_t address) const {
  for (std::size_t i = 0; i < buffer_addresses.size() && i < buffers.size(); ++i) {
    std::uint64_t bytes =
        buffers[i].bytes.size();  // none where contents are not kept: then the identities say how many
    if (bytes == 0 && i < tags.space.buffers.size()) bytes = std::uint64_t{4} * tags.space.buffers[i].words;
    if (address >= buffer_addresses[i] && address - buffer_addresses[i] < bytes)
      return std::pair{static_cast<int>(i), address - buffer_addresses[i]};
  }
  return std::nullopt;
}

std::string_view kind_words(AccessKind kind) {
  const auto n = static_cast<std::size_t>(kind);
  return n < std::size(kinds) ? kinds[n] : "access";
}

std::string access_words(const AccessRecord& access) {
  const char* preposition = access.kind == AccessKind::load ? "from" : access.kind == AccessKind::store ? "to" : "in";
  const std::string_view space = entry_for(spaces, access.space);
  const std::string bytes = fmt::format("{} byte{}", access.width_bytes, access.width_bytes == 1 ? "" : "s");
  if (access.kind == AccessKind::async_copy)  // one event for what it reads, one for what it writes
    return fmt::format("{} of {}, its side in {} memory", kind_words(access.kind), bytes, space);
  return fmt::format("{} of {} {} {} memory", kind_words(access.kind), bytes, preposition, space);
}

std::string place_words(const Trace& trace, const AccessRecord& access, std::size_t lane) {
  const std::uint64_t address = access.addresses[lane];
  if (access.space == MemorySpace::shared) return fmt::format("shared + {}", address);
  const auto at = trace.locate(address);
  if (!at) return "outside of all buffers";
  return fmt::format("{} + {}", trace.buffers[static_cast<std::size_t>(at->first)].name, at->second);
}

}  // namespace lanescope::trace
