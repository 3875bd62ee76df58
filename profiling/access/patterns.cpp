#include "profiling/access/patterns.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "profiling/access/formula.h"

namespace lanescope::access {
namespace {

struct ShapeText {
  Shape shape;
  std::string_view name, amount;
};
constexpr ShapeText shape_texts[] = {{Shape::aligned, "aligned", ""},
                                     {Shape::permuted, "permuted", ""},
                                     {Shape::misaligned, "misaligned", "bytes offset"},
                                     {Shape::broadcast, "broadcast", ""},
                                     {Shape::scattered, "scattered", ""},
                                     {Shape::stride, "stride", "elements between lanes"},
                                     {Shape::structure, "structure", "bytes per structure"},
                                     {Shape::formula, "formula", ""},
                                     {Shape::map, "map", ""}};

/// SplitMix64: the same numbers with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }

 private:
  std::uint64_t state_;
};

using Offsets = std::array<std::int64_t, 32>;

std::array<std::int64_t, 32> shuffled_lanes(std::uint64_t seed) {
  Offsets lanes;
  for (std::size_t i = 0; i < 32; ++i) lanes[i] = static_cast<std::int64_t>(i);
  Random random(seed);
  for (std::size_t i = 31; i > 0; --i) std::swap(lanes[i], lanes[random.below(i + 1)]);
  return lanes;
}

Expected<Offsets> scattered(const PatternSpec& spec) {
  const std::uint64_t elements = spec.range_bytes / static_cast<std::uint64_t>(spec.width_bytes);
  if (elements < 32)
    return failure(fmt::format("{} bytes hold fewer than 32 elements of {} bytes", spec.range_bytes, spec.width_bytes),
                   "widen the range");
  Random random(spec.seed ^ std::uint64_t{spec.warp} << 32);
  Offsets out;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    do out[lane] = static_cast<std::int64_t>(random.below(elements)) * spec.width_bytes;
    while (std::find(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(lane), out[lane]) !=
           out.begin() + static_cast<std::ptrdiff_t>(lane));
  }
  return out;
}

Expected<Offsets> by_formula(const PatternSpec& spec) {
  const Formula formula = LS_TRY(Formula::parse(spec.formula));
  Offsets out;
  for (std::size_t lane = 0; lane < 32; ++lane)
    out[lane] = LS_TRY(formula.value(static_cast<std::int64_t>(lane), spec.warp));
  return out;
}

std::int64_t by_map(const PatternSpec& spec, std::int64_t index) {
  std::uint64_t offset = 0;
  for (std::size_t bit = 0; bit < std::min<std::size_t>(spec.columns.size(), 63); ++bit)
    if (index >> bit & 1) offset ^= spec.columns[bit];
  return static_cast<std::int64_t>(offset);
}

/// factor * element + summand; nullopt: it does not fit.
std::optional<std::int64_t> scaled(std::int64_t factor, std::int64_t element, std::int64_t summand) {
  std::int64_t product = 0, sum = 0;
  if (__builtin_mul_overflow(factor, element, &product) || __builtin_add_overflow(product, summand, &sum)) return {};
  return sum;
}

/// Shapes whose offset is a plain function of the element's number; nullopt: it does not fit.
std::optional<std::int64_t> simple_offset(const PatternSpec& spec, std::int64_t lane) {
  const std::int64_t element = lane + 32 * std::int64_t{spec.warp}, width = spec.width_bytes;
  switch (spec.shape) {
    case Shape::misaligned:
      return scaled(width, element, spec.amount);
    case Shape::broadcast:
      return std::int64_t{spec.warp} * width;
    case Shape::stride: {
      const auto bytes = scaled(spec.amount, width, 0);
      return bytes ? scaled(*bytes, element, 0) : bytes;
    }
    case Shape::structure:
      return scaled(spec.amount, element, static_cast<std::int64_t>(spec.field_bytes));
    case Shape::map:
      return by_map(spec, element);
    default:
      return element * width;
  }
}

Expected<Offsets> offsets_of(const PatternSpec& spec) {
  if (spec.shape == Shape::scattered) return scattered(spec);
  if (spec.shape == Shape::formula) return by_formula(spec);
  const Offsets order = shuffled_lanes(spec.seed);
  Offsets out;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const auto offset =
        simple_offset(spec, spec.shape == Shape::permuted ? order[lane] : static_cast<std::int64_t>(lane));
    if (!offset) return failure("these offsets do not fit 64 bits", "use a smaller number");
    out[lane] = *offset;
  }
  return out;
}

}  // namespace

Expected<Access> make_pattern(const PatternSpec& spec) {
  if (spec.width_bytes < 1 || spec.width_bytes > 16 || !std::has_single_bit(static_cast<unsigned>(spec.width_bytes)))
    return failure(fmt::format("the width is {} bytes", spec.width_bytes), "use 1, 2, 4, 8 or 16 bytes");
  const Offsets offsets = LS_TRY(offsets_of(spec));
  Access access{.space = spec.space, .kind = spec.kind, .width_bytes = spec.width_bytes, .mask = spec.mask};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::int64_t offset = offsets[lane];
    const bool below_base = offset < 0 && static_cast<std::uint64_t>(-(offset + 1)) >= spec.base_bytes;
    const bool active = (spec.mask >> lane & 1) != 0;
    if (active && below_base)
      return failure(fmt::format("lane {} would be at {} bytes, before the array", lane, offset),
                     "keep offsets at 0 or above");
    access.addresses[lane] = below_base ? 0 : spec.base_bytes + static_cast<std::uint64_t>(offset);
  }
  return access;
}

std::string_view name_of(Shape shape) { return entry_for(shape_texts, shape).name; }

std::optional<Shape> shape_of(std::string_view name) {
  for (const ShapeText& text : shape_texts)
    if (text.name == name) return text.shape;
  return std::nullopt;
}

std::span<const Shape> shapes() {
  static const auto all = [] {
    std::array<Shape, std::size(shape_texts)> out{};
    std::transform(std::begin(shape_texts), std::end(shape_texts), out.begin(),
                   [](const ShapeText& t) { return t.shape; });
    return out;
  }();
  return all;
}

std::string_view meaning_of_amount(Shape shape) { return entry_for(shape_texts, shape).amount; }

}  // namespace lanescope::access
