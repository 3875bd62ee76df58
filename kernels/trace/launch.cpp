#include "kernels/trace/launch.h"

namespace lanescope::trace {

std::vector<BufferArgument> buffers_of(const Argument& argument) {
  if (const auto* b = std::get_if<BufferArgument>(&argument)) return {*b};
  std::vector<BufferArgument> out;
  if (const auto* s = std::get_if<StructArgument>(&argument))
    for (const StructArgument::Pointer& p : s->pointers) out.push_back(p.to);
  return out;
}

}  // namespace lanescope::trace
