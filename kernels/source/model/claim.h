#pragma once
// An assignment comment, the variables that it names and the probe that reads them.

#include <string>
#include <vector>

#include "kernels/layout/assignment.h"

namespace lanescope::source {

/// A variable that probes read. One C++ object: "x0", or "x" for an array or vector.
struct Variable {
  int id = 0;
  std::string name;
  std::string type;  ///< as written; may be empty (auto)
  std::string function;
  int declared_line = 0;
};

/// Where a probe was put in the probed text.
struct ProbePoint {
  int id = 0;                  ///< as in the PTX comment
  int claim = -1;              ///< index in Source::claims, -1: a watch probe (for views)
  int line = 0, column = 0;    ///< the user's position just before which the probe stands
  int statement_line = 0;      ///< line of the statement that the probe follows (whose effect it sees)
  std::vector<int> variables;  ///< ids read by this probe
};

/// An assignment comment.
struct Claim {
  int first_line = 0, last_line = 0;  ///< of its rows
  std::vector<int> row_lines;         ///< one per row present, in text order
  std::string variable;               ///< display name: "x"
  std::vector<int> registers;         ///< variable ids in register order (r = 0, 1, ...); one id for an array
  layout::Assignment stated;
  std::string sentence;  ///< the prose that introduced it
  std::string assumed;   ///< which variable is meant where none is named, in words; empty: it is named
  int probe = -1;        ///< ProbePoint id; -1 when none could be placed
  /// Where it may be meant instead when it is false at `probe`: behind the writes of its variables that follow the
  /// comment directly, in text order; the last one sees them all.
  std::vector<int> later_probes;
  std::string forward_words;     ///< words of the comment that speak of what the next statements do: "becomes"
  std::string unchecked_reason;  ///< non-empty: why no probe could be placed
};

}  // namespace lanescope::source
