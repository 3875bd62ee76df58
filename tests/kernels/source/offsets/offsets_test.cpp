#include "kernels/source/offsets/pointer_offsets.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "kernels/base/read_file.h"

namespace lanescope::source {
namespace {

using Numbers = std::vector<std::int64_t>;

std::multiset<std::int64_t> elements_of(const Numbers& shape, const Numbers& strides, std::int64_t start) {
  std::multiset<std::int64_t> out{start};
  for (std::size_t n = 0; n < shape.size(); ++n) {
    std::multiset<std::int64_t> more;
    for (const std::int64_t e : out)
      for (std::int64_t i = 0; i < shape[n]; ++i) more.insert(e + i * strides[n]);
    out = std::move(more);
  }
  return out;
}
std::multiset<std::int64_t> elements_of(const std::vector<AxisRange>& box, const Numbers& extents) {
  std::multiset<std::int64_t> out{0};
  for (std::size_t axis = 0; axis < box.size(); ++axis) {
    std::multiset<std::int64_t> more;
    for (const std::int64_t e : out)
      for (std::int64_t i = 0; i < box[axis].count; ++i)
        more.insert(e * extents[axis] + box[axis].first + i * box[axis].step);
    out = std::move(more);
  }
  return out;
}

TEST(BoxInArray, IsWhatTheExampleSays) {
  const Numbers extents{32, 128, 1024}, shape{32, 32}, strides{131072, 1};
  const auto box = box_in_array(extents, shape, strides, 3 * 1024 + 32);
  ASSERT_TRUE(box);
  EXPECT_EQ(*box, (std::vector<AxisRange>{{0, 32, 1}, {3, 1, 1}, {32, 32, 1}}));
}

/// Law: the box holds the very elements that shape and strides reach; where there is none, no box could.
TEST(BoxInArray, HasTheElementsOfShapeAndStrides) {
  std::mt19937 random(3);
  int boxes = 0;
  for (int round = 0; round < 6000; ++round) {
    Numbers extents(1 + random() % 3), shape(1 + random() % 3), strides(shape.size());
    std::int64_t all = 1;
    for (std::int64_t& e : extents) e = 1 + static_cast<std::int64_t>(random() % 6), all *= e;
    for (std::size_t n = 0; n < shape.size(); ++n) {
      shape[n] = 1 + static_cast<std::int64_t>(random() % 4);
      strides[n] = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(all));
    }
    const auto start = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(all + 1));
    const auto box = box_in_array(extents, shape, strides, start);
    if (!box) continue;
    ++boxes;
    EXPECT_EQ(elements_of(*box, extents), elements_of(shape, strides, start)) << "round " << round;
  }
  EXPECT_GT(boxes, 300);
}

/// The other way: of a box, shape and strides are found again.
TEST(BoxInArray, EveryBoxIsFound) {
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    Numbers extents(1 + random() % 4), shape, strides;
    for (std::int64_t& e : extents) e = 1 + static_cast<std::int64_t>(random() % 7);
    std::int64_t start = 0, stride = 1;
    std::vector<AxisRange> wanted(extents.size());
    for (std::size_t axis = extents.size(); axis-- > 0; stride *= extents[axis + 0]) {
      AxisRange& r = wanted[axis];
      const auto extent = static_cast<std::uint64_t>(extents[axis]);
      r.first = static_cast<std::int64_t>(random() % extent);
      r.count = 1 + static_cast<std::int64_t>(random() % (extent - static_cast<std::uint64_t>(r.first)));
      start += r.first * stride;
      if (r.count > 1) shape.insert(shape.begin(), r.count), strides.insert(strides.begin(), stride);
    }
    const auto box = box_in_array(extents, shape, strides, start);
    ASSERT_TRUE(box) << "round " << round;
    EXPECT_EQ(elements_of(*box, extents), elements_of(wanted, extents)) << "round " << round;
  }
}

std::vector<PointerOffsets> offsets_of(const std::string& text) {
  auto source = read("k.cu", text, {.watch_probes = false});
  EXPECT_TRUE(source) << (source ? "" : to_string(source.error().front()));
  if (!source || source->header.launches.empty()) return {};
  return pointer_offsets(*source, source->header.launches.front());
}

