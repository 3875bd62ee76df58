#pragma once
// Small kernels with one atomic in shared memory each, for the emulator and a GPU alike.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace lanescope::catalogue {

/// By name; {} is the index.
inline const std::map<std::string, std::string> shared_atomics = {
    {"inc", "atomicAdd(&s[{}], 1);"},
    {"dec", "atomicAdd(&s[{}], -1);"},
    {"two", "atomicAdd(&s[{}], 2);"},
    {"used", "out[32 + threadIdx.x] = atomicAdd(&s[{}], 1);"},
    {"or", "atomicOr((unsigned*)&s[{}], 1u);"},
    {"and", "atomicAnd((unsigned*)&s[{}], 5u);"},
    {"xor", "atomicXor((unsigned*)&s[{}], 3u);"},
    {"part", "if (threadIdx.x & 4) atomicAdd(&s[{}], 1);"},
    {"max", "atomicMax(&s[{}], 3);"},
    {"min", "atomicMin(&s[{}], -3);"},
    {"exch", "atomicExch(&s[{}], 7);"},
};
/// Of a word, by name; `at` is a random number. "same" is one address by the code.
inline const std::map<std::string, std::string> shared_indices = {
    {"m8", "at % 8"},        {"m64", "at % 64"}, {"m256", "at % 256"},           {"m2048", "at % 2048"},
    {"bank", "at % 8 * 32"}, {"same", "at % 1"}, {"stride", "threadIdx.x * 32"}, {"lane", "threadIdx.x"},
};

/// A kernel of one block of 32: 64 stores of a line, the atomic, 64 loads of a line.
inline std::string shared_atomic_kernel(const std::string& name, const std::string& atomic, const std::string& index) {
  return fmt::format(R"(__global__ void __launch_bounds__(32) {}(const uint *idx, int *out)
{{
    __shared__ int s[2048];
    for (int i = threadIdx.x; i < 2048; i += 32) s[i] = 0;
    __syncwarp();
    uint at = idx[threadIdx.x];
    {}
    __syncwarp();
    for (int i = threadIdx.x; i < 2048; i += 32) out[i] = s[i];
}}
)",
                     name, fmt::format(fmt::runtime(shared_atomics.at(atomic)), shared_indices.at(index)));
}

/// `random`: of the numbers.
inline std::string shared_atomic_buffers(int random) {
  return fmt::format("[buffers]\nidx = \"u32 i:32 = random {}\"\nout = \"s32 v:2048 = zeros\"\n", random);
}

struct SharedAtomicKernel {
  std::string atomic, index, name;
  int line = 0;  ///< of the atomic
};

/// All of them in one file, a launch each, in this order.
struct SharedAtomicFile {
  std::vector<SharedAtomicKernel> kernels;
  std::string text;
};
inline SharedAtomicFile shared_atomic_file(int random) {
  SharedAtomicFile file;
  std::string header = "/*\n[lanescope]\n", code;
  for (const auto& [atomic, statement] : shared_atomics)
    for (const auto& [index, words] : shared_indices) {
      const std::string name = fmt::format("{}_{}", atomic, index);
      file.kernels.push_back({.atomic = atomic, .index = index, .name = name});
      header += fmt::format("[[launch]]\nkernel = \"{}\"\ngrid = 1\nblock = 32\n", name);
      code += shared_atomic_kernel(name, atomic, index);
    }
  file.text = header + shared_atomic_buffers(random) + "*/\n" + code;
  for (SharedAtomicKernel& k : file.kernels) {
    const std::size_t at = file.text.find("at = idx", file.text.find(" " + k.name + "("));
    k.line =
        static_cast<int>(std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 2;
  }
  return file;
}

}  // namespace lanescope::catalogue
