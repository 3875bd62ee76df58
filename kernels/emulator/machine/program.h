#pragma once
// A kernel decoded for running: operations, the layout of registers and memory, and side tables for larger operands.
// Immutable while it runs. Private to the emulator.

#include <array>
#include <cfenv>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/emulator/lanes/op.h"
#include "kernels/emulator/machine/memory.h"
#include "kernels/ptx/contraction.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"
#include "kernels/trace/observer.h"

namespace lanescope::emulator {

enum class Atomic : u8 { none, add, min, max, and_, or_, xor_, exch, cas, inc, dec };
enum class Area : u8 { generic, global, shared, local, frame };  ///< frame: parameters of functions, per lane

/// Loads, stores, atomics and asynchronous copies: everything that touches memory.
struct MemoryOp {
  Area area = Area::generic;
  trace::MemorySpace space = trace::MemorySpace::global;
  trace::AccessKind kind = trace::AccessKind::load;
  u32 bytes = 4;  ///< of one element
  u32 count = 1;  ///< elements of a vector access
  bool is_signed = false, read_only = false, polls = false;
  bool of_cluster = false;  ///< shared addresses may be those of other blocks of the cluster
  bool plain_rows = false;  ///< one register in, whole: memory and registers hold it alike
  u32 base = 0;             ///< row with the address
  u8 base_bits = 64;
  s64 offset = 0;
  std::array<u32, 8> registers{};
  std::array<u8, 8> register_bits{};
  // atomics
  Atomic atomic = Atomic::none;
  ptx::Type type = ptx::Type::none;
  bool has_destination = true;
  bool unread = false;  ///< no instruction reads the destination
  trace::AtomicTurns turns = trace::AtomicTurns::lanes;
  u32 operand = 0, swap = 0;      ///< rows
  std::array<u32, 8> operands{};  ///< of vectors; of 128 bits: the halves of the operand, then those of the swap
  // ldmatrix, stmatrix
  u32 matrices = 0;
  bool transposed = false;
  // cp.async
  u32 source = 0;  ///< row with the global address
  s64 source_offset = 0;
  u32 source_bytes = 0;               ///< row with the bytes to copy (the rest is zeros); 0: all
  bool past_l1 = false;               ///< .cg
  u32 ignored = 0, ignored_flip = 0;  ///< predicate: nothing is read, zeros are written
  bool may_ignore = false;
};

struct CallOp {
  int function = 0;  ///< index in Program::functions
  struct Copy {
    u32 from = 0, to = 0, bytes = 0;  ///< offsets in the lane's frame memory
  };
  std::vector<Copy> arguments, results;
  struct RegisterCopy {
    u32 from = 0, to = 0;  ///< rows
    u8 bits = 32;
    bool is_predicate = false;
  };
  std::vector<RegisterCopy> register_arguments{}, register_results{};
};

/// A call of a function that the system provides: printf (vprintf) and a failed assertion (__assertfail).
struct SystemCall {
  std::vector<u32> arguments;  ///< offsets in the lane's frame memory
  u32 result = 0;              ///< the same; valid where has_result
  bool has_result = false;
  std::string_view name{};  ///< of the function, with static storage
};

/// Why an instruction cannot be executed, with the remedy.
struct RefusedOp {
  std::string message, remedy;
};

struct ShuffleOp {
  enum class Mode : u8 { up, down, bfly, idx } mode = Mode::idx;
  bool sync = true;
  bool only_one = false;  ///< the program has no other of this mode
};

struct BarrierOp {
  enum class Kind : u8 { sync, arrive, red } kind = Kind::sync;
  enum class Reduce : u8 { popc, and_, or_ } reduce = Reduce::and_;
  u32 number = 0, threads = 0;  ///< rows; threads 0: all
  u32 predicate = 0, flip = 0, destination = 0;
  bool aligned = false;
};

/// The metadata of a matrix of which half is stored (sparse.h).
struct SparseOp {
  bool is = false;
  bool ordered = false;  ///< indices ascend
  u32 metadata = 0;      ///< row
  u32 selector = 0;      ///< which lanes of four have them
};

/// Factors of parts of the rows of A and of the columns of B (PTX ISA, "Block Scaling for mma.sync").
struct ScaleOp {
  u32 count = 0;               ///< parts of a row; 0: there are none
  bool is_ue4m3 = false;       ///< else ue8m0: powers of two
  u32 a_data = 0, b_data = 0;  ///< rows
  u32 a_byte = 0, a_thread = 0, b_byte = 0, b_thread = 0;
};

/// mma.sync: D = A * B + C (mma_steps.cpp).
struct MmaOp {
  /// e2m1_packed: two in a byte; formats of 6 and 4 bits have a byte each otherwise.
  enum class Element : u8 { f16, bf16, tf32, f64, e4m3, e5m2, e3m2, e2m3, e2m1, e2m1_packed, s8, u8, s4, u4, b1 };
  enum class Bits : u8 { none, exclusive, both };  ///< of b1: the operation in place of the product
  u32 rows = 16, depth = 16;                       ///< m and k; n is 8
  Element a_type = Element::f16, b_type = Element::f16;
  Bits bits = Bits::none;
  bool c_half = false, d_half = false, clamps = false;
  SparseOp sparse{};
  ScaleOp scale{};
  u32 a_count = 0, b_count = 0, c_count = 0, d_count = 0;  ///< registers
  std::array<u32, 8> a{}, b{}, c{}, d{};                   ///< rows
  bool is_integer() const { return a_type >= Element::s8; }
  u32 stored() const { return sparse.is ? depth / 2 : depth; }  ///< elements of A in a row
  /// Elements of A and B in a register.
  u32 per_register() const {
    switch (a_type) {
      case Element::f16:
      case Element::bf16:
        return 2;
      case Element::tf32:
      case Element::f64:
        return 1;
      case Element::e2m1_packed:
      case Element::s4:
      case Element::u4:
        return 8;
      case Element::b1:
        return 32;
      default:
        return 4;
    }
  }
};

/// wmma, and mma.m8n8k4 of f16: matrices of which every element has a place in the lanes (fragment_steps.cpp).
struct FragmentOp {
  enum class Layout : u8 { wmma, quads } layout = Layout::wmma;
  enum class Role : u8 { a, b, c } role = Role::c;  ///< of the loaded or stored matrix
  enum class End : u8 { half, single, integer, number64 } c_end = End::single, d_end = End::single;
  MmaOp::Element a_type = MmaOp::Element::f16, b_type = MmaOp::Element::f16;
  MmaOp::Bits bits = MmaOp::Bits::none;
  u32 rows = 16, columns = 16, depth = 16;
  bool a_by_rows = true, b_by_columns = true, clamps = false;
  int rounding = FE_TONEAREST;          ///< of products of doubles, as in <cfenv>
  std::vector<u32> a{}, b{}, c{}, d{};  ///< rows
  u32 stride = 0;                       ///< row: elements from one row (or column) of memory to the next
};

/// wgmma.mma_async (warpgroup_steps.cpp).
struct WarpgroupOp {
  u32 columns = 0, depth = 0;
  MmaOp::Element a_type = MmaOp::Element::f16, b_type = MmaOp::Element::f16;
  bool is_integer = false, half = false, clamps = false;
  bool a_negated = false, b_negated = false, a_transposed = false, b_transposed = false;
  u32 a_descriptor = 0, b_descriptor = 0;  ///< rows; no a_descriptor: A is in registers
  std::array<u32, 4> a_registers{};
  SparseOp sparse{};
  std::vector<u32> d{};
  u32 adds = 0, adds_flip = 0;  ///< a predicate: whether D is added
};

/// mbarrier (barrier_object_steps.cpp).
struct BarrierObjectOp {
  enum class Kind : u8 { init, inval, arrive, arrive_drop, expect, complete, test, test_parity, pending_count };
  Kind kind = Kind::init;
  MemoryOp memory;
  u32 count = 0, bytes = 0, token = 0;  ///< rows; 0: absent
  u32 destination = 0;                  ///< row or predicate; 0: absent
  bool copies = false;                  ///< cp.async.mbarrier.arrive
};

/// Bulk copies, and stores that complete bytes of a barrier object.
struct BulkOp {
  MemoryOp to, from, barrier;
  u32 bytes = 0;   ///< row
  u32 blocks = 0;  ///< row: a bit for each block of the cluster that gets the data; 0: absent
  bool completes = false, fills = false;
};

/// A call through a register: the call of each possible function.
struct IndirectCall {
  u32 target = 0;                          ///< row
  std::vector<std::pair<u64, u32>> calls;  ///< address of a function, index in Program::calls
};

/// alloca, stacksave, stackrestore.
struct StackOp {
  enum class Kind : u8 { allocate, save, restore } kind = Kind::save;
  u32 value = 0, value_bits = 64;  ///< row
  u32 bytes = 0, bytes_bits = 64;  ///< row
  u32 alignment = 16;
};

struct Function {
  int entry = 0;  ///< index in Module::entries
  u32 first_op = 0;
  u32 registers_begin = 0, registers_end = 0;    ///< saved and restored where a function calls itself
  u32 call_params = 0, params = 0, returns = 0;  ///< in the lane's local memory
  std::vector<u32> offsets;                      ///< of registers
  std::vector<u32> variables;                    ///< shared: address; local: offset in frame memory
  u32 carry = 0;                                 ///< the carry flag, a bit per lane
  u32 carry_tags = 0;                            ///< a row: identities of the carry
  u32 frame_row = 0;                     ///< of 64 bits: where this activation's variables are, against `variables`
  u32 frame_bytes = 0, frame_begin = 0;  ///< of the variables; 0: it need not be found
  std::vector<ptx::Contraction> contractions;  ///< by instruction, or empty
  std::map<int, u32> factors;  ///< by instruction: the first of two rows that keep the factors of a product
};

/// Bytes of a register's row.
constexpr u32 row_bytes(u8 bits) { return bits > 64 ? 512 : bits > 32 ? 256 : 128; }

/// Of an operation: where lanes that part here come together again (kernels/ptx/reconvergence.h).
struct Meeting {
  enum class Kind : u8 { nowhere, at, returned } kind = Kind::nowhere;
  bool is_join = false;  ///< lanes may wait for others before this operation
  bool yields = false;   ///< they yield before it
  u32 pc = 0;            ///< `at`
  s32 join_rank = 0;
  s32 rank = 0, round_ends = -1;  ///< of this operation
};

struct SpecialRow {
  ptx::Special special = ptx::Special::none;
  u32 offset = 0;
};

struct Program {
  const ptx::Module* module = nullptr;
  const ptx::Entry* entry = nullptr;
  trace::Launch launch;
  trace::Dim3 cluster{};  ///< blocks; of the launch, else of the kernel, else one
  std::vector<Op> ops;
  struct Origin {
    int function = 0, instruction = 0;
  };
  std::vector<Origin> origins;    ///< by op
  std::vector<Meeting> meetings;  ///< by op
  std::vector<u8> image;          ///< a warp's registers at the start, immediates filled in
  std::vector<SpecialRow> specials;
  std::vector<MemoryOp> memory;
  std::deque<MoveOp> moves;  ///< operations point into it
  std::deque<VideoOp> videos;
  std::deque<ComposedOp> composed;
  std::vector<CallOp> calls;
  std::vector<ShuffleOp> shuffles;
  std::vector<BarrierOp> barriers;
  std::vector<SystemCall> system_calls;
  std::vector<MmaOp> products;
  std::vector<FragmentOp> fragments;
  std::vector<WarpgroupOp> warpgroups;
  std::vector<BarrierObjectOp> barrier_objects;
  std::vector<BulkOp> bulk_copies;
  std::vector<IndirectCall> indirect_calls;
  std::vector<StackOp> stacks;
  u32 stack_row = 0;    ///< of 64 bits: the stack pointer of each lane; 0: nothing is allocated
  u32 stack_begin = 0;  ///< in the lane's local memory: variables of the functions are below
  std::vector<RefusedOp> refused;
  std::vector<std::vector<u32>> branch_tables;
  std::vector<Function> functions;             ///< [0] is the entry
  u32 registers_begin = 0, registers_end = 0;  ///< cleared when a warp starts
  u32 shared_bytes = 0, local_bytes = 0;
  u32 first_shared = 0;               ///< address of the first byte of the block's own shared memory
  bool uses_reserved = false;         ///< it reads the address of the reserved shared memory
  bool launches = false;              ///< it calls functions that launch kernels
  bool allocates = false;             ///< it calls functions that allocate or free memory of the device heap
  std::vector<u64> module_variables;  ///< addresses, by index in Module::variables
  AddressSpace variables;             ///< .global, .const and the parameters, with initial contents

  int line_of(u32 pc) const;
  const RefusedOp* refused_at(u32 pc) const;             ///< nullptr where the instruction can be executed
  const ptx::Instruction* instruction_of(u32 pc) const;  ///< nullptr for the exit after the last instruction
};

/// Entry 0 is the kernel, then every function with a body that it reaches, in order of first mention.
std::vector<int> reachable(const ptx::Module& module, const ptx::Entry& entry);
/// Whether a function may be called while it runs.
bool calls_itself(const ptx::Module& module, int function);

// Launches that no device accepts.

/// Bytes of shared memory that a block can have at most.
inline constexpr std::uint32_t most_shared_bytes = 227 * 1024;

/// Grids, blocks and clusters that are empty or too large.
Expected<void> check_launch(const trace::Launch& launch, const ptx::Entry& entry);

}  // namespace lanescope::emulator
