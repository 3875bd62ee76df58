// Bare PTX driven by a launch file: parameters of every type with exact values, variables of the module, dynamic shared
// memory, several entries, and expectations.

#include <fmt/format.h>

#include "tests/app/engine/support.h"

namespace lanescope::engine::test {
namespace {

RunRequest suite_request(std::string ptx, std::string launch) {
  RunRequest r;
  r.file = "/tmp/suite.ptx";
  r.text = std::move(ptx);
  r.launch_file = "/tmp/suite.toml";
  r.launch_text = std::move(launch);
  return r;
}

const std::string parameters_ptx = R"(.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 counter = 5;
.const .align 8 .u64 table[2] = {1, 0x8000000000000001};
.extern .shared .align 16 .b8 dyn[];
.visible .entry k(.param .u64 out, .param .u64 big, .param .s8 c, .param .f32 x, .param .f64 y,
                  .param .align 8 .b8 st[16], .param .u16 h, .param .align 1 .b8 f[3])
{
.reg .u64 %rd<9>; .reg .u32 %r<9>; .reg .f32 %f<9>; .reg .f64 %d<4>; .reg .u16 %h<6>;
ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [big]; st.global.u64 [%rd1], %rd2;
ld.param.s8 %r1, [c]; st.global.u32 [%rd1+8], %r1; ld.param.f32 %f1, [x]; st.global.f32 [%rd1+12], %f1;
ld.param.f64 %d1, [y]; st.global.f64 [%rd1+16], %d1; ld.param.u64 %rd3, [st]; st.global.u64 [%rd1+24], %rd3;
ld.param.u32 %r2, [st+12]; st.global.u32 [%rd1+32], %r2; ld.param.u16 %h1, [h]; cvt.u32.u16 %r3, %h1;
st.global.u32 [%rd1+36], %r3; ld.param.u8 %h2, [f+2]; cvt.u32.u16 %r4, %h2; st.global.u32 [%rd1+40], %r4;
mov.u64 %rd5, counter; atom.global.add.u32 %r5, [%rd5], 1; mov.u32 %r6, dyn; st.shared.u32 [%r6+60], %r1;
ld.shared.u32 %r7, [%r6+60]; st.global.u32 [%rd1+44], %r7; mov.u64 %rd6, table; ld.const.u64 %rd7, [%rd6+8];
st.global.u64 [%rd1+48], %rd7; ret;
}
.visible .entry second(.param .u64 out) { .reg .u64 %a; .reg .u32 %b; ld.param.u64 %a, [out]; ld.global.u32 %b, [%a];
add.u32 %b, %b, 1; st.global.u32 [%a], %b; ret; }
)";

TEST(PtxSuite, ParametersOfEveryTypeAndVariables) {
  Session session;
  session.run(suite_request(parameters_ptx, R"(
[[launch]]
kernel = "k"
block = 1
shared = 64
args = { out = "out", big = "0xfedcba9876543210", c = -3, x = 0.1, y = "0x3fb999999999999a", st = "bytes 01 02 03 04 05 06 07 08 00 00 00 00 0d 0c 0b 0a", h = 65535, f = [1, 2, 200] }
[[launch]]
kernel = "second"
block = 1
args = { out = "out" }
[buffers]
out = { type = "u32", axes = "n:14", init = "zeros", expect = ["0x76543211", "0xfedcba98", 4294967293, "0x3dcccccd", 2576980378, 1069128089, "0x04030201", "0x08070605", "0x0a0b0c0d", 65535, 200, 4294967293, 1, "0x80000000"] }
counter = { type = "u32", axes = "n:1", expect = [6] }
table = { type = "u64", axes = "n:2", expect = [1, "0x8000000000000001"] }
)"));
  for (const Diagnostic& d : session.summary().diagnostics) ADD_FAILURE() << to_string(d);
  EXPECT_EQ(output(session, "out").difference, "");
  EXPECT_EQ(output(session, "counter").difference, "");
  EXPECT_EQ(output(session, "table").difference, "");
}

/// struct { float* p; int n; double s; char c; short h; } as nvcc passes it.
const std::string structure_ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .align 8 .b8 v[32])
{
.reg .u64 %a; .reg .u32 %n; .reg .f64 %s; .reg .u32 %c; .reg .u16 %h; .reg .f32 %f;
ld.param.u64 %a, [v]; ld.param.u32 %n, [v+8]; ld.param.f64 %s, [v+16]; ld.param.s8 %c, [v+24]; ld.param.u16 %h, [v+26];
st.global.u32 [%a], %n; cvt.rn.f32.f64 %f, %s; st.global.f32 [%a+4], %f; st.global.u32 [%a+8], %c;
cvt.u32.u16 %n, %h; st.global.u32 [%a+12], %n; ret;
}
)";

