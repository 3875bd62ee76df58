#pragma once
// Strides, broadcasts, XOR swizzles, random words, masks of every density; aligned to the width or not.

#include <random>

#include "profiling/access/access.h"

namespace lanescope::access {

/// Of the same addresses in either memory.
inline Cost global_price(Access a, const MemoryModel& model = h200_memory()) {
  a.space = MemorySpace::global;
  return cost(a, model);
}
inline Cost shared_price(Access a, const MemoryModel& model = h200_memory()) {
  a.space = MemorySpace::shared;
  return cost(a, model);
}

inline Access random_pattern(std::mt19937_64& random) {
  Access p;
  p.kind = random() % 2 ? AccessKind::load : AccessKind::store;
  p.width_bytes = 1 << random() % 5;
  switch (random() % 4) {
    case 0:
      p.mask = static_cast<std::uint32_t>(random());
      break;
    case 1:
      p.mask = static_cast<std::uint32_t>(random() & random() & random());
      break;
    case 2:
      p.mask = 0x55555555u << random() % 2;
      break;
    default:
      p.mask = ~0u;
  }
  const std::uint64_t stride = random() % 40, swizzle = random() % 32, range = 1 + random() % 300;
  const auto shape = random() % 5;
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t index = shape == 0   ? lane * stride
                                : shape == 1 ? (lane ^ swizzle) * stride
                                : shape == 2 ? lane / 2
                                : shape == 3 ? (lane & ~2ull) * stride
                                             : random() % range;
    p.addresses[lane] = 4096 + index * static_cast<std::uint64_t>(p.width_bytes);
  }
  if (random() % 8 == 0)
    for (auto& a : p.addresses) a += random() % 3;  // misaligned: the hardware refuses it, the arithmetic must not
  return p;
}

}  // namespace lanescope::access
