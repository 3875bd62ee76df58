#include "kernels/source/header/declared_arrays.h"

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "kernels/source/cxx/number_types.h"
#include "kernels/source/cxx/outline.h"

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

}  // namespace lanescope::source
