#include "profiling/review/observe/write_table.h"

#include <string_view>

#include "kernels/base/set_bits.h"
#include "profiling/review/observe/atomic_code.h"

namespace lanescope::review {
namespace {

constexpr std::uint64_t least_repeated = 64;  ///< units; a few flags or sums are written by all

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Operations by which one block may wait for another; `of_block`: or one thread for another of its block.
bool orders(std::string_view text, bool of_block) {
  if (has(text, "membar") || has(text, "fence")) return of_block || !has(text, ".cta");
  if (has(text, ".acquire") || has(text, ".release") || has(text, "barrier.cluster")) return true;
  return has(text, ".volatile") && !has(text, ".shared");
}

bool stores_globally(const trace::CodeSite& site) {
  return site.kind == trace::StepKind::store && !has(site.text, ".shared") && !has(site.text, ".local") &&
         !has(site.text, ".param");
}

/// The low `bytes` of a lane's stored value, counted from its byte `offset`.
std::uint32_t part_of(const trace::AccessEvent& event, std::size_t lane, std::uint64_t offset, unsigned bytes) {
  const std::size_t word = offset / 4 * 32 + lane;
  const std::uint32_t whole = word < event.values.size() ? event.values[word] : 0;
  return bytes == 4 ? whole : whole >> offset % 4 * 8 & ((1u << bytes * 8) - 1);
}

}  // namespace

WriteTable::WriteTable(const LaunchReview& launch, std::size_t budget_bytes)
    : launch_(launch), budget_(budget_bytes), tables_(launch.buffers.size()) {
  for (const trace::CodeSite& site : launch.code) {
    blocks_judged_ = blocks_judged_ && !orders(site.text, false);
    warps_judged_ = warps_judged_ && !orders(site.text, true);
    if (!stores_globally(site)) continue;
    if (has(site.text, "16 ")) unit_bytes_ = std::min(unit_bytes_, 2u);
    if (has(site.text, "8 ") && !has(site.text, "128 ")) unit_bytes_ = 1;
  }
}

bool WriteTable::open(Table& table, int buffer) {
  if (table.unwatched) return false;
  if (!table.units.empty()) return true;
  const LaunchReview::Buffer& b = launch_.buffers[static_cast<std::size_t>(buffer)];
  const std::uint64_t units = (b.bytes + unit_bytes_ - 1) / unit_bytes_;
  table.unwatched = b.library || units * sizeof(Unit) > budget_ - used_;
  barriers_part_ = barriers_part_ || (table.unwatched && !b.library);
  if (table.unwatched) return false;
  used_ += units * sizeof(Unit);
  table.units.resize(units);
  return true;
}

void WriteTable::access(const trace::AccessEvent& event, int buffer, std::int32_t epoch) {
  if (buffer < 0 || event.kind == trace::AccessKind::load || event.kind == trace::AccessKind::async_copy) return;
  Table& t = tables_[static_cast<std::size_t>(buffer)];
  if (event.kind != trace::AccessKind::store) {
    t.atomics = true;
    return;
  }
  if (!open(t, buffer)) return;
  if (t.counted_block != event.where.block) t.of_block = 0, t.counted_block = event.where.block;
  const std::uint64_t start = launch_.buffers[static_cast<std::size_t>(buffer)].address;
  for (const std::size_t lane : set_bits(event.where.active)) {
    const std::uint64_t first = event.addresses[lane] - start;
    for (std::uint64_t offset = 0; offset < static_cast<std::uint64_t>(event.width_bytes); offset += unit_bytes_)
      store(t, event, lane, first + offset, part_of(event, lane, offset, unit_bytes_), epoch);
  }
  t.most_of_block = std::max(t.most_of_block, t.of_block);
}

void WriteTable::store(Table& t, const trace::AccessEvent& event, std::size_t lane, std::uint64_t byte,
                       std::uint32_t value, std::int32_t epoch) {
  const std::uint64_t at = byte / unit_bytes_;
  if (at >= t.units.size()) return;  // the next buffer's: lanes of one store may go to several
  Unit& u = t.units[at];
  const auto thread = static_cast<std::uint32_t>(event.where.warp * 32 + lane) & 1023;
  const auto now_epoch = static_cast<std::uint32_t>(epoch) & 0xfffff;
  const bool fresh = u.block == ~0u, same_block = u.block == event.where.block;
  const bool other_thread = same_block && u.thread != thread && u.epoch == now_epoch && epoch >= 0;
  barriers_part_ = barriers_part_ || (same_block && u.thread != thread && u.epoch != now_epoch);
  if (fresh) {
    ++t.of_block;
  } else if (!same_block || other_thread) {
    ++t.by_others, ++t.of_block;
    t.by_other_blocks += same_block ? 0 : 1;
    t.across_blocks |= !same_block;
    const bool first_conflict = !t.meeting;
    // Lanes of one warp are in order unless it is one instruction, whose event shows the winner's value only.
    const bool judged = same_block ? warps_judged_ && u.thread / 32 != thread / 32 : blocks_judged_;
    const bool conflict = judged && u.value != value;
    if (first_conflict || (conflict && !t.conflict)) {
      Conflict m{.before = {u.block, static_cast<int>(u.thread), u.pc},
                 .now = {event.where.block, static_cast<int>(thread), event.where.pc},
                 .where = event.where,
                 .byte = byte,
                 .width_bytes = event.width_bytes};
      std::copy_n(event.addresses.begin(), 32, m.addresses.begin());
      if (conflict && !t.conflict) t.conflict = m;
      if (first_conflict) t.meeting = m;
    }
    u.several = 1;
    u.conflict |= conflict ? 1u : 0u;
  }
  if (const auto key = std::uint64_t{event.where.block} << 10 | thread;
      t.parts.size() < most_parts || t.parts.contains(key)) {
    Table::Part& part = t.parts[key];
    part.first = std::min(part.first, at), part.last = std::max(part.last, at);
    ++part.stores;
  }
  t.varied = t.varied || t.value.value_or(value) != value;
  t.value = value;
  u.block = event.where.block;
  u.thread = thread;
  u.epoch = now_epoch;
  u.value = value;
  u.pc = event.where.pc;
}

/// Units of a part, and between the begins of two; {0, 0}: parts do not overlap, or it is no fault that they do.
std::pair<std::uint64_t, std::uint64_t> WriteTable::overlapping_parts(const Table& t, std::uint64_t written) {
  if (!t.varied || t.by_others * 2 < written) return {0, 0};
  std::uint64_t neighbours = 0, overlapping = 0, length = 0, apart = 0;
  for (auto next = t.parts.begin(), at = next; at != t.parts.end(); at = next) {
    if (++next == t.parts.end() || next->first != at->first + 1 || next->first % 1024 == 0) continue;
    const Table::Part &a = at->second, &b = next->second;
    const std::uint64_t of_a = a.last - a.first + 1, of_b = b.last - b.first + 1;
    ++neighbours;
    if (of_a != of_b || a.stores < of_a || b.stores < of_b || b.first <= a.first || b.first > a.last) continue;
    ++overlapping, length = of_a, apart = b.first - a.first;
  }
  const bool nearly_all = overlapping > 0 && overlapping * 10 >= neighbours * 9;
  return nearly_all ? std::pair(length, apart) : std::pair(std::uint64_t{0}, std::uint64_t{0});
}

void WriteTable::launch_ended() {
  for (std::size_t b = 0; b < tables_.size(); ++b) {
    Table& t = tables_[b];
    const LaunchReview::Buffer& buffer = launch_.buffers[b];
    if (t.atomics || buffer.library || (t.units.empty() && !t.unwatched)) continue;
    std::uint64_t written = 0, several = 0, conflicts = 0;
    std::size_t whole = t.units.size();
    const Unit* last = nullptr;
    bool values_differ = false;
    for (const Unit& u : t.units) {
      several += u.several, conflicts += u.conflict;
      if (u.block == ~0u) {
        whole = std::min(whole, static_cast<std::size_t>(&u - t.units.data()));
        continue;
      }
      ++written;
      values_differ = values_differ || (last != nullptr && last->value != u.value);
      last = &u;
    }
    const auto bits = static_cast<std::uint64_t>(std::max(buffer.element_bits, 1));
    const auto elements = [&](std::uint64_t units) { return (units * unit_bytes_ * 8 + bits - 1) / bits; };
    const auto [length, apart] = overlapping_parts(t, written);
    summaries_.push_back(
        {.buffer = static_cast<int>(b),
         .unwatched = t.unwatched,
         .elements = buffer.bytes * 8 / bits,
         .written = elements(written),
         .several = elements(several),
         .conflicts = elements(conflicts),
         .stores = elements(written + t.by_others),
         .block_stores = elements(written + t.by_other_blocks),
         .most_of_block = elements(t.most_of_block),
         .whole_from_start = whole * unit_bytes_ * 8 / bits,
         .last_pc = last != nullptr ? last->pc : ~0u,
         .index_loaded = last != nullptr && address_is_loaded(*launch_.entry, last->pc),
         .repeated = blocks_judged_ && values_differ && written >= least_repeated,
         .across_blocks = t.across_blocks,
         .may_be_meant = !warps_judged_ || (t.meeting && (address_is_loaded(*launch_.entry, t.meeting->before.pc) ||
                                                          address_is_loaded(*launch_.entry, t.meeting->now.pc))),
         .part = elements(length),
         .apart = elements(apart),
         .conflict = t.conflict,
         .meeting = t.meeting});
  }
  tables_.assign(tables_.size(), {});
}

}  // namespace lanescope::review
