#pragma once
// The constants behind the cycles of a plan, in one place.

#include <array>
#include <string_view>

namespace lanescope::convert {

/// Cycles of one SM for each warp instruction (or wavefront, or barrier) when nothing else is in its way.
struct CostConstant {
  std::string_view what;
  double cycles = 0;
  bool measured = false;    ///< else an estimate, from what `source` states
  std::string_view source;  ///< where the number comes from
};

inline constexpr std::string_view stated_throughput =
    "CUDA C++ Programming Guide, arithmetic instructions, results per clock cycle and SM at compute capability 9.0";

inline constexpr CostConstant cost_of_a_shuffle{"shuffle", 1, false, stated_throughput};  // 32 results a cycle
inline constexpr CostConstant cost_of_a_select{"select", 0.5, false, stated_throughput};  // 64
inline constexpr CostConstant cost_of_a_permute{"byte permute", 0.5, false, stated_throughput};
inline constexpr CostConstant cost_of_logic{"shift or mask", 0.5, false, stated_throughput};
inline constexpr CostConstant cost_of_a_wavefront{"shared-memory wavefront", 1, false,
                                                  "128 bytes a cycle and SM, as for every GPU since Volta"};
inline constexpr CostConstant cost_of_a_barrier{"barrier", 0, false,
                                                "a wait, no throughput: not counted until it is measured"};

inline constexpr std::array cost_constants = {cost_of_a_shuffle, cost_of_a_select,    cost_of_a_permute,
                                              cost_of_logic,     cost_of_a_wavefront, cost_of_a_barrier};

}  // namespace lanescope::convert
