// The manual page as man(1) reads it.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "app/desktop/program_help.h"

namespace lanescope::desktop {
namespace {

ProgramHelp example() {
  return {.name = "prog",
          .version = "1.2",
          .meaning = "Shows things.\n.so /etc/passwd\nback\\slash",
          .options = {{.names = {"-h", "--help"}, .meaning = "help"}},
          .window = {{.names = {"--size"}, .value = "WxH", .meaning = "window in pixels"}},
          .commands = {{.name = "check",
                        .meaning = "every claim",
                        .options = {{.value = "FILE", .meaning = "kernel (.cu)", .required = true},
                                    {.names = {"--wait"},
                                     .value = "INT",
                                     .limits = "INT in [1 - 9]",
                                     .meaning = ".5 seconds",
                                     .default_value = "3"},
                                    {.names = {"-o", "--output"}, .value = "FILE", .required = true}}}}};
}

TEST(ManualPage, NamesEveryCommandAndOption) {
  const std::string page = manual_page(example());
  for (const char* part : {".TH PROG 1", ".SS check\nEvery claim.\n", "\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nhelp.",
                           "\\fB\\-\\-size\\fR \\fIWxH\\fR", "\\fIFILE\\fR\nkernel (.cu).\nRequired.",
                           "INT in [1 \\- 9].\nDefault: 3.", ".SH EXIT STATUS"})
    EXPECT_NE(page.find(part), std::string::npos) << part << "\nin\n" << page;
  EXPECT_NE(page.find("\\fBprog\\fR \\fBcheck\\fR \\fIFILE\\fR \\fB\\-\\-output\\fR \\fIFILE\\fR [\\fIOPTION\\fR...]"),
            std::string::npos)
      << page;
}

TEST(ManualPage, TextIsNoRequest) {
  const std::string page = manual_page(example());
  EXPECT_EQ(page.find("\n.so"), std::string::npos) << "a line of text that begins with a full stop";
  EXPECT_EQ(page.find("\n.5"), std::string::npos);
  EXPECT_NE(page.find("back\\eslash"), std::string::npos);
}

TEST(ManualPage, GroffHasNothingToSayAgainstIt) {
  if (std::system("command -v groff > /dev/null 2>&1") != 0) GTEST_SKIP() << "groff is not installed";
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "lanescope_manual_page_test.1";
  std::ofstream(file) << manual_page(example());
  std::FILE* pipe = ::popen(("groff -man -Tascii -ww -z '" + file.string() + "' 2>&1").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string warnings;
  for (int c; (c = std::fgetc(pipe)) != EOF;) warnings += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0);
  EXPECT_EQ(warnings, "");
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace lanescope::desktop
