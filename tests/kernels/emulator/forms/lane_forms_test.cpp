// Every form that computes registers from registers, over random inputs and corners, against oracles of its own.

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/kernels/emulator/forms/lane_forms.h"
#include "tests/kernels/emulator/forms/oracle.h"
#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

constexpr std::size_t threads = 512;

/// Calls judge(words, inputs, results) for each instance and each thread.
template <class Judge>
void run_forms(std::string_view test, Judge judge) {
  std::vector<std::string> all;
  for (const Form& form : forms())
    if (form.test == test)
      for (std::string& i : instances(form)) all.push_back(std::move(i));
  ASSERT_FALSE(all.empty()) << test;
  LaneInputs numbers(std::hash<std::string_view>{}(test));
  constexpr std::size_t batch = 200;
  for (std::size_t first = 0; first < all.size(); first += batch) {
    const std::span<const std::string> some(all.data() + first, std::min(batch, all.size() - first));
    std::vector<u64> a(threads), b(threads), c(threads);
    for (std::size_t i = 0; i < threads; ++i) {
      a[i] = numbers.next(), b[i] = numbers.next(), c[i] = numbers.next();
      if (i % 7 == 0) b[i] = a[i] ^ (numbers.random() & 1);  // close to each other
    }
    const auto module = module_of(lane_kernel(some, "sm_100a", "9.0"));
    ASSERT_EQ(module.entries.size(), 1u);
    std::vector<trace::Buffer> buffers{buffer_of("a", a), buffer_of("b", b), buffer_of("c", c),
                                       buffer_of("out", std::vector<u64>(some.size() * threads * 2))};
    trace::Launch launch = launch_of(2, threads / 2, 4);
    launch.kernel = "forms";
    run_ok(module, launch, buffers);
    const auto out = values_of<u64>(buffers[3]);
    for (std::size_t k = 0; k < some.size(); ++k) {
      const Words w = words_of(some[k]);
      for (std::size_t i = 0; i < threads; ++i) {
        const std::size_t at = 2 * (k * threads + i);
        if (!judge(some[k], w, Inputs{a[i], b[i], c[i]}, Results{out[at], out[at + 1]})) break;
      }
    }
  }
}

using Oracle = std::optional<Results> (*)(const Words&, const Inputs&);

void check_exact(std::string_view test, Oracle oracle) {
  std::size_t shown = 0, judged = 0;
  run_forms(test, [&](const std::string& instance, const Words& w, const Inputs& in, const Results& got) {
    const auto want = oracle(w, in);
    if (!want) return false;
    ++judged;
    if (got.d == want->d && got.e == want->e) return true;
    if (++shown < 25)
      ADD_FAILURE() << instance << std::hex << " a=" << in.a << " b=" << in.b << " c=" << in.c << ": " << got.d << " "
                    << got.e << ", not " << want->d << " " << want->e;
    return false;
  });
  EXPECT_GT(judged, 1000u);
  EXPECT_EQ(shown, 0u);
}

TEST(LaneForms, Integers) { check_exact("LaneForms.Integers", integer_oracle); }
TEST(LaneForms, Floats) { check_exact("LaneForms.Floats", float_oracle); }
TEST(LaneForms, Conversions) { check_exact("LaneForms.Conversions", conversion_oracle); }
TEST(LaneForms, Comparisons) { check_exact("LaneForms.Comparisons", comparison_oracle); }
TEST(LaneForms, Video) { check_exact("LaneForms.Video", video_oracle); }
TEST(LaneForms, Moves) { check_exact("LaneForms.Moves", move_oracle); }

