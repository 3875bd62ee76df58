#include "kernels/explain/explain.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "kernels/base/numbers.h"

namespace lanescope::explain {
namespace {

using Names = std::unordered_map<std::string_view, std::vector<const Row*>>;

std::vector<std::string_view> words_in(std::string_view text, char between) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find(between);
    if (end != 0) out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

Names by_mnemonic(std::initializer_list<std::span<const Row>> tables) {
  Names out;
  for (const auto table : tables)
    for (const Row& row : table) out[row.key.substr(0, row.key.find('.'))].push_back(&row);
  return out;
}

const Names& rows(bool ptx) {
  static const Names of_ptx = by_mnemonic(
      {ptx_arithmetic_rows(), ptx_memory_rows(), ptx_cooperation_rows(), ptx_control_rows(), ptx_matrix_rows()});
  static const Names of_sass = by_mnemonic({sass_arithmetic_rows(), sass_other_rows()});
  return ptx ? of_ptx : of_sass;
}

/// How many modifiers of the key the instruction has, in its order; nothing where one is missing.
std::optional<std::size_t> agreement(std::string_view key, const Pieces& p) {
  const std::vector<std::string_view> wanted = words_in(key, '.');
  std::size_t at = 0;
  for (std::size_t n = 1; n < wanted.size(); ++n) {
    while (at < p.modifiers.size() && p.modifiers[at] != wanted[n]) ++at;
    if (at++ >= p.modifiers.size()) return std::nullopt;
  }
  return wanted.size();
}

bool names(std::string_view mnemonics, std::string_view one) {
  const std::vector<std::string_view> all = words_in(mnemonics, ' ');
  return std::ranges::find(all, one) != all.end();
}

/// A row that names the mnemonic, else one for all.
std::string look_up(std::span<const ModifierRow> table, std::string_view mnemonic, std::string_view modifier) {
  const ModifierRow* any = nullptr;
  for (const ModifierRow& row : table) {
    if (row.modifier != modifier) continue;
    if (row.mnemonics.empty())
      any = any == nullptr ? &row : any;
    else if (names(row.mnemonics, mnemonic))
      return std::string(row.words);
  }
  return any == nullptr ? std::string() : std::string(any->words);
}

std::string type_words(std::string_view type) { return look_up(ptx_type_rows(), "", type); }

std::vector<std::string_view> types_of(const Pieces& p) {
  std::vector<std::string_view> out;
  for (const std::string& m : p.modifiers)
    if (is_type(m)) out.push_back(m);
  return out;
}

bool digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "v4" -> 4; 0: another modifier.
int count_after(std::string_view modifier, char letter) {
  if (modifier.size() < 2 || modifier[0] != letter || !digits(modifier.substr(1)) || modifier.size() > 4) return 0;
  return std::stoi(std::string(modifier.substr(1)));
}

/// "m16n8k16" -> "tiles of 16 x 8, with 16 products each"
std::string shape_words(std::string_view m) {
  if (!m.starts_with('m')) return {};
  const std::size_t n = m.find('n');
  if (n == std::string_view::npos || !digits(m.substr(1, n - 1))) return {};
  const std::size_t k = m.find('k');
  if (k == std::string_view::npos)
    return digits(m.substr(n + 1)) ? fmt::format("tiles of {} x {}", m.substr(1, n - 1), m.substr(n + 1))
                                   : std::string();
  if (k < n || !digits(m.substr(n + 1, k - n - 1)) || !digits(m.substr(k + 1))) return {};
  return fmt::format("a tile of {0} x {1}: {0} x {2} times {2} x {1}", m.substr(1, n - 1), m.substr(n + 1, k - n - 1),
                     m.substr(k + 1));
}

/// Which operand a type is about, where an instruction has several.
std::string_view role_of_type(const Pieces& p, std::size_t nth, std::size_t all) {
  const std::string& m = p.mnemonic;
  if (all < 2) return "";
  if (m == "cvt" || m == "set" || m == "tex" || m == "tld4") {
    constexpr std::array<std::string_view, 2> converted{"to: ", "from: "}, compared{"result: ", "compared: "},
        read{"texel: ", "coordinates: "};
    const auto& roles = m == "cvt" ? converted : m == "set" ? compared : read;
    return nth < 2 ? roles[nth] : std::string_view("with: ");
  }
  constexpr std::array<std::string_view, 4> matrices{"of D: ", "of A: ", "of B: ", "of C: "};
  if (m == "mma" || m == "wmma" || m == "wgmma") return nth < 4 ? matrices[nth] : "of the scales: ";
  constexpr std::array<std::string_view, 3> video{
      "of the result: ", "of the first operand: ", "of the second operand: "};
  if (m.starts_with('v') || m.starts_with("dp")) {
    if (m.starts_with("dp")) return nth == 0 ? "of the first operand: " : "of the second operand: ";
    if (m.starts_with("vset")) return nth == 0 ? video[1] : video[2];
    return nth < 3 ? video[nth] : "";
  }
  return "";
}

struct Said {
  std::string_view modifier, words;
};
std::string said(std::span<const Said> table, const Pieces& p, std::string_view otherwise) {
  for (const std::string& m : p.modifiers)
    for (const Said& s : table)
      if (s.modifier == m) return std::string(s.words);
  return std::string(otherwise);
}

std::string compare_words(const Pieces& p) {
  static constexpr Said table[] = {{"eq", "equals"},
                                   {"ne", "differs from"},
                                   {"lt", "is less than"},
                                   {"le", "is at most"},
                                   {"gt", "is greater than"},
                                   {"ge", "is at least"},
                                   {"lo", "is less than"},
                                   {"ls", "is at most"},
                                   {"hi", "is greater than"},
                                   {"hs", "is at least"},
                                   {"equ", "equals (or one is NaN)"},
                                   {"neu", "differs from (or one is NaN)"},
                                   {"ltu", "is less than (or one is NaN)"},
                                   {"leu", "is at most (or one is NaN)"},
                                   {"gtu", "is greater than (or one is NaN)"},
                                   {"geu", "is at least (or one is NaN)"},
                                   {"num", "is a number, and so is"},
                                   {"nan", "is NaN, or so is"}};
  return said(table, p, "compares with");
}

std::string updated_words(const Pieces& p) {
  static constexpr Said table[] = {{"add", "its sum with"},
                                   {"min", "the smaller of it and"},
                                   {"max", "the larger of it and"},
                                   {"and", "the bits it shares with (and)"},
                                   {"or", "its bits and those of (or)"},
                                   {"xor", "its exclusive or with"},
                                   {"inc", "one more, or 0 where it has reached"},
                                   {"dec", "one less, or where it is 0 or above it, by"}};
  return said(table, p, "a combination with");
}

std::string combined_words(const Pieces& p) {
  static constexpr Said table[] = {{"add", "their sum"}, {"min", "the smallest"}, {"max", "the largest"},
                                   {"and", "their and"}, {"or", "their or"},      {"xor", "their exclusive or"}};
  return said(table, p, "a combination");
}

std::string space_words(const Pieces& p) {
  static constexpr Said table[] = {{"global", "global memory"},
                                   {"shared", "shared memory"},
                                   {"shared::cta", "shared memory"},
                                   {"shared::cluster", "the cluster's shared memory"},
                                   {"local", "local memory"},
                                   {"const", "constant memory"},
                                   {"param", "the parameters"},
                                   {"param::entry", "the kernel's parameters"},
                                   {"param::func", "a function's parameters"}};
  return said(table, p, "the memory that the generic address belongs to");
}

std::string bytes_words(const Pieces& p, bool ptx) {
  const int bytes = bytes_of(p, ptx);
  return bytes > 0 ? counted(static_cast<std::uint64_t>(bytes), "byte") : std::string("a value");
}

std::string filled(std::string_view name, const Row& row, const Pieces& p, bool ptx) {
  const std::vector<std::string_view> types = types_of(p);
  if (name == "type") return types.empty() ? "its type" : type_words(types.back());
  if (name == "first") return types.empty() ? "its type" : type_words(types.front());
  if (name == "from") return types.empty() ? "its type" : type_words(types.size() > 1 ? types[1] : types[0]);
  if (name == "space") return space_words(p);
  if (name == "bytes") return bytes_words(p, ptx);
  if (name == "compare") return compare_words(p);
  if (name == "updated") return updated_words(p);
  if (name == "combined") return combined_words(p);
  const std::vector<std::string_view> operands = words_in(row.operands, ' ');
  const auto at = static_cast<std::size_t>(std::ranges::find(operands, name) - operands.begin());
  if (p.operands.empty()) return std::string(name);
  return at < p.operands.size() ? p.operands[at] : std::string();
}

/// A piece of a sentence; nothing where an operand is missing.
std::optional<std::string> fill_piece(std::string_view text, const Row& row, const Pieces& p, bool ptx, bool may_miss) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    const std::string_view name = text.substr(open + 1, close - open - 1);
    const std::string words = filled(name, row, p, ptx);
    const bool operand = name.size() == 1;
    if (may_miss && operand && (words.empty() || p.operands.empty())) return std::nullopt;
    out += words.empty() ? std::string(name) : words;
    text.remove_prefix(close + 1);
  }
  return out;
}

