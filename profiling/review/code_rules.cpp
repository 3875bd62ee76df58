// Rules about the compiled code: double precision anywhere in it, branches that split warps, masks that are assumed, and
// shuffles from lanes that are not there.

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "profiling/review/rule_sets.h"

namespace lanescope::review {
namespace {

/// Arithmetic on 64-bit floats, conversions from and to them included. Moving doubles about is none.
bool computes_double(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  const std::string_view opcode = text.substr(0, text.find_first_of(" ;"));
  if (opcode.find(".f64") == std::string_view::npos) return false;
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  return name != "ld" && name != "ldu" && name != "st" && name != "mov" && name != "selp";
}

/// "%fd2" of "mul.f64 %fd2, %fd1, 0d3BF921FB54442D19;": its n-th operand.
std::string_view operand(std::string_view text, int n) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  for (; n > 0 && !text.empty(); --n) text.remove_prefix(std::min(text.size(), text.find(", ") + 2));
  return text.substr(0, text.find_first_of(",;"));
}

bool is(std::string_view text, std::string_view opcode) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  return text.starts_with(opcode);
}

/// Whether the instruction names the register: "%fd1" is in "st.local.f64 [%SP], %fd1;" and not in "... %fd11;".
bool names(std::string_view text, std::string_view reg) {
  for (std::size_t at = text.find(reg); at != std::string_view::npos; at = text.find(reg, at + 1)) {
    const std::size_t end = at + reg.size();
    if (end == text.size() || !std::isalnum(static_cast<unsigned char>(text[end]))) return true;
  }
  return false;
}

/// pi/2 * 2^-64, which scales the 64-bit fraction that sinf, cosf, tanf, sincosf and the Bessel functions get of a large
/// argument (Payne and Hanek). Of all functions of the float library these are the only ones that compute in double: three
/// instructions, integer to double, times this, double to float (libdevice of CUDA 13.0). The compiler does not
/// tell which function of its library an instruction is of, but nobody else has this number.
constexpr std::string_view fraction_of_large_argument = "0d3BF921FB54442D19";

/// By pc: instructions in double precision that a float function is made of, which is not the caller's doing.
std::vector<bool> of_float_functions(const std::vector<trace::CodeSite>& code) {
  std::vector<bool> out(code.size(), false);
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const std::string_view text = code[pc].text;
    if (!is(text, "mul.f64 ") && !is(text, "mul.rn.f64 ")) continue;
    const bool second = operand(text, 2) == fraction_of_large_argument;
    if (!second && operand(text, 1) != fraction_of_large_argument) continue;
    const std::string_view from = operand(text, second ? 1 : 2), to = operand(text, 0);
    std::size_t made = pc, used = pc + 1;
    while (made > 0 && operand(code[--made].text, 0) != from) {}
    while (used < code.size() && !(is(code[used].text, "cvt.rn.f32.f64 ") && operand(code[used].text, 1) == to)) ++used;
    if (!is(code[made].text, "cvt.rn.f64.s64 ") || used == code.size()) continue;
    out[made] = out[pc] = out[used] = true;
  }
  return out;
}

/// By pc: a float made wider because printf's arguments are doubles (C's promotion of variable arguments), which no literal
/// of the caller's would change. On the line of a call of vprintf; all that the double is used for is the store of an argument.
std::vector<bool> printf_arguments(const ReviewInput& input, const LaunchReview& launch) {
  const std::vector<trace::CodeSite>& code = launch.code;
  std::set<int> printing;
  for (std::uint32_t pc = 0; pc < code.size(); ++pc)
    if (is(code[pc].text, "call") && code[pc].text.find("vprintf") != std::string::npos)
      printing.insert(line_of(input, launch, pc));
  std::vector<bool> out(code.size(), false);
  if (printing.empty()) return out;
  for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
    const std::string_view text = code[pc].text;
    const bool widens = is(text, "cvt.f64.f32 ") || is(text, "cvt.f64.f16 ");
    if (!widens || !printing.contains(line_of(input, launch, pc))) continue;
    const std::string_view wide = operand(text, 0);
    out[pc] = std::ranges::all_of(code, [&](const trace::CodeSite& site) {
      if (&site == &code[pc] || !names(site.text, wide)) return true;
      return is(site.text, "st.local.") && operand(site.text, 0).find(wide) == std::string_view::npos;
    });
  }
  return out;
}

