// A review as SARIF 2.1.0. The oracle below is written from the standard: which properties each object may and must have, of
// which kind, and what refers to what. It has the parts of SARIF that a review can have and refuses all others.

#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"
#include "tests/sample.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Checks the form of a log; each complaint names the place.
class Oracle {
 public:
  explicit Oracle(const json& log) {
    object(log, "log", {"version", "runs"}, {"$schema"});
    expect(log.at("version") == "2.1.0", "version");
    absolute(log.at("$schema"), "$schema");
    for (const json& run : log.at("runs")) check_run(run);
  }
  std::string complaints;

 private:
  void expect(bool holds, const std::string& what) {
    if (!holds) complaints += what + "\n";
  }
  /// An object with all of `required` and none but these and `optional`.
  bool object(const json& j, const std::string& at, const std::set<std::string>& required,
              const std::set<std::string>& optional = {}) {
    expect(j.is_object(), at + " is no object");
    if (!j.is_object()) return false;
    for (const std::string& name : required) expect(j.contains(name), at + " has no " + name);
    for (const auto& [name, value] : j.items())
      expect(required.contains(name) || optional.contains(name), at + " has a " + name);
    return true;
  }
  void text(const json& j, const std::string& at) {
    if (object(j, at, {"text"})) expect(j["text"].is_string() && !j["text"].get<std::string>().empty(), at + ".text");
  }
  /// RFC 3986: no character that must be encoded, no half of an escape.
  void reference(const json& j, const std::string& at) {
    static const std::regex allowed(R"(([-A-Za-z0-9._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)");
    expect(j.is_string() && std::regex_match(j.get<std::string>(), allowed), at + " is no URI: " + j.dump());
  }
  void absolute(const json& j, const std::string& at) {
    reference(j, at);
    expect(j.is_string() && std::regex_search(j.get<std::string>(), std::regex("^[a-z]+://")), at + " has no scheme");
  }
  void level(const json& j, const std::string& at) {
    expect(j == "none" || j == "note" || j == "warning" || j == "error", at + " is no level");
  }

  void check_run(const json& run) {
    object(run, "run", {"tool"}, {"results", "invocations", "columnKind", "originalUriBaseIds", "properties"});
    expect(run["columnKind"] == "unicodeCodePoints" || run["columnKind"] == "utf16CodeUnits", "columnKind");
    std::vector<std::string> rules;
    object(run.at("tool"), "tool", {"driver"});
    const json& driver = run.at("tool").at("driver");
    object(driver, "driver", {"name"}, {"version", "rules", "informationUri"});
    for (const json& rule : driver.at("rules")) {
      object(rule, "rule", {"id"}, {"shortDescription", "fullDescription", "help", "helpUri", "defaultConfiguration"});
      for (const char* part : {"shortDescription", "fullDescription", "help"})
        if (rule.contains(part)) text(rule[part], part);
      if (rule.contains("helpUri")) absolute(rule["helpUri"], "helpUri");
      object(rule["defaultConfiguration"], "defaultConfiguration", {"level"});
      level(rule["defaultConfiguration"]["level"], "defaultConfiguration");
      rules.push_back(rule.at("id"));
    }
    expect(std::set<std::string>(rules.begin(), rules.end()).size() == rules.size(), "two rules have one id");
    std::set<std::string> bases;
    if (run.contains("originalUriBaseIds"))
      for (const auto& [name, base] : run["originalUriBaseIds"].items()) {
        object(base, "base", {"uri"});
        absolute(base["uri"], name);
        expect(base["uri"].get<std::string>().ends_with('/'), name + " is no folder");
        bases.insert(name);
      }
    const auto locations = [&](const json& all) {
      expect(all.is_array(), "locations");
      for (const json& one : all) {
        object(one, "location", {"physicalLocation"});
        const json& place = one.at("physicalLocation");
        object(place, "physicalLocation", {"artifactLocation"}, {"region"});
        const json& file = place.at("artifactLocation");
        object(file, "artifactLocation", {"uri"}, {"uriBaseId"});
        reference(file.at("uri"), "uri");
        if (file.contains("uriBaseId")) {
          expect(bases.contains(file["uriBaseId"]), "uriBaseId without a base");
          expect(!file["uri"].get<std::string>().starts_with('/') && file["uri"].get<std::string>().find("..") != 0,
                 "a uri with a base begins at it");
        }
        object(place["region"], "region", {}, {"startLine", "startColumn"});
        for (const auto& [name, number] : place["region"].items())
          expect(number.is_number_integer() && number > 0, name);
      }
    };
    for (const json& result : run.at("results")) {
      object(result, "result", {"message"},
             {"ruleId", "ruleIndex", "level", "locations", "partialFingerprints", "suppressions", "properties"});
      text(result["message"], "message");
      level(result["level"], "level");
      locations(result["locations"]);
      const auto index = result.at("ruleIndex").get<std::size_t>();
      expect(index < rules.size() && rules[index] == result.at("ruleId"), "ruleIndex leads to another rule");
      for (const auto& [name, print] : result.at("partialFingerprints").items())
        expect(print.is_string() && !print.get<std::string>().empty(), name);
      if (result.contains("suppressions"))
        for (const json& s : result["suppressions"]) {
          object(s, "suppression", {"kind"}, {"justification"});
          expect(s["kind"] == "inSource" || s["kind"] == "external", "kind of a suppression");
        }
    }
    for (const json& invocation : run.at("invocations")) {
      object(invocation, "invocation", {"executionSuccessful"}, {"exitCode", "toolExecutionNotifications"});
      expect(invocation["executionSuccessful"].is_boolean() && invocation["exitCode"].is_number_integer(),
             "invocation");
      for (const json& n : invocation["toolExecutionNotifications"]) {
        object(n, "notification", {"message"}, {"level", "locations"});
        text(n["message"], "message");
        level(n["level"], "level");
        if (n.contains("locations")) locations(n["locations"]);
      }
    }
  }
};

