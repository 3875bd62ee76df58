#include "kernels/ptx/value_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::ptx {
namespace {

using Kind = Operand::Kind;

/// Chains of operations are followed so far.
constexpr int most_depth = 64;

bool depends_on_operands_only(const Instruction& in) {
  static constexpr std::array<std::string_view, 21> opcodes = {"mov", "cvta", "cvt", "add", "sub", "mul",  "mad",
                                                               "shl", "shr",  "and", "or",  "xor", "not",  "neg",
                                                               "min", "max",  "rem", "div", "bfe", "selp", "setp"};
  if (in.predicate >= 0 || in.operands.empty() || in.operands[0].kind != Kind::reg || in.operands[0].second_reg >= 0)
    return false;
  if (in.opcode == "ld")
    return std::ranges::none_of(in.modifiers, [](const std::string& m) {
      return m == "volatile" || m == "relaxed" || m == "acquire" || m == "mmio" || m == "local" ||
             m.starts_with("shared");
    });
  // add.cc leaves a carry after, addc takes one.
  return std::ranges::find(opcodes, in.opcode) != opcodes.end() && !in.has("cc");
}

bool writes_first_operand(const Instruction& in) {
  return !in.operands.empty() && in.opcode != "st" && in.opcode != "red" && in.opcode != "bra";
}

bool adds_whole_numbers(const Instruction& in) {
  return in.opcode == "add" && in.operands.size() == 3 && std::ranges::all_of(in.modifiers, [](const std::string& m) {
           return m == "s64" || m == "u64" || m == "s32" || m == "u32";
         });
}

}  // namespace

ValueNumbers::ValueNumbers(const Entry& entry)
    : entry_(entry), definitions_(entry.registers.size(), -2), values_(entry.registers.size()) {
  const auto define = [&](int reg, std::size_t pc) {
    if (reg < 0 || static_cast<std::size_t>(reg) >= definitions_.size()) return;
    int& at = definitions_[static_cast<std::size_t>(reg)];
    at = at == -2 ? static_cast<int>(pc) : -1;
  };
  for (std::size_t pc = 0; pc < entry.code.size(); ++pc) {
    const Instruction& in = entry.code[pc];
    if (!writes_first_operand(in)) continue;
    const Operand& d = in.operands[0];
    if (d.kind == Kind::reg) define(d.reg, pc), define(d.second_reg, pc);
    if (d.kind == Kind::vector)
      for (const Operand& e : d.elements) define(e.reg, pc);
  }
  for (int& d : definitions_) d = std::max(d, -1);
  for (std::size_t r = 0; r < values_.size(); ++r) compute(static_cast<int>(r), 0);
}

ValueNumbers::Value ValueNumbers::number_of(const std::string& key) {
  return {.number = numbers_.try_emplace(key, static_cast<int>(numbers_.size())).first->second};
}

ValueNumbers::Value ValueNumbers::compute(int reg, int depth) {
  Value& known = values_[static_cast<std::size_t>(reg)];
  if (known.number >= 0) return known;
  const int pc = definition(reg);
  const auto own = [&] { return known = number_of(fmt::format("r{}", reg)); };
  if (pc < 0 || depth > most_depth) return own();
  const Instruction& in = entry_.code[static_cast<std::size_t>(pc)];
  if (!depends_on_operands_only(in)) return own();
  const auto value_of = [&](const Operand& o) { return compute(o.reg, depth + 1); };
  const auto is_plain = [](const Operand& o) { return o.kind == Kind::reg && o.reg >= 0 && !o.negated; };
  if ((in.opcode == "mov" || in.opcode == "cvta") && in.operands.size() == 2 && is_plain(in.operands[1]))
    return known = value_of(in.operands[1]);
  if (adds_whole_numbers(in)) {
    const bool first = in.operands[1].kind == Kind::immediate;
    const Operand &number = in.operands[first ? 1 : 2], &other = in.operands[first ? 2 : 1];
    if (number.kind == Kind::immediate && !number.is_float && is_plain(other)) {
      Value v = value_of(other);
      v.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(v.offset) + number.bits);
      return known = v;
    }
  }
  if (const std::string key = scaled_key(in, depth); !key.empty()) return known = number_of(key);
  std::vector<std::string> operands;
  for (std::size_t i = 1; i < in.operands.size(); ++i) {
    std::string key = key_of(in.operands[i], depth + 1);
    if (key.empty()) return own();
    operands.push_back(std::move(key));
  }
  if ((in.opcode == "add" || in.opcode == "mul") && operands.size() == 2) std::ranges::sort(operands);
  return known = number_of(fmt::format("{}.{}({})", in.opcode, fmt::join(in.modifiers, "."), fmt::join(operands, ",")));
}

