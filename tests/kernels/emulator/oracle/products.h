#pragma once
// Products of matrices in registers as cases: which element lies where, and what comes out, written down from the PTX ISA
// ("Matrix Fragments for mma...", "Sparse matrix storage") shape by shape, apart from the emulator.

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "tests/kernels/emulator/oracle/cases.h"
#include "tests/kernels/emulator/oracle/oracle.h"

namespace lanescope::emulator::test {

/// An instance of mma, taken apart.
struct Product {
  std::string instance;
  int m = 0, n = 0, k = 0;
  std::string d, a, b, c;  ///< types
  bool a_by_rows = true, b_by_columns = true;
  bool sparse = false, ordered = false, clamps = false;
  int selector = 0;
  int scales = 0;  ///< factors of a row of A and of a column of B
  bool ue4m3 = false;
  int a_byte = 0, a_thread = 0, b_byte = 0, b_thread = 0;
  char operation = '*';                         ///< of b1: '^' or '&'
  std::vector<std::vector<std::string>> lists;  ///< registers of d, a, b, c
  int stored() const { return sparse ? k / 2 : k; }
};

inline std::vector<std::vector<std::string>> lists_of(const std::string& instance) {
  std::vector<std::vector<std::string>> out;
  for (std::size_t at = instance.find('{'); at != std::string::npos; at = instance.find('{', at + 1)) {
    out.emplace_back();
    std::string name;
    for (std::size_t i = at + 1; instance[i - 1] != '}'; ++i)
      if (instance[i] == ',' || instance[i] == '}')
        out.back().push_back(name), name.clear();
      else if (instance[i] != ' ')
        name += instance[i];
  }
  return out;
}

inline Product product_of(const std::string& instance) {
  Product p;
  p.instance = instance;
  const Words w = words_of(instance);
  std::vector<std::string> types, layouts;
  for (const std::string& part : w.parts) {
    for (const std::string_view known : {"f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1",
                                         "s8", "u8", "s4", "u4", "b1", "s32"})
      if (part == known) types.push_back(part);
    if (part == "row" || part == "col") layouts.push_back(part);
    int m, n, k;
    if (std::sscanf(part.c_str(), "m%dn%dk%d", &m, &n, &k) == 3) p.m = m, p.n = n, p.k = k;
  }
  if (types.size() == 3) types.push_back(types[0]);  // wgmma
  if (types.size() == 4) p.d = types[0], p.a = types[1], p.b = types[2], p.c = types[3];
  if (layouts.size() == 2) p.a_by_rows = layouts[0] == "row", p.b_by_columns = layouts[1] == "col";
  p.ordered = w.has("sp::ordered_metadata");
  p.sparse = p.ordered || w.has("sp");
  p.clamps = w.has("satfinite");
  p.operation = w.has("xor") ? '^' : w.has("and") ? '&' : '*';
  p.lists = lists_of(instance);
  if (w.has("block_scale")) {
    const bool packed = w.has("kind::mxf4") || w.has("kind::mxf4nvf4");
    if (packed) p.a = p.b = "e2m1 packed";
    p.scales = w.has("scale_vec::4X") ? 4 : packed ? 2 : 1;
    p.ue4m3 = w.has("ue4m3");
    p.a_byte = std::stoi(p.lists[4][0]), p.a_thread = std::stoi(p.lists[4][1]);
    p.b_byte = std::stoi(p.lists[5][0]), p.b_thread = std::stoi(p.lists[5][1]);
  }
  if (p.sparse && w.name == "mma")
    p.selector = std::stoi(w.operands[w.operands.size() - (p.scales != 0 ? 7 : 1)], nullptr, 0);
  return p;
}

inline int width_of(const std::string& t) {
  return t == "f64"                                     ? 64
         : t == "f32" || t == "tf32" || t == "s32"      ? 32
         : t == "f16" || t == "bf16"                    ? 16
         : t == "s4" || t == "u4" || t == "e2m1 packed" ? 4
         : t == "b1"                                    ? 1
                                                        : 8;
}
inline bool is_whole(const std::string& t) { return t[0] == 's' || t[0] == 'u' || t == "b1"; }

inline std::uint64_t float_bits_in(const std::string& t, double v) {
  const Format f = t == "e4m3"             ? Format{4, 3}
                   : t == "e5m2"           ? Format{5, 2}
                   : t == "e3m2"           ? Format{3, 2}
                   : t == "e2m3"           ? Format{2, 3}
                   : t.starts_with("e2m1") ? Format{2, 1}
                                           : format_of(t);
  if (std::isnan(v)) return t == "e4m3" ? 0x7f : nan_of(f);
  if (std::isinf(v))
    return ((std::uint64_t{1} << f.exponent) - 1) << f.mantissa | std::uint64_t{v < 0} << (f.exponent + f.mantissa);
  // Formats without infinities reach one exponent further, which no number here needs.
  const std::uint64_t bits = rounded(v, 0, std::signbit(v), f, Mode::nearest);
  return t == "e2m1" ? bits << 2 : bits;
}

/// Bits of a number in a type. Floating types hold it exactly.
inline std::uint64_t bits_in(const std::string& t, double v) {
  if (is_whole(t))
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(v)) & ((std::uint64_t{1} << width_of(t)) - 1);
  // The same few numbers again and again, and `rounded` takes its time.
  static std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> known;
  const auto [it, is_new] = known.try_emplace({t, std::bit_cast<std::uint64_t>(v)});
  if (is_new) it->second = float_bits_in(t, v);
  return it->second;
}

