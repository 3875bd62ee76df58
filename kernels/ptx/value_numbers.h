#pragma once
// Registers that hold the same value because they are computed in the same way. A compiler may compute the address of a
// lock once to take it and again to release it:
//
//   cvta.to.global.u64 %rd4, %rd1;  mul.wide.u32 %rd5, %r2, 4;  add.s64 %rd6, %rd4, %rd5;   // [%rd6]
//   cvta.to.global.u64 %rd7, %rd1;  mul.wide.u32 %rd8, %r2, 4;  add.s64 %rd9, %rd7, %rd8;   // [%rd9] is the same place
//
// From the text alone. A register that is written in one place only, by an operation that depends on nothing but its
// operands (plain loads of parameters, constants and global memory count as such), has the number of that operation
// with the numbers of its operands; any other has one of its own. So equal numbers mean equal values as long as no loop
// variable and no memory that they depend on has changed between the two. Of algebra it has that immediates may be
// added in any order, and the ways in which compilers scale an index by a power of two (mul.wide, shl of the widened
// index, shl and then a mask).

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
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
    std::int64_t offset = 0;  ///< sum of the immediates added to it
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
  /// The instruction that computes the operand, if it is this operation.
  const Instruction* maker(const Operand& operand, std::string_view opcode,
                           std::initializer_list<std::string_view> modifiers) const;
  std::string scaled_key(const Instruction& in, int depth);
  std::string key_of(const Operand& operand, int depth);

  const Entry& entry_;
  std::vector<int> definitions_;
  std::vector<Value> values_;
  std::map<std::string, int> numbers_;
};

// Atomics whose result is not read: `atom` as nvcc writes it for atomicAdd(&x, 1) alone, and `red`, which has none.

/// By instruction of the entry: it is an `atom` or `red`, and no instruction nor probe names the register that an
/// `atom` writes. Of a function with a body only those without a register: its caller may read that one.
std::vector<bool> unread_results(const Entry& entry);

// Facts about stores to global memory that follow from the code alone: how much one thread stores at most,
// for any launch and data, and whether the values come from shared memory.

/// The sum of the widths of all stores, atomics and reductions that are not of shared or local memory. nullopt where no
/// such bound follows from the code: one of them is between a label and a branch back to it, a function is called, or
/// memory is written in bulk.
std::optional<std::uint64_t> most_stored_bytes(const Entry& entry);

/// Whether a value that was loaded from shared memory is stored to global memory as it is, but for conversions: another
/// thread may have computed it.
bool stores_from_shared(const Entry& entry);

/// By instruction of the entry: the variable of shared memory whose address its own is computed from, by additions alone
/// and in every way to it; empty where there is none, or more than one, and for all but loads, stores and atomics.
/// `module` and `entry` must outlive it.
std::vector<std::string_view> shared_bases(const Module& module, const Entry& entry);

// Atomics in shared memory that the assembler makes into other machine code than the PTX says. Measured on an H200 with
// CUDA 13.0 (bench/results/gpu_shared_atomics.json):
// - an integer add of 1 whose result is not read is ATOMS.POPC.INC: lanes that access one word are counted in one step,
//   and only distinct words of a bank take turns;
// - an integer add, minimum, maximum, and, or, exclusive or at an address that is the same for all lanes by the code is
//   combined over the lanes first, and one lane executes it.

enum class SharedAtomic : std::uint8_t { as_written, counts_lanes, one_lane };

/// By instruction of the entry; as_written for all that are no such atomics.
std::vector<SharedAtomic> shared_atomics(const Entry& entry);

}  // namespace lanescope::ptx
