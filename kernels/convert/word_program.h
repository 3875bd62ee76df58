#pragma once
// Straight-line code over 32-bit registers, executed by the 32 lanes of a warp: what a conversion inside a warp is made
// of. A value is written once. The builder simplifies as it goes: equal instructions are one, selects that cannot
// matter disappear, byte permutes of byte permutes are one, and values that no output needs are removed.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanescope::convert {

inline constexpr int lanes = 32, lane_bits = 5;

/// A 32-bit constant for each lane.
using LaneTable = std::array<std::uint32_t, lanes>;
LaneTable same_in_all_lanes(std::uint32_t value);
bool is_uniform(const LaneTable& table);

/// The lane that a lane reads from: an F2-affine map of its own number.
struct LaneMap {
  std::array<std::uint32_t, lane_bits> columns{1, 2, 4, 8, 16};
  std::uint32_t constant = 0;
  std::uint32_t operator()(std::uint32_t lane) const;
  bool is_linear_identity() const;  ///< lane -> lane ^ constant: a butterfly
  auto operator<=>(const LaneMap&) const = default;
};

/// A value of a program: the number of the instruction that makes it. `nothing`: any value will do.
using Value = int;
inline constexpr Value nothing = -1;

enum class Op : std::uint8_t {
  input,    ///< register `number` of the source
  select,   ///< b where the lane's bits in `parity` have odd parity, else a
  shuffle,  ///< a of lane `from(lane)`
  permute,  ///< four bytes out of the eight of a (0 to 3) and b (4 to 7), as __byte_perm with `table`
  rotate,   ///< a rotated left by `table` bits
  mix,      ///< (a & table) | (b & ~table)
  choose,   ///< b where the lane's `table` is not 0, else a
  fetch,    ///< a of lane `table`
  matrix,  ///< movmatrix: an 8x8 matrix of 16-bit elements, transposed. Lane l holds columns 2 (l % 4) and one more of row l / 4
};

struct Instruction {
  Op op = Op::input;
  Value a = nothing, b = nothing;
  int number = 0;
  std::uint32_t parity = 0;
  LaneMap from;
  LaneTable table{};
  bool operator==(const Instruction&) const = default;
};

/// Instructions that a lane executes, inputs not counted.
struct Counts {
  int shuffles = 0, selects = 0, permutes = 0, logic = 0;  ///< logic: rotates and mixes
  int matrices = 0;                                        ///< movmatrix
  int all() const { return shuffles + selects + permutes + logic + matrices; }
  friend Counts operator+(const Counts& a, const Counts& b) {
    return {a.shuffles + b.shuffles, a.selects + b.selects, a.permutes + b.permutes, a.logic + b.logic,
            a.matrices + b.matrices};
  }
  bool operator==(const Counts&) const = default;
};

/// A state that the program passes through.
struct Stage {
  std::string what;          ///< what led to it: "shuffle"
  std::vector<Value> words;  ///< the registers then; `nothing` for those that were never made
  int end = 0;               ///< instructions before it
  bool between = false;      ///< in the midst of one move
};

struct WordProgram {
  int inputs = 0;
  std::vector<Instruction> code;  ///< operands precede their uses
  std::vector<Stage> stages;      ///< in order
  std::vector<Value> outputs;     ///< register by register; `nothing` where the destination holds nothing
  std::vector<std::pair<LaneTable, std::string>> spelled{};  ///< tables that a short expression of `lane` gives
  Counts counts() const;
};

/// One register: its value in each lane.
using Register = std::array<std::uint32_t, lanes>;
/// The result of a movmatrix of a register.
Register matrix_transposed(const Register& a);
/// Every value of the program, in the order of its code.
std::vector<Register> execute(const WordProgram& program, std::span<const Register> inputs);
/// The outputs among `values`; 0 where the destination holds nothing.
std::vector<Register> outputs_of(const WordProgram& program, std::span<const Register> values);

class WordBuilder {
 public:
  explicit WordBuilder(int inputs) : inputs_(inputs) {}

  Value input(int number);
  Value select(std::uint32_t parity, Value even, Value odd);
  Value shuffle(Value a, const LaneMap& from);
  /// Selectors are those of __byte_perm: one hexadecimal digit for each byte of the result.
  Value permute(Value a, Value b, const LaneTable& selectors);
  Value rotate(Value a, const LaneTable& left);
  Value mix(Value a, Value b, const LaneTable& mask);
  Value choose(const LaneTable& odd, Value a, Value b);
  Value fetch(Value a, const LaneTable& from);
  Value matrix(Value a);

  /// Notes that `words` are the registers at this point; `between`: in the midst of one move.
  void stage(std::string what, std::vector<Value> words, bool between = false);

  std::size_t written() const { return code_.size(); }
  const Instruction& at(Value v) const { return code_[static_cast<std::size_t>(v)]; }
  /// The program that makes `outputs`, without instructions that they do not need. Dependent instructions
  /// stand together, so that few words are alive beside the registers. In programs of more than 64 registers
  /// the stages in the midst of moves are left out for it.
  WordProgram finish(std::span<const Value> outputs) const;

 private:
  Value add(const Instruction& i);
  void grow();
  struct Byte {
    Value value = nothing;
    std::uint32_t byte = 0;
  };
  Byte origin(Byte b, std::uint32_t lane, int depth, bool& by_lane) const;
  bool read_through(Value& a, Value& b, LaneTable& selectors, int depth_a, int depth_b) const;
  /// `v`, simplified for lanes where the parity is `odd`.
  Value given(std::uint32_t parity, bool odd, Value v) const;

  int inputs_;
  std::vector<Instruction> code_;
  std::vector<Stage> stages_;
  std::vector<std::uint64_t> hashes_;  ///< of `code_`
  std::vector<bool> by_lane_;          ///< selects, and permutes that differ from lane to lane
  std::vector<Value> known_;           ///< places of `code_` by their hash, with gaps; a power of two
};

}  // namespace lanescope::convert
