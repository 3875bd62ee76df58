#include "app/engine/values/origins.h"

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"

namespace lanescope::engine {
namespace {

using Kind = InstructionFacts::Kind;
using trace::AccessKind;
using trace::AccessRecord;
using trace::MemorySpace;

/// Words stored that are kept in mind, lane by lane: 16 bytes each.
constexpr std::size_t most_stored_words = 8'000'000;
/// How far after an instruction a probe of its result is looked for, in steps of the warp.
constexpr std::size_t most_steps_to_probe = 64;

bool has_lane(std::uint32_t mask, int lane) { return (mask >> lane & 1) != 0; }

bool writes_memory(const trace::AccessLog& log, std::size_t i) {
  const AccessKind kind = log.kind(i);
  const MemorySpace space = log.space(i);
  if (space == MemorySpace::constant || space == MemorySpace::param) return false;
  // Of an asynchronous copy, the side in shared memory is the one that is written.
  return kind != AccessKind::load && (kind != AccessKind::async_copy || space == MemorySpace::shared);
}

}  // namespace

Origins::Origins(const trace::Trace& trace, const ptx::Module& module, const ptx::Entry& entry)
    : trace_(trace),
      facts_(instruction_facts(module, entry)),
      probed_(probed_registers(module, entry)),
      numbers_(trace, module, entry, [this](std::int64_t step, std::uint32_t warp, int lane, RegisterKey reg) {
        return writer(step, warp, lane, reg);
      }) {
  index_steps();
  index_stores();
}

void Origins::index_steps() {
  for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
    const trace::StepRecord& s = trace_.steps[i];
    if (s.warp >= writes_.size()) writes_.resize(s.warp + 1), steps_of_.resize(s.warp + 1);
    steps_of_[s.warp].push_back(static_cast<std::uint32_t>(i));
    if (s.pc >= facts_.size()) continue;
    for (const RegisterKey reg : facts_[s.pc].results) writes_[s.warp][reg].push_back(static_cast<std::uint32_t>(i));
    for (const RegisterKey reg : facts_[s.pc].predicates) writes_[s.warp][reg].push_back(static_cast<std::uint32_t>(i));
  }
}

std::uint64_t Origins::key_of(MemorySpace space, std::uint32_t warp, int lane, std::uint64_t address) const {
  const std::uint64_t thread = space == MemorySpace::local ? warp * 32u + static_cast<std::uint32_t>(lane) : 0;
  return static_cast<std::uint64_t>(space) << 60 | thread << 48 | (address / 4 & ((std::uint64_t{1} << 48) - 1));
}

void Origins::index_stores() {
  const trace::AccessLog& log = trace_.accesses;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (!writes_memory(log, i)) continue;
    const AccessRecord r = log[i];
    const std::uint32_t warp = trace_.steps[r.step].warp;
    for (const std::size_t lane : set_bits(r.mask)) {
      const std::uint64_t first = r.addresses[lane] / 4, last = (r.addresses[lane] + r.width_bytes - 1) / 4;
      for (std::uint64_t word = first; word <= last; ++word)
        stores_.push_back({key_of(r.space, warp, static_cast<int>(lane), word * 4), static_cast<std::uint32_t>(i)});
    }
    if (stores_.size() > most_stored_words) {
      stores_known_ = false;
      stores_.clear();
      return;
    }
  }
  std::ranges::sort(stores_);
  const auto extra = std::ranges::unique(stores_);
  stores_.erase(extra.begin(), extra.end());
}

std::int32_t Origins::zero() {
  if (zero_ < 0) {
    zero_ = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({.zero = true});
  }
  return zero_;
}

std::int64_t Origins::writer(std::int64_t step, std::uint32_t warp, int lane, RegisterKey reg) const {
  if (warp >= writes_.size()) return -1;
  const auto found = writes_[warp].find(reg);
  if (found == writes_[warp].end()) return -1;
  const std::vector<std::uint32_t>& steps = found->second;
  for (auto at = std::ranges::lower_bound(steps, static_cast<std::uint64_t>(std::max<std::int64_t>(step, 0)));
       at != steps.begin();)
    if (has_lane(trace_.steps[*--at].active, lane)) return *at;
  return -1;
}

