#pragma once
// Access patterns by name, as the references draw them, for a calculator that needs no kernel. Warp w continues where
// warp w-1 ends wherever that has a meaning; offsets count from `base_bytes`. Seeds give the same pattern everywhere.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "profiling/access/access.h"

namespace lanescope::access {

enum class Shape : std::uint8_t {
  aligned,     ///< lane l takes element l
  permuted,    ///< the same elements, lanes shuffled by `seed`
  misaligned,  ///< aligned, moved by `amount` bytes
  broadcast,   ///< all lanes take element 0 of the warp
  scattered,   ///< distinct elements drawn by `seed` from `range_bytes`
  stride,      ///< element l * `amount`
  structure,   ///< a field at `field_bytes` inside structures of `amount` bytes
  formula,     ///< byte offset by `formula` in lane and warp
  map,         ///< byte offset by an F2 map: XOR of `columns[b]` over the bits b that are set in lane + 32*warp
};

struct PatternSpec {
  Shape shape = Shape::aligned;
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  int width_bytes = 4;  ///< 1, 2, 4, 8 or 16
  std::uint32_t mask = 0xffffffffu;
  std::uint32_t warp = 0;
  std::uint64_t base_bytes = 0;
  std::int64_t amount = 1;
  std::uint64_t field_bytes = 0;
  std::uint64_t seed = 1;
  std::uint64_t range_bytes = 1 << 16;
  std::string formula{};
  std::vector<std::uint64_t> columns{};
};
/// Errors: a width that no lane moves, a formula that does not parse or divides by zero, an offset below zero or beyond
/// 63 bits, a range with fewer than 32 elements. Offsets need not be multiples of the width. An
/// inactive lane whose offset would be below zero has offset 0.
Expected<Access> make_pattern(const PatternSpec& spec);

/// "aligned", ... as written on the command line and in session files.
std::string_view name_of(Shape shape);
std::optional<Shape> shape_of(std::string_view name);
std::span<const Shape> shapes();
/// Meaning of `amount` for a shape ("bytes off", "elements between lanes", "bytes per structure"); empty: it has no
/// meaning.
std::string_view meaning_of_amount(Shape shape);

}  // namespace lanescope::access