TEST(PtxSuite, MembersOfAStructureHaveTheirOwnLengths) {
  const auto with = [](const std::string& members) {
    return "block = 1\nargs = { v = " + members +
           " }\n[buffers]\nout = { type = \"u32\", axes = \"n:4\", init = \"zeros\", expect = [30, \"0x40200000\", "
           "4294967289, 40000] }\n";
  };
  Session session;
  session.run(suite_request(structure_ptx, with(R"(["out", "s32 30", "f64 2.5", "s8 -7", "u16 40000"])")));
  for (const Diagnostic& d : session.summary().diagnostics) ADD_FAILURE() << to_string(d);
  EXPECT_EQ(output(session, "out").difference, "");
  const std::pair<const char*, const char*> wrong[] = {
      {R"(["out", 30, 2.5, -7, 40000])", "do not divide the 32 bytes"},
      {R"(["out", "s32 30", "f64 2.5", "s8 200000", "u16 1"])", "does not fit the 1 bytes"},
      {R"(["out", "s32 1.5", "f64 2.5", "s8 1", "u16 1"])", "not a whole number"},
      {R"(["out", "s64 9007199254740993999", "f64 2.5", "s8 1", "u16 1"])", "more digits than are kept"},
      {R"(["out", "s32 x", "f64 2.5", "s8 1", "u16 1"])", "no buffer `s32 x`"}};
  for (const auto& [members, words] : wrong) {
    Session refused;
    refused.run(suite_request(structure_ptx, with(members)));
    ASSERT_FALSE(refused.summary().diagnostics.empty()) << members;
    EXPECT_NE(refused.summary().diagnostics.front().message.find(words), std::string::npos)
        << members << ": " << refused.summary().diagnostics.front().message;
  }
}

/// An expectation that does not hold is reported, whichever element it is.
TEST(PtxSuite, WhatDiffersIsTold) {
  for (const std::string expected : {"[\"0x7fc00000\", \"0x80000000\"]", "[nan, 0]", "[\"0x7fc00001\", \"0x0\"]"}) {
    Session session;
    session.run(suite_request(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out) { .reg .u64 %a; ld.param.u64 %a, [out]; st.global.u32 [%a], 0x7fc00001; st.global.u32 [%a+4], 0; ret; }
)",
                              "block = 1\nargs = { out = \"out\" }\n[buffers]\nout = { type = \"u32\", axes "
                              "= \"n:2\", init = \"zeros\", expect = " +
                                  (expected.find("nan") != std::string::npos ? "[1, 0]" : expected) + " }\n"));
    EXPECT_EQ(output(session, "out").difference == "", expected == "[\"0x7fc00001\", \"0x0\"]") << expected;
  }
}

TEST(PtxSuite, A64BitIntegerThatDiffersInItsLastBitIsTold) {
  constexpr std::string_view text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 value) {
  .reg .b64 %a, %v;
  ld.param.u64 %a, [to];
  ld.param.u64 %v, [value];
  st.global.u64 [%a], %v;
  ret;
}
)";
  for (const bool same : {true, false}) {
    Session session;
    session.run(suite_request(std::string(text),
                              fmt::format("block = 1\nargs = [\"p\", \"0x8123456789abcdef\"]\n[buffers]\np = {{ type = "
                                          "\"u64\", axes = \"n:1\", init = \"zeros\", expect = [\"{}\"] }}\n",
                                          same ? "0x8123456789abcdef" : "0x8123456789abcdee")));
    const std::string said = output(session, "p").difference.value_or("");
    EXPECT_EQ(said.empty(), same) << said;
    if (!same) {
      EXPECT_NE(said.find("9305357566071262703, where 9305357566071262702"), std::string::npos) << said;
    }
  }
}

TEST(PtxSuite, MistakesInValuesAreErrorsAtTheirPlace) {
  const auto first_error = [](const std::string& launch) -> std::string {
    Session session;
    session.run(suite_request(parameters_ptx, launch));
    for (const Diagnostic& d : session.summary().diagnostics)
      if (d.severity == Severity::error) return fmt::format("{}: {}", d.line, d.message);
    return "";
  };
  const std::string buffers = "[buffers]\nout = { type = \"u32\", axes = \"n:14\" }\n";
  const auto with = [&](const std::string& args, const std::string& more = "") {
    return first_error("kernel = \"second\"\nblock = 1\nargs = " + args + "\n" + buffers + more);
  };
  EXPECT_EQ(with("{ out = \"out\" }"), "");
  EXPECT_NE(with("{ out = \"0x12345678901234567\" }").find("does not fit"), std::string::npos);
  EXPECT_NE(with("{ out = \"0xzz\" }").find("3: `0xzz` is neither"), std::string::npos) << with("{ out = \"0xzz\" }");
  EXPECT_NE(
      with("{ out = \"out\" }", "b = { type = \"u8\", axes = \"n:1\", init = [\"0x100\"] }\n").find("no element of 8"),
      std::string::npos);
  EXPECT_NE(
      with("{ out = \"out\" }", "counter = { type = \"u32\", axes = \"n:2\" }\n").find("the variable of that name 4"),
      std::string::npos);
}

}  // namespace
}  // namespace lanescope::engine::test
