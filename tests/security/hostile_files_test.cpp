// Opening a file runs nothing, writes nothing and reads nothing that the person did not name: 200 hostile files, opened by the
// commands and by the window, under a watcher.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "tests/app/cli/program.h"
#include "tests/security/hostile_files.h"
#include "tests/security/watcher.h"

namespace lanescope::security {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t files = 200;
constexpr unsigned seed = 6;

#define NEEDS_STRACE() \
  if (!can_watch()) GTEST_SKIP() << "SKIPPED, needs strace"

class HostileFiles : public cli::ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    ground_ = std::make_unique<Ground>(fs::canonical(folder_) / "ground");
  }

  Watched watched(const std::string& command) const {
    const fs::path assets = fs::path(LANESCOPE_SOURCE_DIR);
    return watch(
        ground_->environment(), command, ground_->root, ground_->root / "log",
        {.program = fs::canonical(cli::program),
         .read = {ground_->projects, ground_->out, assets / "assets", assets / "docs", fs::canonical(cli::program)},
         .written = {ground_->out, ground_->root / "cache", ground_->root / "state", ground_->root / "tmp"}});
  }
  /// lanescope with these arguments; what it does is in order, and `tried` is for the message.
  Watched opened(const std::string& arguments, const std::string& tried) {
    const std::string before = ground_->state_of_victims();
    Watched out = watched(fmt::format("'{}' {}", cli::program, arguments));
    EXPECT_EQ(out.violations, std::vector<std::string>{}) << arguments << "\n" << tried;
    EXPECT_EQ(ground_->state_of_victims(), before) << arguments << "\n" << tried;
    EXPECT_EQ(out.output.find("the secret is out"), std::string::npos) << arguments << "\n"
                                                                       << tried << "\n"
                                                                       << out.output;
    EXPECT_EQ(out.output.find("root:x:0"), std::string::npos) << arguments << "\n" << tried << "\n" << out.output;
    EXPECT_GE(out.status, 0) << arguments << " crashed\n" << tried << "\n" << out.output;
    EXPECT_LT(out.status, 4) << arguments << "\n" << tried << "\n" << out.output;
    EXPECT_GT(out.files_read, 0U);
    return out;
  }

  std::vector<Hostile> of_kind(Kind kind) const {
    std::vector<Hostile> out;
    for (const Hostile& h : all_)
      if (h.kind == kind) out.push_back(h);
    return out;
  }
  void make() { all_ = hostile_files(*ground_, files, seed); }

  std::unique_ptr<Ground> ground_;
  std::vector<Hostile> all_;
};

// The watcher itself: it reports each of these, and nothing of a run that is in order.
TEST_F(HostileFiles, TheWatcherSeesWhatIsWrong) {
  NEEDS_STRACE();
  const std::string secret = (ground_->secrets / "secret").string(), victim = (ground_->victims / "x").string();
  const auto seen = [&](const std::string& script) {
    write("script", script);
    const Watched w =
        watch(ground_->environment(), "/bin/sh '" + path("script") + "'", ground_->root, ground_->root / "log",
              {.program = "/bin/sh", .read = {path("script")}, .written = {ground_->root / "tmp"}});
    return w.violations;
  };
  using Violations = std::vector<std::string>;
  EXPECT_EQ(seen(":"), Violations{});
  EXPECT_EQ(seen("read x < '" + path("script") + "'; : > tmp/fine"), Violations{});
  EXPECT_EQ(seen("read x < '" + secret + "'"), Violations{"reads " + secret});
  EXPECT_EQ(seen("cd secrets; read x < ./secret"), Violations{"reads " + secret});
  fs::create_symlink(secret, ground_->root / "tmp" / "link");
  EXPECT_EQ(seen("read x < tmp/link"), Violations{"reads " + secret}) << "after a link";
  EXPECT_EQ(seen("read x < /etc/passwd"), Violations{"reads /etc/passwd"});
  EXPECT_EQ(seen(": > '" + victim + "'"), Violations{"writes " + victim});
  EXPECT_EQ(seen("cd victims; : >> x"), Violations{"writes " + victim});
  EXPECT_EQ(seen("(true; : > victims/x) &\nwait"), Violations{"writes " + victim}) << "of a child";
  EXPECT_EQ(seen("/bin/true"), Violations{"starts /bin/true"});
  for (const char* command : {"mkdir victims/m", "rmdir victims/m", "mv victims/x victims/y", "ln victims/y victims/z",
                              "ln -s y victims/l", "rm victims/z", "chmod 600 victims/y", "mkfifo victims/p"}) {
    const Violations there = seen(command);
    EXPECT_TRUE(
        std::ranges::any_of(there, [](const std::string& v) { return v.find("victims/") != std::string::npos; }))
        << command << ": " << fmt::format("{}", fmt::join(there, ", "));
  }
  EXPECT_NE(ground_->state_of_victims().find("/y: "), std::string::npos);
}

