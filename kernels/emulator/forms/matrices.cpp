// Products of matrices. Source: PTX ISA 9.0, "Warp Level Matrix Multiply-Accumulate Instructions".

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator {

std::span<const Form> matrix_forms() {
  static constexpr std::string_view dense = "Products.Dense", wmma = "Wmma.LoadsMultipliesAndStores",
                                    sparse = "Products.Sparse";
  static constexpr Form table[] = {
      {"mma.sync.aligned.m8n8k4.<row|col>.<row|col>.f16.f16.f16.f16 {%wd*4}, {%wa*2}, {%wb*2}, {%wc*4}", "sm_75",
       dense},
      {"mma.sync.aligned.m8n8k4.<row|col>.<row|col>.f32.f16.f16.f16 {%wd*8}, {%wa*2}, {%wb*2}, {%wc*4}", "sm_75",
       dense},
      {"mma.sync.aligned.m8n8k4.<row|col>.<row|col>.f32.f16.f16.f32 {%wd*8}, {%wa*2}, {%wb*2}, {%wc*8}", "sm_75",
       dense},
      {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%wd*2}, {%wa*2}, {%wb*1}, {%wc*2}", "sm_75", dense},
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%wd*4}, {%wa*2}, {%wb*1}, {%wc*4}", "sm_75", dense},
      {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%wd*2}, {%wa*4}, {%wb*2}, {%wc*2}", "sm_80", dense},
      {"mma.sync.aligned.m16n8k16.row.col.f32.<f16|bf16>.$1.f32 {%wd*4}, {%wa*4}, {%wb*2}, {%wc*4}", "sm_80", dense},
      {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%wd*4}, {%wa*2}, {%wb*1}, {%wc*4}", "sm_80", dense},
      {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%wd*4}, {%wa*2}, {%wb*1}, {%wc*4}", "sm_80", dense},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%wd*4}, {%wa*4}, {%wb*2}, {%wc*4}", "sm_80", dense},
      {"mma.sync.aligned.m16n8k16.row.col.f32.<e4m3|e5m2>.<e4m3|e5m2>.f32 {%wd*4}, {%wa*2}, {%wb*1}, {%wc*4}", "sm_89",
       dense},
      {"mma.sync.aligned.m16n8k32.row.col.f32.<e4m3|e5m2>.<e4m3|e5m2>.f32 {%wd*4}, {%wa*4}, {%wb*2}, {%wc*4}", "sm_89",
       dense},
      {"mma.sync.aligned.m16n8k16.row.col.f16.<e4m3|e5m2>.<e4m3|e5m2>.f16 {%wd*2}, {%wa*2}, {%wb*1}, {%wc*2}", "sm_89",
       dense},
      {"mma.sync.aligned.m16n8k32.row.col.f16.<e4m3|e5m2>.<e4m3|e5m2>.f16 {%wd*2}, {%wa*4}, {%wb*2}, {%wc*2}", "sm_89",
       dense},
      {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.<e4m3|e5m2|e3m2|e2m3|e2m1>.<e4m3|e5m2|e3m2|e2m3|e2m1>.f32 "
       "{%wd*4}, {%wa*4}, {%wb*2}, {%wc*4}",
       "sm_120a", dense},
      {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.<e4m3|e5m2|e3m2|e2m3|e2m1>.<e4m3|e5m2|e3m2|e2m3|e2m1>.f16 "
       "{%wd*2}, {%wa*4}, {%wb*2}, {%wc*2}",
       "sm_120a", dense},
      {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%ld*2}, {%la*1}, {%lb*1}, {%lc*2}", "sm_80", dense},
      {"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%ld*4}, {%la*2}, {%lb*1}, {%lc*4}", "sm_90", dense},
      {"mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%ld*4}, {%la*4}, {%lb*2}, {%lc*4}", "sm_90", dense},
      {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%ld*4}, {%la*8}, {%lb*4}, {%lc*4}", "sm_90", dense},
      {"mma.sync.aligned.m8n8k16.row.col<|.satfinite>.s32.<s8|u8>.<s8|u8>.s32 {%wd*2}, {%wa*1}, {%wb*1}, {%wc*2}",
       "sm_75", dense},
      {"mma.sync.aligned.m16n8k16.row.col<|.satfinite>.s32.<s8|u8>.<s8|u8>.s32 {%wd*4}, {%wa*2}, {%wb*1}, {%wc*4}",
       "sm_80", dense},
      {"mma.sync.aligned.m16n8k32.row.col<|.satfinite>.s32.<s8|u8>.<s8|u8>.s32 {%wd*4}, {%wa*4}, {%wb*2}, {%wc*4}",
       "sm_80", dense},
      {"mma.sync.aligned.m8n8k32.row.col<|.satfinite>.s32.<s4|u4>.<s4|u4>.s32 {%wd*2}, {%wa*1}, {%wb*1}, {%wc*2}",
       "sm_75", dense},
      {"mma.sync.aligned.m16n8k32.row.col<|.satfinite>.s32.<s4|u4>.<s4|u4>.s32 {%wd*4}, {%wa*2}, {%wb*1}, {%wc*4}",
       "sm_80", dense},
      {"mma.sync.aligned.m16n8k64.row.col<|.satfinite>.s32.<s4|u4>.<s4|u4>.s32 {%wd*4}, {%wa*4}, {%wb*2}, {%wc*4}",
       "sm_80", dense},
      {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.<xor|and>.popc {%wd*2}, {%wa*1}, {%wb*1}, {%wc*2}", "sm_80",
       dense},
      {"mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.<xor|and>.popc {%wd*4}, {%wa*2}, {%wb*1}, {%wc*4}", "sm_80",
       dense},
      {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.<xor|and>.popc {%wd*4}, {%wa*4}, {%wb*2}, {%wc*4}", "sm_80",
       dense},
      // A of which half is stored
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%wd*2}, {%wa*2}, {%wb*2}, "
       "{%wc*2}, "
       "%x32, <0|1|2|3>",
       "sm_80", sparse},
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k16.row.col.f32.<f16|bf16>.$2.f32 {%wd*4}, {%wa*2}, {%wb*2}, "
       "{%wc*4}, %x32, <0|3>",
       "sm_80", sparse},
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {%wd*2}, {%wa*4}, {%wb*4}, "
       "{%wc*2}, "
       "%x32, <0|1>",
       "sm_80", sparse},
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k32.row.col.f32.<f16|bf16>.$2.f32 {%wd*4}, {%wa*4}, {%wb*4}, "
       "{%wc*4}, %x32, <0|1>",
       "sm_80", sparse},
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%wd*4}, {%wa*2}, {%wb*2}, "
       "{%wc*4}, "
       "%x32, <0|1|2|3>",
       "sm_80", sparse},
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%wd*4}, {%wa*4}, {%wb*4}, "
       "{%wc*4}, "
       "%x32, <0|1>",
       "sm_80", sparse},
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k32.row.col<|.satfinite>.s32.<s8|u8>.<s8|u8>.s32 {%wd*4}, "
       "{%wa*2}, "
       "{%wb*2}, {%wc*4}, %x32, <0|1>",
       "sm_80", sparse},
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k64.row.col<|.satfinite>.s32.<s8|u8>.<s8|u8>.s32 {%wd*4}, "
       "{%wa*4}, "
       "{%wb*4}, {%wc*4}, %x32, 0",
       "sm_80", sparse},
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k64.row.col.f32.<e4m3|e5m2>.<e4m3|e5m2>.f32 {%wd*4}, {%wa*4}, "
       "{%wb*4}, {%wc*4}, %x32, 0",
       "sm_89", sparse},
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k64.row.col<|.satfinite>.s32.<s4|u4>.<s4|u4>.s32 {%wd*4}, "
       "{%wa*2}, "
       "{%wb*2}, {%wc*4}, %x32, <0|1>",
       "sm_80", sparse},
      {"mma.<sp|sp::ordered_metadata>.sync.aligned.m16n8k128.row.col<|.satfinite>.s32.<s4|u4>.<s4|u4>.s32 {%wd*4}, "
       "{%wa*4}, {%wb*4}, {%wc*4}, %x32, 0",
       "sm_80", sparse},
      {"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.<f32>.<e4m3|e5m2|e3m2|e2m3|e2m1>."
       "<e4m3|e5m2|e3m2|e2m3|e2m1>.f32 {%wd*4}, {%wa*4}, {%wb*4}, {%wc*4}, %x32, 0",
       "sm_120a", sparse},
      {"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.<f16>.<e4m3|e5m2|e3m2|e2m3|e2m1>."
       "<e4m3|e5m2|e3m2|e2m3|e2m1>.f16 {%wd*2}, {%wa*4}, {%wb*4}, {%wc*2}, %x32, 0",
       "sm_120a", sparse},
      // Blocks with factors of their own
      {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale<|.scale_vec::2X>.f32.e2m1.e2m1.f32.ue8m0 {%wd*4}, "
       "{%wa*4}, {%wb*2}, {%wc*4}, %a32, {<0|2>, <0|1>}, %b32, {<0|2>, <0|1|2|3>}",
       "sm_120a", dense},
      {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 {%wd*4}, "
       "{%wa*4}, {%wb*2}, {%wc*4}, %a32, {0, <0|1>}, %b32, {2, <0|1|2|3>}",
       "sm_120a", dense},
      {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 "
       "{%wd*4}, {%wa*4}, {%wb*2}, {%wc*4}, %a32, {0, <0|1>}, %b32, {0, <0|1|2|3>}",
       "sm_120a", dense},
      {"mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale<|.scale_vec::1X>.f32.<e4m3|e5m2|e3m2|e2m3|e2m1>."
       "<e4m3|e5m2|e3m2|e2m3|e2m1>.f32.ue8m0 {%wd*4}, {%wa*4}, {%wb*2}, {%wc*4}, %a32, {<0|3>, 1}, %b32, {1, <0|3>}",
       "sm_120a", dense},
      {"mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
       "ue8m0 {%wd*4}, {%wa*4}, {%wb*4}, {%wc*4}, %x32, 0, %a32, {<0|2>, <0|1>}, %b32, {0, <0|3>}",
       "sm_120a", sparse},
      {"mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::"
       "<2X.f32.e2m1.e2m1.f32.ue8m0|4X.f32.e2m1.e2m1.f32.ue4m3> {%wd*4}, {%wa*4}, {%wb*4}, {%wc*4}, %x32, 0, %a32, {0, "
       "<0|1>}, %b32, {0, <0|3>}",
       "sm_120a", sparse},
      {"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.f32.<e4m3|e2m1>.<e5m2|e2m3>."
       "f32.ue8m0 {%wd*4}, {%wa*4}, {%wb*4}, {%wc*4}, %x32, 0, %a32, {<0|1|2|3>, <0|1>}, %b32, {2, <0|1|2|3>}",
       "sm_120a", sparse},
      // wmma
      {"wmma.load.<a|b>.sync.aligned.<row|col>.<m16n16k16|m8n32k16|m32n8k16><|.global|.shared>.f16 {%wd*8}, [%n64]<|, "
       "%a32>",
       "sm_75", wmma},
      {"wmma.load.c.sync.aligned.<row|col>.<m16n16k16|m8n32k16|m32n8k16><|.global|.shared>.f16 {%wd*4}, [%n64]<|, "
       "%a32>",
       "sm_75", wmma},
      {"wmma.load.c.sync.aligned.<row|col>.<m16n16k16|m8n32k16|m32n8k16><|.global|.shared>.<f32|s32> {%wd*8}, "
       "[%n64]<|, "
       "%a32>",
       "sm_75", wmma},
      {"wmma.load.<a|b>.sync.aligned.<row|col>.m16n16k16.<u8|s8> {%wd*2}, [%n64], %a32", "sm_75", wmma},
      {"wmma.load.a.sync.aligned.<row|col>.m8n32k16.<u8|s8> {%wd*1}, [%n64], %a32", "sm_75", wmma},
      {"wmma.load.b.sync.aligned.<row|col>.m8n32k16.<u8|s8> {%wd*4}, [%n64], %a32", "sm_75", wmma},
      {"wmma.load.a.sync.aligned.<row|col>.m32n8k16.<u8|s8> {%wd*4}, [%n64], %a32", "sm_75", wmma},
      {"wmma.load.b.sync.aligned.<row|col>.m32n8k16.<u8|s8> {%wd*1}, [%n64], %a32", "sm_75", wmma},
      {"wmma.load.<a|b>.sync.aligned.<row|col>.m16n16k16.bf16 {%wd*4}, [%n64], %a32", "sm_80", wmma},
      {"wmma.load.a.sync.aligned.<row|col>.m8n32k16.bf16 {%wd*2}, [%n64], %a32", "sm_80", wmma},
      {"wmma.load.b.sync.aligned.<row|col>.m8n32k16.bf16 {%wd*8}, [%n64], %a32", "sm_80", wmma},
      {"wmma.load.a.sync.aligned.<row|col>.m32n8k16.bf16 {%wd*8}, [%n64], %a32", "sm_80", wmma},
      {"wmma.load.b.sync.aligned.<row|col>.m32n8k16.bf16 {%wd*2}, [%n64], %a32", "sm_80", wmma},
      {"wmma.load.<a|b>.sync.aligned.<row|col>.m16n16k8.tf32 {%wd*4}, [%n64], %a32", "sm_80", wmma},
      {"wmma.load.c.sync.aligned.<row|col>.m16n16k8.f32 {%wd*8}, [%n64], %a32", "sm_80", wmma},
      {"wmma.load.<a|b>.sync.aligned.<row|col>.m8n8k4.f64 {%ld*1}, [%n64], %a32", "sm_80", wmma},
      {"wmma.load.c.sync.aligned.<row|col>.m8n8k4.f64 {%ld*2}, [%n64], %a32", "sm_80", wmma},
      {"wmma.load.a.sync.aligned.row.m8n8k32.<s4|u4> {%wd*1}, [%n64], %a32", "sm_75", wmma},
      {"wmma.load.b.sync.aligned.col.m8n8k32.<s4|u4> {%wd*1}, [%n64], %a32", "sm_75", wmma},
      {"wmma.load.a.sync.aligned.row.m8n8k128.b1 {%wd*1}, [%n64], %a32", "sm_75", wmma},
      {"wmma.load.b.sync.aligned.col.m8n8k128.b1 {%wd*1}, [%n64], %a32", "sm_75", wmma},
      {"wmma.load.c.sync.aligned.<row|col>.<m8n8k32|m8n8k128>.s32 {%wd*2}, [%n64], %a32", "sm_75", wmma},
      {"wmma.store.d.sync.aligned.<row|col>.<m16n16k16|m8n32k16|m32n8k16><|.global|.shared>.f16 [%n64], {%wa*4}, %a32",
       "sm_75", wmma},
      {"wmma.store.d.sync.aligned.<row|col>.<m16n16k16|m8n32k16|m32n8k16><|.global|.shared>.<f32|s32> [%n64], "
       "{%wa*8}<|, %a32>",
       "sm_75", wmma},
      {"wmma.store.d.sync.aligned.<row|col>.m16n16k8.f32 [%n64], {%wa*8}, %a32", "sm_80", wmma},
      {"wmma.store.d.sync.aligned.<row|col>.m8n8k4.f64 [%n64], {%la*2}, %a32", "sm_80", wmma},
      {"wmma.store.d.sync.aligned.<row|col>.<m8n8k32|m8n8k128>.s32 [%n64], {%wa*2}, %a32", "sm_75", wmma},
      {"wmma.mma.sync.aligned.<row|col>.<row|col>.<m16n16k16|m8n32k16|m32n8k16>.f16.f16 {%wd*4}, {%wa*8}, {%wb*8}, "
       "{%wc*4}",
       "sm_75", wmma},
      {"wmma.mma.sync.aligned.<row|col>.<row|col>.<m16n16k16|m8n32k16|m32n8k16>.f32.f32 {%wd*8}, {%wa*8}, {%wb*8}, "
       "{%wc*8}",
       "sm_75", wmma},
      {"wmma.mma.sync.aligned.row.col.<m16n16k16|m8n32k16|m32n8k16>.f32.f16 {%wd*8}, {%wa*8}, {%wb*8}, {%wc*4}",
       "sm_75", wmma},
      {"wmma.mma.sync.aligned.row.col.<m16n16k16|m8n32k16|m32n8k16>.f16.f32 {%wd*4}, {%wa*8}, {%wb*8}, {%wc*8}",
       "sm_75", wmma},
      {"wmma.mma.sync.aligned.<row|col>.<row|col>.m16n16k16.s32.<u8|s8>.$3.s32<|.satfinite> {%wd*8}, {%wa*2}, {%wb*2}, "
       "{%wc*8}",
       "sm_75", wmma},
      {"wmma.mma.sync.aligned.<row|col>.<row|col>.m8n32k16.s32.<u8|s8>.$3.s32 {%wd*8}, {%wa*1}, {%wb*4}, {%wc*8}",
       "sm_75", wmma},
      {"wmma.mma.sync.aligned.<row|col>.<row|col>.m32n8k16.s32.<u8|s8>.$3.s32 {%wd*8}, {%wa*4}, {%wb*1}, {%wc*8}",
       "sm_75", wmma},
      {"wmma.mma.sync.aligned.<row|col>.<row|col>.m16n16k16.f32.bf16.bf16.f32 {%wd*8}, {%wa*4}, {%wb*4}, {%wc*8}",
       "sm_80", wmma},
      {"wmma.mma.sync.aligned.<row|col>.<row|col>.m8n32k16.f32.bf16.bf16.f32 {%wd*8}, {%wa*2}, {%wb*8}, {%wc*8}",
       "sm_80", wmma},
      {"wmma.mma.sync.aligned.<row|col>.<row|col>.m32n8k16.f32.bf16.bf16.f32 {%wd*8}, {%wa*8}, {%wb*2}, {%wc*8}",
       "sm_80", wmma},
      {"wmma.mma.sync.aligned.<row|col>.<row|col>.m16n16k8.f32.tf32.tf32.f32 {%wd*8}, {%wa*4}, {%wb*4}, {%wc*8}",
       "sm_80", wmma},
      {"wmma.mma.sync.aligned.<row|col>.<row|col>.m8n8k4<|.rn|.rz|.rm|.rp>.f64.f64.f64.f64 {%ld*2}, {%la*1}, {%lb*1}, "
       "{%lc*2}",
       "sm_80", wmma},
      {"wmma.mma.sync.aligned.row.col.m8n8k32.s32.<s4|u4>.$1.s32<|.satfinite> {%wd*2}, {%wa*1}, {%wb*1}, {%wc*2}",
       "sm_75", wmma},
      {"wmma.mma.<xor|and>.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%wd*2}, {%wa*1}, {%wb*1}, {%wc*2}",
       "sm_80", wmma},
  };
  return table;
}

