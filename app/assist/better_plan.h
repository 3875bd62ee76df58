#pragma once
// Between two claims of a kernel: the author's code that leads from the one to the other, and the planner's in its
// place or beside it.
//
// The text decides whether lines can be replaced: apart from the registers of the second claim they must have no effect
// that is used afterwards. The result is judged by running it, like any text.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/convert/planner.h"
#include "results/summary.h"

namespace lanescope::assist {

/// Two claims by their index in Summary::claims; the code between leads from the first to the second.
struct ClaimPair {
  std::size_t from = 0, to = 0;
  bool operator==(const ClaimPair&) const = default;
};

/// Claims about registers, of which an assignment is known, by their lines.
std::vector<std::size_t> claims_between_which(const results::Summary& summary);
/// The pair that a line (from 1, of the text that ran) means: on a claim, the one before and this one; between two
/// claims, these. nullopt: there is no claim before it, or none after it.
std::optional<ClaimPair> pair_at(const results::Summary& summary, int line);

/// Lines of a text, from 1, both of them included; first > last: none.
struct LineRange {
  int first = 1, last = 0;
  int count() const { return last < first ? 0 : last - first + 1; }
};

/// The text with the planner's code, and where in it that is.
struct Rewritten {
  std::string text;     ///< empty: see `refusal`
  std::string refusal;  ///< a sentence
  LineRange lines;      ///< of the call
};

struct BetterPlan {
  std::string from_variable, to_variable;
  LineRange code;  ///< the author's
  layout::Assignment from, to;
  std::unique_ptr<convert::Planned> planned;
  int plan = 0;
  std::string function;  ///< its name
  std::string cost;      ///< "2 shuffles, 4 selects"
  Rewritten replaced;    ///< a call replaces the author's lines
  Rewritten inserted;    ///< they stay: the call writes to an array of its own
};
/// Errors, a sentence each: claims of two functions, of registers that are no single words, without common elements;
/// code whose places are not known; conversions that the planner refuses.
Expected<BetterPlan> better_plan(const std::string& file, std::string_view text, const ClaimPair& pair,
                                 const results::Summary& summary);

/// Instructions of lines of a kernel, of one warp.
struct CodeCounts {
  double shuffles = 0, selects = 0, permutes = 0, barriers = 0, all = 0;
  double wavefronts = 0;  ///< of shared memory; where `executed`
  bool executed = false;  ///< counts of executions; else counts in the program text
};
/// Of the plain program (Summary::plain_code); all of it without `lines`.
CodeCounts counts_of(const results::Summary& summary, std::optional<LineRange> lines);

}  // namespace lanescope::assist
