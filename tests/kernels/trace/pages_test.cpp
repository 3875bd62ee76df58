// Pages against a std::vector: the same values after every change, in every copy, and copies that cost what was changed.

#include "kernels/trace/pages.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

namespace lanescope::trace {
namespace {

using Vector = std::vector<std::byte>;
constexpr std::size_t mib = std::size_t{1} << 20;

/// Memory that this process has, pages that are mapped several times counted once.
std::size_t proportional_bytes() {
  std::ifstream in("/proc/self/smaps_rollup");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    std::size_t kib = 0;
    if (words >> name >> kib; name == "Pss:") return kib << 10;
  }
  return 0;
}

Vector random_bytes(std::mt19937_64& random, std::size_t bytes) {
  Vector out(bytes);
  for (std::size_t at = 0; at < bytes; at += 1 + random() % 40) out[at] = static_cast<std::byte>(random());
  return out;
}

TEST(Pages, AreAVector) {
  std::mt19937_64 random(4);
  constexpr std::size_t sizes[] = {0, 1, 4095, mib - 1, mib, mib + 1, 3 * mib + 17};
  for (const std::size_t size : sizes) {
    const Vector began = random_bytes(random, size);
    struct Both {
      Bytes pages;
      Vector vector;
    };
    std::vector<Both> all = {{Bytes(began), began}};
    for (int turn = 0; turn < 24; ++turn) {
      Both& chosen = all[random() % all.size()];
      switch (random() % 5) {
        case 0:
          all.push_back(Both{chosen});
          break;
        case 1: {
          const std::size_t to = sizes[random() % std::size(sizes)];
          chosen.pages.resize(to), chosen.vector.resize(to);
          break;
        }
        case 2: {
          const auto value = static_cast<std::byte>(random() % 3);
          chosen.pages.assign(chosen.vector.size(), value), chosen.vector.assign(chosen.vector.size(), value);
          break;
        }
        default:
          for (int n = 0; n < 20 && !chosen.vector.empty(); ++n) {
            const std::size_t at = random() % chosen.vector.size();
            chosen.pages[at] = chosen.vector[at] = static_cast<std::byte>(random());
          }
      }
      for (const Both& b : all) ASSERT_TRUE(b.pages == b.vector) << size << ", turn " << turn;
      if (all.size() > 6) all.erase(all.begin());
    }
  }
}

TEST(Pages, WrittenThroughAnOldPointer) {
  std::mt19937_64 random(5);
  Bytes a(random_bytes(random, 2 * mib));
  std::byte* const old = a.data();
  const Bytes before = a;
  old[mib] = std::byte{77};
  const Bytes after = a;
  EXPECT_EQ(after[mib], std::byte{77});
  EXPECT_TRUE(after == a);
  EXPECT_FALSE(before == a);
  EXPECT_EQ(a.data(), old);
}

TEST(Pages, CopiesCostWhatWasChanged) {
  if (proportional_bytes() == 0) GTEST_SKIP() << "this system does not report the memory of a process";
  constexpr std::size_t size = 64 * mib;
  std::mt19937_64 random(6);
  const Bytes whole(random_bytes(random, size));
  ASSERT_TRUE(whole == Bytes(whole));  // from here on its pages are this process's
  const std::size_t began = proportional_bytes();
  std::vector<Bytes> copies(5, whole);
  for (std::size_t i = 0; i < copies.size(); ++i)
    for (std::size_t n = 0; n < 100; ++n) copies[i][n * 4096] = static_cast<std::byte>(i);
  std::vector<Bytes> of_changed(copies);
  for (std::size_t i = 0; i < copies.size(); ++i) EXPECT_TRUE(of_changed[i] == copies[i]);
  EXPECT_FALSE(copies[0] == copies[1]);
  EXPECT_LT(proportional_bytes(), began + 16 * mib);  // 10 x 100 pages and page tables; as vectors 640 MiB

  const std::size_t past = proportional_bytes();
  Bytes zeros(4 * size), ones(4 * size, std::byte{1});
  zeros[5] = ones[5] = std::byte{9};
  EXPECT_EQ(std::ranges::count(std::as_const(ones), std::byte{1}), static_cast<std::ptrdiff_t>(4 * size - 1));
  EXPECT_EQ(std::as_const(zeros)[4 * size - 1], std::byte{0});
  EXPECT_LT(proportional_bytes(), past + 40 * mib);
}

}  // namespace
}  // namespace lanescope::trace
