#include "app/engine/values/journeys.h"

#include <algorithm>
#include <utility>

#include "app/engine/values/journey_ways.h"
#include "kernels/base/set_bits.h"
#include "kernels/trace/reserved_shared.h"

namespace lanescope::engine {
namespace {

using results::Hop;
using results::Journey;
using results::JourneyPlace;
using results::Station;
using trace::AccessKind;
using trace::AccessRecord;
using trace::MemorySpace;

bool reads(const AccessRecord& r) {
  return r.kind == AccessKind::load || (r.kind == AccessKind::async_copy && r.space != MemorySpace::shared);
}

bool is_atomic(const AccessRecord& r) { return r.kind == AccessKind::atomic || r.kind == AccessKind::reduction; }

class Walker {
 public:
  Walker(Origins& origins, const JourneyQuestion& question)
      : origins_(origins),
        trace_(origins.trace()),
        question_(question),
        holds_(trace_.tags, question.elements),
        out_(question.elements.size()),
        ways_(origins, holds_, out_),
        end_(std::chrono::steady_clock::now() + question.most_time) {}

  std::vector<Journey> run() {
    for (std::size_t p = 0; p < out_.size(); ++p) {
      const Element& e = question_.elements[p];
      Journey& j = out_[p];
      j.buffer = e.first, j.element = e.second, j.element_bits = holds_.bits(static_cast<int>(p));
      if (!holds_.followed(static_cast<int>(p))) j.refused = "the elements of this buffer have no identity";
    }
    begin();
    std::size_t access = 0, probe = 0, looked = 0;
    while (access < trace_.accesses.size() || probe < trace_.probes.size()) {
      if (late_ || (++looked % 4096 == 0 && late())) break;
      const bool is_access =
          probe >= trace_.probes.size() ||
          (access < trace_.accesses.size() && trace_.accesses.step(access) <= trace_.probes.step(probe));
      if (is_access)
        see_access(access++);
      else
        see_probe(probe++);
    }
    for (std::size_t p = 0; p < out_.size(); ++p) finish(out_[p]);
    return std::move(out_);
  }

 private:
  bool late() {
    if (std::chrono::steady_clock::now() < end_) return false;
    for (Journey& j : out_) j.cut = true;
    return late_ = true;
  }

  std::uint32_t warp_of(std::int64_t step) const { return trace_.steps[static_cast<std::size_t>(step)].warp; }
  int line_of(std::int64_t step) const {
    if (step < 0) return 0;
    const std::uint32_t pc = trace_.steps[static_cast<std::size_t>(step)].pc;
    return pc < trace_.code.size() ? trace_.code[pc].line : 0;
  }

  // --- stations ------------------------------------------------------------------------------------------------------

  Station& station(int pin, std::int32_t index) {
    return out_[static_cast<std::size_t>(pin)].stations[static_cast<std::size_t>(index)];
  }
  /// -1: the journey is full.
  std::int32_t add(int pin, Station s) {
    Journey& j = out_[static_cast<std::size_t>(pin)];
    if (j.stations.size() >= question_.most_stations) {
      j.cut = true;
      return -1;
    }
    j.stations.push_back(std::move(s));
    return static_cast<std::int32_t>(j.stations.size()) - 1;
  }

  // --- registers -----------------------------------------------------------------------------------------------------

  struct Open {
    int pin = 0;
    std::int32_t station = -1;
    int first_bit = 0, bits = 32;
    std::uint64_t address = 0;  ///< of memory: byte of the word in which it begins
    bool exact = true;
    bool halved = false;  ///< of a 64-bit element: its other word is not shown yet
  };
  struct WordOfWarp {
    std::uint32_t lanes = 0;  ///< in which something is open
    std::array<std::vector<Open>, trace::lanes_per_warp> open{};
  };
  static std::uint64_t key_of(trace::VariableWord word, std::uint32_t warp) {
    return static_cast<std::uint64_t>(word.variable) << 40 | static_cast<std::uint64_t>(word.byte_offset) << 16 | warp;
  }

