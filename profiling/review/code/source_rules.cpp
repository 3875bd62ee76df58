// Rules about the file: assignment comments, misspelt rows, launch bounds, and the output of ptxas.

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/layout/assignment.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/notation/comment_claims.h"
#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

using source::Why;

Finding differs(const source::Claim& claim, const claims::ClaimResult& result) {
  std::string message = fmt::format("the actual {} differs from the stated one", source::subject_words(claim));
  if (!result.difference.empty()) message += ": " + result.difference;
  if (const std::string blame = claims::blame_words(result); !blame.empty()) message += "; " + blame;
  for (const std::string& remark : claims::remarks_on(claim, result)) message += "; " + remark;
  Finding f = finding("claim-differs", claim.first_line, 0, std::move(message));
  if (result.actual || claim.kind() != source::ClaimKind::registers)
    f.remedy = fmt::format("actual: {}", result.actual_words);
  if (result.first_failure) {
    f.evidence.block = result.first_failure->block;
    f.evidence.warp = static_cast<int>(result.first_failure->warp);
    f.evidence.numbers.emplace_back("iteration", result.first_failure->iteration);
  }
  return f;
}

/// The remedy depends on the reason why it was not checked.
Finding unchecked(const source::Claim& claim, const source::ClaimReason& reason) {
  Finding f = finding("claim-unchecked", claim.first_line, 0,
                      fmt::format("the {} is unchecked: {}", source::subject_words(claim), reason.words()));
  if (reason.code == Why::unread_rows)
    f.remedy = "correct what could not be read";
  else if (reason.code == Why::no_variable)
    f.remedy = "name a variable of this function";
  else if (is_not_reached(reason.code))
    f.remedy = "move it to a line that runs, or let the launch reach it";
  else if (reason.code == Why::mixed_elements)
    f.remedy = "state the assignment where each register holds one element";
  return f;
}

void claims(const ReviewInput& input, std::vector<Finding>& out) {
  for (std::size_t i = 0; i < input.source->claims.size(); ++i) {
    const source::Claim& claim = input.source->claims[i];
    const auto result = std::ranges::find(input.claims, static_cast<int>(i), &claims::ClaimResult::claim);
    if (claim.kind() == source::ClaimKind::subarray) {
      // The rules of pointer offsets speak of boxes of an array. A sentence that is not about data is no finding.
      const bool share = std::holds_alternative<source::WorkShare>(claim.about);
      if (share && result != input.claims.end() && result->verdict == claims::Verdict::differs)
        out.push_back(differs(claim, *result));
      continue;
    }
    if (result == input.claims.end()) {
      if (!claim.unchecked_reason.empty()) out.push_back(unchecked(claim, claim.unchecked_reason));
    } else if (result->verdict == claims::Verdict::differs) {
      out.push_back(differs(claim, *result));
    } else if (result->verdict == claims::Verdict::unchecked) {
      out.push_back(unchecked(claim, result->reason));
    }
  }
}

bool near_word(std::string_view word, std::string_view wanted) {
  if (word == wanted || word.size() + 1 < wanted.size() || word.size() > wanted.size() + 1) return false;
  std::size_t same = 0, back = 0;
  while (same < std::min(word.size(), wanted.size()) && word[same] == wanted[same]) ++same;
  while (back < std::min(word.size(), wanted.size()) &&
         word[word.size() - 1 - back] == wanted[wanted.size() - 1 - back])
    ++back;
  if (same + back + 1 >= std::max(word.size(), wanted.size())) return true;  // one letter too many, missing, or another
  return word.size() == wanted.size() && same + back + 2 == word.size() && word[same] == wanted[same + 1] &&
         word[same + 1] == wanted[same];
}

/// "register", "thread", ... when the first word of the line is that, or nearly.
std::string_view row_name(std::string_view text, bool& exact) {
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  for (const std::string_view name : {"simd", "register", "thread", "warp", "block"}) {
    exact = word == name;
    if (exact || near_word(word, name)) return name;
  }
  return {};
}