std::string hexadecimal_float(std::string_view text) {
  const bool twice = text[1] == 'd' || text[1] == 'D';
  std::uint64_t bits = 0;
  for (const char c : text.substr(2)) {
    const int digit = std::isdigit(static_cast<unsigned char>(c)) != 0 ? c - '0' : std::tolower(c) - 'a' + 10;
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return {};
    bits = bits << 4 | static_cast<std::uint64_t>(digit);
  }
  if (text.size() != (twice ? 18 : 10)) return {};
  return twice ? fmt::format("the constant {}", std::bit_cast<double>(bits))
               : fmt::format("the constant {}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

bool number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
}

std::string special_words(std::string_view operand) {
  const std::size_t point = operand.rfind('.');
  const std::string whole = look_up(special_register_rows(), "", operand);
  if (!whole.empty() || point == std::string_view::npos) return whole;
  std::string words = look_up(special_register_rows(), "", operand.substr(0, point));
  if (!words.empty()) words += fmt::format(", in {}", operand.substr(point + 1));
  return words;
}

std::string address_words(std::string_view inside) {
  std::string words = "the address ";
  const std::size_t comma = inside.find(',');
  const std::string_view base = inside.substr(0, comma);
  const std::size_t sign = base.find_first_of("+-", 1);
  words += base.substr(0, sign);
  if (sign != std::string_view::npos) {
    std::string_view offset = base.substr(sign + 1);
    const bool minus = base[sign] == '-' || offset.starts_with('-');
    if (offset.starts_with('-')) offset.remove_prefix(1);
    words += fmt::format(" {} {} bytes", minus ? "minus" : "plus", offset);
  }
  if (comma != std::string_view::npos) words += fmt::format(", with {} after it", inside.substr(comma + 1));
  return words;
}

std::string ptx_operand_words(std::string_view o) {
  if (o.starts_with('[')) {
    const std::size_t close = o.rfind(']');
    if (close == std::string_view::npos) return {};
    return address_words(o.substr(1, close - 1));
  }
  if (o.starts_with('{'))
    return counted(static_cast<std::uint64_t>(std::ranges::count(o, ',')) + 1, "register") + " side by side";
  if (o.starts_with('(')) return "arguments or results";
  if (o == "_") return "not kept";
  if (o.starts_with('!')) return "the opposite of the predicate " + std::string(o.substr(1));
  if (o.starts_with("0f") || o.starts_with("0F") || o.starts_with("0d") || o.starts_with("0D"))
    if (std::string words = hexadecimal_float(o); !words.empty()) return words;
  if (number(o)) return "the constant " + std::string(o);
  if (std::string special = special_words(o); !special.empty()) return special;
  if (o.starts_with('-') && o.size() > 1) return "the register " + std::string(o.substr(1)) + ", negated";
  if (const std::size_t bar = o.find('|'); bar != std::string_view::npos)
    return fmt::format("two results: {} and {}", o.substr(0, bar), o.substr(bar + 1));
  if (o.starts_with('%')) {
    const std::size_t point = o.find('.');
    if (point == std::string_view::npos) return "the register " + std::string(o);
    return fmt::format("the part {} of the register {}", o.substr(point + 1), o.substr(0, point));
  }
  const auto in_name = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '$' || c == '.' || c == '+';
  };
  return std::ranges::all_of(o, in_name) ? "the name " + std::string(o) : std::string();
}