  /// Stations of the block before the recorded part.
  void begin() {
    for (const auto& [key, state] : trace_.beginning.words)
      for (const std::size_t lane : set_bits(state.defined))
        shown(-1, key.second, key.first, static_cast<int>(lane), state.tags[lane], {});
    for (std::size_t w = 0; w < trace_.beginning.shared.size(); ++w)
      if (trace_.beginning.shared[w].written)
        for (const Hold& h : holds_.of(trace_.beginning.shared[w].tag)) memory_root(MemorySpace::shared, 0, w * 4, h);
  }

  void see_probe(std::size_t index) {
    const auto step = static_cast<std::int64_t>(trace_.probes.step(index));
    const trace::VariableWord word{trace_.probes.variable(index), trace_.probes.byte_offset(index)};
    const std::uint32_t warp = warp_of(step), mask = trace_.probes.mask(index);
    const auto known = registers_.find(key_of(word, warp));
    const std::uint32_t open = known == registers_.end() ? 0 : known->second.lanes & mask;
    const trace::ProbeRecord p = trace_.probes[index];
    if (word.byte_offset % 8 == 4) complete({word.variable, word.byte_offset - 4}, warp, mask, step);
    for (const std::size_t lane : set_bits(mask)) {
      if ((open >> lane & 1) == 0 && holds_.of(p.tags[lane]).empty()) continue;
      shown(step, warp, word, static_cast<int>(lane), p.tags[lane],
            [&] { return origins_.probed(step, static_cast<int>(lane)); });
    }
  }

  /// A 64-bit element is in a register when both its words are shown there.
  void complete(trace::VariableWord low, std::uint32_t warp, std::uint32_t mask, std::int64_t step) {
    const auto known = registers_.find(key_of(low, warp));
    if (known == registers_.end()) return;
    for (const std::size_t lane : set_bits(known->second.lanes & mask))
      for (Open& o : known->second.open[lane])
        if (std::exchange(o.halved, false)) station(o.pin, o.station).step = step;
  }

  /// A word of a variable has this identity in this lane from now on. `value`: where it came from; empty: not known.
  void shown(std::int64_t step, std::uint32_t warp, trace::VariableWord word, int lane, trace::WordTag tag,
             const std::function<Origins::Edge()>& value) {
    const std::vector<Hold>& held = holds_.of(tag);
    WordOfWarp& w = registers_[key_of(word, warp)];
    std::vector<Open>& open = w.open[static_cast<std::size_t>(lane)];
    std::vector<Open> next;
    Origins::Edge from{};
    if (!held.empty() && value) from = value();
    for (const Hold& h : held) {
      const auto same = std::ranges::find_if(
          open, [&](const Open& o) { return o.pin == h.pin && o.first_bit == h.first_bit && o.exact == h.exact; });
      if (same != open.end()) {
        station(h.pin, same->station).count = h.count;
        next.push_back(*same);
        ways_.remember(h.pin, from, same->station);
        continue;
      }
      const auto place = question_.place(word, holds_.bits(h.pin));
      if (!place) continue;
      Station s{.place = {.kind = JourneyPlace::Kind::register_,
                          .warp = static_cast<int>(warp),
                          .lane = lane,
                          .family = place->family,
                          .reg = place->reg,
                          .part = h.first_bit / h.bits,
                          .name = place->name},
                .step = step,
                .line = line_of(step),
                .warp = step < 0 ? -1 : static_cast<int>(warp),
                .lane = step < 0 ? -1 : lane,
                .exact = h.exact,
                .partial = h.partial,
                .count = h.count};
      if (step >= 0) connect(h.pin, from, step, warp, lane, s);
      const std::int32_t index = add(h.pin, std::move(s));
      if (index < 0) continue;
      next.push_back({h.pin, index, h.first_bit, h.bits, 0, h.exact, step >= 0 && holds_.bits(h.pin) == 64});
      ways_.remember(h.pin, from, index);
    }
    for (const Open& o : open)
      if (!has(next, o)) close(o, step);
    open = std::move(next);
    w.lanes = open.empty() ? w.lanes & ~(1u << lane) : w.lanes | 1u << lane;
  }
  static bool has(const std::vector<Open>& all, const Open& o) {
    return std::ranges::any_of(all, [&](const Open& x) { return x.pin == o.pin && x.station == o.station; });
  }
  void close(const Open& o, std::int64_t step) { station(o.pin, o.station).until = step; }

