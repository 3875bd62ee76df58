// Text that is cut off or altered: any answer is right, as long as there is one. Run with the sanitizers it shows more.

#include <random>

#include <gtest/gtest.h>

#include "kernels/ptx/program.h"
#include "tests/kernels/ptx/stored.h"
#include "tests/sample.h"

namespace lanescope::ptx {
namespace {

std::string smallest_module() { return read_text(LANESCOPE_TEST_DATA_DIR "/ptx/machine_sm75.ptx"); }

/// All that parses must also print, and its print must parse.
void survive(const std::string& text) {
  // A heap copy of the exact length, so that a sanitizer sees a read past the end.
  const std::vector<char> exact(text.begin(), text.end());
  const auto module = parse({exact.data(), exact.size()}, "damaged.ptx");
  if (!module) {
    ASSERT_EQ(module.error().size(), 1u);
    ASSERT_FALSE(module.error()[0].message.empty());
    return;
  }
  const auto again = parse(to_string(*module));
  ASSERT_TRUE(again) << to_string(again.error()[0]);
}

TEST(Damaged, CutAtEveryByte) {
  const std::string text = smallest_module();
  for (std::size_t length = 0; length < text.size(); ++length)
    if (lanescope::test::in_sample(length, 5)) survive(text.substr(0, length));
}

TEST(Damaged, BytesReplaced) {
  std::mt19937 random(20240917);
  constexpr std::string_view kLikely = "{}[]()<>,;:.@!%+-/*\"'_0x\n |~?=\0\xff";
  for (const auto& path : stored_modules()) {
    const std::string text = read_text(path);
    for (int round = 0; round < 150; ++round) {
      std::string damaged = text;
      for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n)
        damaged[random() % damaged.size()] =
            random() % 4 ? kLikely[random() % kLikely.size()] : static_cast<char>(random());
      survive(damaged);
    }
  }
}

TEST(Damaged, PiecesRemovedAndRepeated) {
  std::mt19937 random(7);
  const std::string text = smallest_module();
  for (int round = 0; round < 600; ++round) {
    const std::size_t from = random() % text.size(), length = random() % 60, to = random() % text.size();
    std::string damaged = text;
    if (round % 2)
      damaged.erase(from, length);
    else
      damaged.insert(to, text.substr(from, length));
    survive(damaged);
  }
}

TEST(Damaged, DeepNesting) {
  const std::string head = ".version 9.0\n.target sm_90\n.entry k() {\n.reg .b32 %r<2>;\n";
  for (const char* opening :
       {"{", "mov.u32 %r1, (", "mov.u32 %r1, {", "mov.u32 %r1, -", "ld.u32 %r1, [1,[", "mov.u32 %r1, 1?"}) {
    std::string text = head + opening;
    for (int i = 0; i < 20000; ++i) text += opening[std::string(opening).size() - 1];
    EXPECT_FALSE(parse(text)) << opening;
  }
  std::string list = ".version 9.0\n.target sm_90\n.global .b8 x[4] = ";
  EXPECT_FALSE(parse(list + std::string(20000, '{')));
}

}  // namespace
}  // namespace lanescope::ptx
