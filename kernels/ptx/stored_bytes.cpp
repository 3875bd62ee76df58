#include "kernels/ptx/value_numbers.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

namespace lanescope::ptx {
namespace {

bool names_space(const Instruction& i, std::string_view space) {
  return std::ranges::any_of(i.modifiers, [&](const std::string& m) { return m == space || m.starts_with(space); });
}

std::uint64_t width_bytes(const Instruction& i) {
  std::uint64_t bits = i.types.empty() ? 128 : static_cast<std::uint64_t>(bits_of(i.types.back()));
  for (const std::string_view many : {"v2", "v4", "v8"})
    if (i.has(many)) bits *= static_cast<std::uint64_t>(many[1] - '0');
  return (bits + 7) / 8;
}

/// Not of global memory.
bool elsewhere(const Instruction& i) {
  return names_space(i, "shared") || names_space(i, "local") || names_space(i, "param");
}

void registers_of(const Operand& o, std::vector<int>& out) {
  if (o.kind == Operand::Kind::reg && o.reg >= 0) out.push_back(o.reg);
  for (const Operand& e : o.elements) registers_of(e, out);
}

}  // namespace

std::optional<std::uint64_t> most_stored_bytes(const Entry& entry) {
  // Every cycle has a branch back, and each of its instructions is between such a branch and its target.
  const std::size_t count = entry.code.size();
  std::vector<int> opened(count + 1, 0);
  const auto branch = [&](std::size_t from, int to) {
    if (to < 0 || static_cast<std::size_t>(to) > from) return;
    ++opened[static_cast<std::size_t>(to)];
    --opened[from + 1];
  };
  std::function<void(std::size_t, const Operand&)> look = [&](std::size_t from, const Operand& o) {
    if (o.kind == Operand::Kind::label) branch(from, o.target);
    for (const Operand& e : o.elements) look(from, e);
  };
  for (std::size_t i = 0; i < count; ++i)
    for (const Operand& o : entry.code[i].operands) look(i, o);
  std::uint64_t sum = 0;
  int depth = 0;
  for (std::size_t i = 0; i < count; ++i) {
    depth += opened[i];
    const Instruction& in = entry.code[i];
    const std::string_view op = in.opcode;
    if (op == "call") return std::nullopt;
    const bool bulk = (op == "cp" && in.has("bulk")) || op == "multimem" || op == "sust" || op == "sured";
    if (bulk) return std::nullopt;
    if (op != "st" && op != "atom" && op != "red") continue;
    if (elsewhere(in)) continue;
    if (depth > 0) return std::nullopt;
    sum += width_bytes(in);
  }
  return sum;
}

bool stores_from_shared(const Entry& entry) {
  std::vector<bool> from_shared(entry.registers.size(), false);
  const auto is = [&](int r) {
    return static_cast<std::size_t>(r) < from_shared.size() && from_shared[static_cast<std::size_t>(r)];
  };
  // Moves go against the text's order in loops at most.
  for (int round = 0; round < 3; ++round)
    for (const Instruction& in : entry.code) {
      if (in.operands.empty()) continue;
      const bool load = (in.opcode == "ld" && names_space(in, "shared")) || in.opcode == "ldmatrix";
      const bool copy = in.opcode == "mov" || in.opcode == "cvt" || in.opcode == "prmt";
      if (!load && !copy) continue;
      std::vector<int> to, of;
      registers_of(in.operands.front(), to);
      for (std::size_t n = 1; copy && n < in.operands.size(); ++n) registers_of(in.operands[n], of);
      if (!load && !std::ranges::any_of(of, is)) continue;
      for (const int r : to)
        if (static_cast<std::size_t>(r) < from_shared.size()) from_shared[static_cast<std::size_t>(r)] = true;
    }
  return std::ranges::any_of(entry.code, [&](const Instruction& in) {
    if (in.opcode == "cp") return in.has("bulk");  // out of shared memory
    if (in.opcode != "st" || elsewhere(in) || in.operands.size() < 2) return false;
    std::vector<int> values;
    registers_of(in.operands[1], values);
    return std::ranges::any_of(values, is);
  });
}

}  // namespace lanescope::ptx
