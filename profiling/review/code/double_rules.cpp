// Double precision in code that is meant to compute in float: instructions of the compiled code, and what the text
// requests for where this compiler could do without.

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"
#include "profiling/review/findings/rule_set.h"

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

/// A double is made of a narrower float, or the other way round.
bool converts_float(std::string_view text) {
  const std::string_view opcode = text.substr(0, text.find_first_of(" ;", text.find("cvt.")));
  return opcode.find("cvt.") != std::string_view::npos &&
         std::ranges::any_of(std::array{".f32", ".f16", ".bf16"},
                             [&](const char* type) { return opcode.find(type) != std::string_view::npos; });
}

/// Memory of the kernel's own that holds doubles, arguments included; not local memory, where arguments of printf are.
bool accesses_doubles(std::string_view text) {
  text = without_guard(text);
  const std::string_view opcode = text.substr(0, text.find_first_of(" ;"));
  if (opcode.find(".f64") == std::string_view::npos || opcode.find(".local") != std::string_view::npos) return false;
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  return name == "ld" || name == "ldu" || name == "st" || name == "atom" || name == "red";
}

/// Whether the instruction names the register: "%fd1" is in "st.local.f64 [%SP], %fd1;" and not in "... %fd11;".
bool names(std::string_view text, std::string_view reg) {
  for (std::size_t at = text.find(reg); at != std::string_view::npos; at = text.find(reg, at + 1)) {
    const std::size_t end = at + reg.size();
    if (end == text.size() || !std::isalnum(static_cast<unsigned char>(text[end]))) return true;
  }
  return false;
}

/// pi/2 * 2^-64, which scales the 64-bit fraction that sinf, cosf, tanf, sincosf and the Bessel functions get of a
/// large argument (Payne and Hanek). Of all functions of the float library these are the only ones that compute in
/// double: three instructions, integer to double, times this, double to float (libdevice of CUDA 13.0). The compiler
/// does not name the function of its library that an instruction is of, but no other has this number.
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

/// By pc: a float made wider because printf's arguments are doubles (C's promotion of variable arguments), which no
/// literal of the caller's would change. All that the double is used for is the store of an argument, on a line of a
/// call of vprintf; the compiler may convert before, on the line where the float gets its value. `call_lines`: lines of
/// each call of printf in the text, which may take several.
std::vector<bool> printf_arguments(const ReviewInput& input, const LaunchReview& launch,
                                   const std::vector<std::pair<int, int>>& call_lines) {
  const std::vector<trace::CodeSite>& code = launch.code;
  std::set<int> printing;
  for (std::uint32_t pc = 0; pc < code.size(); ++pc)
    if (is(code[pc].text, "call") && code[pc].text.find("vprintf") != std::string::npos)
      printing.insert(line_of(input, launch, pc));
  for (const auto& [first, last] : call_lines) {
    const auto at = printing.lower_bound(first);
    if (at == printing.end() || *at > last) continue;
    for (int line = first; line <= last; ++line) printing.insert(line);
  }
  std::vector<bool> out(code.size(), false);
  if (printing.empty()) return out;
  for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
    const std::string_view text = code[pc].text;
    if (!is(text, "cvt.f64.f32 ") && !is(text, "cvt.f64.f16 ")) continue;
    const bool here = printing.contains(line_of(input, launch, pc));
    const std::string_view wide = operand(text, 0);
    bool stored = false, only = true;
    for (std::uint32_t at = 0; at < code.size() && only; ++at) {
      const std::string_view use = code[at].text;
      if (at == pc || !names(use, wide)) continue;
      const bool argument = is(use, "st.local.") && operand(use, 0).find(wide) == std::string_view::npos &&
                            (here || printing.contains(line_of(input, launch, at)));
      // Where paths join, the others convert or set the same register.
      const bool sets =
          (is(use, "cvt.f64.f32 ") || is(use, "cvt.f64.f16 ") || is(use, "mov.f64 ")) && operand(use, 0) == wide;
      stored = stored || argument;
      only = argument || sets;
    }
    out[pc] = only && (here || stored);
  }
  return out;
}

