#include "app/engine/prepare/repeated_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "app/engine/requests/time_limit.h"
#include "kernels/base/set_bits.h"
#include "kernels/emulator/emulator.h"
#include "kernels/instrument/block_dependence.h"
#include "profiling/races/races.h"

namespace lanescope::engine {
namespace {

using instrument::BlockAccess;
using instrument::BlockDependence;
using instrument::BlockGuard;
using Wide = __int128;  // differences of 64-bit numbers

/// Values of an operand, and how they compare with the other one.
struct SeenOperands {
  bool any = false;
  Wide least_a = 0, most_a = 0, least_b = 0, most_b = 0;
  bool equal = false;
  std::optional<Wide> least_above, most_below;  ///< of a - b
  std::uint64_t bits_b = 0;                     ///< set in some b
};

struct SeenAccess {
  bool any = false, unknown = false;
  int buffer = -1;
  std::uint64_t first = 0, end = 0;  ///< bytes of the buffer
  std::uint64_t width = 1;           ///< the largest
  std::uint64_t own_bits = 0;        ///< set in some of them, without the term of the block
};

/// Where the buffers lie.
struct Places {
  std::vector<std::uint64_t> first, bytes;

  explicit Places(const std::vector<trace::Buffer>& buffers) : first(emulator::place_buffers(buffers)) {
    for (const trace::Buffer& b : buffers) bytes.push_back(b.bytes.size());
  }
  int buffer_at(std::uint64_t address) const {
    for (std::size_t b = 0; b < first.size(); ++b)
      if (address - first[b] < bytes[b]) return static_cast<int>(b);
    return -1;
  }
};

/// Collects, in the run of one block, the operands of guards and the addresses of accesses.
class OperandWatcher final : public trace::Observer {
 public:
  /// `at`: the terms in that block.
  OperandWatcher(const BlockDependence& dependence, const std::vector<std::uint32_t>& pcs, const Places& places,
                 std::uint32_t warps, const std::vector<std::uint64_t>& at)
      : guards(dependence.guards.size()),
        accesses(dependence.accesses.size()),
        dependence_(dependence),
        places_(places),
        at_(at),
        held_(warps * dependence.guards.size()) {
    for (std::size_t n = 0; n < dependence.accesses.size(); ++n) {
      const std::uint32_t pc = pcs[dependence.accesses[n].instruction];
      if (pc >= access_at_.size()) access_at_.resize(pc + 1, -1);
      access_at_[pc] = static_cast<int>(n);
    }
    for (const BlockGuard& g : dependence.guards) last_probe_.push_back(last_probe(g));
  }
  std::vector<SeenOperands> guards;
  std::vector<SeenAccess> accesses;
  bool unknown = false;  ///< an access that is not followed

  void on_probe(const trace::ProbeEvent& event) override {
    const auto g = static_cast<std::size_t>(event.probe) / 4;
    const std::size_t operand = static_cast<std::size_t>(event.probe) / 2 % 2;
    const bool upper = event.probe % 2 != 0;
    Held& held = held_[event.where.warp * guards.size() + g];
    for (const std::size_t lane : set_bits(event.where.active)) {
      std::uint64_t& value = held[operand][lane];
      value = upper ? (value & 0xffffffffu) | std::uint64_t{event.values[lane]} << 32 : event.values[lane];
    }
    if (event.probe % 4 == last_probe_[g]) see(g, held, event.where.active);
  }

