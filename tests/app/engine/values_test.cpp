// Host values, limits and statements: the parts that need no kernel.

#include <cmath>

#include "app/engine/prepare/launch_plan.h"
#include "app/engine/summary/moment.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

// Law: every half is its own nearest half.
TEST(HostValues, HalvesRoundTrip) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double value = half_value(static_cast<std::uint16_t>(bits));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(half_value(half_bits(value))));
    else
      ASSERT_EQ(half_bits(value), bits) << value;
  }
}

// Law: rounding moves to the nearer neighbour, and to the even one from the middle.
TEST(HostValues, HalvesRoundToNearestEven) {
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const double low = half_value(bits), high = half_value(static_cast<std::uint16_t>(bits + 1)),
                 middle = (low + high) / 2;
    ASSERT_EQ(half_bits(std::nextafter(middle, low)), bits);
    ASSERT_EQ(half_bits(std::nextafter(middle, high)), bits + 1);
    ASSERT_EQ(half_bits(middle), bits % 2 == 0 ? bits : bits + 1);
  }
  EXPECT_EQ(half_bits(65520), 0x7c00);  // the middle between the largest half and the next power moves to infinity
  EXPECT_EQ(half_bits(-65519.9), 0xfbff);
  EXPECT_EQ(bfloat16_bits(1.0), 0x3f80);
  EXPECT_EQ(bfloat16_bits(-2.5), 0xc020);
}

template <class T>
T as(const Expected<std::vector<std::byte>>& bytes) {
  T value{};
  EXPECT_TRUE(bytes && bytes->size() == sizeof(T));
  if (bytes && bytes->size() == sizeof(T)) std::memcpy(&value, bytes->data(), sizeof value);
  return value;
}

TEST(HostValues, ScalarsTakeTheTypeOfTheirParameter) {
  EXPECT_EQ(as<float>(scalar_bytes("const float", 4, 0.5)), 0.5f);
  EXPECT_EQ(as<double>(scalar_bytes("double", 8, 0.1)), 0.1);
  EXPECT_EQ(as<std::int32_t>(scalar_bytes("int", 4, -7)), -7);
  EXPECT_EQ(as<std::uint32_t>(scalar_bytes("unsigned int", 4, 4294967295.0)), 4294967295u);
  EXPECT_EQ(as<std::uint16_t>(scalar_bytes("__half", 2, 1.0)), 0x3c00);
  EXPECT_FALSE(scalar_bytes("int", 4, 0.5));
  EXPECT_FALSE(scalar_bytes("unsigned char", 1, 256));
  EXPECT_FALSE(scalar_bytes("float", 4, 1e300));
  EXPECT_FALSE(scalar_bytes("float", 4, 1e-60));
  EXPECT_FALSE(scalar_bytes("__half", 2, 1e6));
  EXPECT_FALSE(scalar_bytes("__nv_bfloat16", 2, 1e300));
  EXPECT_FALSE(scalar_bytes("bool", 1, 2));
  EXPECT_TRUE(scalar_bytes("float", 4, INFINITY) && scalar_bytes("__half", 2, -INFINITY) && scalar_bytes("bool", 1, 1));
  EXPECT_TRUE(scalar_bytes("float", 4, 0) && scalar_bytes("__half", 2, 65504) && scalar_bytes("double", 8, 1e300));
  EXPECT_EQ((as<std::array<float, 4>>(field_bytes("float4", 16, std::array{1.0, 2.0, 3.0, 4.0}))),
            (std::array{1.f, 2.f, 3.f, 4.f}));
  EXPECT_EQ((as<std::array<int, 2>>(field_bytes("int2", 8, std::array{-1.0, 2.0}))), (std::array{-1, 2}));
  EXPECT_FALSE(field_bytes("float4", 16, std::array{1.0, 2.0, 3.0}));
}

