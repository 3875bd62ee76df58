// How many bytes L2 and shared memory give to kernels that do nothing but read: the roofs of a roofline, measured.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/prepare.h"
#include "kernels/base/read_file.h"
#include "kernels/gpu/program.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/reference_elements.h"

namespace lanescope::gpu_test {
namespace {

using json = nlohmann::ordered_json;

constexpr int launches_each = 8;
constexpr std::uint32_t vector_bytes = 16;

/// One launch of a kernel of bandwidth.cu.
struct Reading {
  bool shared = false;
  std::uint32_t blocks = 1, threads = 256, megabytes = 0, loads = 8;  ///< loads of 16 bytes a thread
  double bytes() const { return static_cast<double>(vector_bytes) * blocks * threads * loads; }
  std::uint32_t vectors() const { return megabytes << 20 >> 4; }
};

std::string reading_header(const Reading& r) {
  const std::string launch = fmt::format("grid = {}\nblock = {}\n", r.blocks, r.threads);
  const std::string results =
      fmt::format("q = \"u32 i:{} = zeros\"\ntook = \"u64 i:2 = zeros\"\n", r.blocks * r.threads);
  if (r.shared)
    return fmt::format("kernel = \"read_shared\"\n{}args = {{ loads = {} }}\n[buffers]\n{}", launch, r.loads, results);
  return fmt::format("kernel = \"read_l2\"\n{}args = {{ n = {}, loads = {} }}\n[buffers]\np = \"u32 i:{} = zeros\"\n{}",
                     launch, r.vectors(), r.loads, 4 * r.vectors(), results);
}

std::uint32_t word_at(std::uint64_t i) { return static_cast<std::uint32_t>(i) * 2654435761u; }

Variant variant_of(const Reading& r) {
  return {.name = r.shared ? "shared memory" : "L2",
          .size = {},
          .file = std::string(own) + "bandwidth.cu",
          .header = reading_header(r),
          .fill =
              [shared = r.shared](Buffers& b) {
                if (shared) return;
                const auto p = elements<std::uint32_t>(b[0]);
                for (std::size_t i = 0; i < p.size(); ++i) p[i] = word_at(i);
              },
          .wrong = {}};
}

std::uint32_t vector_sum(std::uint64_t vector) {
  std::uint32_t sum = 0;
  for (std::uint64_t w = 0; w < 4; ++w) sum += word_at(4 * vector + w);
  return sum;
}

/// The sum that a thread computes.
std::uint32_t sum_of(const Reading& r, std::uint32_t block, std::uint32_t thread) {
  std::uint32_t sum = 0;
  if (r.shared) {
    for (std::uint32_t k = 0; k < r.loads; ++k) sum += vector_sum(thread + k / 8 % 32 + k % 8);
    return sum;
  }
  const std::uint32_t n = r.vectors(), step = r.blocks * r.threads % n;
  std::uint32_t at = (block * r.threads + thread) % n;
  for (std::uint32_t k = 0; k < r.loads; ++k, at = (at + step) % n) sum += vector_sum(at);
  return sum;
}

/// The first threads and the last; each is as good as the others.
std::string wrong_sums(const Reading& r, const trace::Buffer& q) {
  const auto sums = elements<std::uint32_t>(q);
  const std::uint32_t some = std::min(r.threads, 64u);
  for (const std::uint32_t block : {0u, r.blocks - 1})
    for (std::uint32_t t = 0; t < some; ++t)
      if (const std::uint32_t e = sum_of(r, block, t); sums[block * r.threads + t] != e)
        return fmt::format("thread {} of block {} has {}, not {}", t, block, sums[block * r.threads + t], e);
  return "";
}

struct Rate {
  double milliseconds = 0, gb_per_s = 0, clock_mhz = 0, bytes_per_clock = 0;  ///< per multiprocessor
};

/// The quickest of some launches of one loaded program, and the clock that the last of them ran at.
Expected<Rate> best_of(const Reading& r, const engine::Prepared& prepared) {
  auto opened = gpu::Program::open(0);
  if (!opened) return tl::unexpected(opened.error());
  gpu::Program& program = **opened;
  if (auto loaded = program.load(prepared.plain.ptx, prepared.plain.launches, prepared.buffers); !loaded)
    return tl::unexpected(loaded.error());
  const gpu::Driver& d = program.driver();
  gpu::Event begin = nullptr, end = nullptr;
  gpu::Status status = d.cuEventCreate(&begin, 0);
  if (!status) status = d.cuEventCreate(&end, 0);
  float least = 0;
  for (int n = 0; n <= launches_each && !status; ++n) {
    float milliseconds = 0;
    status = d.cuEventRecord(begin, nullptr);
    if (!status) status = program.launch(0);
    if (!status) status = d.cuEventRecord(end, nullptr);
    if (!status) status = d.cuEventSynchronize(end);
    if (!status) status = d.cuEventElapsedTime(&milliseconds, begin, end);
    if (n == 1 || (n > 1 && milliseconds < least)) least = milliseconds;  // the first one warms up
  }
  Buffers after = prepared.buffers;
  if (!status) status = program.download(after);
  d.cuEventDestroy(begin);
  d.cuEventDestroy(end);
  if (status) return failure(gpu::status_words(status));
  if (const std::string wrong = wrong_sums(r, after[after.size() - 2]); !wrong.empty()) return failure(wrong);
  const auto took = elements<std::uint64_t>(after.back());
  if (took[0] == 0 || took[1] == 0) return failure("the kernel wrote no time down");
  Rate rate{.milliseconds = static_cast<double>(least)};
  rate.gb_per_s = r.bytes() / rate.milliseconds / 1e6;
  rate.clock_mhz = 1e3 * static_cast<double>(took[0]) / static_cast<double>(took[1]);
  rate.bytes_per_clock = rate.gb_per_s * 1e3 / rate.clock_mhz / device().multiprocessors;
  return rate;
}

json row_of(const Reading& r, const Rate& rate) {
  json row{{"memory", r.shared ? "shared" : "L2"}};
  if (!r.shared) row["megabytes"] = r.megabytes;
  row["blocks"] = r.blocks, row["threads"] = r.threads, row["loads_a_thread"] = r.loads;
  const auto rounded = [](double v) { return std::round(v * 1000) / 1000; };
  row["milliseconds"] = rounded(rate.milliseconds), row["gb_per_s"] = rounded(rate.gb_per_s);
  row["clock_mhz"] = rounded(rate.clock_mhz);
  row["bytes_per_clock_and_multiprocessor"] = rounded(rate.bytes_per_clock);
  return row;
}

std::vector<Reading> readings(std::uint32_t multiprocessors) {
  std::vector<Reading> all;
  const auto loads = [](double bytes, std::uint32_t blocks, std::uint32_t threads) {
    return std::max(8u, static_cast<std::uint32_t>(bytes / vector_bytes / blocks / threads) / 8 * 8);
  };
  for (const std::uint32_t megabytes : {4, 8, 16, 24, 32, 40})
    for (const auto& [blocks, threads] :
         {std::pair{1u, 512u}, {1u, 1024u}, {2u, 512u}, {2u, 1024u}, {4u, 256u}, {8u, 256u}})
      all.push_back({.blocks = blocks * multiprocessors,
                     .threads = threads,
                     .megabytes = megabytes,
                     .loads = loads(4e9, blocks * multiprocessors, threads)});
  for (const auto& [blocks, threads] :
       {std::pair{1u, 256u}, {1u, 512u}, {1u, 1024u}, {2u, 512u}, {2u, 1024u}, {4u, 512u}})
    all.push_back({.shared = true,
                   .blocks = blocks * multiprocessors,
                   .threads = threads,
                   .loads = loads(6e10, blocks * multiprocessors, threads)});
  return all;
}

/// The sums that the launches are checked by, tried on small ones.
TEST(Roofs, KernelsAddUpWhatTheyRead) {
  for (const Reading& r : {Reading{.blocks = 3, .threads = 96, .megabytes = 1, .loads = 32},
                           Reading{.shared = true, .blocks = 2, .threads = 128, .loads = 272}}) {
    Variant v = variant_of(r);
    const engine::Prepared prepared = prepare(v, "sm_90");
    ASSERT_TRUE(prepared.ready) << (prepared.diagnostics.empty() ? "" : to_string(prepared.diagnostics.front()));
    const engine::PlainRun run = engine::run_plain(prepared.plain, prepared.buffers, {});
    ASSERT_TRUE(run.refused.empty()) << to_string(run.refused.front());
    ASSERT_TRUE(run.faults.empty()) << run.faults.front().message;
    EXPECT_EQ(wrong_sums(r, run.buffers[run.buffers.size() - 2]), "");
    EXPECT_NE(wrong_sums(r, prepared.buffers[prepared.buffers.size() - 2]), "");
  }
}

TEST(Roofs, OfL2AndSharedMemory) {
  LS_NEEDS_GPU();
  json rows = json::array();
  std::map<bool, json> best;
  for (const Reading& r : readings(static_cast<std::uint32_t>(device().multiprocessors))) {
    const engine::Prepared prepared = prepare(variant_of(r), device().arch());
    ASSERT_TRUE(prepared.ready) << (prepared.diagnostics.empty() ? "" : to_string(prepared.diagnostics.front()));
    const auto rate = best_of(r, prepared);
    ASSERT_TRUE(rate) << to_string(rate.error().front());
    rows.push_back(row_of(r, *rate));
    fmt::print(
        "{:<7}{:>3} MB{:>6} blocks of {:<5}{:>10.3f} ms{:>10.1f} GB/s at {:>7.1f} MHz: {:>7.2f} bytes a clock "
        "and multiprocessor\n",
        r.shared ? "shared" : "L2", r.megabytes, r.blocks, r.threads, rate->milliseconds, rate->gb_per_s,
        rate->clock_mhz, rate->bytes_per_clock);
    std::fflush(stdout);
    if (!best.contains(r.shared) || rows.back()["gb_per_s"] > best[r.shared]["gb_per_s"]) best[r.shared] = rows.back();
  }
  write_results(
      "gpu_roofs",
      {{"what",
        "read bandwidth of L2 (arrays that it holds, loads of 16 bytes past L1) and of shared memory (loads of "
        "16 bytes without conflicts); the quickest launch of several, by events; the clock by the "
        "multiprocessor's own counter and the global timer over the kernel"},
       {"launches", launches_each},
       {"nominal_clock_mhz", device().clock_khz / 1e3},
       {"l2_bytes", device().l2_bytes},
       {"best_l2", best[false]},
       {"best_shared", best[true]},
       {"rows", rows}});
}

}  // namespace
}  // namespace lanescope::gpu_test
