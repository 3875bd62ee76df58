#include "kernels/source/header/buffer_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/data/contents.h"
#include "kernels/source/data/number_format.h"

namespace lanescope::source {
namespace {

constexpr std::size_t most_axes = 32;

struct Part {
  std::string_view text;
  std::size_t offset = 0;
};

std::vector<Part> split(std::string_view text) {
  std::vector<Part> out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ' || text[i] == ',' || text[i] == '\t') {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && text[end] != ' ' && text[end] != ',' && text[end] != '\t') ++end;
    out.push_back({text.substr(i, end - i), i});
    i = end;
  }
  return out;
}

bool read_count(std::string_view text, std::uint64_t& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

/// Empty when `text` is an axis.
std::string read_axis(std::string_view text, Axis& axis) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return fmt::format("`{}` is not an axis", text);
  axis.name = text.substr(0, colon);
  for (const char c : axis.name) {
    if (!is_word(c)) return fmt::format("`{}` is not a valid axis name", axis.name);
  }
  const std::string_view rest = text.substr(colon + 1);
  const std::size_t slash = rest.find('/');
  if (!read_count(rest.substr(0, slash), axis.extent) || axis.extent == 0)
    return fmt::format("axis {} has no extent", axis.name);
  if (slash != std::string_view::npos &&
      (!read_count(rest.substr(slash + 1), axis.stride_elements) || axis.stride_elements == 0)) {
    return fmt::format("axis {} has no stride after its /", axis.name);
  }
  return {};
}

}  // namespace

Expected<BufferSpec> read_buffer_text(std::string_view name, std::string_view text, std::string_view file, int line,
                                      int column) {
  BufferSpec b;
  b.name = name;
  b.line = line;
  const auto wrong = [&](std::size_t offset, std::string message, std::string remedy) {
    return failure(Diagnostic{.file = std::string(file),
                              .line = line,
                              .column = column + static_cast<int>(offset),
                              .message = fmt::format("buffer {}: {}", name, message),
                              .remedy = std::move(remedy)});
  };
  const std::size_t equals = text.find('=');
  const std::vector<Part> parts = split(text.substr(0, equals));
  if (parts.empty()) return wrong(0, "no element type", "write for example \"f32 i:16 j:16\"");
  b.element_type = parts.front().text;
  b.element_bits = element_bits(b.element_type);
  if (b.element_bits == 0) {
    return wrong(parts.front().offset, fmt::format("unknown element type `{}`", b.element_type),
                 "use b1 u4 s4 u8 s8 u16 s16 f16 bf16 u32 s32 f32 u64 s64 or f64");
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Axis axis;
    const std::string problem = read_axis(parts[i].text, axis);
    if (!problem.empty())
      return wrong(parts[i].offset, problem, "write NAME:EXTENT or NAME:EXTENT/STRIDE, for example i:16 or i:16/20");
    for (const Axis& other : b.axes) {
      if (other.name == axis.name)
        return wrong(parts[i].offset, fmt::format("two axes are called {}", axis.name), "give each its own name");
    }
    if (b.axes.size() == most_axes)
      return wrong(parts[i].offset, fmt::format("more than {} axes", most_axes), "omit axes of extent 1");
    b.axes.push_back(std::move(axis));
  }
  if (const std::string problem = lay_out(b); !b.axes.empty() && !problem.empty())
    return wrong(0, problem, "make an axis shorter");
  if (equals != std::string_view::npos) {
    const std::size_t at = std::min(text.find_first_not_of(' ', equals + 1), text.size());
    const Expected<Contents> initial = contents_from_text(text.substr(equals + 1));
    if (!initial) return wrong(at, initial.error().front().message, initial.error().front().remedy);
    b.initial = *initial;
    b.initial.line = line;
    b.initial.column = column + static_cast<int>(at);
    if (b.initial.kind == Contents::Kind::copy_of || b.initial.kind == Contents::Kind::sha256)
      return wrong(at, fmt::format("`{}` cannot be an initial value", trimmed(text.substr(at))), "use it for expect");
    if (const Misfit m = misfit(b.element_type, b.initial); !m.message.empty()) return wrong(at, m.message, m.remedy);
  }
  return b;
}

namespace {

struct MemberType {
  std::string_view name, written;  ///< "s16", "short"
  std::uint32_t bytes;
};
constexpr MemberType member_types[] = {{"u8", "unsigned char", 1}, {"u16", "unsigned short", 2},
                                       {"u32", "unsigned int", 4}, {"u64", "unsigned long long", 8},
                                       {"s8", "signed char", 1},   {"s16", "short", 2},
                                       {"s32", "int", 4},          {"s64", "long long", 8},
                                       {"f16", "__half", 2},       {"bf16", "__nv_bfloat16", 2},
                                       {"f32", "float", 4},        {"f64", "double", 8}};

}  // namespace

std::optional<FieldSpec> typed_member(std::string_view text) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::string_view name = text.substr(0, blank), digits = text.substr(blank + 1);
  for (const MemberType& t : member_types) {
    if (t.name != name) continue;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return FieldSpec{.value = value, .type = std::string(t.written), .bytes = t.bytes};
  }
  return std::nullopt;
}

bool is_exact(const FieldSpec& member) {
  const double* const value = std::get_if<double>(&member.value);
  return value == nullptr || member.type == "double" || std::abs(*value) <= 9007199254740992.0;
}

std::string typed_member_text(const FieldSpec& member) {
  const double* const value = std::get_if<double>(&member.value);
  if (value == nullptr || member.offset_bytes >= 0) return {};
  for (const MemberType& t : member_types)
    if (member.type == t.written && member.bytes == t.bytes) return fmt::format("{} {}", t.name, *value);
  return {};
}

}  // namespace lanescope::source
