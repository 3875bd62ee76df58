// What the reference documents state, row by row (tests/data/references.json): the command that shows it, run in this
// process, and the figure that it gives beside the document's own. A row without a command names the panel that shows it, or
// what is missing.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/cli.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

/// Words of a command line; what stands in apostrophes is one.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (const char c : command) {
    if (c == '\'') {
      quoted = !quoted;
      if (!open) words.emplace_back(), open = true;
    } else if (c == ' ' && !quoted) {
      open = false;
    } else {
      if (!open) words.emplace_back(), open = true;
      words.back() += c;
    }
  }
  return words;
}

/// Step by step: a key; "key=value" the element of a list whose key has this value; a number, that element; "#" the length of
/// a list; "count key=value" how many elements have it. null: there is none.
json at(const json& from, const std::vector<std::string>& path) {
  json here = from;
  for (const std::string& step : path) {
    const bool count = step.starts_with("count ");
    const std::string name = count ? step.substr(6) : step;
    const std::size_t equals = name.find('=');
    const auto matches = [&](const json& e) {
      const json& value = e.value(name.substr(0, equals), json());
      return (value.is_string() ? value.get<std::string>() : value.dump()) == name.substr(equals + 1);
    };
    if (step == "#") {
      here = here.is_array() ? here.size() : 0;
    } else if (here.is_array() && equals != std::string::npos) {
      const auto found = std::ranges::find_if(here, matches);
      here = count ? json(std::ranges::count_if(here, matches)) : found == here.end() ? json() : json(*found);
    } else if (here.is_array()) {
      const std::size_t n = std::stoul(step);
      here = n < here.size() ? json(here[n]) : json();
    } else {
      here = here.value(step, json());
    }
  }
  return here;
}

bool holds(const json& row, const json& value) {
  const std::string relation = row.value("relation", "equal");
  const json& stated = row.at("stated");
  if (relation == "contains") return value.is_string() && value.get<std::string>().find(stated) != std::string::npos;
  if (stated.is_string() || stated.is_boolean()) return value == stated;
  if (!value.is_number()) return false;
  const double v = value, s = stated, slack = row.value("slack", 1e-6) * std::max(1.0, std::abs(s));
  return relation == "at least" ? v >= s - slack : relation == "at most" ? v <= s + slack : std::abs(v - s) <= slack;
}

class References : public testing::Test {
 protected:
  void SetUp() override {
    const auto text = read_file(std::string(LANESCOPE_SOURCE_DIR) + "/tests/data/references.json");
    ASSERT_TRUE(text);
    rows_ = json::parse(*text).at("statements");
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(LANESCOPE_SOURCE_DIR);
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  /// The answer of a command, once for all of its rows.
  const json& answer(const std::string& command) {
    const auto known = answers_.find(command);
    if (known != answers_.end()) return known->second;
    std::vector<std::string> words = words_of("lanescope " + command + " --json");
    std::vector<char*> arguments;
    for (std::string& w : words) arguments.push_back(w.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    cli::run(static_cast<int>(arguments.size()), arguments.data());
    const std::string out = testing::internal::GetCapturedStdout();
    testing::internal::GetCapturedStderr();
    return answers_.emplace(command, json::parse(out, nullptr, false)).first->second;
  }

  json rows_;
  std::map<std::string, json> answers_;
  std::filesystem::path before_;
};

TEST_F(References, EveryRowSaysWhereItIsStatedAndWhereItIsShown) {
  std::set<std::string> seen;
  for (const json& row : rows_) {
    for (const char* field : {"document", "heading", "statement"}) EXPECT_FALSE(row.value(field, "").empty()) << row;
    EXPECT_EQ(row.contains("command") + row.contains("panel") + row.contains("missing"), 1) << row;
    EXPECT_EQ(row.contains("command"), row.contains("at") && row.contains("stated")) << row;
    EXPECT_TRUE(seen.insert(row.at("document").get<std::string>() + row.at("statement").get<std::string>()).second)
        << "twice: " << row;
  }
  EXPECT_GT(rows_.size(), 100u);
}

TEST_F(References, TheFigureOfEachCommandIsTheOneStated) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed: NO STATEMENT WAS COMPARED";
  int compared = 0;
  for (const json& row : rows_) {
    if (!row.contains("command")) continue;
    const json value = at(answer(row.at("command")), row.at("at"));
    EXPECT_TRUE(holds(row, value)) << row.at("document") << ", " << row.at("heading") << ": " << row.at("statement")
                                   << "\n  " << row.at("command") << "\n  gives " << value << ", stated "
                                   << row.value("relation", "equal") << " " << row.at("stated");
    ++compared;
  }
  EXPECT_GT(compared, 90);
}

// The comparison itself can fail: every number that is stated, a little off, is not the one computed.
TEST_F(References, AnotherFigureWouldBeTold) {
  for (const json& row : rows_) {
    if (!row.contains("command")) continue;
    const json& stated = row.at("stated");
    json other = row;
    if (stated.is_string()) {
      other["stated"] = "something else";
      EXPECT_FALSE(holds(other, stated)) << row;
    } else if (stated.is_number()) {
      const std::string relation = row.value("relation", "equal");
      const double s = stated;
      EXPECT_TRUE(holds(row, stated)) << row;
      EXPECT_FALSE(holds(row, relation == "at most"    ? s * 1.5 + 1
                              : relation == "at least" ? s * 0.5 - 1
                                                       : s * 1.5 + 1))
          << row;
      EXPECT_FALSE(holds(row, json())) << row;
    }
  }
}

}  // namespace
}  // namespace lanescope::cli