/// Random rounding gives one of the two neighbours, and the value itself where it is one.
TEST(LaneForms, RandomRoundingStaysBetweenNeighbours) {
  run_forms(
      "LaneForms.Conversions", [&](const std::string& instance, const Words& w, const Inputs& in, const Results& got) {
        if (!w.has("rs") || !w.parts[w.parts.size() - 2].ends_with("f16x2")) return false;
        const Format f = format_of(w.parts[w.parts.size() - 2]);
        for (int half = 0; half < 2; ++half) {
          const u64 bits = in.of(w.operands[half == 0 ? 2 : 1]), out = got.d >> (16 * half) & 0xffff;
          Number n = number_of(bits, f32_format);
          if (n.nan || n.infinite || (w.has("relu") && n.negative)) continue;
          const u64 low = rounded(n.value(), 0, n.negative, f, Mode::down),
                    high = rounded(n.value(), 0, n.negative, f, Mode::up);
          const u64 infinity = ((u64{1} << f.exponent) - 1) << f.mantissa;
          if ((out & 0x7fff) + 1 >= infinity) continue;
          if (out == low || out == high) continue;
          ADD_FAILURE() << instance << std::hex << " " << bits << ": " << out << ", not " << low << " or " << high;
          return false;
        }
        return true;
      });
}

/// Within the documented bound: relative to the value, or absolute where the PTX ISA says so.
TEST(LaneForms, Approximations) {
  std::size_t shown = 0;
  run_forms("LaneForms.Approximations",
            [&](const std::string& instance, const Words& w, const Inputs& in, const Results& got) {
              const std::string& type = w.parts.back();
              const Format f = format_of(type);
              const int count = type.ends_with("x2") ? 2 : 1, bits = f.bits();
              for (int i = 0; i < count; ++i) {
                const u64 keep = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
                const Number x = number_of(in.of(w.operands[1]) >> (i * bits) & keep, f);
                const Number y = w.name == "div" ? number_of(in.of(w.operands[2]), f) : Number{};
                const Number r = number_of(got.d >> (i * bits) & keep, f);
                if (x.nan || y.nan) {
                  if (!r.nan) return ADD_FAILURE() << instance << " of NaN", false;
                  continue;
                }
                if (x.infinite || y.infinite || r.nan || r.infinite) continue;
                const auto v = static_cast<long double>(x.value()), d = static_cast<long double>(y.value());
                const long double least = std::ldexp(1.0L, 2 - (1 << (f.exponent - 1)));
                if (std::fabs(v) < std::max(least, 0x1p-100L) ||
                    (w.name == "div" && (std::fabs(d) < 0x1p-126L || std::fabs(d) > 0x1p126L)))
                  continue;
                if ((w.name == "sin" || w.name == "cos") && std::fabs(v) > 3.15L) continue;
                const long double want = w.name == "div"     ? v / d
                                         : w.name == "sqrt"  ? std::sqrt(v)
                                         : w.name == "rcp"   ? 1 / v
                                         : w.name == "rsqrt" ? 1 / std::sqrt(v)
                                         : w.name == "sin"   ? std::sin(v)
                                         : w.name == "cos"   ? std::cos(v)
                                         : w.name == "lg2"   ? std::log2(v)
                                         : w.name == "ex2"   ? std::exp2(v)
                                                             : std::tanh(v);
                if (std::fabs(want) < least) continue;
                const long double error = std::fabs(static_cast<long double>(r.value()) - want);
                const long double bound = w.name == "sin" || w.name == "cos" ? 0x1p-20L
                                          : w.name == "lg2"  ? std::max(0x1p-22L, std::fabs(want) * 0x1p-22L)
                                          : bits == 16       ? std::fabs(want) * std::ldexp(1.0L, -f.mantissa) * 1.01L
                                          : w.name == "tanh" ? std::fabs(want) * 0x1p-11L
                                          : w.name == "rcp" && bits == 64 ? std::fabs(want) * 0x1p-20L
                                                                          : std::fabs(want) * 0x1p-22L;
                if (error <= bound) continue;
                if (++shown < 20)
                  ADD_FAILURE() << instance << " of " << static_cast<double>(v) << ", " << static_cast<double>(d)
                                << ": " << static_cast<double>(static_cast<long double>(r.value())) << ", not "
                                << static_cast<double>(want);
                return false;
              }
              return true;
            });
}

}  // namespace
}  // namespace lanescope::emulator::test
