// Products and sums of which ptxas makes an fma, against an H200: random kernels.

#include "kernels/ptx/contraction.h"

#include <fstream>
#include <set>

#include "tests/kernels/emulator/contraction_programs.h"
#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

std::uint64_t emulated(std::uint64_t seed) {
  ContractionProgram program(seed);
  const ptx::Module module = module_of(program.text());
  const auto run_with = [&]<class Word>(Word) {
    std::vector<Word> in;
    for (const std::uint64_t word : program.inputs()) in.push_back(static_cast<Word>(word));
    std::vector<trace::Buffer> buffers{buffer_of("in", in),
                                       buffer_of("out", std::vector<Word>(32 * contraction_outputs))};
    run_ok(module, launch_of(1, 32, 2), buffers);
    const std::vector<Word> out = values_of<Word>(buffers[1]);
    return program.hash([&](int i) { return out[static_cast<std::size_t>(i)]; });
  };
  const int bits = program.type().bits;
  return bits == 64 ? run_with(std::uint64_t{}) : bits == 32 ? run_with(std::uint32_t{}) : run_with(std::uint16_t{});
}

/// Programs that ptxas sees otherwise: a block or operation that no lane executes, values known at compile time, `neg.ftz` of
/// a product that is stored too.
const std::set<std::uint64_t> seen_otherwise = {22, 168, 210, 394, 446, 474, 886, 1007, 1211, 1417};

TEST(Contraction, RandomKernelsGiveTheResultsOfAnH200) {
  std::ifstream file(std::string(LANESCOPE_TEST_DATA_DIR) + "/contraction/results_h200.txt");
  std::string line;
  std::getline(file, line);
  std::uint64_t seed = 0;
  for (; file >> line; ++seed)
    EXPECT_EQ(fmt::format("{:016x}", emulated(seed)) == line, !seen_otherwise.contains(seed)) << "seed " << seed;
  EXPECT_EQ(seed, 1446u);
}

struct Rule {
  const char* name;
  const char* body;  ///< of a kernel with f32 registers a to d, p to s and x to z; k is a predicate
  const char*
      sums;  ///< those that are an FFMA in the machine code, by their place in the body from 0, with its product
};

// By the machine code that ptxas 13.0.88 makes for sm_90.
constexpr Rule rules[] = {
    {"Sum", "mul.f32 p,a,b; add.f32 x,p,c;", "1:0"},
    {"SumOfTheOtherOrder", "mul.f32 p,a,b; add.f32 x,c,p;", "1:0"},
    {"Difference", "mul.f32 p,a,b; sub.f32 x,p,c;", "1:0"},
    {"DifferenceFromATerm", "mul.f32 p,a,b; sub.f32 x,c,p;", "1:0"},
    {"RoundedProduct", "mul.rn.f32 p,a,b; add.f32 x,p,c;", ""},
    {"RoundedSum", "mul.f32 p,a,b; add.rn.f32 x,p,c;", ""},
    {"FlushedProductOnly", "mul.ftz.f32 p,a,b; add.f32 x,p,c;", ""},
    {"FlushedBoth", "mul.ftz.f32 p,a,b; add.ftz.f32 x,p,c;", "1:0"},
    {"SaturatedProduct", "mul.sat.f32 p,a,b; add.f32 x,p,c;", ""},
    {"SaturatedSum", "mul.f32 p,a,b; add.sat.f32 x,p,c;", "1:0"},
    {"TwoProducts", "mul.f32 p,a,b; mul.f32 q,c,d; add.f32 x,p,q;", "2:0"},
    {"TwoProductsOfTheOtherOrder", "mul.f32 p,a,b; mul.f32 q,c,d; add.f32 x,q,p;", "2:1"},
    {"FirstIsRead", "mul.f32 p,a,b; mul.f32 q,c,d; add.f32 x,p,q; mov.f32 y,p;", "2:1"},
    {"FirstIsAddedTwice", "mul.f32 p,a,b; mul.f32 q,c,d; add.f32 x,p,q; add.f32 y,p,a;", "2:1"},
    {"BothAreAddedTwice", "mul.f32 p,a,b; mul.f32 q,c,d; add.f32 x,p,q; add.f32 y,p,a; add.f32 z,q,b;", "2:0 3:0"},
    {"Fewer",
     "mul.f32 q,a,b; mul.f32 p,c,d; add.f32 x,q,p; add.f32 y,p,a; add.f32 z,q,b; sub.f32 s,q,a; add.f32 z,z,s;",
     "2:1 3:1"},
    {"Ring", "mul.f32 p,a,b; mul.f32 q,c,d; mul.f32 r,a,d; add.f32 x,p,q; add.f32 y,q,r; add.f32 z,r,p;",
     "3:0 4:2 5:2"},
    {"AddedTwice", "mul.f32 p,a,b; add.f32 x,p,c; add.f32 y,p,d;", "1:0 2:0"},
    {"AddedAndStored", "mul.f32 p,a,b; add.f32 x,p,c; mov.f32 y,p;", ""},
    {"AddedAndMultiplied", "mul.f32 p,a,b; add.f32 x,p,c; mul.f32 y,p,d;", ""},
    {"WithItself", "mul.f32 p,a,b; add.f32 x,p,p;", ""},
    {"WithItsNegative", "mul.f32 p,a,b; neg.f32 q,p; add.f32 x,p,q;", ""},
    {"TermOfAnFma", "mul.f32 p,a,b; add.f32 x,p,c; fma.rn.f32 y,a,b,p;", ""},
    {"Moved", "mul.f32 p,a,b; mov.f32 q,p; add.f32 x,q,c;", "2:0"},
    {"Negated", "mul.f32 p,a,b; neg.f32 q,p; add.f32 x,q,c;", "2:0"},
    {"NegatedAndStored", "mul.f32 p,a,b; neg.f32 q,p; add.f32 x,q,c; mov.f32 y,q;", ""},
    {"Absolute", "mul.f32 p,a,b; abs.f32 q,p; add.f32 x,q,c;", ""},
    {"UnreadReader", "mul.f32 p,a,b; mov.f32 q,p; add.f32 x,p,c; mul.f32 r,q,q;", "2:0"},
    {"One", "mul.f32 p,a,0f3F800000; add.f32 x,p,c;", ""},
    {"Constants", "mov.f32 p,0f3F8CCCCD; mul.f32 q,p,0f3F9CC1CD; add.f32 x,q,c;", ""},
    {"OverwrittenFactor", "mul.f32 a,a,b; add.f32 x,a,c;", "1:0"},
    {"GuardedSum", "mul.f32 p,a,b; mov.f32 x,c; @k add.f32 x,p,c;", "2:0"},
    {"GuardedProduct", "mov.f32 p,d; @k mul.f32 p,a,b; add.f32 x,p,c;", ""},
    {"Barrier", "mul.f32 p,a,b; bar.sync 0; add.f32 x,p,c;", "2:0"},
    {"JumpToTheNext", "mul.f32 p,a,b; bra L; L: add.f32 x,p,c;", "2:0"},
    {"OtherBlock", "mul.f32 p,a,b; @k bra L; add.f32 y,a,d; L: add.f32 x,p,c;", ""},
    {"OtherBlockOfAConstant", "mul.f32 p,a,0f3F8CCCCD; @k bra L; add.f32 y,a,d; L: add.f32 x,p,c;", "3:0"},
    {"BothBlocksOfAConstant", "mul.f32 p,a,0f3F8CCCCD; add.f32 x,p,c; @k bra L; add.f32 y,p,d; L:", "1:0 3:0"},
    {"StoredConstant", "mul.f32 p,a,0f3F8CCCCD; @k bra L; add.f32 x,p,c; L: mov.f32 y,p;", ""},
    {"EitherOfTwo", "mov.f32 p,d; @k bra L; mul.f32 p,a,0f3F8CCCCD; L: add.f32 x,p,c;", ""},
    {"EndOfSomeLanes", "mul.f32 p,a,b; @k ret; add.f32 x,p,c;", ""},
    {"EndOfSomeLanesOfAConstant", "mul.f32 p,a,0f3F8CCCCD; @k ret; add.f32 x,p,c;", "2:0"},
};

