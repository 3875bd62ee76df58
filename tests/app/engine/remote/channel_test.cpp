// The same answers from a service in this process and from a worker behind a pipe.

#include "app/engine/remote/channel.h"

#include <functional>

#include "app/engine/remote/client.h"
#include "app/engine/remote/service.h"
#include "app/engine/wire/messages.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

using namespace std::chrono_literals;

struct Way {
  const char* name;
  std::function<std::unique_ptr<Channel>()> open;
};

class ChannelOf : public testing::TestWithParam<Way> {
 protected:
  /// The event that ends a question.
  Event answer_to(Ticket ticket) const {
    const auto until = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < until)
      if (auto event = channel->wait(100ms); event && event->ticket == ticket)
        if (!std::holds_alternative<Progress>(event->what)) return std::move(*event);
    return {};
  }
  template <class Question>
  std::optional<typename Question::Answer> ask(typename Question::Request request) const {
    Event event = answer_to(channel->send<Question>(std::move(request)));
    auto* answered = std::get_if<Answered<Question>>(&event.what);
    return answered ? std::optional(std::move(answered->value)) : std::nullopt;
  }
  static RunRequest endless() {
    RunRequest request = test::ptx_request();
    request.text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry copy(.param .u64 a, .param .u64 b, .param .u32 "
        "n)\n{\nL: bra L;\n}\n";
    request.max_steps = ~0ull;
    return request;
  }
  static RunRequest broken() {
    RunRequest request = test::ptx_request();
    request.text += "nonsense";
    return request;
  }

  std::unique_ptr<Channel> channel = GetParam().open();
};

// A text with a mistake leaves the steps of the last good run to be looked at.
TEST_P(ChannelOf, ARunThatFailsLeavesTheLastGoodOne) {
  const auto good = ask<ask::Run>(test::ptx_request());
  ASSERT_TRUE(good && good->summary.ok);
  const auto before = ask<ask::Moment>({.step = 5, .families = {}});
  const auto bad = ask<ask::Run>(broken());
  ASSERT_TRUE(bad && !bad->summary.ok);
  const auto after = ask<ask::Moment>({.step = 5, .families = {}});
  ASSERT_TRUE(before && after);
  EXPECT_EQ(after->step, 5);
  EXPECT_EQ(wire::encode(*after), wire::encode(*before));
}

TEST_P(ChannelOf, AWholeRunThatFailsLeavesNone) {
  ASSERT_TRUE(ask<ask::RunWhole>(test::ptx_request()));
  const auto bad = ask<ask::RunWhole>(broken());
  ASSERT_TRUE(bad && !bad->summary.ok);
  const Event event = answer_to(channel->send<ask::Moment>({.step = 5, .families = {}}));
  const auto* refused = std::get_if<Refusal>(&event.what);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->diagnostics.front().message, "there is no run");
}

TEST_P(ChannelOf, WhatIsAboutARunIsRefusedWithoutOne) {
  const std::function<Ticket()> questions[] = {
      [&] { return channel->send<ask::Moment>({}); }, [&] { return channel->send<ask::Contents>({}); },
      [&] { return channel->send<ask::Measure>({}); }, [&] { return channel->send<ask::Journeys>({}); }};
  for (const auto& send : questions) {
    const Event event = answer_to(send());
    const auto* refused = std::get_if<Refusal>(&event.what);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->diagnostics.front().message.find("there is no run"), 0u);
    EXPECT_EQ(refused->ending, Ending::cannot_here);
  }
}

// Of many questions of one kind the newest is answered, about the run that was sent before them.
TEST_P(ChannelOf, TheNewestQuestionIsAnsweredAfterItsRun) {
  channel->send<ask::Run>(endless());
  channel->wait(200ms);
  const Ticket run = channel->send<ask::Run>(test::ptx_request());
  Ticket moment = 0;
  for (std::int64_t step = 0; step < 20; ++step) moment = channel->send<ask::Moment>({.step = step, .families = {}});
  std::vector<Ticket> order;
  const auto until = std::chrono::steady_clock::now() + 60s;
  while ((order.empty() || order.back() != moment) && std::chrono::steady_clock::now() < until)
    if (const auto event = channel->wait(100ms); event && !std::holds_alternative<Progress>(event->what))
      order.push_back(event->ticket);
  // The worker may have read the first of them before the last was written; a channel drops its answer.
  EXPECT_EQ(order.front(), run);
  EXPECT_EQ(order.back(), moment);
}

TEST_P(ChannelOf, ACancelledRunIsAnsweredBeforeAndAfterItBegan) {
  const Ticket first = channel->send<ask::Run>(endless());
  channel->wait(300ms);
  channel->cancel(first);
  EXPECT_TRUE(std::holds_alternative<Answered<ask::Run>>(answer_to(first).what));
  channel->send<ask::Run>(endless());
  const Ticket waiting = channel->send<ask::Run>(endless());
  channel->cancel(waiting);
  EXPECT_TRUE(std::holds_alternative<Answered<ask::Run>>(answer_to(waiting).what));
}

// A kernel that is launched live does not wait for a run, and a new run does not end it.
TEST_P(ChannelOf, LiveCountersArriveDuringARun) {
  channel->send<ask::Run>(endless());
  channel->wait(200ms);
  RunRequest bad = test::ptx_request();
  bad.text = "no PTX";
  const Ticket live = channel->send<ask::Live>(bad);
  const Event event = answer_to(live);
  const auto* answered = std::get_if<Answered<ask::Live>>(&event.what);
  ASSERT_TRUE(answered) << "the run has no end";
  EXPECT_FALSE(answered->value.refused.empty());
}

TEST_P(ChannelOf, AnnotatingLeavesTheRunAlone) {
  ASSERT_TRUE(ask<ask::Run>(test::ptx_request()));
  const Event event = answer_to(channel->send<ask::Annotate>(test::ptx_request()));
  ASSERT_TRUE(std::holds_alternative<Refusal>(event.what)) << "PTX has no comments";
  EXPECT_TRUE(ask<ask::Moment>({.step = 5, .families = {}}));
}

INSTANTIATE_TEST_SUITE_P(Ways, ChannelOf,
                         testing::Values(Way{"here", [] { return std::make_unique<Service>(); }},
                                         Way{"behind_a_pipe",
                                             [] {
                                               ClientOptions options;
                                               options.command = {test::program, "worker"};
                                               return std::make_unique<Client>(options);
                                             }}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lanescope::engine
