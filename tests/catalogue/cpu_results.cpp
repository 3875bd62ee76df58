#include "tests/catalogue/cpu_results.h"

#include <cmath>
#include <cstring>

namespace lanescope::catalogue {
namespace {

template <class T>
std::vector<T> values(const Bytes& bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

}  // namespace

Bytes butterfly_sums(const Inputs& inputs) {
  std::vector<float> sums = values<float>(inputs("p"));
  for (const std::size_t partner : {16, 8, 4, 2, 1}) {
    const std::vector<float> before = sums;
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] = before[lane] + before[lane ^ partner];
  }
  return bytes_of(sums);
}

Bytes squared_differences(const Inputs& inputs) {
  const auto a = values<std::int32_t>(inputs("a")), b = values<std::int32_t>(inputs("b"));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t d = static_cast<std::uint64_t>(std::int64_t{a[i]} - std::int64_t{b[i]});
    sum += d * d;
  }
  return bytes_of(std::vector<std::uint64_t>{sum});
}

Bytes doubled_and_added(const Inputs& inputs) {
  const auto x = values<float>(inputs("x"));
  auto y = values<float>(inputs("y"));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::fma(2.0f, x[i], y[i]);
  return bytes_of(y);
}

Bytes blurred(const Inputs& inputs, int times) {
  auto field = values<float>(inputs("in"));
  for (int t = 0; t < times; ++t) {
    std::vector<float> next(field.size());
    for (std::size_t i = 0; i < field.size(); ++i) {
      const float left = field[i == 0 ? 0 : i - 1], right = field[i + 1 == field.size() ? i : i + 1];
      next[i] = 0.25f * ((left + 2 * field[i]) + right);
    }
    field = next;
  }
  return bytes_of(field);
}

Bytes coordinate_sums(const Inputs& inputs, std::size_t points, std::size_t stride, std::size_t step) {
  const auto p = values<float>(inputs("p"));
  std::vector<float> sums(points);
  for (std::size_t i = 0; i < points; ++i) sums[i] = (p[i * stride] + p[i * stride + step]) + p[i * stride + 2 * step];
  return bytes_of(sums);
}

}  // namespace lanescope::catalogue
