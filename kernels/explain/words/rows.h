#pragma once
// The tables, by subject. Private to kernels/explain.
//
// Placeholders in a sentence: names of operands in the order of `operands`; {type} and {from}: the last and,
// of two, the second type among the modifiers in words; {first}: the first; {space} and {to}: the only or
// second, and the first state space; {bytes}: of one lane's access; {compare}, {updated}, {combined}: see
// fill.cpp. Words in [ ] are left out if an operand that they name is not written.

#include <span>
#include <string_view>

namespace lanescope::explain {

struct Row {
  std::string_view key;       ///< mnemonic and the modifiers that choose this row: "atom.cas"
  std::string_view operands;  ///< "d a b"
  std::string_view sentence;
};

struct ModifierRow {
  std::string_view mnemonics;  ///< those that it is about, blanks between; empty: any
  std::string_view modifier;
  std::string_view words;
};

/// The least architecture with instructions of this key, as of a Row; "sm_90a": that one alone. Source: PTX ISA 9.0,
/// "Target ISA Notes" of each. Needs of single modifiers and types are not listed.
struct NeedRow {
  std::string_view key, arch;
};
std::span<const NeedRow> ptx_need_rows();

std::span<const Row> ptx_arithmetic_rows();
std::span<const Row> ptx_memory_rows();
std::span<const Row> ptx_cooperation_rows();
std::span<const Row> ptx_control_rows();
std::span<const Row> ptx_matrix_rows();
std::span<const ModifierRow> ptx_modifier_rows();
std::span<const ModifierRow> ptx_type_rows();
std::span<const ModifierRow> special_register_rows();

std::span<const Row> sass_arithmetic_rows();
std::span<const Row> sass_other_rows();
std::span<const ModifierRow> sass_modifier_rows();

}  // namespace lanescope::explain
