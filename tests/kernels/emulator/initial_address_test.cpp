// Variables that begin with addresses: strings, tables of pointers.

#include <random>

#include <fmt/format.h>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

TEST(InitialAddresses, LeadToTheirVariables) {
  std::string text = kernel(
      "ld.global.u64 %rd1, [names+8];\nld.u8 %r0, [%rd1];\nld.global.u64 %rd2, [names];\nld.u8 %r1, [%rd2+1];\n"
      "ld.global.u64 %rd3, [names+16];\nld.global.u32 %r2, [%rd3];\nmul.lo.u32 %r1, %r1, 1000;\nadd.u32 %r0, %r0, "
      "%r1;\n"
      "mul.lo.u32 %r2, %r2, 1000000;\nadd.u32 %r0, %r0, %r2;\n"
      "mov.u64 %rd4, n;\nand.b64 %rd4, %rd4, 65280;\nshr.u64 %rd4, %rd4, 8;\ncvt.u32.u64 %r3, %rd4;\n"
      "ld.global.u8 %r4, [part];\nsub.u32 %r3, %r3, %r4;\nadd.u32 %r0, %r0, %r3;\n" +
          out_address + store_r0,
      1);
  text.insert(
      header.size(),
      ".global .align 1 .b8 one[4] = {65, 66, 67, 0};\n.global .align 1 .b8 two[2] = {90, 0};\n"
      ".global .align 4 .u32 n = 5;\n.global .align 8 .u64 names[3] = {generic(one), generic(two), generic(n)};\n"
      ".global .align 1 .b8 part[1] = {0xFF00(n)};\n");
  const auto module = module_of(text);
  std::vector<trace::Buffer> buffers = {buffer_of<std::uint32_t>("p", std::vector<std::uint32_t>(32))};
  run_ok(module, launch_of(1, 32, 1), buffers);
  EXPECT_EQ(values_of<std::uint32_t>(buffers[0])[3], 90U + 66U * 1000 + 5U * 1000000);
}

// Elements of arrays with an index in a register: the address that is computed, by a plain rule over random cases.

struct IndexedArray {
  const char* space;
  const char* declaration;
  unsigned bytes;  // of an element
};
constexpr IndexedArray indexed_arrays[] = {
    {"global", ".global .align 16 .b32 ag[64];", 4}, {"global", ".global .align 16 .f64 ad[64];", 8},
    {"global", ".global .align 16 .u8 ab[64];", 1},  {"shared", ".shared .align 16 .b16 as[64];", 2},
    {"const", ".const .align 16 .b32 ac[64];", 4},   {"local", ".local .align 16 .b64 al[64];", 8},
    {"shared", ".shared .v4 .f32 av[16];", 4}};

struct IndexType {
  const char* type;
  unsigned bits;
};
constexpr IndexType index_types[] = {{"u32", 32}, {"s32", 32}, {"b32", 32}, {"u64", 64},
                                     {"s64", 64}, {"u16", 16}, {"s16", 16}};

/// Index and bytes are computed in 32 bits without a sign, in 64 where the index has them.
std::uint64_t bytes_in_front(std::uint64_t index, unsigned bits, std::int64_t more, unsigned bytes) {
  if (bits == 64) return (index + static_cast<std::uint64_t>(more)) * bytes;
  return static_cast<std::uint32_t>((static_cast<std::uint32_t>(index) + static_cast<std::uint32_t>(more)) * bytes);
}

