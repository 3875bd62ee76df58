// The device heap: malloc and free of kernels.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "kernels/emulator/emulator.h"
#include "kernels/emulator/lanes/op.h"
#include "kernels/emulator/machine/heap.h"
#include "tests/kernels/emulator/harness.h"
#include "tests/kernels/emulator/history/event_log.h"

namespace lanescope::emulator::test {
namespace {

// ---- allocations

/// Beside the heap an oracle that keeps every byte: allocations are aligned, lie apart, and use what the limit says.
TEST(Heap, AllocationsNeverTouchAndTheLimitHolds) {
  Numbers numbers(7);
  for (int trial = 0; trial < 20; ++trial) {
    const u64 limit = 1000 + numbers.below(200'000);
    Heap heap(limit);
    std::map<u64, u64> live;  // begin, bytes
    u64 used = 0;
    for (int step = 0; step < 4000; ++step) {
      if (live.empty() || numbers.below(5) < 3) {
        const u64 bytes = 1 + numbers.below(numbers.below(2) == 0 ? 64 : limit / 2), room = (bytes + 15) / 16 * 16;
        const u64 alignment = u64{1} << numbers.below(9);
        const auto at = heap.allocate(bytes, alignment, 1);
        if (room > limit - used) {
          ASSERT_FALSE(at);
          continue;
        }
        if (!at) {  // only for want of addresses, which fresh ones are not short of
          ASSERT_TRUE(heap.reused());
          continue;
        }
        ASSERT_EQ(*at % std::max<u64>(alignment, 16), 0u);
        const auto next = live.lower_bound(*at);
        ASSERT_TRUE(next == live.end() || *at + bytes < next->first);
        ASSERT_TRUE(next == live.begin() || std::prev(next)->first + std::prev(next)->second < *at);
        live[*at] = bytes;
        used += room;
      } else {
        auto victim = live.begin();
        std::advance(victim, static_cast<std::ptrdiff_t>(numbers.below(live.size())));
        ASSERT_EQ(heap.free(victim->first, 2), Heap::Freed::done);
        ASSERT_EQ(heap.free(victim->first, 3), Heap::Freed::twice);
        ASSERT_EQ(heap.free(victim->first + 1, 3), Heap::Freed::not_allocated);
        ASSERT_FALSE(heap.holds(victim->first, 1));
        used -= (victim->second + 15) / 16 * 16;
        live.erase(victim);
      }
      ASSERT_EQ(heap.used_bytes(), used);
      if (live.empty()) continue;
      const auto& [begin, bytes] = *live.begin();
      ASSERT_TRUE(heap.holds(begin, bytes));
      ASSERT_TRUE(heap.holds(begin + bytes - 1, 1));
      ASSERT_FALSE(heap.holds(begin, bytes + 1));
      ASSERT_FALSE(heap.holds(begin - 1, 1));
    }
  }
}

/// Places are taken again when addresses run out, and what is still allocated stays.
TEST(Heap, FreedPlacesAreTakenAgainWhenAddressesRunOut) {
  Heap heap(1000);
  const u64 kept = *heap.allocate(100, 16, 1);
  for (int i = 0; i < 300'000; ++i) {
    const auto at = heap.allocate(500, 16, 2);
    ASSERT_TRUE(at);
    ASSERT_TRUE(*at > kept + 100 || *at + 500 < kept);
    ASSERT_EQ(heap.free(*at, 3), Heap::Freed::done);
  }
  EXPECT_TRUE(heap.reused());
  EXPECT_TRUE(heap.holds(kept, 100));
  EXPECT_LT(heap.blocks().size(), 200'000u);
}

// ---- kernels

const std::string heap_functions =
    ".extern .func (.param .b64 r) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n"
    ".extern .func (.param .b64 r) __cuda_syscall_aligned_malloc (.param .b64 a, .param .b64 b);\n"
    ".extern .func (.param .b32 r) __cudaCDP2Malloc (.param .b64 a, .param .b64 b);\n"
    ".extern .func (.param .b32 r) __cudaCDP2Free (.param .b64 a);\n";

std::string with_heap(const std::string& body, int buffers = 1, const std::string& declarations = "") {
  const std::string text = kernel(body, buffers, declarations);
  return header + heap_functions + text.substr(header.size());
}

/// A call is one line.
std::string take_memory(const std::string& to, const std::string& bytes) {
  return "{ .param .b64 p0; st.param.b64 [p0], " + bytes +
         "; .param .b64 r0; call.uni (r0), malloc, (p0); ld.param.b64 " + to + ", [r0]; }\n";
}
std::string free_memory(const std::string& address) {
  return "{ .param .b64 p0; st.param.b64 [p0], " + address + "; call.uni free, (p0); }\n";
}

struct HeapRun {
  Result result;
  std::vector<u32> out;
  std::string fault() const { return result.faults.empty() ? "" : result.faults[0].message; }
};

HeapRun run_heap(const std::string& text, u32 blocks, u32 threads, const Options& options = {}) {
  const ptx::Module module = module_of(text);
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(std::size_t{blocks} * threads))};
  auto result = run(module, launch_of(blocks, threads, 1), buffers, options);
  if (!result) {
    ADD_FAILURE() << to_string(result.error()[0]);
    return {};
  }
  return {std::move(*result), values_of<u32>(buffers[0])};
}

int line_with(const std::string& text, const std::string& what, int nth = 1) {
  std::size_t at = text.find(what);
  for (; nth > 1; --nth) at = text.find(what, at + 1);
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
}

/// Each lane has memory of its own, which begins at a multiple of 16 and holds what the lane stored.
const std::string own_memory = take_memory("%rd10", "16") +
                               "st.u32 [%rd10], %tid;\nst.u32 [%rd10+12], %bid;\nld.u32 %r1, [%rd10];\n"
                               "ld.u32 %r2, [%rd10+12];\nadd.u32 %r0, %r1, %r2;\n" +
                               out_address + store_r0;

TEST(DeviceHeap, EachThreadHasWhatItAllocated) {
  const std::string text = with_heap(own_memory + free_memory("%rd10"));
  for (const u64 seed : {1, 2, 3})
    for (const u32 slice : {0u, 1u, 5u}) {
      const HeapRun ran = run_heap(text, 3, 64, {.seed = seed, .slice = slice});
      EXPECT_EQ(ran.fault(), "");
      for (u32 t = 0; t < 192; ++t) ASSERT_EQ(ran.out[t], t + 64) << "seed " << seed;
      ASSERT_TRUE(ran.result.heap);
      EXPECT_EQ(ran.result.heap->heap.used_bytes(), 0u);
      EXPECT_EQ(ran.result.heap->heap.blocks().size(), 192u);
    }
}

TEST(DeviceHeap, CoresChangeNothing) {
  const std::string text = with_heap(own_memory);
  const HeapRun one = run_heap(text, 64, 64), four = run_heap(text, 64, 64, {.cores = 4, .alone_steps = 0});
  EXPECT_EQ(one.out, four.out);
  EXPECT_EQ(one.result.warp_instructions, four.result.warp_instructions);
  EXPECT_EQ(one.result.heap->bytes, four.result.heap->bytes);
}

TEST(DeviceHeap, NullWhereItIsUsedUp) {
  // 100 of 192 threads get 16 bytes.
  const std::string text = with_heap(take_memory("%rd10", "16") +
                                     "setp.eq.u64 %p1, %rd10, 0;\nselp.u32 %r0, 1, 0, %p1;\n" + out_address + store_r0);
  const HeapRun ran = run_heap(text, 3, 64, {.heap = empty_heap(1600)});
  EXPECT_EQ(ran.fault(), "");
  EXPECT_EQ(std::ranges::count(ran.out, 1u), 92);
  EXPECT_EQ(std::ranges::count(run_heap(text, 3, 64).out, 1u), 0) << "8 MiB unless asked otherwise";
  const HeapRun whole = run_heap(with_heap(take_memory("%rd10", "8388608") + "mov.b64 {%r0, %r1}, %rd10;\n" +
                                           out_address + "@%p1 bra skip;\nskip: st.global.u32 [%rd21], %r1;\n"),
                                 1, 1);
  EXPECT_NE(whole.out[0], 0u);
  const HeapRun more = run_heap(with_heap(take_memory("%rd10", "8388609") + "mov.b64 {%r0, %r1}, %rd10;\n" +
                                          out_address + "st.global.u32 [%rd21], %r1;\n"),
                                1, 1);
  EXPECT_EQ(more.out[0], 0u);
}

TEST(DeviceHeap, AlignedTypesGetTheirAlignment) {
  const HeapRun ran = run_heap(
      with_heap("{ .param .b64 p0; st.param.b64 [p0], 24; .param .b64 p1; st.param.b64 [p1], 256; .param .b64 r0;\n"
                "call.uni (r0), __cuda_syscall_aligned_malloc, (p0, p1); ld.param.b64 %rd10, [r0]; }\n"
                "st.u32 [%rd10+20], 5;\nand.b64 %rd11, %rd10, 255;\ncvt.u32.u64 %r0, %rd11;\n" +
                out_address + store_r0),
      1, 64);
  EXPECT_EQ(ran.fault(), "");
  EXPECT_EQ(ran.out, std::vector<u32>(64, 0));
}

TEST(DeviceHeap, TheRuntimeAllocatesThereToo) {
  const std::string text = with_heap(
      "cvta.local.u64 %rd12, %rd13;\nmov.u64 %rd13, depot;\ncvta.local.u64 %rd12, %rd13;\n"
      "{ .param .b64 p0; st.param.b64 [p0], %rd12; .param .b64 p1; st.param.b64 [p1], 1000; .param .b32 r0;\n"
      "call.uni (r0), __cudaCDP2Malloc, (p0, p1); ld.param.b32 %r1, [r0]; }\n"
      "ld.local.u64 %rd10, [depot];\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra full;\nst.u32 [%rd10+996], 7;\n"
      "{ .param .b64 p0; st.param.b64 [p0], %rd10; .param .b32 r0;\n"
      "call.uni (r0), __cudaCDP2Free, (p0); ld.param.b32 %r2, [r0]; }\nfull:\nmov.u32 %r0, %r1;\n" +
          out_address + store_r0,
      1, ".local .align 8 .b8 depot[8];\n");
  EXPECT_EQ(run_heap(text, 1, 32).out, std::vector<u32>(32, 0));
  EXPECT_EQ(run_heap(text, 1, 32).fault(), "");
  const HeapRun full = run_heap(text, 1, 32, {.heap = empty_heap(900)});
  EXPECT_EQ(full.out, std::vector<u32>(32, 2)) << "cudaErrorMemoryAllocation";
}

// ---- mistakes

void expect_heap_fault(const std::string& body, Fault::Kind kind, const std::vector<std::string>& words) {
  const std::string text = with_heap(body);
  const HeapRun ran = run_heap(text, 1, 32);
  ASSERT_EQ(ran.result.faults.size(), 1u) << body;
  EXPECT_EQ(ran.result.faults[0].kind, kind) << ran.fault();
  for (const std::string& w : words) EXPECT_NE(ran.fault().find(w), std::string::npos) << ran.fault() << "\n" << w;
}

TEST(DeviceHeap, AccessesOutsideOfAnAllocationNameItsLine) {
  const std::string take = take_memory("%rd10", "16");
  const std::string line = fmt::format("line {}", line_with(with_heap(take), "call.uni (r0), malloc"));
  for (const std::string space : {"", ".global"}) {
    expect_heap_fault(take + "st" + space + ".u32 [%rd10+16], 1;\n", Fault::Kind::out_of_bounds,
                      {"store of 4 bytes", "right after the end of the allocation of " + line + " (16 bytes)"});
    expect_heap_fault(take + "ld" + space + ".u32 %r1, [%rd10+24];\n", Fault::Kind::out_of_bounds,
                      {"load of 4 bytes", "8 bytes beyond the end of the allocation of " + line});
    expect_heap_fault(take + "ld" + space + ".u32 %r1, [%rd10-4];\n", Fault::Kind::out_of_bounds,
                      {"4 bytes before the start of the allocation of " + line});
    expect_heap_fault(take_memory("%rd10", "14") + "st" + space + ".u32 [%rd10+12], 1;\n", Fault::Kind::out_of_bounds,
                      {"across the end of the allocation of " + line + " (14 bytes)"});
    expect_heap_fault(take + "atom" + space + ".add.u32 %r1, [%rd10+16], 1;\n", Fault::Kind::out_of_bounds,
                      {"atomic", "right after the end of the allocation of " + line});
    // A whole warp side by side.
    expect_heap_fault(
        take_memory("%rd10", "16") +
            "shfl.sync.idx.b32 %r1, %r1, 0, 31, -1;\nmov.u64 %rd11, %rd10;\n"
            "mov.b64 {%r1, %r2}, %rd10;\nshfl.sync.idx.b32 %r1, %r1, 0, 31, -1;\nmov.b64 %rd11, {%r1, %r2};\n"
            "mad.wide.u32 %rd11, %tid, 4, %rd11;\nst" +
            space + ".u32 [%rd11], %tid;\n",
        Fault::Kind::out_of_bounds, {"right after the end of the allocation of " + line});
  }
}

TEST(DeviceHeap, FreedMemoryIsNotUsed) {
  const std::string take = take_memory("%rd10", "16"), text = with_heap(take + free_memory("%rd10"));
  const std::string taken = fmt::format("line {}", line_with(text, "call.uni (r0), malloc"));
  const std::string freed = fmt::format("line {}", line_with(text, "call.uni free"));
  for (const char* use :
       {"ld.u32 %r1, [%rd10+4];\n", "st.u32 [%rd10+4], 2;\n", "ld.global.v2.u32 {%r1, %r2}, [%rd10];\n"})
    expect_heap_fault(take + free_memory("%rd10") + use, Fault::Kind::out_of_bounds,
                      {"in memory that is freed in " + freed + " (the allocation of " + taken + ", 16 bytes)"});
}

TEST(DeviceHeap, WhatIsFreedIsAllocatedAndOnce) {
  const std::string take = take_memory("%rd10", "16"), text = with_heap(take + free_memory("%rd10"));
  const std::string taken = fmt::format("line {}", line_with(text, "call.uni (r0), malloc"));
  const std::string freed = fmt::format("line {}", line_with(text, "call.uni free"));
  expect_heap_fault(take + free_memory("%rd10") + free_memory("%rd10"), Fault::Kind::heap,
                    {"a second time", "the allocation of " + taken + " (16 bytes) is freed in " + freed});
  expect_heap_fault(take + "add.s64 %rd11, %rd10, 4;\n" + free_memory("%rd11"), Fault::Kind::heap,
                    {"which is byte 4 of the allocation of " + taken, "and not its start"});
  expect_heap_fault(free_memory("%rd0"), Fault::Kind::heap, {"which malloc or new did not return"});
  EXPECT_EQ(run_heap(with_heap("mov.u64 %rd10, 0;\n" + free_memory("%rd10")), 1, 32).fault(), "") << "free(nullptr)";
}

// ---- launches

/// The first launch allocates, the second one reads, the third one frees.
TEST(DeviceHeap, MemoryOutlivesTheLaunch) {
  const std::string place = "mul.wide.u32 %rd20, %tid, 8;\nadd.s64 %rd21, %rd0, %rd20;\n";
  const ptx::Module make = module_of(
      with_heap(take_memory("%rd10", "8") + place + "st.global.u64 [%rd21], %rd10;\nst.u32 [%rd10+4], %tid;\n"));
  const ptx::Module use = module_of(kernel(place + "ld.global.u64 %rd10, [%rd21];\nld.u32 %r0, [%rd10+4];\n"
                                                   "add.u32 %r0, %r0, 9;\nst.u32 [%rd10+4], %r0;\n",
                                           1));
  const ptx::Module drop =
      module_of(with_heap(place + "ld.global.u64 %rd10, [%rd21];\nld.u32 %r0, [%rd10+4];\n" + free_memory("%rd10") +
                          "cvt.u64.u32 %rd11, %r0;\n"
                          "st.global.u64 [%rd21], %rd11;\n"));
  for (const u32 cores : {1u, 3u}) {
    std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u64>(256))};
    Options options{.cores = cores, .alone_steps = 0};
    options.heap = run_ok(make, launch_of(8, 32, 1), buffers, options).heap;
    EXPECT_EQ(options.heap->heap.used_bytes(), 256u * 16);
    options.heap = run_ok(use, launch_of(8, 32, 1), buffers, options).heap;
    options.heap = run_ok(drop, launch_of(8, 32, 1), buffers, options).heap;
    EXPECT_EQ(options.heap->heap.used_bytes(), 0u);
    const auto out = values_of<u64>(buffers[0]);
    for (u32 t = 0; t < 256; ++t) ASSERT_EQ(out[t], t + 9);
    const auto again = run(use, launch_of(8, 32, 1), buffers, options);
    EXPECT_FALSE(again->faults.empty()) << "a number is no address";
  }
  // A launch that does not allocate, either, finds freed memory freed.
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u64>(32))};
  Options options;
  options.heap = run_ok(make, launch_of(1, 32, 1), buffers, options).heap;
  const std::vector<trace::Buffer> addresses = buffers;
  options.heap = run_ok(drop, launch_of(1, 32, 1), buffers, options).heap;
  buffers = addresses;
  const auto stale = run(use, launch_of(1, 32, 1), buffers, options);
  ASSERT_EQ(stale->faults.size(), 1u);
  EXPECT_NE(stale->faults[0].message.find("in memory that is freed"), std::string::npos) << stale->faults[0].message;
}

