// docs/access.md: its tables of patterns and formulas give what `lanescope access` calculates, and have every pattern.

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
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
