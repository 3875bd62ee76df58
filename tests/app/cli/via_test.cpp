// --via and --sweep as a shell sees them: the same bytes on both streams and the same status as without.

#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

class Via : public ProgramTest {
 protected:
  /// The worker starts in another folder, as over ssh.
  static std::string via() { return fmt::format(" --via \"cd / && exec '{}' worker\"", program); }
  void expect_same(const std::string& arguments, int status) const {
    const Result here = run(arguments), there = run(arguments + via());
    EXPECT_EQ(here.status, status) << arguments << "\n" << here.err;
    EXPECT_EQ(there.status, here.status) << arguments << "\n" << there.err;
    EXPECT_EQ(there.out, here.out) << arguments;
    EXPECT_EQ(there.err, here.err) << arguments;
    EXPECT_FALSE(here.out.empty() && here.err.empty()) << arguments;
  }
};

TEST_F(Via, StoredKernelsSayTheSame) {
  for (const std::string kernel : {"half2_transposes", "copy_float4", "no_comments"}) {
    const std::string file = fmt::format("assets/kernels/{}.cu --no-nvrtc", kernel);
    for (const std::string json : {"", " --json"}) {
      const int checked = run("check " + file).status;
      expect_same("check " + file + json, checked);
      expect_same("run " + file + json, 0);
      expect_same("review " + file + json, run("review " + file).status);
    }
    expect_same("review --sarif " + file, run("review " + file).status);
  }
}

TEST_F(Via, PicturesAndOccupancyAreTheSame) {
  const std::string kernel = "assets/kernels/half2_transposes.cu --no-nvrtc";
  for (const std::string view : {"registers", "global", "timeline", "assignment", "traffic-run", "heat", "occupancy"})
    for (const std::string kind : {"svg", "json", "csv"}) {
      const auto picture = [&](const std::string& name, const std::string& more) {
        const Result r = run(fmt::format("render {} --view {} -o {}.{}{}", kernel, view, path(name), kind, more));
        EXPECT_EQ(r.status, 0) << view << r.err;
        return slurp(path(name + "." + kind));
      };
      const std::string here = picture("here", "");
      EXPECT_FALSE(here.empty());
      EXPECT_EQ(here, picture("there", via())) << view << kind;
    }
  expect_same("occupancy " + kernel, 0);
  expect_same("occupancy --json " + kernel, 0);
}

TEST_F(Via, CompiledKernelsSayTheSame) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  expect_same("check " + data + "wrong_claim.cu --json", 1);
  expect_same("check " + data + "wrong_claim.cu", 1);
  expect_same("run " + data + "out_of_bounds.cu", 1);
  expect_same("run " + data + "out_of_bounds.cu --json", 1);
  expect_same("check " + data + "syntax_error.cu", 2);
  expect_same("annotate assets/kernels/no_comments.cu", 0);
  expect_same("annotate --json assets/kernels/no_comments.cu", 0);
  expect_same("annotate " + data + "syntax_error.cu", 2);
  expect_same("occupancy " + data + "half2.cu --caps 16,32,255", 0);
}

TEST_F(Via, FaultsAndBadInputHaveTheSameWordsAndStatus) {
  write("bad.toml", "[lanescope]\nblock = \"many\"\n");
  write("host.cu", "int main() { return 0; }\n");
  expect_same("run " + copy, 0);
  expect_same("run " + copy + "--max-steps 3", 3);
  expect_same("run " + data + "copy.ptx --launch " + path("bad.toml"), 2);
  expect_same("run " + data + "copy.ptx --launch /does/not/exist", 2);
  expect_same("check " + path("host.cu"), 2);
  expect_same("check /does/not/exist.cu", 2);
  expect_same("check " + data + "half2.cu --no-nvrtc", 3);
  expect_same("annotate " + data + "half2.cu --no-nvrtc", 3);
  expect_same("render " + copy + "--view timeline --at step:99999 -o " + path("x.svg"), 2);
}

TEST_F(Via, WrittenBuffersAreTheSame) {
  EXPECT_EQ(run("run " + copy + "--out b=" + path("here.npy")).status, 0);
  EXPECT_EQ(run("run " + copy + "--out b=" + path("there.npy") + via()).status, 0);
  EXPECT_EQ(slurp(path("here.npy")), slurp(path("there.npy")));
  EXPECT_FALSE(slurp(path("here.npy")).empty());
}

