// Every kernel's output, byte for byte, against plain CPU code written from the kernel's description: where the element
// that ends at a place of the output comes from. Nothing here has the emulator.

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "tests/catalogue/expectations.h"
#include "tests/catalogue/order_dependent.h"
#include "tests/catalogue/support.h"

namespace lanescope::catalogue {
namespace {

int bit(Index n, int k) { return static_cast<int>(n >> k & 1); }
/// n with bits a and b exchanged.
Index swapped(Index n, int a, int b) {
  const Index differ = static_cast<Index>(bit(n, a) ^ bit(n, b));
  return n ^ (differ << a | differ << b);
}

/// Element `n` of `bits` bits each, the first ones of a byte in its low bits.
std::uint64_t element(const std::vector<std::byte>& bytes, int bits, Index n) {
  std::uint64_t value = 0;
  for (int k = 0; k < bits; ++k) {
    const Index at = n * static_cast<Index>(bits) + static_cast<Index>(k);
    value |= static_cast<std::uint64_t>(static_cast<unsigned>(bytes[at / 8]) >> at % 8 & 1u) << k;
  }
  return value;
}

std::vector<std::byte> rearranged(const std::vector<std::byte>& input, int bits, const Origin& origin) {
  std::vector<std::byte> out(input.size());
  const Index elements = input.size() * 8 / static_cast<Index>(bits);
  for (Index n = 0; n < elements; ++n) {
    const std::uint64_t value = element(input, bits, origin(n));
    for (int k = 0; k < bits; ++k) {
      const Index at = n * static_cast<Index>(bits) + static_cast<Index>(k);
      out[at / 8] |= static_cast<std::byte>((value >> k & 1) << at % 8);
    }
  }
  return out;
}

Expectation computes(std::string input, std::string output, std::function<Bytes(const Inputs&)> result) {
  return {.input = std::move(input), .output = std::move(output), .origin = {}, .result = std::move(result)};
}
/// The same of a kernel that works in its input.
Expectation works_in(std::string input, std::string output, std::function<Bytes(const Inputs&)> result) {
  Expectation out = computes(std::move(input), std::move(output), std::move(result));
  out.in_place = true;
  return out;
}
/// Words of `p` that end up in `q`, which has `elements`.
Expectation gathers(Index elements, Origin origin) {
  return computes("p", "q", [=](const Inputs& in) { return gathered(in, elements, origin); });
}
Bytes blurred_once(const Inputs& inputs) { return blurred(inputs, 1); }
Bytes blurred_twice(const Inputs& inputs) { return blurred(inputs, 2); }

const Origin same = [](Index n) { return n; };
const Origin transposed_32x32 = [](Index n) { return n % 32 * 32 + n / 32; };

// Positions in the output count simd part, lane, register, warp, from the least significant bit up, because each kernel
// stores its registers one after the other. Bits of the position are numbered accordingly below.
const std::map<std::string, Expectation> expectations = {
    {"copy_float", {"p", "q", 32, same}},
    {"copy_float2", {"p", "q", 32, same}},
    {"copy_float4", {"p", "q", 32, same}},
    {"pointer_offsets", {"p", "q", 32, same}},
    {"shared_transpose_naive", {"p", "q", 32, transposed_32x32}},
    {"shared_transpose_padded", {"p", "q", 32, transposed_32x32}},
    {"shared_transpose_swizzled", {"p", "q", 32, transposed_32x32}},
    // s0 is bit 0, t is bits 5..1, r is bits 7 6: s0 <-> r1, and after it r0 <-> t2. To go back, undo the last one first.
    {"half2_transposes", {"p", "q", 16, [](Index n) { return swapped(swapped(n, 6, 3), 0, 7); }}},
    // s is bits 1 0, r0 is bit 2, because a thread's two registers are one 64-bit access.
    {"byte_transpose_s0", {"p", "q", 8, [](Index n) { return swapped(n, 0, 2); }}},
    {"byte_transpose_s1", {"p", "q", 8, [](Index n) { return swapped(n, 1, 2); }}},
    // s is bits 2..0, t bits 7..3, r0 bit 8.
    {"nibble_transpose", {"p", "q", 4, [](Index n) { return swapped(n, 0, 8); }}},
    // s is bits 4..0, t bits 9..5, r bits 11 10: s0 <-> r0 and s4 <-> r1.
    {"bit_transpose", {"p", "q", 1, [](Index n) { return swapped(swapped(n, 0, 10), 4, 11); }}},
    // s0 is bit 0, t bits 5..1, r0 bit 6.
    {"complex_reim", {"z", "out", 16, [](Index n) { return swapped(n, 0, 6); }}},
    // s0 is bit 0, t bits 5..1, r bits 7 6: s0 <-> r0, and after it r1 <-> t4.
    {"no_comments", {"src", "dst", 16, [](Index n) { return swapped(swapped(n, 7, 5), 0, 6); }}},
    {"warp_sum", computes("p", "q", butterfly_sums)},
    {"copy_int", {"p", "q", 32, same}},
    {"copy_int2", {"p", "q", 32, same}},
    {"copy_int4", {"p", "q", 32, same}},
    {"rmse_atomic", computes("a", "sum", squared_differences)},
    {"rmse_private", computes("a", "sum", squared_differences)},
    {"rmse_modulo", computes("a", "sum", squared_differences)},
    {"rmse_contiguous", computes("a", "sum", squared_differences)},
    {"axpy_rows", computes("x", "y", doubled_and_added)},
    {"axpy_columns", computes("x", "y", doubled_and_added)},
    {"axpy_grid_stride", computes("x", "y", doubled_and_added)},
    // Three rounds in a ring of 32 lanes.
    {"neighbour_shared", {"p", "q", 32, [](Index n) { return n / 32 * 32 + (n + 3) % 32; }}},
    {"neighbour_shuffle", {"p", "q", 32, [](Index n) { return n / 32 * 32 + (n + 3) % 32; }}},
    {"blur_once", computes("in", "out", blurred_once)},
    {"blur_twice", computes("in", "out", blurred_twice)},
    {"blur_fused", computes("in", "out", blurred_twice)},
    {"array_of_structures", computes("p", "q", [](const Inputs& in) { return coordinate_sums(in, 512, 3, 1); })},
    // Sharing and stencils.
    {"downsample_1", computes("in", "out", [](const Inputs& in) { return every(in, 1); })},
    {"downsample_2", computes("in", "out", [](const Inputs& in) { return every(in, 2); })},
    {"downsample_4", computes("in", "out", [](const Inputs& in) { return every(in, 4); })},
    {"blur_shared_static", computes("in", "out", blurred_once)},
    {"blur_shared_dynamic", computes("in", "out", blurred_once)},
    {"blur_scatter", computes("in", "out", weighted_neighbours)},
    {"barrier_in_if", computes("in", "out", blurred_inside)},
    {"shared_separate", computes("x", "y", mirrored_waves)},
    {"shared_union", computes("x", "y", mirrored_waves)},
    {"reverse_shared", computes("text", "text", reversed)},
    {"reverse_registers", computes("text", "text", reversed)},
    {"reverse_pairs", computes("text", "text", reversed)},
    {"dot_block", computes("x", "sum", dot_product)},
    {"dot_any", computes("x", "sum", dot_product)},
    {"dot_two_launches", computes("x", "sum", dot_product)},
    // Races and atomics.
    {"increment_atomic", computes("x", "x", [](const Inputs& in) { return added(in("x"), 2); })},
    {"update_synchronised", computes("y", "y", [](const Inputs&) { return added(Bytes(4), 1); })},
    {"count_zeros_atomic", computes("x", "count", count_of_zeros)},
    {"histogram_atomic", computes("values", "bins", histogram)},
    {"histogram_shared", computes("values", "bins", histogram)},
    {"increment_each_lane", computes("x", "slots", slots_of_positives)},
    {"increment_by_ballot", computes("x", "slots", slots_of_positives)},
    {"increment_by_group", computes("x", "slots", slots_of_positives)},
    // Global memory.
    {"read_aligned", gathers(512, same)},
    {"read_permuted", gathers(512, [](Index n) { return swapped(swapped(n, 0, 4), 1, 3); })},
    {"read_misaligned", gathers(512, [](Index n) { return n + 1; })},
    {"read_same_word", gathers(512, [](Index n) { return n / 32; })},
    {"read_scattered", gathers(512, [](Index n) { return (n * 2654435769u & 0xffffffff) >> 20; })},
    {"read_strided", gathers(512, [](Index n) { return 64 * n; })},
    {"read_may_alias", computes("p", "q", four_sums)},
    {"read_restrict", computes("p", "q", four_sums)},
    {"read_ldg", computes("p", "q", four_sums)},
    {"constant_same", computes("p", "q", polynomial)},
    {"constant_each", computes("p", "q", times_lane)},
    {"cache_loads", computes("p", "q", sums_of_five)},
    {"cache_stores", gathers(2048, [](Index n) { return n % 512; })},
    {"store_line", computes("p", "q", [](const Inputs& in) { return scattered(in, 1024, 32, same); })},
    {"store_half_line", computes("p", "q", [](const Inputs& in) { return scattered(in, 1024, 16, same); })},
    {"store_three_sectors", computes("p", "q",
                                     [](const Inputs& in) {
                                       return scattered(in, 1024, 24,
                                                        [](Index n) { return n / 32 * 64 + n % 32 + n % 32 / 8 * 8; });
                                     })},
    {"matrix_add_32x8", computes("a", "sum", matrix_sum)},
    {"matrix_add_256x1", computes("a", "sum", matrix_sum)},
    {"matrix_add_1x256", computes("a", "sum", matrix_sum)},
    {"block_40x2", computes("p", "q", row_added)},
    // Kernels that launch kernels.
    {"nested_hello", computes("", "seen", threads_of_each_depth)},
    {"reduce_nested", works_in("x", "sum", [](const Inputs& in) { return sums_of_parts(in("x"), 512); })},
    {"reduce_tail", works_in("x", "sum", [](const Inputs& in) { return sums_of_parts(in("x"), 2048); })},
    {"structure_of_arrays", computes("p", "q", [](const Inputs& in) { return coordinate_sums(in, 512, 1, 512); })},
};

/// nullptr: there is no statement of what the kernel computes.
const Expectation* expectation(const std::string& name) {
  for (const auto* table : {&expectations, &warp_expectations()})
    if (const auto found = table->find(name); found != table->end()) return &found->second;
  return nullptr;
}

void expect_output(const engine::Session& session, const Expectation& e) {
  ASSERT_TRUE(session.summary().ok) << words(session.summary().diagnostics);
  ASSERT_NE(session.source(), nullptr);
  const engine::Output* found = output(session, e.output);
  ASSERT_NE(found, nullptr);
  const auto input = initial_bytes(*session.source(), e.input);
  if (!e.input.empty() && !e.in_place && e.input != e.output) {
    const engine::Output* untouched = output(session, e.input);
    ASSERT_NE(untouched, nullptr);
    ASSERT_FALSE(input.empty());
    EXPECT_EQ(untouched->bytes, input) << "the kernel wrote to its input";
  }
  const Inputs inputs = [&](std::string_view name) { return initial_bytes(*session.source(), name); };
  EXPECT_EQ(found->bytes, e.origin ? rearranged(input, e.bits, e.origin) : e.result(inputs));
  for (const auto& [name, result] : e.others) {
    const engine::Output* other = output(session, name);
    ASSERT_NE(other, nullptr) << name;
    EXPECT_EQ(other->bytes, result(inputs)) << name;
  }
  EXPECT_TRUE(session.faults().empty()) << words(session.summary().diagnostics);
}

/// The same of a kernel that is wrong on purpose: some order of its threads leaves this.
void expect_possible(const engine::Session& session, const OrderDependent& k) {
  ASSERT_TRUE(session.summary().ok) << words(session.summary().diagnostics);
  const Contents before = [&](std::string_view name) { return initial_bytes(*session.source(), name); };
  const Contents after = [&](std::string_view name) {
    const trace::Bytes& bytes = output(session, name)->bytes;
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  EXPECT_EQ(k.objection(before, after), "");
  EXPECT_TRUE(session.faults().empty()) << words(session.summary().diagnostics);
}

class Outputs : public ::testing::TestWithParam<std::string> {};

TEST_P(Outputs, AreWhatTheDescriptionSays) {
  if (const OrderDependent* k = find_order_dependent(GetParam())) return expect_possible(catalogue_run(GetParam()), *k);
  const Expectation* e = expectation(GetParam());
  ASSERT_NE(e, nullptr) << "write down what " << GetParam() << " computes";
  expect_output(catalogue_run(GetParam()), *e);
}

// Small integers repeat in narrow elements; random data leave no two orders alike.
TEST_P(Outputs, OfRandomData) {
  LANESCOPE_NEEDS_NVRTC();
  if (find_order_dependent(GetParam()) != nullptr) GTEST_SKIP() << "wrong on purpose";
  const Expectation* e = expectation(GetParam());
  ASSERT_NE(e, nullptr);
  if (e->input.empty()) GTEST_SKIP() << "it has no input";
  std::string text = kernel_text(GetParam());
  const std::size_t at = text.find("\n" + e->input + " = \"");
  ASSERT_NE(at, std::string::npos);
  const std::size_t begin = text.find('"', at) + 1, end = text.find('"', begin);
  const std::size_t given = text.find(" = ", begin);  // contents of its own
  text.replace(std::min(given, end), end - std::min(given, end), " = random 20");
  engine::RunRequest request = request_for(GetParam(), text);
  request.probed_run = false;
  expect_output(run(request), *e);
}

// Kernels without races do not depend on the order in which warps and blocks run.
TEST_P(Outputs, DoNotDependOnTheSchedule) {
  if (GetParam() == "pointer_offsets") GTEST_SKIP() << "4096 blocks that share nothing";
  engine::RunRequest request = request_for(GetParam(), kernel_text(GetParam()));
  request.probed_run = false;
  const OrderDependent* const k = find_order_dependent(GetParam());
  const Expectation* const e = expectation(GetParam());
  ASSERT_TRUE(k != nullptr || e != nullptr);
  for (const std::uint64_t seed : {2u, 3u}) {
    request.seed = seed;
    if (k != nullptr)
      expect_possible(run(request), *k);
    else
      expect_output(run(request), *e);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Outputs, ::testing::ValuesIn(kernel_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace lanescope::catalogue
