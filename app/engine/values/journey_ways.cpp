#include "app/engine/values/journey_ways.h"

#include <algorithm>
#include <array>
#include <bit>
#include <queue>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "app/engine/values/instruction_facts.h"
#include "kernels/base/set_bits.h"

namespace lanescope::engine {
namespace {

using results::Hop;
using results::Journey;
using results::JourneyPlace;
using results::Station;
using Kind = InstructionFacts::Kind;

/// Values looked at on the way from one place to the next.
constexpr std::size_t most_nodes_between = 1'024;
constexpr std::size_t most_hops = 12;

std::uint64_t load_key(std::int64_t step, int lane) {
  return static_cast<std::uint64_t>(step) << 5 | static_cast<std::uint64_t>(lane);
}

/// "f16" of "cvt.rn.f16.f32 ..."; empty: the instruction is no conversion to another type.
std::string converted_to(std::string_view text) {
  if (!text.starts_with("cvt.")) return {};
  text = text.substr(0, text.find_first_of(" \t"));
  const std::size_t from = text.rfind('.');
  const std::size_t to = text.rfind('.', from - 1);
  if (to == std::string_view::npos || to >= from) return {};
  const std::string_view type = text.substr(to + 1, from - to - 1);
  return type == text.substr(from + 1) ? std::string() : std::string(type);
}

std::uint64_t packed(const Element& e) { return static_cast<std::uint64_t>(e.first) << 40 | e.second; }

}  // namespace

JourneyWays::JourneyWays(Origins& origins, const ElementHolds& holds, const std::vector<Journey>& journeys)
    : origins_(origins), trace_(origins.trace()), holds_(holds), journeys_(journeys), pins_(journeys.size()) {}

void JourneyWays::remember(int pin, const Origins::Edge& value, std::int32_t station) {
  if (value.to >= 0) pins_[static_cast<std::size_t>(pin)].nodes[value.to] = station;
}

bool JourneyWays::load(int pin, std::int64_t step, std::uint32_t warp, int lane, std::int32_t station, int bit) {
  Pin& p = pins_[static_cast<std::size_t>(pin)];
  if (p.load_count >= most_loads) return false;
  ++p.load_count;
  p.loads[load_key(step, lane)].push_back({station, bit});
  newest_load_[{pin, warp}] = {step, lane, station};
  return true;
}

std::int32_t JourneyWays::loaded_in(int pin, std::int64_t step, int lane) const {
  const Pin& p = pins_[static_cast<std::size_t>(pin)];
  const auto found = p.loads.find(load_key(step, lane));
  return found == p.loads.end() ? -1 : found->second.back().station;
}

int JourneyWays::line_of(std::int64_t step) const {
  if (step < 0) return 0;
  const std::uint32_t pc = trace_.steps[static_cast<std::size_t>(step)].pc;
  return pc < trace_.code.size() ? trace_.code[pc].line : 0;
}
std::string JourneyWays::text_of(std::int64_t step) const {
  const std::uint32_t pc = trace_.steps[static_cast<std::size_t>(step)].pc;
  return pc < trace_.code.size() ? trace_.code[pc].text : std::string();
}

Hop JourneyWays::hop_of(const Origins::Node& node, int from_lane, bool exact) const {
  const InstructionFacts& f = origins_.facts_at(node.step);
  Hop hop{.step = node.step, .line = line_of(node.step), .from_lane = from_lane, .lane = node.lane, .op = f.op};
  const std::string type = converted_to(text_of(node.step));
  if (f.kind == Kind::product)
    hop.way = Hop::Way::product;
  else if (f.kind == Kind::lanes)
    hop.way = Hop::Way::product, hop.op = "redux";
  else if (f.kind == Kind::shuffle || f.kind == Kind::transpose)
    hop.way = Hop::Way::shuffle;
  else if (!type.empty() && (!exact || f.kind != Kind::copy))
    hop.way = Hop::Way::convert, hop.op = type;
  else if (f.kind == Kind::copy && f.op == "select")
    hop.way = Hop::Way::select;
  else if (f.kind == Kind::copy && (f.op == "prmt" || f.sources.size() > 1 || f.results.size() > 1))
    hop.way = Hop::Way::pack;
  else if (f.kind == Kind::copy)
    hop.way = Hop::Way::move;
  else
    hop.way = exact ? Hop::Way::pack : Hop::Way::compute;
  return hop;
}

/// Sets `s.from` and `s.hops`: the nearest earlier place on the way of the value to (step, lane).
void JourneyWays::connect(int pin, const Origins::Edge& value, std::int64_t step, std::uint32_t warp, int lane,
                          Station& s) {
  const auto& known = pins_[static_cast<std::size_t>(pin)].nodes;
  std::vector<Visit> visits;
  using Entry = std::pair<std::int64_t, std::int32_t>;  // newest first
  std::priority_queue<Entry> todo;
  std::unordered_set<std::int32_t> seen;
  const auto push = [&](std::int32_t node, std::int32_t parent, int at) {
    if (node < 0 || visits.size() >= most_nodes_between || !seen.insert(node).second) return;
    visits.push_back({node, parent, at});
    todo.emplace(origins_.nodes()[static_cast<std::size_t>(node)].step, static_cast<std::int32_t>(visits.size()) - 1);
  };
  push(value.to, -1, lane);
  while (!todo.empty()) {
    const std::int32_t at = todo.top().second;
    todo.pop();
    const Visit visit = visits[static_cast<std::size_t>(at)];
    if (const auto found = known.find(visit.node); found != known.end()) {
      s.from = found->second;
      return take_hops(visits, visit.parent, visit.lane, s);
    }
    const Origins::Node node = origins_.nodes()[static_cast<std::size_t>(visit.node)];
    if (node.step < 0) continue;
    const InstructionFacts& f = origins_.facts_at(node.step);
    const bool is_end = node.operands.empty() && !node.pending && node.record < 0;
    const bool reads = f.kind == Kind::load || f.kind == Kind::old || (f.kind == Kind::opaque && f.op == "wmma");
    if (is_end || (reads && node.record < 0)) {
      if (take_load(pin, node, f, is_end, s)) return take_hops(visits, visit.parent, visit.lane, s);
      continue;
    }
    if (f.kind == Kind::opaque) continue;
    if (origins_.nodes().size() > Origins::most_nodes) break;
    const std::vector<Origins::Edge> operands = f.kind == Kind::product && node.record < 0
                                                    ? origins_.product_operands(visit.node)
                                                    : origins_.expanded(visit.node).operands;
    for (const Origins::Edge& e : operands)
      push(e.to, at, e.to < 0 ? -1 : origins_.nodes()[static_cast<std::size_t>(e.to)].lane);
  }
  guess(pin, value, step, warp, lane, s);
}

/// The load that wrote a register, if it brought the element.
bool JourneyWays::take_load(int pin, const Origins::Node& node, const InstructionFacts& f, bool is_end, Station& s) {
  const auto& loads = pins_[static_cast<std::size_t>(pin)].loads;
  const auto result = std::ranges::find(f.results, node.result);
  const bool any_bits = is_end || result == f.results.end() || f.kind != Kind::load;
  const auto number = static_cast<int>(result - f.results.begin());
  // Of each part of the register: a lane whose access it is of, and which bits of that access.
  struct Read {
    int lane = 0, first = 0, bits = 0;
  };
  std::vector<Read> reads;
  if (f.matrix && !any_bits)
    for (const FragmentPart& part : parts_of_fragment(number, node.lane, f.transposed))
      reads.push_back({part.lane, part.first * 8, part.bytes * 8});
  else
    reads.push_back({node.lane, number * f.element_bytes * 8, f.element_bytes * 8});
  // A lane's fragment of wmma may be in rows that another lane's access is of.
  if (f.kind == Kind::opaque)
    for (int other = 0; other < trace::lanes_per_warp; ++other)
      if (other != node.lane) reads.push_back({.lane = other});
  for (const Read& read : reads) {
    const auto found = loads.find(load_key(node.step, read.lane));
    if (found == loads.end()) continue;
    for (const Loaded& l : found->second) {
      const int bits = std::min(holds_.bits(pin), 32);
      if (!any_bits && (l.bit >= read.first + read.bits || l.bit + bits <= read.first)) continue;
      s.from = l.station;
      const bool old = f.kind == Kind::old;
      s.hops.push_back({.way = old ? Hop::Way::atomic : Hop::Way::load,
                        .step = node.step,
                        .line = line_of(node.step),
                        .from_lane = node.lane,
                        .lane = node.lane,
                        .op = old ? f.memory_op : ""});
      return true;
    }
  }
  return false;
}

/// The instructions from `first` (into visits, the one nearest to the place before) to the arrival.
void JourneyWays::take_hops(const std::vector<Visit>& visits, std::int32_t first, int from_lane, Station& s) {
  for (std::int32_t at = first; at >= 0; at = visits[static_cast<std::size_t>(at)].parent) {
    const Visit& v = visits[static_cast<std::size_t>(at)];
    const Origins::Node& node = origins_.nodes()[static_cast<std::size_t>(v.node)];
    if (node.step < 0) continue;
    Hop hop = hop_of(node, from_lane, s.exact);
    from_lane = node.lane;
    const bool again = !s.hops.empty() && s.hops.back().way == hop.way && s.hops.back().line == hop.line &&
                       hop.way != Hop::Way::shuffle;
    if (again)
      s.hops.back().step = hop.step;
    else if (s.hops.size() < most_hops)
      s.hops.push_back(std::move(hop));
  }
}

/// Where values are not followed: the newest place of this warp that held the element, or was loaded from.
void JourneyWays::guess(int pin, const Origins::Edge& value, std::int64_t step, std::uint32_t warp, int lane,
                        Station& s) {
  const Journey& j = journeys_[static_cast<std::size_t>(pin)];
  std::int32_t best = -1;
  std::int64_t best_step = -2;
  for (std::size_t i = 0; i < j.stations.size(); ++i) {
    const Station& x = j.stations[i];
    if (x.place.kind != JourneyPlace::Kind::register_ || x.place.warp != static_cast<int>(warp) || x.step >= step)
      continue;
    if (x.until >= 0 && x.until < x.step) continue;
    const bool better = std::pair(x.step, x.place.lane == lane) >= std::pair(best_step, false);
    if (better) best = static_cast<std::int32_t>(i), best_step = x.step;
  }
  const std::int64_t at = value.to >= 0 ? origins_.nodes()[static_cast<std::size_t>(value.to)].step : step;
  Hop hop{.way = Hop::Way::unfollowed, .step = std::max<std::int64_t>(at, 0), .lane = lane};
  hop.line = line_of(hop.step);
  const std::uint32_t pc = trace_.steps[static_cast<std::size_t>(hop.step)].pc;
  if (pc < trace_.code.size()) hop.op = trace_.code[pc].text.substr(0, trace_.code[pc].text.find_first_of(" .\t"));
  if (const auto load = newest_load_.find({pin, warp}); load != newest_load_.end() && load->second.step > best_step) {
    best = load->second.station;
    hop.from_lane = load->second.lane;
    s.hops.push_back({.way = Hop::Way::load,
                      .step = load->second.step,
                      .line = line_of(load->second.step),
                      .from_lane = load->second.lane,
                      .lane = lane});
    if (hop.step <= load->second.step) return void(s.from = best);
  } else if (best >= 0) {
    hop.from_lane = j.stations[static_cast<std::size_t>(best)].place.lane;
  }
  if (best < 0) return;
  s.from = best;
  s.hops.push_back(std::move(hop));
}

ElementHolds::ElementHolds(const trace::TagPool& tags, const std::vector<Element>& elements) : tags_(tags) {
  for (const Element& e : elements) {
    Pin pin{.element = e};
    if (e.first >= 0 && static_cast<std::size_t>(e.first) < tags.space.buffers.size()) {
      const trace::TagSpace::Range& range = tags.space.buffers[static_cast<std::size_t>(e.first)];
      pin.bits = std::max(range.element_bits, 1);
      pin.first_bit = std::uint64_t{range.first_word} * 32 + e.second * static_cast<std::uint64_t>(pin.bits);
      pin.traced = range.traced && pin.first_bit + static_cast<std::uint64_t>(pin.bits) <=
                                       (std::uint64_t{range.first_word} + range.words) * 32;
    }
    if (pin.traced) words_.push_back(static_cast<std::uint32_t>(pin.first_bit / 32));
    pins_.push_back(pin);
  }
}

std::uint64_t ElementHolds::pins_of_source_bit(std::uint64_t bit) const {
  std::uint64_t found = 0;
  for (std::size_t p = 0; p < pins_.size(); ++p) {
    const Pin& pin = pins_[p];
    if (pin.traced && bit >= pin.first_bit && bit - pin.first_bit < static_cast<std::uint64_t>(std::min(pin.bits, 32)))
      found |= std::uint64_t{1} << p;
  }
  return found;
}

/// A large set is a graph of unions, which can be as deep as a sum is long.
std::uint64_t ElementHolds::pins_of_set(std::uint32_t set) {
  std::vector<std::uint32_t> todo{set};
  while (!todo.empty()) {
    const std::uint32_t at = todo.back();
    if (sets_.contains(at)) {
      todo.pop_back();
      continue;
    }
    std::uint64_t found = 0;
    if (const auto halves = tags_.halves(at)) {
      const auto left = sets_.find(halves->first), right = sets_.find(halves->second);
      if (left == sets_.end()) todo.push_back(halves->first);
      if (right == sets_.end()) todo.push_back(halves->second);
      if (todo.back() != at) continue;
      found = left->second | right->second;
    } else {
      const auto all = tags_.set(at);
      for (std::size_t p = 0; p < pins_.size(); ++p)
        if (pins_[p].traced && std::ranges::binary_search(all, packed(pins_[p].element)))
          found |= std::uint64_t{1} << p;
    }
    sets_.emplace(at, found);
    todo.pop_back();
  }
  return sets_.at(set);
}

std::uint64_t ElementHolds::pins_of_bit(trace::BitTag bit) {
  switch (bit.kind()) {
    case trace::BitKind::none:
      return 0;
    case trace::BitKind::source:
      return pins_of_source_bit(bit.payload());
    case trace::BitKind::parity: {
      const auto set = static_cast<std::uint32_t>(bit.payload());
      const auto [entry, fresh] = parities_.try_emplace(set, 0);
      if (fresh)
        for (const std::uint64_t source : tags_.set(set)) entry->second |= pins_of_source_bit(source);
      return entry->second;
    }
    case trace::BitKind::computed:
      break;
  }
  return pins_of_set(static_cast<std::uint32_t>(bit.payload()));
}

const std::vector<Hold>& ElementHolds::known(trace::WordTag tag) {
  const auto [entry, fresh] = known_.try_emplace(tag);
  if (!fresh) return entry->second;
  std::array<std::uint32_t, 64> where{};  // by pin: bits of the word that depend on it
  const trace::WordBits bits = tags_.bits(tag);
  std::uint64_t any = 0;
  for (std::size_t b = 0; b < 32; ++b) {
    const std::uint64_t here = pins_of_bit(bits[b]);
    any |= here;
    for (const std::size_t p : set_bits(here)) where[p] |= 1u << b;
  }
  for (const std::size_t p : set_bits(any)) {
    const Pin& pin = pins_[p];
    const int n = std::min(pin.bits, 32);
    bool found = false;
    for (int first = 0; first + n <= 32; first += n) {
      const std::uint32_t mask = (n == 32 ? ~0u : (1u << n) - 1) << first;
      if ((where[p] & mask) != mask) continue;
      const trace::ElementTag e = tags_.element(tag, first, n);
      if (e.kind != trace::ElementTag::Kind::exact || Element{e.buffer, e.element} != pin.element) continue;
      entry->second.push_back({.pin = static_cast<int>(p), .first_bit = first, .bits = n});
      found = true;
    }
    if (found) continue;
    // A value that depends on it: the part where it begins, as wide as an element.
    const int first = std::countr_zero(where[p]) / n * n;
    const trace::ElementTag e = tags_.element(tag, first, n);
    const bool one = e.kind != trace::ElementTag::Kind::mixed;
    entry->second.push_back({.pin = static_cast<int>(p),
                             .first_bit = first,
                             .bits = n,
                             .exact = false,
                             .partial = e.kind == trace::ElementTag::Kind::partial,
                             .count = one ? 1 : std::max(e.count, 1u)});
  }
  return entry->second;
}

}  // namespace lanescope::engine