std::string sass_operand_words(std::string_view o) {
  if (o.starts_with('[')) return address_words(o.substr(1, o.size() >= 2 ? o.size() - 2 : 0));
  if (o.starts_with("desc[") || o.starts_with("gdesc[")) {
    const std::size_t open = o.rfind('[');
    if (!o.ends_with(']')) return {};
    return address_words(o.substr(open + 1, o.size() - open - 2)) + ", with a descriptor of how to cache it";
  }
  if (o.starts_with("c[") || o.starts_with("cx[")) return "a constant: bank and offset in bytes";
  if (o.starts_with("`(") || o.starts_with("0x") || number(o) || o.starts_with("-0x"))
    return o.starts_with('`') ? "a place in the program" : "the constant " + std::string(o);
  std::string prefix;
  while (!o.empty() && (o[0] == '-' || o[0] == '~' || o[0] == '!' || o[0] == '|')) {
    prefix += o[0] == '-' ? "minus " : o[0] == '|' ? "the absolute value of " : "the opposite of ";
    o.remove_prefix(1);
  }
  while (o.ends_with('|')) o.remove_suffix(1);
  if (o == "SRZ") return "zero";
  if (o.starts_with("SR_")) return "the special register " + std::string(o);
  // As a disassembler writes them after a back-quote, and as assemblers of others do: ".L_x_1", "LBB0".
  if (o.starts_with(".L") || (o.starts_with('L') && o.size() > 1)) return "a place in the program";
  std::string_view name = o.substr(0, o.find('.'));
  const std::string rest(name.size() < o.size() ? o.substr(name.size() + 1) : std::string_view());
  std::string words;
  if (name == "RZ" || name == "URZ")
    words = "zero";
  else if (name == "PT" || name == "UPT")
    words = "true";
  else if (name.starts_with("UR") && digits(name.substr(2)))
    words = fmt::format("the uniform register {}", name);
  else if (name.starts_with("UP") && digits(name.substr(2)))
    words = fmt::format("the uniform predicate {}", name);
  else if (name.starts_with('R') && digits(name.substr(1)))
    words = fmt::format("the register {}", name);
  else if (name.starts_with('P') && digits(name.substr(1)))
    words = fmt::format("the predicate {}", name);
  else if ((name.starts_with('B') && digits(name.substr(1))) || (name.starts_with("SB") && digits(name.substr(2))))
    words = fmt::format("the barrier register {}", name);
  else
    return {};
  if (rest == "reuse")
    words += ", kept at hand for the next instruction";
  else if (rest == "H0_H0" || rest == "H1_H1")
    words += rest == "H0_H0" ? ", its lower half twice" : ", its upper half twice";
  else if (rest == "64")
    words += " and the one after it";
  return prefix + words;
}

}  // namespace