  void connect(int pin, const Origins::Edge& value, std::int64_t step, std::uint32_t warp, int lane, Station& s) {
    if (late_ || (++connected_ % 64 == 0 && late())) return;
    ways_.connect(pin, value, step, warp, lane, s);
  }

  // --- memory --------------------------------------------------------------------------------------------------------

  /// A word of memory; local memory is each thread's own.
  static std::uint64_t word_key(MemorySpace space, std::uint32_t thread, std::uint64_t address) {
    const std::uint64_t owner = space == MemorySpace::local ? thread + 1 : 0;
    return (static_cast<std::uint64_t>(space) << 61) ^ (owner << 48) ^ (address / 4);
  }

  JourneyPlace place_in_memory(MemorySpace space, std::uint32_t warp, int lane, std::uint64_t address, int bit) const {
    JourneyPlace place{.byte = address + static_cast<std::uint64_t>(bit) / 8};
    if (space == MemorySpace::shared) {
      place.kind = JourneyPlace::Kind::shared;
    } else if (space == MemorySpace::local) {
      place.kind = JourneyPlace::Kind::local, place.warp = static_cast<int>(warp), place.lane = lane;
    } else if (const auto at = trace_.locate(place.byte)) {
      const int bits = std::max(trace_.buffers[static_cast<std::size_t>(at->first)].element_bits, 1);
      place.buffer = at->first, place.byte = at->second;
      place.element = (at->second * 8 + static_cast<std::uint64_t>(bit % 8)) / static_cast<std::uint64_t>(bits);
    }
    return place;
  }

  /// Contents of memory before the stores of the recorded part.
  std::int32_t memory_root(MemorySpace space, std::uint32_t thread, std::uint64_t address, const Hold& h) {
    Station s{.place = place_in_memory(space, thread / 32, static_cast<int>(thread % 32), address, h.first_bit),
              .exact = h.exact,
              .partial = h.partial,
              .count = h.count};
    const std::int32_t index = add(h.pin, std::move(s));
    if (index >= 0)
      memory_[word_key(space, thread, address)].push_back({h.pin, index, h.first_bit, h.bits, address, h.exact});
    return index;
  }

  void see_access(std::size_t index) {
    const MemorySpace space = trace_.accesses.space(index);
    if (space == MemorySpace::constant || space == MemorySpace::param) return;
    const AccessRecord r = trace_.accesses[index];
    const auto step = static_cast<std::int64_t>(r.step);
    const std::uint32_t warp = warp_of(step);
    const std::size_t words = static_cast<std::size_t>(r.width_bytes + 3) / 4;
    for (const std::size_t lane : set_bits(r.mask)) {
      const std::uint32_t thread = warp * 32 + static_cast<std::uint32_t>(lane);
      if (space == MemorySpace::shared && trace::is_reserved_shared(r.addresses[lane])) continue;
      if (!reads(r)) {
        if (is_atomic(r)) read_before(r, static_cast<int>(lane), thread);
        written(index, r, static_cast<int>(lane), thread);
        continue;
      }
      for (std::size_t w = 0; w < words && !r.tags.empty(); ++w)
        for (const Hold& h : holds_.of(r.tags[w * trace::lanes_per_warp + lane]))
          if (h.first_bit < r.width_bytes * 8) loaded(r, static_cast<int>(lane), thread, w, h);
    }
  }

  /// Word of memory that bits of a lane's access lie in, and the bit in that word.
  static std::pair<std::uint64_t, int> spot(const AccessRecord& r, int lane, std::size_t word, int first_bit) {
    const std::uint64_t bit =
        (r.addresses[static_cast<std::size_t>(lane)] + word * 4) * 8 + static_cast<unsigned>(first_bit);
    return {bit / 32 * 4, static_cast<int>(bit % 32)};
  }