void double_precision(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  std::map<int, std::vector<std::uint32_t>> lines;
  const std::vector<bool> of_library = of_float_functions(launch.code);
  const std::vector<bool> printed = printf_arguments(input, launch);
  for (std::uint32_t pc = 0; pc < launch.code.size(); ++pc)
    if (!of_library[pc] && !printed[pc] && computes_double(launch.code[pc].text))
      lines[line_of(input, launch, pc)].push_back(pc);
  for (const auto& [line, pcs] : lines) {
    Finding f = finding("double-precision", line, launch.code[pcs.front()].column,
                        fmt::format("{} in double precision{} `{}`",
                                    counted(pcs.size(), "instruction computes", "instructions compute"),
                                    pcs.size() == 1 ? ":" : ", the first is", launch.code[pcs.front()].text));
    f.evidence.launch = index;
    f.evidence.pc = static_cast<int>(pcs.front());
    f.evidence.instruction = launch.code[pcs.front()].text;
    f.evidence.numbers = {{"instructions", static_cast<double>(pcs.size())}};
    out.push_back(std::move(f));
  }
}

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

/// Comparisons of what __activemask() says with a constant, copies of it included. A mask that is given to an operation
/// of its lanes, whose bits are counted, or that is compared with another mask, is used as it is meant. So is that of a
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

/// Values that a shuffle takes from lanes which its mask names and which do not execute it: they have exited, were never
/// there, or execute another shuffle. Lanes that the mask does not name are left alone: a sum over part of a warp reads
/// beyond it and drops what it got.
void absent_sources(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  std::map<int, AbsentSource> lines;
  for (const auto& [pc, a] : input.launches[static_cast<std::size_t>(index)].seen->absent_sources()) {
    const auto [at, fresh] = lines.try_emplace(line_of(input, launch, pc), a);
    if (!fresh) at->second.times += a.times;
  }
  for (const auto& [line, a] : lines) {
    Finding f = finding(
        "shuffle-absent", line, launch.code[a.first.pc].column,
        fmt::format("lane {} gets its value from lane {}, which does not execute this shuffle, though "
                    "its mask names it (block {}, warp {}): the value is undefined; {}",
                    a.lane, a.source, a.first.block, a.first.warp, counted(a.times, "such value", "such values")));
    f.evidence = evidence_of(launch, index, a.first);
    f.evidence.numbers = {{"undefined values", static_cast<double>(a.times)}};
    out.push_back(std::move(f));
  }
}

void divergence(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const AccessCollector& seen = *input.launches[static_cast<std::size_t>(index)].seen;
  std::map<int, Parting> lines;
  for (const auto& [pc, parting] : seen.partings()) {
    if (parting.times == 0) continue;
    Parting& p = lines[line_of(input, launch, pc)];
    if (p.times == 0) p.first = parting.first;
    p.times += parting.times;
    p.instructions += parting.instructions;
    p.idle_lanes += parting.idle_lanes;
  }
  for (const auto& [line, p] : lines) {
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
    f.evidence = evidence_of(launch, index, p.first);
    f.evidence.numbers = {{"divergent branches", static_cast<double>(p.times)},
                          {"warp instructions", static_cast<double>(p.instructions)},
                          {"share in percent", share * 100},
                          {"idle lanes", idle}};
    out.push_back(std::move(f));
  }
}

}  // namespace

void code_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    double_precision(input, i, out);
    assumed_convergence(input, i, out);
    if (input.launches[static_cast<std::size_t>(i)].seen == nullptr) continue;
    divergence(input, i, out);
    absent_sources(input, i, out);
  }
}

}  // namespace lanescope::review
