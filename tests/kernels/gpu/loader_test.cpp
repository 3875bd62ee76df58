// Without a GPU there is a sentence and a remedy; with one, devices that describe themselves.

#include <gtest/gtest.h>

#include "kernels/gpu/driver.h"
#include "kernels/gpu/gpu.h"
#include "kernels/gpu/program.h"

namespace lanescope::gpu {
namespace {

TEST(Loader, SaysWhatIsMissingOrListsDevices) {
  const auto all = devices();
  if (!all) {
    EXPECT_FALSE(all.error().front().message.empty());
    EXPECT_FALSE(all.error().front().remedy.empty());
    std::vector<trace::Buffer> none;
    EXPECT_FALSE(run("", {}, none, {}));
    EXPECT_FALSE(Program::open(0));
    return;
  }
  for (const DeviceInfo& d : *all) {
    EXPECT_FALSE(d.name.empty());
    EXPECT_TRUE(d.arch().starts_with("sm_"));
    EXPECT_GT(d.multiprocessors, 0);
  }
}

TEST(Loader, StatusesHaveWordsEvenWithoutADriver) { EXPECT_NE(status_words(700).find("700"), std::string::npos); }

TEST(Timing, MedianAndSpreadIgnoreTheEnds) {
  const Timing t{.milliseconds = {9, 1, 2, 3, 4, 5, 6, 100}};
  EXPECT_EQ(t.median(), 4.5f);
  EXPECT_EQ((Timing{.milliseconds = {9, 1, 2}}).median(), 2);
  EXPECT_EQ(t.spread(), 9 - 3);
  EXPECT_EQ(Timing{}.median(), 0);
  EXPECT_EQ((Timing{.milliseconds = {1, 2}}).spread(), 0);
}

}  // namespace
}  // namespace lanescope::gpu
