#pragma once
// Warp-wide accesses at random, one instruction each, and the kernels that perform them.
//
// Offsets and mask travel as kernel arguments, so that nothing else in a kernel touches shared or global memory: what is
// counted is that one instruction.

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "kernels/trace/launch.h"
#include "profiling/access/access.h"

namespace lanescope::gpu_test {

enum class Family : std::uint8_t {
  shared_load,
  shared_store,
  global_load,
  global_store,
  matrix_load,
  matrix_store,
  async_copy,
  shared_atomic,
  global_atomic,
  global_reduction,
};
std::string_view family_name(Family family);

/// One kernel: an instruction of a family.
struct Kind {
  Family family{};
  std::string name;         ///< of the kernel: "shared_load_16"
  std::string instruction;  ///< PTX, "ld.shared.v4.b32"
  int width_bytes = 4;      ///< per lane; of matrices a row
  int matrices = 0;         ///< 1, 2 or 4
  int minimal_arch = 70;    ///< 80: sm_80
};
const std::vector<Kind>& kinds();

/// PTX with a kernel for every kind that `arch` ("sm_90") has.
std::string kernels_ptx(const std::string& arch);
int arch_number(const std::string& arch);

inline constexpr std::uint32_t shared_window_bytes = 32 * 1024, global_window_bytes = 256 * 1024;

struct Trial {
  const Kind* kind = nullptr;
  std::uint32_t mask = ~0u;
  std::array<std::uint32_t, 32> offsets{};        ///< bytes, multiples of the width
  std::array<std::uint32_t, 32> other_offsets{};  ///< of an async copy: where in shared memory it goes
  access::Access access() const;
};
Trial random_trial(const Kind& kind, std::mt19937_64& random);

/// One warp that does it. Buffer 0 is the global window.
trace::Launch launch_of(const Trial& trial);
std::vector<trace::Buffer> buffers();

}  // namespace lanescope::gpu_test
