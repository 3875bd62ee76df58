#include "app/engine/values/instruction_facts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "kernels/base/listed_words.h"
#include "kernels/base/text.h"
#include "kernels/emulator/machine/program.h"

namespace lanescope::engine {
namespace {

using Facts = InstructionFacts;
using Kind = Facts::Kind;
using ptx::Operand;

bool has_result(std::string_view opcode) {
  static const auto without = listed_words(
      "st red bar barrier bra brx ret exit membar fence cp call stmatrix prefetch prefetchu trap brkpt nanosleep "
      "mbarrier discard pmevent setmaxnreg wgmma isspacep lanescope.probe griddepcontrol multimem applypriority");
  return !one_of(opcode, without);
}
constexpr std::array<std::string_view, 8> not_followed{"wmma", "tex",   "tld4",  "suld",
                                                       "vote", "match", "elect", "activemask"};
constexpr std::array<std::string_view, 5> copies{"mov", "cvta", "selp", "slct", "prmt"};

constexpr std::pair<std::string_view, std::string_view> signs[] = {
    {"add", "+"},   {"addc", "+"},  {"sub", "−"}, {"mul", "×"},   {"mul24", "×"}, {"mad", "×+"},  {"fma", "×+"},
    {"max", "max"}, {"min", "min"}, {"inc", "+"}, {"and", "and"}, {"or", "or"},   {"xor", "xor"}, {"div", "÷"}};

std::string sign_of(std::string_view opcode) {
  const auto found = std::ranges::find(signs, opcode, &std::pair<std::string_view, std::string_view>::first);
  return std::string(found == std::end(signs) ? opcode : found->second);
}

/// Of atom, red and redux: the operation is among the modifiers.
std::string sign_of_modifiers(const ptx::Instruction& i) {
  for (const auto& [name, sign] : signs)
    if (i.has(name)) return std::string(sign);
  return i.has("exch") ? "exch" : i.has("cas") ? "cas" : i.opcode;
}

bool is_float(ptx::Type t) {
  return t == ptx::Type::f16 || t == ptx::Type::bf16 || t == ptx::Type::f32 || t == ptx::Type::f64;
}

/// A conversion to a type that has every value of the other.
bool keeps_value(const ptx::Instruction& i) {
  if (i.opcode != "cvt" || i.types.size() != 2 || i.has("sat")) return false;
  const ptx::Type to = i.types[0], from = i.types[1];
  const bool both_floats = is_float(to) && is_float(from);
  const auto is_integer = [](ptx::Type t) { return t >= ptx::Type::u8 && t <= ptx::Type::s64; };
  if (!both_floats && !(is_integer(to) && is_integer(from))) return false;
  return both_floats ? ptx::bits_of(to) > ptx::bits_of(from) : ptx::bits_of(to) >= ptx::bits_of(from);
}

class Reader {
 public:
  Reader(const ptx::Entry& entry, RegisterKey first) : entry_(entry), first_(first) {}

