#pragma once
// Products of warpgroups as cases: matrices laid out in shared memory as the PTX ISA describes it ("Shared Memory Matrix
// Layout", canonical layouts), and what comes out, written down apart from the emulator.

#include <set>

#include "kernels/emulator/forms/forms.h"
#include "tests/kernels/emulator/oracle/products.h"

namespace lanescope::emulator::test {

/// A matrix of `rows` x k (B: its columns x k) after a descriptor. T: elements in 16 bytes, W: elements in the width of
/// the swizzle.
struct SharedMatrix {
  int rows = 0, depth = 0, bits = 16;
  int swizzle = 0;              ///< of the descriptor: 0 none, 1 128 bytes, 2 64, 3 32
  bool by_depth = true;         ///< k by k ("K major"); else by rows ("MN major")
  int start = 0;                ///< bytes from the beginning of the array
  int leading = 0, stride = 0;  ///< bytes

  int width_bytes() const { return swizzle == 0 ? 16 : 256 >> swizzle; }
  static int up(int n, int unit) { return (n + unit - 1) / unit; }

  /// Without gaps; `padded`: with 16 core matrices' room more where the layout has it.
  void choose_offsets(bool padded) {
    const int more = padded ? 128 : 0, elements = width_bytes() * 8 / bits;
    if (by_depth && swizzle == 0)
      stride = 128 + more, leading = stride * up(rows, 8);
    else if (by_depth)
      stride = 8 * width_bytes(), leading = 16;
    else if (swizzle == 0)
      stride = 128, leading = 128 * up(rows, elements) + more;
    else
      stride = 8 * width_bytes(), leading = stride * up(depth, 8);
  }
  /// Bit of element (row, k) from the beginning of the array, which lies at a multiple of 1024 bytes.
  int bit_of(int row, int k) const {
    const int per = width_bytes() * 8 / bits;  // T or W
    int byte = 0, rest = 0;
    if (by_depth && swizzle == 0) {
      byte = row % 8 * 16 + row / 8 * stride + k / per * leading, rest = k % per;
    } else if (by_depth) {
      byte = row % 8 * width_bytes() + row / 8 * stride, rest = k;
    } else if (swizzle == 0) {
      byte = k % 8 * 16 + k / 8 * leading + row / per * stride, rest = row % per;
    } else {
      byte = k % 8 * width_bytes() + k / 8 * stride + row / per * leading, rest = row % per;
    }
    int bit = (start + byte) * 8 + rest * bits;
    // Of the address, the vector of 16 bytes in its row of the pattern is XORed with the row of 128 bytes.
    const int vector = bit / 128, lines = width_bytes() / 16;
    if (swizzle != 0) bit = (vector ^ (vector / 8 & (lines - 1))) * 128 + bit % 128;
    return bit;
  }
  std::uint64_t descriptor() const {  // without the address
    return static_cast<std::uint64_t>(leading / 16) << 16 | static_cast<std::uint64_t>(stride / 16) << 32 |
           static_cast<std::uint64_t>(swizzle) << 62;
  }
};

struct WarpgroupCase {
  Product product;
  SharedMatrix a, b;
  bool a_in_registers = false, adds = false;
  std::vector<std::uint32_t> want;  ///< words of a thread's D, thread by thread
  std::size_t results_at = 0;
  Case run;
  std::string words() const {
    const auto of = [](const SharedMatrix& m) {
      return fmt::format("{} swizzle {}", m.by_depth ? "k by k" : "row by row", m.swizzle == 0 ? 0 : m.width_bytes());
    };
    return fmt::format("{} (A {}, B {}, {})", product.instance, a_in_registers ? "registers" : of(a), of(b),
                       adds ? "added" : "not added");
  }
};

inline std::vector<std::string> outer_operands(const std::string& instance) {
  std::vector<std::string> out;
  std::string one;
  int depth = 0;
  for (const char c : instance.substr(instance.find(' ') + 1)) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == ',' && depth == 0)
      out.push_back(one), one.clear();
    else if (c != ' ')
      one += c;
  }
  out.push_back(one);
  return out;
}

