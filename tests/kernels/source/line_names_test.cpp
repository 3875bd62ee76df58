// Which variables a line's statement names.

#include "kernels/source/cxx/line_names.h"

#include <algorithm>
#include <filesystem>

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

/// "tmp= laneId": the locals of a line, `=` after those that its statement writes.
std::string named(const LineNames& names, int line) {
  std::string out;
  const auto found = names.find(line);
  if (found == names.end()) return out;
  for (const NamedLocal& n : found->second) out += (out.empty() ? "" : " ") + n.name + (n.written ? "=" : "");
  return out;
}

LineNames of_body(const std::string& body) {
  return names_by_line("__global__ void f(float *p, int n) {\n" + body + "\n}\n");
}

TEST(LineNames, AStatementReadsAndWrites) {
  const LineNames names = of_body(
      "float x = p[n];\n"                // 2
      "float tmp = x, y[2];\n"           // 3
      "tmp = __shfl_sync(~0u, tmp,\n"    // 4
      "                  n ^ 4);\n"      // 5
      "y[0] = tmp; y[1] += x;\n"         // 6
      "// y[1] = n\n"                    // 7
      "if (n > 3) p[n] = y[1];\n"        // 8
      "for (int i = 0; i < n; ++i) {\n"  // 9
      "  x += i; }");                    // 10
  EXPECT_EQ(named(names, 2), "x= p n");
  EXPECT_EQ(named(names, 3), "tmp= x y") << "y gets no value here";
  EXPECT_EQ(named(names, 4), "tmp= n") << "the statement ends on the next line";
  EXPECT_EQ(named(names, 5), named(names, 4));
  EXPECT_EQ(named(names, 6), "y= tmp x");
  EXPECT_EQ(named(names, 7), "") << "a comment";
  EXPECT_EQ(named(names, 8), "n p y");
  EXPECT_EQ(named(names, 10), "x= i");
}

TEST(LineNames, TheInnermostDeclarationCounts) {
  const LineNames names = of_body("int a = n;\n{\n  int a = 2;\n  a += 1;\n}\na = 3;\nstruct { int a; } s; s.a = n;");
  const auto declared = [&](int line) { return names.at(line).front().declared_line; };
  EXPECT_EQ(declared(5), 4);
  EXPECT_EQ(declared(7), 2);
  EXPECT_EQ(named(names, 8).find("a="), std::string::npos) << "a member: " << named(names, 8);
}

TEST(LineNames, WhatIsNoCodeNamesNothing) {
  EXPECT_TRUE(names_by_line("").empty());
  EXPECT_TRUE(names_by_line(".version 7.0\n.target sm_80\n{ add.s32 %r1, %r2, %r3; }").empty());
  EXPECT_TRUE(names_by_line("__global__ void f(int n) { n = 1; ").empty()) << "a bracket is open";
  EXPECT_TRUE(names_by_line("__global__ void f(int n) { /* n = 1; }").empty());
}

// Oracle: other code places probes. A variable that a probe reads after a statement is written by the statement.
TEST(LineNames, StatementsWriteWhatProbesReadBehindThem) {
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels")) {
    if (entry.path().extension() != ".cu") continue;
    const std::string text = file_text(entry.path().string());
    const Source s = read_well(text, entry.path().string());
    const LineNames names = names_by_line(text);
    for (const ProbePoint& p : s.probes) {
      if (p.claim >= 0) continue;
      for (const int id : p.variables) {
        const Variable& v = s.variables.at(static_cast<std::size_t>(id));
        ASSERT_TRUE(names.contains(p.statement_line)) << entry.path() << ":" << p.statement_line << " " << v.name;
        const auto& all = names.at(p.statement_line);
        const bool there = std::any_of(all.begin(), all.end(), [&](const NamedLocal& n) {
          return n.name == v.name && n.function == v.function && n.declared_line == v.declared_line && n.written;
        });
        EXPECT_TRUE(there) << entry.path() << ":" << p.statement_line << " " << v.name;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 100);
}

}  // namespace
}  // namespace lanescope::source
