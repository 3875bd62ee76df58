#include "profiling/counters/operations.h"

#include <algorithm>
#include <array>

namespace lanescope::counters {
namespace {

/// "fma.rn.f32" of the whole instruction.
std::string_view first_word(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
  return text.substr(0, text.find_first_of(" ;"));
}

int operations_by_name(std::string_view opcode) {
  static constexpr std::array<std::string_view, 11> single = {"add",   "sub", "mul", "div", "sqrt", "rcp",
                                                              "rsqrt", "sin", "cos", "ex2", "lg2"};
  if (opcode == "fma" || opcode == "mad") return 2;
  return opcode == "tanh" || std::find(single.begin(), single.end(), opcode) != single.end() ? 1 : 0;
}

}  // namespace

FloatOperations operations_of(std::string_view text) {
  const std::string_view word = first_word(text);
  const int operations = operations_by_name(word.substr(0, word.find('.')));
  if (word.ends_with(".f32")) return {.fp32 = operations};
  if (word.ends_with(".f32x2")) return {.fp32 = 2 * operations};
  if (word.ends_with(".f64")) return {.fp64 = operations};
  return {};
}

}  // namespace lanescope::counters
