// lanescope plan: what it says, what it writes, and that the kernels it writes do what they say.

#include <set>

#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"
#include "tests/kernels/convert/random_pairs.h"
#include "tests/sample.h"

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
  std::size_t turn = 0;
  for (const int bits : {1, 4, 8, 16, 32, 64}) {
    ++turn;
    const convert::Pair p = random.pair(convert::Kind::permutation, bits, 2, bits == 16 ? 1 : 0);
    const json planned = json::parse(run("plan --json " + options(p)).out)["conversions"][0];
    // Of each size one of the other plans, and of every second one the recommended plan.
    const std::size_t plans = planned["plans"].size();
    ASSERT_GT(plans, 0u);
    for (const std::size_t n : std::set<std::size_t>{1, 1 + turn % plans}) {
      if (n == 1 && !lanescope::test::in_sample(turn, 2)) continue;
      const std::string file = path(fmt::format("k{}_{}.cu", bits, n));
      // The recommended one is compiled for every architecture before it is written, the other for the one it runs on.
      const Result written =
          run(fmt::format("plan {} --plan {} --kernel {}{}", options(p), n, file, n == 1 ? "" : " --target sm_90"));
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

TEST_F(PlanPage, FreeLanesAndChains) {
  const std::string from = "simd: n1 n0; register: e1 e0 n2; thread: t0 n6 n5 n4 n3";
  const std::string to = "simd: e1 e0; register: n6 n0 t0; thread: n5 n4 n3 n2 n1";
  const std::string both = fmt::format("--type u8 --from '{}' --to '{}' ", from, to);
  const auto first = [&](const std::string& more) {
    return json::parse(run("plan --json " + both + more).out)["conversions"].back();
  };
  EXPECT_EQ(first("")["plans"][0]["shuffles"], 8);
  const json free = first("--free-lanes");
  EXPECT_EQ(free["plans"][0]["shuffles"], 6);
  EXPECT_EQ(free["free"], json({"lanes"}));
  EXPECT_EQ(free["gap"], 0);
  EXPECT_TRUE(free["plans"][0]["proved"]);
  write("chain.toml", fmt::format("name = \"beam\"\ntype = \"u8\"\nfree = \"lanes\"\nstates = [\"{}\", \"simd: e1 e0; "
                                  "register: n1 n0 n2\", \"register: n6 n0 t0; thread: n2 n1 n5 n4 n3\", \"{}\"]\n",
                                  from, to));
  const json chain = json::parse(run("plan --json " + path("chain.toml")).out);
  ASSERT_EQ(chain["conversions"].size(), 4U);
  EXPECT_EQ(chain["conversions"][1]["name"], "beam_2");
  EXPECT_EQ(chain["conversions"][3]["name"], "beam");
  EXPECT_EQ(chain["conversions"][3]["plans"][0]["shuffles"], 6);
  EXPECT_EQ(chain["chains"][0]["steps"], 3);
  EXPECT_EQ(chain["chains"][0]["shuffles"], 6);
  const json through =
      json::parse(run("plan --json " + both + "--through 'simd: e1 e0; register: n1 n0 n2' --free-lanes").out);
  EXPECT_EQ(through["conversions"].size(), 3U);
}

/// The chains of production kernels that are published, each step and the whole.
TEST_F(PlanPage, PublishedChains) {
  const Result r = run("plan --json " + data + "../convert/chains.toml");
  ASSERT_EQ(r.status, 0) << r.err;
  const json out = json::parse(r.out);
  std::map<std::string, int> shuffles;
  for (const json& c : out["conversions"]) shuffles[c["name"]] = c["plans"][0]["shuffles"];
  EXPECT_EQ(shuffles["reference_notes_half2"], 2);
  EXPECT_EQ(shuffles["chime_bf1_E"], 8);  // 16 by hand
  EXPECT_EQ(shuffles["chime_bf1_E_free"], 6);
  EXPECT_LE(shuffles["casm_bf_E"], 6);      // 8 by hand
  EXPECT_EQ(shuffles["bit_transpose"], 5);  // 5 by hand
  EXPECT_EQ(shuffles["lagged_downsample"], 2);
  EXPECT_EQ(shuffles["dequant_int4"], 2);  // 2 by hand
}

TEST_F(PlanPage, OtherNamesAreRenamed) {
  const Result refused = run("plan --type f32 --from 'thread: j4 j3 j2 j1 j0' --to 'thread: i0 i1 i2 i3 i4'");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--rename"), std::string::npos) << refused.err;
  const Result r =
      run("plan --json --type f32 --from 'thread: j4 j3 j2 j1 j0' --to 'thread: i0 i1 i2 i3 i4' --rename 'j0=i0 j1=i1 "
          "j2=i2 "
          "j3=i3 j4=i4'");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(json::parse(r.out)["conversions"][0]["plans"][0]["shuffles"], 1);
}

TEST_F(PlanPage, WhatIsWrittenWasCompiledAndRun) {
  const Result r =
      run("plan --json " + half2_chain + "--target 'sm_80 sm_90' --emit " + path("a.cuh") + " --self-test " +
          path("a.cu") + " --global " + path("g.cuh") + " --from-axes 'j k' --to-axes 'j k'");
  ASSERT_EQ(r.status, 0) << r.err;
  const json one = json::parse(r.out)["conversions"][0];
  if (!one.contains("verified")) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  EXPECT_EQ(one["verified"]["architectures"], json({"sm_80", "sm_90"}));
  EXPECT_GT(one["verified"]["elements"], 256);
  EXPECT_GT(one["verified"]["registers"], 0);
  EXPECT_NE(slurp(path("a.cu")).find("int main()"), std::string::npos);
  EXPECT_NE(slurp(path("g.cuh")).find("__launch_bounds__(256)"), std::string::npos);
  EXPECT_EQ(slurp(path("a.cuh")).find("#include"), std::string::npos);
}

TEST_F(PlanPage, StructuresOfAnyNumberOfWords) {
  const Result r = run("plan --json --structures 7 --target sm_90 --global " + path("s.cuh"));
  ASSERT_EQ(r.status, 0) << r.err;
  const json s = json::parse(r.out)["structures"];
  EXPECT_EQ(s["shuffles"], 7);
  EXPECT_EQ(s["selects"], 21);
  EXPECT_TRUE(s["proved_optimal"]);
  EXPECT_NE(slurp(path("s.cuh")).find("convert_kernel"), std::string::npos);
}

/// A program that needs nothing but the CUDA toolkit: it compiles without a warning of the host's compiler, and says that
/// there is no GPU where there is none.
TEST_F(PlanPage, TheSelfTestIsAProgram) {
  if (std::system("command -v nvcc > /dev/null 2>&1") != 0) GTEST_SKIP() << "SKIPPED, needs nvcc";
  ASSERT_EQ(run("plan " + half2_chain + "--target none --namespace tiles --self-test " + path("t.cu")).status, 0);
  const std::string compile = fmt::format(
      "nvcc -std=c++17 -arch=sm_90 -Werror all-warnings -Xcompiler -Wall,-Wextra '{}' -o "
      "'{}' > '{}' 2>&1",
      path("t.cu"), path("t"), path("log"));
  ASSERT_EQ(std::system(compile.c_str()), 0) << slurp(path("log"));
  const int status = std::system(fmt::format("'{}' > '{}'", path("t"), path("said")).c_str());
  const std::string said = slurp(path("said"));
  if (WEXITSTATUS(status) == 2)
    EXPECT_EQ(said, "fail: there is no GPU\n");
  else
    EXPECT_NE(said.find("pass convert: "), std::string::npos) << said;
}

/// Headers of every kind, kernel files and whole kernels: nvcc has nothing to say for any architecture.
TEST_F(PlanPage, NvccHasNothingToSayForAnyArchitecture) {
  if (std::system("command -v nvcc > /dev/null 2>&1") != 0) GTEST_SKIP() << "SKIPPED, needs nvcc";
  write("all.toml", R"(
[[plan]]
name = "bits"
type = "1"
from = "simd: i4 i3 i2 i1 i0; register: k0; thread: j2 j1 j0 j4 j3"
to = "simd: j4 k0 j2 j1 j0; register: i0; thread: i4 i3 i2 i1 j3"
[[plan]]
name = "bytes"
type = "u8"
from = "simd: n1 n0; register: e1 e0 n2; thread: t0 n6 n5 n4 n3"
to = "simd: e1 e0; register: n6 n0 t0; thread: n5 n4 n3 n2 n1"
[[plan]]
name = "wide"
type = "f64"
from = "register: i0; thread: j4 j3 j2 j1 j0; warp: k0"
to = "register: k0; thread: j4 j3 j2 j1 j0; warp: i0"
)");
  write("rows.toml", R"(
[[plan]]
name = "rows"
type = "f16"
from = "simd: c0; register: a0 r4 r3; thread: r2 r1 r0 c2 c1; warp: w0"
to = "simd: c0; register: a0 c2 c1; thread: r4 r3 r2 r1 r0; warp: w0"
plan = 4
)");
  std::string includes;
  const auto made = [&](const std::string& arguments, const std::string& file) {
    const Result r = run("plan --target none " + arguments + " " + path(file));
    EXPECT_EQ(r.status, 0) << r.err;
    includes += fmt::format("#include \"{}\"\n", path(file));
  };
  made(path("all.toml") + " --namespace a --emit", "a.cuh");
  made(path("rows.toml") + " --emit", "b.cuh");
  EXPECT_NE(slurp(path("b.cuh")).find("stmatrix"), std::string::npos);
  const std::string tile =
      "--type f16 --from-axes 'i j' --to-axes 'j i' --from 'simd: j0; register: i0 j1; thread: i2 i1 j4 "
      "j3 "
      "j2; warp: i4 i3' --to 'simd: i0; register: j0 i1; thread: j2 j1 i4 i3 i2; warp: j4 j3' ";
  made(tile + "--name tiles --global", "c.cuh");
  made(tile +
           "--name several --namespace tiled --tile-group 4 --tiles-in-a-row 3 --blocks-of-a-multiprocessor 2 --global",
       "d.cuh");
  made("--structures 7 --global", "e.cuh");
  made("--structures 3 --to-structures --name back --access-bytes 16 --global", "f.cuh");
  write("all.cu", includes +
                      "__global__ void use(unsigned long long* p) {\n  unsigned long long x[2] = {p[0], p[1]}, y[2];\n"
                      "  __shared__ uint4 memory[64];\n  a::wide(x, y, memory);\n  p[0] = y[0] + y[1];\n"
                      "  unsigned u[8] = {}, v[8];\n  rows(u, v, memory);\n  p[1] = v[0] + v[7];\n}\n");
  ASSERT_EQ(run("plan --target none " + half2_chain + "--kernel " + path("k.cu")).status, 0);
  // A kernel file has no code of its own beside that of a header: the oldest and the newest will do.
  for (const auto& [file, architectures] :
       {std::pair<std::string, std::vector<int>>{"all.cu", {75, 80, 86, 89, 90, 100, 120}}, {"k.cu", {75, 120}}}) {
    std::string targets;
    for (const int arch : architectures) targets += fmt::format(" -gencode arch=compute_{0},code=sm_{0}", arch);
    const std::string compile =
        fmt::format("nvcc -std=c++17 -Werror all-warnings -Xcompiler -Wall,-Wextra{} -c '{}' -o '{}' > '{}' 2>&1",
                    targets, path(file), path("o"), path("log"));
    EXPECT_EQ(std::system(compile.c_str()), 0) << slurp(path("log"));
  }
}

TEST_F(PlanPage, MistakesAreNamedAndNothingIsWritten) {
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    const Result r = run("plan " + arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_NE(r.err.find(words), std::string::npos) << r.err;
  };
  refused("", "--from, --to and --type");
  refused("--from 'thread: i0'", "--from requires --t");  // --to or --type
  refused("--type u7 --from 'thread: i0' --to 'thread: i0'", "the type `u7` is unknown");
  refused("--type u8 --from 'thread: i0 <-> ' --to 'thread: i0'", "--from");
  refused("--type f32 --from 'thread: i0; block: j0' --to 'thread: j0; block: i0'", "between blocks");
  refused("--type 2 --from 'thread: i0' --to 'thread: i0' --kernel " + path("k.cu"), "no buffer has elements of 2");
  EXPECT_EQ(slurp(path("k.cu")), "");
  refused("--type f32 --from 'thread: i0' --to 'thread: j0'", "--to: `i0` is in `from` and not in `to`");
  refused("--type f32 --from 'thread: i0' --to 'thread: i0 j0'", "--from: `j0` is in `to` and not in `from`");
  refused("--type f32 --from 'thread: i0' --to 'thread: i0 j0'", "--rename OLD=NEW");
  refused("--type 3 --from 'thread: i0' --to 'thread: i0'", "--type: ");
  refused("--type f32 --from 'thread: i0' --to 'thread: i0' --plan 9", "there are 1 plans");
  refused("--type f32 --from 'thread: i0' --to 'thread: i0' --name '9x'", "--name");
  refused("--type u4 --from 'simd: i0' --to 'simd: i0' --target none --global " + path("g.cuh"), "have no address");
  refused("--type f32 --from 'thread: i0' --to 'thread: i0' --rename 'k0=i0'", "no logical bit `k0`");
  refused("--type f32 --from 'thread: i0' --to 'thread: i0' --rename 'k0'", "renames nothing");
  refused("--structures 65", "--structures");
  write("free.toml", "type = \"f32\"\nfrom = \"thread: i0\"\nto = \"thread: i0\"\nfree = \"warps\"\n");
  refused(path("free.toml"), "`warps` cannot be free");
  write("states.toml", "type = \"f32\"\nfrom = \"thread: i0\"\nto = \"thread: i0\"\nstates = [\"thread: i0\"]\n");
  refused(path("states.toml"), "two assignments or more");
  write("bad.toml", "name = \"a\"\ntype = 3\nfrom = \"thread: i0\"\ncolour = \"red\"\n");
  refused(path("bad.toml"), "bad.toml:2:8");
  refused(path("none.toml"), "none.toml");
}

}  // namespace
}  // namespace lanescope::cli
