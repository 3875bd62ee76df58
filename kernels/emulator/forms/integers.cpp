// Integer arithmetic, bits and logic. Source: PTX ISA 9.0, "Integer Arithmetic Instructions", "Extended-Precision ...",
// "Logic and Shift Instructions".

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator {

std::span<const Form> integer_forms() {
  static constexpr std::string_view test = "LaneForms.Integers";
  static constexpr Form table[] = {
      {"<add|sub>.<u16|u32|u64|s16|s32|s64> %d#2, %a#2, %b#2", "sm_75", test},
      {"<add|sub>.sat.s32 %d32, %a32, %b32", "sm_75", test},
      {"add.<u16x2|s16x2> %d32, %a32, %b32", "sm_90", test},
      {"mul.<lo|hi>.<u16|u32|u64|s16|s32|s64> %d#2, %a#2, %b#2", "sm_75", test},
      {"mul.wide.<u|s>16 %d32, %a16, %b16", "sm_75", test},
      {"mul.wide.<u|s>32 %d64, %a32, %b32", "sm_75", test},
      {"mad.<lo|hi>.<u16|u32|u64|s16|s32|s64> %d#2, %a#2, %b#2, %c#2", "sm_75", test},
      {"mad.wide.<u|s>16 %d32, %a16, %b16, %c32", "sm_75", test},
      {"mad.wide.<u|s>32 %d64, %a32, %b32, %c64", "sm_75", test},
      {"mad.hi.sat.s32 %d32, %a32, %b32, %c32", "sm_75", test},
      {"mul24.<lo|hi>.<u|s>32 %d32, %a32, %b32", "sm_75", test},
      {"mad24.<lo|hi>.<u|s>32 %d32, %a32, %b32, %c32", "sm_75", test},
      {"mad24.hi.sat.s32 %d32, %a32, %b32, %c32", "sm_75", test},
      {"sad.<u16|u32|u64|s16|s32|s64> %d#1, %a#1, %b#1, %c#1", "sm_75", test},
      {"<div|rem>.<u16|u32|u64|s16|s32|s64> %d#2, %a#2, %b#2", "sm_75", test},
      {"<abs|neg>.<s16|s32|s64> %d#2, %a#2", "sm_75", test},
      {"<min|max>.<u16|u32|u64|s16|s32|s64> %d#2, %a#2, %b#2", "sm_75", test},
      {"<min|max><|.relu>.s16x2 %d32, %a32, %b32", "sm_90", test},
      {"<min|max>.u16x2 %d32, %a32, %b32", "sm_90", test},
      {"<min|max>.relu.s32 %d32, %a32, %b32", "sm_90", test},
      {"popc.<b32|b64> %d32, %a#1", "sm_75", test},
      {"clz.<b32|b64> %d32, %a#1", "sm_75", test},
      {"bfind<|.shiftamt>.<u32|u64|s32|s64> %d32, %a#2", "sm_75", test},
      {"fns.b32 %d32, %a32, %b32, %c32", "sm_75", test},
      {"brev.<b32|b64> %d#1, %a#1", "sm_75", test},
      {"bfe.<u32|u64|s32|s64> %d#1, %a#1, %b32, %c32", "sm_75", test},
      {"bfi.<b32|b64> %d#1, %a#1, %b#1, %c32, %x32", "sm_75", test},
      {"szext.<clamp|wrap>.<u32|s32> %d32, %a32, %b32", "sm_75", test},
      {"bmsk.<clamp|wrap>.b32 %d32, %a32, %b32", "sm_75", test},
      {"dp4a.<u32|s32>.<u32|s32> %d32, %a32, %b32, %c32", "sm_75", test},
      {"dp2a.<lo|hi>.<u32|s32>.<u32|s32> %d32, %a32, %b32, %c32", "sm_75", test},
      // Carry chains: the flag that is read was made by the statement before
      {"add.cc.<u32|s32|u64|s64> %e#1, %a#1, %b#1; addc.$1 %d#1, %b#1, %c#1", "sm_75", test},
      {"sub.cc.<u32|s32|u64|s64> %e#1, %a#1, %b#1; subc.$1 %d#1, %b#1, %c#1", "sm_75", test},
      {"sub.cc.<u32|u64> %e#1, %a#1, %b#1; addc.$1 %d#1, %b#1, %c#1", "sm_75", test},
      {"add.cc.<u32|u64> %e#1, %a#1, %b#1; madc.<lo|hi>.$1 %d#1, %a#1, %b#1, %c#1", "sm_75", test},
      {"add.cc.<s32|s64> %e#1, %a#1, %b#1; madc.<lo|hi>.$1 %d#1, %a#1, %b#1, %c#1", "sm_75", test},
      {"add.cc.u32 %e32, %a32, %b32; madc.hi.sat.s32 %d32, %a32, %b32, %c32", "sm_75", test},
      // ... and the flag that is left is read by the one after
      {"<add|sub>.cc.<u32|s32|u64|s64> %d#2, %a#2, %b#2", "sm_75", test},
      {"add.cc.<u32|s32|u64|s64> %e#1, %a#1, %b#1; <addc|subc>.cc.$1 %d#1, %b#1, %c#1", "sm_75", test},
      {"<mad.lo|mad.hi>.cc.<u32|s32|u64|s64> %d#2, %a#2, %b#2, %c#2", "sm_75", test},
      {"add.cc.u64 %e64, %a64, %b64; madc.<lo|hi>.cc.<u32|s32|u64|s64> %d#2, %a#2, %b#2, %c#2", "sm_75", test},
      // Logic and shifts
      {"<and|or|xor>.<b16|b32|b64> %d#2, %a#2, %b#2", "sm_75", test},
      {"<and|or|xor>.pred %p, %pa, %pb", "sm_75", test},
      {"not.<b16|b32|b64> %d#1, %a#1", "sm_75", test},
      {"not.pred %p, %pa", "sm_75", test},
      {"cnot.<b16|b32|b64> %d#1, %a#1", "sm_75", test},
      {"lop3.b32 %d32, %a32, %b32, %c32, <0|0x1b|0x80|0x96|0xca|0xe8|0xff>", "sm_75", test},
      {"lop3.<and|or>.b32 %d32|%p, %a32, %b32, %c32, <0x1b|0x80>, <|!>%pa", "sm_75", test},
      {"lop3.<and|or>.b32 _|%p, %a32, %b32, %c32, 0x96, %pb", "sm_75", test},
      {"shf.<l|r>.<wrap|clamp>.b32 %d32, %a32, %b32, %c32", "sm_75", test},
      {"shl.<b16|b32|b64> %d#1, %a#1, %b32", "sm_75", test},
      {"shr.<b16|b32|b64|u16|u32|u64|s16|s32|s64> %d#1, %a#1, %b32", "sm_75", test},
      {"prmt.b32<|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16> %d32, %a32, %b32, %c32", "sm_75", test},
  };
  return table;
}

}  // namespace lanescope::emulator
