#pragma once
// Kernels of the catalogue that are wrong on purpose: their outputs depend on the order in which threads run. Here is what
// any order can leave, as plain CPU code, for runs in the emulator and on a GPU alike.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::catalogue {

/// A buffer's bytes, by its name.
using Contents = std::function<std::vector<std::byte>(std::string_view)>;

struct OrderDependent {
  std::string_view kernel;
  /// Why no order of its threads leaves `after`; empty: one does.
  std::string (*objection)(const Contents& before, const Contents& after);
};

namespace order_dependent_details {

template <class T>
std::vector<T> values(const Contents& contents, std::string_view buffer) {
  const std::vector<std::byte> bytes = contents(buffer);
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

inline std::string says(bool possible, std::string_view what, std::size_t at) {
  return possible ? std::string() : std::string(what) + " at " + std::to_string(at);
}

inline std::string one_or_two(const Contents&, const Contents& after) {
  const auto x = values<std::int32_t>(after, "x");
  return says(x.size() == 1 && (x[0] == 1 || x[0] == 2), "neither 1 nor 2", 0);
}

inline std::string seen_or_not(const Contents&, const Contents& after) {
  const auto x = values<std::int32_t>(after, "x"), y = values<std::int32_t>(after, "y");
  return says(x.at(0) == 1 && (y.at(0) == 0 || y.at(0) == 1), "x is not 1, or y neither 0 nor 1", 0);
}

inline std::string some_zeros(const Contents& before, const Contents& after) {
  std::int32_t zeros = 0;
  for (const std::int32_t v : values<std::int32_t>(before, "x")) zeros += v % 100 == 0 ? 1 : 0;
  const std::int32_t count = values<std::int32_t>(after, "count").at(0);
  return says(count <= zeros && (count > 0 || zeros == 0), "a count that no order gives", 0);
}

inline std::string some_of_each_bin(const Contents& before, const Contents& after) {
  std::vector<std::int32_t> all(64);
  for (const std::uint32_t v : values<std::uint32_t>(before, "values")) ++all[v % 64];
  const auto bins = values<std::int32_t>(after, "bins");
  for (std::size_t b = 0; b < all.size(); ++b)
    if (bins.at(b) > all[b] || (all[b] > 0) != (bins[b] > 0)) return says(false, "a bin that no order gives", b);
  return {};
}

inline std::string own_or_mirrored(const Contents& before, const Contents& after) {
  const auto from = values<std::uint8_t>(before, "text"), to = values<std::uint8_t>(after, "text");
  for (std::size_t i = 0; i < from.size(); ++i)
    if (to.at(i) != from[i] && to[i] != from[from.size() - 1 - i]) return says(false, "a character from elsewhere", i);
  return {};
}

/// Threads from 64 on round doubles that no integer reaches: 4 bytes times 128 threads are half of the doubles' place.
inline std::string upper_half_rounded(const Contents& before, const Contents& after) {
  const auto from = values<double>(before, "a");
  const auto to = values<std::int32_t>(after, "out");
  for (std::size_t i = 0; i < from.size(); ++i)
    if (i % 128 >= 64 && to.at(i) != static_cast<std::int32_t>(from[i / 128 * 128 + 127 - i % 128]))
      return says(false, "a number that was not rounded", i);
  return {};
}

inline std::string passed_or_not(const Contents& before, const Contents& after) {
  const auto from = values<std::int32_t>(before, "in"), to = values<std::int32_t>(after, "out");
  for (std::size_t i = 0; i < 64; ++i)
    if (to.at(i) != -1 && to[i] != from.at(127 - i)) return says(false, "neither -1 nor the other half's number", i);
  return {};
}

inline std::string one_of_the_warp(const Contents& before, const Contents& after) {
  const auto from = values<float>(before, "p"), to = values<float>(after, "q");
  for (std::size_t w = 0; w < to.size(); ++w) {
    bool found = w >= from.size() / 32 && to[w] == 0;
    for (std::size_t lane = 0; lane < 32 && w < from.size() / 32; ++lane) found |= to[w] == from[32 * w + lane];
    if (!found) return says(false, "a word of no lane", w);
  }
  return {};
}

/// All but the last result, in which one word was never written.
inline std::string all_but_the_last(const Contents& before, const Contents& after) {
  const auto in = values<float>(before, "in"), out = values<float>(after, "out");
  const std::size_t n = 128;  // of the launch; the arrays continue after it
  const auto blurred = [](const std::vector<float>& f, std::size_t i) {
    return 0.25f * ((f[i - 1] + 2 * f[i]) + f[i + 1]);
  };
  std::vector<float> once(n);
  for (std::size_t i = 1; i + 1 < n; ++i) once[i] = blurred(in, i);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i == n - 3) continue;
    const float expected = i < 2 || i > n - 3 ? 0 : blurred(once, i);
    if (out.at(i) != expected) return says(false, "not the blur of the blur", i);
  }
  return {};
}

/// Sums of parts of 512 in which what others than the first thread of each level added may be missing.
inline std::string some_of_each_part(const Contents& before, const Contents& after) {
  const auto x = values<std::int32_t>(before, "x"), sums = values<std::int32_t>(after, "sum");
  for (std::size_t part = 0; part < sums.size(); ++part) {
    const auto own = x.begin() + static_cast<std::ptrdiff_t>(512 * part);
    std::int32_t least = own[0], all = 0;
    for (int half = 256; half > 0; half /= 2) least += own[half];
    for (int i = 0; i < 512; ++i) all += own[i];
    if (sums[part] < least || sums[part] > all) return says(false, "a sum that no order gives", part);
  }
  return {};
}

}  // namespace order_dependent_details

inline constexpr OrderDependent order_dependent[] = {
    {"barrier_in_branches", order_dependent_details::passed_or_not},
    {"blur_fused_short", order_dependent_details::all_but_the_last},
    {"count_zeros_race", order_dependent_details::some_zeros},
    {"histogram_race", order_dependent_details::some_of_each_bin},
    {"increment_race", order_dependent_details::one_or_two},
    {"reduce_nested_unsynced", order_dependent_details::some_of_each_part},
    {"reverse_unsynchronised", order_dependent_details::own_or_mirrored},
    {"shared_union_overlap", order_dependent_details::upper_half_rounded},
    {"store_same_word", order_dependent_details::one_of_the_warp},
    {"update_race", order_dependent_details::seen_or_not},
};

/// nullptr: the kernel leaves the same in any order.
inline const OrderDependent* find_order_dependent(std::string_view kernel) {
  for (const OrderDependent& k : order_dependent)
    if (k.kernel == kernel) return &k;
  return nullptr;
}

/// Kernels whose outputs are the same in any order while the addresses of their threads are not.
inline bool has_order_dependent_addresses(std::string_view kernel) {
  return find_order_dependent(kernel) != nullptr || kernel == "increment_each_lane" ||
         kernel == "increment_by_ballot" || kernel == "increment_by_group";
}

}  // namespace lanescope::catalogue
