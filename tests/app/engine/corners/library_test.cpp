// The emulator against what an H200 gave for CUDA's functions on 2^14 inputs each (tests/library.h).

#include "tests/library.h"

#include <gtest/gtest.h>

#include "app/engine/session/session.h"
#include "kernels/base/read_file.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine::test {
namespace {

class Library : public ::testing::TestWithParam<std::string> {};

std::string text_of_file(const std::string& file) {
  return read_file((library::folder() / file).string()).value_or("");
}

/// Of a third of the functions.
corners::Results emulated_functions(const std::string& file) {
  RunRequest request;
  request.file = (library::folder() / file).string();
  request.text = library::sampled(text_of_file(file), 3);
  request.probed_run = false;
  Session session;
  const results::Summary& summary = session.run(request);
  for (const Diagnostic& d : summary.diagnostics)
    if (d.severity == Severity::error) ADD_FAILURE() << to_string(d);
  return library::results_of(library::functions(request.text), output(session, "digests").bytes);
}

TEST_P(Library, EqualsTheHardwares) {
  NEEDS_NVRTC();
  const std::string& file = GetParam();
  const corners::Results measured = corners::rows_of(library::table(library::part_rounds), file);
  ASSERT_FALSE(measured.empty()) << "there is no measurement";
  const corners::Results here = emulated_functions(file);
  EXPECT_EQ(library::functions(text_of_file(file)).size(), measured.size());
  EXPECT_GE(here.size(), measured.size() / 3);
  for (const auto& [function, digest] : here) {
    const auto found = measured.find(function);
    if (found == measured.end())
      ADD_FAILURE() << function << " has no measurement";
    else
      EXPECT_EQ(digest, found->second) << function << " differs first in chunk "
                                       << library::first_difference(digest, found->second);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Library, ::testing::ValuesIn(library::files()),
                         [](const auto& info) { return corners::test_name(info.param); });

}  // namespace
}  // namespace lanescope::engine::test