class Sarif : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
    for (const char* folder : {".git", "src", "src/deep er"}) fs::create_directories(folder_ / folder);
    write("src/double.cu", doubled);
    write("src/deep er/conflict.cu", conflicted);
    write("broken.cu", "__global__ void k(float *q) {\n  q[0] = missing;\n}\n");
  }
  json log_of(const std::string& files, int status) const {
    const Result r = run("review --sarif " + files);
    EXPECT_EQ(r.status, status) << r.err;
    json log = json::parse(r.out);
    EXPECT_EQ(Oracle(log).complaints, "") << log.dump(1);
    return log;
  }
  std::string quoted(const std::string& name) const { return "'" + path(name) + "' "; }
  static std::set<std::string> files_of(const json& log) {
    std::set<std::string> out;
    for (const json& r : log["runs"][0]["results"])
      out.insert(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
    return out;
  }
  static std::map<std::string, std::string> prints_of(const json& log) {
    std::map<std::string, std::string> out;
    for (const json& r : log["runs"][0]["results"])
      for (const auto& [name, print] : r["partialFingerprints"].items()) {
        EXPECT_TRUE(out.emplace(print, r["ruleId"]).second) << "two results have one fingerprint: " << r;
      }
    return out;
  }

  static constexpr const char* doubled =
      "// p shape (32)\n__global__ void __launch_bounds__(32) k(float *p) {\n  p[threadIdx.x] *= 2.1;\n"
      "  p[threadIdx.x] += 1.1;\n  p[threadIdx.x] += 1.1;\n}\n";
  static constexpr const char* conflicted =
      "/*\n[lanescope]\nblock = 32\n[buffers]\nq = \"f32 i:32\"\n*/\n"
      "__global__ void __launch_bounds__(32) k(float *q) {\n  __shared__ float s[1024];\n"
      "  s[threadIdx.x * 32] = q[threadIdx.x];\n  __syncwarp();\n  q[threadIdx.x] = s[threadIdx.x * 32];\n}\n";
};

