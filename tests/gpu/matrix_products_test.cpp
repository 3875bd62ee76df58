// wgmma: what reading its operands from shared memory costs, as predicted.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/engine/prepare/prepare.h"
#include "app/engine/session/session.h"
#include "tests/catalogue/matrix_product_kernels.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

TEST(MatrixProducts, ReadWhatIsPredicted) {
  LS_NEEDS_COUNTERS();
  if (device().major != 9) GTEST_SKIP() << "SKIPPED, needs a GPU with wgmma (compute capability 9.0)";
  const catalogue::MatrixProductFile file = catalogue::matrix_product_file();
  engine::RunRequest request;
  request.file = "matrix_products.cu";
  request.text = file.text;
  request.probed_run = false;
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
                                       .metrics = {"smsp__sass_inst_executed_op_shared_gmma.sum",
                                                   "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum",
                                                   "sm__sass_data_bytes_mem_shared_op_gmma.sum",
                                                   "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum",
                                                   "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_gmma.sum"}});
  ASSERT_TRUE(measured) << to_string(measured.error().front());
  ASSERT_EQ(measured->values.size(), file.kernels.size());
  ASSERT_EQ(measured->metrics.size(), 5u);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::size_t equal = 0;
  for (std::size_t n = 0; n < file.kernels.size(); ++n) {
    const catalogue::MatrixProductKernel& k = file.kernels[n];
    const auto& lines = session.counters().lines;
    const auto found = lines.find(k.line);
    ASSERT_NE(found, lines.end()) << k.name;
    const access::Sum& p = found->second.matrix_product;
    const std::vector<double> predicted{static_cast<double>(p.requests), static_cast<double>(p.wavefronts),
                                        static_cast<double>(p.bytes_requested), static_cast<double>(p.wavefronts),
                                        static_cast<double>(p.bank_conflicts)};
    EXPECT_EQ(predicted, measured->values[n]) << k.name;
    equal += predicted == measured->values[n];
    rows.push_back(
        {{"product", k.name},
         {"predicted", {p.requests, p.wavefronts, p.bytes_requested, p.bank_conflicts}},
         {"measured", {measured->values[n][0], measured->values[n][1], measured->values[n][2], measured->values[n][4]}},
         {"wavefronts_of_the_pipeline", measured->values[n][3]}});
  }
  fmt::print("{} of {} products as predicted, {} passes\n", equal, file.kernels.size(), measured->passes);
  write_results("gpu_matrix_products",
                {{"what",
                  "one wgmma of four warps: warp instructions, wavefronts, bytes, bank conflicts of its operands in "
                  "shared memory"},
                 {"equal", equal},
                 {"of", file.kernels.size()},
                 {"rows", rows}});
}

}  // namespace
}  // namespace lanescope::gpu_test