  void on_access(const trace::AccessEvent& event) override {
    if (event.where.pc >= access_at_.size() || access_at_[event.where.pc] < 0) return;
    const auto n = static_cast<std::size_t>(access_at_[event.where.pc]);
    SeenAccess& seen = accesses[n];
    if (event.space != trace::MemorySpace::global) {
      const bool copies = event.kind == trace::AccessKind::async_copy;
      if (!copies && dependence_.accesses[n].term != 0) seen.unknown = true;
      return;
    }
    const auto width = static_cast<std::uint64_t>(event.width_bytes);
    const std::uint64_t term = at_[dependence_.accesses[n].term];
    for (const std::size_t lane : set_bits(event.where.active)) {
      if (!seen.any) seen.buffer = places_.buffer_at(event.addresses[lane]);
      if (seen.buffer < 0) break;
      const auto b = static_cast<std::size_t>(seen.buffer);
      const std::uint64_t from = event.addresses[lane] - places_.first[b];
      if (from > places_.bytes[b] || places_.bytes[b] - from < width || from % width != 0) seen.unknown = true;
      seen.first = seen.any ? std::min(seen.first, from) : from;
      seen.end = seen.any ? std::max(seen.end, from + width) : from + width;
      seen.any = true;
      seen.width = std::max(seen.width, width);
      seen.own_bits |= from - term;
    }
    if (seen.buffer < 0 || !std::has_single_bit(width)) seen.unknown = true;
  }
  void on_remote_access(const trace::RemoteAccessEvent&) override { unknown = true; }
  void on_bulk_copy(const trace::BulkCopyEvent&) override { unknown = true; }

 private:
  using Held = std::array<std::array<std::uint64_t, trace::lanes_per_warp>, 2>;

  static int last_probe(const BlockGuard& g) {
    int last = -1;
    for (const int operand : {0, 1}) {
      const ptx::Operand& o = operand == 0 ? g.at_a : g.at_b;
      if (o.kind == ptx::Operand::Kind::reg && o.reg >= 0) last = 2 * operand + (g.bits == 64 ? 1 : 0);
    }
    return last;
  }

  void see(std::size_t g, const Held& held, std::uint32_t active) {
    const BlockGuard& guard = dependence_.guards[g];
    SeenOperands& seen = guards[g];
    const auto number = [&](const ptx::Operand& o, std::uint64_t value) {
      const std::uint64_t bits =
          instrument::low_bits(o.kind == ptx::Operand::Kind::immediate ? o.bits : value, guard.bits);
      return guard.is_signed ? Wide{instrument::signed_value(bits, guard.bits)} : Wide{bits};
    };
    for (const std::size_t lane : set_bits(active)) {
      const Wide a = number(guard.at_a, held[0][lane]), b = number(guard.at_b, held[1][lane]);
      seen.least_a = seen.any ? std::min(seen.least_a, a) : a, seen.most_a = seen.any ? std::max(seen.most_a, a) : a;
      seen.least_b = seen.any ? std::min(seen.least_b, b) : b, seen.most_b = seen.any ? std::max(seen.most_b, b) : b;
      seen.any = true;
      seen.equal = seen.equal || a == b;
      if (a > b) seen.least_above = std::min(seen.least_above.value_or(a - b), a - b);
      if (a < b) seen.most_below = std::max(seen.most_below.value_or(a - b), a - b);
      seen.bits_b |= static_cast<std::uint64_t>(b);
    }
  }