TEST_F(Sarif, OneLogHoldsManyFilesNamedFromTheRootOfTheirRepository) {
  const json log = log_of(quoted("src/double.cu") + quoted("src/deep er/conflict.cu") + quoted("broken.cu"), 2);
  ASSERT_EQ(log["runs"].size(), 1u);
  EXPECT_EQ(files_of(log), (std::set<std::string>{"src/double.cu", "src/deep%20er/conflict.cu", "broken.cu"}));
  EXPECT_EQ(log["runs"][0]["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file://" + path(""));
  const json& invocation = log["runs"][0]["invocations"][0];
  EXPECT_EQ(invocation["exitCode"], 2);
  EXPECT_EQ(invocation["executionSuccessful"], false);
  std::set<std::string> rules;
  for (const json& r : log["runs"][0]["results"]) rules.insert(r["ruleId"]);
  for (const char* rule : {"double-precision", "bank-conflict", "error"}) EXPECT_TRUE(rules.contains(rule)) << rule;
  // Each file says what it says alone.
  std::size_t alone = 0;
  for (const char* file : {"src/double.cu", "src/deep er/conflict.cu", "broken.cu"})
    alone += json::parse(run("review --sarif " + quoted(file)).out)["runs"][0]["results"].size();
  EXPECT_EQ(log["runs"][0]["results"].size(), alone);
}

/// Assumptions in the log are those in the JSON of a review, for each of its findings and faults and for all of it.
TEST_F(Sarif, AssumptionsAreThoseOfTheJson) {
  write("guessed.cu",
        "__global__ void __launch_bounds__(64) k(const float* x, float* y, int n) {\n  __shared__ float s[64];\n"
        "  if (threadIdx.x < n) s[threadIdx.x] = x[threadIdx.x];\n  y[threadIdx.x] = s[63 - threadIdx.x];\n}\n");
  write("fault.cu", "__global__ void k(int* p, int n) { p[n - 1000000000 + threadIdx.x] = 1; }\n");
  std::size_t with = 0;
  for (const char* file : {"guessed.cu", "fault.cu"}) {
    const json said = json::parse(run("review --json " + quoted(file)).out);
    const json log = log_of(quoted(file), 3);
    std::multiset<std::string> of_json, of_log;
    for (const char* list : {"findings", "faults"})
      for (const json& one : said[list])
        if (one.contains("assumed")) of_json.insert(one["assumed"].dump());
    for (const json& result : log["runs"][0]["results"])
      if (result.contains("properties")) of_log.insert(result["properties"]["assumed"].dump());
    EXPECT_EQ(of_log, of_json) << file;
    with += of_json.size();
    json assumed = log["runs"][0]["properties"]["assumed"];
    for (json& group : assumed)
      for (json& one : group) {
        EXPECT_EQ(one["file"], file);
        one.erase("file");
      }
    EXPECT_EQ(assumed, said["assumed"]) << file;
  }
  EXPECT_GE(with, 2u);
  EXPECT_FALSE(log_of(quoted("src/deep er/conflict.cu"), 1)["runs"][0].contains("properties"));
}

TEST_F(Sarif, AFingerprintOutlivesLinesAboveIt) {
  const auto before = prints_of(log_of(quoted("src/double.cu"), 1));
  ASSERT_GE(before.size(), 2u);
  write("src/double.cu", "// a line\n// another\n\n" + std::string(doubled));
  EXPECT_EQ(prints_of(log_of(quoted("src/double.cu"), 1)), before);
  std::string other = doubled;
  other.replace(other.find("1.1"), 3, "3.3");
  write("src/double.cu", other);
  EXPECT_NE(prints_of(log_of(quoted("src/double.cu"), 1)), before);
}

TEST_F(Sarif, EveryFileOfTheReviewKernelsIsValid) {
  std::vector<std::string> files;
  for (const auto& rule : fs::directory_iterator(LANESCOPE_SOURCE_DIR "/tests/data/review"))
    if (const fs::path trip = rule.path() / "trip_1.cu"; fs::exists(trip)) files.push_back("'" + trip.string() + "'");
  ASSERT_GT(files.size(), 20u);
  std::ranges::sort(files);
  std::size_t number = 0;
  std::erase_if(files, [&](const std::string&) { return !lanescope::test::in_sample(number++, 3); });
  std::string all;
  for (const std::string& file : files) all += file + " ";
  const Result r = run("review --sarif " + all + "tests/data/engine/out_of_bounds.cu /does/not/exist.cu");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(Oracle(json::parse(r.out)).complaints, "");
}

TEST_F(Sarif, IsJsonOrSarifAndNotBoth) {
  const Result r = run("review --json --sarif " + quoted("src/double.cu"));
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_NE(r.err.find(" excludes --"), std::string::npos) << r.err;
}

/// The mildest finding that counts decides the status, and nothing else of the answer.
TEST_F(Sarif, FailOnNamesTheMildestFindingThatCounts) {
  write("note.cu",
        "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 i:32\"\n*/\n"
        "__global__ void k(float *p) { p[threadIdx.x] += 1; }\n");
  write(
      "error.cu",
      "/*\n[lanescope]\nblock = 64\n[buffers]\nq = \"u32 i:64\"\n*/\n__global__ void __launch_bounds__(64) k(unsigned "
      "*q) {\n"
      "  __shared__ unsigned s[64];\n  s[threadIdx.x] = q[threadIdx.x];\n  q[threadIdx.x] = s[63 - threadIdx.x];\n}\n");
  const struct {
    std::string file;
    int error, warning, note;
  } cases[] = {{"note.cu", 0, 0, 1}, {"src/double.cu", 0, 1, 1}, {"error.cu", 1, 1, 1}};
  for (const auto& c : cases) {
    const Result usual = run("review " + quoted(c.file));
    EXPECT_EQ(usual.status, c.warning) << c.file << usual.out;
    for (const auto& [level, status] : {std::pair{"error", c.error}, {"warning", c.warning}, {"note", c.note}}) {
      const Result r = run(fmt::format("review --fail-on {} {}", level, quoted(c.file)));
      EXPECT_EQ(r.status, status) << c.file << " " << level << r.out;
      EXPECT_EQ(r.out, usual.out) << c.file << " " << level;
      const Result swept = run(fmt::format("review --fail-on {} --sweep seed=1,2 {}", level, quoted(c.file)));
      EXPECT_EQ(swept.status, status) << c.file << " " << level << swept.out;
    }
  }
  EXPECT_EQ(run("review --fail-on sometimes " + quoted("note.cu")).status, 2);
}

}  // namespace
}  // namespace lanescope::cli
