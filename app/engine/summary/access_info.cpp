#include "app/engine/summary/access_info.h"

#include <algorithm>

#include "kernels/base/set_bits.h"
#include "kernels/trace/reserved_shared.h"

namespace lanescope::engine {

int line_of(const trace::Trace& t, std::uint64_t step) {
  const std::uint32_t pc = t.steps[step].pc;
  return pc < t.code.size() ? t.code[pc].line : 0;
}

bool is_shown(const trace::AccessRecord& record) {
  if (record.space == trace::MemorySpace::global) return true;
  if (record.space != trace::MemorySpace::shared) return false;
  for (const std::size_t lane : set_bits(record.mask))
    if (trace::is_reserved_shared(record.addresses[lane])) return false;
  return true;
}

std::optional<results::AccessInfo> access_info(const trace::Trace& t, const trace::AccessRecord& record) {
  if (!is_shown(record)) return std::nullopt;
  results::AccessInfo info = results::priced(access::access_of(record));
  info.line = line_of(t, record.step);
  info.warp = static_cast<int>(t.steps[record.step].warp);
  if (record.space == trace::MemorySpace::shared) return info;
  for (const std::size_t lane : set_bits(record.mask)) {
    const auto place = t.locate(record.addresses[lane]);
    if (!place) continue;
    if (info.buffer < 0) info.buffer = place->first;
    info.addresses[lane] = record.addresses[lane] - t.buffer_addresses[static_cast<std::size_t>(info.buffer)];
  }
  return info;
}

namespace {

bool is_seen(trace::MemorySpace space) {
  return space == trace::MemorySpace::global || space == trace::MemorySpace::shared;
}

/// Indices of the accesses of each warp of a block, in order.
std::map<std::uint32_t, std::vector<std::size_t>> by_warp(const trace::Trace& t, std::uint32_t block) {
  std::map<std::uint32_t, std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < t.accesses.size(); ++i) {
    const trace::StepRecord& step = t.steps[t.accesses.step(i)];
    if (step.block == block && is_seen(t.accesses.space(i))) out[step.warp].push_back(i);
  }
  return out;
}

/// An address of one trace as the other one places the same byte.
std::uint64_t moved(const trace::Trace& from, const trace::Trace& to, std::uint64_t address) {
  const auto place = from.locate(address);
  return place ? to.buffer_addresses[static_cast<std::size_t>(place->first)] + place->second : address;
}

}  // namespace

SeenAccesses seen_on_gpu(const trace::Trace& emulated, const instrument::Decoded& found) {
  SeenAccesses seen{.on_gpu = true};
  const trace::Trace& gpu = found.trace;
  const std::uint32_t block = emulated.steps.empty() ? 0 : emulated.steps.front().block;
  auto expected = by_warp(emulated, block);
  for (const auto& [warp, indices] : by_warp(gpu, block)) {
    const std::vector<std::size_t>& own = expected[warp];
    for (std::size_t n = 0; n < std::min(indices.size(), own.size()); ++n) {
      const trace::AccessRecord there = gpu.accesses[indices[n]];
      trace::AccessRecord here = emulated.accesses[own[n]];
      if (there.space != here.space || there.width_bytes != here.width_bytes) break;  // no longer the same instruction
      auto addresses = there.addresses;
      if (there.space == trace::MemorySpace::global)
        for (auto& address : addresses) address = moved(gpu, emulated, address);
      bool same = there.mask == here.mask;
      for (std::size_t lane = 0; lane < addresses.size(); ++lane)
        same = same && (!(there.mask >> lane & 1) || addresses[lane] == here.addresses[lane]);
      if (same) continue;
      here.mask = there.mask, here.addresses = addresses;
      seen.different.emplace(own[n], std::move(here));
    }
  }
  return seen;
}

results::AccessTotals access_totals(const trace::Trace& t, const SeenAccesses& seen, int buffer, int code_line) {
  results::AccessTotals totals{.buffer = buffer, .code_line = code_line};
  for (std::size_t i = 0; i < t.accesses.size(); ++i) {
    if (t.accesses.space(i) != trace::MemorySpace::global) continue;
    if (code_line > 0 && line_of(t, t.accesses.step(i)) != code_line) continue;
    if (const auto info = access_info(t, seen.at(t, i))) results::accumulate(totals, *info);
  }
  return totals;
}

namespace {

struct Side {
  std::string words;
  std::uint32_t mask = 0;
  std::vector<std::string> places;
};

Side side_of(const trace::Trace& trace, std::int64_t access) {
  if (access < 0) return {};
  const trace::AccessRecord record = trace.accesses[static_cast<std::size_t>(access)];
  Side side{.words = trace::access_words(record), .mask = record.mask};
  for (std::size_t lane = 0; lane < trace::lanes_per_warp; ++lane)
    side.places.push_back((record.mask >> lane & 1) != 0 ? trace::place_words(trace, record, lane) : "");
  return side;
}

}  // namespace

std::optional<results::AccessPair> access_pair(const trace::Trace& expected, const trace::Trace& found,
                                               const instrument::Difference& difference) {
  if (difference.expected_access < 0 && difference.found_access < 0) return std::nullopt;
  Side emulated = side_of(expected, difference.expected_access), gpu = side_of(found, difference.found_access);
  return results::AccessPair{.line = difference.line,
                             .block = difference.block,
                             .warp = difference.warp,
                             .index = difference.index,
                             .emulated = std::move(emulated.words),
                             .gpu = std::move(gpu.words),
                             .emulated_mask = emulated.mask,
                             .gpu_mask = gpu.mask,
                             .emulated_places = std::move(emulated.places),
                             .gpu_places = std::move(gpu.places)};
}

}  // namespace lanescope::engine