struct Element {
  int row = 0, column = 0;
};

/// Element i of a lane's A (of a sparse one: of what is stored), from its lowest register bits on.
inline Element place_of_a(const Product& p, int lane, int i) {
  const int g = lane / 4, t = lane % 4, bits = width_of(p.a), k = p.stored();
  if (p.m == 8 && p.k == 4 && bits == 16) {  // lanes 4q..4q+3 and 16 + 4q..: product q
    const int half = lane < 16 ? 0 : 4;
    return p.a_by_rows ? Element{lane % 4 + half, i} : Element{i + half, lane % 4};
  }
  if (bits == 64) {
    if (p.m == 8 || k == 4) return {i == 0 ? g : g + 8, t};
    if (k == 8) return {i % 2 == 0 ? g : g + 8, i < 2 ? t : t + 4};
    return {i % 2 == 0 ? g : g + 8, i % 2 == 0 ? 2 * i + t : 2 * i - 2 + t};
  }
  if (bits == 32) return {i % 2 == 0 ? g : g + 8, i < 2 ? t : t + 4};
  if (bits == 16)
    return k == 8 ? Element{i < 2 ? g : g + 8, 2 * t + (i & 1)}
                  : Element{i < 2 || (i >= 4 && i < 6) ? g : g + 8, 2 * t + (i & 1) + (i >= 4 ? 8 : 0)};
  if (bits == 8) {
    if (p.m == 8) return {g, 4 * t + i};
    return k == 16 ? Element{i < 4 ? g : g + 8, 4 * t + (i & 3)}
                   : Element{i < 4 || (i >= 8 && i < 12) ? g : g + 8, 4 * t + (i & 3) + (i >= 8 ? 16 : 0)};
  }
  if (bits == 4) {
    if (p.m == 8) return {g, 8 * t + i};
    return k == 32 ? Element{i < 8 ? g : g + 8, 8 * t + (i & 7)}
                   : Element{i < 8 || (i >= 16 && i < 24) ? g : g + 8, 8 * t + (i & 7) + (i >= 16 ? 32 : 0)};
  }
  if (p.m == 8) return {g, 32 * t + i};
  return k == 128 ? Element{i < 32 ? g : g + 8, 32 * t + (i & 31)}
                  : Element{i < 32 || (i >= 64 && i < 96) ? g : g + 8, 32 * t + (i & 31) + (i >= 64 ? 128 : 0)};
}

/// Element i of a lane's B: its row is the depth.
inline Element place_of_b(const Product& p, int lane, int i) {
  const int g = lane / 4, t = lane % 4;
  switch (width_of(p.b)) {
    case 64:
      return {t + 4 * i, g};
    case 32:
      return {t + 4 * i, g};
    case 16:
      if (p.m == 8) {
        const int half = lane < 16 ? 0 : 4;
        return p.b_by_columns ? Element{i, lane % 4 + half} : Element{lane % 4, i + half};
      }
      return {2 * t + (i & 1) + 8 * (i / 2), g};
    case 8:
      return {4 * t + (i & 3) + 16 * (i / 4), g};
    case 4:
      return {8 * t + (i & 7) + 32 * (i / 8), g};
    default:
      return {32 * t + (i & 31) + 128 * (i / 32), g};
  }
}