TEST_F(HostileFiles, KernelsAreOpenedByCommands) {
  NEEDS_STRACE();
  make();
  const std::vector<Hostile> kernels = of_kind(Kind::kernel);
  ASSERT_GT(kernels.size(), 100U);
  constexpr const char* commands[] = {"check", "review", "run"};
  for (std::size_t c = 0; c < std::size(commands); ++c) {
    std::string arguments = fmt::format("{} --max-seconds 100", commands[c]), tried;
    for (std::size_t n = c; n < kernels.size(); n += std::size(commands)) {
      arguments += fmt::format(" '{}'", kernels[n].opened.string());
      tried += fmt::format("{}: {}\n", kernels[n].opened.string(), kernels[n].tries);
    }
    const Watched w = opened(arguments, tried);
    EXPECT_GT(w.processes, 1U) << "none was compiled\n" << w.output;
  }
}

TEST_F(HostileFiles, KernelsAreMadeHandoutsAndPicturesOf) {
  NEEDS_STRACE();
  make();
  const std::vector<Hostile> kernels = of_kind(Kind::kernel);
  for (std::size_t n = 0; n < kernels.size(); n += 17) {
    const std::string file = kernels[n].opened.string(), out = (ground_->out / std::to_string(n)).string();
    opened(fmt::format("handout '{}' -o '{}.html'", file, out), kernels[n].tries);
    opened(fmt::format("render '{}' --view registers -o '{}.svg'", file, out), kernels[n].tries);
    opened(fmt::format("kernels '{}'", file), kernels[n].tries);
  }
}

TEST_F(HostileFiles, Lessons) {
  NEEDS_STRACE();
  make();
  constexpr const char* ways[] = {"lesson '{}'", "lesson '{}' --json", "lesson '{}' --check", "lesson '{}' --page 1",
                                  "handout '{}' -o '{}'"};
  const std::vector<Hostile> lessons = of_kind(Kind::lesson);
  ASSERT_GT(lessons.size(), 40U);
  for (std::size_t n = 0; n < lessons.size(); ++n)
    opened(fmt::format(fmt::runtime(ways[n % std::size(ways)]), lessons[n].opened.string(),
                       (ground_->out / fmt::format("{}.html", n)).string()),
           lessons[n].tries);
}

TEST_F(HostileFiles, OtherKinds) {
  NEEDS_STRACE();
  make();
  for (const Hostile& h : of_kind(Kind::ptx))
    opened(fmt::format("run '{}' --launch '{}'", h.opened.string(), (h.opened.parent_path() / "k.toml").string()),
           h.tries);
  for (const Hostile& h : of_kind(Kind::layout)) opened(fmt::format("plan '{}'", h.opened.string()), h.tries);
  for (const Hostile& h : of_kind(Kind::measurement))
    opened(fmt::format("render '{}' --measured '{}' --view metrics -o '{}'", (h.opened.parent_path() / "k.cu").string(),
                       h.opened.string(), (ground_->out / "m.svg").string()),
           h.tries);
}

// The window opens one after the other, and keeps what it shows in a session.
TEST_F(HostileFiles, TheWindowOpensAll) {
  NEEDS_STRACE();
  make();
  std::string script, tried;
  for (std::size_t n = 0; n < all_.size(); n += 3) {
    const Hostile& h = all_[n];
    const bool whole = h.kind == Kind::kernel || h.kind == Kind::layout;
    if (!whole && h.kind != Kind::lesson) continue;
    script += fmt::format("{} {}\nwait\n", whole ? "open" : "drop", h.opened.string());
    tried += h.opened.string() + ": " + h.tries + "\n";
  }
  write("script", script);
  fs::copy_file(path("script"), ground_->out / "script");
  const Watched w = opened(fmt::format("--offscreen --session '{}' --script '{}'",
                                       (ground_->out / "session.json").string(), (ground_->out / "script").string()),
                           tried);
  if (w.output.find("the window is not part of this build") != std::string::npos) GTEST_SKIP() << w.output;
  EXPECT_EQ(w.status, 0) << w.output;
  for (const Hostile& h : of_kind(Kind::session)) {
    fs::copy_file(h.opened, ground_->out / "session.json", fs::copy_options::overwrite_existing);
    write("script", "wait\n");
    opened(fmt::format("--offscreen --session '{}' --script '{}'", (ground_->out / "session.json").string(),
                       (ground_->out / "script").string()),
           h.tries);
  }
}

}  // namespace
}  // namespace lanescope::security
