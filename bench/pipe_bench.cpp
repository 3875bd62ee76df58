// Data sent through a pipe to another machine: the whole summary and one moment of a kernel, written and
// compressed, and read again. Counters: bytes before and after the compression.

#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>

#include "app/engine/session/session.h"
#include "app/engine/wire/messages.h"
#include "kernels/resources/resources.h"

namespace {

using namespace lanescope;
using namespace lanescope::engine;

/// A run of the kernel, and the moment in the middle with every array that holds data.
struct Answers {
  RunSummary summary;
  results::Moment moment;
};

const Answers& answers() {
  static const Answers all = [] {
    RunRequest request;
    request.file = (resources::assets_directory() / "kernels/half2_transposes.cu").string();
    std::ostringstream text;
    text << std::ifstream(request.file).rdbuf();
    request.text = text.str();
    request.review = true;
    Session session;
    Answers out;
    out.summary = {.summary = session.run(request)};
    MomentRequest ask{.step = static_cast<std::int64_t>(out.summary.summary.steps) / 2, .families = {}};
    for (std::size_t i = 0; i < out.summary.summary.families.size(); ++i) ask.families.push_back(static_cast<int>(i));
    out.moment = session.moment(ask);
    return out;
  }();
  return all;
}

template <class Message>
void write_and_compress(benchmark::State& state, const Message& message) {
  if (!answers().summary.summary.ok) return state.SkipWithError("the kernel does not run here");
  const auto plain = wire::pack({wire::Kind::message, wire::encode(message)}, false).size();
  std::size_t packed = 0;
  for (auto _ : state) packed = wire::pack({wire::Kind::message, wire::encode(message)}, true).size();
  state.counters["bytes"] = static_cast<double>(plain);
  state.counters["compressed_bytes"] = static_cast<double>(packed);
  state.SetBytesProcessed(static_cast<std::int64_t>(plain) * state.iterations());
}

template <class Message>
void decompress_and_read(benchmark::State& state, const Message& message) {
  if (!answers().summary.summary.ok) return state.SkipWithError("the kernel does not run here");
  const wire::Bytes packed = wire::pack({wire::Kind::message, wire::encode(message)}, true);
  for (auto _ : state) {
    wire::FrameReader reader;
    reader.feed(packed);
    const auto frame = reader.next();
    if (!frame || !wire::decode<Message>(frame->payload)) return state.SkipWithError("not read again");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(wire::encode(message).size()) * state.iterations());
}

void summary_out(benchmark::State& s) { write_and_compress(s, answers().summary); }
void summary_in(benchmark::State& s) { decompress_and_read(s, answers().summary); }
void moment_out(benchmark::State& s) { write_and_compress(s, answers().moment); }
void moment_in(benchmark::State& s) { decompress_and_read(s, answers().moment); }
BENCHMARK(summary_out)->Unit(benchmark::kMicrosecond);
BENCHMARK(summary_in)->Unit(benchmark::kMicrosecond);
BENCHMARK(moment_out)->Unit(benchmark::kMicrosecond);
BENCHMARK(moment_in)->Unit(benchmark::kMicrosecond);

}  // namespace
