#include "profiling/uninitialised/reads.h"

#include <algorithm>

#include "kernels/base/set_bits.h"
#include "kernels/trace/event_log.h"
#include "kernels/trace/reserved_shared.h"

namespace lanescope::uninitialised {

using trace::AccessKind;
using trace::BitKind;
using trace::MemorySpace;

namespace {
constexpr std::uint64_t whole_word = std::uint64_t{1} << 63;  ///< in a key of writers_
}

Reads::Reads(trace::TagPool& tags, const std::vector<Area>& areas) : tags_(tags), areas_(areas) {}

int Reads::buffer_of(std::uint64_t address) const {
  for (std::size_t i = 0; i < areas_.size(); ++i)
    if (address - areas_[i].address < areas_[i].bytes) return static_cast<int>(i);
  return -1;
}

/// The number of a byte while it is unwritten.
std::uint64_t Reads::source_of(MemorySpace space, int buffer, std::uint64_t byte, std::size_t lane) const {
  const auto& ranges = tags_.space.buffers;
  if (space == MemorySpace::global)
    return std::uint64_t{ranges[static_cast<std::size_t>(buffer)].first_word} * 4 + byte;
  if (space == MemorySpace::shared) return std::uint64_t{ranges[areas_.size()].first_word} * 4 + byte;
  const auto& local = ranges[areas_.size() + 1];
  return std::uint64_t{local.first_word} * 4 + lane * (std::uint64_t{local.words} * 4 / 32) + byte;
}

std::uint64_t Reads::place(MemorySpace space, int buffer, std::uint64_t byte, const trace::Where& where,
                           std::size_t lane) const {
  const std::uint64_t block = space == MemorySpace::global ? 0 : std::uint64_t{where.block} + 1;
  const std::uint64_t warp = space == MemorySpace::local ? std::uint64_t{where.warp} + 1 : 0;
  return warp << 58 ^ block << 34 ^ source_of(space, buffer, byte, lane);
}

/// Stores the loads of bytes that no store has written.
void Reads::load(const trace::AccessEvent& event) {
  const std::size_t words = (static_cast<std::size_t>(event.width_bytes) + 3) / 4;
  for (std::size_t w = 0; w < words; ++w)
    for (const std::size_t lane : set_bits(event.where.active)) {
      const trace::WordTag tag = event.tags[w * 32 + lane];
      if (tag == trace::no_data) continue;
      const std::uint64_t address = event.addresses[lane] + w * 4;
      Load at{.where = event.where,
              .lane = static_cast<int>(lane),
              .space = event.space,
              .byte = address,
              .brought = event.where.step};
      if (event.space == MemorySpace::global) {
        at.buffer = buffer_of(address);
        if (at.buffer < 0) continue;
        at.byte = address - areas_[static_cast<std::size_t>(at.buffer)].address;
      }
      const trace::WordBits bits = tags_.bits(tag);
      const std::size_t first = static_cast<std::size_t>(std::countr_zero(tags_.data_mask(tag)));
      at.byte += first / 8;
      const std::uint64_t own = source_of(at.space, at.buffer, at.byte, lane);
      Load& last = last_by_lane_[std::uint64_t{event.where.block} << 32 | event.where.warp][lane];
      if (bits[first].kind() != BitKind::source || bits[first].payload() / 8 != own) {  // a store put it there
        const auto known = carried_.find(place(at.space, at.buffer, at.byte, event.where, lane) / 4);
        at.carried = true;
        last = known != carried_.end() ? known->second : at;
        last.brought = event.where.step;
        continue;
      }
      last = at;
      if (origins_.size() >= most_origins) continue;
      const std::uint64_t block = event.space == MemorySpace::global ? 0 : std::uint64_t{event.where.block} + 1;
      origins_[block << 32 | own / 4] = at;
    }
}

const Reads::Load* Reads::last_of(const LastByLane& all, const trace::Where& where, std::size_t lane) {
  const auto at = all.find(std::uint64_t{where.block} << 32 | where.warp);
  if (at == all.end()) return nullptr;
  if (at->second[lane].where.active != 0) return &at->second[lane];
  // A shuffle, or a vote, brought it from another lane.
  const Load* last = nullptr;
  for (const Load& l : at->second)
    if (l.where.active != 0 && (last == nullptr || l.brought > last->brought)) last = &l;
  return last;
}

const Reads::Load* Reads::last_load(const trace::Where& where, std::size_t lane) const {
  return last_of(last_by_lane_, where, lane);
}

void Reads::add_origins(trace::WordTag word, const trace::Where& where, std::size_t lane,
                        std::vector<const Load*>& out) const {
  const std::size_t before = out.size();
  const auto add = [&](const Load* load) {
    const auto same = [&](const Load* l) { return l->where.pc == load->where.pc; };
    if (load != nullptr && out.size() < most_reported && std::ranges::none_of(out, same)) out.push_back(load);
  };
  const auto add_source = [&](std::uint64_t source_word) {
    for (const std::uint64_t block : {std::uint64_t{where.block} + 1, std::uint64_t{0}})
      if (const auto at = origins_.find(block << 32 | source_word); at != origins_.end()) return add(&at->second);
  };
  const auto& ranges = tags_.space.buffers;
  trace::BitTag last{};
  for (const trace::BitTag bit : tags_.bits(word)) {
    if (bit == last) continue;
    last = bit;
    if (bit.kind() == BitKind::source) add_source(bit.payload() / 32);
    if (bit.kind() == BitKind::parity)
      for (const std::uint64_t source : tags_.set(static_cast<std::uint32_t>(bit.payload()))) add_source(source / 32);
    if (bit.kind() != BitKind::computed) continue;
    for (const std::uint64_t packed : tags_.set(static_cast<std::uint32_t>(bit.payload()))) {
      const std::size_t range = packed >> 40;
      const std::uint64_t byte = packed & ((std::uint64_t{1} << 40) - 1);
      if (range == areas_.size() + 3)
        add(last_of(shuffles_, where, lane));
      else if (range < areas_.size() + 2)  // else what was chosen between
        add_source(ranges[range].first_word + byte / 4);
    }
  }
  if (out.size() == before) add(last_load(where, lane));
}

void Reads::used(const Load& load, Use use, const trace::Where& user, std::size_t lane, int to_buffer,
                 std::uint64_t to_byte) {
  const auto [at, fresh] = known_.try_emplace({load.where.pc, user.pc, use}, reads_.size());
  if (fresh) {
    Read& r = reads_.emplace_back(Read{.load = load.where,
                                       .lane = load.lane,
                                       .space = load.space,
                                       .buffer = load.buffer,
                                       .byte = load.byte,
                                       .from_lane = load.from_lane,
                                       .carried = load.carried,
                                       .use = use,
                                       .user = user,
                                       .user_lane = static_cast<int>(lane),
                                       .to_buffer = to_buffer,
                                       .to_byte = to_byte});
    complete(r);
  }
  ++reads_[at->second].times;
}

/// The later writer of the byte, or the closest store to the same memory; note_writer() keeps it up to date.
void Reads::complete(Read& read) const {
  if (read.from_lane >= 0) return;
  const std::uint64_t at = place(read.space, read.buffer, read.byte, read.load, static_cast<std::size_t>(read.lane));
  for (const std::uint64_t key : {whole_word | at / 4, at})
    if (const auto writer = writers_.find(key); !read.writer && writer != writers_.end()) {
      read.writer = writer->second.where;
      read.writer_lane = writer->second.lane;
    }
  const auto distance = [&](const Extent& e) {
    return read.byte < e.first ? e.first - read.byte : read.byte > e.last ? read.byte - e.last : 0;
  };
  std::uint64_t best = ~std::uint64_t{0};
  for (const auto& [key, e] : extents_) {
    const auto& [space, buffer, pc] = key;
    if (space != static_cast<int>(read.space) || buffer != read.buffer || distance(e) >= best) continue;
    best = distance(e);
    read.near = {pc, e.first, e.last};
  }
}

void Reads::note_writer(const trace::AccessEvent& event) {
  if (event.space != MemorySpace::global && event.space != MemorySpace::shared && event.space != MemorySpace::local)
    return;
  const auto width = static_cast<std::uint64_t>(event.width_bytes);
  const bool global = event.space == MemorySpace::global;
  const int buffer = global ? buffer_of(event.addresses[static_cast<std::size_t>(first_bit(event.where.active))]) : -1;
  if (global && buffer < 0) return;
  const Area area = global ? areas_[static_cast<std::size_t>(buffer)] : Area{0, trace::first_reserved_shared};
  Extent& e = extents_[{static_cast<int>(event.space), buffer, event.where.pc}];
  const Extent before = e;
  for (const std::size_t lane : set_bits(event.where.active)) {
    const std::uint64_t at = event.addresses[lane] - area.address;
    if (at >= area.bytes) continue;
    e.first = std::min(e.first, at), e.last = std::max(e.last, at + width - 1);
    const std::uint64_t key = place(event.space, buffer, at, event.where, lane);
    for (std::uint64_t byte = 0; byte < width && writers_.size() < most_origins; byte += width < 4 ? 1 : 4)
      writers_.insert_or_assign(width < 4 ? key + byte : whole_word | (key + byte) / 4,
                                Writer{event.where, static_cast<int>(lane)});
    for (Read& r : reads_) {
      if (r.from_lane >= 0 || r.writer || r.space != event.space || r.buffer != buffer || r.byte - at >= width)
        continue;
      if (!global && r.load.block != event.where.block) continue;
      if (r.space == MemorySpace::local && (r.load.warp != event.where.warp || r.lane != static_cast<int>(lane)))
        continue;
      r.writer = event.where;
      r.writer_lane = static_cast<int>(lane);
    }
  }
  if (before.first == e.first && before.last == e.last) return;
  for (Read& r : reads_) complete(r);
}

void Reads::store_lane(const trace::AccessEvent& event, std::size_t lane) {
  const std::size_t width = static_cast<std::size_t>(event.width_bytes), words = (width + 3) / 4;
  bool computed = false, moved = false, begins_defined = true;
  std::vector<trace::WordTag> undefined;
  for (std::size_t w = 0; w < words; ++w) {
    const trace::WordTag tag = event.tags[w * 32 + lane];
    const std::size_t bytes = std::min<std::size_t>(4, width - w * 4);
    const std::uint32_t wanted = bytes == 4 ? ~0u : (1u << 8 * bytes) - 1;
    const std::uint32_t data = tag == trace::no_data ? 0 : tags_.data_mask(tag) & wanted;
    if (w == 0) begins_defined = (data & 0xff) == 0;
    if (data == 0) continue;
    undefined.push_back(tag);
    if (trace::TagPool::is_source_word(tag)) continue;
    const trace::WordBits bits = tags_.bits(tag);
    for (const std::size_t b : set_bits(data)) {
      if (bits[b].kind() == BitKind::source) {
        moved = moved || bits[b].inverted() || bits[b].payload() % 32 != b;
        continue;
      }
      computed = true;
    }
  }
  if (undefined.empty()) return;
  if (!computed && !moved && begins_defined) return;  // bytes between the members of a structure
  std::vector<const Load*> origins;
  for (const trace::WordTag tag : undefined) add_origins(tag, event.where, lane, origins);
  const int buffer = buffer_of(event.addresses[lane]);
  const std::uint64_t byte = buffer < 0 ? 0 : event.addresses[lane] - areas_[static_cast<std::size_t>(buffer)].address;
  for (const Load* from : origins)
    used(*from, computed || moved ? Use::computed : Use::copied, event.where, lane, buffer, byte);
}

void Reads::note_carried(const trace::AccessEvent& event) {
  const bool global = event.space == MemorySpace::global;
  if (!global && event.space != MemorySpace::shared && event.space != MemorySpace::local) return;
  const std::size_t words = (static_cast<std::size_t>(event.width_bytes) + 3) / 4;
  for (const std::size_t lane : set_bits(event.where.active)) {
    const int buffer = global ? buffer_of(event.addresses[lane]) : -1;
    if (global && buffer < 0) continue;
    const std::uint64_t start = global ? areas_[static_cast<std::size_t>(buffer)].address : 0;
    if (!global && trace::is_reserved_shared(event.addresses[lane])) continue;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t key =
          place(event.space, buffer, event.addresses[lane] - start + 4 * w, event.where, lane) / 4;
      const trace::WordTag tag = event.tags[w * 32 + lane];
      std::vector<const Load*> from;
      if (tag != trace::no_data && tags_.data_mask(tag) != 0) add_origins(tag, event.where, lane, from);
      if (from.empty())
        carried_.erase(key);
      else if (carried_.size() < most_origins)
        carried_.insert_or_assign(key, *from.front());
    }
  }
}

