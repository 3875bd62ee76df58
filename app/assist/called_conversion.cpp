#include "app/assist/fixes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/text.h"

namespace lanescope::assist {
namespace {

/// "a" where the registers are a[0], a[1], ...
std::string whole_array(const std::vector<std::string>& registers) {
  if (registers.empty()) return {};
  const std::string name = registers.front().substr(0, registers.front().find('['));
  for (std::size_t n = 0; n < registers.size(); ++n)
    if (registers[n] != fmt::format("{}[{}]", name, n)) return {};
  return name;
}

/// Parameters of one side: "const Word& a0, const Word& a1", or "const Word (&a)[32]".
std::string parameters(const CalledRegisters& of, const std::string& type, char letter) {
  if (!of.array.empty()) return fmt::format("{} (&{})[{}]", type, letter, of.names.size());
  std::vector<std::string> out;
  for (std::size_t n = 0; n < of.names.size(); ++n) out.push_back(fmt::format("{}& {}{}", type, letter, n));
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string element(const CalledRegisters& of, char letter, std::size_t n) {
  return of.array.empty() ? fmt::format("{}{}", letter, n) : fmt::format("{}[{}]", letter, n);
}

/// The call of the planner's function on the arrays `from` and `to`, with shared memory where it needs some.
std::string inner_call(const std::string& name, const convert::Plan& plan) {
  if (!plan.shared) return fmt::format("  {}(from, to);\n", name);
  return fmt::format("  __shared__ uint4 memory[{}];\n  __syncthreads();\n  {}(from, to, memory);\n",
                     (plan.shared->shared_bytes() + 15) / 16, name);
}

}  // namespace

std::optional<CalledRegisters> called_registers(std::vector<std::string> names) {
  CalledRegisters out{.names = std::move(names)};
  if (out.names.size() <= most_named_registers) return out;
  out.array = whole_array(out.names);
  if (out.array.empty()) return std::nullopt;
  return out;
}

std::string free_name(std::string_view text, const std::string& base) {
  const auto is_there = [&](const std::string& name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
  };
  std::string out = base;
  for (int n = 2; is_there(out); ++n) out = base + "_" + std::to_string(n);
  return out;
}

std::string as_name(std::string_view words) {
  std::string out;
  for (const char c : words) out += is_word(c) ? c : '_';
  return out;
}

bool is_comment_line(std::string_view line) {
  line = trimmed(line);
  return line.starts_with("//") || line.starts_with("/*") || line.starts_with("*");
}

std::size_t comment_begin(const std::vector<std::string_view>& lines, std::size_t row) {
  std::size_t at = row;
  while (at > 0 && is_comment_line(lines[at - 1]) && !trimmed(lines[at]).starts_with("/*")) --at;
  return at;
}

std::optional<std::size_t> function_line(const std::vector<std::string_view>& lines, std::size_t inside) {
  for (std::size_t at = inside + 1; at-- > 0;) {
    const std::string_view line = lines[at];
    const bool head =
        line.find("__global__") != std::string_view::npos || line.find("__device__") != std::string_view::npos;
    if (!head || is_comment_line(line) || line.starts_with(' ') || line.starts_with('\t')) continue;
    while (at > 0 &&
           (trimmed(lines[at - 1]).starts_with("template") || trimmed(lines[at - 1]).starts_with("extern \"C\"")))
      --at;
    while (at > 0 && lines[at - 1].starts_with("//")) --at;
    return at;
  }
  return std::nullopt;
}

int plan_to_call(const convert::Planned& planned) {
  int best = -1;
  for (std::size_t n = 0; n < planned.plans.size(); ++n) {
    const convert::Plan& p = planned.plans[n];
    if (!p.program && planned.map.within_warps()) continue;
    if (best < 0 || p.cycles < planned.plans[static_cast<std::size_t>(best)].cycles) best = static_cast<int>(n);
  }
  return best;
}

std::string conversion_functions(const std::string& name, const convert::Conversion& conversion,
                                 const CalledRegisters& from, const CalledRegisters* to, bool reinterpreted) {
  std::string out = convert::device_function(conversion, {.function = name});
  const CalledRegisters& result = to == nullptr ? from : *to;
  const char letter = to == nullptr ? 'x' : 'a', letter_to = to == nullptr ? 'x' : 'b';
  const bool two_types = to != nullptr && reinterpreted;
  out += fmt::format("\ntemplate <{}>\n__device__ __forceinline__ void {}(",
                     two_types ? "class From, class To" : "class Word", name);
  if (to == nullptr)
    out += parameters(from, "Word", letter) + ") {\n";
  else
    out += parameters(from, two_types ? "const From" : "const Word", letter) + ", " +
           parameters(*to, two_types ? "To" : "Word", letter_to) + ") {\n";
  const std::string word = two_types ? "unsigned" : "Word";
  std::vector<std::string> values, results;
  for (std::size_t n = 0; n < from.names.size(); ++n)
    values.push_back(two_types ? fmt::format("reinterpret_cast<const unsigned&>({})", element(from, letter, n))
                               : element(from, letter, n));
  for (std::size_t n = 0; n < result.names.size(); ++n)
    results.push_back(two_types
                          ? fmt::format("reinterpret_cast<unsigned&>({}) = to[{}];", element(result, letter_to, n), n)
                          : fmt::format("{} = to[{}];", element(result, letter_to, n), n));
  out += fmt::format("  const {} from[{}] = {{{}}};\n  {} to[{}];\n", word, from.names.size(), fmt::join(values, ", "),
                     word, result.names.size());
  out += inner_call(name, conversion.plan);
  if (result.array.empty() || two_types)
    out += fmt::format("  {}\n", fmt::join(results, two_types ? "\n  " : " "));
  else
    out += fmt::format("  for (int n = 0; n < {}; n++) {}[n] = to[n];\n", result.names.size(), letter_to);
  return out + "}\n";
}

std::string call_of(const std::string& name, const CalledRegisters& from, const CalledRegisters* to) {
  const auto words = [](const CalledRegisters& r) {
    return r.array.empty() ? fmt::format("{}", fmt::join(r.names, ", ")) : r.array;
  };
  return fmt::format("{}({}{})", name, words(from), to == nullptr ? std::string() : ", " + words(*to));
}

std::string indentation_of(std::string_view line) {
  return std::string(line.substr(0, line.size() - without_indent(line).size()));
}

std::vector<std::string> comment_lines(const std::string& indentation, const std::string& name,
                                       const layout::Assignment& assignment) {
  std::vector<std::string> out{indentation + "// " + name + " has the following register assignment:"};
  const std::string rows = layout::print(assignment);
  for (const std::string_view row : split_lines(rows))
    if (!is_blank(row)) out.push_back(indentation + "//   " + std::string(row));
  return out;
}

}  // namespace lanescope::assist
