// Statements of the reference documents (tests/data/references.json) against the program's answers. A row is one of
//
//   command, at, stated   a command, run in this process, and the figure of its JSON beside the document's own
//   command, refused      a command that is refused in these words
//   view, shows           a picture whose labels have these words
//   page, shows           a page of the documentation that has these words
//   result, at, stated    a figure measured on an H200, in a file of bench/results
//   hardware              not shown: what it needs
//   missing               not shown: why

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
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

constexpr const char* kinds[] = {"command", "view", "page", "result", "hardware", "missing"};
/// Rows of one command are of one part, so that it runs once.
constexpr std::size_t parts = 10;

std::size_t part_of(const json& row) {
  for (const char* kind : kinds)
    if (row.contains(kind)) return std::hash<std::string>()(row.at(kind)) % parts;
  return 0;
}

/// The same command with its answer as JSON; what stands after a -- is the compiler's.
std::string with_json(const std::string& command) {
  const std::size_t options = command.find(" -- ");
  return options == command.npos ? command + " --json" : std::string(command).insert(options, " --json");
}

std::string where(const json& row) {
  return row.at("document").get<std::string>() + ", " + row.at("heading").get<std::string>() + ": " +
         row.at("statement").get<std::string>();
}

class References : public testing::Test {
 protected:
  void SetUp() override {
    const auto text = read_file(std::string(LANESCOPE_SOURCE_DIR) + "/tests/data/references.json");
    ASSERT_TRUE(text);
    rows_ = json::parse(*text).at("statements");
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(LANESCOPE_SOURCE_DIR);
    folder_ = std::filesystem::temp_directory_path() / ("lanescope_references_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  struct Said {
    json out;  ///< discarded where it is no JSON
    std::string err;
  };
  /// Output of a command, once for all of its rows.
  const Said& answer(const std::string& command) {
    const auto known = answers_.find(command);
    if (known != answers_.end()) return known->second;
    std::vector<std::string> words = words_of("lanescope " + command);
    std::vector<char*> arguments;
    for (std::string& w : words) arguments.push_back(w.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    cli::run(static_cast<int>(arguments.size()), arguments.data());
    const std::string out = testing::internal::GetCapturedStdout();
    return answers_
        .emplace(command, Said{.out = json::parse(out, nullptr, false), .err = testing::internal::GetCapturedStderr()})
        .first->second;
  }
  /// The labels of a picture, a line each; empty: it was not drawn.
  const std::string& labels(const std::string& view) {
    const auto known = labels_.find(view);
    if (known != labels_.end()) return known->second;
    const std::string file = (folder_ / ("view" + std::to_string(labels_.size()) + ".json")).string();
    answer(view + " -o " + file);
    const json scene = json::parse(read_file(file).value_or(""), nullptr, false);
    std::string& out = labels_[view];
    if (!scene.is_object()) return out;
    for (const json& label : scene.value("labels", json::array())) out += label.value("text", "") + "\n";
    return out;
  }
  const json& result(const std::string& file) {
    const auto known = results_.find(file);
    if (known != results_.end()) return known->second;
    return results_.emplace(file, json::parse(read_file(file).value_or(""), nullptr, false)).first->second;
  }

  json rows_;
  std::map<std::string, Said> answers_;
  std::map<std::string, std::string> labels_;
  std::map<std::string, json> results_;
  std::filesystem::path before_, folder_;
};

TEST_F(References, EveryRowSaysWhereItIsStatedAndWhereItIsShown) {
  std::set<std::string> seen;
  std::map<std::string, int> counted;
  const std::string rules = read_file("docs/review.md").value_or("");
  for (const json& row : rows_) {
    for (const char* field : {"document", "heading", "statement"}) EXPECT_FALSE(row.value(field, "").empty()) << row;
    int of_kind = 0;
    for (const char* kind : kinds) of_kind += row.contains(kind), counted[kind] += row.contains(kind);
    EXPECT_EQ(of_kind, 1) << row;
    const bool compared = (row.contains("command") && !row.contains("refused")) || row.contains("result");
    EXPECT_EQ(compared, row.contains("at") && row.contains("stated")) << row;
    EXPECT_EQ(row.contains("view") || row.contains("page"), row.contains("shows") && !row.at("shows").empty()) << row;
    EXPECT_TRUE(seen.insert(where(row)).second) << "twice: " << row;
    // None of a rule that there is not would be counted without fail.
    for (const std::string step : row.value("at", json::array())) {
      const std::size_t at = step.find("rule=");
      if (at == step.npos) continue;
      EXPECT_NE(rules.find("| `" + step.substr(at + 5) + "` |"), rules.npos) << row;
    }
  }
  EXPECT_GT(rows_.size(), 700u);
  EXPECT_GT(counted["command"], 600);
  EXPECT_LE(counted["page"], 1) << "what has a figure or a fact is shown by a command or a picture";
  EXPECT_LE(counted["missing"], 3) << "what needs no hardware is to be shown";
}

class StatementsOfReferences : public References, public testing::WithParamInterface<std::size_t> {};

TEST_P(StatementsOfReferences, AreWhatTheProgramSays) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed: NO STATEMENT WAS COMPARED";
  int compared = 0;
  for (const json& row : rows_) {
    if (part_of(row) != GetParam() || row.contains("hardware") || row.contains("missing")) continue;
    ++compared;
    if (row.contains("refused")) {
      const Said& said = answer(row.at("command"));
      EXPECT_NE(said.err.find(row.at("refused").get<std::string>()), std::string::npos) << where(row) << "\n"
                                                                                        << said.err;
    } else if (row.contains("command") || row.contains("result")) {
      const bool measured = row.contains("result");
      const json& from = measured ? result(row.at("result")) : answer(with_json(row.at("command"))).out;
      const json value = at(from, row.at("at"));
      EXPECT_TRUE(holds(row, value)) << where(row) << "\n  " << row.value("command", row.value("result", ""))
                                     << "\n  gives " << value << ", stated " << row.value("relation", "equal") << " "
                                     << row.at("stated");
    } else {
      const std::string text = row.contains("view") ? labels(row.at("view")) : read_file(row.at("page")).value_or("");
      for (const std::string words : row.at("shows"))
        EXPECT_NE(text.find(words), std::string::npos)
            << where(row) << "\n  " << row.value("view", row.value("page", "")) << " lacks " << words;
    }
  }
  EXPECT_GT(compared, 20);
}

INSTANTIATE_TEST_SUITE_P(Parts, StatementsOfReferences, testing::Range(std::size_t{0}, parts));

// The comparison itself can fail: every number that is stated, a little off, is not the one computed.
TEST_F(References, AnotherFigureWouldBeTold) {
  for (const json& row : rows_) {
    if (!row.contains("stated")) continue;
    const json& stated = row.at("stated");
    json other = row;
    EXPECT_FALSE(holds(row, json())) << row;
    if (stated.is_string()) {
      other["stated"] = "something else";
      EXPECT_FALSE(holds(other, stated)) << row;
    } else if (stated.is_boolean()) {
      EXPECT_FALSE(holds(row, !stated.get<bool>())) << row;
    } else if (stated.is_number()) {
      const std::string relation = row.value("relation", "equal");
      const double s = stated;
      EXPECT_TRUE(holds(row, stated)) << row;
      EXPECT_FALSE(holds(row, relation == "at least" ? s * 0.5 - 1 : s * 1.5 + 1)) << row;
    }
  }
}

/// "7.38 ms", "483 us": three digits below a thousand microseconds.
std::string time_words(double us) {
  return us >= 1000 ? fmt::format("{:.2f} ms", us / 1000) : fmt::format("{:.3g} us", us);
}

// docs/references.md against bench/results/gpu_references.json: the sentence with the totals, and each row's times, ratio and verdict.
TEST(ReferencesPage, SaysWhatWasMeasured) {
  const std::string root = LANESCOPE_SOURCE_DIR;
  const std::string page = read_file(root + "/docs/references.md").value_or("");
  const json results = json::parse(read_file(root + "/bench/results/gpu_references.json").value_or(""));
  int hold = 0;
  for (const json& s : results.at("statements")) {
    const json& here = s.at("here");
    hold += s.at("holds").get<bool>();
    const std::string experiment = s.at("experiment").get<std::string>();
    const std::string row = "| " + experiment.substr(experiment.find(": ") + 2) + " | ";
    const std::string figures =
        fmt::format(" | {} : {} = {:.3g} | {} | ", time_words(here.at("slow_us")), time_words(here.at("fast_us")),
                    here.at("ratio").get<double>(), s.at("holds").get<bool>() ? "yes" : "**no**");
    bool found = false;
    for (std::size_t at = page.find(row); at != page.npos && !found; at = page.find(row, at + 1))
      found = page.substr(at, page.find('\n', at) - at).find(figures) != page.npos;
    EXPECT_TRUE(found) << row << figures;
  }
  EXPECT_EQ(hold, results.at("hold").get<int>());
  EXPECT_NE(page.find(fmt::format("{} of {} hold", hold, results.at("statements").size())), page.npos);
  EXPECT_NE(page.find(results.at("date").get<std::string>()), page.npos);
}

}  // namespace
}  // namespace lanescope::cli
