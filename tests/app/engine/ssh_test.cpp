// The engine over a real ssh: a daemon of the test's own on a high port of this machine, with keys that are thrown away.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include "app/engine/engine.h"
#include "app/engine/wire.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

#ifdef LANESCOPE_PROGRAM
constexpr const char* program = LANESCOPE_PROGRAM;
#else
constexpr const char* program = "lanescope";
#endif

/// Exit status and standard output.
std::pair<int, std::string> shell(const std::string& command) {
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string out;
  char part[4096];
  for (std::size_t n; pipe && (n = std::fread(part, 1, sizeof part, pipe)) > 0;) out.append(part, n);
  const int status = pipe ? ::pclose(pipe) : -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out};
}

/// Children of a process, as /proc has them.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string stat = test::text_of(entry.path() / "stat");
    const std::size_t close = stat.rfind(") ");
    if (close == std::string::npos || std::atoi(stat.c_str() + close + 4) != parent) continue;
    out.push_back(std::atoi(entry.path().filename().c_str()));
  }
  return out;
}

/// `sshd` until the end of its scope. `problem()` says why there is none.
class Daemon {
 public:
  Daemon() : folder_(fs::temp_directory_path() / fmt::format("lanescope_ssh_{}", ::getpid())) {
    fs::create_directory(folder_);
    fs::permissions(folder_, fs::perms::owner_all);
    problem_ = start();
  }
  ~Daemon() {
    stop();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  const std::string& problem() const { return problem_; }
  const fs::path& folder() const { return folder_; }
  std::string to(const std::string& command) const {
    return fmt::format(
        "ssh -F none -p {} -i {} -o IdentitiesOnly=yes -o BatchMode=yes -o LogLevel=ERROR -o StrictHostKeyChecking=no "
        "-o UserKnownHostsFile=/dev/null 127.0.0.1 {}",
        port_, (folder_ / "key").string(), command);
  }
  /// Cuts every connection, as a network does that goes away. Returns how many there were.
  int cut() const {
    const auto sessions = children_of(pid_);
    for (const pid_t session : sessions) {
      for (const pid_t inner : children_of(session)) ::kill(inner, SIGKILL);
      ::kill(session, SIGKILL);
    }
    return static_cast<int>(sessions.size());
  }

 private:
  std::string start() {
    std::string sshd;
    for (const char* place : {"/usr/sbin/sshd", "/usr/bin/sshd", "/usr/local/sbin/sshd"})
      if (sshd.empty() && ::access(place, X_OK) == 0) sshd = place;
    if (sshd.empty()) return "sshd is not installed";
    for (const char* tool : {"ssh", "ssh-keygen"})
      if (shell(fmt::format("command -v {}", tool)).first != 0) return fmt::format("{} is not installed", tool);
    for (const char* name : {"key", "host"})
      if (shell(fmt::format("ssh-keygen -q -t ed25519 -N '' -f {}", (folder_ / name).string())).first != 0)
        return "ssh-keygen makes no key";
    fs::copy_file(folder_ / "key.pub", folder_ / "authorized");
    // What a service script makes before it starts sshd as root. It stays: another test's sshd may need it.
    if (::geteuid() == 0) ::mkdir("/run/sshd", 0755);
    std::mt19937 random(std::random_device{}());
    std::string said;
    for (int attempt = 0; attempt < 5; ++attempt) {
      port_ = 20000 + static_cast<int>(random() % 40000);
      launch(sshd);
      for (int i = 0; i < 100 && running(); ++i) {
        if (shell(to("true") + " 2> " + (folder_ / "err").string()).first == 0) return "";
        if (test::text_of(folder_ / "err").find("refused") == std::string::npos) break;  // it is up and lets nobody in
        std::this_thread::sleep_for(50ms);
      }
      stop();
      said = test::text_of(folder_ / "err") + test::text_of(folder_ / "log");
      if (said.find("in use") == std::string::npos) break;  // another port would be no better
    }
    return "this user cannot log in over ssh here: " + said;
  }

  void launch(const std::string& sshd) {
    std::ofstream(folder_ / "config") << fmt::format(
        "ListenAddress 127.0.0.1\nPort {0}\nHostKey {1}/host\nAuthorizedKeysFile {1}/authorized\nPidFile none\n"
        "StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nLogLevel ERROR\n",
        port_, folder_.string());
    const std::string config = (folder_ / "config").string(), log = (folder_ / "log").string();
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::execl(sshd.c_str(), sshd.c_str(), "-D", "-f", config.c_str(), "-E", log.c_str(), nullptr);
    ::_exit(127);
  }

  bool running() { return pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == 0; }

  void stop() {
    if (pid_ <= 0) return;
    cut();
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

  fs::path folder_;
  std::string problem_;
  pid_t pid_ = -1;
  int port_ = 0;
};

class OverSsh : public testing::Test {
 protected:
  static void SetUpTestSuite() { daemon = std::make_unique<Daemon>(); }
  static void TearDownTestSuite() { daemon.reset(); }
  void SetUp() override {
    if (!daemon->problem().empty()) GTEST_SKIP() << "NO SSH ON THIS MACHINE: " << daemon->problem();
  }
  static std::string via() { return daemon->to(fmt::format("{} worker", program)); }
  static inline std::unique_ptr<Daemon> daemon;
};

std::string catalogue(const std::string& name) {
  return fmt::format("{}/assets/kernels/{}", LANESCOPE_SOURCE_DIR, name);
}

TEST_F(OverSsh, TheCommandLineSaysTheSame) {
  const std::string err = (daemon->folder() / "said").string();
  for (const std::string& command : std::vector<std::string>{
           "check " + catalogue("half2_transposes.cu") + " --no-nvrtc",
           "run --json " + catalogue("shared_transpose_padded.cu") + " --no-nvrtc",
           "run --json " + test::data_path("copy.ptx") + " --launch " + test::data_path("copy.toml"),
           "run --max-steps 3 " + test::data_path("copy.ptx") + " --launch " + test::data_path("copy.toml"),
           std::string("check /does/not/exist.cu")}) {
    const auto here = shell(fmt::format("{} {} 2> {}", program, command, err));
    const std::string said_here = test::text_of(err);
    const auto there = shell(fmt::format("{} {} --via '{}' 2> {}", program, command, via(), err));
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
  client.submit_whole(request);
  const MomentRequest ask{.step = 17, .families = {}};
  std::optional<RunResult> result;
  std::optional<views::Moment> moment;
  int repeated = 0;
  bool was_cut = false;
  const auto until = std::chrono::steady_clock::now() + 100s;
  while (!moment && std::chrono::steady_clock::now() < until) {
    const auto event = client.wait(50ms);
    if (!event) continue;
    if (std::holds_alternative<ProgressEvent>(*event) && !was_cut) {
      was_cut = true;
      EXPECT_EQ(daemon->cut(), 1);
    }
    // The second time either the moment is on its way, and is repeated, or it waits, and nothing is lost with the worker.
    if (const auto* died = std::get_if<DiedEvent>(&*event)) {
      ASSERT_TRUE(died->restarted && died->ticket == 0 && result) << died->reason;
      ++repeated;
    }
    if (const auto* again = std::get_if<RepeatedEvent>(&*event)) {
      ++repeated;
      EXPECT_FALSE(again->reason.empty());
    }
    if (const auto* whole = std::get_if<ResultEvent>(&*event)) {
      EXPECT_EQ(repeated, 1);  // the first connection did not bring it
      result = whole->result;
      EXPECT_EQ(daemon->cut(), 1);
      client.request_moment(ask);
    }
    if (const auto* there = std::get_if<MomentEvent>(&*event)) moment = there->moment;
  }
  ASSERT_TRUE(result && moment);
  EXPECT_EQ(repeated, 2);
  const auto local = engine_here();
  EXPECT_EQ(wire::encode(wire::ResultReply{.ticket = 1, .result = *result}),
            wire::encode(wire::ResultReply{.ticket = 1, .result = local->run(request)}));
  EXPECT_EQ(wire::encode(wire::MomentReply{.ticket = 1, .moment = *moment}),
            wire::encode(wire::MomentReply{.ticket = 1, .moment = *local->moment(ask)}));
}

}  // namespace
}  // namespace lanescope::engine
