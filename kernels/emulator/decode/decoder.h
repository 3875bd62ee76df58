#pragma once
// From instructions to operations. One Decoder decodes one function; opcodes.cpp maps opcodes to member functions.
// Private to this folder.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "kernels/base/diagnostic.h"
#include "kernels/emulator/lanes/op.h"
#include "kernels/emulator/machine/program.h"
#include "kernels/emulator/tags/rules.h"
#include "kernels/ptx/program.h"
#include "kernels/ptx/value_numbers.h"

namespace lanescope::emulator {

/// Rows of constants and special registers, shared by all functions of a program.
class Constants {
 public:
  explicit Constants(Program& program) : program_(program) {}
  u32 row_of(u64 value, u8 bits);
  u32 row_of(ptx::Special special);

 private:
  u32 append(u32 bytes);
  Program& program_;
  std::map<std::pair<u64, u8>, u32> values_;
  std::map<ptx::Special, u32> specials_;
};

class Decoder {
 public:
  Decoder(Program& program, Constants& constants, int function);
  /// An instruction that cannot be run becomes an operation that faults when a lane executes it.
  void decode_all();

 private:
  using Handler = bool (Decoder::*)();
  static const std::unordered_map<std::string_view, Handler>& handlers();
  bool decode_one();
  std::string_view unknown_special(const std::vector<ptx::Operand>& operands) const;
  void become_refused();

  // Operands
  /// One that the instruction does not have reads as `_`, and the instruction is refused.
  const ptx::Operand& operand(std::size_t i) const;
  std::size_t operand_count() const { return instruction_->operands.size(); }
  bool has(std::string_view modifier) const { return instruction_->has(modifier); }
  ptx::Type type(std::size_t i = 0) const;
  u32 offset_of(int reg) const;
  u8 register_bits(int reg) const;
  /// Which registers an operand of a type takes: those of its width, or wider ones as well (ld, st, cvt).
  enum class Fit : u8 { exact, wider };
  /// A register of another width makes the instruction one that is refused: rows of registers are as wide as the
  /// registers.
  void need_predicate(int reg) const;
  void need(const ptx::Operand& o, u8 bits, Fit fit = Fit::exact) const;
  u32 source(const ptx::Operand& o, u8 bits, Fit fit = Fit::exact);
  bool moves_with_frame(const ptx::Operand& o) const;
  u32 destination(const ptx::Operand& o, u8 bits, Fit fit = Fit::exact);
  u32 predicate(const ptx::Operand& o, u32& flip) const;
  u32 predicate_destination(const ptx::Operand& o) const;
  u32 second_predicate(const ptx::Operand& o) const;
  u64 address_of(const ptx::Operand& o) const;  ///< of a symbol, as a generic, shared or global address
  bool refuse(std::string what);
  bool has_sources(std::size_t least, std::size_t most);

  // By kind
  bool arithmetic();
  bool logic();
  bool lop3();
  bool shift();
  bool prmt();
  bool bfi();
  bool carry_arithmetic();
  bool unary_count();
  bool dot_product();
  bool special_function();
  bool video();
  bool composed_arithmetic();
  void compose(ComposedOp m);
  bool contracted(const ptx::Contraction& c);
  bool mov();
  bool mov_vector();
  bool selp();
  bool slct();
  bool setp();
  bool set();
  bool testp();
  bool cvt();
  bool is_small_conversion() const;
  bool cvt_fits();
  bool cvt_small();
  bool cvt_pair();
  bool cvt_pack();
  bool cvta();
  bool isspacep();
  bool load_store();
  bool load_parameter();
  bool atomic();
  trace::AtomicTurns turns_of_atomic();
  bool is_unread();  ///< the result of an atomic
  bool async_copy();
  bool matrix();
  bool mma();
  bool block_scales(std::size_t at, ScaleOp& out);
  bool sparse_metadata(std::size_t at, u32 bits, u32 depth, SparseOp& out);
  bool mma_in_quads();
  bool wmma();
  bool fragment_product(FragmentOp f, std::string_view d, std::string_view a, std::string_view b, std::string_view c);
  bool fragment_registers(const ptx::Operand& o, std::size_t count, u8 bits, bool is_destination,
                          std::vector<u32>& rows);
  std::vector<std::string_view> matrix_types() const;
  void push_fragments(FragmentOp f, Step step);
  bool warpgroup();
  bool barrier_object();
  bool bulk_copy();
  bool remote_store();
  bool launch_control();
  bool wide_atomic(MemoryOp m);
  bool indirect_call(const ptx::Operand* returns, const ptx::Operand& callee, const ptx::Operand* arguments);
  bool stack();
  std::optional<CallOp> call_of(std::size_t function, const ptx::Operand* returns, const ptx::Operand* arguments);
  bool branch();
  bool branch_table();
  bool call();
  bool system_call(const ptx::Entry& callee, const ptx::Operand* returns, const ptx::Operand* arguments);
  bool ret();
  bool exit();
  bool trap();
  bool breakpoint();
  bool barrier();
  bool shuffle();
  bool vote();
  bool match();
  bool activemask();
  bool redux();
  bool elect();
  bool probe();
  bool ignore();
  bool cluster_address();
  bool find_copy(u8 bits);

