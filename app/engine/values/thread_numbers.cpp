#include "app/engine/values/origins.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "kernels/emulator/machine/program.h"
#include "kernels/trace/launch.h"

namespace lanescope::engine {
namespace {

using ptx::Special;
using ptx::Type;
using Number = std::optional<std::uint64_t>;

constexpr int most_depth = 300;

bool has_sign(Type t) { return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64; }
bool is_real(Type t) { return t == Type::f32 || t == Type::f64; }

std::uint64_t cut(std::uint64_t value, int bits) {
  return bits >= 64 || bits <= 0 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
std::int64_t as_signed(std::uint64_t value, int bits) {
  if (bits >= 64 || bits <= 0) return static_cast<std::int64_t>(value);
  const int away = 64 - bits;
  return static_cast<std::int64_t>(value << away) >> away;
}
double as_float(std::uint64_t bits, Type t) {
  return t == Type::f64 ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

template <class T>
std::optional<bool> holds(std::string_view how, T a, T b) {
  if (how == "eq") return a == b;
  if (how == "ne") return a != b;
  if (how == "lt" || how == "lo") return a < b;
  if (how == "le" || how == "ls") return a <= b;
  if (how == "gt" || how == "hi") return a > b;
  if (how == "ge" || how == "hs") return a >= b;
  return std::nullopt;
}

}  // namespace

ThreadNumbers::ThreadNumbers(const trace::Trace& trace, const ptx::Module& module, const ptx::Entry& entry,
                             WriterOf writer)
    : trace_(trace), writer_(std::move(writer)) {
  RegisterKey first = 0;
  for (const int index : emulator::reachable(module, entry)) {
    const ptx::Entry& e = module.entries[static_cast<std::size_t>(index)];
    for (const ptx::Instruction& i : e.code) sites_.push_back({&i, &e, first});
    first += static_cast<RegisterKey>(e.registers.size());
  }
}

Number ThreadNumbers::before(std::int64_t step, int lane, RegisterKey reg) {
  const std::int64_t at = writer_(step, trace_.steps[static_cast<std::size_t>(step)].warp, lane, reg);
  if (at < 0) return std::nullopt;
  const std::uint64_t key = static_cast<std::uint64_t>(at) << 32 | static_cast<std::uint64_t>(lane) << 27 | reg;
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (depth_ >= most_depth) return std::nullopt;  // not remembered: from elsewhere it may be nearer
  ++depth_;
  const Number value = written(at, lane, reg);
  --depth_;
  return known_[key] = value;
}

Number ThreadNumbers::special(Special which, std::int64_t step, int lane) const {
  const trace::Launch& launch = trace_.launch;
  const trace::StepRecord& s = trace_.steps[static_cast<std::size_t>(step)];
  const std::uint32_t thread = s.warp * 32 + static_cast<std::uint32_t>(lane);
  const trace::Dim3 &b = launch.block, &g = launch.grid;
  const trace::Dim3 in_block = trace::index_of(b, thread), in_grid = trace::index_of(g, s.block);
  const std::pair<Special, std::uint64_t> known[] = {{Special::tid_x, in_block.x},
                                                     {Special::tid_y, in_block.y},
                                                     {Special::tid_z, in_block.z},
                                                     {Special::ntid_x, b.x},
                                                     {Special::ntid_y, b.y},
                                                     {Special::ntid_z, b.z},
                                                     {Special::ctaid_x, in_grid.x},
                                                     {Special::ctaid_y, in_grid.y},
                                                     {Special::ctaid_z, in_grid.z},
                                                     {Special::nctaid_x, g.x},
                                                     {Special::nctaid_y, g.y},
                                                     {Special::nctaid_z, g.z},
                                                     {Special::laneid, static_cast<std::uint64_t>(lane)}};
  const auto* const found = std::ranges::find(known, which, &std::pair<Special, std::uint64_t>::first);
  return found == std::end(known) ? Number() : found->second;
}

Number ThreadNumbers::operand(const Site& site, const ptx::Operand& o, std::int64_t step, int lane) {
  switch (o.kind) {
    case ptx::Operand::Kind::immediate:
      return o.bits;
    case ptx::Operand::Kind::special:
      return special(o.special, step, lane);
    case ptx::Operand::Kind::reg: {
      if (o.reg < 0) return std::nullopt;
      Number value = before(step, lane, site.first + static_cast<RegisterKey>(o.reg));
      const bool predicate = site.entry->registers[static_cast<std::size_t>(o.reg)].type == Type::pred;
      if (value && o.negated) value = predicate ? Number(*value ^ 1) : std::nullopt;
      return value;
    }
    default:
      return std::nullopt;
  }
}

Number ThreadNumbers::compared(const Site& site, std::int64_t step, int lane, bool second) {
  const ptx::Instruction& i = *site.instruction;
  if (i.modifiers.empty() || i.types.empty() || i.operands.size() < 3) return std::nullopt;
  const Number a = operand(site, i.operands[1], step, lane), b = operand(site, i.operands[2], step, lane);
  if (!a || !b) return std::nullopt;
  const Type t = i.types.back();
  const int bits = ptx::bits_of(t);
  std::optional<bool> result;
  if (is_real(t))
    result = i.has("ftz") ? std::nullopt : holds(i.modifiers[0], as_float(*a, t), as_float(*b, t));
  else if (has_sign(t))
    result = holds(i.modifiers[0], as_signed(*a, bits), as_signed(*b, bits));
  else if (ptx::bits_of(t) > 0 && t != Type::f16 && t != Type::bf16 && t != Type::f16x2 && t != Type::bf16x2)
    result = holds(i.modifiers[0], cut(*a, bits), cut(*b, bits));
  if (!result) return std::nullopt;
  if (i.operands.size() < 4) return second ? !*result : *result;
  const Number c = operand(site, i.operands[3], step, lane);
  if (!c) return std::nullopt;
  const bool with = *c != 0, value = second ? !*result : *result;
  if (i.has("and")) return value && with;
  if (i.has("or")) return value || with;
  if (i.has("xor")) return value != with;
  return std::nullopt;
}

/// Of a parameter of the kernel that is a number.
Number ThreadNumbers::parameter(const Site& site) const {
  const ptx::Instruction& i = *site.instruction;
  if (site.entry->is_function || i.types.empty() || i.operands.size() < 2) return std::nullopt;
  const ptx::Operand& from = i.operands[1];
  const bool named = from.kind == ptx::Operand::Kind::address && from.symbol_scope == ptx::Operand::Scope::param;
  if (!named || from.reg >= 0 || from.symbol < 0 || i.operands.front().kind != ptx::Operand::Kind::reg ||
      static_cast<std::size_t>(from.symbol) >= trace_.launch.arguments.size())
    return std::nullopt;
  const auto* bytes =
      std::get_if<trace::ValueArgument>(&trace_.launch.arguments[static_cast<std::size_t>(from.symbol)]);
  const int bits = ptx::bits_of(i.types.back());
  if (bytes == nullptr || from.offset < 0 || bits < 8 || bits > 64 ||
      static_cast<std::size_t>(from.offset) + static_cast<std::size_t>(bits / 8) > bytes->size())
    return std::nullopt;
  std::uint64_t value = 0;
  for (int b = 0; b < bits / 8; ++b)
    value |= std::to_integer<std::uint64_t>((*bytes)[static_cast<std::size_t>(from.offset + b)]) << (8 * b);
  return value;
}

/// A loaded value.
Number ThreadNumbers::loaded(const Site& site, std::int64_t step, int lane, RegisterKey reg) const {
  const ptx::Instruction& i = *site.instruction;
  const std::size_t n = trace_.accesses.count_until(step - 1);
  if (i.types.empty() || n >= trace_.accesses.size() || static_cast<std::int64_t>(trace_.accesses.step(n)) != step)
    return std::nullopt;
  const trace::AccessRecord r = trace_.accesses[n];
  const int bits = ptx::bits_of(i.types.back());
  std::size_t element = 0;
  const ptx::Operand& to = i.operands.front();
  if (to.kind == ptx::Operand::Kind::vector) {
    const auto found = std::ranges::find_if(to.elements, [&](const ptx::Operand& e) {
      return e.kind == ptx::Operand::Kind::reg && site.first + static_cast<RegisterKey>(e.reg) == reg;
    });
    element = static_cast<std::size_t>(found - to.elements.begin());
  }
  const std::size_t byte = element * static_cast<std::size_t>(bits / 8), l = static_cast<std::size_t>(lane);
  const auto word = [&](std::size_t at) -> std::uint64_t {
    return at * 32 + l < r.values.size() ? r.values[at * 32 + l] : 0;
  };
  std::uint64_t value = word(byte / 4) >> (byte % 4 * 8);
  if (bits == 64) value |= word(byte / 4 + 1) << 32;
  value = cut(value, bits);
  return has_sign(i.types.back()) ? static_cast<std::uint64_t>(as_signed(value, bits)) : value;
}

Number ThreadNumbers::computed(const Site& site, std::int64_t step, int lane) {
  const ptx::Instruction& i = *site.instruction;
  if (i.types.empty() || i.operands.size() < 2 || is_real(i.types.back())) return std::nullopt;
  const std::string& op = i.opcode;
  const Type t = i.types.back();
  const int bits = ptx::bits_of(i.types.front()) == 1 ? 1 : ptx::bits_of(t);
  std::uint64_t x[3] = {};
  for (std::size_t n = 1; n < std::min<std::size_t>(i.operands.size(), 4); ++n) {
    const Number value = operand(site, i.operands[n], step, lane);
    if (!value) return std::nullopt;
    x[n - 1] = *value;
  }
  const auto s = [&](int n) { return as_signed(x[n], bits); };
  const auto u = [&](int n) { return cut(x[n], bits); };
  const bool wide = i.has("wide"), low = i.has("lo");
  if (op == "mov") return cut(x[0], bits);
  if (op == "cvt") {
    if (i.types.size() != 2 || i.has("sat") || is_real(i.types[0])) return std::nullopt;
    const Type from = i.types[1];
    const std::uint64_t value = has_sign(from) ? static_cast<std::uint64_t>(as_signed(x[0], ptx::bits_of(from)))
                                               : cut(x[0], ptx::bits_of(from));
    return cut(value, ptx::bits_of(i.types[0]));
  }
  if (op == "add" && !i.has("cc")) return cut(x[0] + x[1], bits);
  if (op == "sub" && !i.has("cc")) return cut(x[0] - x[1], bits);
  if (op == "neg") return cut(0 - x[0], bits);
  if ((op == "mul" || op == "mad") && (wide || low)) {
    const std::uint64_t product =
        has_sign(t) ? static_cast<std::uint64_t>(s(0)) * static_cast<std::uint64_t>(s(1)) : u(0) * u(1);
    return cut(product + (op == "mad" ? x[2] : 0), wide ? 2 * bits : bits);
  }
  if (op == "and") return cut(x[0] & x[1], bits);
  if (op == "or") return cut(x[0] | x[1], bits);
  if (op == "xor") return cut(x[0] ^ x[1], bits);
  if (op == "not") return cut(~x[0], bits);
  if (op == "shl") return cut(x[1], 32) >= static_cast<std::uint64_t>(bits) ? 0 : cut(u(0) << cut(x[1], 32), bits);
  if (op == "shr") {
    const std::uint64_t by = std::min<std::uint64_t>(cut(x[1], 32), static_cast<std::uint64_t>(bits - 1));
    if (has_sign(t)) return cut(static_cast<std::uint64_t>(s(0) >> by), bits);
    return cut(x[1], 32) >= static_cast<std::uint64_t>(bits) ? 0 : u(0) >> by;
  }
  if (op == "min")
    return has_sign(t) ? cut(static_cast<std::uint64_t>(std::min(s(0), s(1))), bits) : std::min(u(0), u(1));
  if (op == "max")
    return has_sign(t) ? cut(static_cast<std::uint64_t>(std::max(s(0), s(1))), bits) : std::max(u(0), u(1));
  if (op == "div" || op == "rem") {
    if (u(1) == 0 || (has_sign(t) && s(1) == -1)) return std::nullopt;
    if (has_sign(t)) return cut(static_cast<std::uint64_t>(op == "div" ? s(0) / s(1) : s(0) % s(1)), bits);
    return op == "div" ? u(0) / u(1) : u(0) % u(1);
  }
  return std::nullopt;
}

Number ThreadNumbers::written(std::int64_t step, int lane, RegisterKey reg) {
  const std::uint32_t pc = trace_.steps[static_cast<std::size_t>(step)].pc;
  if (pc >= sites_.size()) return std::nullopt;
  const Site& site = sites_[pc];
  const ptx::Instruction& i = *site.instruction;
  if (i.operands.empty()) return std::nullopt;
  const ptx::Operand& to = i.operands.front();
  if (i.opcode == "ld" && i.has("param")) return parameter(site);
  if (i.opcode == "ld") return loaded(site, step, lane, reg);
  if (i.opcode == "setp")
    return compared(site, step, lane, to.reg < 0 || site.first + static_cast<RegisterKey>(to.reg) != reg);
  if (to.kind != ptx::Operand::Kind::reg || to.reg < 0 || site.first + static_cast<RegisterKey>(to.reg) != reg)
    return std::nullopt;
  if (i.opcode == "selp" && i.operands.size() == 4) {
    const Number p = operand(site, i.operands[3], step, lane);
    return p ? operand(site, i.operands[*p != 0 ? 1 : 2], step, lane) : std::nullopt;
  }
  if (i.opcode == "shfl" && i.operands.size() > 1) {
    const auto at =
        std::ranges::lower_bound(trace_.shuffles, static_cast<std::uint64_t>(step), {}, &trace::ShuffleRecord::step);
    const bool found = at != trace_.shuffles.end() && at->step == static_cast<std::uint64_t>(step);
    const int from = found ? at->source_lane[static_cast<std::size_t>(lane)] : -1;
    return from < 0 ? std::nullopt : operand(site, i.operands[1], step, from);
  }
  return computed(site, step, lane);
}

}  // namespace lanescope::engine
