// Rows: words side by side with the same accesses, which are compared at once.

#include <bit>

#include "kernels/base/set_bits.h"
#include "profiling/races/conflict.h"
#include "profiling/races/races.h"

namespace lanescope::races {

std::uint32_t RaceObserver::new_row(const Row& row) {
  std::uint32_t number = pool_->spare_row;
  if (number != 0) {
    pool_->spare_row = pool_->rows[number].common.next;
  } else {
    if (is_full()) return 0;
    number = pool_->rows.append();
  }
  pool_->rows[number] = row;
  return number;
}

void RaceObserver::free_row(std::uint32_t number) {
  pool_->rows[number].common.next = pool_->spare_row;
  pool_->spare_row = number;
}

void RaceObserver::leave_row(std::uint32_t number) {
  if (--pool_->rows[number].words > 0) return;
  while (number != 0) {
    const std::uint32_t next = pool_->rows[number].common.next;
    free_row(number);
    number = next;
  }
}

void RaceObserver::take_apart(std::uint32_t& cell, std::uint64_t word) {
  const std::uint32_t first = cell & ~row_bit;
  cell = 0;
  std::uint32_t* link = &cell;
  for (std::uint32_t i = first; i != 0; i = pool_->rows[i].common.next) {
    const Row& row = pool_->rows[i];
    const auto lane = static_cast<std::size_t>(word - row.first_word);
    Record record = row.common;
    record.lanes = 1u << lane;
    record.value = row.values[lane];
    append(*link, record);
    if (*link == 0) break;  // beyond the budget, which is counted
    link = &pool_->records[*link].next;
  }
  leave_row(first);
}

/// Whether `kept` happened before `now` at every word. `open`: it did not, or that is not seen here, and there may be
/// something to report or to keep apart.
bool RaceObserver::row_in_order(const Row& kept, const Row& now, const Order::Block& block, bool& open) const {
  const Record &k = kept.common, &r = now.common;
  const bool same_block = k.block == r.block, same_warp = same_block && k.warp == r.warp;
  const Order::Warp& mine = block.warps[r.warp];
  if (same_block && k.step < block.floor) return true;
  if (same_warp && (k.step < mine.floor || kept.first_word == now.first_word)) return true;
  open = writes(k.touch) || writes(r.touch) || mine.knows || (same_warp && mine.lanes != nullptr);
  return false;
}

bool RaceObserver::by_row(const trace::AccessEvent& event, const Instruction& how, Order::Block& block) {
  const std::uint32_t active = event.where.active;
  const int lanes = std::popcount(active);
  if (lanes < least_row_lanes_ || event.width_bytes != 4 || !is_plain(how.touch) || event.overwritten != 0 ||
      !copies_.none() || (event.kind != trace::AccessKind::load && event.kind != trace::AccessKind::store))
    return false;
  const std::size_t first = first_bit(active), last = 31 - static_cast<std::size_t>(std::countl_zero(active));
  const std::uint64_t base = event.addresses[first] - 4 * first;
  std::uint64_t differ = 0;
  if (active == 0xffffffffu)
    for (std::size_t l = 0; l < 32; ++l) differ |= event.addresses[l] ^ (base + 4 * l);
  else
    for (const std::size_t l : set_bits(active)) differ |= event.addresses[l] ^ (base + 4 * l);
  if (differ != 0 || base % 4 != 0) return false;
  if (writes(how.touch) && (order_.has_releases() || (with_ && with_->has_releases()))) return false;
  const bool shared = event.space == trace::MemorySpace::shared;
  Now now{.record = record_of(event.where, how.touch), .block = &block, .shared = shared, .owner = event.where.block};
  now.record.scope = how.scope;
  Now end = now;
  if (!locate(event.addresses[first], shared, now) || now.byte % 4 != 0) return false;
  end.buffer = now.buffer;
  if (!locate(event.addresses[last], shared, end) || end.buffer != now.buffer ||
      end.byte - now.byte != 4 * (last - first) ||
      (!shared && now.byte / 4 / words_per_page != end.byte / 4 / words_per_page))
    return false;
  if (plain_cell(end) == nullptr) return false;
  std::uint32_t* const cells = plain_cell(now);
  const std::uint32_t head = *cells;
  if (head != 0 && ((head & row_bit) == 0 || pool_->rows[head & ~row_bit].words != static_cast<std::uint32_t>(lanes)))
    return false;
  std::uint32_t others = 0;
  for (const std::size_t l : set_bits(active)) others |= cells[l - first] ^ head;
  if (others != 0) return false;

  Row row{.common = now.record, .first_word = now.byte / 4 - first, .words = static_cast<std::uint32_t>(lanes)};
  bool open = false;
  for (std::uint32_t i = head & ~row_bit; i != 0; i = pool_->rows[i].common.next)
    if (pool_->rows[i].common.step == row.common.step || (!row_in_order(pool_->rows[i], row, block, open) && open))
      return false;
  // Accesses before one of the same kind are dropped, as in word().
  std::uint32_t top = head & ~row_bit;
  for (std::uint32_t* link = &top; *link != 0;) {
    const std::uint32_t at = *link;
    Record& kept = pool_->rows[at].common;
    if (row_in_order(pool_->rows[at], row, block, open) &&
        covers(how.touch, how.scope, kept.touch, kept.scope, {}, narrow_)) {
      *link = kept.next;
      free_row(at);
    } else {
      link = &kept.next;
    }
  }
  if (!rows_have_enough(top, row)) {
    for (const std::size_t l : set_bits(active)) row.values[l] = l < event.values.size() ? event.values[l] : 0;
    row.common.next = top;
    if (const std::uint32_t number = new_row(row); number != 0)
      top = number;
    else
      unwatched_ += static_cast<std::uint64_t>(lanes);
  }
  if (top != 0) pool_->rows[top].words = static_cast<std::uint32_t>(lanes);
  for (const std::size_t l : set_bits(active)) cells[l - first] = top == 0 ? 0 : top | row_bit;
  return true;
}

/// has_enough() of the words of a row, which have been read only since they were written.
bool RaceObserver::rows_have_enough(std::uint32_t first, const Row& now) {
  const Record& r = now.common;
  std::size_t rows = 0;
  std::int64_t block = -1;
  int warp = -1;
  for (std::uint32_t i = first; i != 0; i = pool_->rows[i].common.next) {
    const Record& k = pool_->rows[i].common;
    ++rows;
    if (in_parts_ || k.touch != r.touch || writes(r.touch)) continue;
    if (k.block != r.block) {
      if (block >= 0 && block != static_cast<std::int64_t>(k.block)) return true;
      block = k.block;
    } else if (k.warp != r.warp) {
      if (warp >= 0 && warp != k.warp) return true;
      warp = k.warp;
    }
  }
  if (rows < most_records) return false;
  dropped_ += now.words;
  return true;
}

}  // namespace lanescope::races
