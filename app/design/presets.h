#pragma once
// Register assignments to begin with: by elements, type and threads, by name, and from the notations of other projects.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/design/design.h"

namespace lanescope::design {

/// An assignment with a name of its own.
struct Preset {
  std::string_view group;   ///< "mma.m16n8k16"
  std::string_view name;    ///< "A of mma.m16n8k16"
  std::string_view type;    ///< of the elements
  std::string_view text;    ///< notation
  std::string_view source;  ///< where it is stated
};
/// Tensor-core fragments, matrices of ldmatrix, accumulators of wgmma.
std::span<const Preset> fragments();

/// Conversions with a name: both ends.
struct Chain {
  std::string_view name, type, from, to, source;
};
std::span<const Chain> chains();

/// Known layouts that cannot be represented, with the reason.
struct RefusedPreset {
  std::string_view name, why;
};
std::span<const RefusedPreset> refused_presets();

struct Amount {
  std::uint64_t elements = 256;
  std::string type = "f16";
  int threads = 32;  ///< 32 to 1024
};
inline constexpr std::uint64_t most_elements = std::uint64_t{1} << 18;

/// The elements of a one-dimensional array `i`, loaded by vectors of `vector_bytes` (1 to 16, at least one element)
/// side by side. Errors: numbers that are no powers of two, fewer elements than threads, more than 256 registers.
Expected<layout::Assignment> coalesced(const Amount& amount, int vector_bytes);
/// The same with as wide vectors as there are elements for.
Expected<layout::Assignment> coalesced(const Amount& amount);

/// "sizePerThread=[1,8] threadsPerWarp=[8,4] warpsPerCTA=[4,1] order=[1,0] shape=[64,64]": a blocked layout of Triton.
/// Axes are i, j, k, l. `element_bits` says how many elements share a register. Errors name what is missing or no power
/// of two.
Expected<layout::Assignment> triton_blocked(std::string_view text, int element_bits);

/// "((4,8),(2,2)):((32,1),(16,8))", alone or after "Swizzle<B,M,S>": a layout of CuTe from thread and value to the
/// index of an element. Errors: extents or strides that are no powers of two, strides that overlap: such a layout is
/// not F2.
Expected<layout::Assignment> cute_layout(std::string_view text, int element_bits);

/// Whichever of these notations `text` is in, or register assignments as in kernel files.
Expected<layout::Assignment> import_assignment(std::string_view text, int element_bits);

}  // namespace lanescope::design
