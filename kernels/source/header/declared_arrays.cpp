#include "kernels/source/header/declared_arrays.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {
namespace {

std::string_view name_without_scope(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  const std::size_t scope = kernel.rfind(':');
  return scope == std::string_view::npos ? kernel : kernel.substr(scope + 1);
}

/// Of the array whose name is token `name`; nothing where it is no array of constant extents.
std::optional<DeclaredArray> array_at(const Lexed& lexed, int name, std::string_view type, const Values& values) {
  const std::vector<std::int64_t> extents = extents_at(lexed, name + 1, values);
  if (extents.empty()) return std::nullopt;
  const auto number = number_type_in(type);
  std::uint64_t bytes = number ? static_cast<std::uint64_t>(number->bytes) : 1;
  for (const std::int64_t extent : extents)
    if (extent <= 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes)) return std::nullopt;
  return DeclaredArray{std::string(lexed.of(name)), lexed.token(name).line, lexed.token(name).column, bytes};
}

}  // namespace

std::vector<std::int64_t> extents_at(const Lexed& lexed, int open, const Values& values) {
  const auto value_of = [&](std::string_view word) -> std::optional<std::int64_t> {
    const auto known = values.find(word);
    return known == values.end() ? std::nullopt : std::optional(known->second);
  };
  std::vector<std::int64_t> out;
  for (int at = open; lexed.is(at, "[") && lexed.partner(at) > at; at = lexed.partner(at) + 1) {
    const ConstantValue extent = constant_value(lexed, at + 1, lexed.partner(at), value_of);
    if (!extent) return {};
    out.push_back(*extent);
  }
  return out;
}

std::optional<DeclaredArray> largest_array(const Lexed& lexed, const Header& header, const LaunchSpec& launch,
                                           ArrayMemory memory, std::uint64_t most_bytes) {
  const Outline all = outline(lexed);
  const Values values = known_values(lexed, header, launch);
  const std::string_view kernel = name_without_scope(launch.kernel);
  std::optional<DeclaredArray> out;
  const auto look_at = [&](int name, std::string_view type, int function) {
    const Function* const f = function < 0 ? nullptr : &all.functions[static_cast<std::size_t>(function)].info;
    if (f != nullptr && f->is_kernel && f->name != kernel) return;
    const auto array = array_at(lexed, name, type, values);
    if (array && array->bytes <= most_bytes && (!out || array->bytes > out->bytes)) out = array;
  };
  if (memory == ArrayMemory::local) {
    for (const Local& l : all.locals)
      if (l.array && l.in_registers && !l.parameter && !l.member) look_at(l.token, l.type, l.function);
    return out;
  }
  for (int i = 0; i < lexed.count(); ++i) {
    if (!lexed.is(i, "__shared__") || lexed.is(i - 1, "extern")) continue;
    const int function = all.function_at(i);
    for (int at = i + 1; at < lexed.count() && !lexed.is(at, ";"); ++at)
      if (lexed.is(at + 1, "[") && lexed.token(at).kind == TokenKind::identifier)
        look_at(at, joined(lexed, i + 1, at - 1), function);
  }
  return out;
}

void name_array(const DeclaredArray& array, const SourceLines& lines, Diagnostic& refusal) {
  const SourceLines::Place at = lines.place(array.line);
  if (at.file > 0) refusal.file = lines.files[at.file].path;
  refusal.line = at.line, refusal.column = array.column;
  refusal.message += fmt::format("; the largest array is `{}` ({})", array.name, bytes_in_words(array.bytes));
}

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
