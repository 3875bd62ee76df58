#include "kernels/source/cxx/number_types.h"

#include <array>
#include <map>
#include <string>

#include "kernels/base/listed_words.h"
#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

struct Scalars {
  std::string_view element_type;
  int bytes;
  std::string_view of_vectors, others;  ///< CUDA has vectors of one to four of the former
};
constexpr Scalars scalars[] = {
    {"s8", 1, "char", "int8_t"},
    {"u8", 1, "uchar", "bool uint8_t"},
    {"s16", 2, "short", "int16_t"},
    {"u16", 2, "ushort", "uint16_t"},
    {"s32", 4, "int", "int32_t"},
    {"u32", 4, "uint", "uint32_t"},
    {"s64", 8, "long longlong", "int64_t ptrdiff_t"},
    {"u64", 8, "ulong ulonglong", "uint64_t size_t"},
    {"f32", 4, "float", ""},
    {"f64", 8, "double", ""},
    {"f16", 2, "", "__half half"},
    {"bf16", 2, "", "__nv_bfloat16 nv_bfloat16"},
};
constexpr std::array<std::string_view, 6> integer_words = {"unsigned", "signed", "char", "short", "int", "long"};
constexpr std::array<std::string_view, 5> qualifiers = {"const", "volatile", "__restrict__", "restrict", "std"};

using Table = std::map<std::string, NumberType, std::less<>>;

Table make_table() {
  Table out;
  for (const Scalars& s : scalars) {
    for (const std::string_view other : listed_words(s.others)) {
      out[std::string(other)] = {s.element_type, s.bytes, 1};
      if (s.element_type.ends_with("f16")) out[std::string(other) + "2"] = {s.element_type, 2 * s.bytes, 2};
    }
    for (const std::string_view word : listed_words(s.of_vectors)) {
      const std::string name(word);
      if (!one_of(word, integer_words) && !word.ends_with("longlong")) out[name] = {s.element_type, s.bytes, 1};
      for (int n = 1; n <= 4; ++n) out[name + std::to_string(n)] = {s.element_type, n * s.bytes, n};
    }
  }
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
