#pragma once
// Random assignments and maps for the layout tests, the published facts, and the oracle that every test leans on: a
// term evaluated name by name, with none of the library's algebra.

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kernels/layout/affine_map.h"
#include "kernels/layout/infer.h"

namespace lanescope::layout::test {

using Random = std::mt19937_64;

inline int below(Random& random, int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); }

inline const nlohmann::json& published() {
  static const nlohmann::json data = [] {
#ifdef LANESCOPE_SOURCE_DIR
    const std::string root = LANESCOPE_SOURCE_DIR;
#else
    const std::string here = __FILE__;
    const std::string root = here.substr(0, here.rfind("/tests/"));
#endif
    std::ifstream file(root + "/tests/data/published_layouts.json");
    return nlohmann::json::parse(file);
  }();
  return data;
}

inline Assignment parsed(std::string_view text) {
  Expected<Assignment> a = parse(text);
  if (!a) {
    for (const Diagnostic& d : a.error()) ADD_FAILURE() << text << "\n" << to_string(d);
    return {};
  }
  return *a;
}

inline AffineMap identity_map(int bits) {
  AffineMap f{.out_bits = bits, .columns = {}, .constant = 0};
  for (int i = 0; i < bits; ++i) f.columns.push_back(std::uint64_t{1} << i);
  return f;
}

/// A random invertible affine map, by random row operations on the identity.
inline AffineMap random_bijection(Random& random, int bits) {
  AffineMap f = identity_map(bits);
  for (int step = 0; bits > 1 && step < 4 * bits; ++step) {
    const auto a = static_cast<std::size_t>(below(random, bits));
    const auto b = static_cast<std::size_t>(below(random, bits));
    if (a != b) f.columns[a] ^= f.columns[b];
  }
  std::shuffle(f.columns.begin(), f.columns.end(), random);
  f.constant = bits == 0 ? 0 : random() & ((std::uint64_t{1} << bits) - 1);
  return f;
}

inline AffineMap random_map(Random& random, int in_bits, int out_bits) {
  AffineMap f{.out_bits = out_bits, .columns = {}, .constant = 0};
  const std::uint64_t mask = out_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << out_bits) - 1;
  for (int i = 0; i < in_bits; ++i) f.columns.push_back(random() & mask);
  f.constant = random() & mask;
  return f;
}

inline PhysicalShape random_shape(Random& random, int most_bits_per_row) {
  PhysicalShape s;
  for (int& bits : s.bits) bits = below(random, most_bits_per_row + 1);
  return s;
}

inline std::vector<std::string> numbered(const std::string& axis, int bits) {
  std::vector<std::string> names;
  for (int i = 0; i < bits; ++i) names.push_back(axis + std::to_string(i));
  return names;
}

/// Any legal assignment: rows absent, empty or filled, sums of any names, constants, unused and junk bits.
inline Assignment random_assignment(Random& random) {
  static const std::vector<std::string> pool = {"i0", "i1",   "i2",  "i10", "j0",  "j1",
                                                "k3", "ReIm", "pol", "t4",  "a_1", "x2y3"};
  Assignment a;
  for (auto& row : a.rows) {
    if (below(random, 4) == 0) continue;
    row.emplace();
    const int bits = below(random, 6);
    for (int i = 0; i < bits; ++i) {
      const int kind = below(random, 8);
      Term t;
      if (kind < 2) {
        t.role = kind == 0 ? Term::Role::unused : Term::Role::junk;
      } else {
        std::vector<std::string> names;
        for (int n = kind < 6 ? 1 : 1 + below(random, 3); n > 0; --n) {
          names.push_back(pool[static_cast<std::size_t>(below(random, static_cast<int>(pool.size())))]);
        }
        t = sum_of(names, below(random, 4) == 0);
        if (t.names.empty()) t = sum_of({"i0"}, t.constant);
      }
      row->push_back(t);
    }
  }
  return a;
}

using Element = std::map<std::string, bool>;

/// The value that a stated bit has for an element: nullopt where the element sits at both values.
inline std::optional<bool> bit_value(const Term& t, const Element& e) {
  if (t.role == Term::Role::unused) return std::nullopt;
  if (t.role == Term::Role::junk) return false;
  bool value = t.constant;
  for (const std::string& name : t.names) value ^= e.at(name);
  return value;
}

/// Whether `a` puts the element at the place, row by row; rows that are absent say yes.
inline bool holds(const Assignment& a, const PhysicalShape& shape, std::uint64_t place, const Element& e) {
  for (int p = 0; p < place_count; ++p) {
    if (!a.rows[static_cast<std::size_t>(p)]) continue;
    const std::vector<Term>& row = *a.rows[static_cast<std::size_t>(p)];
    for (int i = 0; i < shape.bits[static_cast<std::size_t>(p)]; ++i) {
      const bool bit = (place >> (shape.offset(static_cast<Place>(p)) + i) & 1) != 0;
      const std::optional<bool> wanted = i < static_cast<int>(row.size())
                                             ? bit_value(row[static_cast<std::size_t>(i)], e)
                                             : std::optional<bool>(false);
      if (wanted && *wanted != bit) return false;
    }
  }
  return true;
}

inline Element element_of(const std::vector<std::string>& names, std::uint64_t packed) {
  Element e;
  for (std::size_t n = 0; n < names.size(); ++n) e[names[n]] = (packed >> n & 1) != 0;
  return e;
}

inline std::vector<Observation> observe_all(const AffineMap& map) {
  std::vector<Observation> out;
  for (std::uint64_t x = 0; x < std::uint64_t{1} << map.in_bits(); ++x) out.push_back({x, map(x)});
  return out;
}

}  // namespace lanescope::layout::test