/// srun keeps what a worker says until the end of a line, unless it must not.
TEST_F(Via, TheCommandIsToldNotToKeepOutput) {
  EXPECT_EQ(run("run " + copy + fmt::format("--via '[ \"$SLURM_UNBUFFEREDIO\" = 1 ] && exec {} worker'", program)),
            run("run " + copy));
}

TEST_F(Via, AnEngineThatIsNotThereIsStatus3) {
  const Result r = run("run " + copy + "--via 'echo no such host >&2; exit 255'");
  EXPECT_EQ(r.status, 3);
  EXPECT_TRUE(r.out.empty());
  EXPECT_NE(r.err.find("no such host"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("--via"), std::string::npos) << r.err;
  EXPECT_EQ(run("run " + copy + "--via 'sleep 20' --via-wait 1").status, 3);
  EXPECT_EQ(run("run " + copy + "--via-wait 0").status, 2);
}

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> out;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) out.push_back(json::parse(line));
  return out;
}

TEST_F(Via, ASweepHasOneLineForEachFileAndValueInOrder) {
  const std::string sweep =
      "run " + copy + data + "missing.ptx " + data + "copy.ptx --sweep block=32,64 --sweep seed=1,2,3";
  const Result one = run(sweep);
  EXPECT_EQ(one.status, 2);  // of the file that is not there
  const std::vector<json> lines = lines_of(one.out);
  ASSERT_EQ(lines.size(), 18u);
  const std::string files[] = {"copy.ptx", "missing.ptx", "copy.ptx"};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const json& line = lines[i];
    EXPECT_EQ(line["file"], data + files[i / 6]);
    EXPECT_EQ(line["parameters"]["block"], i / 3 % 2 ? "64" : "32");
    EXPECT_EQ(line["parameters"]["seed"], std::to_string(i % 3 + 1));
    EXPECT_EQ(line["status"], i / 6 == 1 ? 2 : 0) << line;
    EXPECT_EQ(line.contains("outputs"), i / 6 != 1);
  }
  // For any order in which two engines answer.
  const std::string slow = fmt::format(" --via \"sleep 0.3; exec '{}' worker\"", program);
  for (const std::string& engines : {via(), via() + slow, slow + via(), via() + " --via 'exit 1'"})
    EXPECT_EQ(run(sweep + engines), one) << engines;
}

TEST_F(Via, ASweepGoesOnBehindWhatFails) {
  const Result mixed = run("run " + copy + "--sweep block=64,2x,32");
  EXPECT_EQ(mixed.status, 2);
  std::vector<int> statuses;
  for (const json& line : lines_of(mixed.out)) {
    statuses.push_back(line["status"]);
    EXPECT_EQ(line.contains("diagnostics"), line["status"] != 0) << line;
  }
  EXPECT_EQ(statuses, (std::vector<int>{0, 2, 0}));
  const Result lost = run("run " + copy + "--sweep seed=1,2 --via 'exit 1' --via 'exit 1'");
  EXPECT_EQ(lost.status, 3);
  for (const json& line : lines_of(lost.out)) EXPECT_EQ(line["status"], 3) << line;
  EXPECT_EQ(lines_of(lost.out).size(), 2u);
  for (const char* wrong : {"--sweep block", "--sweep =1", "--sweep block=", "--sweep block=1,,2"}) {
    const Result r = run("run " + copy + wrong);
    EXPECT_EQ(r.status, 2) << wrong;
    EXPECT_NE(r.err.find("NAME=VALUE"), std::string::npos) << wrong << r.err;
  }
}

/// One engine is through with its jobs before the other turns out not to be there: the job that this one had is done,
/// too.
TEST_F(Via, ASweepEndsWhereAnEngineIsLostAfterTheOthersAreDone) {
  const std::string late = " --via 'sleep 1'";
  const Result alone = run("run " + copy + "--sweep seed=1,2" + via());
  EXPECT_EQ(alone.status, 0) << alone.err;
  for (const std::string& engines : {via() + late, late + via(), late + via() + late})
    EXPECT_EQ(run("run " + copy + "--sweep seed=1,2" + engines), alone) << engines;
}

