// The engine at the other end of a pipe answers as the one in this process, byte by byte, through any pipe.

#include "app/engine/remote/engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <random>
#include <set>

#include "app/engine/remote/attachments.h"
#include "app/engine/wire/messages.h"
#include "tests/app/engine/support.h"
#include "tests/catalogue_files.h"

namespace lanescope::engine {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class EngineBehindAPipe : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("lanescope_pipe_{}_{}", ::getpid(), std::random_device{}());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
  }
  fs::path folder_;
};

std::string worker(const std::string& before = "") { return fmt::format("{} exec '{}' worker", before, test::program); }
std::unique_ptr<Engine> after(const std::string& command) { return engine_behind(via_options(command)); }

/// Everything of a result.
wire::Bytes bytes_of(const RunResult& result) { return wire::encode(result); }

RunRequest file_request(const std::string& path) {
  RunRequest request;
  request.file = path;
  request.text = test::text_of(path);
  return request;
}

std::string words(const Diagnostics& diagnostics) {
  std::string all;
  for (const Diagnostic& d : diagnostics) all += to_string(d) + "\n";
  return all;
}

TEST_F(EngineBehindAPipe, EveryKernelOfTheCatalogueIsAnsweredTheSame) {
  const auto remote = after(worker("cd / &&"));
  const auto local = engine_here();
  int count = 0;
  for (const fs::path& kernel : lanescope::test::catalogue_files(12)) {
    RunRequest request = file_request(kernel.string());
    request.review = true;
    request.forbid_nvrtc = true;  // stored PTX travels, too
    const RunResult here = local->run(request), there = remote->run(request);
    EXPECT_EQ(bytes_of(here), bytes_of(there)) << kernel << "\n" << words(there.summary.diagnostics);
    const MomentRequest wanted{.step = static_cast<std::int64_t>(here.summary.steps) / 2, .families = {}};
    const auto moment = remote->ask<ask::Moment>(wanted);
    ASSERT_TRUE(moment) << kernel;
    EXPECT_EQ(wire::encode(*moment), wire::encode(*local->ask<ask::Moment>(wanted)));
    ++count;
  }
  EXPECT_GT(count, 10);
}

TEST_F(EngineBehindAPipe, FaultsAndBadInputAreAnsweredTheSame) {
  const auto remote = after(worker());
  const auto local = engine_here();
  RunRequest runaway = test::ptx_request(), broken = test::ptx_request(), unknown = test::ptx_request(),
             macro = test::ptx_request();
  runaway.max_steps = 3;
  broken.text += "nonsense";
  unknown.overrides = {{"absent", "1"}};
  macro.overrides = {{"block", "2x"}};
  for (const RunRequest& request : {runaway, broken, unknown, macro, test::ptx_request()}) {
    const RunResult here = local->run(request), there = remote->run(request);
    EXPECT_EQ(bytes_of(here), bytes_of(there)) << words(here.summary.diagnostics) << words(there.summary.diagnostics);
  }
  EXPECT_EQ(remote->run(runaway).ending, Ending::cannot_here);
  EXPECT_EQ(remote->run(broken).ending, Ending::bad_input);
  EXPECT_NE(words(remote->run(unknown).summary.diagnostics).find("no launch has a scalar argument 'absent'"),
            std::string::npos);
}

TEST_F(EngineBehindAPipe, FilesThatTheKernelRefersToTravel) {
  RunRequest request = test::ptx_request();
  const std::string header = std::string("\x93NUMPY\x01\x00", 8) + std::string("\x76\x00", 2) +
                             fmt::format("{:<117}\n", "{'descr': '<u4', 'fortran_order': False, 'shape': (64,), }");
  std::string data(256, '\7');
  write("kernel/data/a.npy", header + data);
  write("kernel/launch.toml", "");
  request.launch_file = path("kernel/launch.toml");
  request.launch_text =
      "[lanescope]\nblock = 64\nargs = [\"a\", \"b\", 48]\n[buffers]\na = \"u32 i:64 = data/a.npy\"\n"
      "b = \"u32 i:64 = zeros\"\n";
  const RunResult here = engine_here()->run(request);
  const RunResult there = after(worker("cd / &&"))->run(request);
  EXPECT_EQ(bytes_of(here), bytes_of(there)) << words(here.summary.diagnostics) << words(there.summary.diagnostics);
  ASSERT_TRUE(there.summary.ok) << words(there.summary.diagnostics);
  EXPECT_EQ(there.outputs[0].bytes[0], std::byte{7});
}

TEST_F(EngineBehindAPipe, IncludesTravelAndTheirMistakesNameTheUsersPaths) {
  NEEDS_NVRTC();
  write("kernel/k.cu",
        "#include \"../common/a.h\"\n__global__ void k(float *p) { p[threadIdx.x] = twice(p[threadIdx.x]); }\n");
  write("common/a.h", "#include \"b.h\"\n");
  write("common/b.h", "__device__ float twice(float x) { return x + x; }\n");
  const auto remote = after(worker("cd / &&"));
  const RunRequest good = file_request(path("kernel/k.cu"));
  const RunResult there = remote->run(good);
  ASSERT_TRUE(there.summary.ok) << words(there.summary.diagnostics);
  EXPECT_EQ(bytes_of(engine_here()->run(good)), bytes_of(there));
  write("common/b.h", "__device__ float twice(float x) { return absent; }\n");
  const RunResult wrong = remote->run(good);
  EXPECT_EQ(words(wrong.summary.diagnostics), words(engine_here()->run(good).summary.diagnostics));
}

