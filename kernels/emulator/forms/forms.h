#pragma once
// Every form of every instruction of PTX ISA 9.0, as patterns, and which of them the emulator executes.
//
// A pattern is an instruction with alternatives: "shf.<l|r>.<wrap|clamp>.b32 %d32, %a32, %b32, %c32" stands for four
// instances. `$2` is the alternative taken at the second place, and `#2` the width in bits of the type of that name:
//
//   "min.<u16|s32|u64> %d#1, %a#1, %b#1"    min.u16 %d16, %a16, %b16 / min.s32 %d32, ... / min.u64 %d64, ...
//
// The table lists the existing forms, with the test that executes each or the reason of its refusal. It does not state
// coverage: coverage() decodes each instance. So the list cannot claim unsupported forms; the tests assert that every
// instance that is meant to be executed is, by the test that is named, and (where there is one) that the assembler of a
// CUDA Toolkit has it.
//
// Operands: %dN, %eN, %fN, %gN of N bits are results; %aN, %bN, %cN come from three inputs of 64 bits, %x32 and %y32
// are the high halves of %c and %b. %p and %q are predicates that are written, %pa and %pb bits 0 and 1 of a. %g64 is
// the address of 4096 bytes of global memory, %s32 and %s64 of as many of shared memory, %l64 of local memory, %n64 the
// generic address of the shared ones, %m32 of a barrier object of 8 bytes in shared memory.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::emulator {

struct Form {
  std::string_view pattern;
  std::string_view target = "sm_75";  ///< the least that has it
  std::string_view test = {};         ///< "Suite.Name" of tests/kernels/emulator/forms; empty where it is refused
  std::string_view refused = {};      ///< why it is never executed; empty where it is meant to be
};

std::span<const Form> forms();
/// All instances of a pattern. The instruction is the last statement; others before it (`;` between them) set the
/// scene.
std::vector<std::string> instances(const Form& form);
/// The last statement's opcode with its modifiers: "shf.l.wrap.b32".
std::string_view opcode_of(std::string_view instance);
/// Its part before the first point.
std::string_view mnemonic_of(std::string_view instance);

/// A module in which one function contains the instances, each on a line of its own; the first one is on line
/// `first_instance_line`. `target`: as in `.target`.
std::string module_of_instances(std::span<const std::string> instances, std::string_view target);
inline constexpr int first_instance_line = 21;

/// Why the decoder refuses each of them, in their order; empty: it is executed.
std::vector<std::string> refusals(std::span<const std::string> instances, std::string_view target);

/// Mnemonics of PTX ISA 9.0, in alphabetical order.
std::span<const std::string_view> mnemonics();

struct Gap {
  std::string instance;
  std::string why;
  bool listed = false;  ///< in the list of refused forms
};
struct Coverage {
  enum class Status { covered, partly, refused, none };  ///< refused: everything that is missing is in the list
  std::string_view mnemonic;
  std::size_t instances = 0, executed = 0;
  std::vector<Gap> gaps;
  std::vector<std::string_view> tests;
  Status status() const;
};

/// A form that the syntax of the PTX ISA has and ptxas takes: found by scripts/ptx_forms.py, without the table above
/// and without the decoder.
struct AcceptedForm {
  std::string target;  ///< the least that has it
  std::string instance;
};
/// `text`: of assets/ptx/accepted_forms.txt, a line `TARGET PATTERN` each.
std::vector<AcceptedForm> accepted_forms(std::string_view text);
/// Why the emulator refuses an accepted form; empty: it must execute it.
std::string_view refused_by_name(std::string_view instance);

/// One for each mnemonic, in their order: of the table, and of the accepted forms that the table does not have.
std::vector<Coverage> coverage(std::span<const AcceptedForm> accepted = {});

// The pieces of the table, by subject. Private to this folder.

std::span<const Form> integer_forms();
std::span<const Form> float_forms();
std::span<const Form> conversion_forms();
std::span<const Form> move_forms();
std::span<const Form> video_forms();
std::span<const Form> memory_forms();
std::span<const Form> warp_forms();
std::span<const Form> barrier_forms();
std::span<const Form> control_forms();
std::span<const Form> matrix_forms();
std::span<const Form> warpgroup_forms();
std::span<const Form> refused_forms();

}  // namespace lanescope::emulator
