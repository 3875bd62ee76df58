#include "profiling/review/observe/incoherent_reads.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "kernels/base/set_bits.h"

namespace lanescope::review {
namespace {

using Kind = ptx::Operand::Kind;

/// Bytes of a piece: words, where elements consist of whole ones.
std::uint64_t piece_bytes(int element_bits) { return element_bits % 32 == 0 ? 4 : element_bits % 16 == 0 ? 2 : 1; }

constexpr std::size_t most_followed = 16;  ///< registers on the way of one value
constexpr int deepest = 12;                ///< of the expression of a predicate

bool is_arithmetic(std::string_view opcode) {
  constexpr std::string_view opcodes[] = {"add", "sub", "mul", "mad", "fma", "min", "max", "and", "or",
                                          "xor", "not", "neg", "abs", "shl", "shr", "cvt", "mov"};
  return std::ranges::find(opcodes, opcode) != std::end(opcodes);
}

/// The first operand is written and not read.
bool has_destination(const ptx::Instruction& in) {
  constexpr std::string_view opcodes[] = {"ld", "selp", "setp", "cvta", "atom", "shfl", "vote", "ballot"};
  return is_arithmetic(in.opcode) || std::ranges::find(opcodes, in.opcode) != std::end(opcodes);
}

/// Where registers are written and read.
struct Uses {
  explicit Uses(const ptx::Entry& e) : entry(e), written_at(e.registers.size()), read_at(e.registers.size()) {
    for (std::size_t pc = 0; pc < e.code.size(); ++pc) {
      const ptx::Instruction& in = e.code[pc];
      add(read_at, in.predicate, pc);
      const bool destination = has_destination(in);
      for (std::size_t n = 0; n < in.operands.size(); ++n) {
        if (n > 0 || !destination) operand(in.operands[n], pc, false);
        if (n == 0) operand(in.operands[n], pc, true);  // of any other instruction it may be both
      }
    }
    for (const ptx::Probe& p : e.probes) probed = probed || p.instruction >= 0;
  }
  void add(std::vector<std::vector<std::size_t>>& to, int reg, std::size_t pc) {
    if (reg >= 0 && static_cast<std::size_t>(reg) < to.size()) to[static_cast<std::size_t>(reg)].push_back(pc);
  }
  void operand(const ptx::Operand& o, std::size_t pc, bool destination) {
    const bool writes = destination && o.kind != Kind::address;
    add(writes ? written_at : read_at, o.reg, pc);
    add(writes ? written_at : read_at, o.second_reg, pc);
    for (const ptx::Operand& e : o.elements) operand(e, pc, destination);
  }
  /// The instruction that sets it, if there is one only, which is always executed where it is reached.
  const ptx::Instruction* setter(int reg) const {
    if (reg < 0 || static_cast<std::size_t>(reg) >= written_at.size()) return nullptr;
    const auto& at = written_at[static_cast<std::size_t>(reg)];
    return at.size() == 1 && entry.code[at[0]].predicate < 0 ? &entry.code[at[0]] : nullptr;
  }
  const ptx::Entry& entry;
  std::vector<std::vector<std::size_t>> written_at, read_at;
  bool probed = false;
};

/// A value is kept where the predicate is so.
struct Kept {
  int predicate = -1;
  bool so = true;
};

/// Under which predicates any of the registers is kept; nullopt: it is used otherwise, too, or not followed.
std::optional<std::vector<Kept>> kept_under(const Uses& uses, std::vector<int> registers) {
  std::vector<Kept> out;
  std::set<int> seen(registers.begin(), registers.end());
  while (!registers.empty()) {
    const int reg = registers.back();
    registers.pop_back();
    if (reg < 0 || static_cast<std::size_t>(reg) >= uses.read_at.size() || uses.setter(reg) == nullptr ||
        seen.size() > most_followed)
      return std::nullopt;
    for (const std::size_t pc : uses.read_at[static_cast<std::size_t>(reg)]) {
      const ptx::Instruction& in = uses.entry.code[pc];
      if (in.predicate >= 0 || in.operands.size() < 2 || in.operands[0].kind != Kind::reg) return std::nullopt;
      if (in.opcode == "selp" && in.operands.size() == 4) {
        const auto is_value = [&](std::size_t n) {
          return in.operands[n].kind == Kind::reg && in.operands[n].reg == reg;
        };
        const ptx::Operand& by = in.operands[3];
        if (is_value(1) == is_value(2) || by.kind != Kind::reg || by.reg == reg) return std::nullopt;
        out.push_back({.predicate = by.reg, .so = is_value(1) != by.negated});
      } else if (is_arithmetic(in.opcode)) {
        if (seen.insert(in.operands[0].reg).second) registers.push_back(in.operands[0].reg);
      } else {
        return std::nullopt;
      }
    }
  }
  return out;
}

/// Predicates decided by thread indices and constants, for one thread.
class Evaluated {
 public:
  Evaluated(const Uses& uses, const trace::Launch& launch, std::uint32_t thread) : uses_(uses), block_(launch.block) {
    tid_ = {thread % block_.x, thread / block_.x % block_.y, thread / block_.x / block_.y};
    lane_ = thread % 32;
  }

