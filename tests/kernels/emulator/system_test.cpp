// printf, failed assertions, trap and breakpoints in running kernels; and instructions that the emulator does not know.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/emulator/lanes/op.h"
#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

using u32 = std::uint32_t;

std::string bytes_of(const std::string& name, const std::string& text) {
  std::string out = fmt::format(".global .align 1 .b8 {}[{}] = {{", name, text.size() + 1);
  for (const char c : text) out += fmt::format("{},", static_cast<int>(static_cast<unsigned char>(c)));
  return out + "0};\n";
}

const std::string declared =
    ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
    ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
    ".extern .func somewhere (.param .b64 a);\n";

/// A kernel with variables and functions of the module before it, and 64 bytes of local memory for arguments.
std::string with_module(const std::string& module_level, const std::string& body, int buffers = 1) {
  const std::string text = kernel(body, buffers, ".local .align 8 .b8 depot[64];\n");
  return header + declared + module_level + text.substr(header.size());
}

/// vprintf(format, %rd10); the result is in %r10.
std::string print_call(const std::string& format) {
  return "mov.u64 %rd12, " + format +
         ";\ncvta.global.u64 %rd12, %rd12;\n"
         "{ .param .b64 p0; st.param.b64 [p0], %rd12; .param .b64 p1; st.param.b64 [p1], %rd10; .param .b32 r0;\n"
         "call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r10, [r0]; }\n";
}

const std::string arguments_in_depot = "mov.u64 %rd11, depot;\ncvta.local.u64 %rd10, %rd11;\n";

struct SystemRun {
  Result result;
  std::vector<trace::Buffer> buffers;
  std::string text() const {
    std::string all;
    for (const Printed& p : result.printed) all += p.text;
    return all;
  }
};

SystemRun run_text(const std::string& text, u32 blocks, u32 threads, const Options& options = {}, int buffers = 1) {
  const ptx::Module module = module_of(text);
  SystemRun ran;
  for (int i = 0; i < buffers; ++i)
    ran.buffers.push_back(buffer_of("out" + std::to_string(i), std::vector<u32>(std::size_t{blocks} * threads)));
  auto result = run(module, launch_of(blocks, threads, buffers), ran.buffers, options);
  if (!result) {
    ADD_FAILURE() << to_string(result.error()[0]);
    return ran;
  }
  ran.result = std::move(*result);
  return ran;
}

// ---- printf

TEST(Printf, PrintsLaneByLaneAndReturnsTheNumberOfArguments) {
  const std::string text = with_module(bytes_of("f", "%d of %s: %f\n") + bytes_of("s", "warp"),
                                       arguments_in_depot +
                                           "st.local.u32 [depot], %tid;\nmov.u64 %rd13, s;\ncvta.global.u64 %rd13, "
                                           "%rd13;\nst.local.u64 [depot+8], %rd13;\n"
                                           "mov.f64 %fd0, 0d3FF8000000000000;\nst.local.f64 [depot+16], %fd0;\n" +
                                           print_call("f") + "mov.b32 %r0, %r10;\n" + out_address + store_r0);
  const SystemRun ran = run_text(text, 1, 64);
  ASSERT_TRUE(ran.result.faults.empty()) << ran.result.faults[0].message;
  ASSERT_EQ(ran.result.printed.size(), 64u);
  EXPECT_EQ(ran.result.printed_calls, 64u);
  std::vector<bool> seen(64);
  int lane = 0;
  for (const Printed& p : ran.result.printed) {
    const u32 thread = p.where.warp * 32 + static_cast<u32>(p.lane);
    EXPECT_EQ(p.text, fmt::format("{} of warp: 1.500000\n", thread));
    EXPECT_EQ(p.lane, lane++ % 32) << "lanes in ascending order";
    EXPECT_EQ(p.where.active, all_lanes);
    EXPECT_FALSE(seen.at(thread));
    seen.at(thread) = true;
  }
  EXPECT_EQ(values_of<u32>(ran.buffers[0]), std::vector<u32>(64, 3));
  for (std::uint64_t seed : {2, 3}) {
    const SystemRun once = run_text(text, 1, 64, {.seed = seed}), again = run_text(text, 1, 64, {.seed = seed});
    EXPECT_EQ(once.text(), again.text()) << "the order is the schedule's";
  }
}

