#include "tests/catalogue/cpu_results.h"

#include <algorithm>
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

Bytes every(const Inputs& inputs, std::size_t step) {
  const auto in = values<float>(inputs("in"));
  std::vector<float> out;
  for (std::size_t i = 0; i < in.size(); i += step) out.push_back(in[i]);
  return bytes_of(out);
}

Bytes weighted_neighbours(const Inputs& inputs) {
  const auto in = values<std::uint32_t>(inputs("in"));
  std::vector<std::uint32_t> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = in[i == 0 ? 0 : i - 1] + 2 * in[i] + in[i + 1 == in.size() ? i : i + 1];
  return bytes_of(out);
}

Bytes blurred_inside(const Inputs& inputs) {
  auto out = values<float>(blurred(inputs, 1));
  out.front() = out.back() = 0;
  return bytes_of(out);
}

Bytes mirrored_waves(const Inputs& inputs) {
  const auto w = values<std::int32_t>(inputs("w"));
  const auto a = values<double>(inputs("a")), x = values<double>(inputs("x"));
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t other = i / 128 * 128 + 127 - i % 128;
    const double s = w[other] * x[i], cube = s * s * s;
    y[i] = a[other] * (s - cube / 6);
  }
  return bytes_of(y);
}

Bytes reversed(const Inputs& inputs) {
  Bytes text = inputs("text");
  std::ranges::reverse(text);
  return text;
}

Bytes dot_product(const Inputs& inputs) {
  const auto x = values<std::uint32_t>(inputs("x")), y = values<std::uint32_t>(inputs("y"));
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return bytes_of(std::vector<std::uint32_t>{sum});
}

Bytes sums_of_parts(const Bytes& what, std::size_t each) {
  const auto all = values<std::uint32_t>(what);
  std::vector<std::uint32_t> sums(all.size() / each);
  for (std::size_t i = 0; i < all.size(); ++i) sums[i / each] += all[i];
  return bytes_of(sums);
}

Bytes threads_of_each_depth(const Inputs&) {
  std::vector<std::uint32_t> seen(32);
  for (std::size_t depth = 0; depth < 4; ++depth)
    for (std::size_t thread = 0; thread < (std::size_t{8} >> depth); ++thread)
      seen[8 * depth + thread] = std::uint32_t{8} >> depth;
  return bytes_of(seen);
}

Bytes added(const Bytes& what, std::int32_t more) {
  auto all = values<std::uint32_t>(what);
  for (std::uint32_t& v : all) v += static_cast<std::uint32_t>(more);
  return bytes_of(all);
}

Bytes count_of_zeros(const Inputs& inputs) {
  const auto x = values<std::int32_t>(inputs("x"));
  const auto zeros = std::ranges::count_if(x, [](std::int32_t v) { return v % 100 == 0; });
  return bytes_of(std::vector<std::int32_t>{static_cast<std::int32_t>(zeros)});
}

Bytes histogram(const Inputs& inputs) {
  std::vector<std::int32_t> bins(64);
  for (const std::uint32_t v : values<std::uint32_t>(inputs("values"))) ++bins[v % 64];
  return bytes_of(bins);
}

Bytes slots_of_positives(const Inputs& inputs) {
  const auto x = values<std::int32_t>(inputs("x"));
  std::vector<std::int32_t> slots(x.size());
  const auto positives = std::ranges::count_if(x, [](std::int32_t v) { return v > 0; });
  std::fill(slots.begin(), slots.begin() + positives, 1);
  return bytes_of(slots);
}

Bytes gathered(const Inputs& inputs, std::size_t elements, const std::function<std::uint64_t(std::uint64_t)>& origin) {
  const auto p = values<std::uint32_t>(inputs("p"));
  std::vector<std::uint32_t> q(elements);
  for (std::size_t n = 0; n < elements; ++n) q[n] = p.at(origin(n));
  return bytes_of(q);
}

Bytes scattered(const Inputs& inputs, std::size_t elements, std::size_t lanes,
                const std::function<std::uint64_t(std::uint64_t)>& place) {
  const auto p = values<std::uint32_t>(inputs("p"));
  std::vector<std::uint32_t> q(elements);
  for (std::size_t n = 0; n < p.size(); ++n)
    if (n % 32 < lanes) q.at(place(n)) = p[n];
  return bytes_of(q);
}

Bytes four_sums(const Inputs& inputs) {
  const auto p = values<float>(inputs("p"));
  std::vector<float> q;
  for (int k = 0; k < 4; ++k)
    for (const float v : p) q.push_back(v + static_cast<float>(k));
  return bytes_of(q);
}

Bytes polynomial(const Inputs& inputs) {
  auto p = values<float>(inputs("p"));
  for (float& x : p) x = std::fma(std::fma(std::fma(0.5f, x, -2.0f), x, 0.25f), x, 1.0f);
  return bytes_of(p);
}

Bytes times_lane(const Inputs& inputs) {
  auto p = values<float>(inputs("p"));
  for (std::size_t i = 0; i < p.size(); ++i) p[i] *= static_cast<float>(i % 32);
  return bytes_of(p);
}

Bytes sums_of_five(const Inputs& inputs) {
  const auto p = values<float>(inputs("p"));
  const std::size_t n = p.size() / 5;
  std::vector<float> q(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(n));
  for (std::size_t k = 1; k < 5; ++k)
    for (std::size_t i = 0; i < n; ++i) q[i] += p[k * n + i];
  return bytes_of(q);
}

Bytes matrix_sum(const Inputs& inputs) {
  auto a = values<float>(inputs("a"));
  const auto b = values<float>(inputs("b"));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return bytes_of(a);
}

Bytes row_added(const Inputs& inputs) {
  auto p = values<float>(inputs("p"));
  for (std::size_t i = 40; i < p.size(); ++i) p[i] += 1000;
  return bytes_of(p);
}

}  // namespace lanescope::catalogue