  Facts facts(const ptx::Instruction& i) const {
    Facts f;
    const bool atomic = i.opcode == "atom" || i.opcode == "red";
    if (i.opcode == "st" || atomic) {
      f.element_bytes = i.types.empty() ? 0 : ptx::bits_of(i.types.back()) / 8;
      const std::size_t data = i.opcode == "atom" ? 2 : 1;
      if (data < i.operands.size()) add_sources(i.operands[data], f.stored);
      if (atomic) f.memory_op = sign_of_modifiers(i);
    }
    f.transposed = i.has("trans");
    if (i.opcode == "stmatrix" && i.operands.size() > 1)
      f.matrix = true, f.element_bytes = 4, add_sources(i.operands[1], f.stored);
    if (!has_result(i.opcode) || i.operands.empty()) return f;
    add_results(i.operands.front(), f.results);
    add_predicates(i.operands.front(), f.predicates);
    if (f.results.empty()) return f;
    f.kind = Kind::compute;
    if (i.opcode == "mma" || (i.opcode == "wmma" && i.has("mma"))) return product(i, std::move(f));
    if (std::ranges::find(not_followed, i.opcode) != not_followed.end())
      f.kind = Kind::opaque;
    else if (i.opcode == "ld" || i.opcode == "ldu")
      f.kind = Kind::load, f.element_bytes = i.types.empty() ? 0 : ptx::bits_of(i.types.back()) / 8;
    else if (i.opcode == "ldmatrix")
      f.kind = Kind::load, f.matrix = true, f.element_bytes = 4;
    else if (i.opcode == "movmatrix")
      f.kind = Kind::transpose;
    else if (i.opcode == "atom")
      f.kind = Kind::old;
    else if (i.opcode == "shfl")
      f.kind = Kind::shuffle;
    else if (i.opcode == "redux")
      f.kind = Kind::lanes;
    else if (std::ranges::find(copies, i.opcode) != copies.end() || keeps_value(i))
      f.kind = Kind::copy;
    f.op = f.kind == Kind::lanes ? sign_of_modifiers(i) : sign_of(i.opcode);
    f.adds = f.op == "+" || f.op == "or" || f.op == "xor";
    const std::size_t last = f.kind == Kind::shuffle || f.kind == Kind::lanes ? 2 : i.operands.size();
    if (f.kind != Kind::load && f.kind != Kind::old)
      for (std::size_t n = 1; n < std::min(last, i.operands.size()); ++n)
        if (takes(i, n)) add_sources(i.operands[n], f.sources);
    if (i.opcode == "selp" && i.operands.size() == 4 && i.operands[3].kind == Operand::Kind::reg &&
        f.sources.size() == 2)
      f.selects = true, f.predicate = key(i.operands[3].reg), f.predicate_negated = i.operands[3].negated;
    if (i.opcode == "selp" || i.opcode == "slct") f.op = "select";
    return f;
  }

  Facts::Source source(const Operand& o) const {
    std::vector<Facts::Source> all;
    add_sources(o, all);
    return all.empty() ? Facts::Source{} : all.front();
  }

 private:
  /// d = a * b + c.
  Facts product(const ptx::Instruction& i, Facts f) const {
    f.kind = Kind::product, f.op = i.opcode;
    if (i.operands.size() < 4) return f.kind = Kind::opaque, f;
    add_sources(i.operands[1], f.sources);
    f.first_b = f.sources.size();
    add_sources(i.operands[2], f.sources);
    f.first_c = f.sources.size();
    add_sources(i.operands[3], f.sources);
    const bool by_groups_of_eight = i.has("m8n8k4") && (i.types.empty() || i.types.front() != ptx::Type::f64);
    f.by_quads = i.opcode == "mma" && !by_groups_of_eight;
    f.packs_results = !i.types.empty() && ptx::bits_of(i.types.front()) == 16;
    return f;
  }

  bool is_predicate(int reg) const { return entry_.registers[static_cast<std::size_t>(reg)].type == ptx::Type::pred; }
  RegisterKey key(int reg) const { return first_ + static_cast<RegisterKey>(reg); }

  /// Bytes of a and b that a permutation takes are known where its selector is a number.
  static bool takes(const ptx::Instruction& i, std::size_t n) {
    if (i.opcode != "prmt" || n > 2 || i.operands.size() != 4 || i.modifiers.size() != 1) return true;
    if (i.operands[3].kind != Operand::Kind::immediate) return true;
    for (int byte = 0; byte < 4; ++byte)
      if ((i.operands[3].bits >> (4 * byte) & 4) == (n == 2 ? 4u : 0u)) return true;
    return false;
  }

  void add_predicates(const Operand& o, std::vector<RegisterKey>& to) const {
    if (o.kind != Operand::Kind::reg) return;
    if (o.reg >= 0 && is_predicate(o.reg)) to.push_back(key(o.reg));
    if (o.second_reg >= 0) to.push_back(key(o.second_reg));
  }

