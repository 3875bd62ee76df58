#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/emulator/forms/forms.h"
#include "tests/fuzz/cases/cases.h"

namespace lanescope::fuzz {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

struct Part {
  std::size_t at = 0, length = 0;
  std::string of(const std::string& line) const { return line.substr(at, length); }
};

/// Registers as "%r12"; special registers ("%tid.x") are none.
std::vector<Part> registers_of(const std::string& line) {
  std::vector<Part> out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '%') continue;
    std::size_t end = i + 1;
    while (end < line.size() && is_word(line[end])) ++end;
    if (end < line.size() && line[end] == '.') continue;
    if (end > i + 1) out.push_back({i, end - i});
  }
  return out;
}

/// "%r12" -> "%r": registers of one class stand for one another.
std::string class_of(const std::string& reg) {
  std::size_t end = reg.size();
  while (end > 1 && std::isdigit(static_cast<unsigned char>(reg[end - 1])) != 0) --end;
  // The registers of the workbench are distinguished by a letter: %a32, %b32.
  return end == 2 && reg.size() > 3 ? "%?" + reg.substr(2) : reg.substr(0, end);
}

/// Numbers that are no part of a name: 12, -3, 0x1f, 0f3F800000.
std::vector<Part> numbers_of(const std::string& line) {
  std::vector<Part> out;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '%' || std::isalpha(static_cast<unsigned char>(line[i])) != 0 || line[i] == '_') {
      while (i < line.size() && (is_word(line[i]) || line[i] == '%' || line[i] == '.')) ++i;
    } else if (std::isdigit(static_cast<unsigned char>(line[i])) != 0) {
      const std::size_t from = i;
      while (i < line.size() && is_word(line[i])) ++i;
      out.push_back({from, i - from});
    } else {
      ++i;
    }
  }
  return out;
}

bool is_instruction(const std::string& line) {
  std::size_t i = line.find_first_not_of(" \t");
  if (i == std::string::npos || line.find(';') == std::string::npos) return false;
  if (line[i] == '@') i = line.find(' ', i);
  if (i == std::string::npos) return false;
  i = line.find_first_not_of(" \t", i);
  return i != std::string::npos && std::islower(static_cast<unsigned char>(line[i])) != 0;
}

/// The opcode with its modifiers.
Part opcode_of(const std::string& line) {
  std::size_t i = line.find_first_not_of(" \t");
  if (i != std::string::npos && line[i] == '@')
    i = line.find_first_not_of(" \t", std::min(line.find_first_of(" \t", i), line.size()));
  if (i == std::string::npos) return {};
  std::size_t end = i;
  while (end < line.size() && (is_word(line[end]) || line[end] == '.' || line[end] == ':')) ++end;
  return {i, end - i};
}

using Words = std::vector<std::string>;