/// Element i of a lane's C or D of this type.
inline Element place_of_d(const Product& p, const std::string& type, int lane, int i) {
  if (p.m == 8 && p.k == 4 && width_of(p.a) == 16) {
    const int half = lane < 16 ? 0 : 4;
    if (type == "f16") return {lane % 4 + half, i};
    return {(lane & 1) + (i & 2) + half, (i & 4) + (lane & 2) + (i & 1)};
  }
  return {i < 2 ? lane / 4 : lane / 4 + 8, 2 * (lane % 4) + (i & 1)};
}

/// Of m8n8k4 of f16 the warp has four products, each of eight lanes.
inline int matrix_of(const Product& p, int lane) {
  return p.m == 8 && p.k == 4 && width_of(p.a) == 16 ? lane % 16 / 4 : 0;
}

/// Four bits of metadata of a chunk of a sparse row, and the lane and bit where they lie: "Tk: [m..n]" of the figures.
struct Chunk {
  int lane, bit;
};
inline Chunk chunk_of(const Product& p, int row, int chunk) {
  const std::string shape = fmt::format("k{} {}", p.k, width_of(p.a));
  const int group = 4 * (row % 8), half = row / 8;
  if (shape == "k16 16" || shape == "k8 32") return {group + p.selector, 16 * half + 4 * chunk};
  if (shape == "k32 16" || shape == "k16 32")
    return {group + 2 * p.selector + (chunk >= 4 ? 1 : 0), 16 * half + 4 * (chunk & 3)};
  if (shape == "k32 8" || shape == "k64 4") return {group + 2 * p.selector + half, 4 * chunk};
  return {group + half + (chunk >= 8 ? 2 : 0), 4 * (chunk & 7)};  // all four lanes
}

/// Matrices of one warp (of m8n8k4 of f16: of four products), as numbers.
struct Matrices {
  std::vector<double> a, b, c, d;  ///< of each product by rows; a is m x k with the zeros of a sparse one
};

struct ProductTrial {
  static constexpr int b_at = 16, c_at = 24, e_at = 32, words = 36;  ///< of a lane: A, B, C, metadata
  std::vector<std::uint32_t> in = std::vector<std::uint32_t>(32 * words);
  Matrices matrices[4];
};

inline void put_bits(std::vector<std::uint32_t>& words, std::size_t first_word, int width, int i, std::uint64_t value) {
  for (int b = 0; b < width; ++b) {
    const std::size_t bit = first_word * 32 + static_cast<std::size_t>(i * width + b);
    words[bit / 32] |= static_cast<std::uint32_t>(value >> b & 1) << (bit % 32);
  }
}

