// The catalogue through the command line, as a user or a build script meets it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/catalogue/order_dependent.h"
#include "tests/catalogue/support.h"

namespace lanescope::catalogue {
namespace {

using nlohmann::json;

// Green, as the file expects its deliberate mistakes; they are reported nevertheless.
TEST(Program, ChecksTheCatalogue) {
  for (const std::string& name : kernel_names(4)) {
    if (name == "pointer_offsets") continue;  // seconds, and checked without the program
    const auto ran = program({"check", "--json", "--no-nvrtc", kernel_path(name).string()});
    if (!ran) GTEST_SKIP() << "the program is not built";
    EXPECT_EQ(ran->status, 0) << name << ran->err;
    EXPECT_TRUE(ran->err.empty()) << ran->err;
    const json answer = json::parse(ran->out, nullptr, false);
    ASSERT_FALSE(answer.is_discarded()) << ran->out;
    for (const json& claim : answer.at("claims")) EXPECT_EQ(claim.at("verdict"), "holds") << claim.dump();
    // A word that stays unwritten does not depend on the order of threads.
    const bool wrong = find_order_dependent(name) != nullptr && name != "blur_fused_short";
    if (wrong) {
      EXPECT_TRUE(answer.contains("races")) << name << answer.dump();
    }
    for (const char* list : {"races", "undefined"}) {
      const json found = answer.value(list, json::array());
      for (const json& one : found) EXPECT_TRUE(one.value("expected", false)) << name << one.dump();
    }
  }
}

// Two blocks write one element: no line of a race, but the order of the blocks decides, and check says so.
TEST(Program, SaysWhereSeveralWriteOneElement) {
  LANESCOPE_NEEDS_NVRTC();
  const std::string file = LANESCOPE_TEST_DATA_DIR "/review/write-overlap/trip_1.cu";
  const auto ran = program({"check", file});
  if (!ran) GTEST_SKIP() << "the program is not built";
  EXPECT_EQ(ran->status, 1) << ran->err;
  const std::string line = "line " + std::to_string(line_of(read_text(file), "// finds"));
  EXPECT_NE((ran->out + ran->err).find("race at " + line), std::string::npos) << ran->out << ran->err;
}

// A claim changed: exit status 1, its line, the difference, what is really there, and the code line that made it so.
TEST(Program, TellsAFalseClaim) {
  LANESCOPE_NEEDS_NVRTC();
  const std::string text = replaced(kernel_text("half2_transposes"), "<->  k0 k3", "<->  k3 k0");
  const auto ran = program({"check", "--json", scratch_file("false_claim.cu", text).string()});
  if (!ran) GTEST_SKIP() << "the program is not built";
  EXPECT_EQ(ran->status, 1) << ran->err;
  const json answer = json::parse(ran->out, nullptr, false);
  ASSERT_FALSE(answer.is_discarded()) << ran->out;
  const json& claims = answer.at("claims");
  ASSERT_EQ(claims.size(), 3u);
  EXPECT_EQ(claims[0].at("verdict"), "holds");
  EXPECT_EQ(claims[1].at("verdict"), "holds");
  const json& claim = claims[2];
  EXPECT_EQ(claim.at("verdict"), "differs");
  EXPECT_EQ(claim.at("variable"), "y");
  EXPECT_EQ(claim.at("line"), line_of(text, "k3 k0") - 1) << "the first row of the claim";
  EXPECT_EQ(claim.at("stated"), "simd: j3; register: k3 k0; thread: j1 j0 j2 k2 k1; warp: i3 i2 i1 i0");
  EXPECT_EQ(claim.at("actual"), "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1; warp: i3 i2 i1 i0");
  const std::string difference = claim.at("difference");
  EXPECT_NE(difference.find("r1 and r0 are swapped"), std::string::npos) << difference;
  EXPECT_TRUE(claim.contains("first_failure")) << claim.dump();
}

// Code changed under a true comment: the same, with the line that is wrong.
TEST(Program, TellsWrongCode) {
  LANESCOPE_NEEDS_NVRTC();
  const std::string text = replaced(kernel_text("byte_transpose_s0"), "0x7351", "0x7315");
  const auto path = scratch_file("wrong_code.cu", text);
  const auto ran = program({"check", "--json", path.string()});
  if (!ran) GTEST_SKIP() << "the program is not built";
  EXPECT_EQ(ran->status, 1) << ran->err;
  const json answer = json::parse(ran->out, nullptr, false);
  ASSERT_FALSE(answer.is_discarded()) << ran->out;
  const json& claim = answer.at("claims").at(1);
  EXPECT_EQ(claim.at("verdict"), "differs");
  EXPECT_NE(claim.dump().find(std::to_string(line_of(text, "0x7315"))), std::string::npos) << claim.dump();
  // In words: the claim's line, what is wrong, and the line of code.
  const auto plain = program({"check", path.string()});
  EXPECT_EQ(plain->status, 1);
  const std::string all = plain->out + plain->err;
  EXPECT_NE(all.find("line " + std::to_string(line_of(text, "y has") + 1) + ": y differs"), std::string::npos) << all;
  EXPECT_NE(all.find("line " + std::to_string(line_of(text, "0x7315"))), std::string::npos) << all;
}

TEST(Program, UnusableInputIsStatus2) {
  const auto missing = program({"check", "/nowhere/at_all.cu"});
  if (!missing) GTEST_SKIP() << "the program is not built";
  EXPECT_EQ(missing->status, 2);
  const auto header = program(
      {"check",
       scratch_file("bad_header.cu", replaced(kernel_text("copy_float"), "block = 256", "block = 2560")).string()});
  EXPECT_EQ(header->status, 2) << header->err;
  EXPECT_NE(header->err.find("bad_header.cu:6"), std::string::npos) << header->err;
}

TEST(Program, FaultIsStatus1) {
  LANESCOPE_NEEDS_NVRTC();
  const auto path = scratch_file("fault.cu", replaced(kernel_text("copy_float"), "p[i]", "p[i + 1]"));
  const auto ran = program({"run", "--json", path.string()});
  if (!ran) GTEST_SKIP() << "the program is not built";
  EXPECT_EQ(ran->status, 1) << ran->err;
  const json answer = json::parse(ran->out, nullptr, false);
  ASSERT_FALSE(answer.is_discarded()) << ran->out;
  ASSERT_FALSE(answer.at("faults").empty());
}

TEST(Program, AnnotatesTheFileWithoutComments) {
  LANESCOPE_NEEDS_NVRTC();
  const auto path = scratch_file("bare.cu", kernel_text(std::string(uncommented_kernel)));
  const auto ran = program({"annotate", path.string()});
  if (!ran) GTEST_SKIP() << "the program is not built";
  EXPECT_EQ(ran->status, 0) << ran->err;
  const std::string written = ran->out.find("register assignment") != std::string::npos ? ran->out : read_text(path);
  EXPECT_NE(written.find("b has register assignment:"), std::string::npos) << ran->out;
}

}  // namespace
}  // namespace lanescope::catalogue
