// Constants, operands, and the walk over a function's instructions.

#include "kernels/emulator/decode/decoder.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "kernels/base/check.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/lanes/operations.h"
#include "kernels/emulator/steps/steps.h"
#include "kernels/emulator/tags/rules.h"
#include "kernels/ptx/names.h"

namespace lanescope::emulator {

using ptx::Operand;
using Kind = Operand::Kind;
using Scope = Operand::Scope;

u32 Constants::append(u32 bytes) {
  const u32 at = static_cast<u32>(program_.image.size());
  program_.image.resize(at + bytes);
  return at;
}

u32 Constants::row_of(u64 value, u8 bits) {
  if (bits < 64) value &= (u64{1} << bits) - 1;
  const u8 width = bits > 32 ? 64 : 32;
  const auto [it, is_new] = values_.try_emplace({value, width}, 0);
  if (!is_new) return it->second;
  it->second = append(width * 4u);
  for (int l = 0; l < lanes; ++l) {
    if (width == 64)
      row<u64>(program_.image.data(), it->second)[l] = value;
    else
      row<u32>(program_.image.data(), it->second)[l] = static_cast<u32>(value);
  }
  return it->second;
}

u32 Constants::row_of(ptx::Special special) {
  const auto [it, is_new] = specials_.try_emplace(special, 0);
  if (is_new) {
    it->second = append(256);
    program_.specials.push_back({special, it->second});
    if (special >= ptx::Special::reserved_smem_offset_begin && special <= ptx::Special::reserved_smem_offset_1)
      program_.uses_reserved = true;
  }
  return it->second;
}

Decoder::Decoder(Program& program, Constants& constants, int function)
    : program_(program),
      constants_(constants),
      function_(program.functions[static_cast<std::size_t>(function)]),
      entry_(program.module->entries[static_cast<std::size_t>(function_.entry)]) {}

namespace {

std::string words_of_unknown(std::string_view special) {
  if (special.starts_with("%envreg"))
    return fmt::format("the driver sets `{}`; only those of the grid barrier are known, 1 and 2", special);
  if (special.starts_with("%pm"))
    return fmt::format("`{}` is a performance counter of the hardware, and none are emulated", special);
  return fmt::format("`{}` is neither a declared register nor a special register that the emulator has", special);
}

}  // namespace

void Decoder::decode_all() {
  for (const ptx::Instruction& instruction : entry_.code) {
    instruction_ = &instruction;
    op_ = Op{};
    op_.guard = always;
    if (instruction.predicate >= 0) {
      op_.guard = offset_of(instruction.predicate);
      op_.guard_flip = instruction.predicate_negated ? all_lanes : 0;
      op_.guarded = true;
    }
    refusal_.clear();
    remedy_.clear();
    missing_ = false;
    misfit_.clear();
    if (instruction.predicate >= 0) need_predicate(instruction.predicate);
    const std::string_view unknown = unknown_special(instruction.operands);
    bool decoded = unknown.empty() ? decode_one() : refuse(words_of_unknown(unknown));
    if (missing_) decoded = refuse("an operand is missing or not allowed there");
    if (decoded)
      if (const std::string_view part = unknown_part(instruction); !part.empty())
        decoded = refuse(fmt::format("`.{}` is not known here", part));
    if (decoded)
      if (const std::string_view why = wrong_combination(instruction); !why.empty()) decoded = refuse(std::string(why));
    if (decoded && !misfit_.empty()) decoded = refuse(misfit_);
    if (!decoded) become_refused();
    if (op_.exec != nullptr && op_.tag == nullptr) op_.tag = tag_computed;
    program_.ops.push_back(op_);
  }
  Op last;
  last.step = entry_.is_function ? step_return : step_exit;
  program_.ops.push_back(last);
}

void Decoder::become_refused() {
  std::string name = instruction_->opcode;
  for (const std::string& m : instruction_->modifiers) name += "." + m;
  RefusedOp refused;
  refused.message = refusal_.empty() ? fmt::format("the emulator does not support `{}`", name)
                                     : fmt::format("`{}`: {}", name, refusal_);
  refused.remedy = fmt::format("{}run it on a GPU (--engine gpu), or change the line (PTX line {})", remedy_,
                               instruction_->text_line);
  Op op;
  op.guard = op_.guard, op.guard_flip = op_.guard_flip, op.guarded = op_.guarded;
  op.step = step_refused;
  op.immediate = static_cast<u32>(program_.refused.size());
  op_ = op;
  program_.refused.push_back(std::move(refused));
}

bool Decoder::decode_one() {
  const auto it = handlers().find(instruction_->opcode);
  return it != handlers().end() && (this->*it->second)();
}

bool Decoder::refuse(std::string what) {
  refusal_ = std::move(what);
  return false;
}

const ptx::Operand& Decoder::operand(std::size_t i) const {
  static const Operand none = [] {
    Operand o;
    o.kind = Kind::sink;
    return o;
  }();
  if (i < instruction_->operands.size()) return instruction_->operands[i];
  missing_ = true;
  return none;
}

ptx::Type Decoder::type(std::size_t i) const {
  return i < instruction_->types.size() ? instruction_->types[i] : ptx::Type::none;
}

u32 Decoder::offset_of(int reg) const {
  LS_CHECK(reg >= 0 && static_cast<std::size_t>(reg) < function_.offsets.size());
  return function_.offsets[static_cast<std::size_t>(reg)];
}

u8 Decoder::register_bits(int reg) const {
  return static_cast<u8>(ptx::bits_of(entry_.registers[static_cast<std::size_t>(reg)].type));
}

u64 Decoder::address_of(const Operand& o) const {
  const auto at = static_cast<std::size_t>(o.symbol);
  const auto offset = static_cast<u64>(o.offset);
  switch (o.symbol_scope) {
    case Scope::module:
      return program_.module_variables[at] + offset;
    case Scope::entry:
      return function_.variables[at] + offset;
    case Scope::param:
      if (!entry_.is_function) return first_variable_address + entry_.params[at].offset + offset;
      return function_.params + entry_.params[at].offset + offset;
    case Scope::returned:
      return function_.returns + entry_.returns[at].offset + offset;
    case Scope::call_param:
      return function_.call_params + entry_.call_params[at].offset + offset;
    case Scope::function:
      return function_address(o.symbol) + offset;
    default:
      return offset;
  }
}

/// The name of a special register in an operand that is unknown here; empty: none.
std::string_view Decoder::unknown_special(const std::vector<Operand>& operands) const {
  for (const Operand& o : operands) {
    if (o.kind == Kind::special && o.special == ptx::Special::unknown)
      return entry_.unknown_specials[static_cast<std::size_t>(o.symbol)];
    if (const auto inside = unknown_special(o.elements); !inside.empty()) return inside;
  }
  return {};
}

namespace {

/// The only special registers of 64 bits that are rows; clocks are steps.
bool is_wide(ptx::Special s) { return s == ptx::Special::gridid || s == ptx::Special::current_graph_exec; }

std::string words_of_width(u8 bits) { return bits == 1 ? "a predicate" : fmt::format("a register of {} bits", bits); }

}  // namespace

void Decoder::need_predicate(int reg) const {
  if (register_bits(reg) != 1 && misfit_.empty())
    misfit_ = fmt::format("`{}` is no predicate", entry_.registers[static_cast<std::size_t>(reg)].name);
}

void Decoder::need(const Operand& o, u8 bits, Fit fit) const {
  if (!misfit_.empty()) return;
  if (o.kind == Kind::special) {
    if (bits == 64 && !is_wide(o.special))
      misfit_ = fmt::format("`{}` has 32 bits, and 64 are needed", ptx::name_of(o.special));
    return;
  }
  if (o.kind != Kind::reg) return;
  const u8 has = register_bits(o.reg);
  // A row of 64 bits does not begin with one of 32.
  const bool fits =
      fit == Fit::exact && bits >= 16 ? has == bits : has >= bits && has > 1 && (has <= 32) == (bits <= 32);
  if (!fits)
    misfit_ = fmt::format("`{}` is {}, where {} is needed", entry_.registers[static_cast<std::size_t>(o.reg)].name,
                          words_of_width(has), words_of_width(bits));
}

u32 Decoder::source(const Operand& o, u8 bits, Fit fit) {
  need(o, bits, fit);
  switch (o.kind) {
    case Kind::reg:
      return offset_of(o.reg);
    case Kind::immediate: {
      u64 value = o.bits;
      if (o.is_float && o.float_bits == 64 && bits == 32) {
        double d;
        std::memcpy(&d, &value, 8);
        const float f = static_cast<float>(d);
        value = 0;
        std::memcpy(&value, &f, 4);
      } else if (o.is_float && o.float_bits == 32 && bits == 64) {
        float f;
        std::memcpy(&f, &value, 4);
        const double d = f;
        std::memcpy(&value, &d, 8);
      }
      return constants_.row_of(value, bits);
    }
    case Kind::special:
      return constants_.row_of(o.special);
    case Kind::symbol:
      return constants_.row_of(address_of(o), bits);
    default:
      return constants_.row_of(0, bits);
  }
}

/// Whether an operand is the address of a variable that each activation of its function has for itself.
bool Decoder::moves_with_frame(const Operand& o) const {
  return function_.frame_row != 0 && o.symbol_scope == Scope::entry &&
         entry_.variables[static_cast<std::size_t>(o.symbol)].space != ptx::Space::shared;
}

u32 Decoder::destination(const Operand& o, u8 bits, Fit fit) {
  need(o, bits, fit);
  return o.kind == Kind::reg ? offset_of(o.reg) : sink_row;
}

u32 Decoder::predicate(const Operand& o, u32& flip) const {
  flip = o.negated ? all_lanes : 0;
  if (o.kind == Kind::immediate) return o.bits != 0 ? always : never;
  if (o.kind != Kind::reg) return missing_ = true, never;
  need_predicate(o.reg);
  return offset_of(o.reg);
}

u32 Decoder::predicate_destination(const Operand& o) const {
  if (o.kind == Kind::reg) need_predicate(o.reg);
  return o.kind == Kind::reg ? offset_of(o.reg) : sink_predicate;
}

u32 Decoder::second_predicate(const Operand& o) const {
  if (o.second_reg >= 0) need_predicate(o.second_reg);
  return o.second_reg >= 0 ? offset_of(o.second_reg) : sink_predicate;
}

void Decoder::set_operands(u8 d_bits, u8 a_bits, u8 b_bits, u8 c_bits) {
  op_.d = destination(operand(0), d_bits);
  op_.d_bits = d_bits;
  op_.a_bits = a_bits;
  op_.b_bits = b_bits;
  op_.c_bits = c_bits;
  if (a_bits != 0) op_.a = source(operand(1), a_bits);
  if (b_bits != 0) op_.b = source(operand(2), b_bits);
  if (c_bits != 0) op_.c = source(operand(3), c_bits);
}

std::string Decoder::key_without(std::initializer_list<std::string_view> ignored) const {
  std::string key = instruction_->opcode;
  for (const std::string& m : instruction_->modifiers)
    if (std::ranges::find(ignored, m) == ignored.end()) key += "." + m;
  return key;
}

namespace {

Exec find_operation(std::string_view key) {
  const Exec found = find_lane_operation(key);
  return found != nullptr ? found : find_rounded_operation(key);
}

/// The parts after the opcode may stand in any order (ptxas 13.0 takes `max.s32.relu` for `max.relu.s32`), but that of two
/// types says which is which.
Exec find_in_any_order(std::string_view key) {
  constexpr std::size_t most_parts = 6;
  std::vector<std::string_view> parts;
  for (std::size_t at = key.find('.'); at != std::string_view::npos && parts.size() <= most_parts;) {
    const std::size_t next = key.find('.', at + 1);
    parts.push_back(key.substr(at + 1, next - at - 1));
    at = next;
  }
  if (parts.size() < 2 || parts.size() > most_parts) return nullptr;
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0);
  while (std::ranges::next_permutation(order).found) {
    std::size_t last_type = 0;
    bool in_order = true;
    std::string text(key.substr(0, key.find('.')));
    for (const std::size_t i : order) {
      text += "." + std::string(parts[i]);
      if (ptx::type_of(parts[i]) == ptx::Type::none) continue;
      in_order = in_order && i >= last_type;
      last_type = i;
    }
    if (!in_order) continue;
    if (const Exec found = find_operation(text); found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace

bool Decoder::set_exec(std::string_view key) {
  op_.exec = find_operation(key);
  if (op_.exec == nullptr) op_.exec = find_in_any_order(key);
  return op_.exec != nullptr;
}

}  // namespace lanescope::emulator