/// Words that are all bit names: "t4 t3 t2", "j1 ReIm".
bool bits_only(std::string_view text) {
  bool any = false;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (word.empty()) return false;
    const bool bit = word == "ReIm" ||
                     (word.size() >= 2 && word.size() <= 4 && source::is_word_start(word[0]) && is_digit(word.back()));
    if (!bit) return false;
    any = true;
    at = end;
  }
  return any;
}

std::optional<std::string> typo_in(std::string_view text) {
  bool exact = false;
  const std::string_view name = row_name(text, exact);
  const std::size_t arrow = text.find("<->");
  if (arrow != std::string_view::npos) {
    std::string_view left = text.substr(0, arrow);
    while (!name.empty() && !left.empty() && is_word(left.front())) left.remove_prefix(1);
    if (!name.empty() && left.starts_with(":")) left.remove_prefix(1);
    if (!bits_only(left)) return std::nullopt;  // "Warp transpose r0 <-> t2" is prose
    if (!name.empty() && !exact)
      return fmt::format("this line resembles a row of a register assignment; did you mean `{}`?", name);
    return std::string("this line resembles a row of a register assignment, but is not one");
  }
  const std::size_t colon = text.find(':');
  if (name.empty() || exact) return std::nullopt;
  if (colon == std::string_view::npos || !bits_only(text.substr(colon + 1))) return std::nullopt;
  return fmt::format("this line resembles a row of a register assignment; did you mean `{}`?", name);
}

/// `registers: t3 t8`: variables of the file, which may be called as bits are.
bool names_registers(std::string_view text, const source::Source& source) {
  const source::detail::NameLine line = source::detail::read_name_line(text);
  if (!line.is_one) return false;
  const std::string first = line.words.front().substr(0, line.words.front().find_first_of(".["));
  return std::ranges::find(source.variables, first, &source::Variable::name) != source.variables.end();
}

void typos(const ReviewInput& input, std::vector<Finding>& out) {
  std::set<int> rows;
  for (const source::Claim& c : input.source->claims) rows.insert(c.row_lines.begin(), c.row_lines.end());
  const source::Lexed lexed = source::lexed(*input.source);
  for (const source::CommentLine& l : source::comment_lines(lexed)) {
    if (rows.contains(l.line) || names_registers(l.text, *input.source)) continue;
    if (auto message = typo_in(l.text)) out.push_back(finding("claim-typo", l.line, l.column, std::move(*message)));
  }
  for (Finding& f : review_of(input.source->notes, input.source->lines)) {
    const bool known = std::ranges::any_of(out, [&](const Finding& o) { return o.rule == f.rule && o.line == f.line; });
    if (!known) out.push_back(std::move(f));
  }
}

/// `#define BOUNDS __launch_bounds__(64)`
bool macro_of_bounds(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find("#define"); at != std::string_view::npos; at = text.find("#define", at + 1)) {
    std::string_view line = text.substr(at + 7, text.find('\n', at) - at - 7);
    line = without_indent(line);
    const bool named = line.starts_with(name) && (line.size() == name.size() || !is_word(line[name.size()]));
    if (named && line.find("__launch_bounds__") != std::string_view::npos) return true;
  }
  return false;
}

/// In a macro, in another declaration, or as __block_size__.
bool bounds_elsewhere(const ReviewInput& input, const source::Lexed& lexed, const source::Function& kernel) {
  for (const auto& ran : input.launches) {
    const bool this_one = ran.launch->spec != nullptr && kernel_of(*input.source, ran.launch->spec->kernel) == &kernel;
    if (this_one && (ran.launch->entry->max_threads[0] > 0 || ran.launch->entry->required_threads[0] > 0)) return true;
  }
  bool bounds = false, in_head = false;
  for (int i = 0; i < lexed.count(); ++i) {
    const std::string_view token = lexed.of(i);
    if (token == "__global__") bounds = false, in_head = true;
    if (token == "{" || token == ";" || token == "}") in_head = false;
    if (!in_head) continue;
    bounds = bounds || token == "__launch_bounds__" || token == "__block_size__" ||
             (source::is_word_start(token.front()) && macro_of_bounds(lexed.text, token));
    if (bounds && token == kernel.name) return true;
  }
  return false;
}