  void add_results(const Operand& o, std::vector<RegisterKey>& to) const {
    if (o.kind == Operand::Kind::reg && o.reg >= 0 && !is_predicate(o.reg)) to.push_back(key(o.reg));
    if (o.kind == Operand::Kind::vector)
      for (const Operand& e : o.elements) add_results(e, to);
  }

  void add_sources(const Operand& o, std::vector<Facts::Source>& to) const {
    switch (o.kind) {
      case Operand::Kind::reg:
        if (o.reg >= 0 && !is_predicate(o.reg)) to.push_back({.is_register = true, .reg = key(o.reg)});
        break;
      case Operand::Kind::vector:
        for (const Operand& e : o.elements) add_sources(e, to);
        break;
      case Operand::Kind::immediate:
        to.push_back({.constant = o.is_float && o.bits << 1 == 0 ? 0 : o.bits});
        break;
      default:
        to.push_back({.constant = 1});  // an address, an index: some number
    }
  }

  const ptx::Entry& entry_;
  RegisterKey first_ = 0;
};

void each_instruction(const ptx::Module& module, const ptx::Entry& entry, auto visit) {
  RegisterKey first = 0;
  for (const int index : emulator::reachable(module, entry)) {
    const ptx::Entry& e = module.entries[static_cast<std::size_t>(index)];
    const Reader reader(e, first);
    for (const ptx::Instruction& i : e.code) visit(reader, i);
    first += static_cast<RegisterKey>(e.registers.size());
  }
}

constexpr int side = 8, element_bytes = 2;
constexpr std::uint32_t quad = 0xf;

}  // namespace

std::vector<InstructionFacts> instruction_facts(const ptx::Module& module, const ptx::Entry& entry) {
  std::vector<InstructionFacts> all;
  each_instruction(module, entry, [&](const Reader& r, const ptx::Instruction& i) { all.push_back(r.facts(i)); });
  return all;
}

std::vector<InstructionFacts::Source> probed_registers(const ptx::Module& module, const ptx::Entry& entry) {
  std::vector<InstructionFacts::Source> all;
  each_instruction(module, entry, [&](const Reader& r, const ptx::Instruction& i) {
    const bool probe = i.opcode == "lanescope.probe" && !i.operands.empty();
    all.push_back(probe ? r.source(i.operands.front()) : InstructionFacts::Source{.constant = 1});
  });
  return all;
}

FragmentParts parts_of_fragment(int matrix, int lane, bool transposed) {
  const int row = lane / 4, column = 2 * (lane % 4);
  if (!transposed)
    return {.parts = {{{.lane = side * matrix + row, .first = column * element_bytes, .bytes = 4, .bit = 0}}},
            .count = 1};
  FragmentParts out{.count = 2};
  for (int half = 0; half < 2; ++half)
    out.parts[static_cast<std::size_t>(half)] = {
        .lane = side * matrix + column + half, .first = row * element_bytes, .bytes = element_bytes, .bit = 16 * half};
  return out;
}

FragmentPlace fragment_of_byte(int row_lane, int byte, bool transposed) {
  int row = row_lane % side, column = byte / element_bytes;
  if (transposed) std::swap(row, column);
  return {.lane = 4 * row + column / 2, .matrix = row_lane / side, .bit = 16 * (column % 2)};
}

FragmentPlace transposed_half(int lane, int half) {
  const int row = 2 * (lane % 4) + half, column = lane / 4;
  return {.lane = 4 * row + column / 2, .matrix = 0, .bit = 16 * (column % 2)};
}

std::uint32_t product_lanes(const InstructionFacts& f, std::size_t source, std::size_t result, int lane) {
  if (source >= f.first_c) return source - f.first_c == result ? 1u << lane : 0;
  if (!f.by_quads) return ~0u;
  if (source < f.first_b) return quad << (lane / 4 * 4);
  const int column = 2 * (lane % 4);
  if (f.packs_results) return quad << (4 * column) | quad << (4 * (column + 1));
  return quad << (4 * (column + static_cast<int>(result % 2)));
}

}  // namespace lanescope::engine
