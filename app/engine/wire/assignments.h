#pragma once
// Descriptions of assignments, for the messages that carry some.

#include "app/engine/wire/codec.h"
#include "kernels/layout/assignment.h"

namespace lanescope::codec {
template <>
inline constexpr int last_of<layout::Term::Role> = static_cast<int>(layout::Term::Role::junk);
}

namespace lanescope::layout {

template <class A>
void describe(A& a, Term& v) {
  a("role", v.role), a("names", v.names), a("constant", v.constant);
}
template <class A>
void describe(A& a, Assignment& v) {
  a("rows", v.rows);
}

}  // namespace lanescope::layout
