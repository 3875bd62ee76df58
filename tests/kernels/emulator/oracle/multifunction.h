#pragma once
// Every form that the multifunction unit executes, with a checksum of its results that was measured on an H100, and the
// kernel that computes such checksums, on the GPU as in the emulator.
//
// A block of threads covers 65,536 operands x: (65536 * block + 0, 1, 2, ...) * step. %a32 is x, %b32 a number made of it,
// %a16 its low half; %a64 has x as its upper word and %b32 as its lower one. For the sum over all of them of a hash of operand
// and result, each form has a slot of each block.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace lanescope::emulator::test {

struct UnitForm {
  const char* instruction;
  const char* key;         ///< of the operation in kernels/emulator/lanes
  std::uint64_t checksum;  ///< over sample_blocks blocks with sample_step, on an H100
};
inline constexpr std::uint32_t sample_blocks = 16, sample_step = 2654435761u;
inline constexpr std::uint32_t block_operands = 65536, block_threads = 256;

inline constexpr UnitForm unit_forms[] = {
    {"rcp.approx.f32 %d32, %a32", "rcp.approx.f32", 2253984869476143},
    {"rcp.approx.ftz.f32 %d32, %a32", "rcp.approx.ftz.f32", 2253892710837606},
    {"sqrt.approx.f32 %d32, %a32", "sqrt.approx.f32", 2250838272417983},
    {"sqrt.approx.ftz.f32 %d32, %a32", "sqrt.approx.ftz.f32", 2250923338170117},
    {"rsqrt.approx.f32 %d32, %a32", "rsqrt.f32", 2252387468967496},
    {"rsqrt.approx.ftz.f32 %d32, %a32", "rsqrt.ftz.f32", 2252524933429778},
    {"ex2.approx.f32 %d32, %a32", "ex2.f32", 2250436780926029},
    {"ex2.approx.ftz.f32 %d32, %a32", "ex2.ftz.f32", 2250465764285599},
    {"lg2.approx.f32 %d32, %a32", "lg2.f32", 2251250860286349},
    {"lg2.approx.ftz.f32 %d32, %a32", "lg2.ftz.f32", 2251265012043892},
    {"sin.approx.f32 %d32, %a32", "sin.f32", 2252395063122884},
    {"sin.approx.ftz.f32 %d32, %a32", "sin.ftz.f32", 2252395063122884},
    {"cos.approx.f32 %d32, %a32", "cos.f32", 2250844975872414},
    {"cos.approx.ftz.f32 %d32, %a32", "cos.ftz.f32", 2250844975872414},
    {"tanh.approx.f32 %d32, %a32", "tanh.f32", 2251423049938687},
    {"div.approx.f32 %d32, %a32, %b32", "div.approx.f32", 2252068566425736},
    {"div.approx.ftz.f32 %d32, %a32, %b32", "div.approx.ftz.f32", 2251967885018620},
    {"div.full.f32 %d32, %a32, %b32", "div.full.f32", 2251751434270419},
    {"div.full.ftz.f32 %d32, %a32, %b32", "div.full.ftz.f32", 2251735153584736},
    {"rcp.approx.ftz.f64 %d64, %a64", "rcp.approx.ftz.f64", 2251428687451048},
    {"rsqrt.approx.f64 %d64, %a64", "rsqrt.f64", 2251666667323110},
    {"rsqrt.approx.ftz.f64 %d64, %a64", "rsqrt.ftz.f64", 2251110656489887},
    {"ex2.approx.f16 %d16, %a16", "ex2.f16", 2251705727367696},
    {"ex2.approx.f16x2 %d32, %a32", "ex2.f16x2", 2255071111857386},
    {"ex2.approx.ftz.bf16 %d16, %a16", "ex2.ftz.bf16", 2251183594293120},
    {"ex2.approx.ftz.bf16x2 %d32, %a32", "ex2.ftz.bf16x2", 2251534114482712},
    {"tanh.approx.f16 %d16, %a16", "tanh.f16", 2252277469567248},
    {"tanh.approx.f16x2 %d32, %a32", "tanh.f16x2", 2252591691117284},
    {"tanh.approx.bf16 %d16, %a16", "tanh.bf16", 2252852794209232},
    {"tanh.approx.bf16x2 %d32, %a32", "tanh.bf16x2", 2251046689032636},
};

