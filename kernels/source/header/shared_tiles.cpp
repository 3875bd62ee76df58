#include "kernels/source/header/shared_tiles.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "kernels/base/text.h"
#include "kernels/source/header/declared_arrays.h"

namespace lanescope::source {
namespace {

constexpr std::int64_t most_threads = 1024, most_side = 33, least_threads = 32;
constexpr std::int64_t usual_extent = 32;
constexpr std::int64_t usual_sequence = 256;

/// Extents of the shared array whose declaration begins at `at`; empty where one is not known.
std::vector<std::int64_t> shared_extents(const Lexed& lexed, const FunctionRange& kernel, int at, const Values& values,
                                         std::string& name) {
  while (at < kernel.close && !lexed.is(at, "[") && !lexed.is(at, ";")) ++at;
  if (!lexed.is(at, "[")) return {};
  name = lexed.of(at - 1);
  return extents_at(lexed, at, values);
}

/// 33 of a tile with a column of padding is 32.
std::int64_t unpadded(std::int64_t side) { return side > 1 && side % 2 == 1 ? side - 1 : side; }

std::optional<std::array<std::uint32_t, 3>> threads_of(const std::vector<std::int64_t>& e, bool uses_y) {
  const auto block = [](std::int64_t x, std::int64_t y) {
    return std::array<std::uint32_t, 3>{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 1};
  };
  if (uses_y && e.size() == 2 && e[0] > 1 && e[1] > 1 && e[0] <= most_side && e[1] <= most_side) {
    const std::int64_t x = unpadded(e[1]), y = std::min(unpadded(e[0]), most_threads / x);
    return block(x, y);
  }
  if (e.size() != 1 || e[0] < least_threads || e[0] > most_threads) return std::nullopt;
  if (!uses_y) return block(unpadded(e[0]), 1);
  for (std::int64_t side = 4; side <= 32; ++side)
    if (side * side == e[0]) return block(side, side);
  return std::nullopt;
}

}  // namespace

std::optional<TileBlock> block_of_tiles(const Lexed& lexed, const FunctionRange& kernel, const Values& values,
                                        bool uses_y) {
  for (int i = kernel.open + 1; i < kernel.close; ++i) {
    if (!lexed.is(i, "__shared__") || lexed.is(i - 1, "extern")) continue;
    std::string name;
    const std::vector<std::int64_t> extents = shared_extents(lexed, kernel, i + 1, values, name);
    if (const auto block = threads_of(extents, uses_y)) return TileBlock{*block, name};
  }
  return std::nullopt;
}

std::optional<std::int64_t> extent_by_name(std::string_view name, std::string_view type) {
  if (type.find("float") != std::string_view::npos || type.find("double") != std::string_view::npos ||
      type.find("half") != std::string_view::npos || type.find("bool") != std::string_view::npos)
    return std::nullopt;
  std::string low(name);
  for (char& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (low.find("seqlen") != std::string::npos || low.find("seq_len") != std::string::npos) return usual_sequence;
  if (low.find("heads") != std::string::npos || low.find("_head") != std::string::npos ||
      low.find("nhead") != std::string::npos || low.find("batch") != std::string::npos)
    return 1;
  for (const std::string_view part :
       {"width", "height", "pitch", "cols", "columns", "rows", "stride", "dim", "row", "col"})
    if (low.find(part) != std::string::npos) return usual_extent;
  for (const std::string_view whole : {"m", "k", "w", "h", "nx", "ny", "nz", "lda", "ldb", "ldc", "ld", "xdim", "ydim"})
    if (low == whole) return usual_extent;
  return std::nullopt;
}

std::int64_t tile_extent(std::string_view instance) {
  std::int64_t out = 0;
  for (std::size_t i = std::min(instance.find('<'), instance.size()); i < instance.size(); ++i) {
    if (!is_digit(instance[i]) || is_word(instance[i - 1])) continue;
    std::int64_t number = 0;
    while (i < instance.size() && is_digit(instance[i]) && number < 4096) number = number * 10 + (instance[i++] - '0');
    if (number >= 32 && number <= 256 && (i >= instance.size() || !is_word(instance[i]))) out = std::max(out, number);
  }
  return out;
}

}  // namespace lanescope::source
