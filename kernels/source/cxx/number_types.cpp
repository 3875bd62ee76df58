#include "kernels/source/cxx/number_types.h"

#include <array>
#include <map>
#include <string>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

struct Scalar {
  std::string_view name, element_type;
  int bytes;
};
/// CUDA has vectors of one to four of these.
constexpr std::array<Scalar, 12> of_vectors = {{{"char", "s8", 1},
                                                {"uchar", "u8", 1},
                                                {"short", "s16", 2},
                                                {"ushort", "u16", 2},
                                                {"int", "s32", 4},
                                                {"uint", "u32", 4},
                                                {"long", "s64", 8},
                                                {"ulong", "u64", 8},
                                                {"longlong", "s64", 8},
                                                {"ulonglong", "u64", 8},
                                                {"float", "f32", 4},
                                                {"double", "f64", 8}}};
constexpr std::array<Scalar, 15> of_their_own = {{{"bool", "u8", 1},
                                                  {"int8_t", "s8", 1},
                                                  {"uint8_t", "u8", 1},
                                                  {"int16_t", "s16", 2},
                                                  {"uint16_t", "u16", 2},
                                                  {"int32_t", "s32", 4},
                                                  {"uint32_t", "u32", 4},
                                                  {"int64_t", "s64", 8},
                                                  {"uint64_t", "u64", 8},
                                                  {"size_t", "u64", 8},
                                                  {"ptrdiff_t", "s64", 8},
                                                  {"__half", "f16", 2},
                                                  {"half", "f16", 2},
                                                  {"__nv_bfloat16", "bf16", 2},
                                                  {"nv_bfloat16", "bf16", 2}}};
constexpr std::array<std::string_view, 6> integer_words = {"unsigned", "signed", "char", "short", "int", "long"};
constexpr std::array<std::string_view, 5> qualifiers = {"const", "volatile", "__restrict__", "restrict", "std"};

using Table = std::map<std::string, NumberType, std::less<>>;

Table make_table() {
  Table out;
  for (const Scalar& s : of_their_own) {
    out[std::string(s.name)] = {s.element_type, s.bytes, 1};
    const bool has_pairs = s.element_type == "f16" || s.element_type == "bf16";
    if (has_pairs) out[std::string(s.name) + "2"] = {s.element_type, 2 * s.bytes, 2};
  }
  for (const Scalar& s : of_vectors) {
    const std::string name(s.name);
    if (!one_of(s.name, integer_words)) out[name] = {s.element_type, s.bytes, 1};
    for (int n = 1; n <= 4; ++n) out[name + std::to_string(n)] = {s.element_type, n * s.bytes, n};
  }
  out.erase("longlong"), out.erase("ulonglong");  // only their vectors exist
  return out;
}

std::optional<NumberType> named(std::string_view word) {
  static const Table table = make_table();
  const auto found = table.find(word);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

/// `unsigned long long int`: its words in any order.
struct IntegerWords {
  bool any = false, is_unsigned = false, has_char = false, has_short = false, has_long = false;

  bool take(std::string_view word) {
    if (!one_of(word, integer_words)) return false;
    any = true;
    is_unsigned |= word == "unsigned";
    has_char |= word == "char";
    has_short |= word == "short";
    has_long |= word == "long";
    return true;
  }
  NumberType type() const {
    if (has_char) return {is_unsigned ? "u8" : "s8", 1, 1};
    if (has_short) return {is_unsigned ? "u16" : "s16", 2, 1};
    if (has_long) return {is_unsigned ? "u64" : "s64", 8, 1};
    return {is_unsigned ? "u32" : "s32", 4, 1};
  }
};

/// The next word of the text, which loses it; empty after the last one.
std::string_view take_word(std::string_view& text) {
  while (!text.empty() && !is_word(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

}  // namespace

std::optional<NumberType> number_type(std::string_view type) {
  for (const char c : type)
    if (!is_word(c) && !is_blank(c) && c != ':') return std::nullopt;
  std::optional<NumberType> single;
  IntegerWords integer;
  for (std::string_view w = take_word(type); !w.empty(); w = take_word(type)) {
    if (one_of(w, qualifiers)) continue;
    if (single || (!integer.take(w) && integer.any)) return std::nullopt;
    if (!integer.any && !(single = named(w))) return std::nullopt;
  }
  return integer.any ? (single ? std::nullopt : std::optional(integer.type())) : single;
}

std::optional<NumberType> number_type_in(std::string_view type) {
  IntegerWords integer;
  for (std::string_view w = take_word(type); !w.empty(); w = take_word(type)) {
    if (std::optional<NumberType> t = named(w)) return t;
    integer.take(w);
  }
  return integer.any ? std::optional(integer.type()) : std::nullopt;
}

}  // namespace lanescope::source
