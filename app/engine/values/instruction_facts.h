#pragma once
// Facts of each instruction of a program that following values backwards needs: which registers it writes, which operands
// its result is made of, and in which way.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/ptx/program.h"

namespace lanescope::engine {

/// A register of a function of the program. Where a function is called again its registers are the same.
using RegisterKey = std::uint32_t;

struct InstructionFacts {
  enum class Kind : std::uint8_t {
    none,       ///< writes no register
    copy,       ///< the result is the operand, or one of them
    compute,    ///< the result is made of all operands
    load,       ///< of memory
    shuffle,    ///< the operand, of another lane
    lanes,      ///< redux: made of the operand in all lanes of the step
    transpose,  ///< movmatrix: each half of another lane's operand
    product,    ///< of matrices: made of the operands of several lanes (product_lanes)
    old,        ///< of an atomic: what memory held before
    opaque,     ///< values are not followed through it
  };
  struct Source {
    bool is_register = false;
    RegisterKey reg = 0;
    std::uint64_t constant = 0;  ///< where it is no register; what is not known is not 0
  };
  Kind kind = Kind::none;
  std::string op{};                       ///< of compute and lanes: "+", "max", or the opcode
  std::vector<RegisterKey> results{};     ///< of a load in the order of memory
  std::vector<Source> sources{};          ///< data only: no addresses, no predicates
  int element_bytes = 0;                  ///< of a load or a store: of each of results or stored
  std::vector<Source> stored{};           ///< of a store, atomic or reduction, in the order of memory
  std::string memory_op{};                ///< of an atomic or reduction; empty: a store puts `stored` there
  std::vector<RegisterKey> predicates{};  ///< that it writes
  bool selects = false;                   ///< selp: sources[0] where `predicate` holds, else sources[1]
  RegisterKey predicate = 0;
  bool predicate_negated = false;
  bool matrix = false,
       transposed = false;  ///< ldmatrix, stmatrix: a register of each of results or stored for each matrix
  /// Of a product: where in `sources` those of B and C begin; whether fragments are those of mma.m16n8k*; whether a result holds
  /// two columns.
  std::size_t first_b = 0, first_c = 0;
  bool by_quads = false, packs_results = false;
  bool adds = false;  ///< an operand 0 leaves the others as they are
};

/// By pc of the entry's code, functions after it, as emulator::code_sites.
std::vector<InstructionFacts> instruction_facts(const ptx::Module& module, const ptx::Entry& entry);

/// The register that a probe shows, by pc.
std::vector<InstructionFacts::Source> probed_registers(const ptx::Module& module, const ptx::Entry& entry);

// Which lane, register and bits hold an element of a matrix in ldmatrix, stmatrix, movmatrix and mma (PTX ISA 9.0, "Warp-level
// matrix instructions"). A fragment of a matrix of 8x8 elements of 16 bits is one register: lane l holds columns 2(l % 4) and
// 2(l % 4) + 1 of row l / 4, in its low and high half. Of matrix m, the address of row r is given by lane 8m + r.

/// A part of a register that a fragment is in: bytes of the row whose address `lane` gives.
struct FragmentPart {
  int lane = 0, first = 0, bytes = 0;
  int bit = 0;  ///< of the register, where the part begins
};
struct FragmentParts {
  std::array<FragmentPart, 2> parts{};
  std::size_t count = 0;
  const FragmentPart* begin() const { return parts.data(); }
  const FragmentPart* end() const { return parts.data() + count; }
};
/// Of ldmatrix: what the register of matrix `matrix` is loaded from in a lane.
FragmentParts parts_of_fragment(int matrix, int lane, bool transposed);

struct FragmentPlace {
  int lane = 0, matrix = 0, bit = 0;
};
/// Of stmatrix: the register and bit of what is stored to a byte of the row whose address `row_lane` gives.
FragmentPlace fragment_of_byte(int row_lane, int byte, bool transposed);

/// Of movmatrix.trans: the lane and the bit that half `half` of a lane's result comes from.
FragmentPlace transposed_half(int lane, int half);

/// Of a product: the lanes whose register `source` (index in InstructionFacts::sources) can be part of result `result` of a
/// lane. Exact in rows of A and columns of B for mma with fragments as m16n8k* and m8n8k16 have them, else all lanes.
std::uint32_t product_lanes(const InstructionFacts& facts, std::size_t source, std::size_t result, int lane);

}  // namespace lanescope::engine
