#include "kernels/trace/record_log.h"

#include <algorithm>
#include <limits>

#include "kernels/base/check.h"

namespace lanescope::trace {

namespace {

constexpr std::size_t lanes = lanes_per_warp;

std::uint32_t short_step(std::uint64_t step) {
  LS_CHECK_LT(step, std::numeric_limits<std::uint32_t>::max());
  return static_cast<std::uint32_t>(step);
}

template <class Packed>
std::size_t count_packed(const std::deque<Packed>& records, std::int64_t step) {
  const auto end = std::ranges::partition_point(records, [&](const Packed& r) { return std::int64_t{r.step} <= step; });
  return static_cast<std::size_t>(end - records.begin());
}

}  // namespace

void AccessLog::append(std::uint64_t step, const AccessEvent& e) {
  std::array<std::uint32_t, 2 * lanes> addresses;  // low words, high words
  for (std::size_t l = 0; l < lanes; ++l) {
    addresses[l] = static_cast<std::uint32_t>(e.addresses[l]);
    addresses[lanes + l] = static_cast<std::uint32_t>(e.addresses[l] >> 32);
  }
  const std::uint32_t mask = e.where.active;
  Packed& p = records_.emplace_back();
  p.step = short_step(step);
  p.mask = mask;
  p.addresses = rows_.put(addresses, mask);
  p.values = rows_.put(e.values, mask);
  p.tags = rows_.put(e.tags, mask);
  p.space = e.space;
  p.kind = e.kind;
  p.width_bytes = static_cast<std::uint8_t>(e.width_bytes);
  p.read_only = e.read_only ? 1 : 0;
  p.tagged = e.tags.empty() ? 0 : 1;
  p.matrix = static_cast<std::uint8_t>(e.matrix & 7);
  p.turns = static_cast<std::uint8_t>(static_cast<std::uint8_t>(e.turns) & 3);
  p.past_l1 = e.destinations.empty() ? 0 : 1;
}

std::array<std::uint64_t, lanes> AccessLog::addresses(const Packed& packed) const {
  std::array<std::uint32_t, 2 * lanes> halves;
  std::array<std::uint64_t, lanes> out;
  rows_.get(packed.addresses, packed.mask, halves);
  for (std::size_t l = 0; l < lanes; ++l) out[l] = std::uint64_t{halves[lanes + l]} << 32 | halves[l];
  return out;
}

AccessRecord AccessLog::operator[](std::size_t i) const {
  const Packed& p = records_[i];
  AccessRecord r{.step = p.step,
                 .space = p.space,
                 .kind = p.kind,
                 .width_bytes = p.width_bytes,
                 .read_only = p.read_only != 0,
                 .matrix = p.matrix,
                 .turns = static_cast<AtomicTurns>(p.turns),
                 .mask = p.mask,
                 .addresses = addresses(p)};
  // The write of such a copy is the next record.
  if (p.past_l1 != 0 && i + 1 < records_.size()) r.destinations = addresses(records_[i + 1]);
  r.values.resize(words(i) * lanes);
  rows_.get(p.values, p.mask, r.values);
  if (p.tagged != 0) {
    r.tags.resize(words(i) * lanes);
    rows_.get(p.tags, p.mask, r.tags);
  }
  return r;
}

std::size_t AccessLog::count_until(std::int64_t step) const { return count_packed(records_, step); }
std::size_t AccessLog::bytes() const { return records_.size() * sizeof(Packed) + rows_.bytes(); }

std::uint32_t ProbeLog::site_of(const Site& site) {
  const auto [it, is_new] = numbers_.try_emplace(site, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) sites_.push_back(site);
  return it->second;
}

void ProbeLog::append(std::uint64_t step, const ProbeEvent& e) {
  const std::uint32_t mask = e.where.active;
  const std::uint32_t site = site_of({e.probe, e.variable, e.byte_offset});
  records_.push_back({short_step(step), mask, site, rows_.put(e.values, mask), rows_.put(e.tags, mask)});
}

ProbeRecord ProbeLog::operator[](std::size_t i) const {
  const Packed& p = records_[i];
  const Site& site = sites_[p.site];
  ProbeRecord r{p.step, site.probe, site.variable, site.byte_offset, p.mask, {}, {}};
  rows_.get(p.values, p.mask, r.values);
  rows_.get(p.tags, p.mask, r.tags);
  return r;
}

std::size_t ProbeLog::count_until(std::int64_t step) const { return count_packed(records_, step); }
std::size_t ProbeLog::bytes() const { return records_.size() * sizeof(Packed) + rows_.bytes(); }

}  // namespace lanescope::trace
