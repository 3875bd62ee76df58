// Widths of accesses, transposes and structures: experiments about memory alone.

#include "tests/gpu/reference_elements.h"

namespace lanescope::gpu_test {

// --- widths ---

namespace {

template <class T>
void add_copy(std::vector<Variant>& all, const char* kernel, const char* type, std::uint64_t n, std::uint64_t blocks,
              std::uint32_t block) {
  all.push_back({.name = kernel,
                 .size = fmt::format("{} elements, {} blocks of {}", n, blocks, block),
                 .file = fmt::format("{}{}.cu", catalogue, kernel),
                 .header = fmt::format("grid = {0}\nblock = {1}\n[buffers]\np = \"{2} i:{3} = zeros\"\n"
                                       "q = \"{2} i:{3} = zeros\"\n",
                                       blocks, block, type, n),
                 .fill = [](Buffers& b) { fill_small<T>(b[0], 5); },
                 .wrong =
                     [](const Buffers& before, const Buffers& after) {
                       const auto p = elements<T>(before[0]);
                       return compare<T>(after[1], [&](std::size_t i) { return p[i]; });
                     },
                 .useful_bytes = 2.0 * sizeof(T) * static_cast<double>(n)});
}

}  // namespace

void add_copies(std::vector<Variant>& all, const Scale& s) {
  const std::uint64_t n = std::uint64_t{s.large_side} * s.large_side;
  for (const char* kernel : {"copy_int", "copy_int2", "copy_int4"})
    add_copy<std::int32_t>(all, kernel, "s32", n + 3, 16 * s.multiprocessors, 128);
  add_copy<float>(all, "copy_float", "f32", n, n / 256, 256);
  add_copy<float>(all, "copy_float2", "f32", n, n / 512, 256);
  add_copy<float>(all, "copy_float4", "f32", n, n / 1024, 256);
}

namespace {

/// Final value of a thread of shared_widths.cu.
std::uint32_t read_words(std::uint32_t thread, std::uint32_t width, std::uint32_t rounds) {
  std::uint32_t sum = 0;
  for (std::uint32_t round = 0; round < rounds; ++round)
    for (std::uint32_t k = 0; k < 32 / width; ++k)
      for (std::uint32_t w = 0; w < width; ++w) sum += (width * (thread + round % 32 + 256 * k) + w) * 2654435761u;
  return sum;
}

}  // namespace

void add_shared_widths(std::vector<Variant>& all, const Scale& s) {
  const std::uint32_t blocks = 6 * s.multiprocessors, rounds = s.rounds;
  const std::pair<std::uint32_t, const char*> widths[] = {{1, "uint"}, {2, "uint2"}, {4, "uint4"}};
  for (const bool reading : {true, false})
    for (const auto& [width, type] : widths)
      all.push_back({.name = fmt::format("shared {} {}", reading ? "read" : "write", type),
                     .size = fmt::format("{} blocks of 256, {} rounds of 128 bytes a thread", blocks, rounds),
                     .file = std::string(own) + "shared_widths.cu",
                     .header = fmt::format("kernel = \"{}<{}>\"\ngrid = {}\nblock = 256\nargs = {{ rounds = {} }}\n"
                                           "[buffers]\nq = \"u32 i:{} = zeros\"\n",
                                           reading ? "read" : "write", type, blocks, rounds, 256 * blocks),
                     .fill = [](Buffers&) {},
                     .wrong =
                         [=, width = width](const Buffers&, const Buffers& after) {
                           std::vector<std::uint32_t> own(256);
                           for (std::uint32_t t = 0; t < 256; ++t)
                             own[t] = reading ? read_words(t, width, rounds) : rounds - 1 + (t + 1) % 256;
                           return compare<std::uint32_t>(after[0], [&](std::size_t i) { return own[i % 256]; });
                         },
                     .useful_bytes = 128.0 * 256 * blocks * rounds});
}

// --- transposes ---

namespace {

std::string wrong_transpose(const Buffers& before, const Buffers& after, std::size_t rows, std::size_t columns) {
  const auto p = elements<float>(before[0]);
  return compare<float>(after[1], [&](std::size_t at) { return p[at % rows * columns + at / rows]; });
}

}  // namespace

void add_transposes(std::vector<Variant>& all, const Scale& s) {
  const std::uint32_t side = s.large_side, tiles = side / 32;
  const auto add = [&](std::string name, std::string size, std::string file, std::string header, auto wrong,
                       double bytes) {
    all.push_back({.name = std::move(name),
                   .size = std::move(size),
                   .file = std::move(file),
                   .header = std::move(header),
                   .fill = [](Buffers& b) { fill_small<float>(b[0], 6); },
                   .wrong = wrong,
                   .useful_bytes = bytes});
  };
  for (const char* kernel : {"straight", "through_tile<32>", "through_tile<33>", "swizzled"})
    add(
        fmt::format("transpose {}", kernel), fmt::format("{0}x{0}", side), std::string(own) + "matrix_transpose.cu",
        fmt::format("kernel = \"{0}\"\ngrid = [{1}, {1}]\nblock = [32, 32]\nargs = {{ rows = {2}, columns = {2} }}\n"
                    "[buffers]\np = \"f32 i:{2} j:{2} = zeros\"\nq = \"f32 j:{2} i:{2} = zeros\"\n",
                    kernel, tiles, side),
        [side](const Buffers& b, const Buffers& a) { return wrong_transpose(b, a, side, side); }, 8.0 * side * side);
  const std::uint32_t blocks = 2 * s.multiprocessors, rounds = s.rounds + 1;
  for (const char* kernel : {"tile_rounds<32>", "tile_rounds<33>"})
    add(
        kernel, fmt::format("{} blocks of 32x32, {} rounds", blocks, rounds), std::string(own) + "matrix_transpose.cu",
        fmt::format("kernel = \"{0}\"\ngrid = {1}\nblock = [32, 32]\nargs = {{ rounds = {2} }}\n[buffers]\n"
                    "p = \"f32 b:{1} i:32 j:32 = zeros\"\nq = \"f32 b:{1} i:32 j:32 = zeros\"\n",
                    kernel, blocks, rounds),
        [](const Buffers& b, const Buffers& a) {
          const auto p = elements<float>(b[0]);
          return compare<float>(a[1],
                                [&](std::size_t at) { return p[at / 1024 * 1024 + at % 32 * 32 + at % 1024 / 32]; });
        },
        0);
  for (const char* kernel : {"shared_transpose_naive", "shared_transpose_padded", "shared_transpose_swizzled"})
    add(
        kernel, fmt::format("the same 32x32 tile in {} blocks", 256 * s.multiprocessors),
        fmt::format("{}{}.cu", catalogue, kernel),
        fmt::format("grid = {}\nblock = [32, 32]\n[buffers]\np = \"f32 i:32 j:32 = zeros\"\n"
                    "q = \"f32 j:32 i:32 = zeros\"\n",
                    256 * s.multiprocessors),
        [](const Buffers& b, const Buffers& a) { return wrong_transpose(b, a, 32, 32); }, 0);
}

// --- structures ---

void add_structures(std::vector<Variant>& all, const Scale& s) {
  const std::size_t n = std::size_t{s.large_side} * s.large_side / 2;
  for (const bool together : {true, false})
    all.push_back({.name = together ? "array_of_structures" : "structure_of_arrays",
                   .size = fmt::format("{} structures of 12 bytes", n),
                   .file = fmt::format("{}{}.cu", catalogue, together ? "array_of_structures" : "structure_of_arrays"),
                   .header = fmt::format("grid = {}\nblock = 128\n{}[buffers]\np = \"f32 {} = zeros\"\n"
                                         "q = \"f32 i:{} = zeros\"\n",
                                         n / 128, together ? "" : fmt::format("args = {{ count = {} }}\n", n),
                                         together ? fmt::format("i:{} c:3", n) : fmt::format("c:3 i:{}", n), n),
                   .fill = [](Buffers& b) { fill_small<float>(b[0], 7); },
                   .wrong =
                       [=](const Buffers& before, const Buffers& after) {
                         const auto p = elements<float>(before[0]);
                         return compare<float>(after[1], [&](std::size_t i) {
                           return together ? p[3 * i] + p[3 * i + 1] + p[3 * i + 2] : p[i] + p[i + n] + p[i + 2 * n];
                         });
                       },
                   .useful_bytes = 16.0 * static_cast<double>(n)});
}

}  // namespace lanescope::gpu_test