  const BlockDependence& dependence_;
  const Places& places_;
  const std::vector<std::uint64_t>& at_;
  std::vector<int> access_at_;  ///< by pc; -1: none
  std::vector<int> last_probe_;
  std::vector<Held> held_;  ///< [warp][guard]
};

/// How far values between `least` and `most` move from one block to another, `difference` modulo 2^bits; nullopt: they leave
/// the range of their type.
std::optional<Wide> move_in_range(const BlockGuard& g, std::uint64_t difference, Wide least, Wide most) {
  const Wide all = Wide{1} << g.bits;
  const Wide lowest = g.is_signed && !g.non_negative ? -(all / 2) : 0;
  const Wide highest = g.is_signed ? all / 2 - 1 : all - 1;
  const Wide moved = instrument::signed_value(instrument::low_bits(difference, g.bits), g.bits);
  if (least < lowest || most > highest) return std::nullopt;
  for (const Wide by : {moved, moved - all, moved + all})
    if (least + by >= lowest && most + by <= highest) return by;
  return std::nullopt;
}

/// Whether the guard is met alike where its terms are `to` instead of `from`.
bool alike(const BlockGuard& g, const SeenOperands& seen, const std::vector<std::uint64_t>& from,
           const std::vector<std::uint64_t>& to) {
  const std::uint64_t moved_a = to[g.a] - from[g.a], moved_b = to[g.b] - from[g.b];
  if (g.kind == BlockGuard::Kind::same) return moved_a == 0;
  if (!seen.any) return true;
  const std::uint64_t difference = instrument::low_bits(moved_a, g.bits);
  switch (g.kind) {
    case BlockGuard::Kind::same:
      break;
    case BlockGuard::Kind::order: {
      const auto a = move_in_range(g, moved_a, seen.least_a, seen.most_a);
      const auto b = move_in_range(g, moved_b, seen.least_b, seen.most_b);
      if (!a || !b) return false;
      const Wide by = *a - *b;  // of a - b
      if (by == 0) return true;
      const bool above_stays = !seen.least_above || *seen.least_above + by > 0;
      const bool below_stays = !seen.most_below || *seen.most_below + by < 0;
      if (g.only_equal) return !seen.equal && above_stays && below_stays;
      if (g.or_equal)  // a <= b, or a > b
        return above_stays && (!seen.most_below || *seen.most_below + by <= 0) && (!seen.equal || by <= 0);
      return below_stays && (!seen.least_above || *seen.least_above + by >= 0) && (!seen.equal || by >= 0);
    }
    case BlockGuard::Kind::step: {
      if (!g.in_range) return difference % g.multiple == 0;
      const auto by = move_in_range(g, moved_a, seen.least_a, seen.most_a);
      if (!by || *by % Wide{g.multiple} != 0) return false;
      const Wide factor = g.is_signed ? Wide{static_cast<std::int64_t>(g.numerator)} : Wide{g.numerator};
      const auto expected = static_cast<std::uint64_t>(*by / Wide{g.denominator} * factor);
      return instrument::low_bits(to[g.result] - from[g.result], g.result_bits) ==
             instrument::low_bits(expected, g.result_bits);
    }
    case BlockGuard::Kind::apart: {
      const int low = std::bit_width(instrument::low_bits(seen.bits_b, g.bits));
      return low > 63 ? difference == 0 : difference % (std::uint64_t{1} << low) == 0;
    }
  }
  return false;
}

/// Accesses to one buffer, in all blocks.
struct BufferUse {
  bool loaded = false, stored = false;
  bool one_move = true;             ///< all accesses of a block lie further by the same bytes
  std::uint64_t own_bits = 0;       ///< as of the accesses
  std::vector<std::uint64_t> term;  ///< by block: the term of its accesses
  std::vector<std::pair<std::uint64_t, std::uint64_t>> reach{};  ///< by block that ran: its first byte and the end
};

class Classes {
 public:
  Classes(const Program& program, const trace::Launch& launch, const std::vector<trace::Buffer>& buffers,
          const ExecutionOptions& options, BlockDependence dependence)
      : launch_(launch),
        options_(options),
        buffers_(buffers),
        places_(buffers),
        dependence_(std::move(dependence)),
        watched_(instrument::with_operands(program.module, launch, dependence_.guards)) {
    out_.like.assign(launch.grid.count(), none);
  }

  /// Without moved_bytes.
  Expected<claims::RepeatedBlocks> find() {
    const std::uint64_t blocks = launch_.grid.count();
    constexpr std::size_t most_kinds = 256, kinds_before_look = 16;
    for (std::uint32_t block = 0; block < blocks; ++block) {
      if (out_.like[block] != none) continue;
      const bool too_many = out_.ran.size() >= std::min<std::uint64_t>(most_kinds, blocks / 2) ||
                            (out_.ran.size() == kinds_before_look && found_ < blocks / 4);
      if (too_many) return failure("too many blocks differ from each other");
      if (auto ok = run(block); !ok) return tl::unexpected(ok.error());
    }
    return out_;
  }

