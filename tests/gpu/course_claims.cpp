#include "tests/gpu/reference_claims.h"
#include "tests/gpu/reference_counters.h"

namespace lanescope::gpu_test {
namespace course {
namespace {

constexpr Origin notes{"CUDA execution model notes", ""};
constexpr Origin kaust{"KAUST course, memory and shuffles", "K20"};
constexpr Origin ours{"this catalogue", ""};

using namespace counter;
using enum Criterion;

// A claim is a few lines, not a column.
// clang-format off
const std::vector<Claim> table = {
    // sums in place
    {"sum: consecutive threads at work, not every n-th", notes, "fewer warps diverge", 0, 0, 0,
     "reduce_neighboured, in L2", "reduce_less_divergent, in L2", faster, {instructions, lanes_at_work, load_sectors,
     load_share}},
    {"sum: consecutive threads at work, not every n-th (larger than L2)", notes, "fewer warps diverge", 0, 0, 0,
     "reduce_neighboured, large", "reduce_less_divergent, large", faster, {instructions, lanes_at_work, load_sectors,
     dram_busy}},
    {"sum: interleaved pairs, not neighbours", notes, "better because of its loads and stores", 0, 0, 0,
     "reduce_less_divergent, in L2", "reduce_interleaved, in L2", faster, {load_sectors, store_sectors, load_share,
     instructions}},
    {"sum: interleaved pairs, not neighbours (larger than L2)", notes, "better because of its loads and stores", 0, 0, 0,
     "reduce_less_divergent, large", "reduce_interleaved, large", faster, {load_sectors, store_sectors, load_share,
     dram_busy}},
    {"sum: two parts a block, not one", notes, "unrolling saves instructions and hides latency", 0, 0, 0,
     "reduce_interleaved, in L2", "reduce_unrolled2, in L2", faster, {instructions, load_requests, barrier_stalls}},
    {"sum: two parts a block, not one (larger than L2)", notes, "unrolling saves instructions and hides latency", 0, 0, 0,
     "reduce_interleaved, large", "reduce_unrolled2, large", faster, {instructions, load_requests, dram_busy}},
    {"sum: four parts a block, not two", notes, "higher factors hide latency better", 0, 0, 0,
     "reduce_unrolled2, in L2", "reduce_unrolled4, in L2", faster, {instructions, memory_stalls, barrier_stalls}},
    {"sum: four parts a block, not two (larger than L2)", notes, "higher factors hide latency better", 0, 0, 0,
     "reduce_unrolled2, large", "reduce_unrolled4, large", faster, {instructions, memory_stalls, dram_busy}},
    {"sum: eight parts a block, not four", notes, "higher factors hide latency better", 0, 0, 0,
     "reduce_unrolled4, in L2", "reduce_unrolled8, in L2", faster, {instructions, memory_stalls, barrier_stalls}},
    {"sum: eight parts a block, not four (larger than L2)", notes, "higher factors hide latency better", 0, 0, 0,
     "reduce_unrolled4, large", "reduce_unrolled8, large", faster, {instructions, memory_stalls, dram_busy}},
    {"sum: the last warp without barriers", notes, "fewer warps wait at barriers", 0, 0, 0,
     "reduce_unrolled8, in L2", "reduce_unrolled_warp, in L2", faster, {instructions, barrier_stalls, memory_stalls}},
    {"sum: the last warp without barriers (larger than L2)", notes, "fewer warps wait at barriers", 0, 0, 0,
     "reduce_unrolled8, large", "reduce_unrolled_warp, large", faster, {instructions, barrier_stalls, dram_busy}},
    {"sum: all rounds written out", notes, "no loop is left", 0, 0, 0, "reduce_unrolled_warp, in L2",
     "reduce_unrolled_fully, in L2", not_slower, {instructions, barrier_stalls, memory_stalls}},
    {"sum: all rounds written out (larger than L2)", notes, "no loop is left", 0, 0, 0, "reduce_unrolled_warp, large",
     "reduce_unrolled_fully, large", not_slower, {instructions, barrier_stalls, dram_busy}},
    {"sum: the block size as a template argument", notes, "more efficient", 0, 0, 0, "reduce_unrolled_fully, in L2",
     "reduce_template, in L2", faster, {instructions, barrier_stalls}},
    {"sum: the block size as a template argument (larger than L2)", notes, "more efficient", 0, 0, 0,
     "reduce_unrolled_fully, large", "reduce_template, large", faster, {instructions, dram_busy}},
    {"sum: the last of the eight, not the first", ours, "what all steps give together", 0, 0, 0,
     "reduce_neighboured, in L2", "reduce_template, in L2", faster, {instructions, lanes_at_work, load_sectors,
     useful_rate}},
    {"sum: the last of the eight, not the first (larger than L2)", ours, "what all steps give together", 0, 0, 0,
     "reduce_neighboured, large", "reduce_template, large", faster, {instructions, lanes_at_work, load_sectors,
     useful_rate}},
    // blocks
    {"matrix sum: blocks of 256x1, not 1x256", notes, "block (256, 1) outperforms (1, 256)", 0, 0, 0,
     "matrix_add_1x256, in L2", "matrix_add_256x1, in L2", faster, {load_share, load_sectors, l2_sectors, l1_hits}},
    {"matrix sum: blocks of 256x1, not 1x256 (larger than L2)", notes, "block (256, 1) outperforms (1, 256)", 0, 0, 0,
     "matrix_add_1x256, large", "matrix_add_256x1, large", faster, {load_share, load_sectors, l2_sectors, dram_read}},
    {"matrix sum: blocks of 32x8, not 256x1 (larger than L2)", ours, "a warp has 32 threads along x in both", 0, 0, 1,
     "matrix_add_256x1, large", "matrix_add_32x8, large", same, {load_share, load_sectors, dram_busy}},
    // recursion
    {"recursion: without the barrier before the launch", notes, "the barrier is unnecessary", 0, 0, 0,
     "reduce_nested, few words", "reduce_nested_unsynced, few words", not_slower, {launched_grids}},
    {"recursion: one grid a level, not one a block and level", notes, "fewer launches by kernels", 0, 0, 0,
     "reduce_nested_unsynced, few words", "reduce_tail, few words", faster, {launched_grids}},
    {"recursion: a loop in one kernel, not launches by kernels", notes, "launches by kernels are unacceptably slow", 0, 0, 0,
     "reduce_nested, few words", "reduce_interleaved, few words", faster, {launched_grids}},
    {"recursion: a loop in one kernel, not one grid a level", notes, "launches by kernels are slow", 0, 0, 0,
     "reduce_tail, few words", "reduce_interleaved, few words", faster, {launched_grids}},
    // exchanges within a warp
    {"scan: shuffles, not shared memory with barriers", kaust, "always faster", 0, 0, 0, "scan by_barrier",
     "scan by_shuffle", faster, {shared_bytes, instructions, shared_wavefronts, load_store_pipe, barrier_stalls}},
    {"scan: shuffles, not shared memory with barriers of the warp", kaust, "never slower", 0, 0, 0,
     "scan by_warp_barrier", "scan by_shuffle", not_slower, {shared_bytes, instructions, shared_wavefronts,
     load_store_pipe}},
    {"sort: shuffles, not shared memory with barriers", kaust, "always faster", 0, 0, 0, "sort by_barrier",
     "sort by_shuffle", faster, {shared_bytes, instructions, shared_wavefronts, load_store_pipe, barrier_stalls}},
    {"sort: shuffles, not shared memory with barriers of the warp", kaust, "never slower", 0, 0, 0,
     "sort by_warp_barrier", "sort by_shuffle", not_slower, {shared_bytes, instructions, shared_wavefronts,
     load_store_pipe}},
    {"transpose of 7 words: shuffles, not shared memory with barriers", kaust, "always faster", 0, 0, 0,
     "transpose by_barrier", "transpose by_shuffle", faster, {shared_bytes, instructions, shared_wavefronts,
     load_store_pipe, barrier_stalls}},
    {"transpose of 7 words: shuffles, not shared memory with barriers of the warp", kaust, "never slower", 0, 0, 0,
     "transpose by_warp_barrier", "transpose by_shuffle", not_slower, {shared_bytes, instructions, shared_wavefronts,
     load_store_pipe}},
    {"structures of 7 words: a transpose by shuffles, not loads as they lie", kaust, "up to 6 times faster", 0, 0, 0,
     "structures_direct", "structures_shuffle", faster, {load_share, load_sectors, l1_hits, instructions, dram_busy}},
    {"structures of 7 words: a transpose by shuffles, not through shared memory", kaust, "always faster", 0, 0, 0,
     "structures_shared", "structures_shuffle", faster, {shared_bytes, instructions, shared_wavefronts, dram_busy}},
};
// clang-format on

}  // namespace
}  // namespace course

std::span<const Claim> course_claims() { return course::table; }

std::vector<std::string> course_counters() {
  std::vector<std::string> names = reference_counters();
  names.emplace_back(course::lanes_at_work);
  names.emplace_back(course::memory_stalls);
  return names;
}

}  // namespace lanescope::gpu_test
