// Arithmetic and comparisons of floating-point numbers. Source: PTX ISA 9.0, "Floating Point Instructions", "Half Precision
// ...", "Mixed Precision ...", "Comparison and Selection Instructions".

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator {

std::span<const Form> float_forms() {
  static constexpr std::string_view test = "LaneForms.Floats", approximate = "LaneForms.Approximations",
                                    compare = "LaneForms.Comparisons";
  static constexpr Form table[] = {
      {"<add|sub|mul><|.rn|.rz|.rm|.rp><|.ftz><|.sat>.f32 %d32, %a32, %b32", "sm_75", test},
      {"<add|sub|mul><|.rn|.rz|.rm|.rp>.f64 %d64, %a64, %b64", "sm_75", test},
      {"<add|sub|mul><|.rn|.rz|.rm|.rp><|.ftz>.f32x2 %d64, %a64, %b64", "sm_100", test},
      {"<fma|mad>.<rn|rz|rm|rp><|.ftz><|.sat>.f32 %d32, %a32, %b32, %c32", "sm_75", test},
      {"<fma|mad>.<rn|rz|rm|rp>.f64 %d64, %a64, %b64, %c64", "sm_75", test},
      {"fma.<rn|rz|rm|rp><|.ftz>.f32x2 %d64, %a64, %b64, %c64", "sm_100", test},
      {"div.<rn|rz|rm|rp><|.ftz>.f32 %d32, %a32, %b32", "sm_75", test},
      {"div.<rn|rz|rm|rp>.f64 %d64, %a64, %b64", "sm_75", test},
      {"<sqrt|rcp>.<rn|rz|rm|rp><|.ftz>.f32 %d32, %a32", "sm_75", test},
      {"<sqrt|rcp>.<rn|rz|rm|rp>.f64 %d64, %a64", "sm_75", test},
      {"<abs|neg><|.ftz>.f32 %d32, %a32", "sm_75", test},
      {"<abs|neg>.f64 %d64, %a64", "sm_75", test},
      {"<min|max><|.ftz><|.NaN><|.xorsign.abs>.f32 %d32, %a32, %b32", "sm_86", test},
      {"<min|max><|.ftz><|.NaN><|.abs>.f32 %d32, %a32, %b32, %c32", "sm_100", test},
      {"<min|max>.f64 %d64, %a64, %b64", "sm_75", test},
      {"copysign.<f32|f64> %d#1, %a#1, %b#1", "sm_75", test},
      {"testp.<finite|infinite|number|notanumber|normal|subnormal>.<f32|f64> %p, %a#2", "sm_75", test},
      // Halves
      {"<add|sub|mul><|.rn><|.ftz><|.sat>.<f16|f16x2> %d#5, %a#5, %b#5", "sm_75", test},
      {"<add|sub|mul><|.rn>.<bf16|bf16x2> %d#3, %a#3, %b#3", "sm_90", test},
      {"fma.rn<|.ftz><|.sat>.<f16|f16x2> %d#3, %a#3, %b#3, %c#3", "sm_75", test},
      {"fma.rn<|.ftz>.relu.<f16|f16x2> %d#2, %a#2, %b#2, %c#2", "sm_80", test},
      {"fma.rn<|.relu>.<bf16|bf16x2> %d#2, %a#2, %b#2, %c#2", "sm_80", test},
      {"<abs|neg><|.ftz>.<f16|f16x2> %d#3, %a#3", "sm_75", test},
      {"<abs|neg>.<bf16|bf16x2> %d#2, %a#2", "sm_80", test},
      {"<min|max><|.ftz><|.NaN><|.xorsign.abs>.<f16|f16x2> %d#5, %a#5, %b#5", "sm_86", test},
      {"<min|max><|.NaN><|.xorsign.abs>.<bf16|bf16x2> %d#4, %a#4, %b#4", "sm_86", test},
      // Two precisions
      {"<add|sub><|.rn|.rz|.rm|.rp><|.sat>.f32.<f16|bf16> %d32, %a16, %b32", "sm_100", test},
      {"fma.<rn|rz|rm|rp><|.sat>.f32.<f16|bf16> %d32, %a16, %b16, %c32", "sm_100", test},
      // Approximations
      {"div.<approx|full><|.ftz>.f32 %d32, %a32, %b32", "sm_75", approximate},
      {"<sqrt|rcp|rsqrt|sin|cos|lg2|ex2>.approx<|.ftz>.f32 %d32, %a32", "sm_75", approximate},
      {"tanh.approx.f32 %d32, %a32", "sm_75", approximate},
      {"rcp.approx.ftz.f64 %d64, %a64", "sm_75", approximate},
      {"rsqrt.approx<|.ftz>.f64 %d64, %a64", "sm_75", approximate},
      {"<ex2|tanh>.approx.<f16|f16x2> %d#2, %a#2", "sm_75", approximate},
      {"ex2.approx.ftz.<bf16|bf16x2> %d#1, %a#1", "sm_90", approximate},
      {"tanh.approx.<bf16|bf16x2> %d#1, %a#1", "sm_90", approximate},
      // Comparisons and selections
      {"set.<eq|ne|lt|le|gt|ge|lo|ls|hi|hs>.<u32|s32|f32>.<u16|u32|u64> %d32, %a#3, %b#3", "sm_75", compare},
      {"set.<eq|ne|lt|le|gt|ge>.<u32|s32|f32>.<s16|s32|s64> %d32, %a#3, %b#3", "sm_75", compare},
      {"set.<eq|ne>.<u32|s32|f32>.<b16|b32|b64> %d32, %a#3, %b#3", "sm_75", compare},
      {"set.<eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan>.<u32|s32|f32>.<f32|f64> %d32, %a#3, %b#3", "sm_75",
       compare},
      {"set.<lt|ltu|num>.ftz.<u32|f32>.f32 %d32, %a32, %b32", "sm_75", compare},
      {"set.<lt|ge>.<and|or|xor>.<u32|s32|f32>.<s32|f32|u64> %d32, %a#4, %b#4, <|!>%pa", "sm_75", compare},
      {"set.<eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan><|.ftz>.<f16|u16|s16>.f16 %d16, %a16, %b16", "sm_75",
       compare},
      {"set.<eq|lt|neu|nan><|.ftz>.<u32|s32>.f16 %d32, %a16, %b16", "sm_75", compare},
      {"set.<eq|lt|neu|nan><|.ftz>.<f16x2|u32|s32>.f16x2 %d32, %a32, %b32", "sm_75", compare},
      {"set.<eq|lt|neu|nan>.<bf16|u16|s16>.bf16 %d16, %a16, %b16", "sm_90", compare},
      {"set.<eq|lt|neu|nan>.<u32|s32>.bf16 %d32, %a16, %b16", "sm_90", compare},
      {"set.<eq|lt|neu|nan>.<bf16x2|u32|s32>.bf16x2 %d32, %a32, %b32", "sm_90", compare},
      {"set.lt.<and|or|xor>.f16x2.f16x2 %d32, %a32, %b32, %pa", "sm_75", compare},
      {"setp.<eq|ne|lt|le|gt|ge|lo|ls|hi|hs>.<u16|u32|u64> %p, %a#2, %b#2", "sm_75", compare},
      {"setp.<eq|ne|lt|le|gt|ge>.<s16|s32|s64> %p|%q, %a#2, %b#2", "sm_75", compare},
      {"setp.<eq|ne>.<b16|b32|b64> %p, %a#2, %b#2", "sm_75", compare},
      {"setp.<eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan>.<f32|f64> %p, %a#2, %b#2", "sm_75", compare},
      {"setp.<eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan><|.ftz>.f16 %p, %a16, %b16", "sm_75", compare},
      {"setp.<eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan>.bf16 %p, %a16, %b16", "sm_90", compare},
      {"setp.<eq|lt|ltu|nan><|.ftz>.f16x2 %p|%q, %a32, %b32", "sm_75", compare},
      {"setp.<eq|lt|ltu|nan>.bf16x2 %p|%q, %a32, %b32", "sm_90", compare},
      {"setp.<lt|geu>.ftz.f32 %p, %a32, %b32", "sm_75", compare},
      {"setp.<lt|ge>.<and|or|xor>.<u16|s32|f32|f64|u64> %p|%q, %a#3, %b#3, <|!>%pa", "sm_75", compare},
      {"setp.<lt|ge>.<and|or|xor>.f16x2 %p|%q, %a32, %b32, %pa", "sm_75", compare},
      {"selp.<b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64> %d#1, %a#1, %b#1, <|!>%pa", "sm_75", compare},
      {"slct.<b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64>.s32 %d#1, %a#1, %b#1, %c32", "sm_75", compare},
      {"slct<|.ftz>.<b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64>.f32 %d#2, %a#2, %b#2, %c32", "sm_75", compare},
  };
  return table;
}

}  // namespace lanescope::emulator
