#pragma once
// Registers that hold the same value because they are computed in the same way. A compiler may compute the address of a lock
// once to take it and once more to give it back:
//
//   cvta.to.global.u64 %rd4, %rd1;  mul.wide.u32 %rd5, %r2, 4;  add.s64 %rd6, %rd4, %rd5;   // [%rd6]
//   cvta.to.global.u64 %rd7, %rd1;  mul.wide.u32 %rd8, %r2, 4;  add.s64 %rd9, %rd7, %rd8;   // [%rd9] is the same place
//
// From the text alone. A register that is written in one place only, by an operation that depends on nothing but its operands
// (plain loads of parameters, constants and global memory count as such), has the number of that operation with the numbers of
// its operands; any other has one of its own. So equal numbers mean equal values as long as no loop variable and no memory
// that they depend on has changed between the two. Of algebra it has that immediates may be added in any order, and the ways
// in which compilers scale an index by a power of two (mul.wide, shl of the widened index, shl and then a mask).

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/program.h"

namespace lanescope::ptx {

class ValueNumbers {
 public:
  explicit ValueNumbers(const Entry& entry);  ///< which must outlive it

  struct Value {
    int number = -1;
    std::int64_t offset = 0;  ///< what immediates add to it
    bool operator==(const Value&) const = default;
  };
  Value of_register(int reg) const { return values_[static_cast<std::size_t>(reg)]; }
  /// Of an operand that is an address; conversions between generic and other addresses do not count.
  Value place(const Operand& address);
  /// The only instruction that writes the register; -1: there are several, or none.
  int definition(int reg) const { return definitions_[static_cast<std::size_t>(reg)]; }

 private:
  Value compute(int reg, int depth);
  Value number_of(const std::string& key);
  /// What makes the operand, where it is this operation.
  const Instruction* maker(const Operand& operand, std::string_view opcode,
                           std::initializer_list<std::string_view> modifiers) const;
  std::string scaled_key(const Instruction& in, int depth);
  std::string key_of(const Operand& operand, int depth);

  const Entry& entry_;
  std::vector<int> definitions_;
  std::vector<Value> values_;
  std::map<std::string, int> numbers_;
};

}  // namespace lanescope::ptx