bool is_type(std::string_view modifier) { return !type_words(modifier).empty(); }

const Row* row_of(const Pieces& p, bool ptx) {
  const auto found = rows(ptx).find(p.mnemonic);
  if (found == rows(ptx).end()) return nullptr;
  const Row* best = nullptr;
  std::size_t most = 0;
  for (const Row* row : found->second)
    if (const auto agrees = agreement(row->key, p); agrees && *agrees > most) most = *agrees, best = row;
  return best;
}

std::string_view needed_arch(const Pieces& p) {
  std::string_view arch;
  std::size_t most = 0;
  for (const NeedRow& row : ptx_need_rows()) {
    if (row.key.substr(0, row.key.find('.')) != p.mnemonic) continue;
    if (const auto agrees = agreement(row.key, p); agrees && *agrees > most) most = *agrees, arch = row.arch;
  }
  return arch;
}

std::string modifier_words(const Pieces& p, std::size_t index, bool ptx) {
  const std::string& m = p.modifiers[index];
  if (!ptx) {
    std::string words = look_up(sass_modifier_rows(), p.mnemonic, m);
    return words;
  }
  if (const int n = count_after(m, 'v'); n > 0) return fmt::format("{} values at once, side by side in memory", n);
  if (const int n = count_after(m, 'x'); n > 0)
    return p.mnemonic == "tcgen05" ? fmt::format("{} times in a row", n)
                                   : counted(static_cast<std::uint64_t>(n), "tile");
  if (std::string shape = shape_words(m); !shape.empty()) return shape;
  std::string words = look_up(ptx_modifier_rows(), p.mnemonic, m);
  if (!words.empty() || !is_type(m)) return words;
  std::size_t nth = 0, all = 0;
  for (std::size_t n = 0; n < p.modifiers.size(); ++n) {
    if (!is_type(p.modifiers[n])) continue;
    nth += n < index ? 1 : 0;
    ++all;
  }
  return std::string(role_of_type(p, nth, all)) + type_words(m);
}

std::string operand_words(std::string_view operand, bool ptx) {
  return ptx ? ptx_operand_words(operand) : sass_operand_words(operand);
}

int bytes_of(const Pieces& p, bool ptx) {
  if (!ptx) {
    for (const std::string& m : p.modifiers) {
      if (m == "128") return 16;
      if (m == "64") return 8;
      if (m == "U16" || m == "S16" || m == "16") return 2;
      if (m == "U8" || m == "S8") return 1;
    }
    return 4;
  }
  const std::vector<std::string_view> types = types_of(p);
  if (types.empty()) return 0;
  std::string_view type = types.back();
  int times = 1;
  for (const std::string& m : p.modifiers)
    if (const int n = count_after(m, 'v'); n > 0) times = n;
  if (type.ends_with("x2")) times *= 2, type.remove_suffix(2);
  while (!type.empty() && std::isdigit(static_cast<unsigned char>(type[0])) == 0) type.remove_prefix(1);
  return digits(type) ? std::stoi(std::string(type)) * times / 8 : 0;
}

std::string fill(const Row& row, const Pieces& p, bool ptx) {
  std::string out;
  std::string_view left = row.sentence;
  while (!left.empty()) {
    const std::size_t open = left.find('[');
    out += *fill_piece(left.substr(0, open), row, p, ptx, false);
    if (open == std::string_view::npos) break;
    const std::size_t close = left.find(']', open);
    if (const auto piece = fill_piece(left.substr(open + 1, close - open - 1), row, p, ptx, true)) out += *piece;
    left.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace lanescope::explain
