#include "profiling/races/races.h"

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"
#include "kernels/trace/reserved_shared.h"

namespace lanescope::races {
namespace {

constexpr std::uint64_t words_per_page = 1024;

/// Ways of ordering threads that are not followed.
bool orders_otherwise(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return has("mbarrier") || has("cp.async.bulk") || has("barrier.cluster") || has(".shared::cluster");
}

bool is_strong(Touch t) { return !is_plain(t); }

/// Whether two accesses that nothing orders are a race. `scope`: only because of the scope of atomics.
bool conflict(Touch a, Scope a_scope, Touch b, Scope b_scope, bool same_block, bool same_warp, bool& scope) {
  if (!writes(a) && !writes(b)) return false;
  if (!is_strong(a) || !is_strong(b)) return true;
  if (is_volatile(a) && is_volatile(b)) return same_warp;
  scope = !same_block && (a_scope == Scope::block || b_scope == Scope::block);
  return scope;
}

/// Whoever races with `a`, which happens before `b`, races with `b` as well.
bool covers(Touch b, Scope b_scope, Touch a, Scope a_scope, bool same_block, bool same_warp) {
  if (b == Touch::write || (b == Touch::read && !writes(a))) return true;
  if (a != b) return false;
  return is_volatile(a) ? same_warp : a_scope == b_scope && (a_scope != Scope::block || same_block);
}

}  // namespace

RaceObserver::RaceObserver(const trace::Launch& launch, const std::vector<trace::CodeSite>& code,
                           std::vector<Area> areas, std::size_t budget_bytes)
    : instructions_(read_instructions(code)),
      areas_(std::move(areas)),
      budget_(budget_bytes),
      order_(launch),
      in_parts_(orders_in_parts(code)),
      pages_(areas_.size()) {
  records_.append();
  for (const trace::CodeSite& site : code) judged_ = judged_ && !orders_otherwise(site.text);
}

std::size_t RaceObserver::bytes() const { return records_.bytes() + page_bytes_; }

void RaceObserver::on_step(const trace::Where& where) {
  if (!judged_ || where.pc >= instructions_.size()) return;
  const Instruction& i = instructions_[where.pc];
  if (i.fence != Scope::none) order_.fence(where, i.fence);
  if (!i.exits || where.active == 0 || !order_.exited(where)) return;
  if (const auto at = shared_.find(where.block); at != shared_.end()) {
    free_records(at->second);
    shared_.erase(at);
    last_shared_.second = nullptr;
  }
}

void RaceObserver::on_barrier(const trace::BarrierEvent& event) {
  if (judged_ && event.where.pc < instructions_.size()) order_.came(event, instructions_[event.where.pc].counts);
}
void RaceObserver::on_release(const trace::ReleaseEvent& event) {
  if (judged_) order_.released(event);
}
void RaceObserver::on_warp_sync(const trace::WarpSyncEvent& event) {
  if (judged_) order_.met(event.where);
}

void RaceObserver::launch_ended() {
  records_ = Records();
  records_.append();
  spare_ = 0;
  pages_.clear();
  pages_.resize(areas_.size());
  page_bytes_ = 0;
  last_page_ = {~std::uint64_t{0}, nullptr};
  shared_.clear();
  last_shared_.second = nullptr;
}

bool RaceObserver::loses_updates(int buffer) const {
  return std::ranges::any_of(races_, [&](const Race& r) { return r.updates && !r.shared && r.buffer == buffer; });
}

void RaceObserver::free_records(std::vector<std::uint32_t>& cells) {
  for (const std::uint32_t first : cells) {
    if (first == 0) continue;
    std::uint32_t last = first;
    while (records_[last].next != 0) last = records_[last].next;
    records_[last].next = spare_;
    spare_ = first;
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
  const std::uint64_t word = now.byte / 4;
  if (now.shared) {
    if (last_shared_.second == nullptr || last_shared_.first != now.record.block)
      last_shared_ = {now.record.block, &shared_[now.record.block]};
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
      if (bytes() >= budget_) return nullptr;
      at = pages.try_emplace(page, words_per_page, 0u).first;
      page_bytes_ += words_per_page * sizeof(std::uint32_t);
    }
    last_page_ = {key, &at->second};
  }
  return &(*last_page_.second)[word % words_per_page];
}

bool RaceObserver::unordered(const Record& kept, const Now& now, std::size_t& kept_lane, std::size_t& now_lane) const {
  const Record& r = now.record;
  const Order::Block& b = *now.block;
  if (kept.block == r.block) {
    if (kept.step < b.floor) return false;
    if (kept.warp == r.warp && kept.step < b.warps[r.warp].floor) return false;
    if (kept.warp == r.warp && kept.lanes == r.lanes && (r.lanes & (r.lanes - 1)) == 0) return false;
  }
  for (const std::size_t l : set_bits(kept.lanes))
    for (const std::size_t m : set_bits(r.lanes))
      if (!order_.before(kept.block, kept.warp, l, kept.step, b, r.warp, m)) {
        kept_lane = l, now_lane = m;
        return true;
      }
  return false;
}

std::uint32_t RaceObserver::known_lanes(const Record& kept, const Now& now) const {
  const Record& r = now.record;
  const bool same_block = kept.block == r.block, same_warp = same_block && kept.warp == r.warp;
  std::uint32_t known = same_warp ? kept.lanes & r.lanes : 0;
  if (same_block && (kept.step < now.block->floor || (same_warp && kept.step < now.block->warps[r.warp].floor)))
    return kept.lanes;
  const Order::Warp& mine = now.block->warps[r.warp];
  if (!mine.knows && (!same_warp || mine.lanes == nullptr)) return known;
  for (const std::size_t l : set_bits(kept.lanes & ~known))
    for (const std::size_t m : set_bits(now.record.lanes))
      if (order_.before(kept.block, kept.warp, l, kept.step, *now.block, now.record.warp, m)) {
        known |= 1u << l;
        break;
      }
  return known;
}

int RaceObserver::epoch_of(std::uint32_t block, std::uint64_t step) {
  const std::vector<std::uint64_t>& floors = order_.block(block).floors;
  return static_cast<int>(std::ranges::upper_bound(floors, step) - floors.begin());
}

/// Where the lanes of `writer` are known to have read the word, in records that begin with `first`.
void RaceObserver::reads_of(std::uint32_t first, const Record& writer, std::vector<Side>& reads) const {
  for (std::uint32_t i = first; i != 0; i = records_[i].next) {
    const Record& k = records_[i];
    if (races::writes(k.touch) || k.block != writer.block || k.warp != writer.warp || (k.bytes & writer.bytes) == 0)
      continue;
    for (const std::size_t lane : set_bits(k.lanes & writer.lanes))
      reads.push_back({k.block, k.warp, static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(k.pc), k.step,
                       k.touch, k.value});
  }
}

void RaceObserver::meet(const Record& kept, const Now& now, std::size_t kept_lane, std::size_t now_lane,
                        bool same_value, const std::vector<Side>& reads) {
  const Record& r = now.record;
  const bool same_block = kept.block == r.block, same_warp = same_block && kept.warp == r.warp;
  bool scope = false;
  if (!conflict(kept.touch, kept.scope, r.touch, r.scope, same_block, same_warp, scope)) return;
  Race race{.first = {kept.block, kept.warp, static_cast<std::uint32_t>(kept_lane), static_cast<std::uint32_t>(kept.pc),
                      kept.step, kept.touch, kept.value},
            .second = {r.block, r.warp, static_cast<std::uint32_t>(now_lane), static_cast<std::uint32_t>(r.pc), r.step,
                       r.touch, r.value},
            .missing = scope                 ? Missing::scope
                       : !same_block         ? Missing::order
                       : !same_warp          ? Missing::barrier
                       : kept.step == r.step ? Missing::one_writer
                                             : Missing::warp_sync,
            .same_value = same_value,
            .updates = !reads.empty() && writes(kept.touch),
            .shared = now.shared,
            .buffer = now.shared ? -1 : now.buffer,
            .byte = (now.byte & ~std::uint64_t{3}) +
                    static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(kept.bytes & r.bytes))),
            .bytes = static_cast<std::uint8_t>(kept.bytes & r.bytes)};
  met(race);
  const auto [low, high] = std::minmax({static_cast<std::uint32_t>(kept.pc), static_cast<std::uint32_t>(r.pc)});
  const auto [at, fresh] = race_of_.try_emplace({low, high, race.missing, same_value, now.shared}, races_.size());
  if (fresh) {
    race.second_epoch = epoch_of(r.block, r.step);
    if (same_block) race.first_epoch = epoch_of(kept.block, kept.step);
    races_.push_back(race);
  }
  Race& told = races_[at->second];
  ++told.times;
  if (!race.updates || !told.own_reads.empty()) return;
  // Shown is a pair whose reads are known, too.
  race.times = told.times;
  if (!fresh) {
    race.second_epoch = epoch_of(r.block, r.step);
    if (same_block) race.first_epoch = epoch_of(kept.block, kept.step);
  }
  for (const Side& read : reads)
    for (const Side* side : {&race.first, &race.second})
      if (read.block == side->block && read.warp == side->warp && read.lane == side->lane)
        race.own_reads.push_back(read);
  if (!race.own_reads.empty()) told = std::move(race);
  told.updates = true;
}