  std::optional<bool> predicate(int reg, int depth = 0) const {
    const ptx::Instruction* const in = uses_.setter(reg);
    if (in == nullptr || depth > deepest || in->operands.size() != 3 || in->operands[0].second_reg >= 0)
      return std::nullopt;
    if (in->opcode == "and" || in->opcode == "or") {
      const auto one = of(in->operands[1], depth), other = of(in->operands[2], depth);
      if (!one || !other) return std::nullopt;
      return in->opcode == "and" ? *one && *other : *one || *other;
    }
    if (in->opcode != "setp" || in->types.size() != 1 || ptx::bits_of(in->types[0]) != 32) return std::nullopt;
    const auto a = value(in->operands[1], depth), b = value(in->operands[2], depth);
    if (!a || !b) return std::nullopt;
    const bool is_signed = in->types[0] == ptx::Type::s32;
    if (!is_signed && in->types[0] != ptx::Type::u32 && in->types[0] != ptx::Type::b32) return std::nullopt;
    const auto x = is_signed ? std::int64_t{static_cast<std::int32_t>(*a)} : std::int64_t{*a};
    const auto y = is_signed ? std::int64_t{static_cast<std::int32_t>(*b)} : std::int64_t{*b};
    if (in->has("eq")) return x == y;
    if (in->has("ne")) return x != y;
    if (in->has("lt") || in->has("lo")) return x < y;
    if (in->has("le") || in->has("ls")) return x <= y;
    if (in->has("gt") || in->has("hi")) return x > y;
    if (in->has("ge") || in->has("hs")) return x >= y;
    return std::nullopt;
  }

 private:
  std::optional<bool> of(const ptx::Operand& o, int depth) const {
    if (o.kind != Kind::reg) return std::nullopt;
    const auto so = predicate(o.reg, depth + 1);
    return so ? std::optional(*so != o.negated) : so;
  }

  std::optional<std::uint32_t> value(const ptx::Operand& o, int depth) const {
    if (o.negated || depth > deepest) return std::nullopt;
    if (o.kind == Kind::immediate && !o.is_float) return static_cast<std::uint32_t>(o.bits);
    if (o.kind == Kind::special) return special(o.special);
    if (o.kind != Kind::reg) return std::nullopt;
    const ptx::Instruction* const in = uses_.setter(o.reg);
    if (in == nullptr || in->operands.size() < 2 || in->types.size() != 1 || ptx::bits_of(in->types[0]) != 32)
      return std::nullopt;
    if (in->opcode == "mov") return value(in->operands[1], depth + 1);
    if (in->operands.size() != 3) return std::nullopt;
    const auto a = value(in->operands[1], depth + 1), b = value(in->operands[2], depth + 1);
    if (!a || !b) return std::nullopt;
    if (in->opcode == "add" && in->modifiers.size() == 1) return *a + *b;
    if (in->opcode == "sub" && in->modifiers.size() == 1) return *a - *b;
    if (in->opcode == "and") return *a & *b;
    if (in->opcode == "or") return *a | *b;
    if (in->opcode == "xor") return *a ^ *b;
    if (in->opcode == "shl") return *b < 32 ? *a << *b : 0;
    if (in->opcode == "shr" && in->types[0] != ptx::Type::s32) return *b < 32 ? *a >> *b : 0;
    return std::nullopt;
  }

  std::optional<std::uint32_t> special(ptx::Special s) const {
    switch (s) {
      case ptx::Special::tid_x:
        return tid_.x;
      case ptx::Special::tid_y:
        return tid_.y;
      case ptx::Special::tid_z:
        return tid_.z;
      case ptx::Special::ntid_x:
        return block_.x;
      case ptx::Special::ntid_y:
        return block_.y;
      case ptx::Special::ntid_z:
        return block_.z;
      case ptx::Special::laneid:
        return lane_;
      default:
        return std::nullopt;
    }
  }