Origins::Edge Origins::register_before(std::int64_t step, std::uint32_t warp, int lane, RegisterKey reg) {
  const std::int64_t at = writer(step, warp, lane, reg);
  if (at < 0) return {};
  const std::uint64_t key = static_cast<std::uint64_t>(at) << 32 | static_cast<std::uint64_t>(lane) << 27 | reg;
  const auto [entry, fresh] = by_key_.try_emplace(key, static_cast<std::int32_t>(nodes_.size()));
  if (fresh) {
    nodes_.push_back({.step = at, .lane = lane, .result = reg, .pending = true});
    todo_.push_back(entry->second);
  }
  return {.to = entry->second};
}

Origins::Edge Origins::source_at(std::int64_t step, int lane, const InstructionFacts::Source& source) {
  if (!source.is_register) return {.to = source.constant == 0 ? zero() : -1};
  return register_before(step, trace_.steps[static_cast<std::size_t>(step)].warp, lane, source.reg);
}

const trace::ShuffleRecord* Origins::shuffle_at(std::int64_t step) const {
  const auto at =
      std::ranges::lower_bound(trace_.shuffles, static_cast<std::uint64_t>(step), {}, &trace::ShuffleRecord::step);
  return at != trace_.shuffles.end() && at->step == static_cast<std::uint64_t>(step) ? &*at : nullptr;
}

/// The identities of these bytes of an access.
std::int32_t Origins::end_of(const AccessRecord& r, std::size_t record, int lane, int first, int bytes) {
  const auto [entry, fresh] = ends_.try_emplace(std::tuple(record, static_cast<std::uint64_t>(first), lane),
                                                static_cast<std::int32_t>(nodes_.size()));
  if (!fresh) return entry->second;
  Node n{.step = static_cast<std::int64_t>(r.step), .lane = lane};
  for (int byte = first; byte < first + bytes;) {
    const int in_word = std::min(4 - byte % 4, first + bytes - byte);
    const auto word = static_cast<std::size_t>(byte / 4) * trace::lanes_per_warp + static_cast<std::size_t>(lane);
    if (word < r.tags.size() && r.tags[word] != trace::no_data) {
      const auto more = trace_.tags.sources(r.tags[word], byte % 4 * 8, in_word * 8);
      n.ends.insert(n.ends.end(), more.begin(), more.end());
      const bool data = (trace_.tags.data_mask(r.tags[word]) >> (byte % 4 * 8)) != 0;
      if (more.empty() && data) n.listed = false;
    }
    byte += in_word;
  }
  std::ranges::sort(n.ends);
  const auto extra = std::ranges::unique(n.ends);
  n.ends.erase(extra.begin(), extra.end());
  nodes_.push_back(std::move(n));
  return entry->second;
}

/// The value of memory at an address after an atomic operation of lanes up to `lane`.
std::int32_t Origins::combined_at(std::size_t record, const AccessRecord& r, int lane, std::uint64_t address) {
  const auto [entry, fresh] =
      atomics_.try_emplace(std::tuple(record, address, lane), static_cast<std::int32_t>(nodes_.size()));
  if (!fresh) return entry->second;
  const std::string& op = facts_[trace_.steps[r.step].pc].memory_op;
  nodes_.push_back({.step = static_cast<std::int64_t>(r.step),
                    .lane = lane,
                    .kind = Kind::compute,
                    .op = op,
                    .adds = op == "+" || op == "or" || op == "xor",
                    .record = static_cast<std::int64_t>(record),
                    .address = address,
                    .pending = true});
  todo_.push_back(entry->second);
  return entry->second;
}

