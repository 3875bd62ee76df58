#pragma once
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "profiling/occupancy/occupancy.h"

namespace lanescope::occupancy {

inline const GpuTable& table() {
  const Expected<GpuTable>& t = gpu_table();
  if (!t) {
    for (const Diagnostic& d : t.error()) ADD_FAILURE() << to_string(d);
    std::abort();
  }
  return *t;
}
inline Arch arch(std::string_view name) { return table().arch(name).value(); }
inline Gpu gpu(std::string_view name) { return table().gpu(name).value(); }
inline Occupancy resident(const Arch& a, const KernelUse& use) { return occupancy(a, use).value(); }

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  int from(int least, int most) {
    return least + static_cast<int>(engine_() % static_cast<unsigned>(most - least + 1));
  }
  KernelUse use(const Arch& a) {
    KernelUse u;
    u.threads_per_block = from(1, a.limits.threads_per_block);
    u.registers_per_thread = from(0, a.registers.per_thread);
    u.static_shared_bytes = from(0, 1) * from(0, 4096);
    u.dynamic_shared_bytes = from(0, 1) * from(0, a.shared.opt_in_per_block_bytes - u.static_shared_bytes);
    u.barriers = from(0, 3);
    return u;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace lanescope::occupancy
