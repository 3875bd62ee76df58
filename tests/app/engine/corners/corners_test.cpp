// The emulator against what an H100 gave for kernels in the corners of the machine's semantics (tests/corners.h).

#include "tests/corners.h"

#include <gtest/gtest.h>

#include "app/engine/session/session.h"
#include "kernels/base/read_file.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine::test {
namespace {

class Corners : public ::testing::TestWithParam<std::string> {};

corners::Results emulated(const std::string& file) {
  RunRequest request;
  request.file = (corners::folder() / file).string();
  request.text = read_file(request.file).value_or("");
  request.probed_run = false;
  Session session;
  const results::Summary& summary = session.run(request);
  corners::Results out;
  if (!session.faults().empty()) {
    out["*"] = file.starts_with("hang") ? "hang" : "fault";
    return out;
  }
  for (const Diagnostic& d : summary.diagnostics)
    if (d.severity == Severity::error) ADD_FAILURE() << to_string(d);
  for (const Output& o : session.outputs()) out[o.name] = corners::contents_words(o.bytes);
  std::string printed;
  for (const results::PrintedText& p : summary.printed) printed += p.text;
  if (!printed.empty()) out["*"] = corners::printed_words(printed);
  return out;
}

/// Differences that are not fixed yet are in known.tsv with their reason; one that is gone must leave it.
TEST_P(Corners, EqualTheHardwares) {
  NEEDS_NVRTC();
  const std::string& file = GetParam();
  const corners::Results measured = corners::rows_of(corners::folder() / "results.tsv", file),
                         known = corners::rows_of(corners::folder() / "known.tsv", file);
  ASSERT_FALSE(measured.empty()) << "there is no measurement";
  const corners::Results here = emulated(file);
  for (const auto& [buffer, contents] : measured) {
    const auto found = here.find(buffer);
    const std::string own = found == here.end() ? "nothing" : found->second;
    if (known.contains(buffer)) {
      EXPECT_NE(own, contents) << buffer << " is equal: its row in known.tsv must go";
    } else {
      EXPECT_EQ(own, contents) << buffer;
    }
  }
  for (const auto& [buffer, reason] : known) EXPECT_TRUE(measured.contains(buffer)) << buffer << " has no measurement";
}

INSTANTIATE_TEST_SUITE_P(Files, Corners, ::testing::ValuesIn(corners::files()),
                         [](const auto& info) { return corners::test_name(info.param); });

}  // namespace
}  // namespace lanescope::engine::test
