// Failures are in every machine output: faults, errors of the compiler and of the header, warnings.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

class Problems : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
  /// A kernel with these lines of TOML for its only buffer.
  std::string kernel(const std::string& name, const std::string& buffers, const std::string& body) const {
    write(name, fmt::format("/*\n[lanescope]\nblock = 32\n\n[buffers]\n{}\n*/\n"
                            "__global__ void __launch_bounds__(32) k(float *p)\n{{\n{}}}\n",
                            buffers, body));
    return path(name);
  }
};

/// Entries of "diagnostics" whose message has these words.
std::vector<json> with_words(const json& out, const std::string& words) {
  std::vector<json> found;
  for (const json& d : out.value("diagnostics", json::array()))
    if (d.at("message").get<std::string>().find(words) != std::string::npos) found.push_back(d);
  return found;
}

std::vector<json> results_at(const json& sarif, const std::string& level, int line) {
  std::vector<json> found;
  for (const json& r : sarif["runs"][0]["results"])
    if (r["level"] == level && r["locations"][0]["physicalLocation"]["region"]["startLine"] == line) found.push_back(r);
  return found;
}

std::vector<std::string> rules_of(const json& sarif) {
  std::vector<std::string> ids;
  for (const json& r : sarif["runs"][0]["tool"]["driver"]["rules"]) ids.push_back(r["id"]);
  return ids;
}

TEST_F(Problems, AFaultIsInEveryMachineOutput) {
  const std::string file = data + "out_of_bounds.cu";
  for (const std::string command : {"check", "run", "review"}) {
    const Result r = run(command + " --json " + file);
    EXPECT_EQ(r.status, 1) << command << r.err;
    const json out = json::parse(r.out);
    ASSERT_EQ(out["faults"].size(), 1u) << command;
    EXPECT_EQ(out["faults"][0]["kind"], "out_of_bounds");
    EXPECT_EQ(out["faults"][0]["line"], 10);
    const auto said = with_words(out, out["faults"][0]["message"]);
    ASSERT_EQ(said.size(), 1u) << command << out["diagnostics"];
    EXPECT_EQ(said[0]["severity"], "error");
    EXPECT_EQ(said[0]["line"], 10);
    EXPECT_EQ(said[0]["file"], file);
    EXPECT_FALSE(said[0]["remedy"].get<std::string>().empty());
    // The same in a line of a sweep.
    const Result swept = run(command + " " + file + " --sweep seed=1");
    EXPECT_EQ(swept.status, 1);
    const json line = json::parse(swept.out);
    EXPECT_EQ(line["faults"], out["faults"]) << command;
    EXPECT_EQ(line["diagnostics"], out["diagnostics"]) << command;
  }
  const json drawn = json::parse(run("render --json " + file + " --view timeline -o " + path("t.svg")).out);
  EXPECT_EQ(drawn["faults"].size(), 1u);
  EXPECT_FALSE(with_words(drawn, "out of bounds").empty() && with_words(drawn, "lane 31").empty()) << drawn;
}

TEST_F(Problems, AFaultIsAnErrorOfSarif) {
  const Result r = run("review --sarif " + data + "out_of_bounds.cu");
  EXPECT_EQ(r.status, 1);
  const json out = json::parse(r.out);
  const auto errors = results_at(out, "error", 10);
  ASSERT_EQ(errors.size(), 1u) << out["runs"][0]["results"];
  EXPECT_EQ(errors[0]["ruleId"], "fault");
  const auto ids = rules_of(out);
  for (const json& result : out["runs"][0]["results"])
    EXPECT_NE(std::ranges::find(ids, result["ruleId"].get<std::string>()), ids.end()) << result;
  EXPECT_EQ(out["runs"][0]["invocations"][0]["executionSuccessful"], true);
  EXPECT_EQ(out["runs"][0]["invocations"][0]["exitCode"], 1);
}

TEST_F(Problems, AReviewOfAFaultIsNotCalledClean) {
  const Result r = run("review " + data + "out_of_bounds.cu");
  EXPECT_EQ(r.status, 1);
  EXPECT_NE(r.out.find("1 fault, "), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("only the part before was reviewed"), std::string::npos) << r.out;
}

