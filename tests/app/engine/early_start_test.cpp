// The plain run begins while the probed program is still being compiled. Law: no result depends on it.

#include <algorithm>
#include <new>
#include <thread>

#include "app/engine/prepare/prepare.h"
#include "app/engine/requests/run_result.h"
#include "app/engine/wire/messages.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

RunRequest of_catalogue(const std::string& name) {
  RunRequest request;
  request.file = LANESCOPE_SOURCE_DIR "/assets/kernels/" + name;
  request.text = test::text_of(request.file);
  return request;
}

wire::Bytes result_of(const RunRequest& request, bool early) {
  Session session;
  session.begin_early(early);
  return wire::encode(session.run_whole(request));
}

TEST(EarlyStart, ChangesNoResult) {
  NEEDS_NVRTC();
  std::vector<RunRequest> requests = {test::ptx_request()};
  for (const char* name : {"half2.cu", "wrong_claim.cu", "two_launches.cu", "out_of_bounds.cu", "syntax_error.cu",
                           "nested_hello.cu", "spilling.cu"})
    requests.push_back(test::request_for(name));
  for (const char* name : {"copy_float4.cu", "mma_product.cu"}) requests.push_back(of_catalogue(name));
  RunRequest without_header = test::request_for("half2.cu");
  without_header.text = "__global__ void f(int* p, int n) { int i = threadIdx.x; if (i < n) p[i] = p[i] + 1; }\n";
  requests.push_back(without_header);
  for (RunRequest& request : requests) {
    request.review = true;
    const wire::Bytes late = result_of(request, false);
    EXPECT_EQ(result_of(request, true), late) << request.file;
  }
  RunRequest no_such_block = test::request_for("half2.cu");
  no_such_block.record_block = 1000;
  EXPECT_EQ(result_of(no_such_block, true), result_of(no_such_block, false));
}

TEST(EarlyStart, WhatWasBegunWithStaysAsItIs) {
  NEEDS_NVRTC();
  const auto times_begun = [](const RunRequest& request) {
    Prepared out;
    int begun = 0;
    const void *launches = nullptr, *entries = nullptr, *buffers = nullptr;
    trace::Bytes contents;
    const auto begin = [&] {
      ++begun;
      EXPECT_TRUE(out.probed.module.entries.empty()) << request.file;
      launches = out.plain.launches.data(), entries = out.plain.module.entries.data(), buffers = out.buffers.data();
      contents = out.buffers.front().bytes;
    };
    prepare_into(
        out, request, [](std::string_view) {}, nullptr, {}, begin);
    EXPECT_TRUE(out.ready) << request.file;
    if (begun > 0) {
      EXPECT_EQ(out.plain.launches.data(), launches);
      EXPECT_EQ(out.plain.module.entries.data(), entries);
      EXPECT_EQ(out.buffers.data(), buffers);
      EXPECT_EQ(out.buffers.front().bytes, contents);
      EXPECT_FALSE(out.probed.launches.empty());
    }
    return begun;
  };
  EXPECT_EQ(times_begun(test::request_for("half2.cu")), 1);
  EXPECT_EQ(times_begun(of_catalogue("copy_float4.cu")), 1);
  EXPECT_EQ(times_begun(test::request_for("nested_hello.cu")), 0);  // its launches are found by running it
  RunRequest assumed = test::request_for("half2.cu");
  assumed.text = "__global__ void f(int* p) { p[threadIdx.x] = 1; }\n";
  EXPECT_EQ(times_begun(assumed), 0);  // how many elements there are is found by running it
  RunRequest variable = test::request_for("half2.cu");
  variable.text =
      "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"u32 i:32\"\n*/\n__device__ unsigned v[4];\n"
      "__global__ void f(unsigned* p) { p[threadIdx.x] = v[0]; }\n";
  EXPECT_EQ(times_begun(variable), 0);  // the variable becomes a buffer
}

TEST(EarlyStart, APlainRunEndsWhereTheProbedOneThrows) {
  NEEDS_NVRTC();
  RunRequest request;
  request.file = "counts.cu";
  // The stored values differ from turn to turn, so the run does not end with a deadlock.
  request.text =
      "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"u32 i:64 = zeros\"\n*/\n__global__ void counts(volatile unsigned* "
      "p) {\n"
      "  for (unsigned t = 0; p[32] == 0; ++t) p[threadIdx.x % 32] = t;\n}\n";
  request.max_steps = 1'000'000'000'000;
  Session session;
  // The probed program runs on this thread, the plain one beside it: without a stop it would be waited for for days.
  session.on_steps([here = std::this_thread::get_id()](const RanSoFar&) {
    if (std::this_thread::get_id() == here) throw std::bad_alloc();
  });
  EXPECT_FALSE(session.run(request).ok);
}

TEST(EarlyStart, ARunThatNobodyWantsEnds) {
  NEEDS_NVRTC();
  RunRequest request = test::request_for("endless.cu");
  request.max_steps = 1'000'000'000'000;
  std::atomic<bool> cancel{false};
  Session session;
  session.on_progress([&](std::string_view stage) { cancel = cancel || stage == "compiling"; });
  // Without the stop the run would take days: that it returns at all is the proof, on a machine of any load.
  EXPECT_FALSE(session.run(request, &cancel).ok);
  EXPECT_EQ(session.ending(), Ending::cancelled);
  // While it is waited for, too.
  cancel = false;
  session.on_progress([&](std::string_view stage) { cancel = cancel || stage == "running"; });
  session.run(request, &cancel);
  EXPECT_EQ(session.ending(), Ending::cancelled);
}

}  // namespace
}  // namespace lanescope::engine
