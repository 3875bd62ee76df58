#pragma once
// Descriptions that several messages share: assignments, accesses and costs, options of the compiler.

#include "app/engine/wire/codec.h"
#include "kernels/layout/assignment.h"
#include "kernels/source/options/gather.h"
#include "kernels/trace/trace.h"
#include "profiling/access/access.h"

namespace lanescope::codec {
template <>
inline constexpr bool is_row<access::Sum> = true;
}  // namespace lanescope::codec

namespace lanescope::access {

template <class A>
void describe(A& a, Access& v) {
  a("space", v.space), a("kind", v.kind), a("width", v.width_bytes), a("mask", v.mask), a("addresses", v.addresses);
  a("matrices", v.matrices), a("turns", v.turns), a("destinations", v.destinations);
}
template <class A>
void describe(A& a, Sum& v) {
  a("requests", v.requests), a("sectors", v.sectors), a("ideal_sectors", v.ideal_sectors), a("lines", v.lines);
  a("wanted", v.bytes_wanted), a("moved", v.bytes_moved), a("passes", v.passes), a("wavefronts", v.wavefronts);
  a("ideal_wavefronts", v.ideal_wavefronts), a("conflicts", v.bank_conflicts), a("requested", v.bytes_requested);
  a("broadcasts", v.broadcasts);
}
template <class A>
void describe(A& a, Cost& v) {
  describe(a, static_cast<Sum&>(v));
  a("words", v.words), a("turns", v.turns_per_bank);
}

}  // namespace lanescope::access

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
