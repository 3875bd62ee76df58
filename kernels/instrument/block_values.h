#pragma once
// The values of registers as block_dependence.h has them, and what integer operations make of them. Private to this folder.

#include <optional>
#include <string>
#include <vector>

#include "kernels/instrument/block_dependence.h"

namespace lanescope::instrument {

/// The value of a register in one block: `own` is the same in all of them (if it varies: with the lane and in time) plus a
/// term.
struct Value {
  enum class State : std::uint8_t { never_written, own, other } state = State::never_written;
  bool varies = false;
  Term term = 0;
  bool operator==(const Value&) const = default;
  bool is_own() const { return state == State::own; }
  bool known() const { return is_own() && !varies; }
  /// The same in all blocks.
  bool common() const { return is_own() && varies && term == 0; }
};
inline constexpr Value common_value{.state = Value::State::own, .varies = true};
inline constexpr Value other_value{.state = Value::State::other};

bool is_signed(ptx::Type t);
bool is_whole_number(ptx::Type t);

/// The registers of a kernel while its instructions are visited again and again, until nothing changes. In the last pass
/// guards are recorded, and what is refused.
class BlockValues {
 public:
  BlockValues(const ptx::Entry& entry, const trace::Launch& launch)
      : entry_(entry), launch_(launch), terms_(launch.grid), registers_(entry.registers.size()) {}

 protected:
  int bits_of_register(int reg) const;
  Value constant(std::uint64_t value) { return {.state = Value::State::own, .term = terms_.constant(value)}; }
  std::optional<std::uint64_t> constant_of(const Value& v) const;
  Value varying(Term term) const;
  Value special(ptx::Special s);
  Value value(const ptx::Operand& o, int bits);
  /// The same in all blocks, as a number or a varying value.
  bool in_common(const Value& v) const { return v.common() || constant_of(v).has_value(); }
  void assign(const ptx::Operand& to, const Value& v);
  Value join(const Value& a, const Value& b) const;
  bool missing(const ptx::Instruction& i) const;
  void refuse(std::string why);
  void guard(BlockGuard g);
  void steer(const Value& v, const char* what);
  static ptx::Operand number(std::uint64_t bits) { return {.kind = ptx::Operand::Kind::immediate, .bits = bits}; }
  Value node(Terms::Op op, int bits, bool signs, Term a, Term b);
  /// a * b, of `bits` bits each; `wide`: the result has twice as many.
  Value product(const ptx::Operand& x, const ptx::Operand& y, int bits, bool wide, bool signs);
  Value sum(const Value& a, const Value& b, int bits);
  Value negated(const Value& v, int bits);
  /// An operand with a term in blockIdx whose result moves only as it should where it itself moves by multiples.
  Value stepping(const ptx::Operand& x, const Value& v, BlockGuard g);
  Value shifted_right(const ptx::Instruction& i, int bits, bool signs);
  Value divided(const ptx::Instruction& i, int bits, bool signs);
  Value bitwise(const ptx::Instruction& i, int bits);
  /// false: it is no operation on whole numbers that is followed.
  bool integer_arithmetic(const ptx::Instruction& i);
  Value shifted_left(const Value& a, const Value& by, int bits);

  const ptx::Entry& entry_;
  const trace::Launch& launch_;
  Terms terms_;
  std::vector<Value> registers_;
  std::size_t at_ = 0;  ///< the instruction that is visited
  bool changed_ = false, recording_ = false;
  std::string refused_;
  std::vector<BlockGuard> guards_;
};

}  // namespace lanescope::instrument