/// Forms that the emulator does not execute, and why. A warp stops at such an instruction, which is then named.
std::span<const Form> refused_forms() {
  static constexpr std::string_view textures = "textures and surfaces are not emulated",
                                    tensor_maps = "tensor maps are not emulated",
                                    blackwell = "tensor memory of sm_100 and its tensor cores are not emulated",
                                    multicast = "memory of several GPUs is not emulated",
                                    narrow = "matrices of 8, 6 and 4 bits are not moved",
                                    nan = "the PTX ISA leaves open the NaN for an element out of bounds";
  static constexpr Form table[] = {
      {"fma.rn.oob<|.relu>.<f16|f16x2|bf16|bf16x2> %d#2, %a#2, %b#2, %c#2", "sm_90", {}, nan},
      {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%wd*2}, [%s32]", "sm_100a", {}, narrow},
      {"ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%wd*4}, [%s32]", "sm_100a", {}, narrow},
      {"ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.<b6x16_p32|b4x16_p64> {%d32}, [%s32]", "sm_100a", {}, narrow},
      {"ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.<b6x16_p32|b4x16_p64> {%wd*2}, [%s32]", "sm_100a", {}, narrow},
      {"ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.<b6x16_p32|b4x16_p64> {%wd*4}, [%s32]", "sm_100a", {}, narrow},
      {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.<b6x16_p32|b4x16_p64> {%wd*2}, [%s32]",
       "sm_100a",
       {},
       narrow},
      {"ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.<b6x16_p32|b4x16_p64> {%wd*4}, [%s32]",
       "sm_100a",
       {},
       narrow},
      {"stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%s32], {%a32}", "sm_100a", {}, narrow},
      {"stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%s32], {%a32, %b32}", "sm_100a", {}, narrow},
      {"stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%s32], {%wa*4}", "sm_100a", {}, narrow},
      {"tex.<1d|2d|3d|a1d|a2d>.v4.f32.<s32|f32> {%wd*4}, [%g64, {%wa*4}]", "sm_75", {}, textures},
      {"tld4.r.2d.v4.f32.f32 {%wd*4}, [%g64, {%wa*2}]", "sm_75", {}, textures},
      {"txq.<width|height|depth>.b32 %d32, [%g64]", "sm_75", {}, textures},
      {"suld.b.<1d|2d>.b32.trap %d32, [%g64, {%wa*2}]", "sm_75", {}, textures},
      {"sust.b.<1d|2d>.b32.trap [%g64, {%wa*2}], %b32", "sm_75", {}, textures},
      {"sured.b.add.1d.u32.trap [%g64, {%a32}], %b32", "sm_75", {}, textures},
      {"suq.<width|height>.b32 %d32, [%g64]", "sm_75", {}, textures},
      {"istypep.<texref|samplerref|surfref> %p, %g64", "sm_75", {}, textures},
      {"tensormap.replace.tile.global_address.global.b1024.b64 [%g64], %b64", "sm_90a", {}, tensor_maps},
      {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%g64], [%s64], 128",
       "sm_90",
       {},
       tensor_maps},
      {"prefetch<.const|.param|>.tensormap [%g64]", "sm_90", {}, tensor_maps},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%s32], [%g64, {%wa*2}], [%m32]",
       "sm_90",
       {},
       tensor_maps},
      {"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%g64, {%wa*2}], [%s32]", "sm_90", {}, tensor_maps},
      {"cp.async.bulk.prefetch.tensor.2d.L2.global [%g64, {%wa*2}]", "sm_90", {}, tensor_maps},
      {"cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%g64, {%wa*2}], [%s32]",
       "sm_90",
       {},
       tensor_maps},
      {"multimem.<red.relaxed.sys.global.add.u32 [%g64], %b32|ld_reduce.relaxed.sys.global.add.u32 %d32, [%g64]|"
       "st.relaxed.sys.global.u32 [%g64], %b32>",
       "sm_90",
       {},
       multicast},
      {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%s32], 32", "sm_100a", {}, blackwell},
      {"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a32, 32", "sm_100a", {}, blackwell},
      {"tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned", "sm_100a", {}, blackwell},
      {"tcgen05.ld.sync.aligned.32x32b.x1.b32 {%d32}, [%a32]", "sm_100a", {}, blackwell},
      {"tcgen05.st.sync.aligned.32x32b.x1.b32 [%a32], {%b32}", "sm_100a", {}, blackwell},
      {"tcgen05.wait::<ld|st>.sync.aligned", "sm_100a", {}, blackwell},
      {"tcgen05.cp.cta_group::1.128x256b [%a32], %b64", "sm_100a", {}, blackwell},
      {"tcgen05.shift.cta_group::1.down [%a32]", "sm_100a", {}, blackwell},
      {"tcgen05.mma.cta_group::1.kind::f16 [%a32], %a64, %b64, %b32, %pa", "sm_100a", {}, blackwell},
      {"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%s32]", "sm_100a", {}, blackwell},
      {"tcgen05.fence::<before|after>_thread_sync", "sm_100a", {}, blackwell},
  };
  return table;
}

}  // namespace lanescope::emulator