/// Numbers whose sums of products are exact in D's type; `special`: infinities and NaN among them, where the type has them.
inline ProductTrial product_trial(const Product& p, std::mt19937_64& random, bool special) {
  ProductTrial trial;
  const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  const auto some = [&](const std::string& t) -> double {
    if (t == "b1") return below(2);
    if (t == "s32") return static_cast<std::int32_t>(random() >> (below(4) == 0 ? 0 : 8 + below(16)));
    if (is_whole(t)) return t[0] == 'u' ? below(1 << width_of(t)) : below(1 << width_of(t)) - (1 << (width_of(t) - 1));
    if (special && below(12) == 0) {
      const int which = below(3);
      if (t == "e4m3") return std::nan("");
      if (t != "e3m2" && t != "e2m3" && !t.starts_with("e2m1"))
        return which == 0 ? std::nan("") : which == 1 ? HUGE_VAL : -HUGE_VAL;
    }
    return below(9) - 4;
  };
  const bool quads = p.m == 8 && p.k == 4 && width_of(p.a) == 16;
  const int chunk_columns = width_of(p.a) == 32 ? 2 : width_of(p.a) == 4 ? 8 : 4;
  std::vector<double> stored(static_cast<std::size_t>(p.m * p.stored()));
  for (int q = 0; q < (quads ? 4 : 1); ++q) {
    Matrices& x = trial.matrices[q];
    x.a.resize(static_cast<std::size_t>(p.m * p.k)), x.b.resize(static_cast<std::size_t>(p.k * p.n));
    x.c.resize(static_cast<std::size_t>(p.m * p.n)), x.d.resize(static_cast<std::size_t>(p.m * p.n));
    for (double& v : x.b) v = some(p.b);
    for (int lane = 0; lane < 32 && p.scales != 0; ++lane)
      for (int word = 1; word <= 2; ++word)
        for (int byte = 0; byte < 4; ++byte) {
          static constexpr std::uint32_t quarters[] = {0x30, 0x38, 0x3c, 0x40};  // 0.5, 1, 1.5, 2 of e4m3
          const std::uint32_t code = p.ue4m3 ? quarters[below(4)] : static_cast<std::uint32_t>(125 + below(5));
          const int at = lane * ProductTrial::words + ProductTrial::e_at + word;
          trial.in[static_cast<std::size_t>(at)] |= code << 8 * byte;
        }
    const auto scale = [&](int word, int lane, int byte) -> double {
      const std::uint32_t code =
          trial.in[static_cast<std::size_t>(lane * ProductTrial::words + ProductTrial::e_at + word)] >> 8 * byte & 0xff;
      if (p.ue4m3) return code == 0x30 ? 0.5 : code == 0x38 ? 1 : code == 0x3c ? 1.5 : 2;
      return std::ldexp(1.0, static_cast<int>(code) - 127);
    };
    for (double& v : x.c) v = some(p.c == "s32" ? "s32" : p.c);
    std::vector<bool> meets(x.a.size(), true);
    if (!p.sparse) {
      for (double& v : x.a) v = some(p.a);
    } else {
      meets.assign(x.a.size(), false);
      for (int row = 0; row < p.m; ++row)
        for (int chunk = 0; chunk < p.k / chunk_columns; ++chunk) {
          int first = below(4), second = below(3);
          if (second >= first) ++second;
          if (p.ordered && second < first) std::swap(first, second);
          std::uint32_t metadata = static_cast<std::uint32_t>(first | second << 2);
          std::vector<int> columns;
          if (width_of(p.a) == 32)
            metadata = below(2) == 0 ? 0b0100 : 0b1110, columns = {metadata == 0b1110 ? 1 : 0};
          else if (width_of(p.a) == 4)
            columns = {2 * first, 2 * first + 1, 2 * second, 2 * second + 1};
          else
            columns = {first, second};
          const Chunk at = chunk_of(p, row, chunk);
          trial.in[static_cast<std::size_t>(at.lane * ProductTrial::words + ProductTrial::e_at)] |= metadata << at.bit;
          for (std::size_t e = 0; e < columns.size(); ++e) {
            const double v = some(p.a);
            const auto whole = static_cast<std::size_t>(row * p.k + chunk * chunk_columns + columns[e]);
            x.a[whole] = v, meets[whole] = true;
            stored[static_cast<std::size_t>(row * p.stored() + chunk * chunk_columns / 2) + e] = v;
          }
        }
    }
    for (int row = 0; row < p.m; ++row)
      for (int column = 0; column < p.n; ++column) {
        const auto at = static_cast<std::size_t>(row * p.n + column);
        long double sum = static_cast<long double>(x.c[at]);
        for (int k = 0; k < p.k; ++k) {
          if (!meets[static_cast<std::size_t>(row * p.k + k)]) continue;
          const int part = p.scales == 0 ? 0 : k / (p.k / p.scales);
          const double factor = p.scales == 0 ? 1
                                              : scale(1, row % 8 * 4 + 2 * p.a_thread + row / 8, p.a_byte + part) *
                                                    scale(2, column * 4 + p.b_thread, p.b_byte + part);
          const double a = factor * x.a[static_cast<std::size_t>(row * p.k + k)],
                       b = x.b[static_cast<std::size_t>(k * p.n + column)];
          sum += p.operation == '*'   ? static_cast<long double>(a) * static_cast<long double>(b)
                 : p.operation == '^' ? (a != b ? 1 : 0)
                                      : (a != 0 && b != 0 ? 1 : 0);
        }
        if (p.d == "s32") {
          if (p.clamps) sum = std::min(std::max(sum, -2147483648.0L), 2147483647.0L);
          sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
        }
        x.d[at] = static_cast<double>(sum);
      }
  }
  for (int lane = 0; lane < 32; ++lane) {
    const Matrices& x = trial.matrices[matrix_of(p, lane)];
    const auto base = static_cast<std::size_t>(lane * ProductTrial::words);
    const auto count = [&](std::size_t list, const std::string& t) {
      return static_cast<int>(p.lists[list].size()) * (t == "f64" ? 64 : 32) / width_of(t);
    };
    for (int i = 0; i < count(1, p.a); ++i) {
      const Element e = place_of_a(p, lane, i);
      const double v = p.sparse ? stored[static_cast<std::size_t>(e.row * p.stored() + e.column)]
                                : x.a[static_cast<std::size_t>(e.row * p.k + e.column)];
      put_bits(trial.in, base, width_of(p.a), i, bits_in(p.a, v));
    }
    for (int i = 0; i < count(2, p.b); ++i) {
      const Element e = place_of_b(p, lane, i);
      put_bits(trial.in, base + ProductTrial::b_at, width_of(p.b), i,
               bits_in(p.b, x.b[static_cast<std::size_t>(e.row * p.n + e.column)]));
    }
    for (int i = 0; i < count(3, p.c); ++i) {
      const Element e = place_of_d(p, p.c, lane, i);
      put_bits(trial.in, base + ProductTrial::c_at, width_of(p.c), i,
               bits_in(p.c, x.c[static_cast<std::size_t>(e.row * p.n + e.column)]));
    }
  }
  return trial;
}

