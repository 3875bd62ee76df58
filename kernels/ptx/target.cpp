#include "kernels/ptx/target.h"

#include <array>
#include <cstdlib>

#include <fmt/format.h>

namespace lanescope::ptx {

namespace {

/// The last minor version of each major one (PTX ISA 9.0, "Release Notes"); of the newest: any.
constexpr std::array<int, 10> last_minor = {-1, 5, 3, 2, 3, 0, 5, 8, 8, 99};

}  // namespace

int target_number(const Module& module) {
  const std::size_t digits = module.target.find_first_of("0123456789");
  return digits == std::string::npos ? 0 : std::atoi(module.target.c_str() + digits);
}

std::uint32_t first_shared_address(const Module& module) { return target_number(module) >= 90 ? 1024 : 0; }

std::uint32_t shared_unit_bytes(const Module& module) { return target_number(module) >= 80 ? 128 : 256; }

std::string version_doubt(const Module& module) {
  const auto major = static_cast<std::size_t>(module.version_major);
  if (major >= last_minor.size())
    return fmt::format("PTX version {}.{} is newer than any that lanescope has", major, module.version_minor);
  if (module.version_minor > last_minor[major])
    return fmt::format("there is no PTX version {}.{}", major, module.version_minor);
  return {};
}

}  // namespace lanescope::ptx