void Origins::expand_atomic(std::int32_t index) {
  const auto record = static_cast<std::size_t>(nodes_[static_cast<std::size_t>(index)].record);
  const std::uint64_t address = nodes_[static_cast<std::size_t>(index)].address;
  const int lane = nodes_[static_cast<std::size_t>(index)].lane;
  const AccessRecord r = trace_.accesses[record];
  const trace::StepRecord& step = trace_.steps[r.step];
  const InstructionFacts& f = facts_[step.pc];
  std::vector<Edge> operands;
  bool all = false;
  for (Edge e : writers(record, r.space, step.warp, lane, address, f.element_bytes, std::nullopt, all))
    operands.push_back(e);
  if (!all) {
    // The initial contents of a buffer are its elements.
    const auto at = r.space == MemorySpace::global ? trace_.locate(address) : std::nullopt;
    if (at) {
      const int bits = std::max(trace_.tags.space.buffers[static_cast<std::size_t>(at->first)].element_bits, 1);
      operands.push_back({.to = static_cast<std::int32_t>(nodes_.size())});
      nodes_.push_back({.step = static_cast<std::int64_t>(r.step),
                        .lane = lane,
                        .ends = {{at->first, at->second * 8 / static_cast<std::uint64_t>(bits)}}});
    }
  }
  for (const std::size_t other : set_bits(r.mask))
    if (static_cast<int>(other) <= lane && r.addresses[other] == address && !f.stored.empty())
      operands.push_back(source_at(static_cast<std::int64_t>(r.step), static_cast<int>(other), f.stored.front()));
  nodes_[static_cast<std::size_t>(index)].operands = std::move(operands);
}

Origins::Edge Origins::written(std::size_t record, const AccessRecord& r, int lane, std::uint64_t byte) {
  const auto step = static_cast<std::int64_t>(r.step);
  const std::uint32_t pc = trace_.steps[r.step].pc;
  const InstructionFacts* f = pc < facts_.size() ? &facts_[pc] : nullptr;
  const std::uint64_t from = r.addresses[static_cast<std::size_t>(lane)];
  const bool atomic = r.kind == AccessKind::atomic || r.kind == AccessKind::reduction;
  if (f != nullptr && f->matrix && r.matrix > 0) {
    const FragmentPlace at = fragment_of_byte(lane, static_cast<int>(byte - from), f->transposed);
    if (static_cast<std::size_t>(at.matrix) < f->stored.size())
      return source_at(step, at.lane, f->stored[static_cast<std::size_t>(at.matrix)]);
  }
  if (f == nullptr || r.matrix > 0 || f->stored.empty() || f->element_bytes == 0 || f->memory_op == "cas" ||
      (r.kind != AccessKind::store && !atomic))
    return {.to = end_of(r, record, lane, 0, r.width_bytes)};
  const auto element = static_cast<std::size_t>(byte - from) / static_cast<std::size_t>(f->element_bytes);
  if (element >= f->stored.size()) return {.to = end_of(r, record, lane, 0, r.width_bytes)};
  if (!atomic || f->memory_op == "exch") return source_at(step, lane, f->stored[element]);
  return {.to = combined_at(record, r, lane, from)};
}