TEST_F(Problems, AnErrorOfTheCompilerIsInEveryMachineOutput) {
  const std::string file = data + "syntax_error.cu";
  for (const std::string& command :
       {"check --json " + file, "run --json " + file, "review --json " + file, "annotate --json " + file,
        "occupancy --json " + file, "measure --json " + file,
        "render --json " + file + " --view timeline -o " + path("t.svg"), "check " + file + " --sweep seed=1"}) {
    const Result r = run(command);
    EXPECT_EQ(r.status, 2) << command << r.err;
    ASSERT_TRUE(json::accept(r.out)) << command << r.out;
    const json out = json::parse(r.out);
    ASSERT_FALSE(out.value("diagnostics", json::array()).empty()) << command;
    EXPECT_EQ(out["diagnostics"][0]["severity"], "error") << command;
    EXPECT_EQ(out["diagnostics"][0]["line"], 4) << command;
    EXPECT_EQ(out["diagnostics"][0]["column"], 1) << command;
    EXPECT_EQ(out["diagnostics"][0]["file"], file) << command;
  }
  const Result sarif = run("review --sarif " + file);
  EXPECT_EQ(sarif.status, 2);
  const json out = json::parse(sarif.out);
  EXPECT_EQ(results_at(out, "error", 4).size(), 1u) << out;
  EXPECT_EQ(out["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

TEST_F(Problems, AWarningIsInEveryMachineOutput) {
  const std::string file = kernel("unused.cu", "p = \"f32 i:32\"", "  int absent;\n  p[threadIdx.x] += 1;\n");
  for (const std::string& command :
       {"check --json " + file, "run --json " + file, "review --json " + file,
        "render --json " + file + " --view timeline -o " + path("t.svg"), "run " + file + " --sweep seed=1"}) {
    const Result r = run(command);
    EXPECT_EQ(r.status, 0) << command << r.err;
    const auto said = with_words(json::parse(r.out), "absent");
    ASSERT_EQ(said.size(), 1u) << command << r.out;
    EXPECT_EQ(said[0]["severity"], "warning") << command;
    EXPECT_EQ(said[0]["line"], 10) << command;
  }
  const json sarif = json::parse(run("review --sarif " + file).out);
  bool reported = false;
  for (const json& n : sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"])
    reported |= n["level"] == "warning" && n["message"]["text"].get<std::string>().find("absent") != std::string::npos;
  EXPECT_TRUE(reported) << sarif["runs"][0]["invocations"];
}

TEST_F(Problems, AFileThatIsNotThereIsInEveryMachineOutput) {
  for (const std::string command : {"check", "run", "review", "annotate", "occupancy", "measure"}) {
    const Result r = run(command + " --json /does/not/exist.cu");
    EXPECT_EQ(r.status, 2) << command;
    ASSERT_TRUE(json::accept(r.out)) << command << r.out;
    EXPECT_EQ(with_words(json::parse(r.out), "no such file").size(), 1u) << command << r.out;
  }
  const json line = json::parse(run("check /does/not/exist.cu --sweep seed=1").out);
  EXPECT_EQ(with_words(line, "no such file").size(), 1u) << line;
  const json sarif = json::parse(run("review --sarif /does/not/exist.cu").out);
  EXPECT_EQ(results_at(sarif, "error", 1).size(), 1u) << sarif;
}

TEST_F(Problems, AnExpectationThatCannotBeReadIsStatus2AtItsPlace) {
  const struct {
    const char *buffer, *words;
    int column;
  } cases[] = {
      {R"(p = { type = "f32", axes = "i:32", expect = "copy of absent" })", "'absent', which does not exist", 46},
      {R"(p = { type = "f32", axes = "i:32", expect = "none.npy" })", "none.npy", 46},
      {R"(p = { type = "f32", axes = "i:32", expect = [1, 2] })", "32 elements, but the list has 2", 45},
      {R"(p = { type = "f32", axes = "i:32", init = "none.npy" })", "none.npy", 44},
      {R"(p = "f32 i:32 = none.npy")", "none.npy", 17},
  };
  for (const auto& c : cases) {
    const std::string file = kernel("e.cu", c.buffer, "  p[threadIdx.x] += 1;\n");
    for (const std::string command : {"run", "check", "review"}) {
      const Result r = run(command + " --json " + file);
      EXPECT_EQ(r.status, 2) << command << c.buffer << r.err;
      const auto said = with_words(json::parse(r.out), c.words);
      ASSERT_EQ(said.size(), 1u) << command << c.buffer << r.out;
      EXPECT_EQ(said[0]["file"], file) << command << c.buffer;
      EXPECT_EQ(said[0]["line"], 6) << command << c.buffer;
      EXPECT_EQ(said[0]["column"], c.column) << command << c.buffer;
    }
  }
}

TEST_F(Problems, AnUnexpectedResultIsInEveryMachineOutput) {
  const std::string file =
      kernel("u.cu", R"(p = { type = "f32", axes = "i:32", expect = "zeros" })", "  p[threadIdx.x] += 1;\n");
  for (const std::string command : {"run", "check", "review"}) {
    const Result r = run(command + " --json " + file);
    EXPECT_EQ(r.status, 1) << command << r.err;
    EXPECT_EQ(with_words(json::parse(r.out), "differs from the expected result of the launch header").size(), 1u)
        << command << r.out;
  }
  EXPECT_EQ(results_at(json::parse(run("review --sarif " + file).out), "error", 6).size(), 1u);
}

using PtxProblems = ProgramTest;

// Lines of a fault are those of the PTX, lines of the header those of the launch file, with a table or without.
TEST_F(PtxProblems, PlacesAreInTheFileThatTheyAreOf) {
  const json out = json::parse(run("run --json --max-steps 3 " + copy).out);
  ASSERT_EQ(out["diagnostics"].size(), 1u) << out["diagnostics"];
  EXPECT_EQ(out["diagnostics"][0]["file"], data + "copy.ptx");
  for (const std::string head : {"[lanescope]\n", ""}) {
    write("l.toml", head +
                        "block = 64\nargs = [\"a\", \"b\", 48]\n[buffers]\na = \"u32 i:64\"\n"
                        "b = { type = \"u32\", axes = \"i:64\", expect = \"none.npy\" }\n");
    const Result r = run("run --json " + data + "copy.ptx --launch " + path("l.toml"));
    EXPECT_EQ(r.status, 2) << head << r.err;
    const auto said = with_words(json::parse(r.out), "none.npy");
    ASSERT_EQ(said.size(), 1u) << r.out;
    EXPECT_EQ(said[0]["file"], path("l.toml")) << head;
    EXPECT_EQ(said[0]["line"], head.empty() ? 5 : 6) << head;
  }
}

}  // namespace
}  // namespace lanescope::cli
