#include "kernels/source/header/typed_member.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::source {

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
