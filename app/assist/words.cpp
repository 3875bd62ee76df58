#include "app/assist/completion.h"

#include <array>

namespace lanescope::assist {
namespace {

constexpr auto intrinsic_words = std::to_array<Word>({
    {"__shfl_sync", "value of another lane", "__shfl_sync(~0u, $, lane)"},
    {"__shfl_up_sync", "value of a lane below", "__shfl_up_sync(~0u, $, 1)"},
    {"__shfl_down_sync", "value of a lane above", "__shfl_down_sync(~0u, $, 1)"},
    {"__shfl_xor_sync", "value of lane ^ mask", "__shfl_xor_sync(~0u, $, 1)"},
    {"__ballot_sync", "one bit of each lane", "__ballot_sync(~0u, $)"},
    {"__any_sync", "whether any lane's value is not 0", "__any_sync(~0u, $)"},
    {"__all_sync", "whether all lanes' values are not 0", "__all_sync(~0u, $)"},
    {"__match_any_sync", "lanes with the same value", "__match_any_sync(~0u, $)"},
    {"__activemask", "lanes that are active", "__activemask()"},
    {"__syncthreads", "barrier of the block", "__syncthreads();"},
    {"__syncwarp", "barrier of the warp", "__syncwarp();"},
    {"__threadfence", "order of writes for the GPU", "__threadfence();"},
    {"__threadfence_block", "order of writes for the block", "__threadfence_block();"},
    {"__byte_perm", "4 bytes chosen of 8", "__byte_perm($, 0, 0x3210)"},
    {"__funnelshift_l", "64-bit shift left, upper half", "__funnelshift_l($, 0, 1)"},
    {"__funnelshift_r", "64-bit shift right, lower half", "__funnelshift_r($, 0, 1)"},
    {"__popc", "number of bits that are 1", "__popc($)"},
    {"__clz", "leading zeros", "__clz($)"},
    {"__ffs", "position of the first 1, from 1", "__ffs($)"},
    {"__brev", "bits reversed", "__brev($)"},
    {"__ldg", "load through the read-only cache", "__ldg(&$)"},
    {"__lows2half2", "low halves of two", "__lows2half2($, )"},
    {"__highs2half2", "high halves of two", "__highs2half2($, )"},
    {"__halves2half2", "two halves side by side", "__halves2half2($, )"},
    {"__low2half", "low half", "__low2half($)"},
    {"__high2half", "high half", "__high2half($)"},
    {"__half22float2", "two halves as floats", "__half22float2($)"},
    {"__float22half2_rn", "two floats as halves", "__float22half2_rn($)"},
    {"__hadd2", "sum of two pairs of halves", "__hadd2($, )"},
    {"__fmaf_rn", "a * b + c in float", "__fmaf_rn($, , )"},
    {"atomicAdd", "adds to memory", "atomicAdd(&$, 1)"},
    {"atomicMax", "maximum in memory", "atomicMax(&$, 0)"},
    {"atomicExch", "exchanges with memory", "atomicExch(&$, 0)"},
    {"atomicCAS", "compares and exchanges", "atomicCAS(&$, 0, 1)"},
    {"threadIdx", "thread in the block: .x .y .z", "threadIdx.x"},
    {"blockIdx", "block in the grid: .x .y .z", "blockIdx.x"},
    {"blockDim", "threads of a block: .x .y .z", "blockDim.x"},
    {"gridDim", "blocks of the grid: .x .y .z", "gridDim.x"},
    {"__global__", "a kernel", "__global__ void $"},
    {"__device__", "a function of the GPU", ""},
    {"__shared__", "memory of the block", "__shared__ $"},
    {"__restrict__", "no other pointer to the same data", ""},
    {"__forceinline__", "inlined", ""},
    {"__launch_bounds__", "largest block size", "__launch_bounds__($)"},
});

constexpr auto launch_words = std::to_array<Word>({
    {"kernel", "a kernel's name, or a template instance", "kernel = \"$\""},
    {"grid", "blocks: 4, [4], [4, 2] or [4, 2, 1]", "grid = $"},
    {"block", "threads of a block, as grid", "block = $"},
    {"cluster", "blocks in a cluster, as grid", "cluster = $"},
    {"shared", "bytes of dynamic shared memory", "shared = $"},
    {"stream", "0 to 31", "stream = $"},
    {"args", "arguments in order or by name", "args = [$]"},
});
constexpr auto lanescope_words = std::to_array<Word>({
    {"title", "one line about the kernel", "title = \"$\""},
    {"arch", "for which it is compiled", "arch = \"sm_$\""},
    {"options", "as nvcc takes them", "options = [\"$\"]"},
});
constexpr auto buffer_words = std::to_array<Word>({
    {"type", "of an element", "type = \"$\""},
    {"axes", "NAME:EXTENT, slowest first", "axes = \"$\""},
    {"init", "contents before the launch", "init = \"$\""},
    {"expect", "contents after the launch", "expect = \"$\""},
    {"tolerance", "largest difference", "tolerance = $"},
    {"traced", "whether its elements are followed", "traced = $"},
});
constexpr auto section_words = std::to_array<Word>({
    {"lanescope", "the launch", "lanescope]"},
    {"[launch", "one of several launches", "[launch]]"},
    {"buffers", "arrays, one a line", "buffers]"},
});
constexpr auto type_words = std::to_array<Word>({
    {"b1", "1 bit", "b1 i:$"},
    {"u4", "unsigned, 4 bits", "u4 i:$"},
    {"s4", "signed, 4 bits", "s4 i:$"},
    {"u8", "unsigned, 8 bits", "u8 i:$"},
    {"s8", "signed, 8 bits", "s8 i:$"},
    {"u16", "unsigned, 16 bits", "u16 i:$"},
    {"s16", "signed, 16 bits", "s16 i:$"},
    {"f16", "half precision", "f16 i:$"},
    {"bf16", "bfloat16", "bf16 i:$"},
    {"u32", "unsigned", "u32 i:$"},
    {"s32", "int", "s32 i:$"},
    {"f32", "float", "f32 i:$"},
    {"u64", "unsigned, 64 bits", "u64 i:$"},
    {"s64", "signed, 64 bits", "s64 i:$"},
    {"f64", "double", "f64 i:$"},
});
constexpr auto row_words = std::to_array<Word>({
    {"simd", "parts of a register: s1 s0", "simd:      $"},
    {"register", "registers of the array: r1 r0", "register:  $"},
    {"thread", "lanes: t4 t3 t2 t1 t0", "thread:    $"},
    {"warp", "warps of the block: w1 w0", "warp:      $"},
    {"block", "blocks of the grid: b1 b0", "block:     $"},
});
}  // namespace

std::span<const Word> intrinsics() { return intrinsic_words; }
std::span<const Word> launch_keys() { return launch_words; }
std::span<const Word> lanescope_keys() { return lanescope_words; }
std::span<const Word> buffer_keys() { return buffer_words; }
std::span<const Word> sections() { return section_words; }
std::span<const Word> element_types() { return type_words; }
std::span<const Word> rows() { return row_words; }

}  // namespace lanescope::assist
