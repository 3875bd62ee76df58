// Moves, selections, comparisons, addresses.

#include <algorithm>

#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/lanes/operations.h"
#include "kernels/emulator/steps/steps.h"
#include "kernels/ptx/names.h"

namespace lanescope::emulator {

using ptx::Operand;
using ptx::Type;
using Kind = Operand::Kind;

namespace {
u8 width(Type t) { return static_cast<u8>(ptx::bits_of(t)); }
}  // namespace

bool Decoder::mov() {
  if (operand(0).kind == Kind::vector || operand(1).kind == Kind::vector) return mov_vector();
  if (type() == Type::pred) {
    u32 flip = 0;
    if (operand(1).kind == Kind::special && operand(1).special == ptx::Special::is_explicit_cluster)
      op_.a = entry_.explicit_cluster || program_.launch.cluster.count() > 1 ? always : never;
    else
      op_.a = predicate(operand(1), flip);
    op_.b = op_.c = always;
    op_.d = predicate_destination(operand(0));
    op_.flip = flip != 0 ? 1 : 0;
    op_.immediate = 0xf0;
    op_.exec = exec_predicates;
    op_.tag = tag_predicates;
    return true;
  }
  if (width(type()) > 64) return mov_vector();
  if (operand(1).kind == Kind::special) {
    switch (operand(1).special) {
      case ptx::Special::clock:
      case ptx::Special::clock_hi:
      case ptx::Special::clock64:
      case ptx::Special::globaltimer:
      case ptx::Special::globaltimer_lo:
      case ptx::Special::globaltimer_hi:
        op_.d = destination(operand(0), width(type()));
        op_.d_bits = width(type());
        op_.immediate =
            operand(1).special == ptx::Special::clock_hi || operand(1).special == ptx::Special::globaltimer_hi;
        op_.step = step_clock;
        return true;
      case ptx::Special::envreg1:
      case ptx::Special::envreg2: {
        const u64 workspace = program_.launch.cooperative ? grid_workspace_address : 0;
        const u64 half = operand(1).special == ptx::Special::envreg1 ? workspace >> 32 : workspace;
        op_.d = destination(operand(0), 32);
        op_.a = constants_.row_of(half & 0xffffffffu, 32);
        op_.d_bits = op_.a_bits = 32;
        op_.b_bits = op_.c_bits = 0;
        op_.tag = tag_nothing;
        return set_exec("mov.b32");
      }
      default:
        break;
    }
  }
  const u8 bits = width(type());
  if (operand(1).kind == Kind::symbol && moves_with_frame(operand(1))) {
    if (bits != 64) return refuse("addresses of 32 bits of variables of a recursive function are not supported");
    set_operands(64, 64);
    op_.b = function_.frame_row;
    op_.b_bits = 64;
    op_.tag = tag_nothing;
    return set_exec("add.u64");
  }
  set_operands(bits, bits);
  op_.tag = tag_copy;
  return set_exec(bits == 64 ? "mov.b64" : bits == 16 ? "mov.b16" : "mov.b32");
}

bool Decoder::mov_vector() {
  MoveOp m;
  if (operand(0).kind == Kind::reg && operand(1).kind == Kind::immediate &&
      width(type()) == 128) {  // its upper half is 0, as ptxas has it
    m.packs = true;
    m.whole_bits = 128, m.part_bits = 64;
    m.whole = destination(operand(0), 128);
    m.parts = {source(operand(1), 64), constants_.row_of(u64{0}, 64)};
    program_.moves.push_back(std::move(m));
    op_.move = &program_.moves.back();
    op_.exec = exec_pack, op_.tag = tag_pack;
    return true;
  }
  if (operand(0).kind == operand(1).kind) {  // 128 bits as they are: two halves
    if (operand(0).kind != Kind::reg || register_bits(operand(0).reg) != 128) return false;
    m.whole_bits = 128, m.part_bits = 64;
    m.whole = destination(operand(0), 128);
    need(operand(1), 128);
    const u32 from = offset_of(operand(1).reg);
    m.parts = {from, from + 256};
    program_.moves.push_back(std::move(m));
    op_.move = &program_.moves.back();
    op_.exec = exec_pack, op_.tag = tag_pack;
    return true;
  }
  m.packs = operand(1).kind == Kind::vector;
  const Operand& whole = operand(m.packs ? 0 : 1);
  const Operand& parts = operand(m.packs ? 1 : 0);
  m.whole_bits = width(type());
  if (parts.elements.empty()) return missing_ = true, false;
  m.part_bits = static_cast<u8>(m.whole_bits / parts.elements.size());
  m.whole = m.packs ? destination(whole, m.whole_bits) : source(whole, m.whole_bits);
  for (const Operand& e : parts.elements)
    m.parts.push_back(e.kind == Kind::sink ? 0 : m.packs ? source(e, m.part_bits) : destination(e, m.part_bits));
  program_.moves.push_back(std::move(m));
  op_.move = &program_.moves.back();
  op_.exec = op_.move->packs ? exec_pack : exec_unpack;
  op_.tag = op_.move->packs ? tag_pack : tag_unpack;
  return true;
}

bool Decoder::selp() {
  const u8 bits = width(type());
  op_.d = destination(operand(0), bits);
  op_.a = source(operand(1), bits);
  op_.b = source(operand(2), bits);
  op_.c = predicate(operand(3), op_.flip);
  op_.d_bits = op_.a_bits = op_.b_bits = bits;
  op_.tag = tag_select;
  return set_exec(bits == 64 ? "select.64" : "select.32");
}

bool Decoder::slct() {
  const u8 bits = width(type());
  set_operands(bits, bits, bits, 32);
  op_.tag = tag_select_sign;
  op_.immediate = type(1) != Type::f32 ? 0 : has("ftz") ? 2 : 1;
  return set_exec(std::string("slct.") + (has("ftz") ? "ftz." : "") + (bits == 64 ? "64." : "32.") +
                  (type(1) == Type::f32 ? "f32" : "s32"));
}

namespace {

struct Comparison {
  std::string key;
  BoolOp combine = BoolOp::none;
};

/// "lt.and.ftz.f32" -> key "lt.ftz.f32", combined by `and`. `t` is the type of the operands compared.
Comparison comparison_of(const ptx::Instruction& in, Type t) {
  Comparison c;
  std::string name;
  for (const std::string& m : in.modifiers) {
    if (m == "and")
      c.combine = BoolOp::and_;
    else if (m == "or")
      c.combine = BoolOp::or_;
    else if (m == "xor")
      c.combine = BoolOp::xor_;
    else if (m != "ftz" && ptx::type_of(m) == Type::none && name.empty())
      name = m;
  }
  std::string suffix(ptx::name_of(t));
  if (name == "lo")
    name = "lt", suffix[0] = 'u';
  else if (name == "ls")
    name = "le", suffix[0] = 'u';
  else if (name == "hi")
    name = "gt", suffix[0] = 'u';
  else if (name == "hs")
    name = "ge", suffix[0] = 'u';
  if (suffix[0] == 'b' && suffix[1] != 'f') suffix[0] = 'u';
  c.key = name + (in.has("ftz") && (t == Type::f32 || t == Type::f16 || t == Type::f16x2) ? ".ftz." : ".") + suffix;
  return c;
}

}  // namespace

bool Decoder::setp() {
  const Type t = type();
  const bool pair = t == Type::f16x2 || t == Type::bf16x2;
  const Comparison c = comparison_of(*instruction_, pair ? (t == Type::f16x2 ? Type::f16 : Type::bf16) : t);
  op_.compare = find_lane_comparison(c.key);
  if (op_.compare == nullptr) return false;
  const u8 bits = width(t);
  op_.d = predicate_destination(operand(0));
  op_.d2 = second_predicate(operand(0));
  op_.a = source(operand(1), bits);
  op_.b = source(operand(2), bits);
  op_.a_bits = op_.b_bits = bits;
  op_.bool_op = c.combine;
  op_.c = always;
  if (c.combine != BoolOp::none) op_.c = predicate(operand(3), op_.flip);
  op_.exec = pair ? exec_setp_pair : exec_setp;
  op_.tag = tag_compare;
  return true;
}

bool Decoder::set() {
  const Type d = type(0), t = type(1);
  const bool pair = t == Type::f16x2 || t == Type::bf16x2;
  const Comparison c = comparison_of(*instruction_, pair ? (t == Type::f16x2 ? Type::f16 : Type::bf16) : t);
  op_.compare = find_lane_comparison(c.key);
  if (op_.compare == nullptr) return false;
  op_.d = destination(operand(0), width(d));
  op_.d_bits = width(d);
  op_.a = source(operand(1), width(t));
  op_.b = source(operand(2), width(t));
  op_.a_bits = op_.b_bits = width(t);
  op_.bool_op = c.combine;
  op_.c = always;
  if (c.combine != BoolOp::none) op_.c = predicate(operand(3), op_.flip);
  op_.immediate = d == Type::f32                         ? 0x3f800000u
                  : d == Type::f16 || d == Type::f16x2   ? 0x3c00u
                  : d == Type::bf16 || d == Type::bf16x2 ? 0x3f80u
                  : d == Type::u16 || d == Type::s16     ? 0xffffu
                                                         : ~0u;
  if (pair && width(d) == 32 && op_.immediate == ~0u) op_.immediate = 0xffffu;
  op_.exec = pair ? exec_set_pair : exec_set;
  op_.tag = tag_set;
  return true;
}

bool Decoder::testp() {
  static constexpr std::string_view tests[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  for (u32 i = 0; i < std::size(tests); ++i)
    if (has(tests[i])) op_.immediate = i;
  op_.a_bits = width(type());
  op_.b_bits = 0;
  op_.d = predicate_destination(operand(0));
  op_.d2 = sink_predicate;
  op_.c = always;
  op_.a = source(operand(1), op_.a_bits);
  op_.exec = exec_testp;
  op_.tag = tag_compare;
  return true;
}

bool Decoder::cvta() {
  const u8 bits = width(type());
  if (bits != 64) return refuse("32-bit generic addresses are not supported");
  const bool to = has("to");
  u64 window = 0;
  if (has("shared") || has("shared::cta") || has("shared::cluster")) window = shared_window;
  if (has("local")) window = local_window;
  if (moves_with_frame(operand(1)))
    return refuse("the generic address of a variable of a recursive function is not supported here");
  op_.d = destination(operand(0), 64);
  op_.a = source(operand(1), 64);
  op_.d_bits = op_.a_bits = 64;
  if (window == 0) {
    op_.tag = tag_copy;
    op_.b_bits = op_.c_bits = 0;
    return set_exec("mov.b64");
  }
  op_.b = constants_.row_of(to ? 0 - window : window, 64);
  op_.b_bits = 64;
  op_.c_bits = 0;
  set_rule(BitRule::add);
  return set_exec("add.u64");
}

bool Decoder::isspacep() {
  op_.d = predicate_destination(operand(0));
  op_.a = source(operand(1), 64);
  op_.a_bits = 64;
  op_.b = constants_.row_of(ptx::Special::cluster_ctarank);
  op_.b_bits = 0;
  op_.c = always;
  op_.d2 = sink_predicate;
  op_.immediate = has("shared") || has("shared::cta") ? 1
                  : has("local")                      ? 2
                  : has("global")                     ? 3
                  : has("shared::cluster")            ? 4
                                                      : 0;
  op_.exec = exec_isspacep;
  op_.tag = tag_compare;
  return true;
}

}  // namespace lanescope::emulator
