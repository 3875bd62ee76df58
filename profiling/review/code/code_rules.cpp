// Rules about the compiled code: branches that split warps, masks that are assumed.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "kernels/source/cxx/lexer.h"
#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

bool is_number(std::string_view operand) {
  return !operand.empty() && (operand.front() == '-' || std::isdigit(static_cast<unsigned char>(operand.front())) != 0);
}

/// Whether the line of the kernel's own file names it.
bool line_names(const source::Source& source, int line, std::string_view what) {
  std::string_view rest = source.text;
  for (int n = 1; n < line; ++n) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 1);
  }
  return rest.substr(0, rest.find('\n')).find(what) != std::string_view::npos;
}

/// Comparisons of the result of __activemask() with a constant, copies included. A mask that is given to an operation
/// of its lanes, whose bits are counted, or that is compared with another mask, is used correctly. So is that of a
/// coalesced group, whose size the compiler compares by its mask.
void assumed_convergence(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const std::vector<trace::CodeSite>& code = launch.code;
  std::set<std::string_view> masks;
  for (std::size_t known = ~std::size_t{0}; known != masks.size();) {
    known = masks.size();
    for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
      const std::string_view text = code[pc].text;
      const bool asks =
          is(text, "activemask.") && !line_names(*input.source, line_of(input, launch, pc), "coalesced_threads");
      if (asks || (is(text, "mov.") && masks.contains(operand(text, 1)))) masks.insert(operand(text, 0));
    }
  }
  std::set<int> lines;
  for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
    const std::string_view text = code[pc].text, a = operand(text, 1), b = operand(text, 2);
    if (!is(text, "setp.") || !((masks.contains(a) && is_number(b)) || (masks.contains(b) && is_number(a)))) continue;
    const int line = line_of(input, launch, pc);
    if (!lines.insert(line).second) continue;
    Finding f = finding("assumed-convergence", line, code[pc].column,
                        fmt::format("__activemask() is compared with a constant here (`{}`): which lanes execute "
                                    "together is not for the program to assume",
                                    text));
    f.evidence.launch = index;
    f.evidence.pc = static_cast<int>(pc);
    f.evidence.instruction = text;
    out.push_back(std::move(f));
  }
}

/// Lines of the text that call something and have nothing themselves that could branch.
std::set<int> lines_that_only_call(const source::Source& source) {
  const source::Lexed lexed = source::lexed(source);
  std::set<int> calls, branches;
  for (int i = 0; i < lexed.count(); ++i) {
    const std::string_view token = lexed.of(i);
    for (const std::string_view word : {"if", "for", "while", "do", "switch", "case", "goto", "?", "&&", "||"})
      if (token == word) branches.insert(lexed.token(i).line);
    if (source::is_word_start(token.front()) && lexed.is(i + 1, "(")) calls.insert(lexed.token(i).line);
  }
  std::erase_if(calls, [&](int line) { return branches.contains(line); });
  return calls;
}

/// Inlined from another file than the user's, such as cooperative groups; a function of the compiler's library that
/// several lines call; or of its mathematical functions, whose code has the line of the call.
bool in_library(const LaunchReview& launch, std::uint32_t pc, const std::set<int>& only_call) {
  const trace::CodeSite& site = launch.code[pc];
  if (!site.call_lines.empty()) return true;
  const auto& code = launch.entry->code;
  if (pc < code.size() && code[pc].position.inner_file >= 0 && site.inner_line == 0) return true;
  return only_call.contains(site.inner_line > 0 ? site.inner_line : site.line);
}

constexpr double least_lost = 0.05;  ///< what a warning is worth: at the edges of an image few lanes rest

