// The PTX stored beside each kernel: it is what NVRTC makes of the file today, and without NVRTC the whole catalogue is
// checked from it. `LANESCOPE_STORE_PTX=1 catalogue_test --gtest_filter='*Stored*Fresh*'` writes it again
// (scripts/store-ptx.sh).

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <set>
#include <sstream>

#include "kernels/compile/compile.h"
#include "tests/catalogue/support.h"

namespace lanescope::catalogue {
namespace {

using compile::Variant;
constexpr std::array variants = {Variant::plain, Variant::probed};

/// Who made a stored file: "NVRTC-13.0".
std::string maker(const std::string& stored) {
  const std::string_view mark = " made_by=";
  const std::size_t at = stored.find(mark);
  if (at == std::string::npos) return {};
  return stored.substr(at + mark.size(), stored.find(' ', at + 1) - at - mark.size());
}

std::string this_maker() { return "NVRTC-" + compile::toolchain().nvrtc_version; }

class Stored : public ::testing::TestWithParam<std::string> {
 protected:
  /// Compiles a copy in another folder and stores it there: the text must not depend on where the kernel lies.
  std::filesystem::path stored_again(Variant variant) {
    const std::string text = kernel_text(GetParam());
    const auto source = source::read(scratch_file(GetParam() + ".cu", text).string(), text);
    if (!source) return ADD_FAILURE() << words(source.error()), std::filesystem::path();
    const auto made = compile::compile(*source, variant, {});
    if (!made) return ADD_FAILURE() << words(made.error()), std::filesystem::path();
    EXPECT_TRUE(made->dropped_probes.empty());
    const auto path = compile::store(*source, variant, {}, *made);
    if (!path) return ADD_FAILURE() << words(path.error()), std::filesystem::path();
    return *path;
  }
};

/// NVRTC 13.0 declares what it takes from the libraries in an order of its own each time.
std::string sorted_library(const std::string& ptx) {
  std::string rest;
  std::multiset<std::string> library;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(".global") && line.find(" _ZN4cuda3std") != std::string::npos)
      library.insert(line);
    else
      rest += line + "\n";
  for (const std::string& line : library) rest += line + "\n";
  return rest;
}

TEST_P(Stored, IsWhatTheFreshCompileMakes) {
  LANESCOPE_NEEDS_NVRTC();
  for (const Variant variant : variants) {
    const std::filesystem::path stored = compile::stored_path(kernel_path(GetParam()).string(), variant);
    const std::filesystem::path fresh = stored_again(variant);
    if (std::getenv("LANESCOPE_STORE_PTX") != nullptr)
      std::filesystem::copy_file(fresh, stored, std::filesystem::copy_options::overwrite_existing);
    const std::string text = read_text(stored);
    if (maker(text) != this_maker())
      GTEST_SKIP() << stored << " was made by " << maker(text) << ", here is " << this_maker();
    EXPECT_EQ(sorted_library(text), sorted_library(read_text(fresh))) << "run scripts/store-ptx.sh";
  }
}

TEST_P(Stored, KeyIsThatOfTheFile) {
  const std::string text = kernel_text(GetParam());
  const auto source = source::read(kernel_path(GetParam()).string(), text);
  ASSERT_TRUE(source.has_value());
  for (const Variant variant : variants)
    EXPECT_TRUE(compile::find_stored(*source, variant, {}).has_value())
        << "run scripts/store-ptx.sh after editing a kernel";
}

// The kernel checks green with NVRTC out of reach, with the same claims, lines and outputs as with it.
TEST_P(Stored, NoToolkitIsNoWall) {
  engine::RunRequest request = request_for(GetParam(), kernel_text(GetParam()));
  request.forbid_nvrtc = true;
  const engine::Session without = run(request);
  const results::Summary& s = without.summary();
  ASSERT_TRUE(s.ok) << words(s.diagnostics);
  EXPECT_TRUE(s.diagnostics.empty()) << words(s.diagnostics);
  EXPECT_EQ(s.compiler, "stored PTX");
  for (const results::ClaimInfo& c : s.claims)
    EXPECT_EQ(c.result.verdict, claims::Verdict::holds)
        << c.claim.first_line << c.result.reason.words() << c.result.difference;
  std::set<int> lines;
  for (const trace::CodeSite& site : s.code) lines.insert(site.line);
  EXPECT_GT(lines.size(), 3u) << "the stored PTX has lost the kernel's lines";
  if (!can_compile()) return;
  const engine::Session& with = catalogue_run(GetParam());
  EXPECT_EQ(s.claims.size(), with.summary().claims.size());
  EXPECT_EQ(s.steps, with.summary().steps);
  EXPECT_EQ(s.resources.registers, with.summary().resources.registers);
  ASSERT_EQ(without.outputs().size(), with.outputs().size());
  for (std::size_t i = 0; i < with.outputs().size(); ++i)
    EXPECT_EQ(without.outputs()[i].bytes, with.outputs()[i].bytes);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Stored, ::testing::ValuesIn(kernel_names()),
                         [](const auto& info) { return info.param; });

// An edited kernel has no stored PTX: said plainly, with what to do, never run as if it were the stored one.
TEST(StoredPtx, OfAnEditedKernelIsNotUsed) {
  engine::RunRequest request = request_for("half2_transposes", replaced(kernel_text("half2_transposes"), "0x4", "0x8"));
  request.forbid_nvrtc = true;
  const engine::Session session = run(request);
  EXPECT_FALSE(session.summary().ok);
  ASSERT_FALSE(session.summary().diagnostics.empty());
  const Diagnostic& d = session.summary().diagnostics.front();
  EXPECT_NE(d.message.find("no stored PTX"), std::string::npos) << d.message;
  EXPECT_FALSE(d.remedy.empty());
}

}  // namespace
}  // namespace lanescope::catalogue
