// A real worker child: answers, a kernel that hangs, a child that is killed, one that talks nonsense.

#include "app/engine/remote/client.h"

#include <csignal>
#include <filesystem>

#include "app/engine/hardware/machine_code.h"
#include "app/engine/prepare/prepare.h"
#include "tests/app/engine/support.h"
#include "tests/shell_word.h"

namespace lanescope::engine {
namespace {

using namespace std::chrono_literals;
using test::request_for;

ClientOptions worker_options() {
  ClientOptions options;
  options.command = {test::program, "worker"};
  return options;
}

template <class What>
struct Got : What {
  Ticket ticket = 0;
};
/// The next event of one kind; others before it are skipped.
template <class Wanted>
std::optional<Got<Wanted>> next(Channel& client, std::chrono::milliseconds most = 30s) {
  const auto until = std::chrono::steady_clock::now() + most;
  while (std::chrono::steady_clock::now() < until)
    if (auto event = client.wait(100ms))
      if (auto* wanted = std::get_if<Wanted>(&event->what)) return Got<Wanted>{std::move(*wanted), event->ticket};
  return std::nullopt;
}
using RunAnswer = Answered<ask::Run>;
using MomentAnswer = Answered<ask::Moment>;
using CodeAnswer = Answered<ask::MachineCode>;

RunRequest endless_request() {
  RunRequest request = test::ptx_request();
  request.text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry copy(.param .u64 a, .param .u64 b, .param .u32 "
      "n)\n{\nL: bra L;\n}\n";
  request.max_steps = ~0ull;
  return request;
}

bool is_zombie_or_alive(int pid) { return ::kill(pid, 0) == 0; }

TEST(Client, AnswersARunAndItsMoments) {
  Client client(worker_options());
  const Ticket run = client.send<ask::Run>(test::ptx_request());
  const auto summary = next<RunAnswer>(client);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->ticket, run);
  ASSERT_TRUE(summary->value.summary.ok) << test::all_words(summary->value.summary);
  const Ticket moment = client.send<ask::Moment>({.step = 5, .families = {}});
  const auto answer = next<MomentAnswer>(client);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->ticket, moment);
  EXPECT_EQ(answer->value.step, 5);
  EXPECT_FALSE(client.busy());
}

TEST(Client, TheSameAsInThisProcess) {
  NEEDS_NVRTC();
  Session session;
  session.run(request_for("half2.cu"));
  Client client(worker_options());
  client.send<ask::Run>(request_for("half2.cu"));
  const auto summary = next<RunAnswer>(client);
  ASSERT_TRUE(summary && summary->value.summary.ok);
  EXPECT_EQ(summary->value.summary.steps, session.summary().steps);
  EXPECT_EQ(summary->value.summary.claims.size(), 3u);
  const MomentRequest ask{.step = 700, .families = {3, 4}};
  client.send<ask::Moment>(ask);
  const auto moment = next<MomentAnswer>(client);
  ASSERT_TRUE(moment);
  const results::Moment here = session.moment(ask);
  ASSERT_EQ(moment->value.grids.size(), here.grids.size());
  for (std::size_t g = 0; g < here.grids.size(); ++g)
    for (std::size_t i = 0; i < here.grids[g].cells.size(); ++i)
      ASSERT_EQ(moment->value.grids[g].cells[i].element, here.grids[g].cells[i].element);
}

TEST(Client, OnlyTheNewestRequestIsAnswered) {
  Client client(worker_options());
  client.send<ask::Run>(endless_request());
  client.wait(200ms);
  const Ticket newest = client.send<ask::Run>(test::ptx_request());
  const auto summary = next<RunAnswer>(client);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->ticket, newest);
  Ticket last = 0;
  for (std::int64_t step = 0; step < 20; ++step) last = client.send<ask::Moment>({.step = step, .families = {}});
  const auto moment = next<MomentAnswer>(client);
  ASSERT_TRUE(moment);
  EXPECT_EQ(moment->ticket, last);
}

TEST(Client, ACancelledRunIsAnsweredAsCancelled) {
  Client client(worker_options());
  const Ticket run = client.send<ask::Run>(endless_request());
  client.wait(300ms);
  client.cancel(run);
  const auto summary = next<RunAnswer>(client, 20s);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->ticket, run);
}

