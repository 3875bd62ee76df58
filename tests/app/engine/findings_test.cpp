// Findings of a review, as the window gets them.

#include "app/engine/wire/messages.h"
#include "support.h"

namespace lanescope::engine {
namespace {

using namespace test;

// Those that a comment of the file names are marked, and only those; the mark crosses the pipe.
TEST(Findings, ThoseThatTheFileExpectsSaySo) {
  NEEDS_NVRTC();
  const std::string line = "  q[threadIdx.x] = p[threadIdx.x * 32];";
  const auto run = [&](const std::string& comment) {
    RunRequest request;
    request.file = "strided.cu";
    request.text =
        "/*\n[lanescope]\nblock = [32]\n\n[buffers]\np = \"f32 i:1024\"\nq = \"f32 i:32 = zeros\"\n*/\n"
        "__global__ void strided(const float* p, float* q) {\n" +
        line + comment + "\n}\n";
    request.review = true;
    Session session;
    session.run(request);
    EXPECT_TRUE(session.summary().ok) << all_words(session.summary());
    return session.summary();
  };
  const results::Summary plain = run(""), here = run("  // lanescope: expect partial-lines");
  const auto there = wire::decode<results::Summary>(wire::encode(here));
  ASSERT_TRUE(there);
  const results::Summary& marked = *there;
  ASSERT_FALSE(plain.findings.empty());
  ASSERT_EQ(marked.findings.size(), plain.findings.size());
  for (std::size_t i = 0; i < plain.findings.size(); ++i) {
    EXPECT_FALSE(plain.findings[i].expected);
    EXPECT_EQ(marked.findings[i].expected, marked.findings[i].rule == "partial-lines") << marked.findings[i].rule;
  }
}

}  // namespace
}  // namespace lanescope::engine