/// Where threads are ordered by whole blocks and warps: two accesses like this one, of two other blocks or of two other
/// warps, meet whoever this one would meet.
bool RaceObserver::has_enough(std::uint32_t first, const Now& now) {
  const Record& r = now.record;
  std::size_t records = 0;
  std::int64_t block = -1;
  int warp = -1;
  for (std::uint32_t i = first; i != 0; i = records_[i].next) {
    const Record& k = records_[i];
    ++records;
    if (in_parts_ || k.touch != r.touch || k.scope != r.scope || (k.bytes & r.bytes) != r.bytes) continue;
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
    Record& kept = records_[at];
    const bool one_instruction = kept.step == r.step;
    const auto common = static_cast<std::uint8_t>(kept.bytes & r.bytes);
    if (one_instruction && kept.touch == r.touch && kept.bytes == r.bytes && kept.block == r.block) {
      kept.lanes |= r.lanes;
      merged = true;
    } else if (common != 0 && !one_instruction) {
      std::size_t kept_lane = 0, now_lane = 0;
      const bool open = unordered(kept, now, kept_lane, now_lane);
      if (open) {
        std::uint32_t mask = 0;
        for (unsigned byte = 0; byte < 4; ++byte) mask |= (common >> byte & 1u) * (0xffu << 8 * byte);
        const auto stores = [](Touch t) { return writes(t) && (is_plain(t) || is_volatile(t)); };
        const bool both = stores(kept.touch) && stores(r.touch);
        meet(kept, now, kept_lane, now_lane, both && ((kept.value ^ r.value) & mask) == 0, reads_);
      }
      const bool same_block = kept.block == r.block, same_warp = same_block && kept.warp == r.warp;
      if (covers(r.touch, r.scope, kept.touch, kept.scope, same_block, same_warp)) {
        const std::uint32_t known = open ? known_lanes(kept, now) : kept.lanes;
        if ((kept.bytes & ~r.bytes) == 0)
          kept.lanes &= ~known;
        else if (known == kept.lanes)
          kept.bytes &= static_cast<std::uint8_t>(~r.bytes);
        if (kept.lanes == 0 || kept.bytes == 0) {
          *link = kept.next;
          kept.next = spare_;
          spare_ = at;
          continue;
        }
      }
    }
    link = &records_[at].next;
  }
  if (merged || has_enough(*head, now)) return;
  std::uint32_t fresh = spare_;
  if (fresh != 0) {
    spare_ = records_[fresh].next;
  } else {
    if (bytes() >= budget_) {
      ++unwatched_;
      return;
    }
    fresh = records_.append();
  }
  records_[fresh] = r;
  records_[fresh].next = *head;
  *head = fresh;
}

