#include "kernels/ptx/graph.h"

namespace lanescope::ptx {

namespace {

bool leaves(const Instruction& i) { return is_any(i.opcode, {"ret", "exit", "trap"}); }
bool jumps(const Instruction& i) { return is_any(i.opcode, {"bra", "brx"}); }

}  // namespace

Graph::Graph(const Entry& entry) {
  const int count = static_cast<int>(entry.code.size());
  std::vector<bool> starts(entry.code.size() + 1, false);
  starts[0] = true;
  const auto each_target = [](const Instruction& i, auto&& with) {
    if (i.opcode == "bra" && !i.operands.empty()) with(i.operands[0].target);
    if (i.opcode == "brx" && i.operands.size() > 1)
      for (const Operand& o : i.operands[1].elements) with(o.target);
  };
  for (int n = 0; n < count; ++n) {
    const Instruction& i = entry.code[static_cast<std::size_t>(n)];
    each_target(i, [&](int t) {
      if (t >= 0 && t <= count) starts[static_cast<std::size_t>(t)] = true;
    });
    if (jumps(i) || leaves(i)) starts[static_cast<std::size_t>(n) + 1] = true;
  }
  block_of.resize(entry.code.size() + 1, -1);
  for (int n = 0; n < count; ++n) {
    if (starts[static_cast<std::size_t>(n)]) blocks.push_back({.first = n});
    blocks.back().last = n;
    block_of[static_cast<std::size_t>(n)] = static_cast<int>(blocks.size()) - 1;
  }
  // After the last instruction a lane exits.
  blocks.push_back({.first = count, .last = count, .ends = true});
  block_of[entry.code.size()] = static_cast<int>(blocks.size()) - 1;
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
    Block& block = blocks[b];
    const Instruction& i = entry.code[static_cast<std::size_t>(block.last)];
    const bool guarded = i.predicate >= 0;
    const auto add = [&](int instruction) {
      if (instruction < 0 || instruction > count) return;
      const int to = block_of[static_cast<std::size_t>(instruction)];
      if (std::ranges::find(block.next, to) == block.next.end()) block.next.push_back(to);
    };
    each_target(i, add);
    block.ends = leaves(i);
    if (guarded || (!jumps(i) && !leaves(i))) add(block.last + 1);
    block.parts = block.next.size() + (block.ends ? 1 : 0) > 1;
  }
  // A lane that only exits somewhere exits here.
  const auto only_exits = [&](int b) {
    const Block& block = blocks[static_cast<std::size_t>(b)];
    if (!block.ends || !block.next.empty()) return false;
    for (int n = block.first; n < std::min(block.last, count); ++n)
      if (entry.code[static_cast<std::size_t>(n)].opcode != "lanescope.probe") return false;
    return true;
  };
  for (Block& block : blocks)
    if (const auto end = std::ranges::find_if(block.next, only_exits); end != block.next.end()) {
      block.ends = true;
      block.end = *end;
      std::erase_if(block.next, only_exits);
    }
  before.resize(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const int to : blocks[b].next) before[static_cast<std::size_t>(to)].push_back(static_cast<int>(b));
}

}  // namespace lanescope::ptx
