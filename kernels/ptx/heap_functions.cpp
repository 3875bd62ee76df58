#include "kernels/ptx/heap_functions.h"

#include <algorithm>
#include <array>

namespace lanescope::ptx {

bool is_heap_function(std::string_view name) {
  constexpr std::array<std::string_view, 5> names{"malloc", "free", "__cuda_syscall_aligned_malloc", "__cudaCDP2Malloc",
                                                  "__cudaCDP2Free"};
  return std::ranges::find(names, name) != names.end();
}

bool allocates_memory(const Module& module) {
  return std::ranges::any_of(module.entries,
                             [](const Entry& e) { return e.is_declaration && is_heap_function(e.name); });
}

}  // namespace lanescope::ptx
