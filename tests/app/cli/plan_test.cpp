// lanescope plan: what it says, what it writes, and that the kernels it writes do what they say.

#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"
#include "tests/kernels/convert/random_pairs.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

class PlanPage : public ProgramTest {
 protected:
  static std::string options(const convert::Pair& p) {
    return fmt::format("--type {} --from '{}' --to '{}' ", p.element_bits, layout::print_line(p.from),
                       layout::print_line(p.to));
  }
};

const std::string half2_chain =
    "--type f16 --from 'simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1' --to 'simd: j3; register: k0 "
    "k3; thread: j1 j0 j2 k2 k1' ";

TEST_F(PlanPage, SaysCostsAndTheirLowerBound) {
  const json out = json::parse(run("plan --json " + half2_chain).out)["conversions"][0];
  EXPECT_EQ(out["plans"][0]["shuffles"], 2);
  EXPECT_EQ(out["plans"][0]["permutes"], 4);
  EXPECT_EQ(out["lower_bound"]["shuffles"], 2);
  EXPECT_TRUE(out["proved_optimal"]);
  const json& shared = out["plans"].back();
  EXPECT_EQ(shared["bank_conflicts"], 0);
  EXPECT_EQ(shared["shared_bytes"], 512);
  EXPECT_EQ(shared["barrier_of"], "warp");
}

TEST_F(PlanPage, KernelsThatItWritesAreRight) {
  convert::RandomPairs random(7);
  for (const int bits : {1, 4, 8, 16, 32, 64}) {
    const convert::Pair p = random.pair(convert::Kind::permutation, bits, 2, bits == 16 ? 1 : 0);
    const json planned = json::parse(run("plan --json " + options(p)).out)["conversions"][0];
    for (std::size_t n = 1; n <= planned["plans"].size(); ++n) {
      const std::string file = path(fmt::format("k{}_{}.cu", bits, n));
      const Result written = run(fmt::format("plan {} --plan {} --kernel {}", options(p), n, file));
      ASSERT_EQ(written.status, 0) << written.err;
      const Result ran = run("run --json " + file);
      if (ran.status == 3) GTEST_SKIP() << "no compiler: " << ran.err;
      const json answer = json::parse(ran.out);
      ASSERT_EQ(ran.status, 0) << ran.out << slurp(file);
      EXPECT_TRUE(answer["faults"].empty()) << ran.out;
    }
  }
}

TEST_F(PlanPage, ClaimsAtEveryStepHold) {
  ASSERT_EQ(run("plan --plan 1 " + half2_chain + "--kernel " + path("k.cu")).status, 0);
  const Result checked = run("check --json " + path("k.cu"));
  if (checked.status == 3 && checked.out.find("NVRTC") != std::string::npos) GTEST_SKIP() << "no compiler";
  int holding = 0;
  const json answer = json::parse(checked.out);
  for (const json& claim : answer["claims"]) {
    EXPECT_EQ(claim["verdict"], "holds") << claim;
    ++holding;
  }
  EXPECT_GE(holding, 4) << slurp(path("k.cu"));
}

TEST_F(PlanPage, AFileHoldsSeveral) {
  write("d.toml",
        "[[plan]]\nname = \"a\"\ntype = \"f32\"\nfrom = \"register: i0; thread: j4 j3 j2 j1 j0\"\nto = \"register: j0; "
        "thread: j4 j3 j2 j1 i0\"\n[[plan]]\nname = \"b\"\ntype = \"u8\"\nfrom = \"\"\"\nsimd: i1 i0\nregister: j1 "
        "j0\nthread: t4 t3 t2 t1 t0\"\"\"\n"
        "to = \"simd: j1 j0; register: i1 i0\"\n");
  const Result r = run(fmt::format("plan {} --json --emit {} --namespace tiles", path("d.toml"), path("d.cuh")));
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(json::parse(r.out)["conversions"].size(), 2u);
  const std::string header = slurp(path("d.cuh"));
  EXPECT_NE(header.find("namespace tiles {"), std::string::npos);
  EXPECT_NE(header.find(" a(const Word (&from)[2]"), std::string::npos);
  EXPECT_NE(header.find("0x6240u"), std::string::npos);
}

TEST_F(PlanPage, MistakesAreNamedAndNothingIsWritten) {
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    const Result r = run("plan " + arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_NE(r.err.find(words), std::string::npos) << r.err;
  };
  refused("", "--from, --to and --type");
  refused("--from 'thread: i0'", "--to");
  refused("--type u7 --from 'thread: i0' --to 'thread: i0'", "the type `u7` is unknown");
  refused("--type u8 --from 'thread: i0 <-> ' --to 'thread: i0'", "--from");
  refused("--type f32 --from 'thread: i0; block: j0' --to 'thread: j0; block: i0'", "between blocks");
  refused("--type 2 --from 'thread: i0' --to 'thread: i0' --kernel " + path("k.cu"), "no buffer has elements of 2");
  EXPECT_EQ(slurp(path("k.cu")), "");
  refused("--type f32 --from 'thread: i0' --to 'thread: i0' --plan 9", "there are 1 plans");
  refused("--type f32 --from 'thread: i0' --to 'thread: i0' --name '9x'", "--name");
  write("bad.toml", "name = \"a\"\ntype = 3\nfrom = \"thread: i0\"\ncolour = \"red\"\n");
  refused(path("bad.toml"), "bad.toml:2:8");
  refused(path("none.toml"), "none.toml");
}

}  // namespace
}  // namespace lanescope::cli
