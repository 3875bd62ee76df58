#pragma once
// The blocks of a function and the ways between them. Private to this folder.

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "kernels/ptx/program.h"

namespace lanescope::ptx {

struct Block {
  int first = 0, last = 0;  ///< instructions
  std::vector<int> next;    ///< blocks
  bool ends = false;        ///< lanes of it may exit or return
  int end = -1;             ///< the block in which they do nothing else
  bool parts = false;       ///< its last instruction can send lanes different ways
};

/// The graph of a function. Block 0 is its start; the last one stands for the end of the code.
struct Graph {
  std::vector<Block> blocks;
  std::vector<int> block_of;             ///< by instruction
  std::vector<std::vector<int>> before;  ///< by block

  explicit Graph(const Entry& entry);
};

inline bool is_any(std::string_view text, std::initializer_list<std::string_view> of) {
  return std::ranges::find(of, text) != of.end();
}

void each_register(const Operand& o, auto&& with) {
  if (o.reg >= 0) with(o.reg);
  if (o.second_reg >= 0) with(o.second_reg);
  for (const Operand& e : o.elements) each_register(e, with);
}

}  // namespace lanescope::ptx