/// Of `bytes` at an address the values that stores put there before access `before`. `all`: they wrote each of the bytes.
std::vector<Origins::Edge> Origins::writers(std::size_t before, MemorySpace space, std::uint32_t warp, int lane,
                                            std::uint64_t address, int bytes, std::optional<trace::WordTag> expected,
                                            bool& all) {
  std::vector<Edge> found;
  std::uint32_t wanted = bytes >= 32 ? ~0u : (1u << bytes) - 1;
  all = false;
  if (!stores_known_ || bytes <= 0) return found;
  for (std::uint64_t word = address / 4; word <= (address + static_cast<std::uint64_t>(bytes) - 1) / 4; ++word) {
    std::uint32_t here = 0;
    for (int b = 0; b < bytes; ++b)
      if ((address + static_cast<std::uint64_t>(b)) / 4 == word) here |= 1u << b;
    const std::uint64_t key = key_of(space, warp, lane, word * 4);
    for (auto at = std::ranges::lower_bound(stores_, Stored{key, static_cast<std::uint32_t>(before)});
         at != stores_.begin() && (wanted & here) != 0;) {
      --at;
      if (at->key != key) break;
      const AccessRecord r = trace_.accesses[at->record];
      for (int l = 31; l >= 0 && (wanted & here) != 0; --l) {
        if (!has_lane(r.mask, l) || (space == MemorySpace::local && l != lane)) continue;
        const std::uint64_t from = r.addresses[static_cast<std::size_t>(l)];
        std::uint32_t covered = 0;
        for (const std::size_t b : set_bits(wanted & here))
          if (address + b >= from && address + b < from + static_cast<std::uint64_t>(r.width_bytes)) covered |= 1u << b;
        if (covered == 0) continue;
        const std::uint64_t byte = address + static_cast<std::uint64_t>(std::countr_zero(covered));
        // Another block may have stored there since: then the identities differ.
        const auto tag =
            static_cast<std::size_t>((byte - from) / 4) * trace::lanes_per_warp + static_cast<std::size_t>(l);
        if (expected && r.width_bytes >= 4 && byte % 4 == 0 && tag < r.tags.size() && r.tags[tag] != *expected)
          return {};
        const Edge e = written(at->record, r, l, byte);
        if (std::ranges::find(found, e.to, &Edge::to) == found.end()) found.push_back(e);
        wanted &= ~covered;
      }
    }
  }
  all = wanted == 0;
  return found;
}

std::vector<Origins::Edge> Origins::loaded(std::int64_t step, int lane, int first, int bytes) {
  const std::size_t i = trace_.accesses.count_until(step - 1);
  if (i >= trace_.accesses.size() || static_cast<std::int64_t>(trace_.accesses.step(i)) != step) return {};
  const AccessRecord r = trace_.accesses[i];
  if (!has_lane(r.mask, lane)) return {};
  const auto l = static_cast<std::size_t>(lane);
  const auto word = static_cast<std::size_t>(first / 4) * trace::lanes_per_warp + l;
  std::optional<trace::WordTag> expected;
  if (bytes >= 4 && r.width_bytes >= 4 && word < r.tags.size()) expected = r.tags[word];
  bool all = false;
  const bool memory = r.space != MemorySpace::constant && r.space != MemorySpace::param;
  std::vector<Edge> edges;
  if (memory)
    edges = writers(i, r.space, trace_.steps[static_cast<std::size_t>(step)].warp, lane,
                    r.addresses[l] + static_cast<std::uint64_t>(first), bytes, expected, all);
  if (!all) return {{.to = end_of(r, i, lane, first, bytes)}};
  const Way way = r.space == MemorySpace::shared   ? Way::shared
                  : r.space == MemorySpace::global ? Way::global
                                                   : Way::direct;
  for (Edge& e : edges) e.way = way, e.step = step;
  return edges;
}

/// The value of memory before a lane's turn of an atomic operation: lanes take theirs in rising order.
std::vector<Origins::Edge> Origins::old_value(std::int64_t step, int lane, int bytes) {
  const std::size_t i = trace_.accesses.count_until(step - 1);
  if (i >= trace_.accesses.size() || static_cast<std::int64_t>(trace_.accesses.step(i)) != step) return {};
  const AccessRecord r = trace_.accesses[i];
  // Between two operations of this block on global memory those of others may have come.
  const bool others = r.space != MemorySpace::shared && trace_.launch.grid.count() > 1;
  if (!has_lane(r.mask, lane) || others) return {};
  const std::uint64_t address = r.addresses[static_cast<std::size_t>(lane)];
  for (int before = lane - 1; before >= 0; --before)
    if (has_lane(r.mask, before) && r.addresses[static_cast<std::size_t>(before)] == address)
      return {written(i, r, before, address)};
  bool all = false;
  std::vector<Edge> edges =
      writers(i, r.space, trace_.steps[static_cast<std::size_t>(step)].warp, lane, address, bytes, std::nullopt, all);
  const auto at = !all && r.space == MemorySpace::global ? trace_.locate(address) : std::nullopt;
  if (at) {
    const int bits = std::max(trace_.tags.space.buffers[static_cast<std::size_t>(at->first)].element_bits, 1);
    edges.push_back({.to = static_cast<std::int32_t>(nodes_.size())});
    nodes_.push_back(
        {.step = step, .lane = lane, .ends = {{at->first, at->second * 8 / static_cast<std::uint64_t>(bits)}}});
  }
  return edges;
}