TEST(Printf, OnlyActiveLanesPrintAndIdentitiesChangeNothing) {
  const std::string text =
      with_module(bytes_of("f", "%d\n"),
                  arguments_in_depot + "st.local.u32 [depot], %tid;\nsetp.lt.u32 %p1, %tid, 3;\n@!%p1 bra done;\n" +
                      print_call("f") + "done:\n");
  EXPECT_EQ(run_text(text, 1, 32).text(), "0\n1\n2\n");
  const ptx::Module module = module_of(text);
  std::vector<trace::Buffer> buffers{buffer_of("out0", std::vector<u32>(32))};
  trace::TagPool pool;
  pool.space = tag_space(buffers);
  const auto tagged = run(module, launch_of(1, 32, 1), buffers, {.tags = &pool});
  ASSERT_TRUE(tagged);
  EXPECT_EQ(tagged->printed.size(), 3u);
}

TEST(Printf, NullFormatsReturnMinusOne) {
  const SystemRun ran = run_text(
      with_module("",
                  "mov.u64 %rd12, 0;\n{ .param .b64 p0; st.param.b64 [p0], %rd12; .param .b64 p1; st.param.b64 [p1], 0;"
                  " .param .b32 r0;\ncall.uni (r0), vprintf, (p0, p1); ld.param.b32 %r0, [r0]; }\n" +
                      out_address + store_r0),
      1, 32);
  EXPECT_TRUE(ran.result.faults.empty());
  EXPECT_TRUE(ran.result.printed.empty());
  EXPECT_EQ(values_of<u32>(ran.buffers[0])[5], 0xffffffffu);
}

TEST(Printf, OutputIsBoundedAndSaysSo) {
  const std::string text = with_module(bytes_of("f", "0123456789\n"),
                                       "mov.u64 %rd10, 0;\nmov.u32 %r1, 0;\nloop:\n" + print_call("f") +
                                           "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 100;\n@%p1 bra loop;\n");
  const SystemRun few = run_text(text, 1, 32, {.print = {.calls = 10, .bytes = 1000}});
  EXPECT_EQ(few.result.printed.size(), 10u);
  EXPECT_EQ(few.result.printed_calls, 3200u);
  const SystemRun bytes = run_text(text, 1, 32, {.print = {.calls = 1000, .bytes = 25}});
  EXPECT_EQ(bytes.text(), "0123456789\n0123456789\n012");
  EXPECT_TRUE(bytes.result.printed.back().cut);
  const SystemRun none = run_text(text, 1, 32, {.print = {.calls = 0, .bytes = 0}});
  EXPECT_TRUE(none.result.printed.empty());
  EXPECT_EQ(none.result.printed_calls, 3200u);
}

TEST(Printf, WhatItCannotReadIsAFault) {
  const auto fault_of = [](const std::string& module_level, const std::string& body) {
    const SystemRun ran = run_text(with_module(module_level, body), 1, 32);
    EXPECT_EQ(ran.result.faults.size(), 1u) << body;
    if (ran.result.faults.empty()) return std::string();
    EXPECT_EQ(ran.result.faults[0].kind, Fault::Kind::out_of_bounds);
    EXPECT_EQ(ran.result.faults[0].lane, 0);
    return ran.result.faults[0].message;
  };
  const std::string call =
      "{ .param .b64 p0; st.param.b64 [p0], %rd12; .param .b64 p1; st.param.b64 [p1], %rd10; .param .b32 r0;\n"
      "call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r10, [r0]; }\n";
  EXPECT_NE(fault_of("", "mov.u64 %rd12, 4096;\nmov.u64 %rd10, 0;\n" + call).find("printf reads a format"),
            std::string::npos);
  EXPECT_NE(fault_of(bytes_of("f", "%d\n"), "mov.u64 %rd10, 0;\n" + print_call("f")).find("argument 1 (4 bytes)"),
            std::string::npos);
  EXPECT_NE(fault_of(bytes_of("f", "%s\n"),
                     arguments_in_depot + "mov.u64 %rd13, 64;\nst.local.u64 [depot], %rd13;\n" + print_call("f"))
                .find("a string without an end (argument 1)"),
            std::string::npos);
  // The frame holds more than the depot, but not without end.
  EXPECT_NE(
      fault_of(bytes_of("f", std::string(31 * 5, 'x') + "%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld"),
               arguments_in_depot + print_call("f"))
          .find("printf reads its argument"),
      std::string::npos);
}