// --- doubles in the text ---------------------------------------------------------------------------------------------

/// Functions of <math.h> whose plain name is the double one and whose float one ends in f.
bool double_function(std::string_view name) {
  static const std::set<std::string_view> names = {
      "acos",   "acosh", "asin",  "asinh", "atan", "atan2",     "atanh", "cbrt",  "ceil",  "copysign",
      "cos",    "cosh",  "erf",   "erfc",  "exp",  "exp10",     "exp2",  "expm1", "fabs",  "fdim",
      "floor",  "fma",   "fmax",  "fmin",  "fmod", "hypot",     "j0",    "j1",    "ldexp", "lgamma",
      "log",    "log10", "log1p", "log2",  "pow",  "remainder", "rint",  "round", "rsqrt", "sin",
      "sincos", "sinh",  "sqrt",  "tan",   "tanh", "tgamma",    "trunc", "y0",    "y1"};
  return names.contains(name);
}

/// 1.0, 2., .5, 1e-3 and 0x1p3; not 1, 1.0f and 1.0L.
bool double_literal(std::string_view number) {
  const bool hex = number.starts_with("0x") || number.starts_with("0X");
  if (number.find_first_of(hex ? ".pP" : ".eE") == std::string_view::npos) return false;
  const char last = number.back();
  return !(last == 'l' || last == 'L' ||
           ((last == 'f' || last == 'F') && (!hex || number.find_first_of("pP") != number.npos)));
}

bool computes(std::string_view op) {
  static const std::set<std::string_view> ops = {
      "+", "-", "*", "/", "+=", "-=", "*=", "/=", "<", ">", "<=", ">=", "==", "!="};
  return ops.contains(op);
}

/// Words of a line of device code that C++ would compute in double although all operands are floats.
struct DoubleWords {
  std::vector<std::string> literals, functions;
  int column = 0;
};

class DoubleText {
 public:
  explicit DoubleText(const source::Source& source) : source_(source), lexed_(source::lexed(source)) {
    for (int i = 0; i + 1 < lexed_.count(); ++i)
      if (lexed_.is(i, "double")) add_declared(i + 1);
    for (int i = 0; i < lexed_.count(); ++i) by_line_[lexed_.token(i).line].push_back(i);
  }

  DoubleWords on(int line) const {
    DoubleWords out;
    const auto tokens = by_line_.find(line);
    if (tokens == by_line_.end()) return out;
    for (const int i : tokens->second) {
      const bool literal = lexed_.token(i).kind == source::TokenKind::number && double_literal(lexed_.of(i)) &&
                           operand(i) && !lexed_.is(i - 1, ")");  // (float)1.0 is a float
      if (!literal && !called(i)) continue;
      if (out.literals.empty() && out.functions.empty()) out.column = lexed_.token(i).column;
      std::vector<std::string>& list = literal ? out.literals : out.functions;
      if (std::ranges::find(list, lexed_.of(i)) == list.end()) list.emplace_back(lexed_.of(i));
    }
    return out;
  }

  /// First and last line of each call of printf.
  std::vector<std::pair<int, int>> printf_lines() const {
    std::vector<std::pair<int, int>> out;
    for (int i = 0; i + 1 < lexed_.count(); ++i) {
      if (lexed_.of(i) != "printf" || !lexed_.is(i + 1, "(")) continue;
      int depth = 0, k = i + 1;
      for (; k < lexed_.count(); ++k) {
        depth += lexed_.is(k, "(") ? 1 : lexed_.is(k, ")") ? -1 : 0;
        if (depth == 0) break;
      }
      out.emplace_back(lexed_.token(i).line, lexed_.token(std::min(k, lexed_.count() - 1)).line);
    }
    return out;
  }