const Instruction* ValueNumbers::maker(const Operand& o, std::string_view opcode,
                                       std::initializer_list<std::string_view> modifiers) const {
  if (o.kind != Kind::reg || o.reg < 0 || o.negated || definition(o.reg) < 0) return nullptr;
  const Instruction& in = entry_.code[static_cast<std::size_t>(definition(o.reg))];
  const bool is = in.opcode == opcode && depends_on_operands_only(in) && std::ranges::equal(in.modifiers, modifiers);
  return is ? &in : nullptr;
}

/// Three ways of scaling an index of 32 bits, which may be masked, to an offset of 64 bits. Empty: it is none of them.
std::string ValueNumbers::scaled_key(const Instruction& in, int depth) {
  const auto is = [&](std::string_view opcode, std::initializer_list<std::string_view> modifiers) {
    return in.opcode == opcode && std::ranges::equal(in.modifiers, modifiers) && in.operands.size() == 3 &&
           in.operands[1].kind == Kind::reg && in.operands[2].kind == Kind::immediate && !in.operands[2].is_float;
  };
  const auto key = [&](const Operand& index, int shift, std::uint64_t mask) {
    const std::string of = key_of(index, depth + 1);
    return of.empty() ? of : fmt::format("scaled({},{},{})", of, shift, mask);
  };
  const auto scaled = [&](const Operand& index, int shift) {
    const Instruction* const masked = maker(index, "and", {"b32"});
    if (masked == nullptr || masked->operands[2].kind != Kind::immediate) return key(index, shift, 0xffffffff);
    return key(masked->operands[1], shift, masked->operands[2].bits & 0xffffffff);
  };
  const std::uint64_t number = in.operands.size() == 3 ? in.operands[2].bits : 0;
  if (is("mul", {"wide", "u32"}) && std::has_single_bit(number) && number <= 0xffffffff)
    return scaled(in.operands[1], std::countr_zero(number));
  if (is("shl", {"b64"}) && number < 32)
    if (const Instruction* const wide = maker(in.operands[1], "cvt", {"u64", "u32"}))
      return scaled(wide->operands[1], static_cast<int>(number));
  if (is("and", {"b64"}) && number <= 0xffffffff)
    if (const Instruction* const wide = maker(in.operands[1], "cvt", {"u64", "u32"}))
      if (const Instruction* const shifted = maker(wide->operands[1], "shl", {"b32"});
          shifted != nullptr && shifted->operands[2].kind == Kind::immediate && shifted->operands[2].bits < 32) {
        const auto shift = static_cast<int>(shifted->operands[2].bits);
        return key(shifted->operands[1], shift, number >> shift);
      }
  return {};
}

/// Empty: it may be another value each time.
std::string ValueNumbers::key_of(const Operand& o, int depth) {
  const char* const sign = o.negated ? "-" : "";
  if (o.kind == Kind::immediate) return fmt::format("{}i{}:{}", sign, o.bits, o.is_float ? o.float_bits : 0);
  if (o.kind == Kind::special) {
    if (o.special >= Special::clock) return {};
    return fmt::format("s{}", static_cast<int>(o.special));
  }
  if (o.kind == Kind::symbol) return fmt::format("y{}:{}+{}", static_cast<int>(o.symbol_scope), o.symbol, o.offset);
  if (o.kind == Kind::reg && o.reg >= 0) {
    const Value v = compute(o.reg, depth);
    return fmt::format("{}n{}+{}", sign, v.number, v.offset);
  }
  if (o.kind == Kind::address && o.elements.empty()) {
    if (o.reg < 0) return fmt::format("[y{}:{}+{}]", static_cast<int>(o.symbol_scope), o.symbol, o.offset);
    const Value v = compute(o.reg, depth);
    return fmt::format("[n{}+{}]", v.number, v.offset + o.offset);
  }
  return {};
}

ValueNumbers::Value ValueNumbers::place(const Operand& address) {
  if (address.reg >= 0) {
    Value v = of_register(address.reg);
    v.offset += address.offset;
    return v;
  }
  Value v = number_of(fmt::format("mov.u64(y{}:{}+0)", static_cast<int>(address.symbol_scope), address.symbol));
  v.offset = address.offset;
  return v;
}

}  // namespace lanescope::ptx
