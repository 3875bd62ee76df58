// wgmma: what reading its operands from shared memory costs is what an H200 counted, product by product.

#include <fstream>
#include <nlohmann/json.hpp>

#include "support.h"
#include "tests/catalogue/matrix_product_kernels.h"

namespace lanescope::engine {
namespace {

TEST(MatrixProducts, ReadWhatAnH200Counted) {
  NEEDS_NVRTC();
  const catalogue::MatrixProductFile file = catalogue::matrix_product_file();
  RunRequest request;
  request.file = "k.cu";
  request.text = file.text;
  request.probed_run = false;
  Session session;
  session.run(request);
  ASSERT_EQ(session.ending(), Ending::good) << test::all_words(session.summary());
  std::ifstream results(LANESCOPE_SOURCE_DIR "/bench/results/gpu_matrix_products.json");
  const nlohmann::json rows = nlohmann::json::parse(results)["rows"];
  ASSERT_EQ(rows.size(), file.kernels.size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const catalogue::MatrixProductKernel& k = file.kernels[n];
    ASSERT_EQ(rows[n]["product"], k.name);
    const auto at = session.counters().lines.find(k.line);
    ASSERT_NE(at, session.counters().lines.end()) << k.name;
    const access::Sum& c = at->second.matrix_product;
    EXPECT_EQ((std::vector<double>{static_cast<double>(c.requests), static_cast<double>(c.wavefronts),
                                   static_cast<double>(c.bytes_requested), static_cast<double>(c.bank_conflicts)}),
              rows[n]["measured"].get<std::vector<double>>())
        << k.name;
  }
}

/// An H200 counts 33.3 % of this kernel: the 18 wavefronts of the product count, its bytes do not.
TEST(MatrixProducts, AreWavefrontsOfSharedMemoryButNoRequestedBytes) {
  NEEDS_NVRTC();
  RunRequest request;
  request.file = LANESCOPE_SOURCE_DIR "/assets/kernels/wgmma_product.cu";
  std::ifstream file(request.file);
  request.text = {std::istreambuf_iterator<char>(file), {}};
  Session session;
  const results::Summary& s = session.run(request);
  ASSERT_TRUE(s.ok) << test::all_words(s);
  const counters::Counts& total = session.counters().total;
  EXPECT_EQ(total.shared().bytes_requested, 2304u);
  EXPECT_EQ(total.matrix_product.wavefronts, 18u);
  for (const counters::Ratio& r : counters::ratios())
    if (r.name == "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct") {
      EXPECT_NEAR(r.value(total).value_or(0), 100.0 / 3, 1e-9);
    }
}

}  // namespace
}  // namespace lanescope::engine