TEST(Printf, StringsComeFromAnyMemory) {
  const std::string text = with_module(
      bytes_of("f", "%s %s\n") + ".shared .align 8 .b8 sh[8];\n",
      arguments_in_depot +
          "mov.u32 %r1, 0x00646873;\nst.shared.u32 [sh], %r1;\nmov.u64 %rd13, sh;\ncvta.shared.u64 %rd13, %rd13;\n"
          "st.local.u64 [depot], %rd13;\nmov.u32 %r1, 0x006c636c;\nst.local.u32 [depot+32], %r1;\nadd.u64 %rd14, "
          "%rd10, 32;\n"
          "st.local.u64 [depot+8], %rd14;\n" +
          print_call("f"));
  EXPECT_EQ(run_text(text, 1, 1).text(), "shd lcl\n");
}

TEST(Variables, InitialAddressesAreRead) {
  const std::string text = with_module(
      bytes_of("a", "zero") + bytes_of("b", "one") + bytes_of("f", "%s\n") +
          ".global .align 8 .u64 names[2] = {generic(a), generic(b)};\n"
          ".global .align 8 .b8 packed[16] = {7,0,0,0,0,0,0,0, 0xFF(generic(b)+1), 0xFF00(generic(b)+1), "
          "0xFF0000(generic(b)+1), 0xFF000000(generic(b)+1), 0xFF00000000(generic(b)+1), 0xFF0000000000(generic(b)+1), "
          "0xFF000000000000(generic(b)+1), 0xFF00000000000000(generic(b)+1)};\n",
      arguments_in_depot + "ld.global.u64 %rd13, [names+8];\nst.local.u64 [depot], %rd13;\n" + print_call("f") +
          "ld.global.u64 %rd13, [packed+8];\nst.local.u64 [depot], %rd13;\n" + print_call("f"));
  EXPECT_EQ(run_text(text, 1, 1).text(), "one\nne\n");
  const ptx::Module module = module_of(text);
  const ptx::Module again = module_of(ptx::to_string(module));
  ASSERT_EQ(again.variables.size(), module.variables.size());
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    EXPECT_EQ(again.variables[i].addresses, module.variables[i].addresses) << module.variables[i].name;
    EXPECT_EQ(again.variables[i].initial, module.variables[i].initial) << module.variables[i].name;
  }
}

// ---- assert, trap, breakpoint

std::string assertion(const std::string& predicate) {
  return "setp." + predicate +
         ";\n@%p1 bra fine;\nmov.u64 %rd12, e;\ncvta.global.u64 %rd12, %rd12;\nmov.u64 %rd13, file;\n"
         "cvta.global.u64 %rd13, %rd13;\nmov.u64 %rd14, fn;\ncvta.global.u64 %rd14, %rd14;\n"
         "{ .param .b64 p0; st.param.b64 [p0], %rd12; .param .b64 p1; st.param.b64 [p1], %rd13; .param .b32 p2;\n"
         "st.param.b32 [p2], 77; .param .b64 p3; st.param.b64 [p3], %rd14; .param .b64 p4; st.param.b64 [p4], 1;\n"
         "call.uni __assertfail, (p0, p1, p2, p3, p4); }\nfine:\n";
}
const std::string assertion_texts =
    bytes_of("e", "i < n") + bytes_of("file", "/proc/self/fd/7/k.cu") + bytes_of("fn", "void k(float *)");

