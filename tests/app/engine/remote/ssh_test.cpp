// The engine over a real ssh.

#include <fmt/format.h>

#include "app/engine/remote/engine.h"
#include "app/engine/wire/messages.h"
#include "tests/app/engine/remote/ssh_daemon.h"

namespace lanescope::engine {
namespace {

using namespace std::chrono_literals;
using test::shell;

class OverSsh : public testing::Test {
 protected:
  static void SetUpTestSuite() { daemon = std::make_unique<test::Daemon>(); }
  static void TearDownTestSuite() { daemon.reset(); }
  void SetUp() override {
    if (!daemon->problem().empty()) GTEST_SKIP() << "NO SSH ON THIS MACHINE: " << daemon->problem();
  }
  static std::string via() { return daemon->to(shell_word(test::program) + " worker"); }
  static inline std::unique_ptr<test::Daemon> daemon;
};

std::string catalogue(const std::string& name) {
  return fmt::format("{}/assets/kernels/{}", LANESCOPE_SOURCE_DIR, name);
}

TEST_F(OverSsh, TheCommandLineSaysTheSame) {
  const std::string err = (daemon->folder() / "said").string();
  const std::string copy =
      shell_word(test::data_path("copy.ptx")) + " --launch " + shell_word(test::data_path("copy.toml"));
  for (const std::string& command : std::vector<std::string>{
           "check " + shell_word(catalogue("half2_transposes.cu")) + " --no-nvrtc",
           "run --json " + shell_word(catalogue("shared_transpose_padded.cu")) + " --no-nvrtc", "run --json " + copy,
           "run --max-steps 3 " + copy, std::string("check /does/not/exist.cu")}) {
    const auto here = shell(fmt::format("{} {} 2> {}", shell_word(test::program), command, shell_word(err)));
    const std::string said_here = test::text_of(err);
    const auto there = shell(
        fmt::format("{} {} --via {} 2> {}", shell_word(test::program), command, shell_word(via()), shell_word(err)));
    EXPECT_EQ(here, there) << command;
    EXPECT_EQ(said_here, test::text_of(err)) << command;
    EXPECT_FALSE(here.second.empty() && said_here.empty()) << command;
  }
}

TEST_F(OverSsh, WhySshFailsIsSaid) {
  const std::string wrong_port = "ssh -F none -o BatchMode=yes -p 1 127.0.0.1 lanescope worker";
  for (const auto& [command, words] : {std::pair{wrong_port, "refused"}, {daemon->to("/no/worker"), "status 127"}}) {
    const RunResult result = engine_behind(via_options(command))->run(test::request_for("copy.ptx"));
    EXPECT_EQ(result.ending, Ending::cannot_here);
    ASSERT_FALSE(result.summary.diagnostics.empty());
    EXPECT_NE(to_string(result.summary.diagnostics[0]).find(words), std::string::npos)
        << to_string(result.summary.diagnostics[0]);
  }
}

/// A kernel that counts for a while, one thread, then stores.
RunRequest long_request() {
  RunRequest request = test::request_for("copy.ptx");
  request.text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry copy(.param .u64 q)\n{\n.reg .pred %p<2>;\n"
      ".reg .b32 %r<4>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [q];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, 0;\n"
      "AGAIN:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 1000000;\n@%p1 bra AGAIN;\nst.global.u32 [%rd2], %r1;\n"
      "ret;\n}\n";
  request.launch_file = test::data_path("copy.toml");
  request.launch_text = "[lanescope]\nblock = 1\nargs = [\"b\"]\n[buffers]\nb = \"u32 i:1 = zeros\"\n";
  return request;
}

TEST_F(OverSsh, AConnectionThatIsCutInARunAndInAMomentIsMadeAgain) {
  const RunRequest request = long_request();
  Client client(via_options(via()));
  client.send<ask::RunWhole>(request);
  const MomentRequest wanted{.step = 17, .families = {}};
  std::optional<RunResult> result;
  std::optional<results::Moment> moment;
  int repeated = 0;
  bool was_cut = false;
  const auto until = std::chrono::steady_clock::now() + 100s;
  while (!moment && std::chrono::steady_clock::now() < until) {
    const auto event = client.wait(50ms);
    if (!event) continue;
    if (std::holds_alternative<Progress>(event->what) && !was_cut) {
      was_cut = true;
      EXPECT_EQ(daemon->cut(), 1);
    }
    // The second time the moment is repeated if it was sent before the loss was noticed.
    if (const auto* died = std::get_if<Stopped>(&event->what)) {
      ASSERT_TRUE(died->restarted && event->ticket == 0 && result) << died->reason;
      ++repeated;
    }
    if (const auto* again = std::get_if<Repeated>(&event->what)) {
      ++repeated;
      EXPECT_FALSE(again->reason.empty());
    }
    if (const auto* whole = std::get_if<Answered<ask::RunWhole>>(&event->what)) {
      EXPECT_EQ(repeated, 1);  // the first connection did not bring it
      result = whole->value;
      EXPECT_EQ(daemon->cut(), 1);
      client.send<ask::Moment>(wanted);
    }
    if (const auto* there = std::get_if<Answered<ask::Moment>>(&event->what)) moment = there->value;
  }
  ASSERT_TRUE(result && moment);
  EXPECT_EQ(repeated, 2);
  const auto local = engine_here();
  EXPECT_EQ(wire::encode(*result), wire::encode(local->run(request)));
  EXPECT_EQ(wire::encode(*moment), wire::encode(*local->ask<ask::Moment>(wanted)));
}

}  // namespace
}  // namespace lanescope::engine
