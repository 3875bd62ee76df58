// Other blocks and later steps, from the checkpoints of a run: what is shown then is what a run shows that records them.

#include <algorithm>
#include <filesystem>
#include <random>

#include "app/engine/prepare/execution.h"
#include "app/engine/wire/messages.h"
#include "tests/app/engine/support.h"
#include "tests/catalogue_files.h"

namespace lanescope::engine {
namespace {

/// All that is shown, but for how it was come by.
std::vector<std::uint8_t> shown_of(results::Summary s) {
  s.history = {};
  std::erase_if(s.notices, [](const results::Notice& n) { return n.code == results::NoticeCode::part_recorded; });
  s.block_steps = 0;
  std::ranges::sort(s.notices, {}, &results::Notice::words);
  return wire::encode(RunSummary{.summary = std::move(s)});
}

MomentRequest everything_at(std::int64_t step, const results::Summary& s) {
  MomentRequest request{.step = step, .families = {}, .first_warp = 0, .warp_count = 64};
  for (std::size_t f = 0; f < s.families.size(); ++f) request.families.push_back(static_cast<int>(f));
  request.tree = TreeRequest{};  // of the element that depends on most, for any step
  return request;
}

/// Compares all of two summaries, and moments at random steps.
void expect_same_view(const Session& a, const Session& b, std::uint64_t seed) {
  const results::Summary &x = a.summary(), &y = b.summary();
  EXPECT_EQ(x.recorded_block, y.recorded_block);
  EXPECT_EQ(x.first_step, y.first_step);
  EXPECT_EQ(x.steps, y.steps);
  if (x.block_steps != 0 && y.block_steps != 0) {  // it is not known before the block has run to its end
    EXPECT_EQ(x.block_steps, y.block_steps);
  }
  ASSERT_TRUE(shown_of(x) == shown_of(y));
  std::mt19937_64 random(seed);
  for (int time = 0; time < 8 && x.steps > 0; ++time) {
    const auto step = static_cast<std::int64_t>(random() % x.steps);
    const results::Moment m = a.moment(everything_at(step, x)), n = b.moment(everything_at(step, y));
    EXPECT_EQ(m.real_words, n.real_words) << "step " << step;
    ASSERT_TRUE(wire::encode(m) == wire::encode(n)) << "step " << step;
  }
}

RunRequest catalogue_request(const std::filesystem::path& file) {
  RunRequest request;
  request.file = file.string();
  request.text = test::text_of(request.file);
  request.forbid_nvrtc = true;
  request.history_bytes = std::uint64_t{64} << 20;
  return request;
}

/// Kernels of the catalogue: block 0, another block from its checkpoints, and back.
TEST(RecordedPart, OfEveryKernelOfTheCatalogueIsWhatARunShows) {
  const std::vector<std::filesystem::path> files = lanescope::test::catalogue_files(5);
  int other_blocks = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    SCOPED_TRACE(files[i].filename());
    RunRequest request = catalogue_request(files[i]);
    Session session;
    session.run(request);
    const std::uint64_t blocks = session.summary().grid.count();
    if (!session.summary().ok || session.summary().steps == 0) continue;
    const auto at_first = shown_of(session.summary());
    if (blocks > 1) {
      ++other_blocks;
      RunRequest elsewhere = request;
      elsewhere.record_block = static_cast<std::uint32_t>(1 + (i * 7919) % (blocks - 1));
      Session fresh;
      fresh.run(elsewhere);
      elsewhere.from_history = true;
      session.run(elsewhere);
      EXPECT_TRUE(session.summary().history.replayed || !session.faults().empty());
      expect_same_view(session, fresh, i);
      if (HasFatalFailure()) return;
    }
    request.from_history = true;
    session.run(request);
    ASSERT_EQ(shown_of(session.summary()), at_first);
  }
  EXPECT_GT(other_blocks, 4);
}

constexpr const char* long_kernel = R"(/*
[lanescope]
grid = 3
block = 64

[buffers]
p = "u32 i:64"
q = "u32 i:192 = zeros"
*/
__global__ void spin(const unsigned *p, unsigned *q)
{
    __shared__ unsigned tile[64];
    unsigned sum = blockIdx.x;
#pragma unroll 1
    for (unsigned k = 0; k < 30000u + 6000u * blockIdx.x; ++k) {
        sum = sum * 3 + k;
        tile[(threadIdx.x + k) & 63] = sum;
        __syncthreads();
        sum += tile[threadIdx.x];
        __syncthreads();
    }
    q[blockIdx.x * 64 + threadIdx.x] = sum + p[threadIdx.x];
}
)";

RunRequest long_request(std::uint64_t history_bytes) {
  RunRequest request;
  request.file = "spin.cu";
  request.text = long_kernel;
  request.history_bytes = history_bytes;
  return request;
}

/// Millions of steps; a step far after the first part of a block.
TEST(RecordedPart, LateStepsOfAnotherBlockAreReached) {
  NEEDS_NVRTC();
  constexpr std::uint64_t late = 1'287'456;
  RunRequest direct = long_request(0);
  direct.record_block = 2;
  direct.record_step = late;
  Session fresh;
  fresh.run(direct);
  ASSERT_TRUE(fresh.summary().ok);
  EXPECT_EQ(fresh.summary().first_step, part_of_block(2, late).first_step);
  for (const std::uint64_t bytes : {std::uint64_t{256} << 20, std::uint64_t{300'000}}) {
    SCOPED_TRACE(bytes);
    RunRequest request = long_request(bytes);
    Session session;
    ASSERT_TRUE(session.run(request).ok) << test::all_words(session.summary());
    request.record_block = 2;
    request.record_step = late;
    request.from_history = true;
    session.run(request);
    EXPECT_TRUE(session.summary().history.replayed);
    EXPECT_LE(session.summary().history.most_bytes, bytes);
    EXPECT_GT(session.summary().first_step, 1'000'000u);
    expect_same_view(session, fresh, bytes);
    if (HasFatalFailure()) return;
    // Beyond the end of a block that ended: its last steps.
    request.record_block = 0;
    request.record_step = 1'000'000'000;
    session.run(request);
    EXPECT_GT(session.summary().block_steps, 900'000u);
    EXPECT_EQ(session.summary().first_step + session.summary().steps, session.summary().block_steps);
    // Another text is another run.
    request.text += "\n";
    request.record_step = 0;
    session.run(request);
    EXPECT_FALSE(session.summary().history.replayed);
    EXPECT_EQ(session.summary().first_step, 0u);
  }
}

TEST(RecordedPart, IsTheSameForStepsNearEachOther) {
  EXPECT_EQ(part_of_block(0, 0).first_step, 0u);
  EXPECT_EQ(part_of_block(0, steps_of_part - 1).first_step, 0u);
  std::mt19937_64 random(2);
  for (int n = 0; n < 1000; ++n) {
    const std::uint64_t step = steps_of_part + random() % 1'000'000'000;
    const trace::RecordOptions part = part_of_block(0, step);
    EXPECT_GE(step, part.first_step + steps_of_lead);
    EXPECT_LT(step, part.first_step + 2 * steps_of_lead);
    EXPECT_EQ(part.max_steps, steps_of_part);
  }
}

}  // namespace
}  // namespace lanescope::engine
