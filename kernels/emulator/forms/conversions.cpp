// cvt. Source: PTX ISA 9.0, "Data Movement and Conversion Instructions: cvt", "cvt.pack".

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator {

std::span<const Form> conversion_forms() {
  static constexpr std::string_view test = "LaneForms.Conversions";
  static constexpr Form table[] = {
      {"cvt<|.sat>.<u8|s8>.<u16|s16|u32|s32|u64|s64> %d16, %a#3", "sm_75", test},
      {"cvt.<u16|s16|u32|s32|u64|s64>.<u8|s8> %d#1, %a16", "sm_75", test},
      {"cvt.<u16|s16|u32|s32|u64|s64>.<u16|s16|u32|s32|u64|s64> %d#1, %a#2", "sm_75", test},
      {"cvt.sat.<u16|u32|u64>.<s16|s32|s64> %d#1, %a#2", "sm_75", test},
      {"cvt.sat.<u16|s16>.<u32|s32|u64|s64> %d#1, %a#2", "sm_75", test},
      {"cvt.sat.s16.u16 %d16, %a16", "sm_75", test},
      {"cvt.sat.<u32|s32>.<u64|s64> %d#1, %a#2", "sm_75", test},
      {"cvt.sat.s32.u32 %d32, %a32", "sm_75", test},
      {"cvt.sat.s64.u64 %d64, %a64", "sm_75", test},
      {"cvt.<u32|u64|s32|s64>.<u16|s16|u8|s8> %d64, %a32", "sm_75", test},
      {"cvt.<rni|rzi|rmi|rpi><|.sat>.<u8|s8>.<f16|f32|f64> %d16, %a#4", "sm_75", test},
      {"cvt.<rni|rzi|rmi|rpi><|.sat>.<u16|s16|u32|s32|u64|s64>.<f16|f32|f64> %d#3, %a#4", "sm_75", test},
      {"cvt.<rni|rzi|rmi|rpi>.ftz<|.sat>.<u8|u16|s32|u64>.f32 %d64, %a32", "sm_75", test},
      {"cvt.<rni|rzi|rmi|rpi>.<u16|s16|u32|s32|u64|s64>.bf16 %d#2, %a16", "sm_90", test},
      {"cvt.<rn|rz|rm|rp><|.sat>.<f16|f32|f64>.<u8|s8> %d#3, %a16", "sm_75", test},
      {"cvt.<rn|rz|rm|rp><|.sat>.<f16|f32|f64>.<u16|s16|u32|s32|u64|s64> %d#3, %a#4", "sm_75", test},
      {"cvt.<rn|rz|rm|rp>.bf16.<u16|s16|u32|s32|u64|s64> %d16, %a#2", "sm_90", test},
      {"cvt.<rn|rz|rm|rp><|.sat>.f16.<f32|f64> %d16, %a#3", "sm_75", test},
      {"cvt.<rn|rz|rm|rp><|.ftz>.f16.f32 %d16, %a32", "sm_75", test},
      {"cvt.<rn|rz|rm|rp><|.ftz><|.sat>.f32.f64 %d32, %a64", "sm_75", test},
      {"cvt<|.ftz><|.sat>.f32.f16 %d32, %a16", "sm_75", test},
      {"cvt<|.sat>.f64.<f16|f32> %d64, %a#2", "sm_75", test},
      {"cvt.ftz<|.sat>.f64.f32 %d64, %a32", "sm_75", test},
      {"cvt<|.sat>.<f16|f32|f64>.$2 %d#2, %a#2", "sm_75", test},
      {"cvt.<rni|rzi|rmi|rpi><|.sat>.<f16|f32|f64>.$3 %d#3, %a#3", "sm_75", test},
      {"cvt.<rni|rzi|rmi|rpi>.ftz.f32.f32 %d32, %a32", "sm_75", test},
      {"cvt.<f32|f64>.bf16 %d#1, %a16", "sm_90", test},
      {"cvt.<rn|rz|rm|rp>.bf16.<f16|f64> %d16, %a#2", "sm_90", test},
      {"cvt.<rn|rz|rm|rp>.f16.bf16 %d16, %a16", "sm_90", test},
      {"cvt.<rni|rzi|rmi|rpi>.bf16.bf16 %d16, %a16", "sm_90", test},
      {"cvt.<rn|rz><|.relu>.<f16|bf16>.f32 %d16, %a32", "sm_80", test},
      {"cvt.<rn|rz><|.relu>.<f16x2|bf16x2>.f32 %d32, %a32, %b32", "sm_80", test},
      {"cvt.<rn|rz><|.relu>.satfinite.<f16|bf16>.f32 %d16, %a32", "sm_80", test},
      {"cvt.<rn|rz><|.relu>.satfinite.<f16x2|bf16x2>.f32 %d32, %a32, %b32", "sm_80", test},
      {"cvt.rs<|.relu><|.satfinite>.<f16x2|bf16x2>.f32 %d32, %a32, %b32, %c32", "sm_100a", test},
      {"cvt.rna<|.satfinite>.tf32.f32 %d32, %a32", "sm_80", test},
      {"cvt.<rn|rz><|.relu>.tf32.f32 %d32, %a32", "sm_90", test},
      {"cvt.<rn|rz>.satfinite<|.relu>.tf32.f32 %d32, %a32", "sm_100", test},
      {"cvt.rn.satfinite<|.relu>.<e4m3x2|e5m2x2>.f32 %d16, %a32, %b32", "sm_89", test},
      {"cvt.rn.satfinite<|.relu>.<e4m3x2|e5m2x2>.f16x2 %d16, %a32", "sm_89", test},
      {"cvt.rn<|.relu>.f16x2.<e4m3x2|e5m2x2> %d32, %a16", "sm_89", test},
      {"cvt.rn.satfinite<|.relu>.<e2m3x2|e3m2x2>.f32 %d16, %a32, %b32", "sm_100a", test},
      {"cvt.rn<|.relu>.f16x2.<e2m3x2|e3m2x2> %d32, %a16", "sm_100a", test},
      {"cvt.rn.satfinite<|.relu>.e2m1x2.f32 %d8, %a32, %b32", "sm_100a", test},
      {"mov.b16 {%a8, _}, %a16; cvt.rn<|.relu>.f16x2.e2m1x2 %d32, %a8", "sm_100a", test},
      {"cvt.rs<|.relu>.satfinite.<e4m3x4|e5m2x4|e2m3x4|e3m2x4>.f32 %d32, {%a32, %b32, %x32, %y32}, %c32", "sm_100a",
       test},
      {"cvt.rs<|.relu>.satfinite.e2m1x4.f32 %d16, {%a32, %b32, %x32, %y32}, %c32", "sm_100a", test},
      {"cvt.<rz|rp><|.satfinite>.ue8m0x2.f32 %d16, %a32, %b32", "sm_100a", test},
      {"cvt.<rz|rp><|.satfinite>.ue8m0x2.bf16x2 %d16, %a32", "sm_100a", test},
      {"cvt.rn.bf16x2.ue8m0x2 %d32, %a16", "sm_100a", test},
      {"cvt.pack.sat.<u16|s16>.s32 %d32, %a32, %b32", "sm_75", test},
      {"cvt.pack.sat.<u8|s8|u4|s4|u2|s2>.s32.b32 %d32, %a32, %b32, %c32", "sm_75", test},
  };
  return table;
}

std::span<const Form> move_forms() {
  static constexpr std::string_view test = "LaneForms.Moves", addresses = "Addresses.OfEverySpace";
  static constexpr Form table[] = {
      {"mov.<b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64> %d#1, %a#1", "sm_75", test},
      {"mov.pred %p, <|!>%pa", "sm_75", test},
      {"mov.b128 %a128, {%a64, %b64}; mov.b128 %d128, %a128; mov.b128 {%d64, %e64}, %d128", "sm_75", test},
      {"mov.b32 %d32, {%a16, %b16}", "sm_75", test},
      {"mov.b64 %d64, {%a32, %b32}", "sm_75", test},
      {"mov.b64 %d64, {%a16, %b16, %c16, %a16}", "sm_75", test},
      {"mov.b32 {%d16, %e16}, %a32", "sm_75", test},
      {"mov.b64 {%d32, <%e32|_>}, %a64", "sm_75", test},
      {"mov.b64 {%d16, %e16, %f16, %g16}, %a64", "sm_75", test},
      {"mov.u32 %d32, %<tid.x|ntid.y|ctaid.z|nctaid.x|laneid|warpid|nwarpid|smid|nsmid|lanemask_eq|lanemask_le|"
       "lanemask_lt|lanemask_ge|lanemask_gt|clock|clock_hi|globaltimer_lo|globaltimer_hi|dynamic_smem_size|"
       "total_smem_size>",
       "sm_75", addresses},
      {"mov.u64 %d64, %<clock64|globaltimer|gridid|current_graph_exec>", "sm_75", addresses},
      {"mov.u32 %d32, %<cluster_ctaid.x|cluster_nctaid.y|cluster_ctarank|cluster_nctarank|clusterid.x|nclusterid.z|"
       "aggr_smem_size>",
       "sm_90", addresses},
      {"mov.pred %p, %is_explicit_cluster", "sm_90", addresses},
      {"mov.u64 %d64, <shared_bytes|local_bytes|const_bytes|callee|shared_bytes+16>", "sm_75", addresses},
      {"mov.u32 %d32, <shared_bytes|local_bytes+4>", "sm_75", addresses},
      {"cvta<|.to>.<global|shared|local|const|param>.u64 %d64, %g64", "sm_75", addresses},
      {"cvta.<shared|local|const>.u64 %d64, $1_bytes", "sm_75", addresses},
      {"cvta.shared.u64 %d64, shared_bytes+4", "sm_75", addresses},
      {"cvta<|.to>.<shared::cta|shared::cluster|param::entry>.u64 %d64, %n64", "sm_90", addresses},
      {"isspacep.<global|shared|local|const> %p, %g64", "sm_75", addresses},
      {"isspacep.<shared::cta|shared::cluster|param|param::entry> %p, %n64", "sm_90", addresses},
  };
  return table;
}

std::span<const Form> video_forms() {
  static constexpr std::string_view test = "LaneForms.Video";
  static constexpr Form table[] = {
      {"<vadd|vsub|vabsdiff|vmin|vmax>.<u32|s32>.<u32|s32>.<u32|s32><|.sat> %d32, %a32<|.h1>, %b32<|.b2>", "sm_75",
       test},
      {"<vadd|vsub|vabsdiff|vmin|vmax>.<u32|s32>.<u32|s32>.<u32|s32><|.sat>.<add|min|max> %d32, %a32.b3, %b32.h0, %c32",
       "sm_75", test},
      {"<vadd|vsub|vabsdiff|vmin|vmax>.<u32|s32>.u32.s32<|.sat> %d32.<b0|b1|b2|b3|h0|h1>, %a32, %b32.<b1|h0>, %c32",
       "sm_75", test},
      {"<vshl|vshr>.<u32|s32>.<u32|s32>.u32<|.sat>.<clamp|wrap> %d32, %a32<|.h0>, %b32<|.b0>", "sm_75", test},
      {"<vshl|vshr>.<u32|s32>.<u32|s32>.u32<|.sat>.<clamp|wrap>.<add|min|max> %d32, %a32.b1, %b32.b0, %c32", "sm_75",
       test},
      {"<vshl|vshr>.<u32|s32>.<u32|s32>.u32<|.sat>.<clamp|wrap> %d32.<b2|h1>, %a32, %b32.b0, %c32", "sm_75", test},
      {"vmad.<u32|s32>.<u32|s32>.<u32|s32><|.sat><|.shr7|.shr15> %d32, %a32.h0, %b32.b1, %c32", "sm_75", test},
      {"vmad.s32.<u32|s32>.<u32|s32><|.sat><|.shr7|.shr15> %d32, <|->%a32, %b32, %c32", "sm_75", test},
      {"vmad.s32.<u32|s32>.<u32|s32><|.sat><|.shr7|.shr15> %d32, %a32, %b32, -%c32", "sm_75", test},
      {"vmad.<u32|s32>.<u32|s32>.<u32|s32>.po<|.sat><|.shr7|.shr15> %d32, %a32, %b32.h1, %c32", "sm_75", test},
      {"vset.<u32|s32>.<u32|s32>.<eq|ne|lt|le|gt|ge> %d32, %a32.<b0|h1>, %b32", "sm_75", test},
      {"vset.<u32|s32>.<u32|s32>.<eq|lt|ge>.<add|min|max> %d32, %a32, %b32.b3, %c32", "sm_75", test},
      {"vset.<u32|s32>.<u32|s32>.<eq|lt|ge> %d32.<b1|h1>, %a32, %b32, %c32", "sm_75", test},
      {"<vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2>.<u32|s32>.<u32|s32>.<u32|s32><|.sat> %d32, %a32, %b32, %c32",
       "sm_75", test},
      {"<vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2>.<u32|s32>.<u32|s32>.<u32|s32>.add %d32.<h0|h10>, %a32.h31, "
       "%b32.h02, "
       "%c32",
       "sm_75", test},
      {"<vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2>.<u32|s32>.s32.u32 %d32.<h0|h1>, %a32.h20, %b32.h11, %c32", "sm_75",
       test},
      {"<vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4>.<u32|s32>.<u32|s32>.<u32|s32><|.sat> %d32, %a32, %b32, %c32",
       "sm_75", test},
      {"<vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4>.<u32|s32>.<u32|s32>.<u32|s32>.add %d32.<b0|b321>, %a32.b0246, "
       "%b32.b7531, %c32",
       "sm_75", test},
      {"<vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4>.<u32|s32>.s32.u32 %d32.<b1|b20|b310>, %a32.b7654, %b32.b0000, %c32",
       "sm_75", test},
      {"<vset2|vset4>.<u32|s32>.<u32|s32>.<eq|ne|lt|le|gt|ge><|.add> %d32, %a32, %b32, %c32", "sm_75", test},
      {"vset2.<u32|s32>.<u32|s32>.lt %d32.<h0|h1>, %a32.h23, %b32.h00, %c32", "sm_75", test},
      {"vset4.<u32|s32>.<u32|s32>.ge<|.add> %d32.<b2|b30>, %a32.b4567, %b32.b1111, %c32", "sm_75", test},
  };
  return table;
}

}  // namespace lanescope::emulator
