#include "kernels/gpu/child.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/kernels/base/sleeper.h"

namespace lanescope::gpu {
namespace {

using Bytes = std::vector<std::uint8_t>;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
  std::vector<std::byte> bytes(std::size_t most) {
    std::vector<std::byte> out(below(static_cast<std::uint32_t>(most)));
    for (auto& b : out) b = static_cast<std::byte>(below(256));
    return out;
  }

 private:
  std::mt19937 engine_;
};

ChildRequest random_request(Random& r) {
  ChildRequest request;
  request.ptx = "// é \n.version 8.0";
  for (auto n = 1 + r.below(4); n > 0; --n)
    request.buffers.push_back({.name = "b" + std::to_string(n), .element_type = {}, .bytes = r.bytes(300)});
  for (auto n = r.below(4); n > 0; --n) {
    trace::Launch l;
    l.kernel = "k" + std::to_string(n);
    l.grid = {1 + r.below(9), 2, 3};
    l.block = {r.below(99), 1, 4};
    l.cluster = {r.below(3), 1, 1};
    l.dynamic_shared_bytes = r.below(70'000);
    l.stream = r.below(4);
    for (auto a = r.below(5); a > 0; --a)
      if (r.below(2))
        l.arguments.emplace_back(r.bytes(16));
      else
        l.arguments.emplace_back(trace::BufferArgument{
            .buffer = static_cast<int>(r.below(static_cast<std::uint32_t>(request.buffers.size()))),
            .offset_bytes = -static_cast<std::int64_t>(r.below(1000))});
    request.launches.push_back(std::move(l));
  }
  request.options = {.device = static_cast<int>(r.below(3)),
                     .warm_up = static_cast<int>(r.below(9)),
                     .repetitions = static_cast<int>(r.below(99)),
                     .cooperative = r.below(2) != 0};
  return request;
}

TEST(GpuChild, ARequestSurvivesTheTrip) {
  Random r(1);
  for (int i = 0; i < 50; ++i) {
    const ChildRequest before = random_request(r);
    const auto after = decode_request(encode(before));
    ASSERT_TRUE(after);
    EXPECT_EQ(after->ptx, before.ptx);
    EXPECT_EQ(encode(*after), encode(before));
    ASSERT_EQ(after->buffers.size(), before.buffers.size());
    for (std::size_t b = 0; b < before.buffers.size(); ++b) EXPECT_EQ(after->buffers[b].bytes, before.buffers[b].bytes);
    ASSERT_EQ(after->launches.size(), before.launches.size());
    for (std::size_t l = 0; l < before.launches.size(); ++l) {
      EXPECT_EQ(after->launches[l].grid, before.launches[l].grid);
      EXPECT_EQ(after->launches[l].stream, before.launches[l].stream);
      EXPECT_EQ(after->launches[l].arguments.size(), before.launches[l].arguments.size());
    }
  }
}

TEST(GpuChild, AnAnswerSurvivesTheTrip) {
  ChildAnswer before;
  before.device = {.index = 1, .name = "NVIDIA H200", .major = 9, .multiprocessors = 132, .memory_bytes = 150ull << 30};
  before.result.timing.milliseconds = {0.5f, 0.25f, 1e-3f};
  before.result.resources = {
      .registers = 40, .shared_bytes = 1024, .local_bytes = 8, .constant_bytes = 0, .max_threads = 256};
  before.result.fault = "CUDA_ERROR_ILLEGAL_ADDRESS (700)";
  before.buffers.push_back({.name = "x", .element_type = {}, .bytes = std::vector<std::byte>(17, std::byte{0xab})});
  const auto after = decode_answer(encode(Expected<ChildAnswer>(before)));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->device.arch(), "sm_90");
  EXPECT_EQ(after->device.memory_bytes, before.device.memory_bytes);
  EXPECT_EQ(after->result.timing.milliseconds, before.result.timing.milliseconds);
  EXPECT_EQ(after->result.resources.registers, 40);
  EXPECT_EQ(after->result.fault, before.result.fault);
  EXPECT_EQ(after->buffers.front().bytes, before.buffers.front().bytes);

  const auto refused = decode_answer(encode(Expected<ChildAnswer>(failure("no driver", "install one"))));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().remedy, "install one");
}

TEST(GpuChild, DamagedBytesAreRefusedInWords) {
  Random r(2);
  const Bytes good = encode(random_request(r));
  for (int i = 0; i < 200; ++i) {
    Bytes bad = good;
    bad.resize(r.below(static_cast<std::uint32_t>(bad.size())));
    const auto decoded = decode_request(bad);
    ASSERT_FALSE(decoded);
    EXPECT_FALSE(decoded.error().front().message.empty());
  }
  EXPECT_FALSE(decode_answer({}));
  EXPECT_FALSE(decode_answer({0x01, 0x02}));
}

TEST(GpuChild, ABufferThatIsNotBroughtIsRefused) {
  ChildRequest request;
  request.launches.emplace_back();
  request.launches.front().arguments.emplace_back(trace::BufferArgument{.buffer = 0});
  EXPECT_FALSE(decode_request(encode(request)));
}

TEST(GpuChild, OneThatDiesIsAFaultOfTheLaunch) {
  const auto died = run_in_child({"sh", "-c", "cat >/dev/null; kill -9 $$"}, {}, std::chrono::seconds(10));
  ASSERT_TRUE(died);
  EXPECT_NE(died->result.fault.find("signal 9"), std::string::npos) << died->result.fault;
  const auto late = run_in_child({"sh", "-c", "exec sleep 30"}, {}, std::chrono::milliseconds(150));
  ASSERT_TRUE(late);
  EXPECT_NE(late->result.fault.find("stopped after"), std::string::npos) << late->result.fault;
  EXPECT_FALSE(run_in_child({"/nowhere/at-all"}, {}, std::chrono::seconds(1)));
}

TEST(GpuChild, OneThatIsCancelledIsNoFaultOfTheLaunch) {
  Sleeper sleeper;
  const auto cancelled = run_in_child(sleeper.command(), {}, {std::chrono::minutes(20), sleeper.cancelled()});
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().front().message, "the run on the GPU was cancelled");
  EXPECT_TRUE(sleeper.gone());
}

}  // namespace
}  // namespace lanescope::gpu
