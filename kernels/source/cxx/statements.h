#pragma once
// What an Outline is read from: the declarations of a file (top_level.cpp), and the body of each function, statement by
// statement: locals, assignments, points (statements.cpp).

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/source/cxx/outline.h"

namespace lanescope::source {

/// Possible writes of calls: the functions of the file whose parameters are references, and its macros.
struct Callees {
  std::map<std::string, std::vector<int>, std::less<>> functions;  ///< positions of the references among the parameters
  std::set<std::string, std::less<>> macros;
};

/// The `;` that ends the statement at `first`, or the `}` that ends its block; `limit` when neither precedes it.
int end_of_statement(const Lexed& lexed, int first, int limit);

/// Appends the contents of the body of `out.functions[function]`.
void read_body(const Lexed& lexed, int function, const Callees& callees, Outline& out);

// What stands in files, namespaces and classes: heads of functions and other declarations, one after another.
//
// An item begins where the one before it ends and is read once, forwards:
//
//   template <...> requires ...  specifiers  name (parameters) const -> type : initialisers { body }
//   struct name : base { members } declarators ;
//   specifiers name = initialiser ;
//   MACRO(words)                                  with no `;`: what follows is the next item

/// Appends the functions, by their heads, and the other declarations.
void read_top_level(const Lexed& lexed, Outline& out);

}  // namespace lanescope::source