void divergence(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const AccessCollector& seen = *input.launches[static_cast<std::size_t>(index)].seen;
  const std::set<int> only_call = seen.divergences().empty() ? std::set<int>() : lines_that_only_call(*input.source);
  std::map<std::pair<int, bool>, Divergence> lines;  // by line, and whether it is the library's code
  for (const auto& [pc, each] : seen.divergences()) {
    if (each.times == 0) continue;
    Divergence& p = lines[{line_of(input, launch, pc), in_library(launch, pc, only_call)}];
    if (p.times == 0) p.first = each.first;
    p.at_border = p.at_border && each.at_border;
    p.times += each.times;
    p.instructions += each.instructions;
    p.idle_lanes += each.idle_lanes;
  }
  for (const auto& [place, p] : lines) {
    const auto [line, library] = place;
    const double share =
        static_cast<double>(p.instructions) / static_cast<double>(std::max<std::uint64_t>(seen.instructions(), 1));
    if (share < input.divergence_share) continue;
    const double idle = static_cast<double>(p.idle_lanes) / static_cast<double>(p.instructions);
    Finding f =
        finding("divergence", line, launch.code[p.first.pc].column,
                fmt::format("lanes diverge here {}; after that {} of {} warp instructions ({:.0f} %) execute with "
                            "inactive lanes, {:.1f} of 32 on average",
                            p.times == 1 ? "once" : counted(p.times, "time", "times"), p.instructions,
                            seen.instructions(), share * 100, idle));
    const double lost = share * idle / 32;  // of the time of all lanes
    if (library || p.at_border || lost < least_lost) f.severity = Severity::note;
    if (library)
      f.message += "; the branch is inside a function of a library";
    else if (p.at_border)
      f.message += "; only one warp of a block diverges at a time";
    f.evidence = evidence_of(launch, index, p.first);
    f.saved = p.idle_lanes / 32;
    f.evidence.numbers = {{"divergent branches", static_cast<double>(p.times)},
                          {"warp instructions", static_cast<double>(p.instructions)},
                          {"share in percent", share * 100},
                          {"idle lanes", idle}};
    out.push_back(std::move(f));
  }
}

// Alignments that a compiler accepts and the hardware does not keep.
//
// From sm_90 on the system has the first 1024 bytes of a block's shared memory, and the linker aligns variables as if the
// kernel's own part began at 0: on an H200 `__shared__ __align__(4096) char a[256]` has the address 0x400.

/// "_ZZ4copyPKfE4tile" and "tile" are both names of `tile`.
bool is_named(std::string_view in_ptx, std::string_view name) {
  return in_ptx == name || in_ptx.ends_with(fmt::format("{}{}", name.size(), name)) ||
         in_ptx.ends_with(fmt::format("{}{}E", name.size(), name));
}

/// The name in a declaration that begins with `__shared__`; -1: the variable is of another one.
int declared_in(const source::Lexed& lexed, int begin, std::string_view in_ptx) {
  for (int i = begin; i < lexed.count() && !lexed.is(i, ";") && !lexed.is(i, "{") && !lexed.is(i, "="); ++i)
    if (is_named(in_ptx, lexed.of(i))) return i;
  return -1;
}

bool names(const LaunchReview& launch, std::string_view variable) {
  return std::ranges::any_of(launch.code, [&](const trace::CodeSite& site) {
    const std::size_t at = site.text.find(variable);
    return at != std::string::npos &&
           (at + variable.size() == site.text.size() ||
            std::string_view(",;]+ }").find(site.text[at + variable.size()]) != std::string_view::npos);
  });
}

/// -1: the declaration is not in this file.
int declaration_of(const source::Lexed& lexed, std::string_view in_ptx) {
  for (int i = 0; i < lexed.count(); ++i) {
    if (!lexed.is(i, "__shared__")) continue;
    if (const int at = declared_in(lexed, i, in_ptx); at >= 0) return at;
  }
  return -1;
}

// Accesses beyond an array of shared memory that reach another one, which no GPU reports.

/// The name in the text, else that in the PTX.
std::string name_of(const source::Lexed& lexed, std::string_view in_ptx) {
  const int at = declaration_of(lexed, in_ptx);
  return at < 0 ? std::string(in_ptx) : std::string(lexed.of(at));
}

void overruns(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const AccessCollector& seen = *input.launches[static_cast<std::size_t>(index)].seen;
  std::map<std::pair<int, int>, Overrun> lines;  // by line and variable
  for (const auto& [pc, each] : seen.overruns()) {
    Overrun& o = lines[{line_of(input, launch, pc), each.variable}];
    const std::uint64_t times = o.times + each.times;
    if (o.times == 0 || each.first.step < o.first.step) o = each;
    o.times = times;
  }
  if (lines.empty()) return;
  const source::Lexed lexed = source::lexed(*input.source);
  for (const auto& [place, o] : lines) {
    const LaunchReview::SharedVariable& v = launch.shared[static_cast<std::size_t>(o.variable)];
    const auto at = static_cast<std::int64_t>(o.access.addresses[static_cast<std::size_t>(o.lane)] - v.offset);
    const auto hit = std::ranges::find_if(launch.shared, [&](const LaunchReview::SharedVariable& other) {
      return static_cast<std::uint64_t>(at) + v.offset - other.offset < other.bytes;
    });
    Finding f =
        finding("outside-array", place.first, launch.code[o.pc].column,
                fmt::format("block {}, warp {}, lane {} {} byte {} of `{}`, which has {} bytes{}{}", o.first.block,
                            o.first.warp, o.lane,
                            o.access.kind == trace::AccessKind::load    ? "reads"
                            : o.access.kind == trace::AccessKind::store ? "writes"
                                                                        : "updates",
                            at, name_of(lexed, v.name), v.bytes,
                            hit == launch.shared.end() ? "" : fmt::format("; `{}` is there", name_of(lexed, hit->name)),
                            o.times == 1 ? "" : fmt::format("; {} such accesses of lanes", o.times)));
    f.evidence = evidence_of(launch, index, o.first);
    show_access(f.evidence, launch, {.pc = o.pc, .worst = o.first, .access = o.access});
    out.push_back(std::move(f));
  }
}

