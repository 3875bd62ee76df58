// The kernels that the courses compare beside those of reference_kernels.cpp: sums step by step, blocks of a matrix, sums
// by kernels that launch kernels, and what warps exchange by shuffles or through shared memory.

#include <algorithm>
#include <array>
#include <bit>

#include "tests/gpu/reference_elements.h"

namespace lanescope::gpu_test {
namespace {

void fill_words(Buffers& b) { fill_small<std::uint32_t>(b[0], 8); }

// --- sums in place ---

/// Sums of each `part` words of the first buffer, in order.
std::string wrong_sums(const Buffers& before, const Buffers& after, std::size_t part) {
  const auto x = elements<std::uint32_t>(before[0]);
  return compare<std::uint32_t>(after[1], [&](std::size_t b) {
    std::uint32_t sum = 0;
    for (std::size_t i = b * part; i < (b + 1) * part; ++i) sum += x[i];
    return sum;
  });
}

struct Reduction {
  const char* name;
  const char* file;
  const char* kernel;
  std::uint32_t part;  ///< elements of a block of 128
};
constexpr Reduction sums_in_place[] = {
    {"reduce_neighboured", "reduce_neighboured", "", 128},
    {"reduce_less_divergent", "reduce_less_divergent", "", 128},
    {"reduce_interleaved", "reduce_interleaved", "", 128},
    {"reduce_unrolled2", "reduce_unrolled2", "", 256},
    {"reduce_unrolled4", "reduce_unrolled4", "", 512},
    {"reduce_unrolled8", "reduce_unrolled8", "", 1024},
    {"reduce_unrolled_warp", "reduce_unrolled_warp", "", 1024},
    {"reduce_unrolled_fully", "reduce_unrolled_fully", "", 1024},
    {"reduce_template", "reduce_template", "kernel = \"reduce_template<128>\"\n", 1024},
};

void add_reductions(std::vector<Variant>& all, std::uint64_t n, const std::string& which,
                    std::span<const Reduction> some = sums_in_place) {
  for (const Reduction& r : some)
    all.push_back({.name = fmt::format("{}, {}", r.name, which),
                   .size = fmt::format("{} words, {} blocks of 128", n, n / r.part),
                   .file = fmt::format("{}{}.cu", catalogue, r.file),
                   .header = fmt::format("{}grid = {}\nblock = 128\nargs = {{ n = {} }}\n[buffers]\n"
                                         "p = \"u32 i:{} = zeros\"\nq = \"u32 b:{} = zeros\"\n",
                                         r.kernel, n / r.part, n, n, n / r.part),
                   .fill = fill_words,
                   .wrong = [part = r.part](const Buffers& b, const Buffers& a) { return wrong_sums(b, a, part); },
                   .useful_bytes = 4.0 * static_cast<double>(n)});
}

// --- blocks of a matrix of 256 columns ---

void add_matrices(std::vector<Variant>& all, std::uint64_t rows, const std::string& which) {
  struct Shape {
    const char* name;
    std::uint64_t grid_x, grid_y;
    std::uint32_t x, y;
  };
  const Shape shapes[] = {{"matrix_add_1x256", 256, rows / 256, 1, 256},
                          {"matrix_add_256x1", 1, rows, 256, 1},
                          {"matrix_add_32x8", 8, rows / 8, 32, 8}};
  for (const Shape& s : shapes)
    all.push_back(
        {.name = fmt::format("{}, {}", s.name, which),
         .size = fmt::format("{}x256", rows),
         .file = fmt::format("{}{}.cu", catalogue, s.name),
         .header = fmt::format("grid = [{0}, {1}]\nblock = [{2}, {3}]\n[buffers]\na = \"f32 i:{4} j:256 = zeros\"\n"
                               "b = \"f32 i:{4} j:256 = zeros\"\nsum = \"f32 i:{4} j:256 = zeros\"\n",
                               s.grid_x, s.grid_y, s.x, s.y, rows),
         .fill = [](Buffers& b) { fill_small<float>(b[0], 9), fill_small<float>(b[1], 10); },
         .wrong =
             [](const Buffers& before, const Buffers& after) {
               const auto a = elements<float>(before[0]), b = elements<float>(before[1]);
               return compare<float>(after[2], [&](std::size_t i) { return a[i] + b[i]; });
             },
         .useful_bytes = 12.0 * 256 * static_cast<double>(rows)});
}

// --- kernels that launch kernels ---

std::int32_t sum_of(std::span<const std::int32_t> x) {
  std::int32_t sum = 0;
  for (const std::int32_t v : x) sum += v;
  return sum;
}

/// Without the barrier, what others than the first thread of a level have added may be missing; nothing else may be.
std::string impossible_sums(const Buffers& before, const Buffers& after, std::size_t part) {
  const auto x = elements<std::int32_t>(before[0]), sums = elements<std::int32_t>(after[1]);
  for (std::size_t b = 0; b < sums.size(); ++b) {
    const auto own = x.subspan(b * part, part);
    std::int32_t least = own[0];
    for (std::size_t half = part / 2; half > 0; half /= 2) least += own[half];
    if (sums[b] < least || sums[b] > sum_of(own)) return fmt::format("sum[{}] is {}, which no order gives", b, sums[b]);
  }
  return "";
}

/// `blocks` parts of twice `threads` words each. Every block has at most one grid that waits in each of its levels, and all
/// of them together stay below the 2,048 launches that may be pending.
void add_recursive(std::vector<Variant>& all, std::uint32_t blocks, std::uint32_t threads) {
  const std::uint32_t part = 2 * threads, n = blocks * part;
  const auto add = [&](const char* kernel, std::uint32_t grid, std::uint32_t block, std::uint32_t half,
                       std::uint32_t sums, auto wrong) {
    all.push_back(
        {.name = fmt::format("{}, few words", kernel),
         .size = fmt::format("{} words, {} blocks of {} first", n, grid, block),
         .file = fmt::format("{}{}.cu", catalogue, kernel),
         .header = fmt::format("kernel = \"{}\"\ngrid = {}\nblock = {}\nargs = [\"x\", \"sum\", {}]\n[buffers]\n"
                               "x = \"s32 i:{} = zeros\"\nsum = \"s32 i:{} = zeros\"\n",
                               kernel, grid, block, half, n, sums),
         .fill = [](Buffers& b) { fill_small<std::int32_t>(b[0], 11); },
         .wrong = wrong,
         .launched_grids = (sums > 1 ? grid : 1) * (static_cast<std::size_t>(std::bit_width(half)) - 1)});
  };
  const auto sums_of_parts = [part](const Buffers& before, const Buffers& after) {
    const auto x = elements<std::int32_t>(before[0]);
    return compare<std::int32_t>(after[1], [&](std::size_t b) { return sum_of(x.subspan(b * part, part)); });
  };
  add("reduce_nested", blocks, threads, threads, blocks, sums_of_parts);
  add("reduce_nested_unsynced", blocks, threads, threads, blocks,
      [part](const Buffers& before, const Buffers& after) { return impossible_sums(before, after, part); });
  const std::uint32_t block = std::min(128u, n / 2);
  add("reduce_tail", n / 2 / block, block, n / 2, 1, [](const Buffers& before, const Buffers& after) {
    return compare<std::int32_t>(after[1], [&](std::size_t) { return sum_of(elements<std::int32_t>(before[0])); });
  });
}

// --- a warp's exchange, round after round ---

using Words = std::vector<std::uint32_t>;

void scan_once(std::span<std::uint32_t> x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i % 32 > 0) x[i] += x[i - 1];
}

void sort_once(std::span<std::uint32_t> x) {
  for (std::uint32_t& key : x) key *= 2654435761u;
  for (auto first = x.begin(); first != x.end(); first += 32) std::sort(first, first + 32);
}

/// 224 words of a warp, register by register: word 32 r + s was register r of lane s; register c of lane t becomes 7 t + c.
void transpose_once(std::span<std::uint32_t> x) {
  std::array<std::uint32_t, 224> old;
  for (std::size_t first = 0; first < x.size(); first += 224) {
    std::ranges::copy(x.subspan(first, 224), old.begin());
    for (std::size_t c = 0; c < 7; ++c)
      for (std::size_t t = 0; t < 32; ++t) x[first + 32 * c + t] = old[7 * t + c];
  }
}

struct Exchange {
  const char* name;
  std::uint32_t words;  ///< of a thread
  void (*once)(std::span<std::uint32_t>);
};
constexpr Exchange exchanges[] = {{"scan", 1, scan_once}, {"sort", 1, sort_once}, {"transpose", 7, transpose_once}};

void add_exchanges(std::vector<Variant>& all, const Scale& s) {
  for (const Exchange& e : exchanges) {
    const std::uint32_t block = e.words == 1 ? s.rmse_block : std::max(s.rmse_block / 4, 64u);
    const std::uint32_t blocks = (e.words == 1 ? 2 : 8) * s.multiprocessors, own_words = block * e.words;
    const std::uint32_t n = blocks * own_words, rounds = s.rounds;
    for (const char* how : {"by_barrier", "by_warp_barrier", "by_shuffle"})
      all.push_back({.name = fmt::format("{} {}", e.name, how),
                     .size = fmt::format("{} blocks of {}, {} rounds", blocks, block, rounds),
                     .file = std::string(own) + "warp_rounds.cu",
                     .header = fmt::format("kernel = \"{0}<{1}>\"\ngrid = {2}\nblock = {3}\nargs = {{ rounds = {4} }}\n"
                                           "[buffers]\np = \"u32 i:{5} = zeros\"\nq = \"u32 i:{5} = zeros\"\n",
                                           e.name, how, blocks, block, rounds, n),
                     .fill =
                         [own_words](Buffers& b) {  // every block the same, so that one is enough for the CPU
                           const auto p = elements<std::uint32_t>(b[0]);
                           for (std::size_t i = 0; i < p.size(); ++i)
                             p[i] = static_cast<std::uint32_t>(mixed(i % own_words));
                         },
                     .wrong =
                         [own_words, rounds, once = e.once](const Buffers& before, const Buffers& after) {
                           const auto p = elements<std::uint32_t>(before[0]);
                           Words x(p.begin(), p.begin() + own_words);
                           for (std::uint32_t r = 0; r < rounds; ++r) once(x);
                           return compare<std::uint32_t>(after[1], [&](std::size_t i) { return x[i % own_words]; });
                         }});
  }
}

// --- structures of seven words ---

void add_structures_of_seven(std::vector<Variant>& all, std::uint64_t n) {
  for (const char* kernel : {"structures_direct", "structures_shared", "structures_shuffle"})
    all.push_back({.name = kernel,
                   .size = fmt::format("{} structures of 28 bytes", n),
                   .file = fmt::format("{}{}.cu", catalogue, kernel),
                   .header = fmt::format("grid = {}\nblock = 64\n[buffers]\np = \"u32 i:{} c:7 = zeros\"\n"
                                         "q = \"u32 i:{} = zeros\"\n",
                                         n / 64, n, n),
                   .fill = fill_words,
                   .wrong =
                       [](const Buffers& before, const Buffers& after) {
                         const auto p = elements<std::uint32_t>(before[0]);
                         return compare<std::uint32_t>(after[1], [&](std::size_t i) {
                           std::uint32_t digest = 0;
                           for (std::size_t c = 0; c < 7; ++c) digest = 31 * digest + p[7 * i + c];
                           return digest;
                         });
                       },
                   .useful_bytes = 32.0 * static_cast<double>(n)});
}

}  // namespace

std::vector<Variant> course_variants(const Scale& s) {
  const std::uint64_t large = std::uint64_t{s.large_side} * s.large_side;
  std::vector<Variant> all;
  add_reductions(all, large / 4, "in L2");
  add_reductions(all, large, "large");
  add_matrices(all, std::max<std::uint64_t>(large / 2048, 256), "in L2");
  add_matrices(all, std::max<std::uint64_t>(large / 512, 256),
               "large");  // 32,768 rows; a grid has up to 65,535 along y
  add_recursive(all, s.rmse_block / 8, s.rmse_block / 4);
  add_reductions(all, s.rmse_block / 8 * (s.rmse_block / 2), "few words", std::span(sums_in_place).subspan(2, 1));
  add_exchanges(all, s);
  add_structures_of_seven(all, large / 4);
  return all;
}

}  // namespace lanescope::gpu_test