TEST(Client, ARunIsCancelledBeforeItBegins) {
  Client client(worker_options());
  client.send<ask::Run>(endless_request());
  const Ticket waiting = client.send<ask::Run>(endless_request());
  client.cancel(waiting);
  const auto summary = next<RunAnswer>(client);
  ASSERT_TRUE(summary) << "a run without an end was not cancelled";
  EXPECT_EQ(summary->ticket, waiting);
  EXPECT_FALSE(client.busy());
}

TEST(Client, AKernelThatHangsCostsItsWorkerOnly) {
  ClientOptions options = worker_options();
  options.run_limit = 700ms;
  Client client(options);
  const Ticket run = client.send<ask::Run>(endless_request());
  const int pid = client.worker_pid();
  const auto died = next<Stopped>(client);
  ASSERT_TRUE(died);
  EXPECT_EQ(died->ticket, run);
  EXPECT_TRUE(died->restarted);
  EXPECT_NE(died->reason.find("stopped after 0.7 s while running"), std::string::npos) << died->reason;
  EXPECT_FALSE(is_zombie_or_alive(pid));
  client.send<ask::Run>(test::ptx_request());
  const auto summary = next<RunAnswer>(client);
  ASSERT_TRUE(summary);
  EXPECT_TRUE(summary->value.summary.ok);
}

TEST(Client, AKilledWorkerIsReportedAndDerivesTheSameRunAgain) {
  Client client(worker_options());
  client.send<ask::Run>(test::ptx_request());
  ASSERT_TRUE(next<RunAnswer>(client));
  ::kill(client.worker_pid(), SIGKILL);
  const auto died = next<Stopped>(client);
  ASSERT_TRUE(died);
  EXPECT_NE(died->reason.find("signal 9"), std::string::npos) << died->reason;
  EXPECT_TRUE(died->restarted);
  client.send<ask::Moment>({.step = 3, .families = {}});
  const auto moment = next<MomentAnswer>(client);
  ASSERT_TRUE(moment);
  EXPECT_EQ(moment->value.step, 3);
}

TEST(Client, AMomentWithoutARunIsRefused) {
  Client client(worker_options());
  client.send<ask::Moment>({.step = 3, .families = {}});
  const auto refused = next<Refusal>(client);
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->diagnostics[0].message.find("no run"), std::string::npos);
}

TEST(Client, CapsAreThoseOfThisProcess) {
  NEEDS_NVRTC();
  Client client(worker_options());
  const RunRequest request = request_for("half2.cu");
  // Requested while a run is continuing, they come after it.
  const Ticket run = client.send<ask::Run>(request);
  const Ticket ticket = client.send<ask::Caps>({request, {0, 32, 24, -1}});
  std::vector<Ticket> order;
  std::vector<results::RegisterLimit> rows;
  const auto until = std::chrono::steady_clock::now() + 30s;
  while (order.size() < 2 && std::chrono::steady_clock::now() < until) {
    const auto event = client.wait(100ms);
    if (!event) continue;
    if (std::holds_alternative<RunAnswer>(event->what)) order.push_back(event->ticket);
    if (const auto* c = std::get_if<Answered<ask::Caps>>(&event->what)) order.push_back(event->ticket), rows = c->value;
  }
  EXPECT_EQ(order, (std::vector<Ticket>{run, ticket}));
  const auto here = register_caps(request, {0, 32, 24, -1});
  ASSERT_TRUE(here);
  ASSERT_EQ(rows.size(), here->size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].cap, (*here)[i].cap);
    EXPECT_EQ(rows[i].registers, (*here)[i].registers);
    EXPECT_EQ(rows[i].spill_bytes, (*here)[i].spill_bytes);
    EXPECT_EQ(rows[i].local_bytes, (*here)[i].local_bytes);
    EXPECT_EQ(rows[i].refused, (*here)[i].refused);
  }
  EXPECT_FALSE(client.busy());
}

