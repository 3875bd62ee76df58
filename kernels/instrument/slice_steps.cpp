// The effect of each instruction on the flows of its operands.

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "kernels/instrument/slice.h"
#include "kernels/instrument/slice_analysis.h"

namespace lanescope::instrument {

using ptx::Instruction;
using ptx::Operand;
using Kind = Operand::Kind;
using Scope = Operand::Scope;

void Analysis::load(const Instruction& i) {
  const Operand& address = i.operands[1];
  address_used(address);
  assign(i.operands[0], memory(address));
}

void Analysis::store(const Instruction& i) {
  address_used(i.operands[0]);
  put(i.operands[0], value(i.operands[1]));
}

void Analysis::atomic(const Instruction& i) {
  const std::size_t at = i.opcode == "atom" ? 1 : 0;
  const Operand& address = i.operands[at];
  address_used(address);
  Flow f = memory(address);
  for (std::size_t n = at + 1; n < i.operands.size(); ++n) f.data |= value(i.operands[n]).data;
  if (i.has("cas") && what_ == For::ids) steered(f.data, "the comparison of an atomic exchange", By::control);
  f.reach = Reach::computed;
  put(address, f);
  if (at == 1) assign(i.operands[0], f);
}

void Analysis::async_copy(const Instruction& i) {
  if (i.operands.size() < 3) return;  // commit, wait
  address_used(i.operands[0]);
  address_used(i.operands[1]);
  for (std::size_t n = 2; n < i.operands.size(); ++n)
    steered(value(i.operands[n]).data, "the length of a copy", By::element);
  put(i.operands[0], memory(i.operands[1]));
}

void Analysis::shuffle(const Instruction& i) {
  for (std::size_t n = 2; n < i.operands.size(); ++n)
    steered(value(i.operands[n]).data, "the choice of a lane", By::element);
  Operand to = i.operands[0];
  to.second_reg = -1;  // whether the lane was in range is no data
  assign(to, value(i.operands[1]));
}

void Analysis::call(const Instruction& i) {
  const auto callee_at = std::ranges::find_if(
      i.operands, [](const Operand& o) { return o.kind == Kind::symbol && o.symbol_scope == Scope::function; });
  const int callee = callee_at->symbol;
  const ptx::Entry& e = module_.entries[static_cast<std::size_t>(callee)];
  const auto hand_over = [&](const Operand& list, Scope scope, const std::vector<ptx::Param>& params, bool in) {
    for (std::size_t n = 0; n < list.elements.size() && n < params.size(); ++n) {
      const Operand& here = list.elements[n];
      Flow& there = params[n].reg >= 0 ? registers_[callee][static_cast<std::size_t>(params[n].reg)]
                                       : memory_[object({scope, callee, static_cast<int>(n)})];
      if (in && e.is_declaration && here.kind == Kind::symbol)
        steered(memory_[object(key_of(here))].data, "an allocated or freed address", By::control);
      const bool in_memory = here.kind == Kind::symbol && here.symbol_scope == Scope::call_param;
      if (in)
        join(there, in_memory ? memory_[object(key_of(here))] : value(here));
      else if (in_memory)
        join(memory_[object(key_of(here))], there);
      else
        assign(here, there);
    }
  };
  for (auto o = i.operands.begin(); o != i.operands.end(); ++o)
    if (o->kind == Kind::vector)
      hand_over(*o, o < callee_at ? Scope::returned : Scope::param, o < callee_at ? e.returns : e.params,
                o > callee_at);
}

void Analysis::arithmetic(const Instruction& i) {
  if (i.operands.empty()) return;
  Flow out;
  std::vector<bool> carries(i.operands.size(), false);
  for (std::size_t n = 1; n < i.operands.size(); ++n) {
    const Flow f = value(i.operands[n]);
    carries[n] = f.data.any();
    out.data |= f.data;
    out.pointer |= f.pointer;
    out.reach = std::max(out.reach, f.reach);
  }
  const bool reads_carry = i.opcode == "addc" || i.opcode == "subc" || i.opcode == "madc";
  if (reads_carry) out.data |= carry_[function_].data;
  if (out.data.any()) out.reach = std::max(out.reach, reads_carry ? Reach::computed : reach_of(i, carries));
  if (i.has("cc")) join(carry_[function_], out);
  if (i.opcode == "setp" || i.opcode == "set") out.pointer.reset();
  assign(i.operands[0], out);
}

void Analysis::visit(const Instruction& i) {
  const std::string& op = i.opcode;
  if (i.predicate >= 0)
    steered(registers_[function_][static_cast<std::size_t>(i.predicate)].data, op == "bra" ? "a branch" : "a guard",
            By::control);
  const auto steered_by = [&](std::size_t n, const char* what) {
    if (n < i.operands.size()) steered(value(i.operands[n]).data, what, By::control);
  };
  if (op == "lanescope.probe" || op == "bra" || op == "ret" || op == "exit") return;
  if ((op == "ld" || op == "ldu" || op == "ldmatrix") && i.operands.size() >= 2) return load(i);
  if ((op == "st" || op == "stmatrix") && i.operands.size() >= 2) return store(i);
  if ((op == "atom" || op == "red") && i.operands.size() >= 2) return atomic(i);
  if (op == "cp") return async_copy(i);
  if (op == "shfl" && i.operands.size() >= 4) return shuffle(i);
  if (op == "call") return call(i);
  if (op == "brx") return steered_by(0, "a branch");
  if ((op == "selp" || op == "slct") && what_ == For::ids) steered_by(3, "the condition of a select");
  if ((op == "vote" || op == "match") && what_ == For::ids) {
    for (std::size_t n = 1; n < i.operands.size(); ++n) steered_by(n, "a vote");
    return;
  }
  if (op == "bar" || op == "barrier")
    for (std::size_t n = 0; n < i.operands.size(); ++n) steered_by(n, "a barrier");
  // An instruction that is not followed (tensor copies, wmma) may read and write through any address among its operands.
  for (const Operand& o : i.operands)
    if (o.kind == Kind::address) {
      address_used(o);
      Flow f = memory(o);
      for (const Operand& other : i.operands) f.data |= value(other).data;
      f.reach = Reach::computed;
      put(o, f);
      assign(i.operands[0], f);
    }
  arithmetic(i);
}

namespace {

using ptx::Instruction;
using ptx::Type;

bool is_integer(Type t) { return (t >= Type::b8 && t <= Type::s64) || t == Type::pred; }

bool integers_only(const Instruction& i) { return std::ranges::all_of(i.types, is_integer); }

enum class Rule : std::uint8_t {
  moves,           ///< all that carry data
  moves_if_clean,  ///< where the operands from `first_control` on carry none
  bitwise,         ///< moved with one operand of data, combined with several
  sum,             ///< combined
  product,         ///< combined where one factor is clean
};
struct OpcodeRule {
  Rule rule = Rule::moves;
  std::size_t first_control = 0;
};

const std::unordered_map<std::string_view, OpcodeRule>& rules() {
  static const std::unordered_map<std::string_view, OpcodeRule> table = {
      {"mov", {}},
      {"cvta", {}},
      {"movmatrix", {}},
      {"brev", {}},
      {"not", {}},
      {"xor", {}},
      {"selp", {}},
      {"cvt", {}},
      {"prmt", {Rule::moves_if_clean, 3}},
      {"shl", {Rule::moves_if_clean, 2}},
      {"shr", {Rule::moves_if_clean, 2}},
      {"shf", {Rule::moves_if_clean, 3}},
      {"bfe", {Rule::moves_if_clean, 2}},
      {"bfi", {Rule::moves_if_clean, 3}},
      {"and", {Rule::bitwise}},
      {"or", {Rule::bitwise}},
      {"lop3", {Rule::bitwise}},
      {"add", {Rule::sum}},
      {"sub", {Rule::sum}},
      {"mul", {Rule::product}},
      {"mad", {Rule::product}},
  };
  return table;
}

}  // namespace

Reach reach_of(const Instruction& i, const std::vector<bool>& carries) {
  const auto known = rules().find(i.opcode);
  if (known == rules().end()) return Reach::computed;
  if (i.opcode != "mov" && i.opcode != "selp" && (!integers_only(i) || i.has("sat") || i.has("cc")))
    return Reach::computed;
  const OpcodeRule& r = known->second;
  const auto count = std::count(carries.begin() + (carries.empty() ? 0 : 1), carries.end(), true);
  switch (r.rule) {
    case Rule::moves:
      return Reach::moved;
    case Rule::moves_if_clean:
      for (std::size_t n = r.first_control; n < carries.size(); ++n)
        if (carries[n]) return Reach::computed;
      return Reach::moved;
    case Rule::bitwise:
      return count <= 1 ? Reach::moved : Reach::combined;
    case Rule::sum:
      return Reach::combined;
    case Rule::product:
      return carries.size() > 2 && carries[1] && carries[2] ? Reach::computed : Reach::combined;
  }
  return Reach::computed;
}

}  // namespace lanescope::instrument