/// Words that stand in one another's place. Most of a change stays legal so.
const std::vector<Words>& alternatives() {
  static const std::vector<Words> all = {
      {"u32", "s32", "b32", "f32"},
      {"u64", "s64", "b64", "f64"},
      {"u16", "s16", "b16", "f16", "bf16"},
      {"u8", "s8", "b8"},
      {"f16x2", "bf16x2", "u16x2", "s16x2", "b32"},
      {"u32", "u64", "u16", "u8", "s32", "s64", "s16", "s8", "f32", "f64", "f16", "b32", "b64", "b128", "pred"},
      {"rn", "rz", "rm", "rp", "rna", "approx", "full"},
      {"rni", "rzi", "rmi", "rpi"},
      {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num",
       "nan"},
      {"global", "shared", "local", "const", "param", "shared::cta", "shared::cluster", "param::entry"},
      {"add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "cas"},
      {"up", "down", "bfly", "idx"},
      {"all", "any", "uni", "ballot"},
      {"lo", "hi", "wide"},
      {"wrap", "clamp"},
      {"l", "r"},
      {"v2", "v4", "v8"},
      {"cta", "gpu", "sys", "cluster"},
      {"relaxed", "acquire", "release", "acq_rel", "sc", "volatile", "weak"},
      {"ca", "cg", "cs", "lu", "cv", "wb", "wt"},
      {"sat", "ftz", "satfinite", "relu", "noftz", "cc", "NaN", "xorsign", "abs"},
      {"sync", "arrive", "red", "wait"},
      {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"},
      {"x1", "x2", "x4", "trans"},
  };
  return all;
}
const std::vector<Words>& opcodes() {
  static const std::vector<Words> all = {
      {"add", "sub", "mul", "and", "or", "xor", "shl", "shr", "min", "max", "div", "rem", "addc", "subc", "mul24",
       "copysign"},
      {"mov", "not", "neg", "abs", "cvt", "popc", "clz", "brev", "sqrt", "rcp", "rsqrt", "ex2", "lg2", "sin", "cos",
       "tanh", "cnot", "bfind"},
      {"mad", "fma", "lop3", "shf", "bfe", "sad", "prmt", "selp", "slct", "dp2a", "dp4a", "mad24", "madc", "bfi",
       "bmsk", "szext", "fns"},
      {"ld", "ldu", "st", "atom", "red", "prefetch", "isspacep"},
      {"setp", "set", "testp"},
      {"bar", "barrier", "membar", "fence"},
      {"shfl", "vote", "match", "redux", "activemask", "elect"},
      {"ret", "exit", "trap", "brkpt", "bra"},
  };
  return all;
}

/// Statements of PTX, one a line: what the changes count in.
std::vector<std::string> statements(const std::string& ptx) {
  std::vector<std::string> out;
  for (const std::string_view line : split_lines(ptx)) {
    if (line.find('"') != std::string_view::npos || line.find("//") != std::string_view::npos) {
      out.emplace_back(line);
      continue;
    }
    std::size_t from = 0;
    for (std::size_t at = line.find(';'); at != std::string_view::npos; at = line.find(';', from)) {
      out.emplace_back(line.substr(from, at + 1 - from));
      from = at + 1;
    }
    if (from < line.size()) out.emplace_back(line.substr(from));
  }
  return out;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + '\n';
  return out;
}

/// Instances of forms that the emulator executes.
const std::vector<std::string>& executed_forms() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out;
    for (const emulator::Form& form : emulator::forms()) {
      if (form.test.empty()) continue;
      std::vector<std::string> of_form = emulator::instances(form);
      // Some forms have thousands: a few of each.
      const std::size_t step = std::max<std::size_t>(of_form.size() / 40, 1);
      for (std::size_t i = 0; i < of_form.size(); i += step) out.push_back(std::move(of_form[i]));
    }
    return out;
  }();
  return all;
}

/// After a backslash in a launch file a number may ask for more memory than a test should take.
constexpr std::uint64_t most_elements = 1 << 18;

}  // namespace

std::string Mutator::number(std::uint64_t most) {
  static constexpr std::array<std::uint64_t, 26> edges = {
      0,  1,  2,   3,   4,   5,    7,    8,      15,     16,         31,       32,  33,
      63, 64, 127, 128, 255, 1023, 1024, 0x7fff, 0xffff, 0x7fffffff, 1u << 31, ~0u, ~std::uint64_t{0}};
  const std::uint64_t value = chance(4) ? random_() >> below(64) : edges[below(edges.size())];
  return fmt::format("{}", most == ~std::uint64_t{0} ? value : value % (most + 1));
}

void Mutator::change_number(std::string& line, std::uint64_t most) {
  const std::vector<Part> parts = numbers_of(line);
  if (parts.empty()) return;
  const Part p = any(parts);
  const std::string old = p.of(line);
  std::string now = number(most);
  if (old.starts_with("0f") || old.starts_with("0F")) {
    static const Words floats = {"0f00000000", "0f80000000", "0f3F800000", "0f7F800000",
                                 "0fFF800000", "0f7FC00000", "0f00000001", "0f7F7FFFFF"};
    now = chance(3) ? fmt::format("0f{:08X}", static_cast<std::uint32_t>(random_())) : any(floats);
  } else if (old.starts_with("0d") || old.starts_with("0D")) {
    now = fmt::format("0d{:016X}", random_() & (chance(2) ? ~std::uint64_t{0} : 0xfff0000000000000));
  } else if (chance(3) && old.size() < 8 && old.find_first_not_of("0123456789") == std::string::npos) {
    now = fmt::format("{}", std::min<std::uint64_t>(std::stoull(old) + (chance(2) ? 1 : 4), most));
  }
  line.replace(p.at, p.length, now);
}

/// Another register of the same class in its place.
void Mutator::change_register(std::vector<std::string>& lines, std::size_t at) {
  const std::vector<Part> parts = registers_of(lines[at]);
  if (parts.empty()) return;
  const Part p = any(parts);
  const std::string wanted = class_of(p.of(lines[at]));
  std::set<std::string> same;
  const std::size_t from = at > 60 ? at - 60 : 0;
  for (std::size_t i = from; i < std::min(lines.size(), at + 60); ++i)
    for (const Part& other : registers_of(lines[i]))
      if (const std::string name = other.of(lines[i]); class_of(name) == wanted && (is_instruction(lines[i])))
        same.insert(name);
  if (same.empty()) return;
  auto chosen = same.begin();
  std::advance(chosen, static_cast<std::ptrdiff_t>(below(same.size())));
  lines[at].replace(p.at, p.length, *chosen);
}