/// `variant` chooses swizzles: all pairs of those of A and B come in turn.
inline WarpgroupCase warpgroup_case(const std::string& instance, std::mt19937_64& random, int variant) {
  constexpr int shared_bytes = 40960, b_start = 8192;
  WarpgroupCase c;
  c.product = product_of(instance);
  Product& p = c.product;
  const auto operands = outer_operands(instance);
  c.a_in_registers = operands[1].starts_with('{');
  std::size_t at = 3;
  if (p.sparse) p.selector = std::stoi(operands[4]), at = 5;
  const std::string scale_d = operands[at];
  const bool given = scale_d.starts_with('%');
  c.adds = given ? random() % 2 == 0 : scale_d == "1";
  const auto number = [&](std::size_t i) { return at + i < operands.size() ? std::stoi(operands[at + i]) : 0; };
  const int sign = is_whole(p.a) ? 1 : number(1) * number(2);
  const bool a_trans = !c.a_in_registers && number(3) == 1, b_trans = number(c.a_in_registers ? 3 : 4) == 1;
  // mma's fragments are those of 16 rows.
  p.m = 16;
  const int bits = width_of(p.a);
  c.a = {.rows = 64, .depth = p.stored(), .bits = bits, .swizzle = variant % 4, .by_depth = !a_trans, .start = 0};
  c.b = {.rows = p.n, .depth = p.k, .bits = bits, .swizzle = variant / 4 % 4, .by_depth = !b_trans, .start = b_start};
  // k by k, the depth of B of a sparse product (64 bytes) does not fit into a swizzle of 32 bytes.
  if (c.b.by_depth && c.b.swizzle != 0 && p.k * bits / 8 > c.b.width_bytes()) c.b.swizzle = 2;
  c.a.choose_offsets(variant / 16 % 2 == 1), c.b.choose_offsets(variant / 16 % 2 == 1 && p.n <= 64);

  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto some = [&](const std::string& t) -> double {
    if (t == "b1") return below(2);
    if (is_whole(t)) return t[0] == 'u' ? below(256) : below(256) - 128;
    return below(9) - 4;
  };
  const auto index = [](int row, int columns, int column) { return static_cast<std::size_t>(row * columns + column); };
  std::vector<double> a(static_cast<std::size_t>(64 * p.k)), stored(static_cast<std::size_t>(64 * p.stored())),
      b(static_cast<std::size_t>(p.n * p.k)), old(static_cast<std::size_t>(64 * p.n));
  for (double& v : b) v = some(p.b);
  for (double& v : old) v = p.d == "s32" ? below(1 << 24) - (1 << 23) : some(p.d);
  c.run.words.resize(shared_bytes / 4);
  const std::size_t a_at = shared_bytes / 4, e_at = a_at + 128 * 4, c_at = e_at + 128;
  const std::size_t d_words = p.lists[0].size();
  c.results_at = c_at + 128 * d_words;
  c.run.words.resize(c.results_at + 128 * d_words);
  if (!p.sparse) {
    for (double& v : a) v = some(p.a);
    stored = a;
  } else {
    const int columns = bits == 32 ? 2 : 4;
    for (int row = 0; row < 64; ++row)
      for (int chunk = 0; chunk < p.k / columns; ++chunk) {
        int first = below(3), second = first + 1 + below(3 - first);
        const std::uint32_t which = static_cast<std::uint32_t>(below(2));
        const std::uint32_t metadata =
            bits == 32 ? (which == 0 ? 0b0100u : 0b1110u) : static_cast<std::uint32_t>(first | second << 2);
        const Chunk place = chunk_of(p, row % 16, chunk);
        c.run.words[e_at + static_cast<std::size_t>(row / 16 * 32 + place.lane)] |= metadata << place.bit;
        for (int e = 0; e < columns / 2; ++e) {
          const double v = some(p.a);
          const int column = bits == 32 ? static_cast<int>(which) : e == 0 ? first : second;
          a[index(row, p.k, chunk * columns + column)] = v;
          stored[index(row, p.stored(), chunk * columns / 2 + e)] = v;
        }
      }
  }
  const auto put = [&](int bit, int width, std::uint64_t value) {
    for (int i = 0; i < width; ++i)
      c.run.words[static_cast<std::size_t>((bit + i) / 32)] |= static_cast<std::uint32_t>(value >> i & 1)
                                                               << ((bit + i) % 32);
  };
  if (!c.a_in_registers)
    for (int row = 0; row < 64; ++row)
      for (int k = 0; k < p.stored(); ++k)
        put(c.a.bit_of(row, k), bits, bits_in(p.a, stored[index(row, p.stored(), k)]));
  for (int row = 0; row < p.n; ++row)
    for (int k = 0; k < p.k; ++k) put(c.b.bit_of(row, k), bits, bits_in(p.b, b[index(row, p.k, k)]));
  c.want.resize(128 * d_words);
  for (int thread = 0; thread < 128; ++thread) {
    const int warp = thread / 32, lane = thread % 32;
    const auto t = static_cast<std::size_t>(thread);
    for (int i = 0; c.a_in_registers && i < 4 * 32 / bits; ++i) {
      const Element e = place_of_a(p, lane, i);
      put_bits(c.run.words, a_at + 4 * t, bits, i,
               bits_in(p.a, stored[index(16 * warp + e.row, p.stored(), e.column)]));
    }
    for (int i = 0; i < static_cast<int>(d_words) * 32 / width_of(p.d); ++i) {
      const int row = 16 * warp + lane / 4 + 8 * (i / 2 % 2), column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
      double sum = 0;
      for (int k = 0; k < p.k; ++k) sum += a[index(row, p.k, k)] * b[index(column, p.k, k)];
      sum = sign * sum + (c.adds ? old[index(row, p.n, column)] : 0);
      put_bits(c.run.words, c_at + d_words * t, width_of(p.d), i, bits_in(p.d, old[index(row, p.n, column)]));
      put_bits(c.want, d_words * t, width_of(p.d), i, bits_in(p.d, sum));
    }
  }
  c.run.instance = c.words();
  c.run.threads = 128;
  std::string& body = c.run.body;
  body = fmt::format(R"(
mov.u32 %s32, shared_bytes; shl.b32 %r0, %t, 2; cvt.u64.u32 %rd1, %r0; add.s64 %rd1, %rd0, %rd1; add.u32 %r1, %s32, %r0; mov.u32 %r2, 0;
copy: ld.global.b32 %r3, [%rd1]; st.shared.b32 [%r1], %r3; add.s64 %rd1, %rd1, 512; add.u32 %r1, %r1, 512; add.u32 %r2, %r2, 1;
setp.lt.u32 %p, %r2, {}; @%p bra copy;
fence.proxy.async.shared::cta; bar.sync 0;
)",
                     shared_bytes / 512);
  for (const auto& [name, m] : {std::pair{"%a64", &c.a}, {"%b64", &c.b}})
    body += fmt::format(
        "add.u32 %r4, %s32, {}; and.b32 %r4, %r4, 0x3ffff; shr.u32 %r4, %r4, 4; cvt.u64.u32 {}, %r4; or.b64 {}, {}, "
        "{:#x};\n",
        m->start, name, name, name, m->descriptor());
  body += fmt::format("mul.wide.u32 %rd1, %t, 16; add.s64 %rd1, %rd0, %rd1;\n");
  if (c.a_in_registers)
    for (std::size_t i = 0; i < 4; ++i)
      body += fmt::format("ld.global.b32 {}, [%rd1+{}];\n", p.lists[1][i], 4 * (a_at + i));
  body += fmt::format("mul.wide.u32 %rd1, %t, 4; add.s64 %rd1, %rd0, %rd1; ld.global.b32 %x32, [%rd1+{}];\n", 4 * e_at);
  body += fmt::format("mul.wide.u32 %rd1, %t, {}; add.s64 %rd1, %rd0, %rd1;\n", 4 * d_words);
  for (std::size_t i = 0; i < d_words; ++i)
    body += fmt::format("ld.global.b32 {}, [%rd1+{}];\n", p.lists[0][i], 4 * (c_at + i));
  body += fmt::format("mov.u32 %r5, {}; setp.ne.u32 %pa, %r5, 0;\n", c.adds ? 1 : 0);
  body += "wgmma.fence.sync.aligned;\n" + instance +
          ";\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n";
  for (std::size_t i = 0; i < d_words; ++i)
    body += fmt::format("st.global.b32 [%rd1+{}], {};\n", 4 * (c.results_at + i), p.lists[0][i]);
  return c;
}