  /// Stations that a lane's store ends: places that it writes to, but for those that stay.
  void overwrite(const AccessRecord& r, int lane, std::uint32_t thread,
                 const std::vector<std::pair<int, std::int32_t>>& stays) {
    const std::uint64_t from = r.addresses[static_cast<std::size_t>(lane)],
                        to = from + static_cast<unsigned>(r.width_bytes);
    for (std::uint64_t word = from / 4 * 4; word < to; word += 4) {
      const auto found = memory_.find(word_key(r.space, thread, word));
      if (found == memory_.end()) continue;
      std::erase_if(found->second, [&](const Open& o) {
        const std::uint64_t first = o.address * 8 + static_cast<unsigned>(o.first_bit),
                            last = first + static_cast<unsigned>(o.bits) - 1;
        if (last / 8 < from || first / 8 >= to) return false;
        if (std::ranges::find(stays, std::pair(o.pin, o.station)) != stays.end()) return false;
        close(o, static_cast<std::int64_t>(r.step));
        return true;
      });
    }
  }

  /// Stations after a lane's store or atomic operation: where memory continues holding the element the station stays the
  /// same.
  void written(std::size_t record, const AccessRecord& r, int lane, std::uint32_t thread) {
    std::vector<std::pair<std::size_t, Hold>> begun;
    std::vector<std::pair<int, std::int32_t>> stays;
    for (std::size_t w = 0; w < static_cast<std::size_t>(r.width_bytes + 3) / 4 && !r.tags.empty(); ++w)
      for (const Hold& h : holds_.of(r.tags[w * trace::lanes_per_warp + static_cast<std::size_t>(lane)])) {
        if (h.first_bit >= r.width_bytes * 8) continue;
        const auto [address, bit] = spot(r, lane, w, h.first_bit);
        std::int32_t same = -1;
        if (const auto found = memory_.find(word_key(r.space, thread, address)); found != memory_.end())
          for (const Open& o : found->second)
            if (o.pin == h.pin && o.first_bit == bit && o.exact == h.exact) same = o.station;
        if (same < 0) {
          begun.emplace_back(w, h);
        } else {
          station(h.pin, same).count = h.count;
          stays.emplace_back(h.pin, same);
        }
      }
    overwrite(r, lane, thread, stays);
    for (const auto& [w, h] : begun) stored(record, r, lane, thread, w, h);
  }

  void loaded(const AccessRecord& r, int lane, std::uint32_t thread, std::size_t word, const Hold& h) {
    const auto [address, bit] = spot(r, lane, word, h.first_bit);
    std::int32_t at = -1;
    if (const auto found = memory_.find(word_key(r.space, thread, address)); found != memory_.end())
      for (const Open& o : found->second)
        if (o.pin == h.pin && o.first_bit == bit) at = o.station;
    if (at < 0) {
      Hold there = h;
      there.first_bit = bit;
      at = memory_root(r.space, thread, address, there);
    }
    if (at < 0) return;
    const bool kept = ways_.load(h.pin, static_cast<std::int64_t>(r.step), thread / 32, lane, at,
                                 static_cast<int>(word) * 32 + h.first_bit);
    if (!kept) out_[static_cast<std::size_t>(h.pin)].cut = true;
  }

  /// An atomic operation reads what memory held before.
  void read_before(const AccessRecord& r, int lane, std::uint32_t thread) {
    const std::uint64_t from = r.addresses[static_cast<std::size_t>(lane)],
                        to = from + static_cast<unsigned>(r.width_bytes);
    for (std::uint64_t word = from / 4 * 4; word < to; word += 4) {
      const auto found = memory_.find(word_key(r.space, thread, word));
      if (found == memory_.end()) continue;
      for (const Open& o : found->second) {
        const std::uint64_t first = o.address * 8 + static_cast<unsigned>(o.first_bit);
        if (first / 8 < from || first / 8 >= to) continue;
        ways_.load(o.pin, static_cast<std::int64_t>(r.step), thread / 32, lane, o.station,
                   static_cast<int>(first - from * 8));
      }
    }
  }

