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
  return has("barrier.cluster") || has("st.async") || has("red.async") || has("mapa");
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
  for (const trace::CodeSite& site : code) judged_ = judged_ && !orders_otherwise(site.text);
}

RaceObserver::RaceObserver(const trace::Launch& launch, const std::vector<trace::CodeSite>& code,
                           std::vector<Area> areas, std::size_t budget_bytes, std::vector<std::uint32_t> without)
    : RaceObserver(launch, code, std::move(areas), budget_bytes) {
  without_ = std::move(without);
  with_.emplace(launch);
}

RaceObserver::RaceObserver(const trace::Launch& any, std::vector<Area> areas, std::size_t budget_bytes)
    : RaceObserver(any, {}, std::move(areas), budget_bytes) {
  in_parts_ = true;  // a grid may know of any of the threads of another
}

std::uint32_t RaceObserver::append_code(const std::vector<trace::CodeSite>& code) {
  const auto first = static_cast<std::uint32_t>(instructions_.size());
  const std::vector<Instruction> more = read_instructions(code);
  instructions_.insert(instructions_.end(), more.begin(), more.end());
  for (const trace::CodeSite& site : code) judged_ = judged_ && !orders_otherwise(site.text);
  return first;
}

std::size_t RaceObserver::launch_of(std::uint32_t block) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(first_blocks_, block) - first_blocks_.begin());
}

std::size_t RaceObserver::bytes() const { return records_.bytes() + rows_.bytes() + page_bytes_; }

void RaceObserver::on_step(const trace::Where& where) {
  if (!judged_ || where.pc >= instructions_.size()) return;
  const Instruction& i = instructions_[where.pc];
  if (i.fence != Scope::none) {
    order_.fence(where, i.fence);
    if (with_) with_->fence(where, i.fence);
  }
  if (i.of_warp) {
    order_.together(where);
    if (with_) with_->together(where);
  }
  if (i.copies != CopyGroup::none) groups(where, i);
  if (!i.exits || where.active == 0) return;
  if (with_) with_->exited(where);
  if (!order_.exited(where)) return;
  if (const auto at = shared_.find(where.block); at != shared_.end()) {
    if (!copies_.none()) copies_.forget_block(where.block);
    free_records(at->second);
    shared_.erase(at);
    last_shared_.second = nullptr;
  }
}

void RaceObserver::on_barrier(const trace::BarrierEvent& event) {
  if (!judged_ || event.where.pc >= instructions_.size()) return;
  if (with_) with_->came(event, instructions_[event.where.pc].counts);
  if (!without_.empty()) {
    const bool leaves_out = std::ranges::find(without_, event.where.pc) != without_.end();
    std::uint8_t& came = came_[std::uint64_t{event.where.block} << 4 | static_cast<std::uint64_t>(event.barrier & 15)];
    came = static_cast<std::uint8_t>(came | (leaves_out ? 1 : 2));
    mixed_ = mixed_ || came == 3;
    if (leaves_out) return;
  }
  order_.came(event, instructions_[event.where.pc].counts);
}
void RaceObserver::on_release(const trace::ReleaseEvent& event) {
  if (!judged_) return;
  if (with_) with_->released(event);
  if (!without_.empty()) {
    const auto came = came_.find(std::uint64_t{event.block} << 4 | static_cast<std::uint64_t>(event.barrier & 15));
    const bool leaves_out = came != came_.end() && came->second == 1;
    if (came != came_.end()) came_.erase(came);
    if (leaves_out) {
      ++left_out_;
      return;
    }
  }
  order_.released(event);
}
void RaceObserver::on_warp_sync(const trace::WarpSyncEvent& event) {
  if (!judged_) return;
  if (with_) with_->met(event.where);
  if (!without_.empty() && std::ranges::find(without_, event.where.pc) != without_.end()) {
    ++left_out_;
    mixed_ = mixed_ || !event.one_place;
    return;
  }
  order_.met(event.where);
}

void RaceObserver::launch_ended() {
  records_ = {};
  rows_ = {};
  spare_ = spare_row_ = 0;
  pages_.clear();
  pages_.resize(areas_.size());
  page_bytes_ = 0;
  last_page_ = {~std::uint64_t{0}, nullptr};
  shared_.clear();
  last_shared_.second = nullptr;
  copies_ = Copies();
}

bool RaceObserver::loses_updates(int buffer) const {
  return std::ranges::any_of(races_, [&](const Race& r) { return r.updates && !r.shared && r.buffer == buffer; });
}

