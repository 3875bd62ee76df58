#pragma once
// Descriptions of launches and buffers, for the messages that carry some.

#include "kernels/codec/codec.h"
#include "kernels/trace/launch.h"

namespace lanescope::codec {
template <>
inline constexpr bool is_row<trace::Dim3> = true;
}  // namespace lanescope::codec

namespace lanescope::trace {

template <class A>
void describe(A& a, Dim3& v) {
  a("x", v.x), a("y", v.y), a("z", v.z);
}
template <class A>
void describe(A& a, Buffer& v) {
  a("name", v.name), a("type", v.element_type), a("bits", v.element_bits), a("bytes", v.bytes), a("traced", v.traced);
  a("variable", v.variable);
}
template <class A>
void describe(A& a, BufferArgument& v) {
  a("buffer", v.buffer), a("offset", v.offset_bytes);
}
template <class A>
void describe(A& a, StructArgument::Pointer& v) {
  a("at", v.at_byte), a("to", v.to);
}
template <class A>
void describe(A& a, StructArgument& v) {
  a("bytes", v.bytes), a("pointers", v.pointers);
}
template <class A>
void describe(A& a, HostStep& v) {
  a("kind", v.kind), a("to", v.to), a("from", v.from), a("bytes", v.bytes), a("value", v.value);
  a("contents", v.contents);
}
template <class A>
void describe(A& a, Launch& v) {
  a("kernel", v.kernel), a("grid", v.grid), a("block", v.block), a("cluster", v.cluster);
  a("shared", v.dynamic_shared_bytes), a("arguments", v.arguments), a("stream", v.stream), a("before", v.before);
}

}  // namespace lanescope::trace

namespace lanescope::codec {

/// Error: a launch names a buffer that is not there.
inline Expected<void> check_arguments(const std::vector<trace::Launch>& launches,
                                      const std::vector<trace::Buffer>& buffers) {
  const auto absent = [&](const trace::BufferArgument& b) {
    return b.buffer < 0 || static_cast<std::size_t>(b.buffer) >= buffers.size();
  };
  for (const trace::Launch& launch : launches) {
    bool wrong = false;
    for (const trace::Argument& argument : launch.arguments)
      for (const trace::BufferArgument& b : trace::buffers_of(argument)) wrong = wrong || absent(b);
    for (const trace::HostStep& step : launch.before) wrong = wrong || absent(step.to) || absent(step.from);
    if (wrong) return failure("the request refers to a buffer that it does not contain");
  }
  return {};
}

}  // namespace lanescope::codec
