#pragma once
// Common parts of the variants of every experiment: elements of buffers, contents, comparison.

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>

#include "tests/gpu/reference_kernels.h"

namespace lanescope::gpu_test {

// Folders of the kernels, from the repository's root.
inline constexpr const char* catalogue = "assets/kernels/";
inline constexpr const char* own = "tests/data/gpu/";

template <class T>
std::span<const T> elements(const trace::Buffer& buffer) {
  return {reinterpret_cast<const T*>(buffer.bytes.data()), buffer.bytes.size() / sizeof(T)};
}
template <class T>
std::span<T> elements(trace::Buffer& buffer) {
  return {reinterpret_cast<T*>(buffer.bytes.data()), buffer.bytes.size() / sizeof(T)};
}

/// Numbers without a pattern, 32 bits.
inline std::uint64_t mixed(std::uint64_t n) {
  n = (n + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  return (n ^ (n >> 29)) * 0x94d049bb133111ebu >> 32;
}

/// Whole numbers from 0 to 7: sums of few of them, and quarters, are exact in any order.
template <class T>
void fill_small(trace::Buffer& buffer, std::uint64_t seed) {
  std::uint64_t n = seed << 40;
  for (T& value : elements<T>(buffer)) value = static_cast<T>(mixed(n++) % 8);
}

/// Empty where element i of `got` is expected(i), for every i; else the first that is not.
template <class T, class F>
std::string compare(const trace::Buffer& got, F expected) {
  const auto values = elements<T>(got);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const T e = expected(i); values[i] != e) return fmt::format("{}[{}] is {}, not {}", got.name, i, values[i], e);
  return "";
}

void add_copies(std::vector<Variant>& all, const Scale& scale);
void add_shared_widths(std::vector<Variant>& all, const Scale& scale);
void add_transposes(std::vector<Variant>& all, const Scale& scale);
void add_structures(std::vector<Variant>& all, const Scale& scale);

}  // namespace lanescope::gpu_test
