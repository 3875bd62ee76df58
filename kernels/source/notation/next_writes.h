#pragma once
// The moment of a claim: words that look forward, and the statements after the comment that write its variables.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/notation/claim_variables.h"

namespace lanescope::source {

/// The words of the sentences nearest to the rows that announce a result of the next statements: "becomes",
/// "into the following", "obtaining"; or the verb of an order that is followed by the rows: "Gather from the tile:".
/// Empty when there are none.
std::string forward_words(const std::vector<std::string>& sentences);

/// The words about a step that leave its side open: "this exchanges", "the result". The rows may be those before the
/// next statements or those after them. Empty if there are none.
std::string step_words(const std::vector<std::string>& sentences);

/// Words that make a comment above a function one about its result: "returns", "on output".
bool speaks_of_result(const std::vector<std::string>& sentences);

/// The most probes after writes for one claim.
inline constexpr std::size_t most_later_points = 8;

/// Points after the statements that write variables, in text order: those of the comment's own block, from token `from`
/// on, up to the end of the paragraph in which the first write is, the next claim (token `limit`) or the block's end.
/// `writes(a, b)` says whether tokens (a, b] write one of them.
std::vector<const Point*> next_writes(const Lexed& lexed, const Outline& outline, int from, int limit,
                                      const std::function<bool(int, int)>& writes);

// Names that comments give to values: "from here call it y[f]", "call acc c[i,j]", "y[f] = sum over t of ...". Later
// comments may speak of `y`, although no variable has this name.

struct OutputName {
  std::string name;          ///< "y"
  std::string of;            ///< the variable that the sentence calls so; empty: "it", what was written last
  std::uint32_t offset = 0;  ///< of the comment's line in the file
  int line = 0;
};

/// In text order.
std::vector<OutputName> output_names(const std::vector<CommentLine>& lines);

/// Whether a sentence speaks of the value of this name: "y has", "y[f] has", "assignment of y".
bool speaks_of(const std::string& sentence, const std::string& name);

// The variable of an assignment comment that names none: the one written last before it, of those that are visible,
// have a value that comes from data, and have the number of registers of the register row; if its words look forward,
// the one written next.

/// For every local whether its value comes from memory, from other functions or from asm, by the text: an
/// index made of threadIdx does not. Once per file, in text order.
std::vector<bool> locals_with_data(const Lexed& lexed, const Outline& outline);

struct WrittenLast {
  ClaimNames names;
  int line = 0;  ///< that writes it
};

/// `ready`: whether a name has a value at the claim, all of it. `wanted`: registers, 0 if no row gives them.
std::optional<WrittenLast> written_last(const NamedVariables& variables, int anchor, int wanted,
                                        const std::function<bool(const std::vector<std::string>&)>& ready);

/// The first that is written after the comment, of those that fit, if its words look forward.
std::optional<WrittenLast> written_next(const NamedVariables& variables, int anchor, int wanted);

// Loops whose body is one statement without braces that uses a variable of the previous iteration:
//
//   for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
//
// A probe after such a statement records each iteration if braces enclose both. A body that gives every iteration a
// variable's element of its own, `for (...) x[r] = p[r];`, can also be recorded once, after the loop.

struct CarriedLoops {
  struct Body : LoopBody {
    std::vector<int> locals;  ///< carried, in text order
  };
  std::vector<Body> bodies;  ///< in the outline's order
  /// Whether everything that tokens [first, last] assign to a local is in bodies that carry it, and there is something.
  bool only_carried(const Outline& outline, int local, int first, int last) const;
};

CarriedLoops carried_loops(const Lexed& lexed, const Outline& outline);

}  // namespace lanescope::source