TEST_F(Via, SeveralFilesAreTextForPeopleAndLinesForMachines) {
  const std::string missing = data + "missing.cu", half2 = "assets/kernels/half2_transposes.cu",
                    copied = "assets/kernels/copy_float4.cu", files = half2 + " " + missing + " " + copied;
  for (const std::string command : {"check --no-nvrtc ", "review --no-nvrtc ", "run --no-nvrtc "}) {
    const Result text = run(command + files);
    EXPECT_EQ(text.status, 2) << command;
    EXPECT_FALSE(json::accept(text.out.substr(0, text.out.find('\n')))) << text.out;
    for (const std::string& file : {half2, copied}) {
      const Result one = run(command + file);
      EXPECT_NE(text.out.find(file + ":\n" + one.out), std::string::npos) << command << file << "\n" << text.out;
    }
    EXPECT_EQ(text.err, run(command + missing).err) << command;
    EXPECT_TRUE(text.out.ends_with("3 files: 2 good, 1 invalid\n") || command == "review --no-nvrtc ") << text.out;
    const std::vector<json> lines = lines_of(run(command + "--json " + files).out);
    ASSERT_EQ(lines.size(), 3u) << command;
    EXPECT_EQ(lines[1]["status"], 2);
  }
}

TEST_F(Via, ASweptLaunchIsNotJudgedByWhatTheHeaderExpectsOfAnother) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  write("k.cu",
        "/*\n[lanescope]\ngrid = 4\nblock = 32\nargs = { n = 1 }\n[buffers]\nq = { type = "
        "\"u32\", axes = \"i:128\", init = "
        "\"zeros\", expect = \"iota\" }\n*/\n__global__ void k(unsigned *q, int n) {\n  unsigned i = blockIdx.x * "
        "blockDim.x + "
        "threadIdx.x;\n  if (i < 128) q[i] = i * n;\n}\n");
  const Result swept = run("run " + path("k.cu") + " --sweep block=16,32,64");
  const std::vector<json> lines = lines_of(swept.out);
  ASSERT_EQ(lines.size(), 3u) << swept.err;
  // 64 threads cover what 16 do not: there the results differ from those of the header's launch.
  EXPECT_EQ(lines[0]["status"], 3) << lines[0];
  EXPECT_NE(lines[0]["reason"].get<std::string>().find("another launch"), std::string::npos) << lines[0];
  EXPECT_EQ(lines[0]["outputs"]["q"]["undecided"], true) << lines[0];
  EXPECT_NE(lines[0]["diagnostics"].dump().find("the launch header expects for block = 32"), std::string::npos)
      << lines[0];
  EXPECT_EQ(lines[1]["status"], 0) << lines[1];
  EXPECT_EQ(lines[2]["status"], 0) << lines[2];
  EXPECT_EQ(lines[2]["outputs"]["q"]["expectation"], "equal");
  // A schedule is not another launch, and one that changes the result is wrong.
  for (const json& line : lines_of(run("run " + path("k.cu") + " --sweep seed=1,2").out)) EXPECT_EQ(line["status"], 0);
  // For other arguments nothing is expected, which is reported.
  for (const json& line : lines_of(run("run " + path("k.cu") + " --sweep n=2,3").out)) {
    EXPECT_EQ(line["status"], 0) << line;
    EXPECT_NE(line["notices"].dump().find("are stated for n = 1"), std::string::npos) << line;
  }
}

TEST_F(Via, ALostConnectionIsToldAndChangesNothing) {
  const std::string fragile = fmt::format(
      "run {} --sweep block=32,64 --via \"if [ -e '{}' ]; then exec '{}' worker; fi; touch '{}'; '{}' worker | "
      "(dd bs=1 count=200 2>/dev/null; kill -9 \\$\\$)\"",
      copy, path("once"), program, path("once"), program);
  const Result r = run(fragile);
  EXPECT_EQ(r.status, 0) << r.err << r.out;
  EXPECT_EQ(r.out, run("run " + copy + "--sweep block=32,64").out);
  EXPECT_NE(r.err.find("The request is repeated"), std::string::npos) << r.err;
}

}  // namespace
}  // namespace lanescope::cli