std::vector<Origins::Edge> Origins::product_operands(std::int32_t node) {
  const Node n = nodes_[static_cast<std::size_t>(node)];
  const InstructionFacts& f = facts_at(n.step);
  const auto result = static_cast<std::size_t>(std::ranges::find(f.results, n.result) - f.results.begin());
  std::vector<Edge> edges;
  for (std::size_t s = 0; s < f.sources.size(); ++s)
    for (const std::size_t lane : set_bits(product_lanes(f, s, result, n.lane)))
      if (const Edge e = source_at(n.step, static_cast<int>(lane), f.sources[s]); e.to >= 0) edges.push_back(e);
  return edges;
}

void Origins::expand(std::int32_t index) {
  if (nodes_[static_cast<std::size_t>(index)].record >= 0) return expand_atomic(index);
  const std::int64_t step = nodes_[static_cast<std::size_t>(index)].step;
  const int lane = nodes_[static_cast<std::size_t>(index)].lane;
  const RegisterKey result = nodes_[static_cast<std::size_t>(index)].result;
  const trace::StepRecord& s = trace_.steps[static_cast<std::size_t>(step)];
  const InstructionFacts& f = facts_[s.pc];
  std::vector<Edge> operands;
  bool other = false, zeros = f.kind == Kind::copy && !f.sources.empty();
  Kind kind = f.kind;
  const auto add = [&](const InstructionFacts::Source& source, int from_lane, Way way) {
    if (!source.is_register && source.constant != 0) other = true;
    Edge e = source_at(step, from_lane, source);
    if (source.is_register && e.to < 0) other = true;
    zeros = zeros && !source.is_register && source.constant == 0;
    if (way != Way::direct) e.way = way, e.step = step;
    operands.push_back(e);
  };
  switch (f.kind) {
    case Kind::copy:
      if (f.op == "select") {
        const auto p = f.selects ? numbers_.before(step, lane, f.predicate) : std::nullopt;
        if (p) {
          add(f.sources[(*p != 0) != f.predicate_negated ? 0 : 1], lane, Way::direct);
        } else {
          kind = Kind::compute, other = true;  // one of them: which one is not known
          for (const auto& source : f.sources) add(source, lane, Way::direct);
        }
        break;
      }
      [[fallthrough]];
    case Kind::compute:
      for (const auto& source : f.sources) add(source, lane, Way::direct);
      break;
    case Kind::shuffle: {
      const trace::ShuffleRecord* shuffle = shuffle_at(step);
      const int from = shuffle == nullptr ? -1 : shuffle->source_lane[static_cast<std::size_t>(lane)];
      if (from >= 0 && !f.sources.empty()) add(f.sources.front(), from, from == lane ? Way::direct : Way::shuffle);
      break;
    }
    case Kind::lanes:
      for (const std::size_t from : set_bits(s.active))
        if (!f.sources.empty())
          add(f.sources.front(), static_cast<int>(from), static_cast<int>(from) == lane ? Way::direct : Way::shuffle);
      break;
    case Kind::load: {
      const auto at = std::ranges::find(f.results, result);
      if (f.matrix) {
        for (const FragmentPart& part : parts_of_fragment(static_cast<int>(at - f.results.begin()), lane, f.transposed))
          for (const Edge& e : loaded(step, part.lane, part.first, part.bytes))
            if (std::ranges::find(operands, e.to, &Edge::to) == operands.end()) operands.push_back(e);
        break;
      }
      operands = loaded(step, lane, static_cast<int>(at - f.results.begin()) * f.element_bytes, f.element_bytes);
      break;
    }
    case Kind::transpose:
      for (int half = 0; half < 2 && !f.sources.empty(); ++half) {
        const int from = transposed_half(lane, half).lane;
        add(f.sources.front(), from, from == lane ? Way::direct : Way::shuffle);
      }
      break;
    case Kind::old: {
      const auto at = std::ranges::find(f.results, result);
      const bool first = at == f.results.begin();
      operands = first ? old_value(step, lane, f.element_bytes) : std::vector<Edge>{};
      other = !first;
      break;
    }
    case Kind::none:
    case Kind::product:
    case Kind::opaque:
      other = true;
      break;
  }
  Node& n = nodes_[static_cast<std::size_t>(index)];
  n.kind = kind, n.op = f.op, n.adds = f.adds, n.other_constants = other, n.zero = zeros;
  n.operands = std::move(operands);
}