TEST(Assertion, OneLaneOfManyIsNamed) {
  const SystemRun ran = run_text(with_module(assertion_texts, assertion("ne.u32 %p1, %tid, 45")), 1, 64);
  ASSERT_EQ(ran.result.faults.size(), 1u);
  const Fault& f = ran.result.faults[0];
  EXPECT_EQ(f.kind, Fault::Kind::assertion);
  EXPECT_EQ(f.lane, 13);
  EXPECT_EQ(f.where.warp, 1u);
  EXPECT_NE(f.message.find("assertion `i < n` does not hold in `void k(float *)` (k.cu:77), thread (45,0,0)"),
            std::string::npos)
      << f.message;
  EXPECT_EQ(f.message.find("others"), std::string::npos);
  const SystemRun four = run_text(with_module(assertion_texts, assertion("lt.u32 %p1, %tid, 28")), 1, 32);
  ASSERT_EQ(four.result.faults.size(), 1u);
  EXPECT_NE(four.result.faults[0].message.find("thread (28,0,0) and 3 others of the warp"), std::string::npos);
}

TEST(Assertion, OneThatHoldsCostsNothing) {
  const SystemRun ran = run_text(with_module(assertion_texts, assertion("lt.u32 %p1, %tid, 64")), 1, 32);
  EXPECT_TRUE(ran.result.faults.empty());
  const SystemRun without = run_text(with_module("", ""), 1, 32);
  EXPECT_EQ(ran.result.warp_instructions, without.result.warp_instructions + 2) << "a comparison and a branch";
}

TEST(Assertion, TextsThatCannotBeReadDoNoHarm) {
  std::string body = assertion("ne.u32 %p1, %tid, 0");
  body.replace(body.find("mov.u64 %rd12, e;"), 17, "mov.u64 %rd12, 0;");
  const SystemRun ran = run_text(with_module(assertion_texts, body), 1, 32);
  ASSERT_EQ(ran.result.faults.size(), 1u);
  EXPECT_NE(ran.result.faults[0].message.find("assertion `?`"), std::string::npos);
}

TEST(Trap, AndBreakpointEndTheLaunch) {
  EXPECT_EQ(run_text(with_module("", "setp.eq.u32 %p1, %tid, 3;\n@%p1 trap;\n"), 1, 32).result.faults.at(0).lane, 3);
  EXPECT_EQ(run_text(with_module("", "brkpt;\n"), 1, 32).result.faults.at(0).kind, Fault::Kind::breakpoint);
  const SystemRun exits = run_text(
      with_module("", "setp.lt.u32 %p1, %tid, 3;\n@%p1 exit;\nmov.u32 %r0, 7;\n" + out_address + store_r0), 1, 32);
  EXPECT_TRUE(exits.result.faults.empty());
  EXPECT_EQ(values_of<u32>(exits.buffers[0])[2], 0u);
  EXPECT_EQ(values_of<u32>(exits.buffers[0])[3], 7u);
}

// ---- instructions that the emulator does not know

const std::string unknown = "tcgen05.wait::ld.sync.aligned;\n";
const std::string store_7 = "mov.u32 %r0, 7;\n" + out_address + store_r0;

TEST(Unsupported, WhatIsNotReachedDoesNotMatter) {
  for (const std::string& what :
       {unknown, std::string("mov.u32 %r1, %some_new_register;\n"), std::string("mov.b128 %rd1, %rd2;\n"),
        std::string("{ .param .b64 p0; st.param.b64 [p0], 0; call somewhere, (p0); }\n"),
        std::string("tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [picture, {%f4, %f5}];\n"),
        std::string("ld.global.brandnew.u32 %r1, [%rd0];\n"), std::string("brandnew.u32 %r1, {%r2, %r3}, [%rd0];\n")}) {
    const SystemRun ran =
        run_text(with_module(".global .texref picture;\n.global .surfref s;\n",
                             "setp.gt.u32 %p1, %tid, 1000;\n@!%p1 bra go_on;\n" + what + "go_on:\n" + store_7),
                 2, 64);
    EXPECT_TRUE(ran.result.faults.empty()) << what;
    EXPECT_EQ(values_of<u32>(ran.buffers[0]), std::vector<u32>(128, 7)) << what;
  }
}

TEST(Unsupported, AGuardThatIsFalseReachesNothing) {
  const SystemRun ran = run_text(with_module("", "setp.gt.u32 %p1, %tid, 1000;\n@%p1 " + unknown + store_7), 1, 32);
  EXPECT_TRUE(ran.result.faults.empty());
  EXPECT_EQ(values_of<u32>(ran.buffers[0])[9], 7u);
}

