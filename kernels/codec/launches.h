#pragma once
// A check of launches that arrived in a message.

#include "kernels/codec/codec.h"
#include "kernels/trace/launch.h"

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
