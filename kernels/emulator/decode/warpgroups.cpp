// wgmma.

#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

using ptx::Operand;
using Kind = Operand::Kind;

bool Decoder::warpgroup() {
  if (has("fence") || has("commit_group") || has("wait_group")) return ignore();  // products are taken at once
  if (!has("mma_async")) return refuse("this operation is not known");
  const bool sparse = has("sp");
  WarpgroupOp w;
  for (const std::string& m : instruction_->modifiers) {
    if (!m.starts_with("m64n")) continue;
    const std::size_t k = m.find('k');
    if (k == std::string::npos) return refuse("this shape is not supported");
    w.columns = static_cast<u32>(std::atoi(m.c_str() + 4));
    w.depth = static_cast<u32>(std::atoi(m.c_str() + k + 1));
  }
  const std::vector<std::string_view> types = matrix_types();
  if (types.size() != 3 || w.columns == 0 || w.columns > 256 || w.columns % 8 != 0)
    return refuse("this shape is not supported");
  const auto a = std::ranges::find(element_names, types[1], &ElementName::name);
  const auto b = std::ranges::find(element_names, types[2], &ElementName::name);
  if (a == std::end(element_names) || b == std::end(element_names) || w.depth * a->bits != (sparse ? 512u : 256u) ||
      a->bits != b->bits || (sparse && a->bits == 1))
    return refuse("this shape is not supported for these types");
  w.a_type = a->element, w.b_type = b->element;
  w.is_integer = types[0] == "s32";
  w.half = types[0] == "f16";
  w.clamps = has("satfinite");
  const std::size_t count = w.columns / 2 / (w.half ? 2 : 1);
  if (!fragment_registers(operand(0), count, 32, true, w.d)) return false;
  if (operand(1).kind == Kind::vector) {
    std::vector<u32> rows;
    if (!fragment_registers(operand(1), 4, 32, false, rows)) return false;
    std::ranges::copy(rows, w.a_registers.begin());
  } else {
    w.a_descriptor = source(operand(1), 64);
  }
  w.b_descriptor = source(operand(2), 64);
  if (sparse && !sparse_metadata(3, a->bits, w.depth, w.sparse)) return false;
  const std::size_t after = sparse ? 5 : 3;  // scale-d, and what follows
  w.adds = predicate(operand(after), w.adds_flip);
  const auto number = [&](std::size_t i) {
    return operand(i).kind == Kind::immediate ? static_cast<s64>(operand(i).bits) : 0;
  };
  if (!w.is_integer) {
    w.a_negated = number(after + 1) == -1, w.b_negated = number(after + 2) == -1;
    std::size_t at = after + 3;
    if (w.a_descriptor != 0 && at + 1 < operand_count()) w.a_transposed = number(at++) == 1;
    if (at < operand_count()) w.b_transposed = number(at) == 1;
    if ((w.a_transposed || w.b_transposed) && a->bits != 16)
      return refuse("only matrices of 16-bit elements can be transposed");
  }
  op_.warp_wide = true;
  op_.parts = constants_.row_of(all_lanes, 32);
  op_.one_part = op_.gathers = true;
  op_.immediate = static_cast<u32>(program_.warpgroups.size());
  program_.warpgroups.push_back(std::move(w));
  op_.step = step_warpgroup;
  return true;
}

}  // namespace lanescope::emulator
