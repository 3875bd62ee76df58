#pragma once
// The body of one function, read statement by statement into an Outline: locals, assignments, points.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/source/cxx/outline_data.h"

namespace lanescope::source {

/// What a call may write to: the functions of the file whose parameters are references, and its macros.
struct Callees {
  std::map<std::string, std::vector<int>, std::less<>> functions;  ///< positions of the references among the parameters
  std::set<std::string, std::less<>> macros;
};

/// The `;` that ends the statement at `first`, or the `}` that ends its block; `limit` when neither precedes it.
int end_of_statement(const Lexed& lexed, int first, int limit);

/// Appends what the body of `out.functions[function]` holds.
void read_body(const Lexed& lexed, int function, const Callees& callees, Outline& out);

}  // namespace lanescope::source