TEST(Client, MachineCodeIsThatOfThisProcess) {
  NEEDS_NVRTC();
  Client client(worker_options());
  const Ticket ticket = client.send<ask::MachineCode>(request_for("half2.cu"));
  const auto there = next<CodeAnswer>(client);
  ASSERT_TRUE(there);
  EXPECT_EQ(there->ticket, ticket);
  const results::Measured here = machine_code(request_for("half2.cu"));
  EXPECT_EQ(there->value.arch, here.arch);
  EXPECT_EQ(there->value.sass.size(), here.sass.size());
  ASSERT_EQ(there->value.refused.size(), here.refused.size());
  for (std::size_t n = 0; n < here.refused.size(); ++n)
    EXPECT_EQ(there->value.refused[n].message, here.refused[n].message);
  EXPECT_TRUE(!here.sass.empty() || !here.refused.empty());
  // Bare PTX is not assembled here.
  client.send<ask::MachineCode>(test::ptx_request());
  const auto refused = next<CodeAnswer>(client);
  ASSERT_TRUE(refused);
  ASSERT_EQ(refused->value.refused.size(), 1u);
  EXPECT_NE(refused->value.refused[0].remedy.find(".cu"), std::string::npos);
}

TEST(Client, CapsOfBarePtxAreRefused) {
  Client client(worker_options());
  const Ticket ticket = client.send<ask::Caps>({test::ptx_request(), {0, 32}});
  const auto refused = next<Refusal>(client);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->ticket, ticket);
  ASSERT_FALSE(refused->diagnostics.empty());
  EXPECT_NE(refused->diagnostics.front().remedy.find(".cu"), std::string::npos);
}

// A new run is a new kernel: caps of the one before are not waited for.
TEST(Client, TheNextRunForgetsCaps) {
  Client client(worker_options());
  client.send<ask::Run>(test::ptx_request());
  client.send<ask::Caps>({test::ptx_request(), {0, 32}});
  const Ticket run = client.send<ask::Run>(test::ptx_request());
  const auto summary = next<RunAnswer>(client);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->ticket, run);
  EXPECT_FALSE(client.busy());
  EXPECT_FALSE(next<Refusal>(client, 300ms));
}

// Questions about a run are refused at once if there is no run, also where no worker is left to answer them.
TEST(Client, QuestionsAboutARunThatIsNotThereAreRefused) {
  ClientOptions gone;
  gone.command = {"/bin/sh", "-c", "exit 7"};
  for (const ClientOptions& options : {worker_options(), gone}) {
    Client client(options);
    if (options.command == gone.command)
      for (auto died = next<Stopped>(client); died && died->restarted;) died = next<Stopped>(client);
    for (const Ticket ticket :
         {client.send<ask::Moment>({}), client.send<ask::Contents>({}), client.send<ask::Measure>({})}) {
      const auto refused = next<Refusal>(client);
      ASSERT_TRUE(refused) << ticket;
      EXPECT_NE(to_string(refused->diagnostics.front()).find("there is no run"), std::string::npos);
      EXPECT_EQ(refused->ending, Ending::cannot_here);
    }
    EXPECT_FALSE(client.busy());
  }
}

TEST(Client, ChildrenThatAreNoWorkersAreGivenUp) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"/bin/sh", "-c", "echo this is not a frame"},
                                                  {"/bin/sh", "-c", "echo sorry >&2; exit 7"},
                                                  {"/bin/does-not-exist"}}) {
    ClientOptions options;
    options.command = command;
    Client client(options);
    std::optional<Got<Stopped>> died;
    while ((died = next<Stopped>(client, 10s)) && died->restarted) {}
    ASSERT_TRUE(died) << command.back();
    EXPECT_FALSE(died->reason.empty());
    EXPECT_FALSE(client.wait(200ms)) << "it must not start it over and over";
  }
}

TEST(Client, TheLastWordsOfAWorkerAreItsReason) {
  ClientOptions options;
  options.command = {"/bin/sh", "-c", "echo sorry >&2; exit 7"};
  Client client(options);
  const auto died = next<Stopped>(client);
  ASSERT_TRUE(died);
  EXPECT_NE(died->reason.find("status 7"), std::string::npos) << died->reason;
  EXPECT_NE(died->reason.find("sorry"), std::string::npos) << died->reason;
}

TEST(Client, NoWorkerOutlivesItsClient) {
  int pid = 0;
  {
    Client client(worker_options());
    client.send<ask::Run>(endless_request());
    client.wait(200ms);
    pid = client.worker_pid();
    ASSERT_GT(pid, 0);
  }
  EXPECT_FALSE(is_zombie_or_alive(pid));
}

// The other way round: a worker whose window disappears ends by itself, busy or not.
TEST(Worker, EndsWithItsInput) {
  const std::string command = shell_word(test::program) + " worker < /dev/null > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace lanescope::engine