  /// A name or a type of the line shows that doubles are intended.
  bool doubles_meant(int line) const {
    const auto tokens = by_line_.find(line);
    return tokens != by_line_.end() && std::ranges::any_of(tokens->second, [&](int i) {
             return lexed_.of(i) == "double" || doubles_.contains(lexed_.of(i));
           });
  }

 private:
  /// Names that the file declares as double, wherever: their computations are meant. `at`: after the type. A comma is
  /// followed by another declarator of the same statement, or by the next parameter.
  void add_declared(int at) {
    constexpr std::array<std::string_view, 4> before_names = {"*", "&", "const", "__restrict__"};
    std::vector<std::string_view> names;
    int depth = 0;
    bool begins = true;
    for (; at < lexed_.count() && depth >= 0 && !(depth == 0 && lexed_.is(at, ";")); ++at) {
      if (begins && one_of(lexed_.of(at), before_names)) continue;
      if (begins && lexed_.token(at).kind != source::TokenKind::identifier) break;  // (double)x
      if (begins) names.push_back(lexed_.of(at));
      begins = false;
      if (lexed_.is(at, "{") && depth == 0 && names.size() == 1 && !lexed_.is(at - 1, "=")) break;  // a function's body
      if (lexed_.is(at, "(") || lexed_.is(at, "[") || lexed_.is(at, "{")) ++depth;
      if (lexed_.is(at, ")") || lexed_.is(at, "]") || lexed_.is(at, "}")) --depth;
      begins = depth == 0 && lexed_.is(at, ",");
    }
    const bool statement = lexed_.is(at, ";");
    for (std::size_t n = 0; n < names.size() && (n == 0 || statement); ++n) doubles_.insert(names[n]);
  }

  bool is_number(int i) const {
    return i >= 0 && i < lexed_.count() && lexed_.token(i).kind == source::TokenKind::number;
  }

  /// An operand of arithmetic or of a comparison whose other one is no number.
  bool operand(int i) const {
    int before = i - 1;
    const bool sign = lexed_.is(before, "-") || lexed_.is(before, "+");
    if (sign && before > 0) {
      const source::Token& t = lexed_.token(before - 1);
      const bool value = t.kind == source::TokenKind::identifier || t.kind == source::TokenKind::number ||
                         lexed_.is(before - 1, ")") || lexed_.is(before - 1, "]");
      if (!value || lexed_.is(before - 1, "return")) --before;
    }
    const bool left = before >= 0 && computes(lexed_.of(before)) && !is_number(before - 1);
    const bool right = i + 1 < lexed_.count() && computes(lexed_.of(i + 1)) && !is_number(i + 2);
    return left || right;
  }

  /// `sin(`: not std::sin, not a member, not a function of the file's own.
  bool called(int i) const {
    if (!double_function(lexed_.of(i)) || !lexed_.is(i + 1, "(")) return false;
    for (const std::string_view before : {"::", ".", "->"})
      if (lexed_.is(i - 1, before)) return false;
    return std::ranges::find(source_.functions, lexed_.of(i), &source::Function::name) == source_.functions.end();
  }

  const source::Source& source_;
  source::Lexed lexed_;
  std::set<std::string_view> doubles_;
  std::map<int, std::vector<int>> by_line_;
};

std::string quoted(const std::vector<std::string>& words, std::string_view suffix = {}) {
  std::string out;
  for (const std::string& w : words) out += fmt::format("{}`{}{}`", out.empty() ? "" : ", ", w, suffix);
  return out;
}

std::string remedy_of(const DoubleWords& words) {
  std::string out;
  if (!words.literals.empty()) out = "write " + quoted(words.literals, "f");
  if (!words.functions.empty())
    out += fmt::format("{} {}", out.empty() ? "call" : " and call", quoted(words.functions, "f"));
  return out + ", or add an allow comment if it is intended";
}

std::string asks_for(const DoubleWords& words) {
  std::string out;
  if (!words.literals.empty())
    out = fmt::format("{} {}", quoted(words.literals), words.literals.size() == 1 ? "is a double" : "are doubles");
  if (!words.functions.empty())
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", quoted(words.functions),
                       words.functions.size() == 1 ? "names the double function" : "name the double functions");
  return out;
}

