// Editor aids in the window: what is offered while one types, snippets that run, comments that the run shows to be true.

#include "app/assist/completion.h"
#include "app/gui/state/editing_aids.h"
#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

#define NEEDS_COMPILER() \
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC on this machine: an edited kernel cannot be compiled"

class Aids : public ExplorerTest {
 protected:
  void open_text(const std::string& text) {
    const std::string path = folder() + "/k.cu";
    ASSERT_TRUE(write_text(path, text));
    open(options_for(path));
  }
  const std::string& text() { return app().document.text(); }
};

constexpr const char* small_kernel = R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 i:32"
q = "u32 i:32 = zeros"
*/
extern "C" __global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x];
    x = __shfl_xor_sync(~0u, x, 1);

    q[threadIdx.x] = x;
}
)";

TEST_F(Aids, WhatIsTypedIsCompletedByTab) {
  open_text(small_kernel);
  script(
      "key Ctrl+G\ntype 12\nkey Enter\ntype unsigned y = __bal\nexpect suggestions __ballot_sync\nkey Tab\nexpect "
      "suggestions none");
  EXPECT_NE(text().find("unsigned y = __ballot_sync(~0u, )"), std::string::npos);
  script("type x > 3");
  EXPECT_NE(text().find("unsigned y = __ballot_sync(~0u, x > 3)"), std::string::npos) << "the caret is at the argument";
  script("key Ctrl+Z\nkey Ctrl+Z\nexpect edited yes");
}

TEST_F(Aids, EnterIsALineBreakUnlessTheListWasAskedFor) {
  open_text(small_kernel);
  script("key Ctrl+G\ntype 12\nkey Enter\ntype thr\nexpect suggestions threadIdx\nkey Enter\nexpect suggestions none");
  EXPECT_NE(text().find("thr\n"), std::string::npos);
  script("type bl\nkey Ctrl+Space\nexpect suggestions blockIdx\nkey Down\nkey Up\nkey Enter\nexpect suggestions none");
  EXPECT_NE(text().find("blockIdx.x"), std::string::npos);
}

TEST_F(Aids, AStrangeFileGetsItsLaunchHeader) {
  const std::string strange =
      "__global__ void k(float* p, int n) {\n    if (threadIdx.x < n) p[threadIdx.x] = 1;\n}\nint main() {\n    float* "
      "p;\n    cudaMalloc(&p, 256);\n    k<<<1, 64>>>(p, 64);\n}\n";
  open_text(strange);
  script("command edit.adopt");
  EXPECT_TRUE(text().starts_with("/* [lanescope]")) << text();
  EXPECT_TRUE(text().ends_with(strange));
  EXPECT_NE(text().find("block = 64"), std::string::npos);
  const std::string adopted = text();
  script("command edit.adopt");
  EXPECT_EQ(text(), adopted) << "it has one";
  script("command edit.undo");
  EXPECT_EQ(text(), strange) << "one step of undo";
}

TEST_F(Aids, EscapeClosesTheListAndThenEndsEditing) {
  open_text(small_kernel);
  script(
      "key Ctrl+G\ntype 12\nkey Enter\ntype thr\nkey Escape\nexpect suggestions none\nexpect typing yes\nkey "
      "Escape\nexpect typing no");
  script("key Ctrl+G\ntype 13\nkey Enter\ntype ;thr\nexpect suggestions threadIdx\nkey Left\nexpect suggestions none");
}

TEST_F(Aids, AListedWordIsTakenByAClick) {
  open_text(small_kernel);
  script("key Ctrl+G\ntype 12\nkey Enter\ntype thr\nclick item \"suggestion threadIdx\"\nexpect typing yes\ntype ;");
  EXPECT_NE(text().find("threadIdx.x;"), std::string::npos);
}

TEST_F(Aids, HeaderAndBitsAreOffered) {
  open_text(small_kernel);
  script(
      "key Ctrl+G\ntype 3\nkey Enter\nkey Enter\ntype clu\nexpect suggestions cluster\nkey Tab\nexpect text cluster");
  script("command edit.undo\ncommand edit.undo\ncommand edit.undo\nexpect edited no");
  script(
      "key Ctrl+G\ntype 12\nkey Enter\ntype     //   thread:  t4 t3 t2 t1 t0 <-> i\nkey Ctrl+Space\nexpect suggestions "
      "i4");
}

TEST_F(Aids, SnippetsMakeAKernelThatRuns) {
  NEEDS_COMPILER();
  std::string body;
  for (const assist::Snippet& s : assist::snippets()) {
    if (s.name == "load" || s.name == "shuffle" || s.name == "reduction" || s.name == "store")
      body += assist::indented(s, "    ") + "\n    ";
  }
  std::string kernel_text, header;
  for (const assist::Snippet& s : assist::snippets()) {
    if (s.name == "header") header = s.text;
    if (s.name == "kernel") kernel_text = s.text;
  }
  // As one writes it: header, kernel, then load, shuffle, reduction and store in its body.
  std::string order;
  for (const char* name : {"load", "shuffle", "reduction", "store"})
    for (const assist::Snippet& s : assist::snippets())
      if (s.name == name) order += assist::indented(s, "    ") + "\n    ";
  kernel_text.replace(kernel_text.find('$'), 1, order);
  std::string whole = header + kernel_text;
  std::erase(whole, '$');
  open_text(whole);
  script("expect results.have yes\nexpect results.failed no\nexpect text grid 1 · block 32");
}

