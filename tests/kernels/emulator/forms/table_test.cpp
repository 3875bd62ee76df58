// The table of forms itself: against the parser, the decoder, the assembler of a CUDA Toolkit, and the tests that it names.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "kernels/emulator/forms/forms.h"
#include "kernels/ptx/program.h"
#include "tests/sample.h"

namespace lanescope::emulator::test {
namespace {

TEST(FormsTable, PatternsHaveAlternativesReferencesAndLists) {
  const auto all = instances({.pattern = "x.<u16|f64>.<a|b> %d#1, $2, {%w*3}"});
  EXPECT_EQ(all, (std::vector<std::string>{"x.u16.a %d16, a, {%w0, %w1, %w2}", "x.f64.a %d64, a, {%w0, %w1, %w2}",
                                           "x.u16.b %d16, b, {%w0, %w1, %w2}", "x.f64.b %d64, b, {%w0, %w1, %w2}"}));
  EXPECT_EQ(opcode_of("add.cc.u32 %e32, %a32, %b32; @%p addc.u32 %d32, %b32, %c32"), "addc.u32");
  EXPECT_EQ(mnemonic_of("exit"), "exit");
}

TEST(FormsTable, NamesEveryMnemonicAndNoOther) {
  std::set<std::string_view> seen;
  for (const Form& form : forms())
    for (const std::string& i : instances(form)) {
      const std::string_view name = mnemonic_of(i);
      ASSERT_NE(std::ranges::find(mnemonics(), name), mnemonics().end()) << i;
      seen.insert(*std::ranges::find(mnemonics(), name));
    }
  for (const std::string_view name : mnemonics()) EXPECT_TRUE(seen.contains(name)) << name;
  EXPECT_TRUE(std::ranges::is_sorted(mnemonics()));
}

std::set<std::string> tests_here() {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::set<std::string> known;
  for (int s = 0; s < all.total_test_suite_count(); ++s)
    for (int t = 0; t < all.GetTestSuite(s)->total_test_count(); ++t)
      known.insert(fmt::format("{}.{}", all.GetTestSuite(s)->name(), all.GetTestSuite(s)->GetTestInfo(t)->name()));
  return known;
}

/// Forms with a test are executed.
TEST(FormsTable, WhatHasATestIsExecuted) {
  const std::set<std::string> known = tests_here();
  std::set<std::string> tested;
  for (const Form& form : forms()) {
    EXPECT_NE(form.test.empty(), form.refused.empty()) << form.pattern;
    if (form.test.empty()) continue;
    EXPECT_TRUE(known.contains(std::string(form.test))) << form.test;
    for (std::string& i : instances(form)) tested.insert(std::move(i));
  }
  std::size_t gaps = 0;
  for (const Coverage& c : coverage()) {
    EXPECT_NE(c.status(), Coverage::Status::none) << c.mnemonic;
    for (const Gap& g : c.gaps)
      if (tested.contains(g.instance) && ++gaps < 40) ADD_FAILURE() << g.instance << ": " << g.why;
  }
}

TEST(FormsTable, WhatIsListedAsRefusedIsRefused) {
  std::map<std::string, std::size_t> listed;
  for (const Form& form : forms())
    if (!form.refused.empty())
      for (const std::string& i : instances(form)) ++listed[std::string(mnemonic_of(i))];
  for (const Coverage& c : coverage())
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count_if(c.gaps, &Gap::listed)), listed[std::string(c.mnemonic)])
        << c.mnemonic;
}

/// Lines of the text at which ptxas finds something wrong, with its words.
std::map<int, std::string> complaints(const std::string& text, const std::string& target) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("lanescope-forms-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "forms.ptx").string();
  std::ofstream(path) << text;
  const std::string command =
      fmt::format("ptxas -O0 -c -arch={} '{}' -o /dev/null > '{}.log' 2>&1", target, path, path);
  const bool accepted = std::system(command.c_str()) == 0;
  std::map<int, std::string> out;
  std::ifstream log(path + ".log");
  const std::regex line_number(R"(line (\d+); error *: (.*))");
  for (std::string line; std::getline(log, line);) {
    std::smatch m;
    if (std::regex_search(line, m, line_number)) out.emplace(std::stoi(m[1]), m[2]);
  }
  if (!accepted && out.empty()) out.emplace(0, "ptxas fails without a line");
  std::filesystem::remove_all(folder);
  return out;
}

/// Whether `instance` has a modifier or an operand that is not among `words`, which then has it. Lists of registers are as
/// long as their modifiers say.
bool new_word(const std::string& instance, std::set<std::string>& words) {
  bool any = false;
  for (std::size_t at = 0; at < instance.size();) {
    const bool list = instance[at] == '{';
    const std::size_t end = std::min(instance.find_first_of(list ? "}" : ". ,;{[]|", at), instance.size());
    if (!list) any |= words.insert(instance.substr(at, end - at)).second;
    at = end + (end < instance.size() && instance[end] == '{' ? 0 : 1);
  }
  return any;
}

TEST(FormsTable, HasOnlyWhatTheAssemblerKnows) {
  if (std::system("ptxas --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no ptxas on this machine";
  // Of each form one instance, those that have a word that no other had, and a fortieth of the others, unless
  // LANESCOPE_EXHAUSTIVE is set: the assembler takes seconds for thousands of products of warpgroups.
  std::map<std::string_view, std::vector<std::string>> by_target;
  std::map<std::string_view, std::set<std::string>> words;
  std::mt19937 random(9);
  for (const Form& form : forms()) {
    const std::vector<std::string> all = instances(form);
    for (const std::string& i : all) {
      const bool chosen = random() % 40 == 0;
      if (new_word(i, words[form.target]) || chosen || lanescope::test::exhaustive() || &i == &all.front())
        by_target[form.target].push_back(i);
    }
  }
  std::size_t shown = 0;
  for (const auto& [target, all] : by_target)
    for (const auto& [line, words] : complaints(module_of_instances(all, target), std::string(target))) {
      const auto at = static_cast<std::size_t>(line - first_instance_line);
      if (++shown < 60)
        ADD_FAILURE() << target << ": "
                      << (line >= first_instance_line && at < all.size() ? all[at] : "line " + std::to_string(line))
                      << ": " << words;
    }
  EXPECT_EQ(shown, 0u);
}

}  // namespace
}  // namespace lanescope::emulator::test