  void parts(const ptx::Operand& o);    ///< lanes that differ in it execute one group after the other
  void members(const ptx::Operand& o);  ///< the same, of a member mask
  bool set_exec(std::string_view key);  ///< looks the operation up in all tables
  void set_operands(u8 d_bits, u8 a_bits, u8 b_bits = 0, u8 c_bits = 0);
  void set_rule(BitRule rule) {
    op_.tag = tag_bits;
    op_.rule = rule;
  }
  std::string key_without(std::initializer_list<std::string_view> ignored) const;
  bool memory_operand(const ptx::Operand& o, MemoryOp& m);
  bool memory_space(MemoryOp& m);
  bool value_operands(const ptx::Operand& o, MemoryOp& m, bool is_destination);
  void push_memory(MemoryOp m, Step step);

  Program& program_;
  Constants& constants_;
  Function& function_;
  const ptx::Entry& entry_;
  std::vector<ptx::SharedAtomic> shared_atomics_{};  ///< by instruction; empty until there is one
  std::vector<bool> unread_results_;                 ///< empty: not computed yet
  const ptx::Instruction* instruction_ = nullptr;
  Op op_;
  std::string refusal_, remedy_;
  mutable bool missing_ = false;  ///< an operand was needed that is not there
  mutable std::string misfit_;    ///< an operand that is of another width than it must be, in words
};

// Names of the elements of matrices. Private to this folder.

struct ElementName {
  std::string_view name;
  MmaOp::Element element;
  u32 bits;
};
inline constexpr ElementName element_names[] = {
    {"f16", MmaOp::Element::f16, 16},  {"bf16", MmaOp::Element::bf16, 16}, {"tf32", MmaOp::Element::tf32, 32},
    {"f64", MmaOp::Element::f64, 64},  {"e4m3", MmaOp::Element::e4m3, 8},  {"e5m2", MmaOp::Element::e5m2, 8},
    {"e3m2", MmaOp::Element::e3m2, 8}, {"e2m3", MmaOp::Element::e2m3, 8},  {"e2m1", MmaOp::Element::e2m1, 8},
    {"s8", MmaOp::Element::s8, 8},     {"u8", MmaOp::Element::u8, 8},      {"s4", MmaOp::Element::s4, 4},
    {"u4", MmaOp::Element::u4, 4},     {"b1", MmaOp::Element::b1, 1}};

// Which parts may follow an opcode: ".sync", ".bfly" and ".b32" of `shfl.sync.bfly.b32`. Most operations look for the
// parts that they know and would pass over any other; a misspelt one must not run as if it were not there.

/// The first part of the instruction that its opcode does not have; empty: all are known, or the opcode is not. Source:
/// PTX ISA 9.0, syntax of each instruction.
std::string_view unknown_part(const ptx::Instruction& instruction);
/// Why its known parts do not go together; empty: they do.
std::string_view wrong_combination(const ptx::Instruction& instruction);

}  // namespace lanescope::emulator