void Reads::store(const trace::AccessEvent& event) {
  note_writer(event);
  note_carried(event);
  if (event.space != MemorySpace::global) return;
  for (const std::size_t lane : set_bits(event.where.active)) store_lane(event, lane);
}

void Reads::on_access(const trace::AccessEvent& event) {
  if (event.tags.empty()) return;
  const bool copies = event.kind == AccessKind::async_copy;
  if (event.kind == AccessKind::load || (copies && event.space == MemorySpace::global)) return load(event);
  // An atomic's tags are those of memory afterwards: there the old value has become part of the new one.
  if (event.kind == AccessKind::atomic || event.kind == AccessKind::reduction)
    for (const std::size_t lane : set_bits(event.where.active)) {
      const trace::WordTag tag = event.tags[lane];
      if (tag == trace::no_data) continue;
      Load at{.where = event.where,
              .lane = static_cast<int>(lane),
              .space = event.space,
              .byte = event.addresses[lane],
              .brought = event.where.step};
      if (event.space == MemorySpace::global) {
        at.buffer = buffer_of(at.byte);
        if (at.buffer < 0) continue;
        at.byte -= areas_[static_cast<std::size_t>(at.buffer)].address;
      }
      const std::uint64_t own = source_of(at.space, at.buffer, at.byte, lane);
      const std::uint64_t block = event.space == MemorySpace::global ? 0 : std::uint64_t{event.where.block} + 1;
      const auto elements = tags_.set(tags_.element_set(tag));
      const auto [range, byte] = tags_.space.element_of(own * 8);
      const std::uint64_t packed = static_cast<std::uint64_t>(range) << 40 | byte;
      if (std::ranges::find(elements, packed) == elements.end()) continue;
      last_by_lane_[std::uint64_t{event.where.block} << 32 | event.where.warp][lane] = at;
      if (origins_.size() < most_origins) origins_.try_emplace(block << 32 | own / 4, at);
    }
  store(event);
}