TEST(Contraction, FollowsTheMachineCode) {
  for (const Rule& rule : rules) {
    SCOPED_TRACE(rule.name);
    const std::string begin = "mov.f32 x,a; mov.f32 y,a; mov.f32 z,a; ",
                      ends = " st.global.f32 [g],x; st.global.f32 [g],y; st.global.f32 [g],z; ret;";
    std::string loads = "ld.param.u64 g,[p0]; ld.volatile.global.u32 t,[g]; setp.eq.u32 k,t,0; ";
    for (const char* r : {"a", "b", "c", "d"}) loads += fmt::format("ld.global.f32 {},[g]; ", r);
    const ptx::Module module = module_of(header +
                                         ".visible .entry k(.param .u64 p0) { .reg .f32 a,b,c,d,p,q,r,s,x,y,z; .reg "
                                         ".b64 g; .reg .b32 t; .reg .pred k; " +
                                         loads + begin + rule.body + ends + " }");
    constexpr int first = 10;  // instruction of the body
    std::string found;
    const std::vector<ptx::Contraction> all = ptx::contractions(module.entries.at(0));
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].product >= 0)
        found += fmt::format("{}{}:{}", found.empty() ? "" : " ", static_cast<int>(i) - first, all[i].product - first);
    EXPECT_EQ(found, rule.sums);
  }
}

TEST(Contraction, SitesNameTheProduct) {
  const std::string text = header + R"(
.func (.reg .f32 r) f(.reg .f32 a) { .reg .f32 p; mul.f32 p,a,a; sub.f32 r,p,a; ret; }
.visible .entry k(.param .u64 p0) { .reg .f32 a,b,p,x; .reg .b64 g; ld.param.u64 g,[p0]; ld.global.f32 a,[g];
mul.f32 p,a,a; add.f32 x,p,a; call (b), f, (x); st.global.f32 [g],b; ret; })";
  ptx::Module module = module_of(text);
  const auto products = [&] {
    std::vector<std::string> out;
    const auto sites = code_sites(module, *std::ranges::find(module.entries, false, &ptx::Entry::is_function), "");
    for (const trace::CodeSite& s : sites)
      if (s.product_pc >= 0) out.push_back(s.text + " " + sites.at(static_cast<std::size_t>(s.product_pc)).text);
    return out;
  };
  const std::vector<std::string> found = products();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].starts_with("add.f32") && found[0].find("; mul.f32 ") != std::string::npos) << found[0];
  EXPECT_TRUE(found[1].starts_with("sub.f32") && found[1].find("; mul.f32 ") != std::string::npos) << found[1];
  module.contracts = false;
  EXPECT_TRUE(products().empty());
}

TEST(Contraction, CodeThatNothingLeadsTo) {
  const ptx::Module module = module_of(header +
                                       ".visible .entry k(.param .u64 p0) { .reg .f32 a,p,x; .reg .b64 g; ld.param.u64 "
                                       "g,[p0]; ret; L: ld.global.f32 a,[g]; "
                                       "mul.f32 p,a,a; add.f32 x,p,a; st.global.f32 [g],x; bra L; }");
  EXPECT_EQ(ptx::contractions(module.entries.at(0)).at(4).product, 3);
}

}  // namespace
}  // namespace lanescope::emulator::test