void RaceObserver::free_records(std::vector<std::uint32_t>& cells) {
  for (const std::uint32_t first : cells) {
    if (first == 0) continue;
    if ((first & row_bit) != 0) {
      leave_row(first & ~row_bit);
      continue;
    }
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
  std::uint32_t* const at = plain_cell(now);
  if (at != nullptr && (*at & row_bit) != 0) take_apart(*at, now.byte / 4);
  return at;
}

std::uint32_t RaceObserver::new_row(const Row& row) {
  std::uint32_t number = spare_row_;
  if (number != 0) {
    spare_row_ = rows_[number].common.next;
  } else {
    if (bytes() >= budget_) return 0;
    number = rows_.append();
  }
  rows_[number] = row;
  return number;
}

void RaceObserver::free_row(std::uint32_t number) {
  rows_[number].common.next = spare_row_;
  spare_row_ = number;
}

void RaceObserver::leave_row(std::uint32_t number) {
  if (--rows_[number].words > 0) return;
  while (number != 0) {
    const std::uint32_t next = rows_[number].common.next;
    free_row(number);
    number = next;
  }
}

void RaceObserver::take_apart(std::uint32_t& cell, std::uint64_t word) {
  const std::uint32_t first = cell & ~row_bit;
  cell = 0;
  std::uint32_t* link = &cell;
  for (std::uint32_t i = first; i != 0; i = rows_[i].common.next) {
    const Row& row = rows_[i];
    const auto lane = static_cast<std::size_t>(word - row.first_word);
    Record record = row.common;
    record.lanes = 1u << lane;
    record.value = row.values[lane];
    append(*link, record);
    if (*link == 0) break;  // beyond the budget, which is counted
    link = &records_[*link].next;
  }
  leave_row(first);
}

/// Whether `kept` happened before `now` at every word. `open`: it did not, or that is not seen here, and there may be
/// something to tell or to keep apart.
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
  Now now{.record = {.step = event.where.step,
                     .pc = event.where.pc,
                     .block = event.where.block,
                     .warp = static_cast<std::uint8_t>(event.where.warp),
                     .bytes = 15,
                     .touch = how.touch,
                     .scope = how.scope},
          .block = &block,
          .shared = shared};
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
  if (head != 0 && ((head & row_bit) == 0 || rows_[head & ~row_bit].words != static_cast<std::uint32_t>(lanes)))
    return false;
  std::uint32_t others = 0;
  for (const std::size_t l : set_bits(active)) others |= cells[l - first] ^ head;
  if (others != 0) return false;

  Row row;
  row.common = now.record;
  row.first_word = now.byte / 4 - first;
  row.words = static_cast<std::uint32_t>(lanes);
  bool open = false;
  for (std::uint32_t i = head & ~row_bit; i != 0; i = rows_[i].common.next)
    if (rows_[i].common.step == row.common.step || (!row_in_order(rows_[i], row, block, open) && open)) return false;
  // What happened before an access of the same kind goes, as in word().
  std::uint32_t top = head & ~row_bit;
  for (std::uint32_t* link = &top; *link != 0;) {
    const std::uint32_t at = *link;
    Record& kept = rows_[at].common;
    if (row_in_order(rows_[at], row, block, open) && covers(how.touch, how.scope, kept.touch, kept.scope, true, true)) {
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
  if (top != 0) rows_[top].words = static_cast<std::uint32_t>(lanes);
  for (const std::size_t l : set_bits(active)) cells[l - first] = top == 0 ? 0 : top | row_bit;
  return true;
}

/// has_enough() of the words of a row, which have been read only since they were written.
bool RaceObserver::rows_have_enough(std::uint32_t first, const Row& now) {
  const Record& r = now.common;
  std::size_t rows = 0;
  std::int64_t block = -1;
  int warp = -1;
  for (std::uint32_t i = first; i != 0; i = rows_[i].common.next) {
    const Record& k = rows_[i].common;
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

std::uint32_t* RaceObserver::plain_cell(const Now& now) {
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
  if (kept.block == r.block && !order_.is_agent(kept.warp)) {
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

/// Some pair of their lanes is in order only with the barriers that are left out.
bool RaceObserver::loses_order(const Record& kept, const Now& now) {
  if (now.block == nullptr) return false;  // lanes of one instruction
  const Record& r = now.record;
  const Order::Block& other = with_->block(r.block);
  for (const std::size_t l : set_bits(kept.lanes))
    for (const std::size_t m : set_bits(r.lanes)) {
      if (kept.block == r.block && kept.warp == r.warp && l == m) continue;
      if (!order_.before(kept.block, kept.warp, l, kept.step, *now.block, r.warp, m) &&
          with_->before(kept.block, kept.warp, l, kept.step, other, r.warp, m))
        return true;
    }
  return false;
}

std::uint32_t RaceObserver::known_lanes(const Record& kept, const Now& now) const {
  const Record& r = now.record;
  const bool same_block = kept.block == r.block, same_warp = same_block && kept.warp == r.warp;
  std::uint32_t known = same_warp ? kept.lanes & r.lanes : 0;
  if (same_block && !order_.is_agent(kept.warp) &&
      (kept.step < now.block->floor || (same_warp && kept.step < now.block->warps[r.warp].floor)))
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
  const bool same_grid = same_block || launch_of(kept.block) == launch_of(r.block);
  const bool of_agent = order_.is_agent(kept.warp);  // its value is the lane that has issued it
  bool scope = false;
  const bool objects = instructions_[kept.pc].object && instructions_[r.pc].object;  // they order threads themselves
  const bool strong_pair = with_ && !objects && (writes(kept.touch) || writes(r.touch));
  if (strong_pair && loses_order(kept, now)) ++lost_;
  if (!conflict(kept.touch, kept.scope, r.touch, r.scope, same_block, same_warp, scope)) return;
  Race race{.first = {kept.block, of_agent ? kept.value / 32 : kept.warp,
                      of_agent ? kept.value % 32 : static_cast<std::uint32_t>(kept_lane),
                      static_cast<std::uint32_t>(kept.pc), kept.step, kept.touch, of_agent ? 0 : kept.value},
            .second = {r.block, r.warp, static_cast<std::uint32_t>(now_lane), static_cast<std::uint32_t>(r.pc), r.step,
                       r.touch, r.value},
            .missing = of_agent              ? Missing::completion
                       : scope               ? Missing::scope
                       : !same_grid          ? Missing::grid
                       : !same_block         ? Missing::order
                       : !same_warp          ? Missing::barrier
                       : kept.step == r.step ? Missing::one_writer
                                             : Missing::warp_sync,
            .same_value = same_value && !of_agent,
            .updates = !reads.empty() && writes(kept.touch),
            .shared = now.shared,
            .buffer = now.shared ? -1 : now.buffer,
            .byte = (now.byte & ~std::uint64_t{3}) +
                    static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(kept.bytes & r.bytes))),
            .bytes = static_cast<std::uint8_t>(kept.bytes & r.bytes)};
  met(race);
  const auto [low, high] = std::minmax({static_cast<std::uint32_t>(kept.pc), static_cast<std::uint32_t>(r.pc)});
  const auto [at, fresh] = race_of_.try_emplace(
      {low, high, race.missing, same_value, (now.shared ? 1 : 0) + (same_grid ? 0 : 2)}, races_.size());
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
  if (now.shared) return std::uint64_t{1} << 63 | std::uint64_t{now.record.block} << 30 | now.byte / 4;
  return static_cast<std::uint64_t>(now.buffer) << 44 | now.byte / 4;
}

void RaceObserver::meet_copies(const Now& now) {
  const std::vector<Copy>* const under_way = copies_.at(key_of(now));
  if (under_way == nullptr) return;
  for (const Copy& c : *under_way) {
    if ((c.bytes & now.record.bytes) == 0 || (!writes(c.touch) && !writes(now.record.touch))) continue;
    Race race{
        .first = {c.block, c.warp, c.lane, c.pc, c.step, c.touch, 0},
        .second = {now.record.block, now.record.warp, static_cast<std::uint32_t>(first_bit(now.record.lanes)),
                   static_cast<std::uint32_t>(now.record.pc), now.record.step, now.record.touch, now.record.value},
        .missing = Missing::completion,
        .shared = now.shared,
        .buffer = now.shared ? -1 : now.buffer,
        .byte = (now.byte & ~std::uint64_t{3}) +
                static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(c.bytes & now.record.bytes))),
        .bytes = static_cast<std::uint8_t>(c.bytes & now.record.bytes)};
    met(race);
    const auto [low, high] = std::minmax({c.pc, static_cast<std::uint32_t>(now.record.pc)});
    const auto [at, fresh] = race_of_.try_emplace({low, high, race.missing, false, now.shared ? 1 : 0}, races_.size());
    if (fresh) {
      race.first_epoch = epoch_of(c.block, c.step);
      race.second_epoch = epoch_of(now.record.block, now.record.step);
      races_.push_back(race);
    }
    ++races_[at->second].times;
  }
}

void RaceObserver::settle(const Copy& c, std::uint32_t warp, std::uint32_t lane, std::uint64_t step) {
  Now now{.record = {.step = step,
                     .pc = c.pc,
                     .block = c.block,
                     .lanes = 1u << lane,
                     .value = order_.is_agent(warp) ? c.warp * 32 + c.lane : c.value,
                     .warp = static_cast<std::uint8_t>(warp),
                     .bytes = c.bytes,
                     .touch = c.touch},
          .block = &order_.block(c.block),
          .shared = (c.word >> 63) != 0};
  constexpr std::uint64_t word_mask = (std::uint64_t{1} << 30) - 1, global_mask = (std::uint64_t{1} << 44) - 1;
  now.byte = (c.word & (now.shared ? word_mask : global_mask)) * 4;
  if (!now.shared) now.buffer = static_cast<int>(c.word >> 44);
  std::uint32_t* const head = cell(now);
  if (head == nullptr) return;
  // The record that was made when it was issued goes: the copy may have happened at any time since. Whoever met it is told.
  std::size_t records = 0;
  bool merged = false;
  for (std::uint32_t* link = head; *link != 0;) {
    Record& kept = records_[*link];
    ++records;
    const bool same = kept.pc == c.pc && kept.block == c.block && kept.touch == c.touch && kept.bytes == c.bytes;
    if (same && kept.step == c.step && kept.warp == c.warp) kept.lanes &= ~(1u << c.lane);
    if (same && kept.step == step && kept.warp == now.record.warp &&
        (kept.value == now.record.value || !order_.is_agent(warp)))
      kept.lanes |= now.record.lanes, merged = true;
    if (kept.lanes == 0) {
      const std::uint32_t gone = *link;
      *link = kept.next;
      kept.next = spare_;
      spare_ = gone;
      continue;
    }
    link = &kept.next;
  }
  if (merged) return;
  if (records >= most_records)
    ++dropped_;
  else
    append(*head, now.record);
}

void RaceObserver::groups(const trace::Where& where, const Instruction& how) {
  if (how.copies == CopyGroup::matrix_commit || how.copies == CopyGroup::matrix_wait) {
    const std::uint64_t warp = order_.thread(where.block, where.warp, 0);
    if (how.copies == CopyGroup::matrix_commit) return copies_.commit(warp, Copies::By::matrix_group);
    for (const Copy& c : copies_.wait(warp, Copies::By::matrix_group, how.kept_groups, false, false))
      settle(c, where.warp, 0, where.step);
    return;
  }
  for (const std::size_t lane : set_bits(where.active)) {
    const std::uint64_t thread = order_.thread(where.block, where.warp, lane);
    if (how.copies == CopyGroup::commit || how.copies == CopyGroup::bulk_commit) {
      copies_.commit(thread, how.copies == CopyGroup::commit ? Copies::By::group : Copies::By::bulk_group);
      continue;
    }
    const bool all = how.copies == CopyGroup::wait_all;
    const Copies::By by = all || how.copies == CopyGroup::wait ? Copies::By::group : Copies::By::bulk_group;
    for (const Copy& c :
         copies_.wait(thread, by, all ? 0 : how.kept_groups, all, how.copies == CopyGroup::bulk_wait_read)) {
      if (c.object == Copy::none) {
        settle(c, where.warp, static_cast<std::uint32_t>(lane), where.step);
        continue;
      }
      // Others will see it complete by the object.
      Order::Block& block = order_.block(where.block);
      const std::size_t agent_lane = order_.agent_lane(block, c.object & 0xffffffffu);
      settle(c, order_.agent(), static_cast<std::uint32_t>(agent_lane), where.step);
      order_.know_agent(block, where, lane, agent_lane);
      if (with_) {
        Order::Block& other = with_->block(where.block);
        with_->know_agent(other, where, lane, with_->agent_lane(other, c.object & 0xffffffffu));
      }
    }
  }
}

void RaceObserver::on_barrier_object(const trace::BarrierObjectEvent& event) {
  using Kind = trace::BarrierObjectEvent::Kind;
  if (!judged_ || event.where.active == 0 || trace::is_reserved_shared(event.address)) return;
  Order::Block& block = order_.block(event.where.block);
  const std::size_t lane = first_bit(event.where.active);
  const std::uint64_t object = std::uint64_t{event.where.block} << 32 | event.address;
  const bool plain = event.kind == Kind::init || event.kind == Kind::inval;
  Order::Block* const other = with_ ? &with_->block(event.where.block) : nullptr;
  if (event.passes) order_.see_phase(block, event.where, lane, event.address);
  if (event.passes && other != nullptr) with_->see_phase(*other, event.where, lane, event.address);
  for (std::uint64_t offset = 0; offset < 8; offset += 4) {
    Now now{.record = {.step = event.where.step,
                       .pc = event.where.pc,
                       .block = event.where.block,
                       .lanes = event.where.active,
                       .warp = static_cast<std::uint8_t>(event.where.warp),
                       .bytes = 15,
                       .touch = plain                      ? Touch::write
                                : event.kind == Kind::test ? Touch::strong_read
                                                           : Touch::strong_write},
            .block = &block,
            .shared = true,
            .byte = event.address + offset};
    word(now);
  }
  if (event.copies)
    for (const Copies::Done& d : copies_.attach(order_.thread(event.where.block, event.where.warp, lane), object)) {
      order_.arrive_knowing(block, event.address, {d.agent, d.agent + 1, d.before});
      if (other != nullptr) with_->arrive_knowing(*other, event.address, {d.agent, d.agent + 1, d.before});
    }
  if (event.kind == Kind::arrive || event.copies) {
    order_.arrive(block, event.where, lane, event.address);
    if (other != nullptr) with_->arrive(*other, event.where, lane, event.address);
  }
  if (!event.completes) return;
  const auto agent_lane = static_cast<std::uint32_t>(order_.phase_over(block, event.address, event.where.step));
  if (other != nullptr) with_->phase_over(*other, event.address, event.where.step);
  const Copies::Done done{order_.thread(event.where.block, order_.agent(), agent_lane), event.where.step + 1};
  for (const Copy& c : copies_.phase_over(object, done)) settle(c, order_.agent(), agent_lane, event.where.step);
}

void RaceObserver::bulk_range(const trace::BulkCopyEvent& event, const trace::BulkCopyEvent::Range& range,
                              Touch touch) {
  const bool shared = range.space == trace::MemorySpace::shared;
  const std::size_t lane = first_bit(event.where.active);
  Now now{.record = {.step = event.where.step,
                     .pc = event.where.pc,
                     .block = event.where.block,
                     .lanes = event.where.active,
                     .warp = static_cast<std::uint8_t>(event.where.warp),
                     .bytes = 15,
                     .touch = touch},
          .block = &order_.block(event.where.block),
          .shared = shared};
  for (std::uint64_t offset = 0; offset < event.bytes; offset += 4) {
    if (!locate(range.address + offset, shared, now)) continue;
    meet_copies(now);
    word(now);
    const Copy copy{.word = key_of(now),
                    .step = event.where.step,
                    .thread = order_.thread(event.where.block, event.where.warp, lane),
                    .block = event.where.block,
                    .warp = event.where.warp,
                    .lane = static_cast<std::uint32_t>(lane),
                    .pc = event.where.pc,
                    .touch = touch,
                    .bytes = 15};
    if (event.has_object)
      copies_.add_to_object(copy, std::uint64_t{event.where.block} << 32 | event.object);
    else
      copies_.add(copy, Copies::By::bulk_group);
  }
}

void RaceObserver::on_matrix_read(const trace::MatrixReadEvent& event) {
  if (!judged_ || event.where.pc >= instructions_.size()) return;
  Now now{.record = {.step = event.where.step,
                     .pc = event.where.pc,
                     .block = event.where.block,
                     .lanes = 1,
                     .warp = static_cast<std::uint8_t>(event.where.warp),
                     .bytes = 15,
                     .touch = Touch::read},
          .block = &order_.block(event.where.block),
          .shared = true};
  for (const std::uint64_t address : event.words) {
    if (!locate(address, true, now)) continue;
    if (!copies_.none()) meet_copies(now);
    word(now);
    copies_.add({.word = key_of(now),
                 .step = event.where.step,
                 .thread = order_.thread(event.where.block, event.where.warp, 0),
                 .block = event.where.block,
                 .warp = event.where.warp,
                 .pc = event.where.pc,
                 .touch = Touch::read,
                 .bytes = 15},
                Copies::By::matrix_group);
  }
}

void RaceObserver::on_bulk_copy(const trace::BulkCopyEvent& event) {
  if (!judged_ || event.where.pc >= instructions_.size()) return;
  if (event.reads) bulk_range(event, event.from, Touch::read);
  bulk_range(event, event.to, event.reduces ? Touch::strong_write : Touch::write);
  // What came before the instruction came before the copy, and so before whoever sees it complete.
  if (event.has_object)
    for (Order* o : {&order_, with_ ? &*with_ : nullptr})
      if (o != nullptr)
        o->arrive(o->block(event.where.block), event.where, first_bit(event.where.active), event.object);
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
        const auto stores = [&](const Record& x) {
          return writes(x.touch) && (is_plain(x.touch) || is_volatile(x.touch)) && !instructions_[x.pc].asynchronous;
        };
        const bool both = stores(kept) && stores(r);
        meet(kept, now, kept_lane, now_lane, both && ((kept.value ^ r.value) & mask) == 0, reads_);
      }
      const bool same_block = kept.block == r.block, same_warp = same_block && kept.warp == r.warp;
      // Whoever loses its order with the one need not lose it with the other, if both may meet without one.
      const bool both_strong = with_ && is_strong(r.touch) && is_strong(kept.touch);
      if (!both_strong && covers(r.touch, r.scope, kept.touch, kept.scope, same_block, same_warp)) {
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
  if (!merged && !has_enough(*head, now)) append(*head, r);
}

void RaceObserver::append(std::uint32_t& head, const Record& record) {
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
  records_[fresh] = record;
  records_[fresh].next = head;
  head = fresh;
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
    // Copies happen later, in any order: what each of them writes is not compared.
    std::uint32_t differing =
        event.kind == trace::AccessKind::async_copy ? 1 : event.overwritten >> lanes[i].second & 1;
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
  if (by_row(event, how, block)) return;
  if (event.kind == trace::AccessKind::store || (event.kind == trace::AccessKind::async_copy && shared))
    lanes_of_one_store(event, how);
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
      const bool watched = locate(address + offset, shared, now);
      // Atomics order threads wherever they are, in the workspace of grid.sync() as well.
      if (!watched && (shared || !is_strong(how.touch))) continue;
      if (is_strong(how.touch) && offset == 0)
        for (const std::size_t l : set_bits(lanes)) {
          const std::uint64_t place = shared ? std::uint64_t{event.where.block} << 32 | now.byte : address;
          const std::uint64_t key = shared ? place | std::uint64_t{1} << 63 : place;
          for (Order* o : {&order_, with_ ? &*with_ : nullptr}) {
            if (o == nullptr) continue;
            Order::Block& of = o == &order_ ? block : o->block(event.where.block);
            if (!writes(how.touch) || how.updates) o->acquire(of, event.where, l, key, how);
            if (writes(how.touch)) o->release(of, event.where, l, key, how);
          }
        }
      else if (how.touch == Touch::write && in_parts_) {
        const std::uint64_t key =
            shared ? std::uint64_t{1} << 63 | std::uint64_t{event.where.block} << 32 | now.byte : address;
        order_.forget(key);
        if (with_) with_->forget(key);
      }
      if (!watched) continue;
      const std::uint64_t bytes = std::min<std::uint64_t>(4, width - offset);
      // What another lane of the instruction overwrote is told already, and is not what memory holds.
      now.record.lanes = how.touch == Touch::strong_write ? lanes : lanes & ~event.overwritten;
      if (now.record.lanes == 0) continue;
      now.record.value = lane + values < event.values.size() ? event.values[values + lane] : 0;
      const auto begin = static_cast<unsigned>(now.byte % 4);
      now.record.value <<= 8 * begin;
      now.record.bytes = static_cast<std::uint8_t>(((1u << bytes) - 1) << begin);
      now.byte &= ~std::uint64_t{3};
      if (!copies_.none()) meet_copies(now);
      word(now);
      if (event.kind != trace::AccessKind::async_copy) continue;
      for (const std::size_t l : set_bits(lanes))
        copies_.add({.word = key_of(now),
                     .step = event.where.step,
                     .thread = order_.thread(event.where.block, event.where.warp, l),
                     .block = event.where.block,
                     .warp = event.where.warp,
                     .lane = static_cast<std::uint32_t>(l),
                     .pc = event.where.pc,
                     .value = now.record.value,
                     .touch = how.touch,
                     .bytes = now.record.bytes},
                    Copies::By::group);
    }
  }
}

}  // namespace lanescope::races
