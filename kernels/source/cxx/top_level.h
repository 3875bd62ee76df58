#pragma once
// What stands in files, namespaces and classes: heads of functions and other declarations, one after another.
//
// An item begins where the one before it ends and is read once, forwards:
//
//   template <...> requires ...  specifiers  name (parameters) const -> type : initialisers { body }
//   struct name : base { members } declarators ;
//   specifiers name = initialiser ;
//   MACRO(words)                                  with no `;`: what follows is the next item

#include "kernels/source/cxx/outline_data.h"

namespace lanescope::source {

/// Appends the functions, by their heads, and the other declarations.
void read_top_level(const Lexed& lexed, Outline& out);

}  // namespace lanescope::source
