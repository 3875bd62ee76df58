#include "kernels/ptx/target.h"

#include <cstdlib>

namespace lanescope::ptx {

int target_number(const Module& module) {
  const std::size_t digits = module.target.find_first_of("0123456789");
  return digits == std::string::npos ? 0 : std::atoi(module.target.c_str() + digits);
}

std::uint32_t first_shared_address(const Module& module) { return target_number(module) >= 90 ? 1024 : 0; }

std::uint32_t shared_unit_bytes(const Module& module) { return target_number(module) >= 80 ? 128 : 256; }

}  // namespace lanescope::ptx