/// Lanes of one store that meet at a byte: memory holds what the last of them wrote.
void RaceObserver::lanes_of_one_store(const trace::AccessEvent& event, const Instruction& how) {
  if (how.touch == Touch::strong_write) return;
  std::array<std::pair<std::uint64_t, std::uint32_t>, 32> lanes;
  std::size_t count = 0;
  for (const std::size_t l : set_bits(event.where.active))
    lanes[count++] = {event.addresses[l], static_cast<std::uint32_t>(l)};
  std::sort(lanes.begin(), lanes.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (lanes[i].first != lanes[i + 1].first) continue;
    std::size_t end = i + 1;
    std::uint32_t differing = event.overwritten >> lanes[i].second & 1;
    std::size_t other = i;
    while (end < count && lanes[end].first == lanes[i].first) {
      if (differing == 0 && (event.overwritten >> lanes[end].second & 1) != 0) differing = 1, other = end;
      ++end;
    }
    Now now{.record = {.step = event.where.step,
                       .pc = event.where.pc,
                       .block = event.where.block,
                       .warp = static_cast<std::uint8_t>(event.where.warp),
                       .touch = how.touch},
            .shared = event.space == trace::MemorySpace::shared};
    const std::uint32_t last = lanes[end - 1].second;
    now.record.value = last < event.values.size() ? event.values[last] : 0;
    if (locate(lanes[i].first, now.shared, now)) {
      const auto width = static_cast<unsigned>(std::min(event.width_bytes, 4));
      now.record.bytes = static_cast<std::uint8_t>(((1u << width) - 1) << now.byte % 4);
      Record kept = now.record;
      kept.touch = now.record.touch = Touch::write;
      now.record.lanes = 1u << last | 1u << lanes[other].second;
      reads_.clear();
      if (const std::uint32_t* const head = cell(now)) reads_of(*head, now.record, reads_);
      meet(kept, now, lanes[other].second, last, differing == 0, reads_);
    }
    i = end - 1;
  }
}

