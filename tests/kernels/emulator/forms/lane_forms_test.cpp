// Every form that computes registers from registers, over random inputs and corners, against oracles of its own.

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/kernels/emulator/harness.h"
#include "tests/kernels/emulator/oracle/approximations.h"
#include "tests/kernels/emulator/oracle/lane_forms.h"
#include "tests/kernels/emulator/oracle/oracle.h"

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
              const std::string wrong = judge_approximation(w, in, got.d);
              if (wrong.empty()) return true;
              if (++shown < 20) ADD_FAILURE() << instance << " " << wrong;
              return false;
            });
}

}  // namespace
}  // namespace lanescope::emulator::test
