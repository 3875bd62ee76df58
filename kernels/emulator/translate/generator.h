#pragma once
// Writes the machine code of a stretch, where Xbyak is installed. Private to this folder.

#if defined(__x86_64__) && __has_include(<xbyak/xbyak.h>)
#define LANESCOPE_TRANSLATES

#include <array>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#define XBYAK_NO_EXCEPTION
#include <xbyak/xbyak.h>

#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

/// A run of a stretch: what its code reads and writes. Offsets of these members are part of the code.
struct StretchRun {
  u8* registers = nullptr;
  u64 left = 0;        ///< of the budget
  u64 executed = 0;    ///< warp instructions
  u64 idle_lanes = 0;  ///< lanes that guards kept from one of these, added up
  u64 stores = 0;      ///< without those of StretchCalls::run
  const Store* shared = nullptr;
  u32* active = nullptr;  ///< by operation, where there are observers: lanes that execute it
  u32 canonical_nan = 0x7fffffff;
  u32 first = 0;     ///< operation
  u32 reported = 0;  ///< operations, to observers
  u64 first_step = 0;
  Context* context = nullptr;
  const Store** sites = nullptr;
  std::array<u64, lanes> addresses;  ///< as observers see them
};

/// The end of a run: program counter, and Flow above it.
using StretchCode = u64 (*)(StretchRun*);
/// Functions that the code calls, for an operation of the stretch that is a step (Op::step).
struct StretchCalls {
  /// Executes it, as the interpreter does. Flow.
  u64 (*run)(StretchRun*, u32 index) = nullptr;
  /// Reports an access that is made, at StretchRun::addresses. `memory`: of lane 0.
  void (*report)(StretchRun*, u32 index, const u8* memory) = nullptr;
  /// Executes the branch at the end, where there are observers. 1: the stretch has another round, which is counted.
  u64 (*branch)(StretchRun*, u32 index) = nullptr;
};

struct StretchPlan {
  const Program* program = nullptr;
  u32 first = 0, count = 0;  ///< operations; a branch may be the last
  bool observed = false, has_view = false;
  u32 vector_bytes = 64;  ///< of AVX-512; 32: of AVX2
  StretchCalls calls{};
  const Store** sites = nullptr;  ///< by operation: the store of its last access
};

struct NativeComparison {
  enum class Type : u8 { s32, u32, s64, u64, f32 } type = Type::s32;
  u8 predicate = 0;  ///< of vpcmp, vcmpps
};
const NativeComparison* native_comparison(Compare compare);

class Generator : public Xbyak::CodeGenerator {
 public:
  explicit Generator(const StretchPlan& plan);
  /// nullptr: the code does not fit, or memory cannot be made executable.
  StretchCode generate();

  // For operations.cpp: what an operation is made of. The numbers of registers are those of the processor.
  using Vector = Xbyak::Xmm;  ///< a Zmm, or a Ymm where vectors are narrow
  bool narrow() const { return vector_bytes == 32; }
  Vector vector(int i) const { return {narrow() ? Xbyak::Operand::YMM : Xbyak::Operand::ZMM, i}; }
  Vector half(int i) const { return {narrow() ? Xbyak::Operand::XMM : Xbyak::Operand::YMM, i}; }
  Vector scratch(int i) const { return vector(kept_registers + i); }
  static constexpr u32 row_bytes = 256;  ///< of a row: at most

  // Instructions that only AVX-512 has, by their names; narrow.cpp has others for narrow vectors.
  using CodeGenerator::vpbroadcastq;
  void vpbroadcastq(const Vector& d, const Xbyak::Reg64& a);
  void vpandd(const Vector& d, const Vector& a, const Vector& b);
  void vpandnd(const Vector& d, const Vector& a, const Vector& b);
  void vpord(const Vector& d, const Vector& a, const Vector& b);
  void vpxord(const Vector& d, const Vector& a, const Vector& b);
  void vpandq(const Vector& d, const Vector& a, const Vector& b);
  void vporq(const Vector& d, const Vector& a, const Vector& b);
  void vpxorq(const Vector& d, const Vector& a, const Vector& b);
  // Those of several instructions use scratch(1), and the scratch registers that are named here.
  void vpmullq(const Vector& d, const Vector& a, const Vector& b);               ///< 3
  void vpsravq(const Vector& d, const Vector& a, const Vector& amounts);         ///< 0
  void vcvtudq2ps(const Vector& d, const Vector& a);                             ///< 0
  void vpternlogd(const Vector& d, const Vector& b, const Vector& c, u8 table);  ///< 3 and 4, not 1

