// docs/access.md: its tables of patterns and formulas give what `lanescope access` calculates, and have every pattern.

#include <nlohmann/json.hpp>

#include "app/cli/calculators/calculators.h"
#include "profiling/access/patterns.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

class AccessPage : public ProgramTest {
 protected:
  /// Cells of the rows below the first header that begins so.
  static std::vector<std::vector<std::string>> rows_below(const std::string& header) {
    std::istringstream lines(slurp(std::string(LANESCOPE_SOURCE_DIR) + "/docs/access.md"));
    std::vector<std::vector<std::string>> rows;
    bool here = false;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("| ")) {
        if (here && !line.starts_with("|---")) return rows;
        continue;
      }
      if (here) {
        std::vector<std::string>& cells = rows.emplace_back();
        for (std::size_t begin = 2; begin < line.size();) {
          const std::size_t end = std::min(line.find(" |", begin), line.size());
          cells.push_back(line.substr(begin, end - begin));
          begin = end + 3;
        }
      }
      here = here || line.starts_with(header);
    }
    return rows;
  }
  static std::string unquoted(const std::string& cell) { return cell.substr(1, cell.size() - 2); }
  json cost(const std::string& space, const std::string& where) const {
    const Result r = run("access --json --op ld --width 4 --space " + space + " " + where);
    EXPECT_EQ(r.status, 0) << where << r.err;
    return json::parse(r.out);
  }
};

TEST_F(AccessPage, PathsCostWhatThePageSays) {
  const auto rows = rows_below("| offsets | `--path`");
  EXPECT_GE(rows.size(), 8u);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 6u) << row.front();
    const std::string how =
        fmt::format("--path {} --arch {} --pattern {}", unquoted(row[1]), unquoted(row[2]), unquoted(row[0]));
    const Result r = run("access --json --op ld --width 4 " + how);
    ASSERT_EQ(r.status, 0) << how << r.err;
    const json cost = json::parse(r.out);
    const char* count = cost.contains("queries") ? "queries" : "transactions";
    EXPECT_EQ(std::to_string(cost[count].get<int>()), row[3]) << how;
    EXPECT_EQ(std::to_string(cost["bytes_moved"].get<int>()), row[4]) << how;
    EXPECT_EQ(fmt::format("{:g}", cost["utilisation_percent"].get<double>()), row[5]) << how;
  }
}

TEST_F(AccessPage, PathsThatThereAreNotAreRefusedByName) {
  const auto refused = [&](const std::string& how, const std::string& words) {
    const Result r = run("access --width 4 --pattern aligned " + how);
    EXPECT_EQ(r.status, 2) << how;
    EXPECT_NE(r.err.find(words), std::string::npos) << how << ": " << r.err;
  };
  refused("--op ld --path read-only --arch sm_20", "sm_20 has no read-only path");
  refused("--op st --path caching --arch sm_20", "stores do not take the caching path");
  refused("--op ld --path fast", "there is no path 'fast'");
  refused("--op ld --path caching --space shared", "paths are of global memory");
  refused("--op ld --path constant --space shared", "constant memory");
  refused("--op ld --space global --arch sm_1", "neither an architecture nor a GPU 'sm_1'");
  refused("--op st --space constant", "cannot store");
  refused("--op ld --space local -o " + path("c.svg"), "no picture of local memory");
  refused("--op ld --path caching --arch sm_13", "it has no L1");
  refused("--op ld --space shared --arch sm_11", "which word is broadcast");
  refused("--op ld --space local --arch sm_12", "not known");
}

TEST_F(AccessPage, HalfWarpsCostWhatThePageSays) {
  const auto rows = rows_below("| offsets | `--gpu` | transactions of 32");
  EXPECT_GE(rows.size(), 6u);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 6u) << row.front();
    const std::string how = fmt::format("--arch {} --pattern {}", unquoted(row[1]), unquoted(row[0]));
    const Result r = run("access --json --op ld --width 4 --space global " + how);
    ASSERT_EQ(r.status, 0) << how << r.err;
    const json cost = json::parse(r.out);
    std::size_t column = 2;
    for (const char* field : {"transactions_of_32", "transactions_of_64", "transactions_of_128", "bytes_moved"})
      EXPECT_EQ(std::to_string(cost[field].get<int>()), row[column++]) << how << " " << field;
  }
}