std::unique_ptr<trace::Observer> Reads::part() const {
  using Kind = trace::EventLog::Kind;
  return std::make_unique<trace::EventLog>(std::initializer_list{Kind::access, Kind::steer, Kind::shuffle});
}

bool Reads::can_take(const trace::Observer& part) const { return static_cast<const trace::EventLog&>(part).is_whole(); }

void Reads::take(trace::Observer& part, std::uint64_t first_step) {
  static_cast<const trace::EventLog&>(part).report(*this, first_step);
}

void Reads::on_shuffle(const trace::ShuffleEvent& event) {
  for (const std::size_t lane : set_bits(event.where.active)) {
    const int from = event.source_lane[lane];
    if ((event.where.active >> from & 1) != 0) continue;
    const Load taken{
        .where = event.where, .lane = static_cast<int>(lane), .from_lane = from, .brought = event.where.step};
    const std::uint64_t warp = std::uint64_t{event.where.block} << 32 | event.where.warp;
    last_by_lane_[warp][lane] = shuffles_[warp][lane] = taken;
  }
}

void Reads::on_steer(const trace::SteerEvent& event) {
  using What = trace::SteerEvent::What;
  const Use use = event.what == What::branch    ? Use::branch
                  : event.what == What::address ? Use::address
                  : event.what == What::lane    ? Use::lane
                                                : Use::vote;
  for (const std::size_t lane : set_bits(event.lanes))
    if (const Load* from = last_load(event.where, lane)) used(*from, use, event.where, lane, -1, 0);
}

}  // namespace lanescope::uninitialised
