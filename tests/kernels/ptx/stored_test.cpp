// Laws that hold for every module a compiler writes.

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "kernels/ptx/program.h"
#include "tests/kernels/ptx/stored.h"
#include "tests/shell_word.h"

namespace lanescope::ptx {
namespace {

// Counts instructions without understanding PTX: what stands between two of ';', a lone brace or a line that needs no
// semicolon is an instruction unless it begins with a dot.
int instructions_by_eye(const std::string& text) {
  std::string flat;
  int count = 0;
  bool in_section = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto comment = line.find("//");
    if (comment != std::string::npos) {
      count += line.find("lanescope.probe", comment) != std::string::npos;
      line.resize(comment);
    }
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    line = line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
    if (line.starts_with(".section")) in_section = true;
    const bool alone =
        line == "{" || line == "}" || line.ends_with(':') || line.starts_with(".loc") || line.starts_with(".file");
    if (!in_section) flat += alone ? ";" : line + " ";
    if (line == "}") in_section = false;
  }
  std::istringstream statements(flat);
  for (std::string statement; std::getline(statements, statement, ';');) {
    auto begin = statement.find_first_not_of(" {}");
    if (begin == std::string::npos || statement.find(".callprototype") != std::string::npos) continue;
    if (const auto colon = statement.find(": "); colon != std::string::npos && statement.find(' ', begin) > colon)
      begin = statement.find_first_not_of(' ', colon + 1);
    count += statement[begin] == '@' || std::isalpha(static_cast<unsigned char>(statement[begin]));
  }
  return count;
}

class Stored : public testing::TestWithParam<std::filesystem::path> {
 protected:
  Stored() : text(read_text(GetParam())), module(parse(text, GetParam().string())) {}
  std::string text;
  Expected<Module> module;
};

TEST_P(Stored, HasAsManyInstructionsAsTheTextShows) {
  ASSERT_TRUE(module) << to_string(module.error()[0]);
  int count = 0;
  for (const Entry& entry : module->entries) count += static_cast<int>(entry.code.size());
  EXPECT_EQ(count, instructions_by_eye(text));
}

// parse . print is the identity on programs, so print . parse . print is print.
TEST_P(Stored, PrintsAndParsesToItself) {
  ASSERT_TRUE(module) << to_string(module.error()[0]);
  const std::string printed = to_string(*module);
  const auto again = parse(printed);
  ASSERT_TRUE(again) << to_string(again.error()[0]) << "\n" << printed;
  EXPECT_EQ(to_string(*again), printed);
  ASSERT_EQ(again->entries.size(), module->entries.size());
  for (const Entry& entry : module->entries) {
    const Entry* other = again->find_entry(entry.name);
    ASSERT_NE(other, nullptr) << entry.name;
    ASSERT_EQ(other->code.size(), entry.code.size());
    EXPECT_EQ(other->call_params.size(), entry.call_params.size());
    EXPECT_EQ(other->probes.size(), entry.probes.size());
    for (std::size_t i = 0; i < entry.code.size(); ++i) {
      EXPECT_EQ(to_string(other->code[i], *other, *again), to_string(entry.code[i], entry, *module));
      EXPECT_EQ(other->code[i].types, entry.code[i].types);
    }
  }
  for (std::size_t i = 0; i < module->variables.size(); ++i) {
    EXPECT_EQ(again->variables[i].initial, module->variables[i].initial);
    EXPECT_EQ(again->variables[i].bytes, module->variables[i].bytes);
  }
}

TEST_P(Stored, TargetsAndRegistersAreInRange) {
  ASSERT_TRUE(module) << to_string(module.error()[0]);
  for (const Entry& entry : module->entries)
    for (const Instruction& i : entry.code)
      for (const Operand& o : i.operands) {
        EXPECT_LT(o.reg, static_cast<int>(entry.registers.size()));
        if (o.kind == Operand::Kind::label) {
          EXPECT_GE(o.target, 0);
          EXPECT_LE(o.target, static_cast<int>(entry.code.size()));
        }
      }
}

TEST_P(Stored, EveryLineOfTheUserIsInTheUsersFile) {
  ASSERT_TRUE(module) << to_string(module.error()[0]);
  if (text.find(".loc") == std::string::npos) GTEST_SKIP() << "compiled without -lineinfo";
  for (const Entry& entry : module->entries)
    for (const Instruction& i : entry.code)
      if (!entry.is_function && i.position.line > 0) {
        EXPECT_TRUE(module->files.at(i.position.file).ends_with(".cu")) << to_string(i, entry, *module);
      }
}

TEST_P(Stored, PtxasTakesWhatIsPrinted) {
  if (std::system("ptxas --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no ptxas on this machine";
  ASSERT_TRUE(module) << to_string(module.error()[0]);
  const auto path = std::filesystem::temp_directory_path() / ("lanescope-" + GetParam().stem().string() + ".ptx");
  std::ofstream(path) << to_string(*module);
  const std::string command =
      "ptxas -O0 -c -arch=" + module->target + " " + shell_word(path.string()) + " -o /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0) << path;
  std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Modules, Stored, testing::ValuesIn(stored_modules()),
                         [](const auto& test) { return test.param.stem().string(); });

}  // namespace
}  // namespace lanescope::ptx