TEST(HostValues, ElementsOfEveryType) {
  const std::vector<std::byte> data{std::byte{0xf1}, std::byte{0x80}, std::byte{0x80}, std::byte{0x3f}};
  EXPECT_EQ(element_value("u8", data, 0), 241);
  EXPECT_EQ(element_value("s8", data, 0), -15);
  EXPECT_EQ(element_value("u4", data, 1), 15);
  EXPECT_EQ(element_value("s4", data, 1), -1);
  EXPECT_EQ(element_value("b1", data, 4), 1);
  EXPECT_EQ(element_value("b1", data, 1), 0);
  EXPECT_EQ(element_value("bf16", data, 1), 1.0);
}

TEST(Limits, BuffersAreMeasuredAgainstMemory) {
  RunRequest request = test::request_for("half2.cu");
  const auto source = source::read(request.file, request.text);
  ASSERT_TRUE(source);
  EXPECT_TRUE(refusals(*source, "sm_90", 1 << 20).empty());
  const Diagnostics refused = refusals(*source, "sm_90", 16 << 10);
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_NE(refused[0].message.find("16384 bytes"), std::string::npos) << refused[0].message;
  EXPECT_EQ(shared_limit_bytes("sm_90a"), 232448u);
  EXPECT_EQ(shared_limit_bytes("sm_12345"), 0u);
}

TEST(Limits, ArraysOfTheHostCodeAreHalvedUntilTheyFit) {
  const std::string text =
      "__global__ void k(float* p, int* q) {}\n"
      "int main() { float* a; int* b; cudaMalloc(&a, 4 << 20); cudaMalloc(&b, 64); k<<<1, 32>>>(a, b); }\n";
  auto source = source::read("k.cu", text);
  ASSERT_TRUE(source);
  EXPECT_FALSE(shrink_to_memory(*source, 64 << 20)) << "it fits";
  EXPECT_FALSE(refusals(*source, "sm_90", 4 << 20).empty());
  EXPECT_TRUE(shrink_to_memory(*source, 4 << 20));
  EXPECT_EQ(source->header.buffers[0].elements, 65536u)
      << "256 KiB: at most a quarter of the third that buffers can have";
  EXPECT_EQ(source->header.buffers[1].elements, 16u);
  EXPECT_TRUE(refusals(*source, "sm_90", 4 << 20).empty());
  ASSERT_EQ(
      std::ranges::count(source->header.assumed, source::Assumption::Code::buffer_part, &source::Assumption::code), 1);
  // what lies after the part may be in what the file requests; after a whole buffer it is not
  const std::vector<std::uint64_t> at = {1 << 20, 2 << 20};
  ASSERT_NE(in_missing_part(*source, at, (1 << 20) + (512 << 10)), nullptr);
  EXPECT_EQ(in_missing_part(*source, at, (1 << 20) + (512 << 10))->name, source->header.buffers[0].name);
  EXPECT_EQ(in_missing_part(*source, at, (2 << 20) + 4096), nullptr);
  EXPECT_EQ(in_missing_part(*source, at, 16), nullptr);
  // what the user writes stays, and is refused
  auto own = source::read("k.cu", "/*\n[lanescope]\n[buffers]\np = \"f32 n:1048576\"\nq = \"s32 n:16\"\n*/\n" + text);
  ASSERT_TRUE(own);
  EXPECT_FALSE(shrink_to_memory(*own, 4 << 20));
  EXPECT_FALSE(refusals(*own, "sm_90", 4 << 20).empty());
}

layout::Assignment assignment(const char* text) { return *layout::parse(text); }

TEST(Statement, AnExchangeOfTwoBitsIsNamed) {
  const auto before = assignment("simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1");
  EXPECT_EQ(statement_words(before, assignment("simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1")),
            "s0 <-> r1 (local transpose)");
  EXPECT_EQ(statement_words(before, assignment("simd: k0; register: j3 k3; thread: j1 j0 j2 k2 k1")),
            "r0 <-> t2 (warp transpose)");
  EXPECT_EQ(statement_words(before, before), "");
  EXPECT_EQ(statement_words(before, assignment("simd: j2; register: k0 j3; thread: j1 j0 k3 k2 k1")),
            "");  // three bits moved
  EXPECT_EQ(statement_words(before, assignment("simd: k0; register: j3; thread: j1 j0 k3 k2 k1")), "");
}

}  // namespace
}  // namespace lanescope::engine
