#pragma once
// Descriptions that several messages share: assignments, memory spaces, options of the compiler.

#include "app/engine/wire/codec.h"
#include "kernels/layout/assignment.h"
#include "kernels/source/options/gather.h"
#include "kernels/trace/trace.h"

namespace lanescope::codec {
template <>
inline constexpr int last_of<layout::Term::Role> = static_cast<int>(layout::Term::Role::unsaid);
template <>
inline constexpr int last_of<layout::Place> = static_cast<int>(layout::Place::block);
template <>
inline constexpr int last_of<trace::MemorySpace> = static_cast<int>(trace::MemorySpace::param);
template <>
inline constexpr int last_of<options::Origin> = options::origin_count - 1;
template <>
inline constexpr int last_of<options::Kind> = options::kind_count - 1;
}  // namespace lanescope::codec

namespace lanescope::options {

template <class A>
void describe(A& a, Place& v) {
  a("file", v.file), a("line", v.line);
}
template <class A>
void describe(A& a, UsedOption& v) {
  a("kind", v.kind), a("value", v.value), a("word", v.word), a("written", v.written), a("origin", v.origin);
  a("place", v.place);
}
template <class A>
void describe(A& a, LeftOut& v) {
  a("written", v.written), a("reason", v.reason), a("replaced", v.replaced), a("no_option", v.no_option),
      a("origin", v.origin);
  a("place", v.place);
}
template <class A>
void describe(A& a, CompileSettings& v) {
  a("used", v.used), a("left_out", v.left_out), a("remarks", v.remarks), a("diagnostics", v.diagnostics);
}
template <class A>
void describe(A& a, Given& v) {
  a("words", v.words), a("folder", v.folder), a("nvcc", v.nvcc_command), a("window", v.window);
  a("removed", v.removed), a("look_around", v.look_around);
}

}  // namespace lanescope::options

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
