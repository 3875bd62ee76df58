// The records of a word of memory: where they are, and with which of them a later access may race.

#include "kernels/trace/reserved_shared.h"
#include "profiling/races/conflict.h"
#include "profiling/races/races.h"

namespace lanescope::races {

void RaceObserver::free_records(std::vector<std::uint32_t>& cells) {
  pool_ = &pools_[1];
  for (const std::uint32_t first : cells) {
    if (first == 0) continue;
    if ((first & row_bit) != 0) {
      leave_row(first & ~row_bit);
      continue;
    }
    std::uint32_t last = first;
    while (pool_->records[last].next != 0) last = pool_->records[last].next;
    pool_->records[last].next = pool_->spare;
    pool_->spare = first;
  }
  cells.clear();
}

bool RaceObserver::locate(std::uint64_t address, bool shared, Now& now) const {
  now.byte = address;
  if (shared) return !trace::is_reserved_shared(address);  // cooperative groups order their own words
  if (now.buffer >= 0) {
    const Area& same = areas_[static_cast<std::size_t>(now.buffer)];
    if (address - same.address < same.bytes) return now.byte = address - same.address, true;
  }
  for (std::size_t i = 0; i < areas_.size(); ++i)
    if (address - areas_[i].address < areas_[i].bytes) {
      now.buffer = static_cast<int>(i);
      now.byte = address - areas_[i].address;
      return true;
    }
  return false;
}

std::uint32_t* RaceObserver::cell(const Now& now) {
  std::uint32_t* const at = plain_cell(now);
  if (at != nullptr && (*at & row_bit) != 0) take_apart(*at, now.byte / 4);
  return at;
}

std::uint32_t* RaceObserver::plain_cell(const Now& now) {
  const std::uint64_t word = now.byte / 4;
  pool_ = &pools_[now.shared ? 1 : 0];
  if (now.shared) {
    if (last_shared_.second == nullptr || last_shared_.first != now.owner)
      last_shared_ = {now.owner, &shared_[now.owner]};
    std::vector<std::uint32_t>& cells = *last_shared_.second;
    if (word >= cells.size()) cells.resize(word + 256, 0);
    return &cells[word];
  }
  const std::uint64_t page = word / words_per_page;
  const std::uint64_t key = static_cast<std::uint64_t>(now.buffer) << 48 | page;
  if (last_page_.first != key) {
    auto& pages = pages_[static_cast<std::size_t>(now.buffer)];
    auto at = pages.find(page);
    if (at == pages.end()) {
      if (is_full()) return nullptr;
      at = pages.try_emplace(page, words_per_page, 0u).first;
      page_bytes_ += words_per_page * sizeof(std::uint32_t);
    }
    last_page_ = {key, &at->second};
  }
  return &(*last_page_.second)[word % words_per_page];
}

/// Where threads are ordered by whole blocks and warps: two accesses like this one, of two other blocks or of two other
/// warps, race with each later access that would race with this one.
bool RaceObserver::has_enough(std::uint32_t first, const Now& now) {
  const Record& r = now.record;
  std::size_t records = 0;
  std::int64_t block = -1;
  int warp = -1;
  for (std::uint32_t i = first; i != 0; i = pool_->records[i].next) {
    const Record& k = pool_->records[i];
    ++records;
    if (in_parts_ || (with_ && is_strong(r.touch)) || k.touch != r.touch || k.scope != r.scope ||
        (k.bytes & r.bytes) != r.bytes)
      continue;
    if (writes(r.touch) && is_plain(r.touch) && k.value != r.value) continue;
    if (k.block != r.block) {
      if (block >= 0 && block != static_cast<std::int64_t>(k.block)) return true;
      block = k.block;
    } else if (k.warp != r.warp && !is_volatile(r.touch)) {
      if (warp >= 0 && warp != k.warp) return true;
      warp = k.warp;
    }
  }
  if (records < most_records) return false;
  ++dropped_;
  return true;
}

std::uint64_t RaceObserver::key_of(const Now& now) {
  if (now.shared) return std::uint64_t{1} << 63 | std::uint64_t{now.owner} << 30 | now.byte / 4;
  return static_cast<std::uint64_t>(now.buffer) << 44 | now.byte / 4;
}

void RaceObserver::word(const Now& now) {
  std::uint32_t* const head = cell(now);
  if (head == nullptr) {
    ++unwatched_;
    return;
  }
  const Record& r = now.record;
  bool merged = false;
  reads_.clear();
  if (writes(r.touch) && r.touch != Touch::strong_write) reads_of(*head, r, reads_);
  std::uint32_t* link = head;
  while (*link != 0) {
    const std::uint32_t at = *link;
    Record& kept = pool_->records[at];
    const bool one_instruction = kept.step == r.step;
    const auto common = static_cast<std::uint8_t>(kept.bytes & r.bytes);
    if (one_instruction && kept.touch == r.touch && kept.bytes == r.bytes && kept.block == r.block &&
        kept.released == r.released) {
      kept.lanes |= r.lanes;
      merged = true;
    } else if (common != 0 && !one_instruction) {
      std::size_t kept_lane = 0, now_lane = 0;
      const bool open = unordered(kept, now, kept_lane, now_lane);
      if (open) {
        std::uint32_t mask = 0;
        for (unsigned byte = 0; byte < 4; ++byte) mask |= (common >> byte & 1u) * (0xffu << 8 * byte);
        const auto stores = [&](const Record& x) {
          return writes(x.touch) && (is_plain(x.touch) || is_volatile(x.touch)) && !instructions_[x.pc].asynchronous;
        };
        const bool both = stores(kept) && stores(r);
        add_pair(kept, now, kept_lane, now_lane, both && ((kept.value ^ r.value) & mask) == 0, reads_,
                 now.counts ? unordered_pairs(kept, now) : 0);
      }
      // An access that loses its order with the one need not lose it with the other, if both may race without one.
      const bool both_strong = with_ && is_strong(r.touch) && is_strong(kept.touch);
      // A reader of the one that is kept need not have read this one.
      const bool readable = !is_strong(r.touch) || kept.released >= r.released;
      if (!both_strong && readable &&
          covers(r.touch, r.scope, kept.touch, kept.scope, near(kept.block, kept.warp, r.block, r.warp), narrow_)) {
        const std::uint32_t known = open ? known_lanes(kept, now) : kept.lanes;
        if ((kept.bytes & ~r.bytes) == 0)
          kept.lanes &= ~known;
        else if (known == kept.lanes)
          kept.bytes &= static_cast<std::uint8_t>(~r.bytes);
        if (kept.lanes == 0 || kept.bytes == 0) {
          *link = kept.next;
          kept.next = pool_->spare;
          pool_->spare = at;
          continue;
        }
      }
    }
    link = &pool_->records[at].next;
  }
  if (!merged && !has_enough(*head, now)) append(*head, r);
}

void RaceObserver::append(std::uint32_t& head, const Record& record) {
  std::uint32_t fresh = pool_->spare;
  if (fresh != 0) {
    pool_->spare = pool_->records[fresh].next;
  } else {
    if (is_full()) {
      ++unwatched_;
      return;
    }
    fresh = pool_->records.append();
  }
  pool_->records[fresh] = record;
  pool_->records[fresh].next = head;
  head = fresh;
}

}  // namespace lanescope::races