/// A launch that allocates and frees continues from any checkpoint as if nothing had been.
TEST(DeviceHeap, GoesOnFromAnyCheckpoint) {
  const std::string body =
      "mov.u32 %r5, 0;\nmov.u64 %rd11, 0;\nloop:\n" + take_memory("%rd10", "24") +
      "st.u64 [%rd10], %rd11;\nst.u32 [%rd10+8], %r5;\nmov.u64 %rd11, %rd10;\nadd.u32 %r5, %r5, 1;\n"
      "setp.lt.u32 %p1, %r5, 12;\n@%p1 bra loop;\nmov.u32 %r0, 0;\nnext:\nld.u32 %r6, [%rd11+8];\n"
      "add.u32 %r0, %r0, %r6;\nld.u64 %rd12, [%rd11];\n" +
      free_memory("%rd11") + "mov.u64 %rd11, %rd12;\nsetp.ne.u64 %p1, %rd11, 0;\n@%p1 bra next;\n" + out_address +
      store_r0;
  const ptx::Module module = module_of(with_heap(body));
  const trace::Launch launch = launch_of(6, 64, 1);
  const std::vector<trace::Buffer> initial{buffer_of("out", std::vector<u32>(384))};
  std::vector<trace::Buffer> plain = initial;
  EventLog whole;
  run_ok(module, launch, plain, {.observers = {&whole}});
  EXPECT_EQ(values_of<u32>(plain[0]), std::vector<u32>(384, 66));
  std::vector<trace::Buffer> buffers = initial;
  auto machine = Machine::create(module, launch, buffers, {});
  ASSERT_TRUE(machine);
  std::vector<std::shared_ptr<const Machine::Checkpoint>> moments;
  do {
    moments.push_back(machine->checkpoint());
  } while (machine->advance(200));
  EXPECT_GT(moments.size(), 10u);
  EXPECT_EQ(machine->result().heap->heap.used_bytes(), 0u);
  for (std::size_t m = 0; m < moments.size(); ++m) {
    EventLog again;
    std::vector<trace::Buffer> other = initial;
    auto from = Machine::create(module, launch, other, {.observers = {&again}});
    ASSERT_TRUE(from);
    from->advance(m % 3 * 700);  // of its own before
    from->restore(*moments[m]);
    again.events.clear();
    while (from->advance(333)) {}
    EXPECT_TRUE(from->result().faults.empty()) << m;
    EXPECT_EQ(other[0].bytes, plain[0].bytes) << m;
    EXPECT_EQ(from->result().heap->bytes, machine->result().heap->bytes) << m;
    ASSERT_TRUE(whole.ends_with(again)) << m;
  }
}

}  // namespace
}  // namespace lanescope::emulator::test
