// The review's checklist: right kernels, each with nothing to object to, and for each kind of mistake one of them with
// that mistake put in (tests/data/review_checklist/mistakes.toml). The command line itself is run, in this process, so that what the
// command assumes of a launch and its exit status are those that people get, and the compiler is loaded once.

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
const fs::path shelf = LANESCOPE_TEST_DATA_DIR "/review_checklist";

struct Mistake {
  std::string file, kind, right, wrong;
  std::vector<std::string> rules, at;
  std::string missed;  ///< why the review does not report it; empty: it does
};

std::vector<std::string> texts(const toml::table& t, const char* key) {
  std::vector<std::string> out;
  if (const toml::array* a = t[key].as_array())
    for (const auto& each : *a) out.push_back(each.value_or<std::string>(""));
  return out;
}

std::string first_line(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all = [] {
    std::vector<Mistake> out;
    const toml::table table = toml::parse(slurp(shelf / "mistakes.toml"));
    for (const auto& each : *table["mistake"].as_array()) {
      const toml::table& t = *each.as_table();
      const auto text = [&](const char* key) { return t[key].value_or<std::string>(""); };
      Mistake& m = out.emplace_back(Mistake{.file = text("file"),
                                            .kind = text("kind"),
                                            .right = text("right"),
                                            .wrong = text("wrong"),
                                            .rules = texts(t, "rules"),
                                            .at = texts(t, "at"),
                                            .missed = text("missed")});
      if (m.at.empty()) m.at.push_back(first_line(m.wrong));
    }
    return out;
  }();
  return all;
}

/// Rules that object to a right kernel, as the table admits.
std::set<std::string> alarms(const std::string& file) {
  std::set<std::string> out;
  const toml::table table = toml::parse(slurp(shelf / "mistakes.toml"));
  if (const toml::array* all = table["alarm"].as_array())
    for (const auto& each : *all)
      if (const toml::table& t = *each.as_table(); t["file"].value_or<std::string>("") == file)
        out.insert(t["rule"].value_or<std::string>(""));
  return out;
}

std::vector<std::string> right_kernels() {
  std::vector<std::string> out;
  for (const auto& f : fs::directory_iterator(shelf))
    if (f.path().extension() == ".cu") out.push_back(f.path().stem().string());
  std::ranges::sort(out);
  return out;
}

/// Lines of `text` that have `part`, from 1.
std::vector<int> lines_with(const std::string& text, const std::string& part) {
  std::vector<int> out;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    out.push_back(1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')));
  return out;
}

struct Reported {
  std::string rule, severity, message;
  int line = 0;
};

class Checklist : public ProgramTest {
 protected:
  static Result run_here(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& w : words) arguments.push_back(w.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = cli::run(static_cast<int>(arguments.size()), arguments.data());
    const std::string out = testing::internal::GetCapturedStdout();
    return {status, out, testing::internal::GetCapturedStderr()};
  }
  struct Review {
    int status = -1;
    std::vector<Reported>
        reported;  ///< findings that no comment expects, faults (`fault`) and diagnostics of the file (`error`, `warning`)
    std::string words;
  };
  Review review(const std::string& name, const std::string& text) const {
    write(name, text);
    const Result r = run_here({"lanescope", "review", "--json", path(name)});
    Review out{.status = r.status, .reported = {}, .words = r.err};
    const auto add = [&](const nlohmann::json& list, const char* rule) {
      for (const auto& each : list) {
        if (each.value("expected", false)) continue;
        out.reported.push_back({.rule = rule != nullptr ? rule : each.value("rule", ""),
                                .severity = each.value("severity", "error"),
                                .message = each.value("message", ""),
                                .line = each.value("line", 0)});
      }
    };
    const nlohmann::json all = nlohmann::json::parse(r.out, nullptr, false);
    if (all.is_object()) {
      add(all.value("findings", nlohmann::json::array()), nullptr);
      add(all.value("faults", nlohmann::json::array()), "fault");
      for (const auto& each : all.value("diagnostics", nlohmann::json::array()))
        add(nlohmann::json::array({each}), each.value("severity", "error").c_str());
    }
    for (const Reported& t : out.reported)
      out.words += fmt::format("{}: {}: {} [{}]\n", t.line, t.severity, t.message, t.rule);
    return out;
  }
};

class Right : public Checklist, public testing::WithParamInterface<std::string> {};
class Wrong : public Checklist, public testing::WithParamInterface<std::size_t> {};

TEST_P(Right, HasNothingToObjectTo) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here";
  const std::string name = GetParam() + ".cu";
  const Review r = review(name, slurp(shelf / name));
  EXPECT_TRUE(r.status == 0 || r.status == 3 || !alarms(name).empty()) << r.status << "\n" << r.words;
  const std::set<std::string> known = alarms(name);
  std::set<std::string> reported;
  for (const Reported& t : r.reported)
    if (t.severity != "note") reported.insert(t.rule);
  EXPECT_EQ(reported, known) << r.words;
}

TEST_P(Wrong, IsReportedInItsLine) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here";
  const Mistake& m = mistakes()[GetParam()];
  std::string text = slurp(shelf / m.file);
  const std::size_t at = text.find(m.right);
  ASSERT_NE(at, std::string::npos) << m.kind;
  ASSERT_EQ(text.find(m.right, at + 1), std::string::npos) << m.kind;
  text.replace(at, m.right.size(), m.wrong);
  std::vector<int> lines;
  for (const std::string& part : m.at) {
    const std::vector<int> with = lines_with(text, part);
    EXPECT_FALSE(with.empty()) << m.kind << ": " << part;
    lines.insert(lines.end(), with.begin(), with.end());
  }
  const Review r = review(m.file, text);
  const bool reported = std::ranges::any_of(r.reported, [&](const Reported& t) {
    return std::ranges::find(m.rules, t.rule) != m.rules.end() && std::ranges::find(lines, t.line) != lines.end();
  });
  EXPECT_EQ(reported, m.missed.empty()) << m.kind << "\n" << m.missed << "\n" << r.words;
}

TEST(ChecklistTable, HasSixtyMistakesAndEachKernelIsUsed) {
  EXPECT_GE(mistakes().size(), 60u);
  for (const std::string& name : right_kernels())
    EXPECT_TRUE(std::ranges::any_of(mistakes(), [&](const Mistake& m) { return m.file == name + ".cu"; })) << name;
}

std::vector<std::size_t> numbers() {
  std::vector<std::size_t> out(mistakes().size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = i;
  return out;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Right, testing::ValuesIn(right_kernels()),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Mistakes, Wrong, testing::ValuesIn(numbers()), [](const auto& info) {
  const std::string& file = mistakes()[info.param].file;
  return fmt::format("{}_{}", file.substr(0, file.find('.')), info.param);
});

}  // namespace
}  // namespace lanescope::cli