void Mutator::change_opcode(std::string& line) {
  const Part p = opcode_of(line);
  if (p.length == 0) return;
  Words words;
  const std::string whole = p.of(line);
  std::size_t from = 0;
  for (std::size_t at = 0; at != std::string::npos; from = at + 1) {
    at = whole.find('.', from);
    words.push_back(whole.substr(from, at == std::string::npos ? at : at - from));
    if (at == std::string::npos) break;
  }
  const auto replace_in = [&](std::string& word, const std::vector<Words>& tables) {
    std::vector<const Words*> fitting;
    for (const Words& t : tables)
      if (std::ranges::find(t, word) != t.end()) fitting.push_back(&t);
    if (!fitting.empty()) word = any(*any(fitting));
  };
  if (words.size() == 1 || chance(5)) {
    replace_in(words[0], opcodes());
  } else if (chance(8)) {
    words.insert(words.begin() + 1 + static_cast<std::ptrdiff_t>(below(words.size() - 1)), any(alternatives()[20]));
  } else if (chance(10) && words.size() > 2) {
    words.erase(words.begin() + 1 + static_cast<std::ptrdiff_t>(below(words.size() - 1)));
  } else {
    replace_in(words[1 + below(words.size() - 1)], alternatives());
  }
  std::string now = words[0];
  for (std::size_t i = 1; i < words.size(); ++i) now += "." + words[i];
  line.replace(p.at, p.length, now);
}

void Mutator::change_guard(std::vector<std::string>& lines, std::size_t at) {
  std::string& line = lines[at];
  const std::size_t begin = line.find_first_not_of(" \t");
  if (line[begin] == '@') {
    if (chance(2)) {
      line.erase(begin, line.find_first_of(" \t", begin) - begin);
    } else if (line[begin + 1] == '!') {
      line.erase(begin + 1, 1);
    } else {
      line.insert(begin + 1, "!");
    }
    return;
  }
  std::vector<std::string> predicates;
  const std::size_t from = at > 60 ? at - 60 : 0;
  for (std::size_t i = from; i < at; ++i)
    if (const Part o = opcode_of(lines[i]); is_instruction(lines[i]) && o.of(lines[i]).starts_with("setp"))
      if (const auto regs = registers_of(lines[i]); !regs.empty()) predicates.push_back(regs.front().of(lines[i]));
  if (!predicates.empty()) line.insert(begin, fmt::format("@{}{} ", chance(2) ? "!" : "", any(predicates)));
}

/// Another label after a branch.
void Mutator::retarget(std::vector<std::string>& lines, std::size_t at) {
  std::vector<std::string> labels;
  for (const std::string& line : lines)
    if (const std::string_view t = trimmed(line);
        t.size() > 1 && t.ends_with(':') && t.find(' ') == std::string_view::npos)
      labels.emplace_back(t.substr(0, t.size() - 1));
  const std::size_t bra = lines[at].find("bra");
  const std::size_t space = lines[at].find(' ', bra);
  if (labels.empty() || bra == std::string::npos || space == std::string::npos) return;
  lines[at] = lines[at].substr(0, space + 1) + any(labels) + ";";
}

/// A few instructions of another kernel. Their registers become ones of this kernel where it has some of their class.
void Mutator::splice(std::vector<std::string>& lines, std::size_t at, const Case& other) {
  const std::vector<std::string> from = statements(other.ptx);
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (is_instruction(from[i])) candidates.push_back(i);
  if (candidates.empty()) return;
  std::vector<std::string> own;
  for (std::size_t i = at > 60 ? at - 60 : 0; i < std::min(lines.size(), at + 60); ++i)
    if (is_instruction(lines[i]))
      for (const Part& p : registers_of(lines[i])) own.push_back(p.of(lines[i]));
  const std::size_t first = below(candidates.size());
  std::vector<std::string> block;
  for (std::size_t i = first; i < std::min(candidates.size(), first + 1 + below(6)); ++i) {
    std::string line = from[candidates[i]];
    std::vector<Part> parts = registers_of(line);
    for (auto p = parts.rbegin(); p != parts.rend(); ++p) {
      Words fitting;
      for (const std::string& reg : own)
        if (class_of(reg) == class_of(p->of(line))) fitting.push_back(reg);
      if (!fitting.empty()) line.replace(p->at, p->length, any(fitting));
    }
    block.push_back(std::move(line));
  }
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), block.begin(), block.end());
}