/// Contents of D's registers in each lane, eight words a lane.
inline std::vector<std::uint32_t> expected_words(const Product& p, const ProductTrial& trial) {
  std::vector<std::uint32_t> out(32 * 8);
  for (int lane = 0; lane < 32; ++lane) {
    const Matrices& x = trial.matrices[matrix_of(p, lane)];
    const int count = static_cast<int>(p.lists[0].size()) * (p.d == "f64" ? 64 : 32) / width_of(p.d);
    for (int i = 0; i < count; ++i) {
      const Element e = place_of_d(p, p.d, lane, i);
      put_bits(out, static_cast<std::size_t>(lane) * 8, width_of(p.d), i,
               bits_in(p.d, x.d[static_cast<std::size_t>(e.row * p.n + e.column)]));
    }
  }
  return out;
}

/// Warps of a block, each with a trial of its own; their D's lie after all of their inputs.
struct ProductCase {
  Product product;
  std::vector<ProductTrial> trials;
  Case run;
  std::size_t results_at() const { return trials.size() * 32 * ProductTrial::words; }
};

inline ProductCase product_case(const std::string& instance, std::mt19937_64& random, int warps) {
  ProductCase out{product_of(instance), {}, {}};
  const Product& p = out.product;
  out.run.instance = instance;
  out.run.threads = static_cast<std::uint32_t>(32 * warps);
  for (int w = 0; w < warps; ++w) {
    out.trials.push_back(product_trial(p, random, w % 4 == 3));
    const auto& in = out.trials.back().in;
    out.run.words.insert(out.run.words.end(), in.begin(), in.end());
  }
  out.run.words.resize(out.results_at() + static_cast<std::size_t>(warps) * 32 * 8);
  std::string body = fmt::format("mul.wide.u32 %rd1, %t, {}; add.s64 %rd1, %rd0, %rd1;\n", ProductTrial::words * 4);
  const int first[] = {0, 0, ProductTrial::b_at, ProductTrial::c_at};
  for (std::size_t list = 1; list < 4; ++list)
    for (std::size_t i = 0; i < p.lists[list].size(); ++i) {
      const bool wide = p.a == "f64";
      body += fmt::format("ld.global.b{} {}, [%rd1+{}];\n", wide ? 64 : 32, p.lists[list][i],
                          4 * first[list] + (wide ? 8 : 4) * static_cast<int>(i));
    }
  if (p.scales != 0)
    body += fmt::format("ld.global.b32 %a32, [%rd1+{}]; ld.global.b32 %b32, [%rd1+{}];\n", 4 * ProductTrial::e_at + 4,
                        4 * ProductTrial::e_at + 8);
  if (p.sparse) body += fmt::format("ld.global.b32 %x32, [%rd1+{}];\n", 4 * ProductTrial::e_at);
  body += instance + ";\n";
  body += fmt::format("mul.wide.u32 %rd1, %t, 32; add.s64 %rd1, %rd0, %rd1;\n");
  for (std::size_t i = 0; i < p.lists[0].size(); ++i)
    body += fmt::format("st.global.b{} [%rd1+{}], {};\n", p.a == "f64" ? 64 : 32,
                        4 * out.results_at() + (p.a == "f64" ? 8 : 4) * i, p.lists[0][i]);
  out.run.body = body;
  return out;
}

/// The first result that differs, in words; empty where all are as expected.
inline std::string judge_product(const ProductCase& c, std::span<const std::uint32_t> words) {
  for (std::size_t w = 0; w < c.trials.size(); ++w) {
    const auto want = expected_words(c.product, c.trials[w]);
    for (std::size_t i = 0; i < want.size(); ++i) {
      const std::uint32_t got = words[c.results_at() + w * 256 + i];
      if (got != want[i])
        return fmt::format("{}: warp {}, lane {}, word {}: {:#x}, not {:#x}", c.product.instance, w, i / 8, i % 8, got,
                           want[i]);
    }
  }
  return {};
}

}  // namespace lanescope::emulator::test
