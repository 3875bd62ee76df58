#include "kernels/trace/trace_index.h"

#include <algorithm>

namespace lanescope::trace {

namespace {

bool writes_shared(const AccessLog& log, std::size_t i) {
  return log.space(i) == MemorySpace::shared && log.kind(i) != AccessKind::load;
}

/// Bytes of a word replaced: value and identities alike.
void merge_bytes(TagPool& tags, SharedByte& word, std::uint32_t value, WordTag tag, int first_bit, int bits) {
  const std::uint32_t mask = static_cast<std::uint32_t>(((std::uint64_t{1} << bits) - 1) << first_bit);
  word.value = (word.value & ~mask) | ((value << first_bit) & mask);
  word.written = true;
  if (word.tag == no_data && tag == no_data) return;
  WordBits into = tags.bits(word.tag);
  const WordBits from = tags.bits(tag);
  std::copy_n(from.begin(), bits, into.begin() + first_bit);
  word.tag = tags.intern(into);
}

void extend_word(WordHistory& h, std::uint32_t record, std::uint32_t mask) {
  if (h.records.size() % WordHistory::stride == 0) h.checkpoints.push_back(h.last);
  h.records.push_back(record);
  for (std::size_t lane = 0; lane < lanes_per_warp; ++lane)
    if (mask >> lane & 1) h.last[lane] = static_cast<std::int32_t>(record);
}

}  // namespace

void apply_to_shared(TagPool& tags, const SharedWrite& a, std::vector<SharedByte>& words) {
  const std::size_t count = static_cast<std::size_t>(a.width_bytes + 3) / 4;
  for (std::size_t lane = 0; lane < lanes_per_warp; ++lane) {
    if (!(a.mask >> lane & 1)) continue;
    const std::uint64_t address = a.addresses[lane];
    for (std::size_t w = 0; w < count; ++w) {
      const std::uint64_t at = address / 4 + w;
      if (at >= words.size()) continue;
      const std::uint32_t value = a.values[w * lanes_per_warp + lane];
      const WordTag tag = a.tags.empty() ? no_data : a.tags[w * lanes_per_warp + lane];
      if (a.width_bytes >= 4)
        words[at] = {value, tag, true};
      else
        merge_bytes(tags, words[at], value, tag, static_cast<int>(address % 4) * 8, a.width_bytes * 8);
    }
  }
}

void apply_to_shared(TagPool& tags, const AccessRecord& a, std::vector<SharedByte>& words) {
  apply_to_shared(
      tags,
      SharedWrite{
          .mask = a.mask, .width_bytes = a.width_bytes, .addresses = a.addresses, .values = a.values, .tags = a.tags},
      words);
}

void Trace::Index::extend(const Trace& trace) {
  for (; probes_seen < trace.probes.size(); ++probes_seen) {
    const StepRecord& step = trace.steps[trace.probes.step(probes_seen)];
    const VariableWord word{trace.probes.variable(probes_seen), trace.probes.byte_offset(probes_seen)};
    extend_word(words[{step.block, word, step.warp}], static_cast<std::uint32_t>(probes_seen),
                trace.probes.mask(probes_seen));
  }
  for (; accesses_seen < trace.accesses.size(); ++accesses_seen) {
    if (!writes_shared(trace.accesses, accesses_seen)) continue;
    SharedHistory& h = shared[trace.steps[trace.accesses.step(accesses_seen)].block];
    if (h.now.empty()) h.now = trace.beginning.shared;
    h.now.resize((trace.shared_bytes + 3) / 4);
    if (h.words_since > std::max<std::size_t>(16384, 4 * h.now.size())) {
      h.checkpoints.push_back({h.records.size(), h.now});
      h.words_since = 0;
    }
    h.records.push_back(static_cast<std::uint32_t>(accesses_seen));
    apply_to_shared(trace.tags, trace.accesses[accesses_seen], h.now);
    h.words_since += trace.accesses.words(accesses_seen) * lanes_per_warp;
  }
}

std::size_t Trace::Index::bytes() const {
  std::size_t sum = 0;
  for (const auto& [key, h] : words)
    sum += sizeof(h) + h.records.capacity() * sizeof(h.records[0]) + h.checkpoints.capacity() * sizeof(h.last);
  for (const auto& [block, h] : shared) {
    sum += sizeof(h) + h.records.capacity() * sizeof(h.records[0]) + h.now.capacity() * sizeof(SharedByte);
    for (const SharedHistory::Checkpoint& c : h.checkpoints) sum += sizeof(c) + c.words.capacity() * sizeof(SharedByte);
  }
  return sum;
}

}  // namespace lanescope::trace
