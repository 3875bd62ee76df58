#pragma once
// The classes of <random> that host programs may use. An object of the program has the bytes that it has in C++.

#include <cstdint>
#include <iterator>
#include <random>
#include <string_view>
#include <tuple>

namespace lanescope::source::host {

using Engines = std::tuple<std::minstd_rand0, std::minstd_rand, std::mt19937, std::mt19937_64>;
using Distributions =
    std::tuple<std::uniform_real_distribution<float>, std::uniform_real_distribution<double>,
               std::uniform_int_distribution<int>, std::uniform_int_distribution<unsigned>,
               std::uniform_int_distribution<long>, std::uniform_int_distribution<unsigned long>,
               std::normal_distribution<float>, std::normal_distribution<double>, std::bernoulli_distribution>;
/// f(T*) of the n-th type of a tuple, counted from `first`; false: there is none.
template <class Tuple, std::size_t i = 0>
bool with_type(std::uint64_t n, std::uint64_t first, auto&& f) {
  if constexpr (i < std::tuple_size_v<Tuple>) {
    if (n != first + i) return with_type<Tuple, i + 1>(n, first, f);
    return f(static_cast<std::tuple_element_t<i, Tuple>*>(nullptr)), true;
  }
  return false;
}
/// Type::count of an engine, a distribution and std::random_device.
inline constexpr std::uint64_t first_engine = 1, first_distribution = 100, random_device = 200;

/// In the order of the tuples.
inline constexpr std::string_view engine_names[] = {"minstd_rand0|default_random_engine", "minstd_rand", "mt19937",
                                                    "mt19937_64"};
inline constexpr std::string_view distribution_names[] = {"uniform_real_distribution<float>",
                                                          "uniform_real_distribution<double>",
                                                          "uniform_int_distribution<int>",
                                                          "uniform_int_distribution<unsigned int>",
                                                          "uniform_int_distribution<long long>",
                                                          "uniform_int_distribution<unsigned long long>",
                                                          "normal_distribution<float>",
                                                          "normal_distribution<double>",
                                                          "bernoulli_distribution"};
static_assert(std::size(engine_names) == std::tuple_size_v<Engines> &&
              std::size(distribution_names) == std::tuple_size_v<Distributions>);

}  // namespace lanescope::source::host
