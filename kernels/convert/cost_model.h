#pragma once
// The constants after the cycles of a plan, in one place.
//
// Those of the H200 were measured by bench/gpu_convert/constants.cu with 32 warps on one multiprocessor, where nothing but
// the instruction's own throughput is left. Shuffles and shared memory are one pipe, selects, permutes, shifts and masks
// another, and both work at the same time: a conversion takes as long as the slower one, and a part of the other, because
// instructions wait for one another. That part and the wait at a barrier of the warp are from conversions that were timed
// with 8 warps a multiprocessor (bench/results/gpu_convert_crossover.csv and gpu_convert_set.csv).

#include <array>
#include <string_view>

#include "kernels/convert/word_program.h"

namespace lanescope::convert {

/// Cycles of one SM for each warp instruction (or wavefront, or barrier) when nothing else is in its way.
struct CostConstant {
  std::string_view what;
  double cycles = 0;
  bool measured = false;    ///< on an NVIDIA H200; else an estimate, from what `source` states
  std::string_view source;  ///< where the number comes from
};

inline constexpr std::string_view measured_throughput =
    "NVIDIA H200, bench/results/gpu_convert.json, 32 warps on one multiprocessor";
inline constexpr std::string_view measured_conversions = "NVIDIA H200, bench/results/gpu_convert_crossover.csv";

inline constexpr CostConstant cost_of_a_shuffle{"shuffle", 1.0, true, measured_throughput};                    // 1.004
inline constexpr CostConstant cost_of_a_select{"select", 0.5, true, measured_throughput};                      // 0.503
inline constexpr CostConstant cost_of_a_permute{"byte permute", 0.5, true, measured_throughput};               // 0.505
inline constexpr CostConstant cost_of_logic{"shift or mask", 0.5, true, measured_throughput};                  // 0.508
inline constexpr CostConstant cost_of_a_wavefront{"shared-memory wavefront", 1.0, true, measured_throughput};  // 1.003
inline constexpr CostConstant cost_of_a_block_barrier{
    "barrier of the block", 3.5, true,
    "NVIDIA H200, bench/results/gpu_convert.json, 8 warps: 2.4 with 32 warps, 14 with one"};
inline constexpr CostConstant cost_of_a_warp_barrier{"store, barrier of the warp and load, beyond their wavefronts",
                                                     3.0, true, measured_conversions};
/// Of each cycle of the pipe that is not the slower one.
inline constexpr CostConstant cost_of_the_other_pipe{"cycle of the pipe that is done earlier", 0.3, true,
                                                     measured_conversions};
inline constexpr CostConstant cost_of_a_matrix{"movmatrix", 4.0, false,
                                               "estimate: alone, with 32 warps on one multiprocessor, it takes 1.0 "
                                               "(gpu_convert.json); plans by it were not timed"};

/// Of an H200, which every plan's cycles are of; the last one is an estimate there, too.
inline constexpr std::array cost_constants = {cost_of_a_shuffle,      cost_of_a_select,       cost_of_a_permute,
                                              cost_of_logic,          cost_of_a_wavefront,    cost_of_a_block_barrier,
                                              cost_of_a_warp_barrier, cost_of_the_other_pipe, cost_of_a_matrix};

inline constexpr std::string_view stated_throughput =
    "estimate: CUDA C++ Programming Guide, arithmetic instructions, results per clock cycle and SM, compute capability "
    "7.5 to 12.0";

/// Of other GPUs: what the throughputs that NVIDIA states would give. Nothing was measured there.
inline constexpr std::array cost_constants_elsewhere = {
    CostConstant{"shuffle", 1.0, false, stated_throughput},       // 32 results a cycle
    CostConstant{"select", 0.5, false, stated_throughput},        // 64
    CostConstant{"byte permute", 0.5, false, stated_throughput},  // 64
    CostConstant{"shift or mask", 0.5, false, stated_throughput},
    CostConstant{"shared-memory wavefront", 1.0, false,
                 "estimate: 128 bytes a cycle and SM, as for every GPU since Volta"},
};

/// Cycles of one SM of an H200 for each warp.
double cycles_of(const Counts& counts, double wavefronts, double block_barriers, double warp_barriers);

}  // namespace lanescope::convert
