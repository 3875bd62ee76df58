#include "kernels/instrument/decode.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/base/set_bits.h"

namespace lanescope::instrument {
namespace {

constexpr std::uint64_t in_shared = std::uint64_t{1} << 62, in_local = std::uint64_t{1} << 63;

class TraceBuilder {
 public:
  TraceBuilder(const Description& description, const trace::Launch& launch, const std::vector<trace::Buffer>& buffers,
               Decoded& out)
      : description_(description), out_(out) {
    out.trace.launch = launch;
    out.trace.buffers = buffers;
    values_.resize(std::size_t{64} / 4 * trace::lanes_per_warp);
  }

  /// Slots are known before the records, so that addresses can be determined at once.
  void place(const std::vector<std::uint64_t>& slots);
  void take(const Record& r);

 private:
  void take_access(const Record& r, const Site& site);
  void take_shuffle(const Record& r);

  const Description& description_;
  Decoded& out_;
  std::uint64_t shared_base_ = 0;
  std::vector<std::uint32_t> values_;
};

void TraceBuilder::place(const std::vector<std::uint64_t>& slots) {
  trace::Trace& t = out_.trace;
  t.buffer_addresses.assign(t.buffers.size(), 0);
  std::uint64_t lowest = ~std::uint64_t{0}, end = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Slot& s = description_.slots[i];
    if (s.kind == Slot::Kind::shared_variable) {
      lowest = std::min(lowest, slots[i]);
      end = std::max(end, slots[i] + (s.bytes == 0 ? t.launch.dynamic_shared_bytes : s.bytes));
      continue;
    }
    const auto at = static_cast<std::size_t>(s.index);
    if (at >= t.launch.arguments.size()) continue;
    if (const auto* b = std::get_if<trace::BufferArgument>(&t.launch.arguments[at]))
      t.buffer_addresses[static_cast<std::size_t>(b->buffer)] = slots[i] - static_cast<std::uint64_t>(b->offset_bytes);
  }
  shared_base_ = end == 0 ? description_.first_shared : lowest;
  t.shared_bytes = end == 0 ? t.launch.dynamic_shared_bytes : static_cast<std::uint32_t>(end - lowest);
}

void TraceBuilder::take(const Record& r) {
  const Site& site = description_.sites[r.site];
  out_.trace.steps.push_back({r.block, r.warp, site.pc, r.mask});
  if (site.kind == Site::Kind::access) take_access(r, site);
  if (site.kind == Site::Kind::shuffle) take_shuffle(r);
}

void TraceBuilder::take_access(const Record& r, const Site& site) {
  std::array<std::uint64_t, trace::lanes_per_warp> addresses = r.lanes;
  trace::AccessEvent e{.where = {out_.trace.steps.size() - 1, r.block, r.warp, site.pc, r.mask}, .space = site.space};
  if (site.generic) {
    const std::uint64_t first = addresses[static_cast<std::size_t>(std::countr_zero(r.mask))];
    e.space = (first & in_shared) != 0  ? trace::MemorySpace::shared
              : (first & in_local) != 0 ? trace::MemorySpace::local
                                        : trace::MemorySpace::global;
    for (std::uint64_t& a : addresses) a &= ~(in_shared | in_local);
  }
  if (e.space == trace::MemorySpace::shared)
    for (const std::size_t lane : set_bits(r.mask)) {
      std::uint64_t& a = addresses[lane];
      a = static_cast<std::uint32_t>(a - shared_base_);  // reserved bytes lie before (kernels/trace/reserved_shared.h)
    }
  e.kind = site.access;
  e.width_bytes = site.width_bytes;
  e.read_only = site.read_only;
  e.matrix = site.matrix;
  e.addresses = addresses;
  const auto words = static_cast<std::size_t>((site.width_bytes + 3) / 4);
  e.values = std::span(values_).first(words * trace::lanes_per_warp);
  out_.trace.accesses.append(out_.trace.steps.size() - 1, e);
}

void TraceBuilder::take_shuffle(const Record& r) {
  trace::ShuffleRecord& s = out_.trace.shuffles.emplace_back();
  s.step = out_.trace.steps.size() - 1;
  for (std::size_t lane = 0; lane < s.source_lane.size(); ++lane)
    s.source_lane[lane] = (r.mask >> lane & 1) != 0 ? static_cast<std::int8_t>(r.lanes[lane]) : std::int8_t{-1};
}

Choice choice_of(const trace::Buffer& records) {
  Choice c;
  static_assert(sizeof c == 16);
  std::memcpy(&c, records.bytes.data() + 16, sizeof c);
  return c;
}

}  // namespace

Expected<Decoded> decode(const trace::Buffer& records, const Description& description, const trace::Launch& launch,
                         const std::vector<trace::Buffer>& buffers) {
  Decoded out;
  TraceBuilder builder(description, launch, buffers, out);
  const auto header = LS_TRY(read_records(
      std::span(records.bytes).first(std::min<std::size_t>(records.bytes.size(), description.header_bytes())),
      description, [](const Record&) {}));
  builder.place(header.slots);
  const auto totals = LS_TRY(read_records(records.bytes, description, [&](const Record& r) { builder.take(r); }));
  out.choice = choice_of(records);
  out.records = totals.kept;
  out.dropped = totals.dropped;
  out.needed_bytes = totals.needed_bytes;
  out.trace.total_steps = totals.kept + totals.dropped;
  out.trace.truncated = totals.dropped != 0;
  return out;
}

}  // namespace lanescope::instrument
