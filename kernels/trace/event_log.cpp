#include "kernels/trace/event_log.h"

#include <array>

#include "kernels/base/set_bits.h"

namespace lanescope::trace {

namespace {

constexpr std::size_t address_words = std::size_t{2} * lanes_per_warp;

}  // namespace

EventLog::EventLog(std::initializer_list<Kind> kinds) : kinds_(0) {
  for (const Kind kind : kinds) kinds_ |= 1u << static_cast<unsigned>(kind);
}

EventLog::Entry* EventLog::append(Kind kind, const Where& where, std::size_t words) {
  if (!whole_ || (kinds_ >> static_cast<unsigned>(kind) & 1) == 0) return nullptr;
  if ((entries_.size() + 1) * sizeof(Entry) + (data_.size() + words) * sizeof(std::uint32_t) > most_bytes_) {
    whole_ = false;
    entries_ = {};
    data_ = {};
    return nullptr;
  }
  Entry& e = entries_.emplace_back();
  e.where = where;
  e.kind = kind;
  e.first = data_.size();
  return &e;
}

void EventLog::add_words(Entry& e, std::span<const std::uint32_t> values, std::span<const WordTag> tags) {
  e.words = static_cast<std::uint32_t>(values.size());
  e.tags = static_cast<std::uint32_t>(tags.size());
  data_.insert(data_.end(), values.begin(), values.end());
  data_.insert(data_.end(), tags.begin(), tags.end());
}

std::size_t EventLog::address_words_of(const Entry& e) {
  return e.kind == Kind::access && !e.in_a_row ? address_words : 0;
}

void EventLog::on_step(const Where& where) { append(Kind::step, where, 0); }

void EventLog::on_access(const AccessEvent& event) {
  bool in_a_row = true;
  for (std::size_t l = 0; l < event.addresses.size(); ++l)
    in_a_row = in_a_row && event.addresses[l] == event.addresses[0] + l * static_cast<std::uint64_t>(event.width_bytes);
  Entry* const e =
      append(Kind::access, event.where, (in_a_row ? 0 : address_words) + event.values.size() + event.tags.size());
  if (e == nullptr) return;
  e->access = event.kind;
  e->space = event.space;
  e->turns = event.turns;
  e->flag = event.read_only;
  e->in_a_row = in_a_row;
  e->number = event.width_bytes;
  e->matrix = event.matrix;
  e->overwritten = event.overwritten;
  e->deferred = event.deferred;
  e->base = event.addresses[0];
  if (!in_a_row)
    for (const std::uint64_t address : event.addresses) {
      data_.push_back(static_cast<std::uint32_t>(address));
      data_.push_back(static_cast<std::uint32_t>(address >> 32));
    }
  add_words(*e, event.values, event.tags);
}

void EventLog::on_barrier(const BarrierEvent& event) {
  Entry* const e = append(Kind::barrier, event.where, 0);
  if (e == nullptr) return;
  e->number = event.barrier;
  e->flag = event.waits;
}

void EventLog::on_release(const ReleaseEvent& event) {
  Entry* const e = append(Kind::release, {.step = event.step, .block = event.block}, event.waiting.size());
  if (e == nullptr) return;
  e->number = event.barrier;
  add_words(*e, event.waiting, {});
}

void EventLog::on_warp_sync(const WarpSyncEvent& event) {
  if (Entry* const e = append(Kind::warp_sync, event.where, 0); e != nullptr) e->flag = event.one_place;
}

void EventLog::on_probe(const ProbeEvent& event) {
  Entry* const e = append(Kind::probe, event.where, event.values.size() + event.tags.size());
  if (e == nullptr) return;
  e->number = event.probe;
  e->matrix = event.variable;
  e->base = static_cast<std::uint64_t>(event.byte_offset);
  add_words(*e, event.values, event.tags);
}

void EventLog::on_shuffle(const ShuffleEvent& event) {
  Entry* const e = append(Kind::shuffle, event.where, event.source_lane.size());
  if (e == nullptr) return;
  e->words = static_cast<std::uint32_t>(event.source_lane.size());
  for (const std::int8_t lane : event.source_lane) data_.push_back(static_cast<std::uint32_t>(lane));
}

void EventLog::on_steer(const SteerEvent& event) {
  Entry* const e = append(Kind::steer, event.where, 0);
  if (e == nullptr) return;
  e->number = static_cast<int>(event.what);
  e->overwritten = event.lanes;
}

void EventLog::on_block_end(std::uint32_t block, std::uint64_t steps) {
  if (Entry* const e = append(Kind::block_end, {.block = block}, 0); e != nullptr) e->base = steps;
}

void EventLog::settle(std::span<const std::uint64_t> values) {
  std::size_t next = 0;
  for (Entry& e : entries_) {
    if (e.deferred == 0) continue;
    std::uint32_t* const words = data_.data() + e.first + address_words_of(e);
    for (const std::size_t lane : set_bits(e.deferred)) {
      const std::uint64_t value = values[next++];
      words[lane] = static_cast<std::uint32_t>(value);
      if (e.number == 8) words[lanes_per_warp + lane] = static_cast<std::uint32_t>(value >> 32);
    }
    e.deferred = 0;
  }
}

void EventLog::renumber(const TagPool::Renumbered& numbers) {
  if (!numbers.any()) return;
  for (const Entry& e : entries_) {
    const std::span tags(data_.data() + e.first + address_words_of(e) + e.words, e.tags);
    for (WordTag& tag : tags) tag = numbers[tag];
  }
}

void EventLog::report(Observer& to, std::uint64_t first_step) const {
  std::array<std::uint64_t, lanes_per_warp> addresses{};
  std::array<std::int8_t, lanes_per_warp> from{};
  for (const Entry& e : entries_) {
    Where where = e.where;
    where.step += first_step;
    const std::uint32_t* const data = data_.data() + e.first;
    const std::span values(data + address_words_of(e), e.words), tags(values.data() + e.words, e.tags);
    switch (e.kind) {
      case Kind::step:
        to.on_step(where);
        break;
      case Kind::barrier:
        to.on_barrier({where, e.number, e.flag});
        break;
      case Kind::warp_sync:
        to.on_warp_sync({where, e.flag});
        break;
      case Kind::release:
        to.on_release({where.block, e.number, where.step, values});
        break;
      case Kind::probe:
        to.on_probe({where, e.number, e.matrix, static_cast<int>(e.base), values, tags});
        break;
      case Kind::shuffle:
        for (std::size_t l = 0; l < values.size(); ++l) from[l] = static_cast<std::int8_t>(values[l]);
        to.on_shuffle({where, {from.data(), values.size()}});
        break;
      case Kind::steer:
        to.on_steer({where, static_cast<SteerEvent::What>(e.number), e.overwritten});
        break;
      case Kind::block_end:
        to.on_block_end(where.block, e.base);
        break;
      case Kind::access: {
        for (std::size_t l = 0; l < addresses.size(); ++l)
          addresses[l] = e.in_a_row ? e.base + l * static_cast<std::uint64_t>(e.number)
                                    : data[2 * l] | std::uint64_t{data[2 * l + 1]} << 32;
        AccessEvent event{.where = where,
                          .space = e.space,
                          .kind = e.access,
                          .width_bytes = e.number,
                          .read_only = e.flag,
                          .addresses = addresses,
                          .values = values,
                          .tags = tags,
                          .matrix = e.matrix,
                          .overwritten = e.overwritten,
                          .turns = e.turns};
        to.on_access(event);
        break;
      }
    }
  }
}

}  // namespace lanescope::trace