  Expected<claims::RepeatedBlocks> find_with_moves() {
    if (auto ok = find(); !ok) return ok;
    const std::uint64_t blocks = launch_.grid.count();
    for (const auto& [buffer, use] : uses_) {
      if (!use.loaded) continue;
      if (!use.one_move) return failure("loads of one array move by different amounts from block to block");
      if (use.stored && !separate(use)) return failure("a block may read what another one stores");
      std::vector<std::int64_t>& moved = out_.moved_bytes[buffer];
      for (std::uint32_t b = 0; b < blocks; ++b)
        moved.push_back(static_cast<std::int64_t>(use.term[b] - use.term[out_.like[b]]));
    }
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t none = ~0u;

  trace::Dim3 index(std::uint32_t block) const { return trace::index_of(launch_.grid, block); }

  /// Runs one block and finds those that repeat it.
  Expected<void> run(std::uint32_t block) {
    std::vector<std::uint64_t> from, to;
    dependence_.terms.evaluate(index(block), from);
    OperandWatcher watcher(dependence_, watched_.places, places_, launch_.warps_per_block(), from);
    std::vector<trace::Buffer> scratch = buffers_;
    emulator::Options how{
        .max_steps = options_.max_steps, .slice = 0, .observers = {&watcher}, .cancel = options_.cancel};
    how.print = {.calls = 0, .bytes = 0};
    how.limits.leave_at = options_.times.leave;
    how.only_blocks = {block};
    const auto ran = emulator::run(watched_.module, launch_, scratch, how);
    if (!ran) return tl::unexpected(ran.error());
    const bool followed = std::ranges::none_of(watcher.accesses, &SeenAccess::unknown) && !watcher.unknown;
    if (!ran->faults.empty() || ran->coverage.midway > 0 || !followed)
      return failure("a block does not run to its end, or accesses memory in a way that is not followed");
    out_.ran.push_back(block);
    note(watcher);
    take(block, block, watcher, from);
    for (std::uint32_t other = block + 1; other < out_.like.size(); ++other) {
      if (out_.like[other] != none) continue;
      if (other % 4096 == 0 && cancelled(options_.cancel)) return failure("cancelled");
      dependence_.terms.evaluate(index(other), to);
      if (repeats(watcher, from, to)) take(other, block, watcher, to);
    }
    return {};
  }

  /// Accesses of a block that ran.
  void note(const OperandWatcher& watcher) {
    for (std::size_t n = 0; n < watcher.accesses.size(); ++n) {
      const SeenAccess& seen = watcher.accesses[n];
      if (!seen.any) continue;
      const BlockAccess& access = dependence_.accesses[n];
      BufferUse& use = uses_[seen.buffer];
      use.loaded = use.loaded || access.loads;
      use.stored = use.stored || access.stores;
      use.own_bits |= seen.own_bits | (seen.width - 1);
      use.term.resize(out_.like.size());
      use.reach.resize(out_.ran.size(), {~std::uint64_t{0}, 0});
      auto& [first, end] = use.reach.back();
      first = std::min(first, seen.first), end = std::max(end, seen.end);
    }
    for (auto& [buffer, use] : uses_) use.reach.resize(out_.ran.size(), {~std::uint64_t{0}, 0});
  }

  bool repeats(const OperandWatcher& watcher, const std::vector<std::uint64_t>& from,
               const std::vector<std::uint64_t>& to) const {
    for (std::size_t g = 0; g < dependence_.guards.size(); ++g)
      if (!alike(dependence_.guards[g], watcher.guards[g], from, to)) return false;
    for (std::size_t n = 0; n < watcher.accesses.size(); ++n) {
      const SeenAccess& seen = watcher.accesses[n];
      if (!seen.any) continue;
      const std::uint64_t moved = to[dependence_.accesses[n].term] - from[dependence_.accesses[n].term];
      const std::uint64_t first = seen.first + moved, bytes = places_.bytes[static_cast<std::size_t>(seen.buffer)];
      if (moved % seen.width != 0 || first > bytes || bytes - first < seen.end - seen.first) return false;
    }
    return true;
  }

  void take(std::uint32_t block, std::uint32_t like, const OperandWatcher& watcher,
            const std::vector<std::uint64_t>& at) {
    out_.like[block] = like;
    ++found_;
    std::set<int> done;
    for (std::size_t n = 0; n < watcher.accesses.size(); ++n) {
      const SeenAccess& seen = watcher.accesses[n];
      if (!seen.any) continue;
      BufferUse& use = uses_[seen.buffer];
      const std::uint64_t term = at[dependence_.accesses[n].term];
      if (done.insert(seen.buffer).second)
        use.term[block] = term;
      else
        use.one_move = use.one_move && use.term[block] == term;
    }
  }

  /// Whether no two blocks access the same bytes of a buffer.
  bool separate(const BufferUse& use) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> reaches;
    std::vector<std::uint64_t> terms;
    std::uint64_t term_bits = 0;
    for (std::uint32_t block = 0; block < out_.like.size(); ++block) {
      const auto kind = std::ranges::lower_bound(out_.ran, out_.like[block]) - out_.ran.begin();
      const auto& [first, end] = use.reach[static_cast<std::size_t>(kind)];
      if (first >= end) continue;
      const std::uint64_t moved = use.term[block] - use.term[out_.like[block]];
      reaches.emplace_back(first + moved, end + moved);
      terms.push_back(use.term[block]);
      term_bits |= use.term[block];
    }
    std::ranges::sort(reaches);
    const auto overlaps = [](const auto& a, const auto& b) { return a.second > b.first; };
    if (std::ranges::adjacent_find(reaches, overlaps) == reaches.end()) return true;
    std::ranges::sort(terms);
    return (term_bits & use.own_bits) == 0 && std::ranges::adjacent_find(terms) == terms.end();
  }

