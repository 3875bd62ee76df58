#pragma once
// Descriptions that several messages share: assignments, memory spaces.

#include "app/engine/wire/codec.h"
#include "kernels/layout/assignment.h"
#include "kernels/trace/trace.h"

namespace lanescope::codec {
template <>
inline constexpr int last_of<layout::Term::Role> = static_cast<int>(layout::Term::Role::unsaid);
template <>
inline constexpr int last_of<layout::Place> = static_cast<int>(layout::Place::block);
template <>
inline constexpr int last_of<trace::MemorySpace> = static_cast<int>(trace::MemorySpace::param);
}  // namespace lanescope::codec

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