  const Uses& uses_;
  trace::Dim3 block_, tid_;
  std::uint32_t lane_ = 0;
};

}  // namespace

IncoherentReads::IncoherentReads(const LaunchReview& launch, std::size_t budget_bytes)
    : launch_(launch), buffers_(launch.buffers.size()), budget_bytes_(budget_bytes) {
  std::vector<bool> loads;
  for (const trace::CodeSite& site : launch.code) loads.push_back(site.text.find("ld.global.nc") != std::string::npos);
  if (std::ranges::find(loads, true) != loads.end() && loads.size() < std::numeric_limits<std::uint16_t>::max())
    loads_ = std::move(loads);
}

bool IncoherentReads::make_room(Pieces& pieces, std::uint64_t buffer_bytes) {
  if (!pieces.loaded.empty()) return true;
  const std::size_t count = buffer_bytes + 1, needed = 2 * count * sizeof(std::uint16_t);
  if (needed > budget_bytes_) return false;
  budget_bytes_ -= needed;
  pieces.loaded.resize(count), pieces.written.resize(count);
  return true;
}

void IncoherentReads::access(const trace::AccessEvent& event, int buffer) {
  using Kind = trace::AccessKind;
  if (loads_.empty() || buffer < 0) return;
  const bool loads = event.kind == Kind::load && event.where.pc < loads_.size() && loads_[event.where.pc];
  const bool writes = event.kind == Kind::store || event.kind == Kind::atomic || event.kind == Kind::reduction;
  if (!loads && !writes) return;
  Pieces& pieces = buffers_[static_cast<std::size_t>(buffer)];
  (loads ? pieces.any_loaded : pieces.any_written) = true;
  if (pieces.given_up) return;
  const LaunchReview::Buffer& b = launch_.buffers[static_cast<std::size_t>(buffer)];
  const std::uint64_t piece = piece_bytes(b.element_bits);
  if (!make_room(pieces, b.bytes / piece)) {
    pieces.given_up = true;
    return;
  }
  const auto width = static_cast<std::uint64_t>(event.width_bytes);
  const auto own = static_cast<std::uint16_t>(event.where.pc + 1);
  for (const std::size_t lane : set_bits(event.where.active)) {
    const std::uint64_t byte = event.addresses[lane] - b.address;
    if (width % piece != 0 || byte % piece != 0) {  // not the stated elements of the buffer
      pieces.given_up = true;
      return;
    }
    for (std::uint64_t n = byte / piece; n < (byte + width) / piece && n < pieces.loaded.size(); ++n) {
      std::uint16_t& mine = (loads ? pieces.loaded : pieces.written)[n];
      if (mine == 0) mine = own;
      const std::uint16_t other = (loads ? pieces.written : pieces.loaded)[n];
      if (other == 0) continue;
      const std::uint32_t load_pc = loads ? event.where.pc : other - 1u;
      const std::uint32_t write_pc = loads ? other - 1u : event.where.pc;
      Found& f = found_[{load_pc, write_pc}];
      if (f.times++ == 0)
        f = {.load_pc = load_pc,
             .write_pc = write_pc,
             .buffer = buffer,
             .byte = n * piece,
             .later = event.where,
             .load_first = !loads,
             .lane = static_cast<int>(lane),
             .times = 1};
    }
  }
}

std::vector<int> IncoherentReads::not_compared() const {
  std::vector<int> out;
  for (std::size_t n = 0; n < buffers_.size(); ++n)
    if (buffers_[n].given_up && buffers_[n].any_loaded && buffers_[n].any_written) out.push_back(static_cast<int>(n));
  return out;
}

DiscardedLoads::DiscardedLoads(const ptx::Entry& entry, const trace::Launch& launch) : lanes_(entry.code.size()) {
  const Uses uses(entry);
  const auto threads = static_cast<std::uint32_t>(launch.block.count());
  for (std::size_t pc = 0; pc < entry.code.size(); ++pc) {
    const ptx::Instruction& in = entry.code[pc];
    const bool plain = in.opcode == "ld" && in.predicate < 0 && in.operands.size() == 2 && !in.has("param") &&
                       !in.has("volatile") && !in.has("relaxed") && !in.has("acquire");
    if (!plain || uses.probed) continue;
    std::vector<int> registers;
    if (in.operands[0].kind == Kind::reg) registers.push_back(in.operands[0].reg);
    for (const ptx::Operand& e : in.operands[0].elements) registers.push_back(e.reg);
    const auto kept = kept_under(uses, registers);
    if (!kept || kept->empty()) continue;
    std::vector<std::uint32_t> lanes(launch.warps_per_block(), 0);
    bool known = true;
    for (std::uint32_t t = 0; t < threads && known; ++t) {
      const Evaluated evaluated(uses, launch, t);
      for (const Kept& k : *kept) {
        const auto so = evaluated.predicate(k.predicate);
        known = known && so.has_value();
        if (so && *so == k.so) lanes[t / 32] |= 1u << t % 32;
      }
    }
    if (known) lanes_[pc] = std::move(lanes);
  }
}

}  // namespace lanescope::review
