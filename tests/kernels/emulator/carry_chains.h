#pragma once
// Random chains of extended-precision arithmetic: a kernel that runs one, and an oracle in 128 bits. The same kernels run in
// the emulator and on a GPU.

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lanescope::emulator::test {

/// One instruction of a chain. It reads words of the pool of its width and writes one.
struct CarryStep {
  enum class Kind : std::uint8_t { add, sub, mad_lo, mad_hi } kind = Kind::add;
  bool reads = false, writes = false;
  bool wide = false, is_signed = false;
  std::uint32_t d = 0, a = 0, b = 0, c = 0;  ///< in the pool
};
inline constexpr std::uint32_t carry_pool = 6;  ///< words of each width
/// Pools of 32 and of 64 bits, each as 64-bit numbers.
struct CarryPools {
  std::array<std::uint64_t, carry_pool> narrow{}, wide{};
};

inline std::vector<CarryStep> random_chain(std::mt19937_64& random, std::uint32_t length) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<CarryStep> chain;
  for (std::uint32_t i = 0; i < length; ++i) {
    CarryStep s;
    s.kind = below(4) == 0 ? CarryStep::Kind{static_cast<std::uint8_t>(2 + below(2))}
                           : CarryStep::Kind{static_cast<std::uint8_t>(below(2))};
    s.reads = i != 0 && below(4) != 0;  // the flag is not defined before the first write
    s.writes = i == 0 || !s.reads || below(4) != 0;
    s.wide = below(3) == 0;
    s.is_signed = below(2) == 0;
    for (std::uint32_t* word : {&s.d, &s.a, &s.b, &s.c}) *word = below(carry_pool);
    chain.push_back(s);
  }
  return chain;
}

inline std::string name_of(const CarryStep& s) {
  const bool is_mad = s.kind == CarryStep::Kind::mad_lo || s.kind == CarryStep::Kind::mad_hi;
  return std::string(is_mad                           ? "mad"
                     : s.kind == CarryStep::Kind::add ? "add"
                                                      : "sub") +
         (s.reads ? "c" : "") +
         (s.kind == CarryStep::Kind::mad_lo   ? ".lo"
          : s.kind == CarryStep::Kind::mad_hi ? ".hi"
                                              : "") +
         (s.writes ? ".cc" : "") + (s.is_signed ? ".s" : ".u") + (s.wide ? "64" : "32");
}

/// Kernel `chain(in, out)`: each thread has 6 words of 64 bits for the narrow pool (low halves) and 6 for the wide one, and
/// leaves as many; after them a word of flags that would be read by an addc of zeros.
inline std::string chain_ptx(const std::vector<CarryStep>& chain, const std::string& target = "sm_90") {
  std::string text = ".version 8.0\n.target " + target + R"(
.address_size 64
.visible .entry chain(.param .u64 in, .param .u64 out)
{
.reg .b32 %r<32>;
.reg .b64 %d<32>;
ld.param.u64 %d30, [in];
cvta.to.global.u64 %d30, %d30;
ld.param.u64 %d31, [out];
cvta.to.global.u64 %d31, %d31;
mov.u32 %r30, %tid.x;
mov.u32 %r29, %ctaid.x;
mov.u32 %r28, %ntid.x;
mad.lo.u32 %r30, %r29, %r28, %r30;
mul.wide.u32 %d29, %r30, 96;
add.s64 %d30, %d30, %d29;
mul.wide.u32 %d29, %r30, 104;
add.s64 %d31, %d31, %d29;
)";
  for (std::uint32_t i = 0; i < carry_pool; ++i) {
    const std::string n = std::to_string(i);
    text += "ld.global.u64 %d29, [%d30+" + std::to_string(8 * i) + "];\ncvt.u32.u64 %r" + n + ", %d29;\n";
    text += "ld.global.u64 %d" + n + ", [%d30+" + std::to_string(8 * (carry_pool + i)) + "];\n";
  }
  for (const CarryStep& s : chain) {
    const std::string reg = s.wide ? "%d" : "%r";
    text += name_of(s) + " " + reg + std::to_string(s.d) + ", " + reg + std::to_string(s.a) + ", " + reg +
            std::to_string(s.b);
    if (s.kind == CarryStep::Kind::mad_lo || s.kind == CarryStep::Kind::mad_hi)
      text += ", " + reg + std::to_string(s.c);
    text += ";\n";
  }
  text += "addc.u32 %r27, 0, 0;\n";
  for (std::uint32_t i = 0; i < carry_pool; ++i) {
    const std::string n = std::to_string(i);
    text += "cvt.u64.u32 %d29, %r" + n + ";\nst.global.u64 [%d31+" + std::to_string(8 * i) + "], %d29;\n";
    text += "st.global.u64 [%d31+" + std::to_string(8 * (carry_pool + i)) + "], %d" + n + ";\n";
  }
  return text + "cvt.u64.u32 %d29, %r27;\nst.global.u64 [%d31+96], %d29;\nret;\n}\n";
}

/// The flag at the end. A subtraction leaves 1 where it borrowed nothing, and borrows one more where it reads a 0.
inline bool chain_expected(const std::vector<CarryStep>& chain, CarryPools& pools) {
  using Wide = unsigned __int128;
  bool flag = false;
  for (const CarryStep& s : chain) {
    auto& pool = s.wide ? pools.wide : pools.narrow;
    const int bits = s.wide ? 64 : 32;
    const Wide modulus = Wide{1} << bits;
    const std::uint64_t x = pool[s.a], y = pool[s.b], z = pool[s.c];
    Wide left = x, right = y;
    if (s.kind == CarryStep::Kind::sub) {
      const Wide taken = right + (s.reads && !flag ? 1u : 0u);
      const bool borrowed = taken > left;
      pool[s.d] = static_cast<std::uint64_t>((left + (borrowed ? modulus : 0) - taken) % modulus);
      if (s.writes) flag = !borrowed;
      continue;
    }
    if (s.kind != CarryStep::Kind::add) {
      Wide product = left * right;
      if (s.is_signed) {
        // Two's complement: a negative factor counts 2^bits less.
        const bool negative_x = (x >> (bits - 1) & 1) != 0, negative_y = (y >> (bits - 1) & 1) != 0;
        product -= (negative_x ? right << bits : 0) + (negative_y ? left << bits : 0);
      }
      left = (s.kind == CarryStep::Kind::mad_lo ? product : product >> bits) % modulus;
      right = z;
    }
    const Wide sum = left + right + (s.reads && flag ? 1u : 0u);
    pool[s.d] = static_cast<std::uint64_t>(sum % modulus);
    if (s.writes) flag = sum >= modulus;
  }
  return flag;
}

/// Random words with the ones where carries happen.
inline CarryPools random_pools(std::mt19937_64& random) {
  const auto word = [&] {
    const std::uint64_t r = random();
    switch (r % 5) {
      case 0:
        return std::uint64_t{0};
      case 1:
        return ~std::uint64_t{0};
      case 2:
        return random() % 4;
      case 3:
        return std::uint64_t{1} << random() % 64;
      default:
        return static_cast<std::uint64_t>(random());
    }
  };
  CarryPools p;
  for (std::uint64_t& w : p.narrow) w = word() & 0xffffffff;
  for (std::uint64_t& w : p.wide) w = word();
  return p;
}

}  // namespace lanescope::emulator::test
