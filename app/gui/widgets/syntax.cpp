#include "app/gui/widgets/syntax.h"
#include "kernels/base/listed_words.h"
#include "kernels/base/text.h"

#include <array>

namespace lanescope::gui {
namespace {

constexpr auto builtins = std::to_array<std::string_view>({"blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"});

/// "//   register:  j3 j2": a row of the notation.
bool is_assignment_row(std::string_view comment) {
  const std::size_t at = comment.find_first_not_of("/* \t");
  if (at == std::string_view::npos) return false;
  comment.remove_prefix(at);
  for (const std::string_view row : {"simd", "register", "thread", "warp", "block"}) {
    if (!comment.starts_with(row)) continue;
    const std::size_t colon = comment.find_first_not_of(" \t", row.size());
    return colon != std::string_view::npos && comment[colon] == ':';
  }
  return false;
}

Ink ink_of_word(std::string_view word) {
  static const auto keywords = listed_words(
      "__constant__ __device__ __forceinline__ __global__ __host__ __launch_bounds__ __noinline__ __restrict__ "
      "__shared__ alignas asm auto break case class const constexpr continue default do else enum explicit extern "
      "false for goto if inline namespace operator private public return sizeof static static_cast struct switch "
      "template this true typedef typename union using volatile while");
  static const auto types = listed_words(
      "__half __half2 __nv_bfloat16 __nv_bfloat162 bool char double double2 float float2 float3 float4 half half2 "
      "int int16_t int2 int32_t int4 int64_t int8_t long short size_t uchar4 uint uint16_t uint2 uint32_t uint4 "
      "uint64_t uint8_t unsigned void");
  if (is_digit(word[0])) return Ink::number;
  if (one_of(word, keywords)) return Ink::keyword;
  if (one_of(word, types)) return Ink::type;
  if (one_of(word, builtins) || word.starts_with("__")) return Ink::builtin;
  return Ink::plain;
}

}  // namespace

std::vector<InkRun> ink_of(std::string_view line, bool& in_comment) {
  std::vector<InkRun> runs;
  const auto add = [&](std::size_t begin, std::size_t end, Ink ink) {
    if (end > begin && ink != Ink::plain) runs.push_back({begin, end, ink});
  };
  const auto comment_ink = [](std::string_view text) {
    return is_assignment_row(text) ? Ink::assignment : Ink::comment;
  };
  std::size_t at = 0;
  const std::size_t first = line.find_first_not_of(" \t");
  if (!in_comment && first != std::string_view::npos && line[first] == '#') {
    const std::size_t comment = line.find("//");
    add(first, std::min(comment, line.size()), Ink::preprocessor);
    if (comment != std::string_view::npos) add(comment, line.size(), Ink::comment);
    return runs;
  }
  while (at < line.size()) {
    if (in_comment) {
      const std::size_t end = line.find("*/", at);
      const std::size_t stop = end == std::string_view::npos ? line.size() : end + 2;
      add(at, stop, comment_ink(line.substr(at, stop - at)));
      in_comment = end == std::string_view::npos;
      at = stop;
    } else if (line.compare(at, 2, "//") == 0) {
      add(at, line.size(), comment_ink(line.substr(at)));
      at = line.size();
    } else if (line.compare(at, 2, "/*") == 0) {
      const std::size_t end = line.find("*/", at + 2);
      in_comment = end == std::string_view::npos;
      const std::size_t stop = in_comment ? line.size() : end + 2;
      add(at, stop, Ink::comment);
      at = stop;
    } else if (line[at] == '"' || line[at] == '\'') {
      std::size_t end = at + 1;
      while (end < line.size() && line[end] != line[at]) end += line[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, line.size());
      add(at, end, Ink::string);
      at = end;
    } else if (is_word(line[at])) {
      std::size_t end = at;
      while (end < line.size() && (is_word(line[end]) || (is_digit(line[at]) && line[end] == '.'))) ++end;
      add(at, end, ink_of_word(line.substr(at, end - at)));
      at = end;
    } else {
      ++at;
    }
  }
  return runs;
}

scene::Color ink_color(Ink ink, const views::Theme& t) {
  switch (ink) {
    case Ink::plain:
      return t.text;
    case Ink::keyword:
      return views::mix(t.accent, t.text, 0.30);
    case Ink::type:
      return views::mix(t.step(trace::StepKind::move), t.text, 0.45);
    case Ink::builtin:
      return views::mix(t.step(trace::StepKind::shuffle), t.text, 0.45);
    case Ink::number:
      return views::mix(t.step(trace::StepKind::load), t.text, 0.45);
    case Ink::string:
      return views::mix(t.good, t.text, 0.35);
    case Ink::comment:
      return t.text_dim;
    case Ink::assignment:
      return views::mix(t.good, t.text_dim, 0.35);
    case Ink::preprocessor:
      return views::mix(t.text_dim, t.accent, 0.25);
  }
  return t.text;
}

}  // namespace lanescope::gui
