#include "tests/gpu/reference_kernels.h"
#include "kernels/base/read_file.h"

#include <algorithm>

#include "tests/gpu/reference_elements.h"

namespace lanescope::gpu_test {
namespace {

// --- sums of squared differences ---

/// Differences are 0 or 1, one in four of them 1: a float counts them exactly.
template <class T>
void fill_differences(Buffers& b) {
  const auto x = elements<T>(b[0]), y = elements<T>(b[1]);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t bits = mixed(i);
    x[i] = static_cast<T>(bits & 1);
    y[i] = static_cast<T>((bits ^ ((bits >> 1) & (bits >> 2))) & 1);
  }
}

template <class T, class Sum>
std::string wrong_sum(const Buffers& before, const Buffers& after) {
  const auto x = elements<T>(before[0]), y = elements<T>(before[1]);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += x[i] != y[i];
  return compare<Sum>(after[2], [&](std::size_t) { return static_cast<Sum>(count); });
}

void add_rmse(std::vector<Variant>& all, const Scale& s, std::uint32_t side, const std::string& which,
              std::span<const char* const> float_kernels, std::span<const char* const> integer_kernels) {
  const std::uint64_t n = std::uint64_t{side} * side;
  const auto buffers = [&](const char* type, const char* sum) {
    return fmt::format("[buffers]\na = \"{0} i:{1} = zeros\"\nb = \"{0} i:{1} = zeros\"\nsum = \"{2} i:1 = zeros\"\n",
                       type, n, sum);
  };
  const std::string size = fmt::format("{0}x{0}", side);
  for (const char* kernel : float_kernels)
    all.push_back({.name = fmt::format("{} f32, {}", kernel, which),
                   .size = size + fmt::format(", {} blocks of {}", 2 * s.multiprocessors, s.rmse_block),
                   .file = std::string(own) + "rmse_float.cu",
                   .header = fmt::format("kernel = \"{}\"\ngrid = {}\nblock = {}\nshared = {}\n{}", kernel,
                                         2 * s.multiprocessors, s.rmse_block, 4 * s.rmse_block, buffers("f32", "f32")),
                   .fill = fill_differences<float>,
                   .wrong = wrong_sum<float, float>,
                   .useful_bytes = 8.0 * static_cast<double>(n)});
  for (const char* kernel : integer_kernels) {
    const std::uint64_t grid = kernel == std::string("rmse_atomic") ? n / 128 : 16 * s.multiprocessors;
    all.push_back({.name = fmt::format("{} s32, {}", kernel, which),
                   .size = size + fmt::format(", {} blocks of 128", grid),
                   .file = fmt::format("{}{}.cu", catalogue, kernel),
                   .header = fmt::format("grid = {}\nblock = 128\n{}", grid, buffers("s32", "u64")),
                   .fill = fill_differences<std::int32_t>,
                   .wrong = wrong_sum<std::int32_t, std::uint64_t>,
                   .useful_bytes = 8.0 * static_cast<double>(n)});
  }
}

// --- y = 2 x + y ---

void fill_axpy(Buffers& b) { fill_small<float>(b[0], 1), fill_small<float>(b[1], 2); }

std::string wrong_axpy(const Buffers& before, const Buffers& after) {
  const auto x = elements<float>(before[0]), y = elements<float>(before[1]);
  return compare<float>(after[1], [&](std::size_t i) { return 2 * x[i] + y[i]; });
}

void add_axpy(std::vector<Variant>& all, const Scale& s, std::uint32_t side, const std::string& which) {
  const std::uint32_t block = std::min(side, 512u);
  const auto add = [&](const char* kernel, std::string file, const std::string& launch) {
    all.push_back({.name = fmt::format("{}, {}", kernel, which),
                   .size = fmt::format("{0}x{0}", side),
                   .file = std::move(file),
                   .header = launch + fmt::format("[buffers]\nx = \"f32 i:{0} j:{0} = zeros\"\n"
                                                  "y = \"f32 i:{0} j:{0} = zeros\"\n",
                                                  side),
                   .fill = fill_axpy,
                   .wrong = wrong_axpy,
                   .useful_bytes = 12.0 * side * side});
  };
  const std::string by_columns = fmt::format("args = {{ a = 2, columns = {} }}\n", side);
  for (const char* kernel : {"axpy_down", "axpy_along"})
    add(kernel, std::string(own) + "axpy_lines.cu",
        fmt::format("kernel = \"{}\"\ngrid = [{}, {}]\nblock = {}\n", kernel, side, side / block, block) + by_columns);
  for (const char* kernel : {"axpy_columns", "axpy_rows"})
    add(kernel, fmt::format("{}{}.cu", catalogue, kernel),
        fmt::format("grid = [{}, {}]\nblock = [32, 8]\n", side / 32, side / 8) + by_columns);
  add("axpy_grid_stride", std::string(catalogue) + "axpy_grid_stride.cu",
      fmt::format("grid = {}\nblock = 256\nargs = {{ a = 2, n = {} }}\n", 8 * s.multiprocessors, side * side));
}

// --- neighbours ---

template <class T>
void add_neighbours(std::vector<Variant>& all, const Scale& s, const char* type, const char* c_type) {
  const auto add = [&](std::string name, std::string file, std::string kernel, std::uint32_t blocks,
                       std::uint32_t block) {
    const std::uint32_t rounds = s.rounds + 1, n = blocks * block;
    if (!kernel.empty()) kernel = fmt::format("kernel = \"{}\"\n", kernel);
    all.push_back({.name = std::move(name),
                   .size = fmt::format("{} blocks of {}, {} rounds", blocks, block, rounds),
                   .file = std::move(file),
                   .header = kernel + fmt::format("grid = {0}\nblock = {1}\nargs = {{ rounds = {2} }}\n[buffers]\n"
                                                  "p = \"{3} i:{4} = zeros\"\nq = \"{3} i:{4} = zeros\"\n",
                                                  blocks, block, rounds, type, n),
                   .fill = [](Buffers& b) { fill_small<T>(b[0], 3); },
                   .wrong =
                       [rounds](const Buffers& before, const Buffers& after) {
                         const auto p = elements<T>(before[0]);
                         return compare<T>(after[1], [&](std::size_t i) { return p[i / 32 * 32 + (i + rounds) % 32]; });
                       }});
  };
  for (const char* kernel : {"by_barrier", "by_volatile", "by_shuffle"})
    add(fmt::format("neighbour {} {}", kernel, type), std::string(own) + "neighbour_rounds.cu",
        fmt::format("{}<{}>", kernel, c_type), 2 * s.multiprocessors, s.rmse_block);
  if (sizeof(T) == 4)
    for (const char* kernel : {"neighbour_shared", "neighbour_shuffle"})
      add(kernel, fmt::format("{}{}.cu", catalogue, kernel), "", 16 * s.multiprocessors, 128);
}

// --- blurs ---

template <class T>
T blurred(std::span<const T> in, std::size_t i) {
  return static_cast<T>(0.25) * (in[i ? i - 1 : 0] + 2 * in[i] + in[std::min(i + 1, in.size() - 1)]);
}

template <class T>
std::string wrong_blur(const Buffers& before, const Buffers& after, int times) {
  std::vector<T> now(elements<T>(before[0]).begin(), elements<T>(before[0]).end());
  for (int t = 0; t < times; ++t) {
    const std::vector<T> from = now;
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = blurred<T>(from, i);
  }
  return compare<T>(after.back(), [&](std::size_t i) { return now[i]; });
}

template <class T>
void add_blur(std::vector<Variant>& all, std::uint64_t n, const std::string& which, const char* type) {
  const auto add = [&](const std::string& name, std::string file, const char* kernel, int times, bool passes) {
    const std::uint64_t blocks = (n + 127) / 128;
    std::string h = kernel ? fmt::format("kernel = \"{}\"\n", kernel) : "";
    h += fmt::format("grid = {}\nblock = 128\n", blocks);
    if (passes)
      h += fmt::format(
          "[[launch]]\nargs = [\"in\", \"between\", {0}]\n[[launch]]\nargs = [\"between\", \"out\", {0}]\n", n);
    else
      h += fmt::format("args = [\"in\", \"out\", {}]\n", n);
    h += fmt::format("[buffers]\nin = \"{} i:{} = zeros\"\n", type, n);
    if (passes) h += fmt::format("between = \"{} i:{} = zeros\"\n", type, n);
    h += fmt::format("out = \"{} i:{} = zeros\"\n", type, n);
    all.push_back({.name = fmt::format("{} {}, {}", name, type, which),
                   .size = fmt::format("{} elements", n),
                   .file = std::move(file),
                   .header = h,
                   .fill = [](Buffers& b) { fill_small<T>(b[0], 4); },
                   .wrong = [times](const Buffers& b, const Buffers& a) { return wrong_blur<T>(b, a, times); },
                   .useful_bytes = 2.0 * sizeof(T) * static_cast<double>(n)});
  };
  const bool doubles = sizeof(T) == 8;
  const std::string of_doubles = std::string(own) + "blur_double.cu";
  if (doubles) {
    add("blur_plain", of_doubles, "blur_plain", 1, false);
    add("blur_shared", of_doubles, "blur_shared", 1, false);
    add("blur_twice", of_doubles, "blur_shared", 2, true);
    add("blur_fused", of_doubles, "blur_fused", 2, false);
  } else {
    add("blur_twice", std::string(catalogue) + "blur_twice.cu", "blur", 2, true);
    add("blur_fused", std::string(catalogue) + "blur_fused.cu", nullptr, 2, false);
  }
}

/// The text with another launch header in place of its own.
std::string with_header(const std::string& text, const std::string& header) {
  const std::size_t begin = text.find("[lanescope]"), end = text.find("*/");
  if (begin == text.npos || end == text.npos) return text;
  return text.substr(0, begin) + "[lanescope]\n" + header + text.substr(end);
}

}  // namespace