void RaceObserver::on_access(const trace::AccessEvent& event) {
  if (!judged_ || event.where.active == 0 || event.where.pc >= instructions_.size()) return;
  const bool shared = event.space == trace::MemorySpace::shared;
  if (!shared && event.space != trace::MemorySpace::global) return;
  Instruction how = instructions_[event.where.pc];
  if (event.kind == trace::AccessKind::async_copy) how.touch = shared ? Touch::write : Touch::read;
  Order::Block& block = order_.block(event.where.block);
  if (event.kind == trace::AccessKind::store) lanes_of_one_store(event, how);
  Now now{.record = {.step = event.where.step,
                     .pc = event.where.pc,
                     .block = event.where.block,
                     .warp = static_cast<std::uint8_t>(event.where.warp),
                     .touch = how.touch,
                     .scope = how.scope},
          .block = &block,
          .shared = shared};
  const auto width = static_cast<std::uint64_t>(event.width_bytes);
  for (std::uint64_t offset = 0; offset < width; offset += 4) {
    const std::size_t values = offset / 4 * 32;
    std::uint32_t left = event.where.active;
    while (left != 0) {
      const std::size_t lane = first_bit(left);
      const std::uint64_t address = event.addresses[lane];
      std::uint32_t lanes = 0;  // this one and those behind it at the same place
      do {
        lanes |= left & (~left + 1);
        left &= left - 1;
      } while (left != 0 && event.addresses[first_bit(left)] == address);
      if (!locate(address + offset, shared, now)) continue;
      if (is_strong(how.touch) && offset == 0)
        for (const std::size_t l : set_bits(lanes)) {
          const std::uint64_t place = shared ? std::uint64_t{event.where.block} << 32 | now.byte : address;
          const std::uint64_t key = shared ? place | std::uint64_t{1} << 63 : place;
          if (!writes(how.touch) || how.updates) order_.acquire(block, event.where, l, key, how);
          if (writes(how.touch)) order_.release(block, event.where, l, key, how);
        }
      else if (how.touch == Touch::write && in_parts_)
        order_.forget(shared ? std::uint64_t{1} << 63 | std::uint64_t{event.where.block} << 32 | now.byte : address);
      const std::uint64_t bytes = std::min<std::uint64_t>(4, width - offset);
      // What another lane of the instruction overwrote is told already, and is not what memory holds.
      now.record.lanes = how.touch == Touch::strong_write ? lanes : lanes & ~event.overwritten;
      if (now.record.lanes == 0) continue;
      now.record.value = lane + values < event.values.size() ? event.values[values + lane] : 0;
      const auto begin = static_cast<unsigned>(now.byte % 4);
      now.record.value <<= 8 * begin;
      now.record.bytes = static_cast<std::uint8_t>(((1u << bytes) - 1) << begin);
      now.byte &= ~std::uint64_t{3};
      word(now);
    }
  }
}

}  // namespace lanescope::races
