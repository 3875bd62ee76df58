// Kernels of the catalogue with their bodies moved into device functions: the same verdicts.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/engine/session/session.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/compile.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/source.h"
#include "tests/catalogue_files.h"

namespace lanescope::contracts {
namespace {

namespace fs = std::filesystem;

/// The text with the bodies of all kernels that are no templates in functions of their own; empty: there are none.
std::string moved(const std::string& text) {
  const source::Lexed lexed = source::lex_plainly(text);
  const source::Outline outline = source::outline(lexed);
  std::string out;
  std::size_t done = 0;
  bool any = false;
  for (const source::FunctionRange& f : outline.functions) {
    if (!f.info.is_kernel || f.info.is_template) continue;
    int name = f.open;
    while (name > f.head && lexed.of(name) != f.info.name) --name;
    const auto at = [&](int token) { return static_cast<std::size_t>(lexed.token(token).offset); };
    const std::string head = text.substr(at(f.head), at(f.open) - at(f.head));
    std::vector<std::string> arguments;
    for (const source::Parameter& p : f.info.parameters) arguments.push_back(p.name);
    out += text.substr(done, at(f.head) - done);
    // Lines stay: the head of the function is as long as that of the kernel.
    for (int i = f.head; i < f.open; ++i) {
      if (lexed.is(i, "extern") || lexed.is(i, "__cluster_dims__")) return {};
      std::string word(lexed.of(i));
      if (word == "__global__") word = "__device__ __forceinline__";
      if (i == name) word += "_body";
      if (word == "__launch_bounds__") {
        word = "";
        i = lexed.partner(i + 1);
      }
      const std::size_t end = at(i) + lexed.of(i).size();
      std::string gap = text.substr(end, at(i + 1) - end);
      out += word + gap;
    }
    out += text.substr(at(f.open), at(f.close) + 1 - at(f.open));
    std::string plain_head = head;
    std::ranges::replace(plain_head, '\n', ' ');
    out += fmt::format(" {}{{ {}_body({}); }}", plain_head, f.info.name, fmt::join(arguments, ", "));
    done = at(f.close) + 1;
    any = true;
  }
  return any ? out + text.substr(done) : std::string();
}

std::vector<std::string> verdicts(const fs::path& file, const std::string& text) {
  engine::RunRequest request;
  request.file = file.string(), request.text = text, request.plain_run = false;
  engine::Session session;
  const results::Summary& s = session.run(request);
  std::vector<std::string> out;
  for (const results::ClaimInfo& c : s.claims)
    out.push_back(fmt::format("{} {}: {} {}", c.claim.first_line, c.claim.variable, claims::verdict_words(c.result),
                              c.result.reason.name()));
  for (const Diagnostic& d : s.diagnostics)
    if (d.severity == Severity::error) out.push_back(d.message);
  return out;
}

TEST(MovedBodies, HaveTheSameVerdicts) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  std::size_t number = 0, compared = 0, claims = 0;
  for (const fs::path& file : test::catalogue_files()) {
    const std::string text = read_file(file.string()).value_or("");
    if (text.find("<->") == std::string::npos && text.find("register:") == std::string::npos) continue;
    if (!test::in_sample(number++, 10)) continue;
    const std::string other = moved(text);
    if (other.empty()) continue;
    const auto before = verdicts(file, text);
    if (before.empty()) continue;
    EXPECT_EQ(verdicts(file, other), before) << file << "\n" << other;
    claims += before.size();
    ++compared;
  }
  fmt::print("{} claims of {} kernels\n", claims, compared);
  EXPECT_GT(compared, 2u);
}

}  // namespace
}  // namespace lanescope::contracts
