// Mathematical functions of several types: the code is that of the call with the types that nvcc chooses.

#include "kernels/compile/texts.h"

#include <map>
#include <sstream>

#include <fmt/format.h>

#include "tests/kernels/compile/files.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::compile {
namespace {

using source::read_well;
using source::words;

struct Compiled {
  std::string ptx;
  std::map<std::string, int> operations;  ///< instructions by opcode: operands of a sum may change places
  Diagnostics warnings;
};

Compiled compiled(const std::string& text) {
  const Expected<Outcome> out = compile(read_well(text), Variant::plain, {});
  EXPECT_TRUE(out) << text << words(out ? Diagnostics{} : out.error());
  Compiled c;
  if (!out) return c;
  c.warnings = out->compiled.warnings;
  c.ptx = out->compiled.ptx;
  std::istringstream lines(c.ptx);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream parts(line);
    std::string opcode;
    parts >> opcode;
    if (opcode.starts_with('@')) parts >> opcode;
    if (line.ends_with(';') && !opcode.starts_with('.')) ++c.operations[opcode];
  }
  return c;
}

std::string kernel(const std::string& call) {
  return "__global__ void k(double* y, float f, double d, int i, unsigned u, long long l, short s, bool b) {\n"
         "  y[threadIdx.x] = " +
         call + ";\n}\n";
}

// pow() is of doubles, unless both are floats.
TEST(MixedMath, PowIsOfDoubles) {
  NEEDS_NVRTC();
  for (const char* a : {"f", "d", "i", "u", "s"})
    for (const char* b : {"f", "d", "i", "l", "b", "2"}) {
      if (std::string(a) == "f" && std::string(b) == "f") continue;
      const Compiled mixed = compiled(kernel(fmt::format("pow({}, {})", a, b)));
      const Compiled doubles = compiled(kernel(fmt::format("pow((double){}, (double){})", a, b)));
      EXPECT_EQ(mixed.operations, doubles.operations) << a << ", " << b;
      EXPECT_TRUE(mixed.warnings.empty()) << words(mixed.warnings);
    }
  EXPECT_EQ(compiled(kernel("pow(f, f)")).operations, compiled(kernel("powf(f, f)")).operations);
  EXPECT_NE(compiled(kernel("pow(f, i)")).operations, compiled(kernel("powf(f, i)")).operations);
}

// These are refused by nvcc, unless an option has it compute in double: a warning says so.
TEST(MixedMath, OtherMixturesOfFloatsAndIntegersAreTold) {
  NEEDS_NVRTC();
  for (const char* name : {"atan2", "fdim", "fmax", "fmin", "fmod", "hypot", "nextafter", "remainder"}) {
    const Compiled mixed = compiled(kernel(fmt::format("{}(f, i)", name)));
    EXPECT_EQ(mixed.operations, compiled(kernel(fmt::format("{}((double)f, (double)i)", name))).operations) << name;
    ASSERT_EQ(mixed.warnings.size(), 1u) << name << words(mixed.warnings);
    EXPECT_EQ(mixed.warnings[0].line, 2);
    EXPECT_EQ(mixed.warnings[0].column, 20);
    EXPECT_TRUE(mixed.warnings[0].message.starts_with(std::string(name) + "(float, int) is computed in double"))
        << mixed.warnings[0].message;
    for (const char* same : {"(f, f)", "(d, d)", "(d, i)", "(u, d)"}) {
      const Compiled one = compiled(kernel(name + std::string(same)));
      EXPECT_TRUE(one.warnings.empty()) << name << same << words(one.warnings);
    }
  }
  const Compiled fused = compiled(kernel("fma(f, i, f)"));
  EXPECT_EQ(fused.operations, compiled(kernel("fma((double)f, (double)i, (double)f)")).operations);
  ASSERT_EQ(fused.warnings.size(), 1u);
  EXPECT_TRUE(fused.warnings[0].message.starts_with("fma(float, int, float) is computed in double"));
  EXPECT_EQ(compiled(kernel("fma(f, f, f)")).operations, compiled(kernel("fmaf(f, f, f)")).operations);
}

// Other things of these names are left alone.
TEST(MixedMath, OwnNamesStay) {
  NEEDS_NVRTC();
  const Compiled member = compiled(
      "struct S { float pow; __device__ float fmod(float x) { return x + 1; } };\n"
      "__global__ void k(float* p, S s) { p[0] = s.fmod(s.pow) + p[1]; }\n");
  EXPECT_TRUE(member.warnings.empty()) << words(member.warnings);
  const Compiled macro =
      compiled("#define pow(a, b) ((a) * (b))\n__global__ void k(float* p, int n) { p[0] = pow(p[1], n); }\n");
  EXPECT_EQ(macro.ptx.find("f64"), std::string::npos) << macro.ptx;
  EXPECT_TRUE(macro.warnings.empty()) << words(macro.warnings);
  const Compiled own = compiled(
      "struct A {};\n__device__ float pow(A, float x) { return x; }\n"
      "__global__ void k(float* p) { p[0] = pow(A(), 2.0f) + pow(p[1], 2.0); }\n");
  EXPECT_NE(own.ptx.find("f64"), std::string::npos);
  const Compiled named = compiled("__global__ void pow(float* p) { p[0] = powf(p[1], 2.5f); }\n");
  EXPECT_NE(named.ptx.find("pow"), std::string::npos);
  EXPECT_EQ(named.ptx.find("lanescope"), std::string::npos) << named.ptx;
}

TEST(MixedMath, WhatIsNoNumberIsRefusedByTheUsersName) {
  NEEDS_NVRTC();
  const Expected<Outcome> out =
      compile(read_well("struct A {};\n__global__ void k(float* p) { p[0] = pow(A(), p[1]) + fmin(A(), 1.0f); }\n"),
              Variant::plain, {});
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().size(), 2u) << words(out.error());
  EXPECT_EQ(words(out.error()).find("lanescope_"), std::string::npos) << words(out.error());
}

// In claims, too, and where the C++ library's functions are called by their own names.
TEST(MixedMath, ProbesAndTheLibraryDoNotDisturb) {
  NEEDS_NVRTC();
  EXPECT_TRUE(compile(read_well("__global__ void k(float* p) { p[threadIdx.x] = pow(p[threadIdx.x], 2); }\n"),
                      Variant::probed, {}));
  const Compiled both = compiled("#include <cmath>\n" + kernel("std::pow(f, i) + pow(f, i)"));
  EXPECT_TRUE(both.warnings.empty()) << words(both.warnings);
  const Compiled doubles =
      compiled("#include <cmath>\n" + kernel("std::pow((double)f, (double)i) + pow((double)f, (double)i)"));
  EXPECT_EQ(both.operations, doubles.operations);
}

// With these options of ptxas an H200 executes FMUL and FADD for mul.f32 and add.f32.
TEST(Contraction, OptionsThatSwitchItOff) {
  const auto with = [](const std::vector<std::string>& options) {
    source::Source s;
    s.options = options;
    return contracts(s);
  };
  EXPECT_TRUE(with({}));
  EXPECT_TRUE(with({"-O0", "-fmad=false", "-Xptxas", "-O1,-v"}));  // of the host; mul.rn and add.rn; other words
  EXPECT_FALSE(with({"-G"}));
  EXPECT_FALSE(with({"-Xptxas", "-v,-O0"}));
  EXPECT_FALSE(with({"-Xptxas=-O0"}));
  EXPECT_FALSE(with({"-lineinfo", "--ptxas-options=-fmad=false"}));
}

}  // namespace
}  // namespace lanescope::compile
