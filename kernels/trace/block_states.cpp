#include "kernels/trace/block_states.h"

#include <algorithm>

#include "kernels/base/set_bits.h"
#include "kernels/trace/trace_index.h"

namespace lanescope::trace {

BlockState& BlockStates::state_of(std::uint32_t block) {
  if (last_ == nullptr || last_block_ != block) {
    last_ = &blocks_[block];
    last_block_ = block;
  }
  return *last_;
}

const BlockStates::Site& BlockStates::site_of(const ProbeEvent& e) {
  if (e.where.pc >= sites_.size()) sites_.resize(e.where.pc + 1);
  std::optional<Site>& site = sites_[e.where.pc];
  if (!site) {
    const VariableWord word{e.variable, e.byte_offset};
    const auto number = [](auto& numbers, const auto& key) {
      return numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second;
    };
    site = Site{.word = number(words_, word), .probe_word = number(probe_words_, std::pair{e.probe, word})};
  }
  return *site;
}

void BlockStates::on_step(const Where& where) { ++state_of(where.block).steps; }

void BlockStates::on_probe(const ProbeEvent& e) {
  const Site& site = site_of(e);
  BlockState& state = state_of(e.where.block);
  const std::size_t word = std::size_t{site.word} * warps_ + e.where.warp;
  const std::size_t probe_word = std::size_t{site.probe_word} * warps_ + e.where.warp;
  if (word >= state.words.size()) state.words.resize((std::size_t{site.word} + 1) * warps_);
  if (probe_word >= state.times.size()) state.times.resize((std::size_t{site.probe_word} + 1) * warps_);
  ++state.times[probe_word];
  ShownWord& shown = state.words[word];
  ++shown.times;
  shown.defined |= e.where.active;
  for (const std::size_t lane : set_bits(e.where.active)) {
    shown.values[lane] = e.values[lane];
    shown.tags[lane] = e.tags.empty() ? no_data : e.tags[lane];
  }
}

void BlockStates::on_access(const AccessEvent& e) {
  if (e.space != MemorySpace::shared || e.kind == AccessKind::load) return;
  BlockState& state = state_of(e.where.block);
  constexpr std::uint64_t most_words = (std::uint64_t{256} << 10) / 4;  // what lies beyond is not the kernel's
  std::uint64_t end = state.shared.size();
  for (const std::size_t lane : set_bits(e.where.active))
    if (const std::uint64_t after = e.addresses[lane] / 4 + static_cast<std::uint64_t>(e.width_bytes + 3) / 4;
        after <= most_words)
      end = std::max(end, after);
  state.shared.resize(end);
  apply_to_shared(tags_ != nullptr ? *tags_ : no_tags_,
                  SharedWrite{.mask = e.where.active,
                              .width_bytes = e.width_bytes,
                              .addresses = e.addresses,
                              .values = e.values,
                              .tags = e.tags},
                  state.shared);
}

void BlockStates::on_block_end(std::uint32_t block, std::uint64_t) {
  if (last_block_ == block) last_ = nullptr;
  blocks_.erase(block);
}

std::uint64_t BlockStates::steps_of(std::uint32_t block) const {
  const auto at = blocks_.find(block);
  return at == blocks_.end() ? 0 : at->second.steps;
}

void BlockStates::take(std::unordered_map<std::uint32_t, BlockState> blocks) {
  blocks_ = std::move(blocks);
  last_ = nullptr;
}

TraceBeginning BlockStates::beginning_of(std::uint32_t block) const {
  TraceBeginning out;
  const auto at = blocks_.find(block);
  if (at == blocks_.end()) return out;
  const BlockState& state = at->second;
  for (const auto& [word, number] : words_)
    for (std::uint32_t warp = 0; warp < warps_; ++warp) {
      const std::size_t i = std::size_t{number} * warps_ + warp;
      if (i >= state.words.size() || state.words[i].times == 0) continue;
      const ShownWord& shown = state.words[i];
      out.words[{word, warp}] = {.values = shown.values, .tags = shown.tags, .defined = shown.defined};
    }
  for (const auto& [probe_word, number] : probe_words_)
    for (std::uint32_t warp = 0; warp < warps_; ++warp) {
      const std::size_t i = std::size_t{number} * warps_ + warp;
      if (i < state.times.size() && state.times[i] > 0)
        out.times[{probe_word.first, probe_word.second, warp}] = state.times[i];
    }
  out.shared = state.shared;
  return out;
}

}  // namespace lanescope::trace
