#include <fmt/format.h>

#include <algorithm>

#include "app/assist/fixes.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/outline.h"

namespace lanescope::assist {
namespace {

/// The variable's registers: "x0", "a[2]", "v.x".
const results::RegisterArray* registers_of(const results::ClaimInfo& claim, const results::Summary& summary) {
  const auto at = std::ranges::find(summary.families, claim.claim.variable, &results::RegisterArray::name);
  return at == summary.families.end() ? nullptr : &*at;
}

/// Line (from 0) before which a statement can stand: `line` (from 1) or the first one after it. nullopt: there is none in
/// the function around it.
std::optional<std::size_t> statement_line(const source::Lexed& lexed, const source::Outline& outline, int line) {
  const source::FunctionRange* function = nullptr;
  for (const source::FunctionRange& f : outline.functions)
    if (lexed.token(f.open).line <= line && line <= lexed.token(f.close).line) function = &f;
  if (function == nullptr) return std::nullopt;
  for (const source::Point& p : outline.points) {
    if (p.token < function->open || p.token >= function->close) continue;
    const int own = lexed.token(p.token).line, next = lexed.token(p.token + 1).line;
    if (next < line || next == own) continue;
    return static_cast<std::size_t>(std::max(own, std::min(line, next) - 1));
  }
  return std::nullopt;
}

/// Index in Summary::families of the registers that the conversion is called on; -1: none fits.
int family_for(const results::Summary& summary, const std::string& function, int line, std::size_t count,
               const layout::Assignment& from, const std::string& preferred) {
  int best = -1, best_score = -1;
  for (int n = 0; n < static_cast<int>(summary.families.size()); ++n) {
    const results::RegisterArray& f = summary.families[static_cast<std::size_t>(n)];
    if (f.registers.size() != count || f.first_line >= line || (!f.function.empty() && f.function != function))
      continue;
    int score = f.name == preferred ? 2 : 0;
    for (const results::ClaimInfo& c : summary.claims)
      if (c.claim.variable == f.name && c.claim.last_line < line &&
          (c.claim.stated == from || (c.result.actual && *c.result.actual == from)))
        score = std::max(score, 4);
    // Of equal ones the last that was made.
    if (score >= best_score) best = n, best_score = score;
  }
  return best;
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

Expected<ConversionAt> conversion_at(std::string_view text, int line, const std::string& name,
                                     const convert::Conversion& conversion, const results::Summary* summary,
                                     const std::string& preferred) {
  const source::Lexed lexed = source::lex(text);
  const source::Outline outline = source::outline(lexed);
  const auto at = statement_line(lexed, outline, line);
  if (!at) return failure("No statement is possible at the cursor", "put it into the body of a kernel");
  const std::vector<std::string_view> lines = split_lines(text);
  const auto function_at = function_line(lines, *at == 0 ? 0 : *at - 1);
  if (!function_at || *function_at > *at) return failure("The kernel around the cursor was not found");
  std::string kernel;
  for (const source::FunctionRange& f : outline.functions)
    if (lexed.token(f.open).line <= line && line <= lexed.token(f.close).line) kernel = f.info.name;

  const convert::PlaceMap& map = conversion.planned.map;
  const std::size_t from_count = std::size_t{1} << map.from_registers, to_count = std::size_t{1} << map.to_registers;
  const int family =
      summary == nullptr || map.word_bits > 0
          ? -1
          : family_for(*summary, kernel, static_cast<int>(*at) + 1, from_count, conversion.planned.from, preferred);
  const auto registers =
      family < 0 ? std::nullopt : called_registers(summary->families[static_cast<std::size_t>(family)].registers);
  ConversionAt out{.function = free_name(text, name)};
  const std::string indentation =
      *at < lines.size() && !is_blank(lines[*at]) && trimmed(lines[*at]) != "}" ? indentation_of(lines[*at]) : "    ";
  std::vector<std::string> functions, middle;
  const auto take = [&](const std::string& block) {
    for (const std::string_view l : split_lines(block)) functions.emplace_back(l);
    functions.emplace_back();
  };
  if (!registers) {
    take(convert::device_function(conversion, {.function = out.function}));
    middle.push_back(
        fmt::format("{}// {}(from, to{}) moves the words of from[{}] to to[{}]. No registers before this line fit.",
                    indentation, out.function, conversion.plan.shared ? ", shared memory" : "", from_count, to_count));
  } else {
    out.variable = summary->families[static_cast<std::size_t>(family)].name;
    CalledRegisters result;
    const bool in_place = from_count == to_count;
    const std::string array = free_name(text, as_name(out.variable) + "_converted");
    for (std::size_t n = 0; n < to_count; ++n) result.names.push_back(fmt::format("{}[{}]", array, n));
    if (to_count > most_named_registers) result.array = array;
    take(conversion_functions(out.function, conversion, *registers, in_place ? nullptr : &result, true));
    if (!in_place) middle.push_back(fmt::format("{}unsigned {}[{}];", indentation, array, to_count));
    middle.push_back(indentation + call_of(out.function, *registers, in_place ? nullptr : &result) + ";");
    middle.emplace_back();
    for (std::string& l : comment_lines(indentation, in_place ? out.variable : array, conversion.planned.to))
      middle.push_back(std::move(l));
  }
  if (*at > 0 && !is_blank(lines[*at - 1]) && !lines[*at - 1].ends_with('{')) middle.insert(middle.begin(), "");
  if (*at < lines.size() && !is_blank(lines[*at]) && trimmed(lines[*at]) != "}") middle.emplace_back();
  for (std::size_t n = 0; n <= lines.size(); ++n) {
    if (n == *function_at)
      for (const std::string& l : functions) out.text += l + "\n";
    if (n == *at)
      for (const std::string& l : middle) {
        out.text += l + "\n";
        if (out.line == 0 && l.find(out.function + "(") != std::string::npos)
          out.line = static_cast<int>(std::ranges::count(out.text, '\n'));
      }
    if (n == lines.size()) break;
    out.text += lines[n];
    if (n + 1 < lines.size() || text.ends_with('\n')) out.text += '\n';
  }
  return out;
}

}  // namespace lanescope::assist
