#include "app/assist/conversion_fix.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/text.h"
#include "kernels/convert/cuda_text.h"

namespace lanescope::assist {
namespace {

/// Registers that a call names one by one; an array of more is passed whole.
constexpr std::size_t most_named = 16;

/// The variable's registers: "x0", "a[2]", "v.x".
const results::RegisterArray* registers_of(const results::ClaimInfo& claim, const results::Summary& summary) {
  const auto at = std::ranges::find(summary.families, claim.claim.variable, &results::RegisterArray::name);
  return at == summary.families.end() ? nullptr : &*at;
}

/// "a" where the registers are a[0], a[1], ...
std::string whole_array(const std::vector<std::string>& registers) {
  const std::string name = registers.front().substr(0, registers.front().find('['));
  for (std::size_t n = 0; n < registers.size(); ++n)
    if (registers[n] != fmt::format("{}[{}]", name, n)) return {};
  return name;
}

bool is_comment(std::string_view line) {
  line = trimmed(line);
  return line.starts_with("//") || line.starts_with("/*") || line.starts_with("*");
}

/// Line from 0 where the comment of a claim begins.
std::size_t comment_begin(const std::vector<std::string_view>& lines, std::size_t first_row) {
  std::size_t at = first_row;
  while (at > 0 && is_comment(lines[at - 1]) && !trimmed(lines[at]).starts_with("/*")) --at;
  return at;
}

/// Line from 0 before which a function of this file can stand so that line `inside` may call it.
std::optional<std::size_t> function_begin(const std::vector<std::string_view>& lines, std::size_t inside) {
  for (std::size_t at = inside + 1; at-- > 0;) {
    const std::string_view line = lines[at];
    const bool head =
        line.find("__global__") != std::string_view::npos || line.find("__device__") != std::string_view::npos;
    if (!head || is_comment(line) || line.starts_with(' ') || line.starts_with('\t')) continue;
    while (at > 0 &&
           (trimmed(lines[at - 1]).starts_with("template") || trimmed(lines[at - 1]).starts_with("extern \"C\"")))
      --at;
    return at;
  }
  return std::nullopt;
}

const convert::Plan* plan_for(const convert::Planned& planned) {
  const convert::Plan* best = nullptr;
  for (const convert::Plan& p : planned.plans) {
    // Inside a warp every warp would need shared memory of its own.
    if (!p.program && planned.map.within_warps()) continue;
    if (best == nullptr || p.cycles < best->cycles) best = &p;
  }
  return best;
}

/// The function that works on named registers in place, behind the one of the planner.
std::string in_place(const std::string& name, const convert::Planned& planned, const convert::Plan& plan,
                     std::size_t count, bool whole) {
  std::vector<std::string> parameters, values, results;
  for (std::size_t n = 0; n < count; ++n) {
    parameters.push_back(fmt::format("Word& x{}", n));
    values.push_back(fmt::format("x{}", n));
    results.push_back(fmt::format("x{0} = to[{0}];", n));
  }
  std::string out = fmt::format("\ntemplate <class Word>\n__device__ __forceinline__ void {}(", name);
  out += whole ? fmt::format("Word (&x)[{}]) {{\n", count) : fmt::format("{}) {{\n", fmt::join(parameters, ", "));
  if (!whole) out += fmt::format("  const Word from[{}] = {{{}}};\n", count, fmt::join(values, ", "));
  out += fmt::format("  Word to[{}];\n", count);
  const std::string from = whole ? "x" : "from";
  if (plan.shared) {
    out += fmt::format("  __shared__ uint4 memory[{}];\n  __syncthreads();\n  {}({}, to, memory);\n",
                       (plan.shared->shared_bytes() + 15) / 16, name, from);
  } else {
    out += fmt::format("  {}({}, to);\n", name, from);
  }
  static_cast<void>(planned);
  out += whole ? fmt::format("  for (int n = 0; n < {}; n++) x[n] = to[n];\n", count)
               : fmt::format("  {}\n", fmt::join(results, " "));
  return out + "}\n";
}

}  // namespace

std::optional<InsertedConversion> with_conversion(std::string_view text, const results::ClaimInfo& claim,
                                                  const results::Summary& summary) {
  const claims::ClaimResult& r = claim.result;
  if (r.verdict != claims::Verdict::differs || !r.actual || r.formless || claim.claim.first_line < 1)
    return std::nullopt;
  // The registers get their values before the comment: the call stands between.
  if (r.behind_line > 0 || r.first_false_line > claim.claim.first_line) return std::nullopt;
  const results::RegisterArray* array = registers_of(claim, summary);
  if (array == nullptr || array->registers.empty()) return std::nullopt;
  const int slots = r.actual->bits(layout::Place::simd);
  const int bits = 32 >> std::min(slots, 5);
  const std::size_t count = array->registers.size();
  if (count != std::size_t{1} << r.actual->bits(layout::Place::reg)) return std::nullopt;
  if (claim.claim.stated.row(layout::Place::reg) &&
      claim.claim.stated.bits(layout::Place::reg) != r.actual->bits(layout::Place::reg))
    return std::nullopt;
  const std::string whole = count > most_named ? whole_array(array->registers) : std::string();
  if (count > most_named && whole.empty()) return std::nullopt;
  const auto planned = convert::plan(*r.actual, claim.claim.stated, bits);
  if (!planned) return std::nullopt;
  const convert::Plan* plan = plan_for(*planned);
  if (plan == nullptr) return std::nullopt;

  const std::vector<std::string_view> lines = split_lines(text);
  const auto first_row = static_cast<std::size_t>(claim.claim.first_line - 1);
  if (first_row >= lines.size()) return std::nullopt;
  const std::size_t comment = comment_begin(lines, first_row);
  const auto function = function_begin(lines, comment);
  if (!function || *function > comment) return std::nullopt;

  InsertedConversion out;
  out.cost = convert::cost_in_words(*plan);
  std::string base = "rearrange_";
  for (const char c : claim.claim.variable) base += is_word(c) ? c : '_';
  out.function = base;
  for (int n = 2; text.find(out.function) != std::string_view::npos; ++n) out.function = base + "_" + std::to_string(n);

  const std::string_view comment_line = lines[comment];
  const std::string indent(comment_line.substr(0, comment_line.size() - without_indent(comment_line).size()));
  const std::string call = fmt::format("{}{}({});\n\n", indent, out.function,
                                       whole.empty() ? fmt::format("{}", fmt::join(array->registers, ", ")) : whole);
  const std::string functions =
      convert::device_function({*planned, *plan}, {.function = out.function, .name_space = {}}) +
      in_place(out.function, *planned, *plan, count, !whole.empty()) + "\n";
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (n == *function) out.text += functions;
    if (n == comment) out.text += call;
    out.text += lines[n];
    if (n + 1 < lines.size() || text.ends_with('\n')) out.text += '\n';
  }
  return out;
}

}  // namespace lanescope::assist