// Accesses of the text that the compiled code does not have, so that no run shows them.

/// Compiled with shared memory of any kind, also where only its address is taken, and in functions that are called.
bool has_shared(const LaunchReview& launch) {
  const auto is_shared = [](const trace::CodeSite& site) { return site.text.find(".shared") != std::string::npos; };
  return std::ranges::any_of(launch.code, is_shared) ||
         std::ranges::any_of(launch.entry->variables,
                             [](const ptx::Variable& v) { return v.space == ptx::Space::shared; });
}

}  // namespace

void code_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    assumed_convergence(input, i, out);
    if (input.launches[static_cast<std::size_t>(i)].seen == nullptr) continue;
    divergence(input, i, out);
    overruns(input, i, out);
  }
}

void print_rules(const ReviewInput& input, std::vector<Finding>& out) {
  std::set<std::pair<int, std::string_view>> said;
  for (std::size_t i = 0; i < input.launches.size(); ++i) {
    const LaunchReview& launch = *input.launches[i].launch;
    for (const LaunchReview::HostPrint& print : launch.host_prints) {
      const int line = line_of(input, launch, print.where.pc);
      if (!said.emplace(line, print.conversion).second) continue;
      Finding f =
          finding("printf-conversion", line, 0,
                  fmt::format("printf of device code does not have `{}`: a GPU prints it as it stands, or other "
                              "numbers for it and what follows{}",
                              print.conversion,
                              print.string_after ? ", and the string after it is read at an illegal address" : ""));
      if (print.string_after) f.severity = Severity::error;
      f.evidence = evidence_of(launch, static_cast<int>(i), print.where);
      out.push_back(std::move(f));
    }
  }
}

void alignment_rules(const ReviewInput& input, std::vector<Finding>& out) {
  std::set<std::string> said;
  std::optional<source::Lexed> lexed;
  for (const auto& ran : input.launches) {
    if (ran.seen == nullptr) continue;
    for (const LaunchReview::SharedVariable& v : ran.launch->shared) {
      if (v.alignment < 2 || v.address % v.alignment == 0 || !names(*ran.launch, v.name) || !said.insert(v.name).second)
        continue;
      if (!lexed) lexed = source::lexed(*input.source);
      const int at = declaration_of(*lexed, v.name);
      out.push_back(finding(
          "shared-misaligned", at < 0 ? 0 : lexed->token(at).line, at < 0 ? 0 : lexed->token(at).column,
          fmt::format(
              "`{}` is declared with an alignment of {} bytes, and its address is {}, which is a multiple of {}",
              at < 0 ? v.name : std::string(lexed->of(at)), v.alignment, v.address, v.address & (~v.address + 1))));
    }
  }
}

void removed_rules(const ReviewInput& input, std::vector<Finding>& out) {
  std::set<int> said;
  for (const auto& ran : input.launches) {
    if (ran.seen == nullptr || ran.launch->spec == nullptr || has_shared(*ran.launch)) continue;
    const source::Function* kernel = kernel_of(*input.source, ran.launch->spec->kernel);
    if (kernel == nullptr) continue;
    const source::Lexed lexed = source::lexed(*input.source);
    for (int i = 0; i < lexed.count(); ++i) {
      const int line = lexed.token(i).line;
      if (!lexed.is(i, "__shared__") || lexed.is(i - 1, "extern") || lexed.is(i + 1, "extern")) continue;
      if (line < kernel->first_line || line > kernel->last_line || !said.insert(line).second) continue;
      out.push_back(finding("shared-removed", line, lexed.token(i).column,
                            fmt::format("the compiled kernel `{}` has no shared memory: the compiler has removed every "
                                        "access to what is declared here, and conflicts of accesses there are not seen",
                                        kernel->name)));
    }
  }
}

}  // namespace lanescope::review