Scale full_scale(std::uint32_t multiprocessors) {
  Scale s;
  s.multiprocessors = multiprocessors;
  return s;
}

Scale small_scale() {
  return {.multiprocessors = 1, .rmse_side = 32, .axpy_side = 32, .large_side = 64, .rounds = 4, .rmse_block = 64};
}

std::vector<Variant> reference_variants(const Scale& s) {
  const std::uint64_t large = std::uint64_t{s.large_side} * s.large_side;
  std::vector<Variant> all;
  static constexpr const char* of_floats[] = {"rmse_atomic", "rmse_private", "rmse_scattered", "rmse_modulo",
                                              "rmse_contiguous"};
  static constexpr const char* of_integers[] = {"rmse_atomic", "rmse_private", "rmse_modulo", "rmse_contiguous"};
  add_rmse(all, s, s.rmse_side, "source size", of_floats, of_integers);
  add_rmse(all, s, s.large_side, "large", std::span(of_floats).first(3), {});
  add_axpy(all, s, s.axpy_side, "source size");
  add_axpy(all, s, s.large_side, "large");
  add_neighbours<float>(all, s, "f32", "float");
  add_neighbours<double>(all, s, "f64", "double");
  add_blur<double>(all, large / 16, "in L2", "f64");
  add_blur<double>(all, large / 2, "large", "f64");
  add_blur<float>(all, large, "large", "f32");
  add_copies(all, s);
  add_shared_widths(all, s);
  add_transposes(all, s);
  add_structures(all, s);
  return all;
}

engine::Prepared prepare(const Variant& variant, const std::string& arch) {
  const std::string text = read_file(variant.file).value_or("");
  engine::Prepared prepared = engine::prepare(
      {.file = variant.file,
       .text = with_header(text, variant.header),
       .arch = arch,
       .probed_run = false,
       .launch_file = {},
       .launch_text = {}},
      [](std::string_view) {}, nullptr);
  if (prepared.ready) variant.fill(prepared.buffers);
  return prepared;
}

}  // namespace lanescope::gpu_test