// A number without --path is that of the path which the generation takes by default, and says so.
TEST_F(AccessPage, WithoutAPathTheDefaultOfTheGenerationIsTaken) {
  const auto cost = [&](const std::string& how) {
    const Result r = run("access --json --width 4 --space global --pattern misaligned:4 " + how);
    EXPECT_EQ(r.status, 0) << how << r.err;
    return json::parse(r.out);
  };
  const auto same = [&](const std::string& how, const std::string& path) {
    const json without = cost(how);
    EXPECT_EQ(without, cost(how + " --path " + path)) << how;
    EXPECT_EQ(without.value("path", ""), path) << how;
    EXPECT_NE(run("access --width 4 --space global --pattern misaligned:4 " + how).out.find("path " + path + " ("),
              std::string::npos)
        << how;
  };
  same("--op ld --arch sm_20", "caching");  // Fermi holds global loads in L1
  same("--op st --arch sm_20", "non-caching");
  same("--op ld --arch K20", "non-caching");  // Kepler holds local memory there
  same("--op ld --arch sm_37", "non-caching");
  same("--op ld --arch sm_13", "non-caching");
  EXPECT_EQ(cost("--op ld --arch sm_20")["bytes_moved"], 256);
  EXPECT_EQ(cost("--op ld --arch sm_35")["bytes_moved"], 160);
  for (const char* later : {"sm_52", "sm_60", "sm_90"}) {
    const json now = cost(std::string("--op ld --arch ") + later);
    EXPECT_FALSE(now.contains("path")) << later;
    EXPECT_EQ(now["sectors"], 5) << later;
  }
}

TEST_F(AccessPage, ConstantMemoryHasAPicture) {
  const std::string file = path("constant.svg");
  ASSERT_EQ(run("access --space constant --op ld --width 4 --pattern stride:2 -o " + file).status, 0);
  EXPECT_NE(slurp(file).find("32 broadcasts, 31 replays"), std::string::npos);
}

// One of the pictures of an old generation has whole lines; there is one picture alone where both ways move sectors.
TEST_F(AccessPage, PicturesAreOfTheChosenGeneration) {
  const auto picture = [&](const std::string& arch) {
    const std::string file = path(arch + ".svg");
    EXPECT_EQ(
        run("access --space global --op ld --width 4 --pattern misaligned:4 --arch " + arch + " -o " + file).status, 0);
    return slurp(file);
  };
  EXPECT_NE(picture("sm_35").find("Cached in L1, sm_35"), std::string::npos);
  EXPECT_NE(picture("K20").find("Not cached, sm_35"), std::string::npos);
  const std::string hopper = picture("sm_90");
  EXPECT_EQ(hopper.find("Cached in L1"), std::string::npos);
  EXPECT_EQ(hopper.find("transactions of 128 bytes"), std::string::npos);
  EXPECT_NE(hopper.find("Global memory, sm_90"), std::string::npos);
}

TEST_F(AccessPage, HasEveryPatternAndItsCost) {
  std::vector<std::string> names;
  for (const auto& row : rows_below("| pattern |")) {
    ASSERT_EQ(row.size(), 6u) << row.front();
    names.push_back(unquoted(row[0]));
    EXPECT_EQ(row[2] == "none",
              run("access --space global --op ld --width 4 --pattern " + names.back() + ":4").status == 2)
        << names.back();
    const std::string where = "--pattern " + unquoted(row[3]);
    EXPECT_EQ(std::to_string(cost("global", where)["sectors"].get<int>()), row[4]) << where;
    EXPECT_EQ(std::to_string(cost("shared", where)["wavefronts"].get<int>()), row[5]) << where;
  }
  EXPECT_EQ(names, typed_patterns());
}

TEST_F(AccessPage, FormulasGiveTheirOffsets) {
  const auto rows = rows_below("| formula |");
  EXPECT_GE(rows.size(), 4u);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 4u) << row.front();
    const std::string where = "--formula '" + unquoted(row[0]) + "'";
    const json global = cost("global", where);
    const json& o = global["offsets"];
    EXPECT_EQ(fmt::format("{}, {}, {}, {}", o[0].get<int>(), o[1].get<int>(), o[2].get<int>(), o[31].get<int>()),
              row[1]);
    EXPECT_EQ(std::to_string(global["sectors"].get<int>()), row[2]) << where;
    EXPECT_EQ(std::to_string(cost("shared", where)["wavefronts"].get<int>()), row[3]) << where;
  }
}

}  // namespace
}  // namespace lanescope::cli