TEST(PointerOffsets, OfTheCatalogueFollowTheirArithmetic) {
  const auto text = read_file(std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/pointer_offsets.cu");
  ASSERT_TRUE(text);
  const auto all = offsets_of(*text);
  ASSERT_EQ(all.size(), 2u);
  const PointerOffsets& p = all[0];
  EXPECT_EQ(p.root, "p");
  EXPECT_EQ(p.buffer, "p");
  ASSERT_EQ(p.axes.size(), 3u);
  ASSERT_EQ(p.steps.size(), 2u);
  EXPECT_EQ(p.steps[0].stage, OffsetStage::block);
  EXPECT_EQ(p.steps[1].stage, OffsetStage::warp);
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const ThreadAt t{.block = random() % 4096, .warp = static_cast<std::uint32_t>(random() % 32), .lane = 0};
    const auto x = static_cast<std::int64_t>(t.block % 128), y = static_cast<std::int64_t>(t.block / 128);
    EXPECT_EQ(start_of(p, 0, false, t), 0);
    EXPECT_EQ(start_of(p, 0, true, t), x * 1024 + y * 32);
    EXPECT_EQ(start_of(p, 1, false, t), x * 1024 + y * 32);
    EXPECT_EQ(start_of(p, 1, true, t), x * 1024 + y * 32 + std::int64_t{t.warp} * 128 * 1024);
  }
  EXPECT_EQ(step_at_line(p, p.steps[1].line), 1);
  EXPECT_EQ(step_at_line(p, p.steps[0].comment_line), 0);
  EXPECT_EQ(step_at_line(p, 1), -1);
}

TEST(PointerOffsets, FollowNewPointersLocalsAndBrackets) {
  const auto all = offsets_of(R"(/*
[lanescope]
grid = [4, 2]
block = [64]
[buffers]
a = "f32 r:64 c:128"
*/
#define TILE 16
__global__ void k(float* a, int n = 3) {
    const int row = blockIdx.y * 32;
    const int column = blockIdx.x * TILE * 2;
    // per-block offset
    //   before: shape (64, 128), contiguous
    //   after: shape (32, 32), strides (128, 1)
    float* tile = &a[row * 128 + column];
    // per-warp offset
    //   before: shape (32, 32), strides (128, 1)
    //   after: shape (16, 32), strides (128, 1)
    float* mine = tile + (threadIdx.x / 32) * 16 * 128;
    mine[threadIdx.x % 32] = 1;
}
)");
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].steps.size(), 2u);
  for (std::uint64_t block = 0; block < 8; ++block)
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      const std::int64_t tile =
          static_cast<std::int64_t>(block / 4) * 32 * 128 + static_cast<std::int64_t>(block % 4) * 32;
      EXPECT_EQ(start_of(all[0], 0, true, {.block = block, .warp = warp}), tile);
      EXPECT_EQ(start_of(all[0], 1, true, {.block = block, .warp = warp}), tile + std::int64_t{warp} * 2048);
    }
}

/// "each block processes ...": the part begins where the pointer's offsets of that stage lead, and nowhere without them.
TEST(PointerOffsets, PartsBeginWhereTheOffsetsOfTheirStageLead) {
  const std::string head = R"(/*
[lanescope]
grid = [4, 2]
block = [32, 4]
[buffers]
a = "f32 i:4 j:4 k:64"
*/
// 'a' points to a shape (4, 4, 64) array in global memory, and each block processes a shape-(4,1,32) subarray.
__global__ void k(float* a) {
)";
  const auto with = offsets_of(head + R"(    // per-block offset
    //   before: shape (4, 4, 64), contiguous
    //   after: shape (4, 32), strides (256, 1)
    a += blockIdx.x * 64 + blockIdx.y * 32;
    a[threadIdx.y * 256 + threadIdx.x] = 1;
}
)");
  ASSERT_EQ(with.size(), 1u);
  int whole = 0;
  for (std::size_t n = 0; n < with[0].steps.size(); ++n) {
    if (!with[0].steps[n].whole) continue;
    ++whole;
    for (std::uint64_t b = 0; b < 8; ++b)
      EXPECT_EQ(start_of(with[0], n, true, {.block = b}), static_cast<std::int64_t>(b % 4 * 64 + b / 4 * 32));
  }
  EXPECT_EQ(whole, 1);
  const auto without =
      offsets_of(head + "    a[blockIdx.x * 64 + blockIdx.y * 32 + threadIdx.y * 256 + threadIdx.x] = 1;\n}\n");
  for (const PointerOffsets& o : without)
    for (std::size_t n = 0; n < o.steps.size(); ++n) EXPECT_FALSE(start_of(o, n, true, {}));
}

/// Unknown values are not guessed: loaded values, variables that change.
TEST(PointerOffsets, SayNothingOfWhatTheyDoNotKnow) {
  const auto all = offsets_of(R"(/*
[lanescope]
grid = [4]
block = [32]
[buffers]
a = "f32 r:4 c:32"
rows = "s32 i:4"
*/
__global__ void k(float* a, const int* rows) {
    int row = rows[blockIdx.x];
    // per-block offset
    //   before: shape (4, 32), contiguous
    //   after: shape (32,), contiguous
    a += row * 32;
    a[threadIdx.x] = 1;
}
)");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_FALSE(start_of(all[0], 0, true, {}));
}

}  // namespace
}  // namespace lanescope::source
