#pragma once
// An instruction cut into its pieces, as text: guard, mnemonic, modifiers, operands. Private to this folder.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::explain {

struct Pieces {
  std::string guard;     ///< "@!%p1"; empty: none
  std::string mnemonic;  ///< "ld"
  std::vector<std::string> modifiers;
  std::vector<std::string> operands;  ///< as written
};
Pieces pieces_of(std::string_view statement);
/// The statement without comments, outer blanks and semicolon.
std::string plain_statement(std::string_view statement);

}  // namespace lanescope::explain