/// The function that became this entry: `_Z4copyPf`, and `_Z4copyIfEvPT_` of a template, hold "4copy".
const source::Function* function_of(const source::Source& source, const std::string& entry) {
  for (const source::Function& f : source.functions) {
    if (entry == f.name) return &f;
    const std::size_t at = entry.find(fmt::format("{}{}", f.name.size(), f.name));
    const bool whole = at != std::string::npos && at > 0 && (entry[at - 1] < '0' || entry[at - 1] > '9');
    if (f.is_kernel && whole) return &f;
  }
  return nullptr;
}

/// A warning where the compiler ran out of the registers that blocks of 1,024 threads leave it; else nothing is wrong.
void launch_bounds(const ReviewInput& input, std::vector<Finding>& out) {
  const source::Lexed lexed = source::lexed(*input.source);
  for (const source::Function& f : input.source->functions)
    if (f.is_kernel && f.launch_bounds.empty() && !bounds_elsewhere(input, lexed, f)) {
      Finding found = finding("missing-launch-bounds", f.first_line, 0,
                              fmt::format("kernel `{}` has no __launch_bounds__", f.name));
      const bool spills = std::ranges::any_of(input.resources, [&](const Resources& r) {
        return r.spill_bytes > 0 && function_of(*input.source, r.entry) == &f;
      });
      found.severity = spills ? Severity::warning : Severity::note;
      for (const auto& ran : input.launches) {
        if (ran.launch->spec == nullptr || kernel_of(*input.source, ran.launch->spec->kernel) != &f) continue;
        const auto threads = ran.launch->launch.block.count();
        found.remedy =
            fmt::format("write __launch_bounds__({}): the launch has blocks of {} threads", threads, threads);
        found.evidence.numbers = {{"threads per block", static_cast<double>(threads)}};
        break;
      }
      out.push_back(std::move(found));
    }
}

/// Of every kernel of the file; of the instances of a template, the one that spills most.
void spills(const ReviewInput& input, std::vector<Finding>& out) {
  std::map<const source::Function*, const Resources*> worst;
  for (const Resources& r : input.resources) {
    if (r.spill_bytes <= 0) continue;
    const Resources*& most = worst[function_of(*input.source, r.entry)];
    if (most == nullptr || r.spill_bytes > most->spill_bytes) most = &r;
  }
  for (const auto& [kernel, r] : worst) {
    Finding f =
        finding("spills", kernel != nullptr ? kernel->first_line : 0, 0,
                fmt::format("each thread spills {} bytes of registers to local memory, with {} registers per thread",
                            r->spill_bytes, r->registers));
    f.evidence.numbers = {{"spill bytes", r->spill_bytes}, {"registers", r->registers}};
    out.push_back(std::move(f));
  }
}

}  // namespace

void host_rules(const ReviewInput& input, std::vector<Finding>& out) {
  using Code = source::HostError::Code;
  for (const source::HostError& e : input.source->header.host_errors) {
    Finding f = finding(e.code == Code::call_fails  ? "call-fails"
                        : e.code == Code::unordered ? "stream-order"
                                                    : "wrong-memory",
                        e.line, 0, e.message);
    f.remedy = e.remedy;
    if (e.code == Code::pageable) f.severity = Severity::warning;
    out.push_back(std::move(f));
  }
}

void source_rules(const ReviewInput& input, std::vector<Finding>& out) {
  claims(input, out);
  typos(input, out);
  launch_bounds(input, out);
  spills(input, out);
}

std::vector<Finding> review_of(const Diagnostics& diagnostics, const SourceLines& lines) {
  std::vector<Finding> out;
  for (const Diagnostic& d : diagnostics) {
    if (!is_notation(d.code) || d.line == 0) continue;
    Finding f = finding("claim-typo", lines.unit_line(d.file, d.line), d.column, d.message);
    if (!d.remedy.empty()) f.remedy = d.remedy;
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace lanescope::review