  void stored(std::size_t record, const AccessRecord& r, int lane, std::uint32_t thread, std::size_t word,
              const Hold& h) {
    const auto step = static_cast<std::int64_t>(r.step);
    const auto [address, bit] = spot(r, lane, word, h.first_bit);
    Station s{.place = place_in_memory(r.space, thread / 32, lane, address, bit),
              .step = step,
              .line = line_of(step),
              .warp = static_cast<int>(thread / 32),
              .lane = lane,
              .exact = h.exact,
              .partial = h.partial,
              .count = h.count};
    const int first = static_cast<int>(word) * 4 + h.first_bit / 8;
    if (r.kind == AccessKind::async_copy) {
      copied(h.pin, step, lane, s);
    } else {
      connect(h.pin, origins_.accessed(record, lane, first, 1), step, thread / 32, lane, s);
      const bool atomic = is_atomic(r);
      s.hops.push_back({.way = atomic ? Hop::Way::atomic : Hop::Way::store,
                        .step = step,
                        .line = s.line,
                        .from_lane = lane,
                        .lane = lane,
                        .op = atomic ? origins_.facts_at(step).memory_op : ""});
    }
    const std::int32_t index = add(h.pin, std::move(s));
    if (index < 0) return;
    memory_[word_key(r.space, thread, address)].push_back({h.pin, index, bit, h.bits, address, h.exact});
  }

  /// An asynchronous copy: what the same lane read in the same step.
  void copied(int pin, std::int64_t step, int lane, Station& s) {
    const std::int32_t from = ways_.loaded_in(pin, step, lane);
    if (from < 0) return;
    s.from = from;
    s.hops.push_back({.way = Hop::Way::copy, .step = step, .line = s.line, .from_lane = lane, .lane = lane});
  }

  // --- the answer ----------------------------------------------------------------------------------------------------

  /// Leaves out places that another lane of the same instruction wrote to, and finds where the journey arrives.
  void finish(Journey& j) {
    std::vector<std::int32_t> numbers(j.stations.size(), -1);
    std::vector<Station> kept;
    for (std::size_t i = 0; i < j.stations.size(); ++i) {
      Station& s = j.stations[i];
      if (s.until >= 0 && s.until == s.step) continue;
      if (s.from >= 0) s.from = numbers[static_cast<std::size_t>(s.from)];
      numbers[i] = static_cast<std::int32_t>(kept.size());
      kept.push_back(std::move(s));
    }
    j.stations = std::move(kept);
    for (std::size_t i = 0; i < j.stations.size(); ++i) {
      const Station& s = j.stations[i];
      if (s.place.kind == JourneyPlace::Kind::buffer && s.step >= 0) j.arrivals.push_back(static_cast<std::int32_t>(i));
    }
    // The element itself before values that it is part of, what stays before what was overwritten, then the last.
    const auto rank = [&](std::int32_t i) {
      const Station& s = j.stations[static_cast<std::size_t>(i)];
      return std::tuple(!s.exact, s.until >= 0, -s.step);
    };
    std::ranges::stable_sort(j.arrivals, {}, rank);
  }

  Origins& origins_;
  const trace::Trace& trace_;
  const JourneyQuestion& question_;
  ElementHolds holds_;
  std::vector<Journey> out_;
  std::unordered_map<std::uint64_t, WordOfWarp> registers_;
  std::unordered_map<std::uint64_t, std::vector<Open>> memory_;
  JourneyWays ways_;
  std::chrono::steady_clock::time_point end_;
  bool late_ = false;
  std::size_t connected_ = 0;
};

}  // namespace

std::vector<Journey> journeys(Origins& origins, const JourneyQuestion& question) {
  return Walker(origins, question).run();
}

}  // namespace lanescope::engine