 private:
  static constexpr int most_kept = 27;
  /// Contents of the registers of the processor, a vector of a row in each.
  struct Slot {
    u32 at = 0;  ///< offset in the warp's registers; 0: nothing
    bool dirty = false, loose = false;
    u32 used = 0;
    bool operator==(const Slot&) const = default;
  };
  /// A row that was looked at: its lanes are so many bytes apart, ascending, if this bit of r13 is set.
  struct Run {
    u32 row = 0, bytes = 0, bit = 0;
  };
  struct State {
    std::array<Slot, most_kept> slots{};
    std::vector<Run> runs{};
  };
  struct Late {  ///< code after the stretch, for what is rare
    Xbyak::Label no_run{}, at{}, back{};
    u32 bit = 0;
    State before{}, after{};
    u32 index = 0;
  };

  u32 vectors_of(u8 bits) const { return (bits == 64 ? 256 : 128) / vector_bytes; }
  template <class T>
  static u64 address_of(T* p) {
    return reinterpret_cast<u64>(p);
  }
  // rbx: StretchRun, r12: registers of the warp
  auto field_of(const Xbyak::Reg64& object, std::size_t offset) const {
    return qword[object + static_cast<int>(offset)];
  }
  auto field(std::size_t offset) const { return field_of(rbx, offset); }
  auto row_at(u32 at) const { return ptr[r12 + static_cast<int>(at)]; }
  auto word_at(u32 at) const { return dword[r12 + static_cast<int>(at)]; }

  // Rows
  Vector read(u32 at, bool loose = false);
  void prepare(u32 at);
  Vector prepared(u32 at, int into);
  Vector write(u32 at, bool loose = false);
  int slot_for(u32 at);
  void store(int slot);
  void settle(int slot);
  void make_canonical(const Vector& v);
  void flush();  ///< every changed row is stored
  void forget_rows();
  void become(const State& target);
  Vector widened(u32 row, u32 part, bool is_signed, int into);

  // Operations
  void operation(u32 index);
  bool native(const Op& op, u32 first_quarter = 0, u32 quarters = 4);
  u32 by_quarters(u32 index, u32 end);
  bool compare(const Op& op);
  bool choose(const Op& op);
  bool predicates(const Op& op);
  bool narrow(const Op& op);
  void combine_and_write(const Op& op);
  void call_function(const Op& op);
  void step(u32 index);
  void step_on_rows(u32 index);
  void gather(u32 index, const Xbyak::Label& done);
  bool has_site(const MemoryOp& m) const;
  void load_store(const MemoryOp& m, u32 index, const Xbyak::Label& otherwise);
  bool plain_access(const MemoryOp& m, u32 index);
  static bool is_of(const Run& run, const MemoryOp& m);
  void check_run(const MemoryOp& m, Late& late);
  void load_guard(const Op& op, u32 index);
  void part_of_guard(u32 part, u32 parts);
  void body();
  void branch(bool inside_loop);
  void repeat(bool inside_loop);
  void call(const void* function, u32 index);
  bool may_loop() const;
  bool is_written(u32 at) const;
  void leave(u32 pc, Flow flow, u32 executed);
  void late_code();

  // Narrow vectors
  /// Offsets of the constants after the code.
  static constexpr int nans = 0, signs_32 = 32, signs_64 = 64, two_to_16 = 96, shifts_32 = 128, shifts_64 = 160;
  Xbyak::Address constant(int at) { return ptr[rip + constants_ + at]; }
  void constants();
  void choose_narrow(const Vector& d, const Vector& a, const Vector& b, u8 bits);
  void compare_narrow(const NativeComparison& n, u32 part, const Vector& a, const Vector& b);

  StretchPlan plan_;
  const u32 vector_bytes;
  const int kept_registers;  ///< rows are in these; the others are for one operation
  State state_;
  u32 now_ = 0;
  u32 bits_ = 0;  ///< of r13 that have a meaning
  std::deque<Late> late_{};
  Xbyak::Label loop_{}, end_{}, constants_{};
  std::optional<State> loop_state_{};
};

/// An operation that computes each lane from the same lane of its operands, by a few instructions on vectors.
struct NativeOperation {
  u8 bits = 32;  ///< of the result
  u8 sources = 2;
  u8 widened = 0;  ///< bit i: source i has 32 bits, the result 64
  bool is_signed = false;
  bool floats = false;  ///< the result does not depend on which NaN a source is, and has any
  /// Writes d last: it may be a source. May use scratch(0) and scratch(1), and what narrow vectors need.
  void (*emit)(Generator& g, const Op& op, const Generator::Vector& d, const Generator::Vector& a,
               const Generator::Vector& b, const Generator::Vector& c) = nullptr;
  bool converts = false;  ///< only where Op::immediate says so (ConvertFlags)
};
const NativeOperation* native_operation(const Op& op);

}  // namespace lanescope::emulator

#endif