TEST_F(Aids, TheTransposeSnippetRunsWithoutBankConflicts) {
  NEEDS_COMPILER();
  std::string body;
  for (const assist::Snippet& s : assist::snippets())
    if (s.name == "transpose") body = assist::indented(s, "    ");
  std::erase(body, '$');
  open_text(
      "/*\n[lanescope]\nblock = [32, 32]\n[buffers]\np = \"u32 i:32 j:32\"\nq = \"u32 j:32 i:32 = zeros\"\n*/\n"
      "extern \"C\" __global__ void __launch_bounds__(1024) k(const unsigned *p, unsigned *q)\n{\n    " +
      body + "\n}\n");
  script("expect results.have yes\nexpect results.failed no\nexpect text not bank-conflict");
}

TEST_F(Aids, TheClaimSnippetHoldsBehindTheLoad) {
  NEEDS_COMPILER();
  open_text(small_kernel);
  script(
      "key Ctrl+G\ntype 10\nkey Enter\nkey Ctrl+I\nexpect overlay snippets\ntype claim\nkey Enter\nexpect overlay "
      "none\nwait\nexpect undo assignment comment of x at line 10\nexpect results.claims 1 hold, 0 differ, 0 "
      "unchecked");
}

TEST_F(Aids, AFalseClaimGetsItsTrueRowsInOneKey) {
  NEEDS_COMPILER();
  std::string wrong = small_kernel;
  wrong.insert(wrong.find("\n    q["),
               "    // x has the following register assignment:\n    //   thread:  t4 t3 t2 t1 t0  "
               "<->  i4 i3 i2 i0 i1\n");
  open_text(wrong);
  script(
      "expect results.claims 0 hold, 1 differ, 0 unchecked\nkey F\nwait\nkey Ctrl+Shift+T\nwait\nexpect results.claims "
      "1 "
      "hold, 0 differ, 0 unchecked\nkey Ctrl+Z\nexpect edited no");
}

TEST_F(Aids, TheTrueAssignmentIsWrittenHere) {
  NEEDS_COMPILER();
  open_text(small_kernel);
  for (const char* line : {"10", "11"}) {
    script(std::string("line ") + line +
           "\nwait\nkey Ctrl+Shift+T\nwait\nexpect results.claims 1 hold, 0 differ, 0 unchecked\n"
           "expect edited yes\ncommand edit.undo\nwait\nexpect edited no\nexpect results.claims 0 hold, 0 differ, 0 "
           "unchecked");
  }
}

TEST_F(Aids, AVariableIsAnnotatedWhereverOneLooks) {
  NEEDS_COMPILER();
  open(options_for(kernel("half2_transposes.cu")));
  script(
      "key Home\nwait\nkey Ctrl+G\ntype 42:14\nkey Enter\nkey Ctrl+Shift+A\nwait\nexpect edited yes\nexpect text 4 of "
      "4 "
      "claims hold");
  EXPECT_NE(text().find("y has the following register assignment:"), std::string::npos);
  script("command edit.undo\nwait\nkey Ctrl+G\ntype 23:11\nkey Enter\nkey Ctrl+Shift+A\nwait\nexpect edited no");
}

TEST_F(Aids, NothingIsWrittenFromAnOldRun) {
  open_text(small_kernel);
  script(
      "edit unsigned x = p => unsigned  x = p\nkey Ctrl+Shift+A\nexpect undo script edit\nexpect remark The text has "
      "changed since the last successful run. Wait for its result.");
}

TEST_F(Aids, FixesAreOfferedAtTheMarkAndByKey) {
  NEEDS_COMPILER();
  std::string wrong = small_kernel;
  wrong.insert(wrong.find("\n    q["),
               "    // x has the following register assignment:\n    //   thread:  t4 t3 t2 t1 t0  "
               "<->  i4 i3 i2 i0 i1\n");
  open_text(wrong);
  script(
      "click item \"verdict at line 13\"\nexpect menu yes\nclick item \"Write the true assignment of x\"\nwait\nexpect "
      "results.claims 1 hold, 0 differ, 0 unchecked");
  script(
      "command edit.undo\nwait\nkey F\nwait\nkey Alt+Enter\nexpect menu yes\nkey Down\nkey Up\nkey Enter\nwait\nexpect "
      "results.claims 1 hold, 0 differ, 0 unchecked");
  // The second way out: the code does what the comment says, and the comments of what was inserted hold, too.
  script(
      "command edit.undo\nwait\nkey F\nwait\nkey Alt+Enter\nexpect menu yes\nkey Down\nkey Enter\nwait\nexpect "
      "results.claims 4 hold, 0 differ, 0 unchecked\ncommand edit.undo\nwait");
  script("line 10\nkey Alt+Enter\nexpect menu no\nexpect text Nothing is offered");
}

TEST_F(Aids, AMissingBarrierIsPutBack) {
  NEEDS_COMPILER();
  open_text(R"(/*
[lanescope]
block = 64
[buffers]
p = "u32 i:64"
q = "u32 i:64 = zeros"
*/
extern "C" __global__ void __launch_bounds__(64) k(const unsigned *p, unsigned *q)
{
    __shared__ unsigned s[64];
    s[threadIdx.x] = p[threadIdx.x];
    q[threadIdx.x] = s[63 - threadIdx.x];
}
)");
  const auto& findings = app().results.summary.findings;
  const auto race =
      std::find_if(findings.begin(), findings.end(), [](const auto& f) { return f.rule == "barrier-missing"; });
  ASSERT_NE(race, findings.end());
  const auto fixes = fixes_of(app(), race->line);
  ASSERT_FALSE(fixes.empty());
  EXPECT_EQ(fixes[0].title, "Put a barrier before this line");
  apply_fix(app(), fixes[0]);
  ASSERT_TRUE(wait_until_settled(*frames));
  for (const auto& f : app().results.summary.findings) EXPECT_NE(f.rule, "barrier-missing") << f.line;
  EXPECT_NE(text().find("__syncthreads();\n    q["), std::string::npos) << text();
}

}  // namespace
}  // namespace lanescope::gui
