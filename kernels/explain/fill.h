#pragma once
// Sentences of the tables with what an instruction says put in. Private to this folder.

#include <string>
#include <string_view>

#include "kernels/explain/statement.h"
#include "kernels/explain/words/rows.h"

namespace lanescope::explain {

/// The row whose modifiers all stand in the instruction, in its order; of several the one with the most. nullptr: none.
const Row* row_of(const Pieces& pieces, bool ptx);
/// As of a NeedRow; empty: nothing is known.
std::string_view needed_arch(const Pieces& pieces);
/// Words of a type, state space and so on; "" where there are none.
std::string modifier_words(const Pieces& pieces, std::size_t index, bool ptx);
std::string operand_words(std::string_view operand, bool ptx);
/// Bytes that one lane accesses; 0: the instruction does not say.
int bytes_of(const Pieces& pieces, bool ptx);
bool is_type(std::string_view modifier);

std::string fill(const Row& row, const Pieces& pieces, bool ptx);

}  // namespace lanescope::explain