/// Bits of the result: 16, 32 or 64.
inline int result_bits(const UnitForm& f) {
  const std::string_view text = f.instruction;
  return (text[text.find("%d") + 2] - '0') * 10 + (text[text.find("%d") + 3] - '0');
}
inline std::uint32_t second_operand(std::uint32_t x) { return (x ^ x >> 15) * 0x2c1b3c6du; }
inline std::uint32_t result_hash(std::uint32_t x, std::uint64_t result) {
  const std::uint32_t folded = static_cast<std::uint32_t>(result >> 32) * 31 + static_cast<std::uint32_t>(result);
  const std::uint32_t h = (folded ^ x * 0x9e3779b1u) * 0x85ebca6bu;
  return h ^ h >> 15;
}

/// Entry `checksums(.u64 slots, .u32 step)`: a u64 for each block and form, block after block.
inline std::string checksum_kernel(std::span<const UnitForm> forms, std::string_view arch) {
  std::string text = fmt::format(
      ".version 8.0\n.target {}\n.address_size 64\n.visible .entry checksums(.param .u64 slots, .param .u32 step)\n{{\n"
      ".reg .b64 %a64, %d64, %at, %part, %sum<{}>;\n.reg .b32 %a32, %b32, %d32, %h, %t, %place, %end, %step;\n"
      ".reg .b16 %a16, %d16;\n.reg .pred %more;\n"
      "ld.param.u64 %at, [slots];\nld.param.u32 %step, [step];\nmov.u32 %t, %ctaid.x;\n"
      "mul.wide.u32 %part, %t, {};\nadd.s64 %at, %at, %part;\nshl.b32 %place, %t, 16;\nadd.u32 %end, %place, {};\n"
      "mov.u32 %t, %tid.x;\nadd.u32 %place, %place, %t;\nadd.u32 %end, %end, %t;\n",
      arch, forms.size(), forms.size() * 8, block_operands);
  for (std::size_t k = 0; k < forms.size(); ++k) text += fmt::format("mov.u64 %sum{}, 0;\n", k);
  text +=
      "next:\nmul.lo.u32 %a32, %place, %step;\nshr.u32 %t, %a32, 15;\nxor.b32 %b32, %a32, %t;\n"
      "mul.lo.u32 %b32, %b32, 0x2c1b3c6d;\nmov.b64 %a64, {%b32, %a32};\ncvt.u16.u32 %a16, %a32;\n";
  for (std::size_t k = 0; k < forms.size(); ++k) {
    text += std::string(forms[k].instruction) + ";\n";
    if (result_bits(forms[k]) == 64) text += "mov.b64 {%d32, %t}, %d64;\nmad.lo.u32 %d32, %t, 31, %d32;\n";
    if (result_bits(forms[k]) == 16) text += "cvt.u32.u16 %d32, %d16;\n";
    text += fmt::format(
        "mul.lo.u32 %h, %a32, 0x9e3779b1;\nxor.b32 %h, %h, %d32;\nmul.lo.u32 %h, %h, 0x85ebca6b;\nshr.u32 %t, %h, 15;\n"
        "xor.b32 %h, %h, %t;\ncvt.u64.u32 %part, %h;\nadd.u64 %sum{0}, %sum{0}, %part;\n",
        k);
  }
  text +=
      fmt::format("add.u32 %place, %place, {};\nsetp.ne.u32 %more, %place, %end;\n@%more bra next;\n", block_threads);
  for (std::size_t k = 0; k < forms.size(); ++k)
    text += fmt::format("red.global.add.u64 [%at+{}], %sum{};\n", 8 * k, k);
  return text + "ret;\n}\n";
}

}  // namespace lanescope::emulator::test
