// Video instructions: which parts of which operands, and what is done with them.

#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

using ptx::Operand;
using ptx::Type;

namespace {

struct VideoName {
  std::string_view name;
  VideoOp::Kind kind;
};
constexpr VideoName video_names[] = {{"vadd", VideoOp::Kind::add},         {"vsub", VideoOp::Kind::sub},
                                     {"vabsdiff", VideoOp::Kind::absdiff}, {"vmin", VideoOp::Kind::min},
                                     {"vmax", VideoOp::Kind::max},         {"vshl", VideoOp::Kind::shl},
                                     {"vshr", VideoOp::Kind::shr},         {"vmad", VideoOp::Kind::mad},
                                     {"vset", VideoOp::Kind::set},         {"vavrg", VideoOp::Kind::average}};

/// "b2" or "h1": first bit and width.
bool read_part(std::string_view part, u8& at, u8& bits) {
  if (part.empty()) return true;
  if (part.size() != 2) return false;
  bits = part[0] == 'b' ? 8 : 16;
  const int n = part[1] - '0';
  at = static_cast<u8>(n * bits);
  return n < 32 / bits;
}

}  // namespace

bool Decoder::video() {
  std::string_view name = instruction_->opcode;
  VideoOp v;
  if (is_digit(name.back())) {
    v.count = static_cast<u8>(name.back() - '0');
    name.remove_suffix(1);
  }
  const auto known = std::ranges::find(video_names, name, &VideoName::name);
  if (known == std::end(video_names)) return false;
  v.kind = known->kind;
  // d, a, b; vset has no type of its result
  const bool is_set = v.kind == VideoOp::Kind::set;
  const std::size_t first = is_set ? 0 : 1;
  v.d_signed = !is_set && type(0) == Type::s32;
  v.a_signed = type(first) == Type::s32, v.b_signed = type(first + 1) == Type::s32;
  v.saturates = has("sat"), v.wraps = has("wrap"), v.plus_one = has("po");
  v.scale = has("shr7") ? 7 : has("shr15") ? 15 : 0;
  static constexpr std::string_view compares[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (u8 i = 0; i < std::size(compares); ++i)
    if (has(compares[i])) v.compare = static_cast<VideoOp::Compare>(i);
  v.second = has("add")   ? VideoOp::Second::add
             : has("min") ? VideoOp::Second::min
             : has("max") ? VideoOp::Second::max
                          : VideoOp::Second::none;
  const Operand &d = operand(0), &a = operand(1), &b = operand(2);
  if (v.count == 1) {
    v.negates_product = a.negated != b.negated;
    v.negates_c = operand_count() > 3 && operand(3).negated;
    if (v.negates_product && v.negates_c) return refuse("either the product or c is negated");
    if (!read_part(a.part, v.a_at[0], v.a_bits) || !read_part(b.part, v.b_at[0], v.b_bits) ||
        !read_part(d.part, v.d_at, v.d_bits))
      return refuse("this part of a register does not exist");
    v.d_mask = d.part.empty() ? 0 : 1;
    if (v.d_mask != 0 && operand_count() < 4) return missing_ = true, false;
  } else {
    v.d_bits = v.a_bits = v.b_bits = static_cast<u8>(32 / v.count);
    const auto read = [&](const Operand& o, u8(&at)[4], u32 own) {
      for (u8 i = 0; i < v.count; ++i) at[i] = static_cast<u8>((own + i) * v.d_bits);
      if (o.part.empty()) return true;
      if (o.part.size() != v.count + 1u) return false;
      for (u8 i = 0; i < v.count; ++i) {
        const int which = o.part[o.part.size() - 1 - i] - '0';
        if (which >= 2 * v.count) return false;
        at[i] = static_cast<u8>(which * v.d_bits);
      }
      return true;
    };
    v.d_mask = static_cast<u8>((1u << v.count) - 1);
    if (!d.part.empty()) v.d_mask = 0;
    for (std::size_t i = 1; i < d.part.size(); ++i) v.d_mask |= static_cast<u8>(1u << (d.part[i] - '0'));
    if (v.d_mask >> v.count != 0 || !read(a, v.a_at, 0) || !read(b, v.b_at, v.count))
      return refuse("this part of a register does not exist");
  }
  if (!has_sources(2, 3)) return false;
  set_operands(32, 32, 32, operand_count() > 3 ? 32 : 0);
  program_.videos.push_back(v);
  op_.video = &program_.videos.back();
  op_.exec = exec_video;
  op_.tag = tag_computed;
  return true;
}

}  // namespace lanescope::emulator