TEST(Elements, AddressesOfAnIndexInARegister) {
  std::mt19937_64 random(11);
  std::string declarations, body = out_address;
  std::vector<std::uint64_t> expected;
  int moves = 0;
  for (const IndexedArray& a : indexed_arrays) {
    const std::string_view all = a.declaration;
    const std::string name(all.substr(all.rfind(' ') + 1, 2));
    declarations += std::string(all) + "\n";
    for (const IndexType& i : index_types)
      for (const std::int64_t more : {0, 1, -1, 7}) {
        const std::uint64_t whole = random() % 3 == 0 ? random() : random() % 64;
        const std::uint64_t value = i.bits == 64 ? whole : whole & ((std::uint64_t{1} << i.bits) - 1);
        declarations += fmt::format(".reg .{} %i{};\n", i.type, moves);
        const std::string plus = more == 0 ? "" : fmt::format("+{}", more);
        body += fmt::format("mov.b{} %i{}, {};\nmov.u64 %rd1, {}[%i{}{}];\nmov.u64 %rd2, {};\n", i.bits, moves, value,
                            name, moves, plus, name);
        body += fmt::format("sub.u64 %rd3, %rd1, %rd2;\nst.global.u64 [%rd0+{}], %rd3;\n", moves * 8);
        expected.push_back(bytes_in_front(value, i.bits, more, a.bytes));
        ++moves;
      }
  }
  const ptx::Module module = module_of(kernel(body, 1, declarations));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<std::uint64_t>(expected.size()))};
  run_ok(module, launch_of(1, 1, 1), buffers);
  EXPECT_EQ(values_of<std::uint64_t>(buffers[0]), expected);
}

TEST(Elements, AreStoredAndLoadedAndPredicated) {
  const std::string body =
      out_address +
      "mov.u32 %r1, %tid.x;\nmul.lo.u32 %r2, %r1, 7;\nst.shared.u32 x[%r1], %r2;\nbar.sync 0;\n"
      "xor.b32 %r3, %r1, 5;\nmov.u32 %r0, 1000;\nsetp.ne.u32 %p1, %r1, 3;\n"
      "@%p1 ld.shared.u32 %r0, x[%r3+1];\n"
      "mov.u32 %r4, x[%r1];\nmov.u32 %r5, x;\nsub.u32 %r4, %r4, %r5;\nmad.lo.u32 %r0, %r4, 10000, %r0;\n" +
      store_r0;
  const ptx::Module module = module_of(kernel(body, 1, ".shared .b32 x[40];\n"));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<std::uint32_t>(32))};
  run_ok(module, launch_of(1, 32, 1), buffers);
  const auto out = values_of<std::uint32_t>(buffers[0]);
  for (std::uint32_t t = 0; t < 32; ++t) {
    const std::uint32_t element = (t ^ 5u) + 1;
    EXPECT_EQ(out[t], t * 40000 + (t == 3 ? 1000 : element < 32 ? element * 7 : 0)) << t;
  }
}

TEST(Moves, OfANumberInto128BitsHaveZerosAbove) {
  std::string body;
  std::vector<std::uint64_t> expected;
  for (const std::int64_t value : {41LL, -1LL, static_cast<long long>(0x8000000000000000ULL)}) {
    body += fmt::format("mov.b128 %q, {};\nmov.b128 {{%rd1, %rd2}}, %q;\nst.global.v2.u64 [%rd0+{}], {{%rd1, %rd2}};\n",
                        value, expected.size() * 8);
    expected.insert(expected.end(), {static_cast<std::uint64_t>(value), 0});
  }
  const ptx::Module module = module_of(kernel(body, 1, ".reg .b128 %q;\n"));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<std::uint64_t>(expected.size()))};
  run_ok(module, launch_of(1, 1, 1), buffers);
  EXPECT_EQ(values_of<std::uint64_t>(buffers[0]), expected);
}

std::string why_refused(const std::string& statement) {
  const ptx::Module module = module_of(kernel(statement + "\n", 1));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<std::uint32_t>(4))};
  const Result result = run(module, launch_of(1, 1, 1), buffers, {}).value_or(Result{});
  return result.faults.empty() ? "" : result.faults[0].message;
}

TEST(SpecialRegisters, ThatOnlyHardwareKnowsAreRefusedByName) {
  EXPECT_NE(why_refused("mov.u32 %r1, %pm3;").find("`%pm3` is a performance counter"), std::string::npos);
  EXPECT_NE(why_refused("mov.b32 %r1, %envreg31;").find("the driver sets `%envreg31`"), std::string::npos);
  EXPECT_NE(why_refused("mov.u32 %r1, %absent;").find("neither"), std::string::npos);
  EXPECT_EQ(why_refused("mov.u64 %rd1, %current_graph_exec;"), "");
}

}  // namespace
}  // namespace lanescope::emulator::test
