#include "spill_kernels.h"

#include <fmt/format.h>

namespace lanescope::review {

const std::vector<SpillKernel>& spill_kernels() {
  static const std::vector<SpillKernel> kernels = {
      {"trip_1", "40 values and 32 registers.", 40, "-maxrregcount=32", "", false},
      {"trip_2", "60 values and 32 registers.", 60, "-maxrregcount=32", "", false},
      {"trip_3", "80 values and 40 registers.", 80, "-maxrregcount=40", "", false},
      {"trip_4", "100 values, and two blocks of 1024 threads leave 32 registers.", 100, "", "1024, 2", false},
      {"trip_5", "100 values and 64 registers.", 100, "--maxrregcount=64", "", false},
      {"miss_1", "Few values.", 4, "", "32", false},
      {"miss_2", "40 values, as many registers as it takes.", 40, "", "32", false},
      {"miss_3", "10 values and 32 registers.", 10, "-maxrregcount=32", "", false},
      {"miss_4", "16 values in blocks of up to 1024 threads.", 16, "", "1024", false},
      {"miss_5", "Spills, allowed.", 60, "-maxrregcount=32", "", true},
  };
  return kernels;
}

std::string text_of(const SpillKernel& kernel) {
  std::string out = fmt::format("/*\n{}\n\n[lanescope]\nblock = 32\n", kernel.title);
  if (!kernel.option.empty()) out += fmt::format("options = [\"{}\"]\n", kernel.option);
  out += "\n[buffers]\np = \"f32 i:4096\"\nq = \"f32 i:4096 = zeros\"\n*/\n";
  if (kernel.allowed) out += "// lanescope: allow spills\n";
  out += "__global__ void ";
  if (!kernel.launch_bounds.empty()) out += fmt::format("__launch_bounds__({}) ", kernel.launch_bounds);
  out += "k(const volatile float *p, volatile float *q)";
  out += kernel.name.starts_with("trip") ? "  // finds\n{\n" : "\n{\n";
  const int n = kernel.live_values;
  for (int i = 0; i < n; ++i) out += fmt::format("    float x{} = p[threadIdx.x + {}];\n", i, 32 * i);
  for (int i = 0; i < n; ++i) out += fmt::format("    q[threadIdx.x + {}] = x{} * x{};\n", 32 * i, i, (i + 1) % n);
  return out + "}\n";
}

}  // namespace lanescope::review
