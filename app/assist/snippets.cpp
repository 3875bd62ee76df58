#include "app/assist/completion.h"

#include <array>

namespace lanescope::assist {
namespace {

constexpr auto all = std::to_array<Snippet>({
    {"header", "a launch header with two buffers",
     "/*\n[lanescope]\nblock = 32$\n\n[buffers]\np = \"u32 i:32\"\nq = \"u32 i:32 = zeros\"\n*/\n"},
    {"kernel", "a kernel that reads p and writes q",
     "extern \"C\" __global__ void __launch_bounds__(32) kernel(const unsigned *p, unsigned *q)\n{\n    $\n}\n"},
    {"load", "one element a thread", "unsigned x = p[blockIdx.x * blockDim.x + threadIdx.x];$"},
    {"store", "one element a thread", "q[blockIdx.x * blockDim.x + threadIdx.x] = x;$"},
    {"shuffle", "exchanges with the lane whose number differs in one bit", "x = __shfl_xor_sync(~0u, x, 1);$"},
    {"transpose", "32x32 elements through shared memory, without bank conflicts (block of 32x32)",
     "__shared__ unsigned tile[32][33];\n"
     "tile[threadIdx.y][threadIdx.x] = p[threadIdx.y * 32 + threadIdx.x];\n"
     "__syncthreads();\n"
     "q[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];$"},
    {"reduction", "sum over the lanes of a warp; lane 0 holds it",
     "for (int offset = 16; offset > 0; offset /= 2)\n    x += __shfl_down_sync(~0u, x, offset);$"},
    {"claim", "an assignment comment of a variable",
     "// x has the following register assignment:\n//   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0$"},
});

}  // namespace

std::span<const Snippet> snippets() { return all; }

std::string indented(const Snippet& snippet, std::string_view indentation) {
  std::string out;
  for (std::size_t i = 0; i < snippet.text.size(); ++i) {
    out += snippet.text[i];
    const bool more = i + 1 < snippet.text.size() && snippet.text[i + 1] != '\n';
    if (snippet.text[i] == '\n' && more) out += indentation;
  }
  return out;
}

}  // namespace lanescope::assist
