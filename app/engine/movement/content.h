#pragma once
// What cells hold, as far as one can stand for another.

#include "kernels/trace/trace.h"
#include "results/cell.h"

namespace lanescope::engine {

inline bool has_element(const results::Cell& c) {
  using Kind = trace::ElementTag::Kind;
  const auto kind = static_cast<Kind>(c.kind);
  return c.defined && c.buffer >= 0 && (kind == Kind::exact || kind == Kind::computed);
}
inline bool same_element(const results::Cell& a, const results::Cell& b) {
  return has_element(a) && has_element(b) && a.buffer == b.buffer && a.element == b.element;
}
inline bool carries_data(const results::Cell& c) {
  return c.defined && static_cast<trace::ElementTag::Kind>(c.kind) != trace::ElementTag::Kind::none;
}
inline bool same_content(const results::Cell& a, const results::Cell& b) {
  if (!a.defined || !b.defined || a.value != b.value) return false;
  return !has_element(a) || !has_element(b) || (a.buffer == b.buffer && a.element == b.element);
}

}  // namespace lanescope::engine
