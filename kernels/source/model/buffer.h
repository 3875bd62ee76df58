#pragma once
// A buffer as its text describes it: element type, axes, contents.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::source {

/// A place in the user's text, 1-based; line 0: not written by the user.
struct TextPlace {
  int line = 0, column = 0;
};

struct Axis {
  std::string name;          ///< "i", "j", "ReIm"
  std::uint64_t extent = 0;  ///< elements
  std::uint64_t stride_elements = 0;
};

/// Contents of a buffer before the launch, or expected after it.
struct Contents {
  enum class Kind : std::uint8_t { zeros, iota, random, constant, npy, values, copy_of, sha256, bytes };
  Kind kind = Kind::iota;
  double value = 0;        ///< constant
  std::uint64_t seed = 1;  ///< random
  std::string text;        ///< npy: path relative to the .cu file; copy_of: buffer name; sha256: hex digest
  std::vector<double> values;
  std::shared_ptr<const std::vector<std::byte>> bytes{};  ///< bytes: contents from the host code, or a list of bits
  std::size_t listed = 0;                                 ///< bytes: of a list, its elements
  /// It is not written before the launch: zeros, which a kernel must not use.
  bool uninitialised = false;
  int line = 0, column = 0;  ///< of its text in the header; 0: not written by the user
};

struct BufferSpec {
  std::string name;
  std::string element_type;  ///< b1 u4 s4 u8 s8 u16 s16 f16 bf16 u32 s32 f32 u64 s64 f64
  int element_bits = 32;
  std::vector<Axis> axes;      ///< slowest first; strides filled in (C order unless given)
  std::uint64_t elements = 0;  ///< extent of the array in elements, holes included
  Contents initial;
  std::optional<Contents> expected;
  double tolerance = 0;  ///< relative, for floats
  bool traced = true;
  bool size_assumed = false;      ///< its size is not given
  bool contents_assumed = false;  ///< its contents are not given
  bool axes_assumed = false;      ///< its axes are not stated: names and order are those of the claims, or one axis
  std::string variable{};         ///< not empty: a __device__ or __constant__ variable, its name in the PTX
  bool inferred = false;          ///< not in the header: taken from the kernel's signature and its comments
  bool generated = false;         ///< the input or output of a function that is called by itself
  int line = 0;                   ///< in the header, 0 when inferred
  int column = 0;                 ///< of its name there
};

/// Coordinates of an element: one per axis, slowest first; nullopt for an element in a hole.
std::optional<std::vector<std::uint64_t>> coordinates(const BufferSpec& buffer, std::uint64_t element);

/// "i:4/33 j:32": the axes as the launch header has them.
std::string axes_text(const BufferSpec& buffer);

/// Default strides (C order) where 0, total elements. An error in words when the extents overflow; empty when all is
/// well.
std::string lay_out(BufferSpec& buffer);

int element_bits(std::string_view element_type);  ///< 0 when unknown

}  // namespace lanescope::source