TEST(Unsupported, OneWarpStopsTheOthersGoOn) {
  const SystemRun ran =
      run_text(with_module("",
                           "setp.ge.u32 %p1, %tid, 32;\nsetp.lt.u32 %p2, %tid, 64;\nand.pred %p1, %p1, %p2;\n"
                           "@%p1 " +
                               unknown + store_7),
               1, 128);
  ASSERT_EQ(ran.result.faults.size(), 1u);
  const Fault& f = ran.result.faults[0];
  EXPECT_EQ(f.kind, Fault::Kind::unsupported);
  EXPECT_EQ(f.where.warp, 1u);
  EXPECT_NE(f.message.find("the emulator does not support `tcgen05.wait::ld.sync.aligned`"), std::string::npos)
      << f.message;
  EXPECT_NE(f.remedy.find("run it on a GPU (--engine gpu), or change the line (PTX line "), std::string::npos);
  std::vector<u32> expected(128, 7);
  std::fill(expected.begin() + 32, expected.begin() + 64, 0);
  EXPECT_EQ(values_of<u32>(ran.buffers[0]), expected);
  EXPECT_EQ(ran.result.unfinished.blocks, 1u);
}

TEST(Unsupported, EveryBlockRunsAsFarAsItCan) {
  const SystemRun ran = run_text(with_module("", store_7 + unknown + "mov.u32 %r0, 8;\n" + store_r0), 5, 64);
  ASSERT_EQ(ran.result.faults.size(), 1u) << "one for the instruction, not one for each warp";
  EXPECT_EQ(values_of<u32>(ran.buffers[0]), std::vector<u32>(320, 7));
  EXPECT_EQ(ran.result.unfinished.blocks, 5u);
}

TEST(Unsupported, NobodyGoesPastABarrierOrAShuffleWithoutThoseWhoStopped) {
  const std::string stop_first_warp = "setp.lt.u32 %p1, %tid, 32;\n@%p1 " + unknown;
  const SystemRun barrier = run_text(with_module("", stop_first_warp + "bar.sync 0;\n" + store_7), 2, 64);
  ASSERT_EQ(barrier.result.faults.size(), 1u);
  EXPECT_EQ(barrier.result.faults[0].kind, Fault::Kind::unsupported) << "no deadlock";
  std::vector<u32> of_second_block(128, 7);
  std::fill(of_second_block.begin(), of_second_block.begin() + 64, 0);
  EXPECT_EQ(values_of<u32>(barrier.buffers[0]), of_second_block);
  EXPECT_EQ(barrier.result.unfinished.blocks, 1u);
  const SystemRun shuffle = run_text(with_module("", "setp.eq.u32 %p1, %tid, 4;\n@%p1 " + unknown +
                                                         "shfl.sync.bfly.b32 %r1, %tid, 1, 31, -1;\n" + store_7),
                                     1, 64);
  ASSERT_EQ(shuffle.result.faults.size(), 1u);
  EXPECT_EQ(shuffle.result.faults[0].kind, Fault::Kind::unsupported);
  std::vector<u32> expected(64, 7);
  std::fill(expected.begin(), expected.begin() + 32, 0);
  EXPECT_EQ(values_of<u32>(shuffle.buffers[0]), expected);
}

TEST(Unsupported, WhoPollsForThoseWhoStoppedIsEnded) {
  const SystemRun ran = run_text(
      with_module("", "setp.lt.u32 %p1, %bid, 1;\nmov.u32 %r5, %ctaid.x;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 " + unknown +
                          "wait:\nld.volatile.global.u32 %r1, [%rd0];\n"
                          "setp.eq.u32 %p2, %r1, 0;\n@%p2 bra wait;\n" +
                          store_7),
      3, 32, {.max_steps = 50'000'000});
  ASSERT_EQ(ran.result.faults.size(), 1u);
  EXPECT_EQ(ran.result.faults[0].kind, Fault::Kind::unsupported);
  EXPECT_EQ(ran.result.unfinished.blocks, 3u);
}