TEST_F(EngineBehindAPipe, ShellsMayGreetFirst) {
  for (const char* before : {"echo Welcome to node 7; echo; ", "printf '\\211lane'; head -c 50000 /dev/zero; ",
                             "stty 2>&1; printf '\\001\\000\\000\\000\\001x'; "})
    EXPECT_TRUE(after(worker(before))->run(test::ptx_request()).summary.ok) << before;
}

TEST_F(EngineBehindAPipe, WhatIsNoWorkerIsSaid) {
  const struct {
    std::string command, wanted;
  } cases[] = {
      {"echo please log in; echo permission denied >&2; sleep 20", "no worker answered within 0.6 s"},
      {"echo please log in; echo permission denied >&2; sleep 20", "permission denied"},
      {"echo please log in; exit 3", "it printed \"please log in\""},
      {"yes", "without the greeting of a worker"},
      {fmt::format("'{}' worker | sed -u 's/\\r$/\\r\\r/'", test::program), "changes line ends"},
      {"/does/not/exist", "status 127"},
  };
  for (const auto& c : cases) {
    ClientOptions options = via_options(c.command);
    options.hello_limit = c.wanted.find("no worker answered") == 0 || c.wanted.find("permission") == 0 ? 600ms : 20s;
    const RunResult result = engine_behind(options)->run(test::ptx_request());
    EXPECT_EQ(result.ending, Ending::cannot_here);
    EXPECT_NE(words(result.summary.diagnostics).find(c.wanted), std::string::npos) << c.command << "\n"
                                                                                   << words(result.summary.diagnostics);
  }
}

TEST_F(EngineBehindAPipe, AnotherVersionIsRefusedNamingBoth) {
  const auto mark = wire::start_mark();
  const wire::Bytes hello = wire::pack(
      {wire::Kind::hello, wire::encode(wire::Hello{.version = 99, .program = "lanescope 9.9", .compression = {}})});
  std::string bytes(mark.begin(), mark.end());
  bytes.append(hello.begin(), hello.end());
  write("hello", bytes);
  const auto engine = after(fmt::format("cat '{}'; sleep 20", path("hello")));
  const std::string said = words(engine->run(test::ptx_request()).summary.diagnostics);
  const std::string ours = fmt::format("version {}", wire::version);
  for (const std::string& part : {std::string("lanescope 9.9"), std::string("version 99"), ours,
                                  std::string("same version of lanescope on both")})
    EXPECT_NE(said.find(part), std::string::npos) << said;
}

TEST_F(EngineBehindAPipe, AConnectionThatBreaksIsMadeAgain) {
  // The first connection carries so many bytes, which is more than the greeting, and breaks.
  const auto once = [&](int bytes) {
    return fmt::format(
        "if [ -e '{0}' ]; then {1}; fi; touch '{0}'; '{2}' worker | {{ dd bs=1 count={3} 2>/dev/null; kill -9 $$; }}",
        path(fmt::format("broken{}", bytes)), worker(), test::program, bytes);
  };
  const wire::Bytes here = bytes_of(engine_here()->run(test::ptx_request()));
  for (const int bytes : {100, 300, 1500}) {
    std::vector<std::string> reported;
    const auto engine = engine_behind(via_options(once(bytes)), [&](const std::string& s) { reported.push_back(s); });
    const RunResult there = engine->run(test::ptx_request());
    EXPECT_EQ(bytes_of(there), here) << bytes << words(there.summary.diagnostics);
    EXPECT_EQ(reported.size(), 1u) << bytes;
  }
}

TEST_F(EngineBehindAPipe, AKilledConnectionDerivesTheSameMomentAgain) {
  ClientOptions options = via_options(worker());
  Client client(options);
  client.send<ask::RunWhole>(test::ptx_request());
  const auto until = std::chrono::steady_clock::now() + 60s;
  bool answered = false, repeated = false;
  const MomentRequest wanted{.step = 5, .families = {}};
  std::optional<results::Moment> moment;
  while (!moment && std::chrono::steady_clock::now() < until) {
    const auto event = client.wait(100ms);
    if (!event) continue;
    if (std::holds_alternative<Answered<ask::RunWhole>>(event->what) && !answered) {
      answered = true;
      ::kill(client.worker_pid(), SIGSTOP);  // it cannot answer before it dies
      client.send<ask::Moment>(wanted);
      ::kill(client.worker_pid(), SIGKILL);
    }
    repeated = repeated || std::holds_alternative<Repeated>(event->what);
    if (const auto* m = std::get_if<Answered<ask::Moment>>(&event->what)) moment = m->value;
  }
  ASSERT_TRUE(moment);
  EXPECT_TRUE(repeated);
  const auto local = engine_here();
  local->run(test::ptx_request());
  EXPECT_EQ(wire::encode(*moment), wire::encode(*local->ask<ask::Moment>(wanted)));
}

TEST(Attachments, NamesThatLeadOutOfTheFolderAreRefused) {
  for (const char* name : {"/etc/passwd", "", "../..", "a/../../x/"}) {
    RunRequest request = test::ptx_request();
    request.files.emplace().push_back({.name = name, .bytes = {}});
    StagedFiles staged;
    EXPECT_FALSE(staged.stage(request)) << name;
  }
}

}  // namespace
}  // namespace lanescope::engine