  const trace::Launch& launch_;
  const ExecutionOptions& options_;
  const std::vector<trace::Buffer>& buffers_;
  Places places_;
  BlockDependence dependence_;
  instrument::Watched watched_;
  claims::RepeatedBlocks out_;
  std::uint64_t found_ = 0;
  std::map<int, BufferUse> uses_;
};

}  // namespace

std::vector<bool> steered_by_blocks_alone(const Program& program, const std::vector<trace::Buffer>& buffers) {
  const auto addresses = emulator::place_buffers(buffers);
  std::vector<bool> out;
  for (const trace::Launch& launch : program.launches)
    out.push_back(instrument::block_dependence(program.module, launch, addresses).has_value());
  return out;
}

Expected<claims::RepeatedBlocks> repeated_blocks(const Program& program, const trace::Launch& launch,
                                                 const std::vector<trace::Buffer>& buffers,
                                                 const ExecutionOptions& options) {
  auto dependence = instrument::block_dependence(program.module, launch, emulator::place_buffers(buffers));
  if (!dependence) return tl::unexpected(dependence.error());
  return Classes(program, launch, buffers, options, std::move(*dependence)).find_with_moves();
}

std::vector<std::uint32_t> alike_in_shared_memory(const Program& program, const trace::Launch& launch,
                                                  const std::vector<trace::CodeSite>& code,
                                                  const std::vector<trace::Buffer>& buffers,
                                                  const ExecutionOptions& options) {
  const std::uint64_t blocks = launch.grid.count();
  const auto uses_shared = [](const trace::CodeSite& c) { return c.text.find(".shared") != std::string::npos; };
  if (blocks < least_blocks_to_repeat || program.heap_bytes > 0 || launches_kernels(program.module) ||
      std::ranges::none_of(code, uses_shared))
    return {};
  auto dependence = instrument::block_dependence(program.module, launch, emulator::place_buffers(buffers));
  if (!dependence) return {};
  const auto found = Classes(program, launch, buffers, options, std::move(*dependence)).find();
  if (!found) return {};
  races::RaceObserver races(launch, code, {});
  std::vector<trace::Buffer> scratch = buffers;
  emulator::Options how{.max_steps = options.max_steps,
                        .observers = {&races},
                        .cancel = options.cancel,
                        .print = {.calls = 0, .bytes = 0}};
  how.limits.leave_at = options.times.leave;
  how.only_blocks = found->ran;
  const auto ran = emulator::run(program.module, launch, scratch, how);
  const bool whole =
      ran && ran->faults.empty() && ran->coverage.midway == 0 && ran->coverage.ran() == found->ran.size();
  const bool clean = races.judged() && races.races().empty() && races.volatile_pairs().empty() &&
                     races.unwatched_words() == 0 && races.dropped_accesses() == 0;
  return whole && clean ? found->like : std::vector<std::uint32_t>();
}

}  // namespace lanescope::engine