bool Origins::follow() {
  while (!todo_.empty()) {
    if (nodes_.size() > most_nodes) {
      todo_.clear();
      return false;
    }
    const std::int32_t next = todo_.back();
    todo_.pop_back();
    expanded(next);
  }
  return true;
}

const Origins::Node& Origins::expanded(std::int32_t node) {
  const auto n = static_cast<std::size_t>(node);
  if (nodes_[n].pending) {
    nodes_[n].pending = false;
    expand(node);
  }
  return nodes_[n];
}

const InstructionFacts& Origins::facts_at(std::int64_t step) const {
  static const InstructionFacts none;
  const std::uint32_t pc = trace_.steps[static_cast<std::size_t>(step)].pc;
  return pc < facts_.size() ? facts_[pc] : none;
}

Origins::Edge Origins::probed(std::int64_t step, int lane) {
  const std::uint32_t pc = trace_.steps[static_cast<std::size_t>(step)].pc;
  return pc < probed_.size() ? source_at(step, lane, probed_[pc]) : Edge{};
}

Origins::Edge Origins::accessed(std::size_t record, int lane, int first, int bytes) {
  const AccessRecord r = trace_.accesses[record];
  if (!has_lane(r.mask, lane)) return {};
  if (r.kind == AccessKind::load || !writes_memory(trace_.accesses, record))
    return {.to = end_of(r, record, lane, first, bytes)};
  return written(record, r, lane, r.addresses[static_cast<std::size_t>(lane)] + static_cast<std::uint64_t>(first));
}

Origins::Edge Origins::shared_word(std::int64_t step, std::uint32_t word) {
  bool all = false;
  const std::vector<Edge> edges = writers(trace_.accesses.count_until(step), MemorySpace::shared, 0, 0,
                                          std::uint64_t{word} * 4, 4, std::nullopt, all);
  if (edges.empty()) return {};
  if (edges.size() == 1) return edges.front();
  const auto index = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({.step = step, .kind = Kind::compute, .op = "parts", .operands = edges});
  return {.to = index};
}

std::optional<std::size_t> Origins::shown_by(std::int64_t step, int lane, RegisterKey reg) const {
  const std::vector<std::uint32_t>& steps = steps_of_[trace_.steps[static_cast<std::size_t>(step)].warp];
  auto at = std::ranges::upper_bound(steps, static_cast<std::uint64_t>(step));
  for (std::size_t n = 0; at != steps.end() && n < most_steps_to_probe; ++at, ++n) {
    const trace::StepRecord& s = trace_.steps[*at];
    if (!has_lane(s.active, lane) || s.pc >= facts_.size()) continue;
    if (probed_[s.pc].is_register && probed_[s.pc].reg == reg) {
      const std::size_t probe = trace_.probes.count_until(static_cast<std::int64_t>(*at) - 1);
      if (probe < trace_.probes.size() && trace_.probes.step(probe) == *at) return probe;
    }
    if (std::ranges::find(facts_[s.pc].results, reg) != facts_[s.pc].results.end()) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace lanescope::engine