/// An instruction of any form; only a kernel with the registers of the workbench can take it.
void Mutator::insert_form(std::vector<std::string>& lines, std::size_t at) {
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), any(executed_forms()) + ";");
}

/// A byte, or a piece, wherever it is.
void Mutator::damage(std::string& text) {
  static constexpr std::string_view likely = "{}[]()<>,;:.@!%+-/*\"'_0x\n |~?=\0\xff";
  if (text.empty()) return;
  const std::size_t at = below(text.size());
  switch (below(4)) {
    case 0:
      text[at] = likely[below(likely.size())];
      break;
    case 1:
      text.erase(at, 1 + below(20));
      break;
    case 2:
      text.insert(below(text.size()), text.substr(at, 1 + below(40)));
      break;
    default:
      text.insert(at, 1, static_cast<char>(random_()));
  }
}

void Mutator::change_ptx(std::vector<std::string>& lines, const std::vector<Case>& others) {
  std::vector<std::size_t> instructions, directives;
  bool has_forms = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_instruction(lines[i]))
      instructions.push_back(i);
    else if (trimmed(lines[i]).starts_with('.'))
      directives.push_back(i);
    has_forms = has_forms || lines[i].find("%wd<130>") != std::string::npos;
  }
  if (instructions.empty()) return;
  const std::size_t at = any(instructions);
  if (has_forms && chance(2)) return insert_form(lines, std::max(at, instructions[instructions.size() / 2]));
  switch (below(16)) {
    case 0:
    case 1:
    case 2:
      return change_register(lines, at);
    case 3:
    case 4:
      return change_number(lines[at]);
    case 5:
    case 6:
    case 7:
      return change_opcode(lines[at]);
    case 8:
      return void(lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)));
    case 9:
      return void(lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), std::string(lines[any(instructions)])));
    case 10:
      return std::swap(lines[at], lines[any(instructions)]);
    case 11:
    case 12:
      return splice(lines, at, choose(others));
    case 13:
      return change_guard(lines, at);
    case 14: {
      std::vector<std::size_t> branches;
      for (const std::size_t i : instructions)
        if (opcode_of(lines[i]).of(lines[i]).starts_with("bra")) branches.push_back(i);
      return branches.empty() ? change_register(lines, at) : retarget(lines, any(branches));
    }
    default:
      if (!directives.empty() && chance(2)) return change_number(lines[any(directives)], 1 << 17);
      return change_number(lines[at]);
  }
}

void Mutator::change_launch(std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
  if (lines.empty()) return;
  std::string& line = lines[below(lines.size())];
  switch (below(8)) {
    case 0:
      line.clear();
      break;
    case 1:
      lines.push_back(std::string(line));
      break;
    case 2: {
      static const std::vector<std::string> keys = {
          "grid = ", "block = ", "shared = ", "cluster = ", "grid = [1, ", "block = [32, "};
      const std::string& key = any(keys);
      lines.insert(lines.begin() + (lines.front().starts_with('[') ? 1 : 0),
                   key + number(1100) + (key.find('[') != std::string::npos ? "]" : ""));
      break;
    }
    case 3: {
      static const std::vector<std::string> types = {"f32", "u32", "s32", "f16",  "u8",  "u4",
                                                     "b1",  "f64", "u64", "bf16", "s16", "f16x2"};
      const std::size_t type = line.find("\"f32");
      if (type != std::string::npos) line.replace(type, 4, "\"" + any(types));
      break;
    }
    case 4:
      if (chance(3)) {
        damage(line);
        break;
      }
      [[fallthrough]];
    default:
      change_number(line, most_elements);
  }
  text = text_of(lines);
}

Case Mutator::mutated(const Case& from, const std::vector<Case>& others) {
  Case out = from;
  std::vector<std::string> lines = statements(from.ptx);
  for (std::uint64_t n = 1 + below(chance(4) ? 6 : 3); n > 0; --n) {
    if (chance(6))
      change_launch(out.launch);
    else
      change_ptx(lines, others);
  }
  out.ptx = text_of(lines);
  if (chance(40)) damage(out.ptx);
  return out;
}

}  // namespace lanescope::fuzz
