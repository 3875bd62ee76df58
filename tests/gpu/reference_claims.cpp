#include "tests/gpu/reference_claims.h"

#include <fmt/format.h>

#include <cmath>

#include "tests/gpu/reference_counters.h"

namespace lanescope::gpu_test {
namespace {

constexpr double noise = 0.03, same_within = 0.1;

constexpr Origin julia{"CUDA.jl kernel optimization notebook", "P100 (sm_60, 56 multiprocessors)"};
constexpr Origin cscs{"CSCS course, shared memory", "P100 and A100"};
constexpr Origin kaust{"KAUST course, memory and shuffles", "K20"};
constexpr Origin any{"KAUST course, memory and shuffles", ""};
constexpr Origin ours{"this catalogue", ""};
constexpr Origin notes{"register assignment notes", "L40S"};

using namespace counter;
using enum Criterion;

// A claim is a few lines, not a column.
// clang-format off
const std::vector<Claim> table = {
    // sums of squared differences
    {"rmse: one atomic per thread, not per element", julia, "9.9 ms become 363 us", 9935, 363.5, 27.3,
     "rmse_atomic f32, source size", "rmse_private f32, source size", half_of_effect, {reductions, l2_reductions,
     instructions, dram_busy}},
    {"rmse: one atomic per thread, not per element (arrays larger than L2)", julia, "9.9 ms become 363 us", 9935, 363.5,
     27.3, "rmse_atomic f32, large", "rmse_private f32, large", half_of_effect, {reductions, l2_reductions,
     instructions, dram_busy}},
    {"rmse: one atomic per thread, not per element (integers)", julia, "9.9 ms become 363 us", 9935, 363.5, 27.3,
     "rmse_atomic s32, source size", "rmse_private s32, source size", half_of_effect, {reductions, l2_reductions,
     instructions}},
    {"rmse: one atomic per block, not per thread", julia, "363 us become 106 us", 363.5, 105.9, 3.43,
     "rmse_private f32, source size", "rmse_scattered f32, source size", half_of_effect, {reductions, l2_reductions,
     shared_wavefronts, dram_busy}},
    {"rmse: one atomic per block, not per thread (arrays larger than L2)", julia, "363 us become 106 us", 363.5, 105.9, 3.43,
     "rmse_private f32, large", "rmse_scattered f32, large", half_of_effect, {reductions, l2_reductions,
     shared_wavefronts, dram_busy}},
    {"rmse: one atomic per block, not per thread (integers)", julia, "363 us become 106 us", 363.5, 105.9, 3.43,
     "rmse_private s32, source size", "rmse_contiguous s32, source size", half_of_effect, {reductions, l2_reductions,
     shared_wavefronts}},
    {"rmse: consecutive active threads, not every n-th", julia, "the reduction in memory order is faster", 0, 0, 0,
     "rmse_modulo f32, source size", "rmse_scattered f32, source size", faster, {instructions, shared_wavefronts,
     shared_conflicts}},
    {"rmse: the same with consecutive data", ours, "no bank conflicts in the reduction", 0, 0, 0,
     "rmse_scattered f32, source size", "rmse_contiguous f32, source size", faster, {instructions, shared_wavefronts,
     shared_conflicts}},
    {"rmse: the library and one atomic per block", julia, "177 us of the library against 106 us", 176.6, 105.9, 1.67,
     "rmse_library f32, source size", "rmse_scattered f32, source size", half_of_effect, {useful_rate}},
    {"rmse: the library and one atomic per block (arrays larger than L2)", julia,
     "177 us of the library against 106 us", 176.6, 105.9, 1.67, "rmse_library f32, large", "rmse_scattered f32, large",
     half_of_effect, {useful_rate}},
    // y = a x + y
    {"axpy: lanes along a row, not down a column", julia, "46.9 us become 16.4 us at 512x512", 46.9, 16.4, 2.86,
     "axpy_down, source size", "axpy_along, source size", half_of_effect, {load_share, store_share, load_sectors,
     l2_sectors}},
    {"axpy: lanes along a row, not down a column (arrays larger than L2)", julia, "46.9 us become 16.4 us at 512x512",
     46.9, 16.4, 2.86, "axpy_down, large", "axpy_along, large", half_of_effect, {load_share, store_share, load_sectors,
     l2_sectors, dram_read, dram_written}},
    {"axpy: lanes along a row, not down a column (blocks of 32x8, arrays larger than L2)", julia,
     "46.9 us become 16.4 us at 512x512", 46.9, 16.4, 2.86, "axpy_columns, large", "axpy_rows, large", half_of_effect,
     {load_share, store_share, l1_hits, l2_sectors, dram_read, dram_written}},
    {"axpy: a grid-stride loop costs nothing", julia, "16.4 us against 15.9 us at 512x512", 16.4, 15.9, 1.03,
     "axpy_along, source size", "axpy_grid_stride, source size", not_slower, {instructions, load_share}},
    {"axpy: a grid-stride loop costs nothing (arrays larger than L2)", julia, "16.4 us against 15.9 us at 512x512",
     16.4, 15.9, 1.03, "axpy_along, large", "axpy_grid_stride, large", not_slower, {instructions, dram_busy,
     warps_active}},
    // neighbours
    {"neighbours: a shuffle, not shared memory with barriers (floats)", kaust, "always faster", 0, 0, 0,
     "neighbour by_barrier f32", "neighbour by_shuffle f32", faster, {instructions, shared_wavefronts, load_store_pipe,
     barrier_stalls}},
    {"neighbours: a shuffle, not shared memory with barriers (doubles)", kaust, "always faster", 0, 0, 0,
     "neighbour by_barrier f64", "neighbour by_shuffle f64", faster, {instructions, shared_wavefronts, load_store_pipe,
     barrier_stalls}},
    {"neighbours: a shuffle, not shared memory without barriers (floats)", kaust, "never slower", 0, 0, 0,
     "neighbour by_volatile f32", "neighbour by_shuffle f32", not_slower, {instructions, shared_wavefronts,
     load_store_pipe}},
    {"neighbours: a shuffle, not shared memory without barriers (doubles)", kaust, "never slower", 0, 0, 0,
     "neighbour by_volatile f64", "neighbour by_shuffle f64", not_slower, {instructions, shared_wavefronts,
     load_store_pipe}},
    {"neighbours: a shuffle, not shared memory with barriers of the warp", kaust, "always faster", 0, 0, 0,
     "neighbour_shared", "neighbour_shuffle", faster, {instructions, shared_wavefronts, load_store_pipe}},
    // blurs
    {"blur: shared memory, not three loads", cscs, "no speed-up, as L1 serves the neighbours", 0, 0, 1,
     "blur_plain f64, large", "blur_shared f64, large", same, {load_sectors, l1_hits, dram_read, dram_busy}},
    {"blur: two in one pass, not in two", cscs, "one round trip to memory less: 2 arrays instead of 4", 0, 0, 2,
     "blur_twice f64, large", "blur_fused f64, large", half_of_effect, {dram_read, dram_written, dram_busy}},
    {"blur: two in one pass, not in two (arrays that L2 holds)", cscs,
     "one round trip to memory less: 2 arrays instead of 4", 0, 0, 2, "blur_twice f64, in L2", "blur_fused f64, in L2",
     half_of_effect, {dram_read, dram_written, l2_sectors}},
    {"blur: two in one pass, not in two (floats)", cscs, "one round trip to memory less: 2 arrays instead of 4", 0, 0, 2,
     "blur_twice f32, large", "blur_fused f32, large", half_of_effect, {dram_read, dram_written, dram_busy}},
    // widths
    {"global memory: loads of 8 bytes, not 4 (grid-stride loop)", notes, "about 15 % more bandwidth", 0, 0, 1.15,
     "copy_int", "copy_int2", half_of_effect, {load_requests, store_requests, load_share, dram_busy}},
    {"global memory: loads of 16 bytes, not 8 (grid-stride loop)", notes, "nearly nothing more", 0, 0, 1, "copy_int2",
     "copy_int4", same, {load_requests, store_requests, load_share, dram_busy}},
    {"global memory: loads of 8 bytes, not 4 (one load per thread)", notes, "about 15 % more bandwidth", 0, 0, 1.15,
     "copy_float", "copy_float2", half_of_effect, {load_requests, store_requests, load_share, dram_busy}},
    {"global memory: loads of 16 bytes, not 8 (one load per thread)", notes, "nearly nothing more", 0, 0, 1, "copy_float2",
     "copy_float4", same, {load_requests, store_requests, load_share, dram_busy}},
    {"shared memory: loads of 8 bytes, not 4", notes, "twice the bandwidth", 0, 0, 2, "shared read uint",
     "shared read uint2", half_of_effect, {shared_wavefronts, instructions, data_pipe}},
    {"shared memory: stores of 8 bytes, not 4", notes, "twice the bandwidth", 0, 0, 2, "shared write uint",
     "shared write uint2", half_of_effect, {shared_wavefronts, instructions, data_pipe}},
    // transposes
    {"transpose: through shared memory, not directly", notes, "entire lines on both sides", 0, 0, 0,
     "transpose straight", "transpose through_tile<33>", faster, {store_share, store_sectors, l2_sectors,
     dram_written}},
    {"transpose: padded, not unpadded", notes, "shared memory is to be free of bank conflicts", 0, 0, 0,
     "transpose through_tile<32>", "transpose through_tile<33>", faster, {shared_wavefronts, shared_conflicts,
     data_pipe, dram_busy}},
    {"transpose: swizzled, not padded", ours, "either is free of bank conflicts", 0, 0, 1, "transpose through_tile<33>",
     "transpose swizzled", same, {shared_wavefronts, shared_conflicts, dram_busy}},
    {"transpose: padded, not unpadded (on chip only)", notes, "shared memory is to be free of bank conflicts", 0, 0, 0,
     "tile_rounds<32>", "tile_rounds<33>", faster, {shared_wavefronts, shared_conflicts, data_pipe}},
    {"transpose: padded, not unpadded (one tile)", notes, "shared memory is to be free of bank conflicts", 0, 0, 0,
     "shared_transpose_naive", "shared_transpose_padded", faster, {shared_wavefronts, shared_conflicts, data_pipe}},
    {"transpose: swizzled, not padded (one tile)", ours, "either is free of bank conflicts", 0, 0, 1,
     "shared_transpose_padded", "shared_transpose_swizzled", same, {shared_wavefronts, shared_conflicts, data_pipe}},
    // structures
    {"structures: one array per field, not an array of structures", any, "otherwise three times as many bytes are transferred", 0, 0, 3,
     "array_of_structures", "structure_of_arrays", half_of_effect, {load_sectors, load_share, l1_hits, dram_read,
     dram_busy}},
};
// clang-format on

double least_ratio(double stated) { return 1 + (stated - 1) / 2; }

}  // namespace

std::string criterion_words(Criterion criterion, double stated) {
  switch (criterion) {
    case half_of_effect:
      return fmt::format("at least half of the effect: a ratio of {:.3g} or more", least_ratio(stated));
    case same:
      return fmt::format("the same time within {:.0f} %", 100 * same_within);
    case faster:
      return fmt::format("faster by more than {:.0f} %", 100 * noise);
    case not_slower:
      return fmt::format("slower by {:.0f} % at most", 100 * noise);
  }
  return "";
}

bool holds(Criterion criterion, double stated, double ratio) {
  switch (criterion) {
    case half_of_effect:
      return ratio >= least_ratio(stated);
    case same:
      return std::abs(ratio - 1) <= same_within;
    case faster:
      return ratio > 1 + noise;
    case not_slower:
      return ratio >= 1 - noise;
  }
  return false;
}

std::span<const Claim> claims() { return table; }

std::vector<std::string> reference_counters() {
  std::vector<std::string> names;
  for (const std::string_view name :
       {hardware_time,    instructions,    reductions,     l2_reductions, load_requests, store_requests,
        load_sectors,     store_sectors,   load_share,     store_share,   dram_read,     dram_written,
        dram_busy,        l1_hits,         l2_hits,        l2_sectors,    data_pipe,     shared_wavefronts,
        shared_conflicts, load_store_pipe, barrier_stalls, warps_active})
    names.emplace_back(name);
  return names;
}

}  // namespace lanescope::gpu_test
