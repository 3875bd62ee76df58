#include "app/assist/fixes.h"

#include <algorithm>

#include "kernels/base/text.h"

namespace lanescope::assist {
namespace {

/// The variable's registers: "x0", "a[2]", "v.x".
const results::RegisterArray* registers_of(const results::ClaimInfo& claim, const results::Summary& summary) {
  const auto at = std::ranges::find(summary.families, claim.claim.variable, &results::RegisterArray::name);
  return at == summary.families.end() ? nullptr : &*at;
}

}  // namespace

std::optional<InsertedConversion> with_conversion(std::string_view text, const results::ClaimInfo& claim,
                                                  const results::Summary& summary) {
  const claims::ClaimResult& r = claim.result;
  if (r.verdict != claims::Verdict::differs || !r.actual || r.formless || claim.claim.first_line < 1)
    return std::nullopt;
  // The registers get their values before the comment: the call stands between.
  if (r.after_line > 0 || r.first_false_line > claim.claim.first_line) return std::nullopt;
  const results::RegisterArray* array = registers_of(claim, summary);
  if (array == nullptr || array->registers.empty()) return std::nullopt;
  const int slots = r.actual->bits(layout::Place::simd);
  const int bits = 32 >> std::min(slots, 5);
  const std::size_t count = array->registers.size();
  if (count != std::size_t{1} << r.actual->bits(layout::Place::reg)) return std::nullopt;
  if (claim.claim.stated.row(layout::Place::reg) &&
      claim.claim.stated.bits(layout::Place::reg) != r.actual->bits(layout::Place::reg))
    return std::nullopt;
  const auto registers = called_registers(array->registers);
  if (!registers) return std::nullopt;
  const auto planned = convert::plan(*r.actual, claim.claim.stated, bits);
  if (!planned) return std::nullopt;
  const int chosen = plan_to_call(*planned);
  if (chosen < 0) return std::nullopt;
  const convert::Plan& plan = planned->plans[static_cast<std::size_t>(chosen)];

  const std::vector<std::string_view> lines = split_lines(text);
  const auto first_row = static_cast<std::size_t>(claim.claim.first_line - 1);
  if (first_row >= lines.size()) return std::nullopt;
  const std::size_t comment = comment_begin(lines, first_row);
  const auto function = function_line(lines, comment);
  if (!function || *function > comment) return std::nullopt;

  InsertedConversion out;
  out.cost = convert::cost_in_words(plan);
  out.function = free_name(text, "rearrange_" + as_name(claim.claim.variable));
  const std::string call = indentation_of(lines[comment]) + call_of(out.function, *registers, nullptr) + ";\n\n";
  const std::string functions = conversion_functions(out.function, {*planned, plan}, *registers, nullptr, false) + "\n";
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (n == *function) out.text += functions;
    if (n == comment) out.text += call;
    out.text += lines[n];
    if (n + 1 < lines.size() || text.ends_with('\n')) out.text += '\n';
  }
  return out;
}

}  // namespace lanescope::assist
