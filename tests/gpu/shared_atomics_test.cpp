// Atomics in shared memory, kernel by kernel: wavefronts, conflicts and requested bytes as predicted.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/engine/prepare/prepare.h"
#include "app/engine/session/session.h"
#include "tests/catalogue/shared_atomic_kernels.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

const std::string atom_wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum";
const std::string atom_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum";
const std::string shared_efficiency = "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct";
constexpr double other_wavefronts = 64 + 64;  // of the stores before and the loads after, 128 bytes each

/// Bytes that the atomic requests, from 100 x bytes / (wavefronts x 128) of the whole kernel.
double atomic_bytes(double percent, double atomic_wavefronts) {
  return std::round(percent / 100 * 128 * (other_wavefronts + atomic_wavefronts) - 128 * other_wavefronts);
}

TEST(SharedAtomics, RequestWhatIsPredicted) {
  LS_NEEDS_COUNTERS();
  const catalogue::SharedAtomicFile file = catalogue::shared_atomic_file(1);
  const std::vector<catalogue::SharedAtomicKernel>& trials = file.kernels;
  engine::RunRequest request;
  request.file = "shared_atomics.cu";
  request.text = file.text;
  request.arch = device().arch();
  engine::Session session;
  session.run(request);
  ASSERT_EQ(session.ending(), engine::Ending::good)
      << (session.summary().diagnostics.empty() ? "" : to_string(session.summary().diagnostics.front()));
  engine::Prepared prepared = engine::prepare(
      request, [](std::string_view) {}, nullptr);
  ASSERT_TRUE(prepared.ready);
  const auto measured = measure_apart({.ptx = prepared.plain.ptx,
                                       .launches = prepared.plain.launches,
                                       .buffers = prepared.buffers,
                                       .metrics = {atom_wavefronts, atom_conflicts, shared_efficiency}});
  ASSERT_TRUE(measured) << to_string(measured.error().front());
  ASSERT_EQ(measured->values.size(), trials.size());
  ASSERT_EQ(measured->metrics.size(), 3u);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::size_t equal = 0;
  for (std::size_t n = 0; n < trials.size(); ++n) {
    const catalogue::SharedAtomicKernel& t = trials[n];
    const auto& lines = session.counters().lines;
    const auto found = lines.find(t.line);
    ASSERT_NE(found, lines.end()) << t.name;
    const access::Sum& predicted = found->second.shared_atomic;
    ASSERT_EQ(predicted.requests, 1u) << t.name;
    const std::vector<double>& values = measured->values[n];
    const double bytes = atomic_bytes(values[2], values[0]);
    EXPECT_EQ(static_cast<double>(predicted.wavefronts), values[0]) << t.name;
    EXPECT_EQ(static_cast<double>(predicted.bank_conflicts), values[1]) << t.name;
    EXPECT_EQ(static_cast<double>(predicted.bytes_requested), bytes) << t.name << ": " << values[2] << " %";
    const bool same = static_cast<double>(predicted.wavefronts) == values[0] &&
                      static_cast<double>(predicted.bank_conflicts) == values[1] &&
                      static_cast<double>(predicted.bytes_requested) == bytes;
    equal += same;
    rows.push_back({{"atomic", t.atomic},
                    {"index", t.index},
                    {"predicted", {predicted.wavefronts, predicted.bank_conflicts, predicted.bytes_requested}},
                    {"measured", {values[0], values[1], bytes}},
                    {"equal", same}});
  }
  fmt::print("{} of {} atomics as predicted, {} passes\n", equal, trials.size(), measured->passes);
  write_results("gpu_shared_atomic_bytes",
                {{"what",
                  "one warp, one atomic in shared memory: wavefronts, bank conflicts, bytes requested (from the "
                  "efficiency of the kernel, whose other accesses are 128 wavefronts of 128 bytes)"},
                 {"equal", equal},
                 {"of", trials.size()},
                 {"rows", rows}});
}

}  // namespace
}  // namespace lanescope::gpu_test
