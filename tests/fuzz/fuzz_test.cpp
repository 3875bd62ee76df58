// Changed PTX and launch files by the thousand: none crashes, hangs, or is answered with nothing, and a good part of them
// runs. LANESCOPE_TEST_ROUNDS: a number of cases. LANESCOPE_TEST_SEED: another seed. LANESCOPE_TEST_FIRST: the first that
// is run, those before it are only made. A case that is wrong is written out.

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <fstream>

#include "tests/fuzz/cases/cases.h"
#include "tests/fuzz/last_case.h"
#include "tests/kernels/source/watchdog.h"
#include "tests/rounds.h"

namespace lanescope::fuzz {
namespace {

std::string kept(const std::string& text) {
  std::ofstream(LastCase::path) << text;
  return LastCase::path;
}

TEST(Fuzz, SeedsRunAsTheyAre) {
  const std::vector<Case> all = seeds();
  EXPECT_GT(all.size(), 80U);
  for (const Case& one : all) {
    const Outcome outcome = run_case(one, true);
    EXPECT_TRUE(outcome.executed) << one.name;
    EXPECT_EQ(outcome.broken, "") << one.name;
  }
}

TEST(Fuzz, ACaseIsOneTextAndBack) {
  for (const Case& one : seeds()) {
    const Case back = split(joined(one));
    EXPECT_EQ(back.ptx, one.ptx);
    EXPECT_EQ(back.launch, one.launch);
  }
}

TEST(Fuzz, TheSameSeedGivesTheSameCases) {
  const std::vector<Case> all = seeds();
  Mutator a(7), b(7), other(8);
  int different = 0;
  for (int i = 0; i < 200; ++i) {
    const Case one = a.mutated(a.choose(all), all);
    EXPECT_EQ(one, b.mutated(b.choose(all), all));
    different += one != other.mutated(other.choose(all), all);
  }
  EXPECT_GT(different, 190);
}

TEST(Fuzz, ChangedFiles) {
  const std::vector<Case> all = seeds();
  const auto rounds = static_cast<std::uint64_t>(test_rounds(300));
  Mutator mutator(static_cast<std::uint64_t>(from_environment("LANESCOPE_TEST_SEED", 20261123)));
  const auto first = static_cast<std::uint64_t>(from_environment("LANESCOPE_TEST_FIRST", 0));
  std::uint64_t executed = 0, faulted = 0;
  std::size_t early_bytes = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    Case one = mutator.mutated(mutator.choose(all), all);
    if (i % 3 == 0) one = mutator.mutated(one, all);
    if (i < first) continue;
    const std::string text = joined(one);
    const LastCase last(text);
    const source::Watchdog watchdog(one.name + " " + std::to_string(i), text, 15'000);
    const Outcome outcome = run_case(one, i % 8 == 0);
    executed += outcome.executed, faulted += outcome.faulted;
    ASSERT_EQ(outcome.broken, "") << one.name << ", case " << i << "; it is in " << kept(text);
    if (i == rounds / 2) early_bytes = ::mallinfo2().uordblks;
  }
  const std::size_t late_bytes = ::mallinfo2().uordblks;
  std::printf(
      "%llu changed files, %llu reached execution (%.1f %%), %llu of them faulted; %.1f MiB in use after half of them, "
      "%.1f MiB in the end\n",
      static_cast<unsigned long long>(rounds), static_cast<unsigned long long>(executed),
      100.0 * static_cast<double>(executed) / static_cast<double>(rounds), static_cast<unsigned long long>(faulted),
      static_cast<double>(early_bytes) / (1 << 20), static_cast<double>(late_bytes) / (1 << 20));
  EXPECT_GE(executed * 10, (rounds - std::min(first, rounds)) * 3);
}

}  // namespace
}  // namespace lanescope::fuzz