TEST(Unsupported, EndlessLoopsAfterwardsAreNotBlamed) {
  const SystemRun ran = run_text(
      with_module("", "setp.lt.u32 %p1, %tid, 32;\n@%p1 " + unknown + "loop:\nadd.u32 %r1, %r1, 1;\nbra loop;\n"), 4,
      64, {.max_steps = 100'000});
  ASSERT_EQ(ran.result.faults.size(), 1u);
  EXPECT_EQ(ran.result.faults[0].kind, Fault::Kind::unsupported);
  EXPECT_EQ(ran.result.unfinished.blocks, 4u);
}

TEST(Unsupported, ARealFaultComesFirst) {
  const SystemRun ran = run_text(with_module("", "setp.lt.u32 %p1, %tid, 32;\n@%p1 " + unknown + "trap;\n"), 1, 64);
  ASSERT_EQ(ran.result.faults.size(), 2u);
  EXPECT_EQ(ran.result.faults[0].kind, Fault::Kind::trap);
  EXPECT_EQ(ran.result.faults[1].kind, Fault::Kind::unsupported);
}

TEST(Unsupported, AnotherKernelOfTheModuleDoesNotMatter) {
  const std::string other = ".visible .entry other()\n{\n" + unknown + "ret;\n}\n";
  const SystemRun ran = run_text(with_module(other, store_7), 1, 32);
  EXPECT_TRUE(ran.result.faults.empty());
  const ptx::Module module = module_of(with_module(other, store_7));
  trace::Launch launch = launch_of(1, 32, 0);
  launch.kernel = "other";
  std::vector<trace::Buffer> none;
  const auto reached = run(module, launch, none, {});
  ASSERT_TRUE(reached);
  EXPECT_EQ(reached->faults.at(0).kind, Fault::Kind::unsupported);
}

TEST(Unsupported, ProbesBehindItAreUnfinishedAndThoseBeforeAreNot) {
  const std::string probe = "// lanescope.probe {} var=0 off=0 size=4 %tid\n";
  const auto at = [&](int id) { return fmt::format(fmt::runtime(probe), id); };
  const auto unfinished = [&](const std::string& body) {
    return run_text(with_module("", body), 1, 64).result.unfinished.probes;
  };
  EXPECT_EQ(unfinished(at(0) + unknown + at(1)), (std::vector<int>{1}));
  EXPECT_EQ(unfinished(at(0) + "setp.lt.u32 %p1, %tid, 32;\n@%p1 bra a;\n" + at(1) + "bra b;\na:\n" + at(2) + unknown +
                       at(3) + "b:\n" + at(4)),
            (std::vector<int>{3, 4}));
  EXPECT_EQ(unfinished("mov.u32 %r1, 0;\nloop:\n" + at(0) + unknown +
                       "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 4;\n@%p1 bra loop;\n" + at(1)),
            (std::vector<int>{0, 1}))
      << "in a loop, what stands before it would come again";
  EXPECT_EQ(unfinished("setp.lt.u32 %p1, %tid, 32;\n@%p1 " + unknown + at(0) + "bar.sync 0;\n" + at(1)),
            (std::vector<int>{0, 1}));
}

/// Restored, a machine prints and stops the same again.
TEST(Unsupported, CheckpointsKeepWhatWasPrintedAndRefused) {
  const ptx::Module module = module_of(
      with_module(bytes_of("f", "here\n"), "mov.u64 %rd10, 0;\n" + print_call("f") + unknown + print_call("f")));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(64))};
  auto machine = Machine::create(module, launch_of(2, 32, 1), buffers, {});
  ASSERT_TRUE(machine);
  while (machine->step_count() < 20 && machine->advance(1)) {}
  const auto middle = machine->checkpoint();
  while (machine->advance(1)) {}
  const Result first = machine->result();
  machine->restore(*middle);
  while (machine->advance(1)) {}
  EXPECT_EQ(first.printed.size(), 64u);
  EXPECT_EQ(machine->result().printed.size(), 64u);
  ASSERT_EQ(machine->result().faults.size(), 1u);
  EXPECT_EQ(machine->result().faults[0].message, first.faults.at(0).message);
}

}  // namespace
}  // namespace lanescope::emulator::test