/// Every form of wgmma.mma_async that the table has, with swizzles in turn; forms of 16 bits with all of them. `every`: of
/// those of more than 16 columns one in so many.
inline std::vector<WarpgroupCase> warpgroup_cases(std::mt19937_64& random, std::size_t every = 1) {
  std::vector<WarpgroupCase> out;
  int variant = 0;
  std::size_t wide = 0;
  for (const Form& form : forms()) {
    if (form.test != "Warpgroups.MultiplyFromSharedMemory") continue;
    const std::vector<std::string> all = instances(form);
    for (const std::string& i : all) {
      if (i.find("mma_async") == std::string::npos) continue;
      // Small forms with several layouts, the others with one.
      if (i.find(".m64n16k") == std::string::npos && ++wide % every != 0) continue;
      const int count = i.find(".m64n16k") == std::string::npos ? 1 : i.find("f16.") != std::string::npos ? 8 : 4;
      for (int v = 0; v < count; ++v) out.push_back(warpgroup_case(i, random, variant++));
    }
  }
  return out;
}

inline std::string judge_warpgroup(const WarpgroupCase& c, std::span<const std::uint32_t> words) {
  for (std::size_t i = 0; i < c.want.size(); ++i)
    if (words[c.results_at + i] != c.want[i])
      return fmt::format("{}: thread {}, word {}: {:#x}, not {:#x}", c.words(), i / c.product.lists[0].size(),
                         i % c.product.lists[0].size(), words[c.results_at + i], c.want[i]);
  return {};
}

}  // namespace lanescope::emulator::test
