// Counts of test.sh (scripts/test-summary.awk) in a run of CTest.

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::test {
namespace {

std::string summary_of(const std::string& entries) {
  std::string folder = (std::filesystem::temp_directory_path() / "lanescope_summary_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return {};
  std::ofstream(folder + "/CTestTestfile.cmake") << entries;
  const std::string script = std::string(LANESCOPE_SOURCE_DIR) + "/scripts/test-summary.awk";
  const std::string command = "cd '" + folder + "' && { ctest > out.txt 2>&1; awk -f '" + script +
                              "' Testing/Temporary/LastTest.log > summary.txt; }";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::stringstream out;
  out << std::ifstream(folder + "/summary.txt").rdbuf();
  std::filesystem::remove_all(folder);
  return out.str();
}

std::string entry(const std::string& name, const std::string& script) {
  return "add_test(" + name + " /bin/sh -c \"" + script + "\")\n";
}

TEST(TestSummary, CountsEverySuiteThatEndsWithoutAResult) {
  if (std::system("ctest --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no ctest on this machine";
  const std::string ran =
      "echo '[==========] 3 tests from 1 test suite ran. (1 ms total)'; echo '[  PASSED  ] 2 tests.'; ";
  EXPECT_EQ(summary_of(entry("good_test", ran + "echo '[  SKIPPED ] 1 test, listed below:'") +
                       entry("bad_test", ran + "exit 1")),
            "1 tests of good_test were SKIPPED\n4 passed, 1 failed, 1 skipped\n");
  EXPECT_EQ(summary_of(entry("aborts_test.1", "kill -ABRT $$") + entry("good_test", ran + "exit 1") +
                       entry("late_test", ran + "echo '[  SKIPPED ] 1 test'; exit 1") +
                       "add_test(missing_test /nowhere/at_all)\n"),
            "aborts_test.1 FAILED: it ended without a result\n"
            "late_test FAILED: it ended with an error after its tests\n"
            "missing_test FAILED: it ended without a result\n"
            "1 tests of late_test were SKIPPED\n4 passed, 4 failed, 1 skipped\n");
}

}  // namespace
}  // namespace lanescope::test
