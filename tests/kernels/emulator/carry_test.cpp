// Extended-precision chains against arithmetic in 128 bits.

#include <cstring>

#include "tests/kernels/emulator/carry_chains.h"
#include "tests/kernels/emulator/one_operation.h"

namespace lanescope::emulator::test {
namespace {

/// As measured on an H200: the flag of a subtraction is 1 where it borrowed nothing.
TEST(Carry, TheFlagOfASubtractionIsItsBorrowsComplement) {
  const auto flag = [](const char* first) {
    return Reference([first](u64 a, u64 b, u64) {
      const u32 x = static_cast<u32>(a), y = static_cast<u32>(b);
      return u64{first[0] == 's' ? x >= y : u64{x} + y > ~u32{0}};
    });
  };
  check({{"sub.cc.u32 %d32, %a32, %b32; addc.u32 %d32, 0, 0;", flag("sub")},
         {"sub.cc.s32 %d32, %a32, %b32; addc.s32 %d32, 0, 0;", flag("sub")},
         {"add.cc.u32 %d32, %a32, %b32; addc.u32 %d32, 0, 0;", flag("add")},
         {"sub.cc.u64 %d64, %a64, %b64; addc.u64 %d64, 0, 0;", [](u64 a, u64 b, u64) { return u64{a >= b}; }},
         {"sub.cc.u32 %d32, %a32, %b32; subc.u32 %d32, 0, 0;",
          [](u64 a, u64 b, u64) { return static_cast<u32>(a) >= static_cast<u32>(b) ? 0u : ~u32{0}; }},
         {"add.cc.u32 %d32, %a32, %b32; subc.u32 %d32, 0, 0;", [](u64 a, u64 b, u64) {
            return (u64{static_cast<u32>(a)} + static_cast<u32>(b)) >> 32 != 0 ? 0u : ~u32{0};
          }}});
}

/// Numbers of 96 bits, subtracted and added back.
TEST(Carry, DifferencesOfThreeWords) {
  check(
      {{"{ .reg .b32 %x,%y,%z; cvt.u32.u64 %y, %c64; shr.u64 %c64, %c64, 32; cvt.u32.u64 %z, %c64; "
        "sub.cc.u32 %x, %a32, %b32; subc.cc.u32 %y, %y, 7; subc.u32 %z, %z, 9; mov.b64 %d64, {%y, %z}; }",
        [](u64 a, u64 b, u64 c) {
          const unsigned __int128 x = static_cast<unsigned __int128>(c) << 32 | static_cast<u32>(a);
          const unsigned __int128 y = static_cast<unsigned __int128>(u64{9} << 32 | 7) << 32 | static_cast<u32>(b);
          return static_cast<u64>((x - y) >> 32);
        }}});
}

/// 200 chains of 24 instructions, 64 threads each: 307,200 operations.
TEST(Carry, RandomChains) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    const std::vector<CarryStep> chain = random_chain(random, 24);
    std::vector<CarryPools> pools;
    for (int t = 0; t < 64; ++t) pools.push_back(random_pools(random));
    std::vector<trace::Buffer> buffers(2);
    buffers[0] = {"in", "u64", 64, std::vector<std::byte>(pools.size() * sizeof(CarryPools)), true};
    std::memcpy(buffers[0].bytes.data(), pools.data(), buffers[0].bytes.size());
    buffers[1] = {"out", "u64", 64, std::vector<std::byte>(pools.size() * 104), true};
    trace::Launch launch = launch_of(1, 64, 2);
    launch.kernel = "chain";
    run_ok(module_of(chain_ptx(chain)), launch, buffers);
    const auto out = values_of<u64>(buffers[1]);
    std::string text;
    for (const CarryStep& s : chain) text += name_of(s) + "; ";
    for (std::size_t t = 0; t < pools.size(); ++t) {
      const bool flag = chain_expected(chain, pools[t]);
      for (std::size_t i = 0; i < carry_pool; ++i) {
        ASSERT_EQ(out[t * 13 + i], pools[t].narrow[i]) << i << " of " << text;
        ASSERT_EQ(out[t * 13 + carry_pool + i], pools[t].wide[i]) << i << " of " << text;
      }
      ASSERT_EQ(out[t * 13 + 12], u64{flag}) << text;
    }
  }
}

/// The flag carries what decided it: addc of zeros depends on the operands of the add.cc before.
TEST(Carry, IdentitiesPassThroughTheFlag) {
  const auto module = module_of(
      kernel("ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%rd0];\nadd.cc.u32 %r4, %r0, %r1;\naddc.cc.u32 %r5, 0, 0;\n"
             "addc.u32 %r6, %r2, 0;\nadd.cc.u32 %r7, 1, 2;\naddc.u32 %r8, 0, 0;\n"
             "st.global.v4.u32 [%rd1], {%r4, %r5, %r6, %r8};\n",
             2));
  std::vector<trace::Buffer> buffers{buffer_of("in", std::vector<u32>(4, 1)), buffer_of("out", std::vector<u32>(4))};
  trace::TagPool pool;
  pool.space = tag_space(buffers);
  struct Stored : trace::Observer {
    void on_access(const trace::AccessEvent& e) override {
      if (e.kind == trace::AccessKind::store)
        for (std::size_t w = 0; w < 4; ++w) tags[w] = e.tags[w * 32];
    }
    std::array<trace::WordTag, 4> tags{};
  } stored;
  Options o;
  o.tags = &pool;
  o.observers = {&stored};
  run_ok(module, launch_of(1, 1, 2), buffers, o);
  using Sources = std::vector<std::pair<int, u64>>;
  EXPECT_EQ(pool.sources(stored.tags[0], 0, 32), (Sources{{0, 0}, {0, 1}}));
  EXPECT_EQ(pool.sources(stored.tags[1], 0, 32), (Sources{{0, 0}, {0, 1}}));
  EXPECT_EQ(pool.sources(stored.tags[2], 0, 32), (Sources{{0, 0}, {0, 1}, {0, 2}}));
  EXPECT_EQ(stored.tags[3], trace::no_data);
}

}  // namespace
}  // namespace lanescope::emulator::test
