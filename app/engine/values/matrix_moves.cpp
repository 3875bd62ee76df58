#include "app/engine/values/matrix_moves.h"

#include <utility>

namespace lanescope::engine {
namespace {

constexpr int side = 8, element_bytes = 2;
constexpr std::uint32_t quad = 0xf;

}  // namespace

FragmentParts parts_of_fragment(int matrix, int lane, bool transposed) {
  const int row = lane / 4, column = 2 * (lane % 4);
  if (!transposed)
    return {.parts = {{{.lane = side * matrix + row, .first = column * element_bytes, .bytes = 4, .bit = 0}}},
            .count = 1};
  FragmentParts out{.count = 2};
  for (int half = 0; half < 2; ++half)
    out.parts[static_cast<std::size_t>(half)] = {
        .lane = side * matrix + column + half, .first = row * element_bytes, .bytes = element_bytes, .bit = 16 * half};
  return out;
}

FragmentPlace fragment_of_byte(int row_lane, int byte, bool transposed) {
  int row = row_lane % side, column = byte / element_bytes;
  if (transposed) std::swap(row, column);
  return {.lane = 4 * row + column / 2, .matrix = row_lane / side, .bit = 16 * (column % 2)};
}

FragmentPlace transposed_half(int lane, int half) {
  const int row = 2 * (lane % 4) + half, column = lane / 4;
  return {.lane = 4 * row + column / 2, .matrix = 0, .bit = 16 * (column % 2)};
}

std::uint32_t product_lanes(const InstructionFacts& f, std::size_t source, std::size_t result, int lane) {
  if (source >= f.first_c) return source - f.first_c == result ? 1u << lane : 0;
  if (!f.by_quads) return ~0u;
  if (source < f.first_b) return quad << (lane / 4 * 4);
  const int column = 2 * (lane % 4);
  if (f.packs_results) return quad << (4 * column) | quad << (4 * (column + 1));
  return quad << (4 * (column + static_cast<int>(result % 2)));
}

}  // namespace lanescope::engine