/// The same where the compiler made float code of it. C++ has a float function of each of these names, too.
std::string narrowed(const DoubleWords& words) {
  std::string out;
  if (!words.literals.empty())
    out = fmt::format("{} {}; this compiler made float code of {}, which the text does not guarantee",
                      quoted(words.literals), words.literals.size() == 1 ? "is a double" : "are doubles",
                      words.literals.size() == 1 ? "it" : "them");
  if (!words.functions.empty())
    out += fmt::format("{}{} {} by name; C++ calls the float function for an argument that is a float, C does not",
                       out.empty() ? "" : "; ", quoted(words.functions),
                       words.functions.size() == 1 ? "is a double function" : "are double functions");
  return out;
}

void double_precision(const ReviewInput& input, int index, const DoubleText& text, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  std::map<int, std::vector<std::uint32_t>> lines;
  std::set<int> all_lines;
  bool converts = false;
  const std::vector<bool> of_library = of_float_functions(launch.code);
  const std::vector<bool> printed = printf_arguments(input, launch, text.printf_lines());
  for (std::uint32_t pc = 0; pc < launch.code.size(); ++pc) {
    all_lines.insert(launch.code[pc].line);
    if (of_library[pc] || printed[pc] || !computes_double(launch.code[pc].text)) continue;
    converts = converts || converts_float(launch.code[pc].text);
    for (const int line : launch.code[pc].call_lines) lines[line].push_back(pc);
    if (launch.code[pc].call_lines.empty()) lines[line_of(input, launch, pc)].push_back(pc);
  }
  // Types of the kernel, by a typedef or a template parameter, are double.
  const bool of_doubles =
      std::ranges::any_of(launch.code, [](const trace::CodeSite& site) { return accesses_doubles(site.text); });
  for (const auto& [line, pcs] : lines) {
    const DoubleWords words = text.on(line);
    Finding f = finding("double-precision", line, launch.code[pcs.front()].column,
                        fmt::format("{} in double precision{} `{}`",
                                    counted(pcs.size(), "instruction computes", "instructions compute"),
                                    pcs.size() == 1 ? ":" : ", the first is", launch.code[pcs.front()].text));
    const auto between_floats = [&](std::uint32_t pc) { return converts_float(launch.code[pc].text); };
    const bool from_floats = std::ranges::any_of(pcs, between_floats);
    const std::string asks = asks_for(words);
    if (text.doubles_meant(line) || (of_doubles && !(asks.empty() ? from_floats : converts))) {
      f.remedy = "declare as float what needs no more precision, or add an allow comment if it is intended";
      if (!from_floats) f.severity = Severity::note;  // doubles from end to end
    } else if (!asks.empty()) {
      f.message += "; " + asks;
      f.remedy = remedy_of(words);
    } else {
      f.remedy =
          "make float of the operand that is double (a constant, a macro or a variable, which may be of another line), "
          "or add an allow comment if it is intended";
    }
    f.evidence.launch = index;
    f.evidence.pc = static_cast<int>(pcs.front());
    f.evidence.instruction = launch.code[pcs.front()].text;
    f.evidence.numbers = {{"instructions", static_cast<double>(pcs.size())}};
    out.push_back(std::move(f));
  }
  for (const int line : all_lines) {
    if (line <= 0 || lines.contains(line) || text.doubles_meant(line)) continue;
    const DoubleWords words = text.on(line);
    if (words.literals.empty() && words.functions.empty()) continue;
    Finding f = finding("double-precision", line, words.column, narrowed(words));
    f.severity = Severity::note;
    f.remedy = remedy_of(words);
    out.push_back(std::move(f));
  }
}

}  // namespace

void double_rules(const ReviewInput& input, std::vector<Finding>& out) {
  if (input.launches.empty()) return;
  const DoubleText text(*input.source);
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) double_precision(input, i, text, out);
}

}  // namespace lanescope::review
