#pragma once
// One instruction in words: of PTX (PTX ISA 9.0) and of machine code (SASS).
//
// The words are tables (kernels/explain/words): a row per mnemonic, or per mnemonic with the modifiers that change its
// meaning, and a row per modifier. The row with the most modifiers that the instruction has, in its order, is used; its
// sentence names the operands as written:
//
//   "mul.wide"   "Multiplies {a} by {b} as {type} and writes the whole product, twice as wide, to {d}."
//   mul.wide.s32 %rd4, %r1, 4;    Multiplies %r1 by 4 as 32-bit signed integers and writes the whole product, ...
//
// Nothing is guessed: a modifier or mnemonic without a row has no words, and the explanation says that it is not
// complete. NVIDIA documents the names of SASS instructions (CUDA Binary Utilities) but hardly their modifiers: the
// words for these are common knowledge.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/explain/words/rows.h"
#include "profiling/access/memory_model.h"

namespace lanescope::explain {

// The path of data on one generation of GPUs, and its units of transfer.
//
// Which loads the L1 cache holds differs by generation (assets/gpus.toml, [arch.memory]); the cache operators are those
// of the PTX ISA 9.0, section "Cache Operators". Sizes are computed by profiling/access for a warp whose lanes are side
// by side.

/// The GPU of the route. The default is an H200.
struct Generation {
  std::string arch = "sm_90", name = "Hopper";
  access::MemoryModel memory = access::h200_memory();
};

enum class Motion : std::uint8_t { load, store, atomic, reduction, copy_to_shared, prefetch };
enum class Memory : std::uint8_t { generic, global, shared, cluster, local, constant, texture };

/// The access of an instruction, as far as its text gives it.
struct AccessWords {
  Motion motion = Motion::load;
  Memory memory = Memory::generic;
  int width_bytes = 0;         ///< of one lane; 0: not given
  std::string cache_operator;  ///< "ca", "cg", "cs", "lu", "cv", "wb", "wt"; empty: none
  bool read_only = false;      ///< ld.global.nc, LDG.CONSTANT
  bool strong = false;         ///< must see writes of others: .volatile, .relaxed, .acquire beyond the block
  bool no_allocate = false;    ///< L1::no_allocate
  bool bulk = false;           ///< the copy engine moves it: cp.async.bulk
  bool parameter = false;      ///< an argument of the kernel
};

struct Route {
  std::vector<std::string> stops;  ///< from source to destination: "device memory", "L2", "registers"
  int transaction_bytes = 0;       ///< of one piece; 0: not a matter of pieces
  std::string transaction;         ///< "sectors of 32 bytes"
  std::string warp;                ///< bytes that a warp with adjacent lanes moves; empty if the width is not given
  std::vector<std::string> remarks;
  std::string source;         ///< of the figures
  std::string words() const;  ///< the stops with arrows
};

Route route_of(const AccessWords& access, const Generation& generation);

// An instruction cut into its pieces, as text: guard, mnemonic, modifiers, operands. Private to this folder.

struct Pieces {
  std::string guard;     ///< "@!%p1"; empty: none
  std::string mnemonic;  ///< "ld"
  std::vector<std::string> modifiers;
  std::vector<std::string> operands;  ///< as written
};
Pieces pieces_of(std::string_view statement);
/// The statement without comments, outer blanks and semicolon.
std::string plain_statement(std::string_view statement);

enum class InstructionSet : std::uint8_t { ptx, sass };

/// A piece of the instruction and its meaning; `words` is empty if the piece is unknown.
struct Part {
  enum class Kind : std::uint8_t { guard, mnemonic, modifier, operand };
  Kind kind = Kind::mnemonic;
  std::string text;  ///< as written: "@!%p1", "ld", ".v4", "[%rd1+16]"
  std::string words;
};

struct Explanation {
  InstructionSet set = InstructionSet::ptx;
  std::string text;            ///< the instruction, without the semicolon
  std::string does;            ///< one or two sentences; empty: the mnemonic is not known
  std::vector<Part> parts;     ///< in the order of the text
  std::optional<Route> route;  ///< of an instruction that accesses memory, where the generation has it
  std::string needs;     ///< "sm_80": the least architecture that has it; "sm_90a": the only one; empty: not known
  bool lacking = false;  ///< the generation does not have it

  /// Every part has words.
  bool complete() const;
  /// Texts of the parts without words.
  std::vector<std::string> unknown() const;
};

/// Of one statement, with or without operands, guard and semicolon. Machine code is recognised by its capital letters.
Explanation explain(std::string_view statement, const Generation& generation = {});

/// As lines: the effect, the parts, the route.
std::string to_text(const Explanation& explanation);

/// The instructions of a PTX module, without directives, labels and comments; `line` counts from 1.
struct Statement {
  std::string text;
  int line = 0;
};
std::vector<Statement> statements_of(std::string_view ptx);

// Sentences of the tables, filled in for an instruction. Private to this folder.

/// The row whose modifiers all occur in the instruction, in its order; of several the one with the most. nullptr: none.
const Row* row_of(const Pieces& pieces, bool ptx);
/// As of a NeedRow; empty: nothing is known.
std::string_view needed_arch(const Pieces& pieces);
/// Words of a type, state space and so on; "" where there are none.
std::string modifier_words(const Pieces& pieces, std::size_t index, bool ptx);
std::string operand_words(std::string_view operand, bool ptx);
/// Bytes that one lane accesses; 0: not given by the instruction.
int bytes_of(const Pieces& pieces, bool ptx);
bool is_type(std::string_view modifier);

std::string fill(const Row& row, const Pieces& pieces, bool ptx);

}  // namespace lanescope::explain
