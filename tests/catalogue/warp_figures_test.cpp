// Figures in the titles of kernels are what the program predicts for them, in the words around them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "profiling/counters/metrics.h"
#include "tests/catalogue/support.h"

namespace lanescope::catalogue::warps {
namespace {

constexpr std::string_view instructions = "smsp__sass_inst_executed.sum",
                           working = "smsp__average_thread_inst_executed_per_inst_executed.pct",
                           shuffles = "lanescope__inst_executed_op_shuffle.sum",
                           barriers = "lanescope__inst_executed_op_barrier.sum",
                           loaded_sectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
                           shared_loads = "smsp__sass_inst_executed_op_shared_ld.sum",
                           shared_stores = "smsp__sass_inst_executed_op_shared_st.sum", registers = "registers";

/// `words` of the title of `kernel` have the figure that is predicted for `of`; # stands for it.
struct Figure {
  std::string kernel, of;
  std::string_view counter;
  std::string words;
};

const std::vector<Figure> figures = {
    {"shuffle_64bit", "shuffle_64bit", shuffles, "two shuffles: # in the four warps"},
    {"scan_shared", "scan_shared", shared_stores, "# stores and"},
    {"scan_shared", "scan_shared", shared_loads, "# loads in the eight warps"},
    {"scan_shared", "scan_shuffle", shuffles, "against # shuffles"},
    {"scan_predicate", "scan_predicate", instructions, "# instructions instead of"},
    {"scan_predicate", "scan_shuffle", instructions, "instead of #, as predicted"},
    {"sort_shared", "sort_shared", shared_stores, "(# stores and"},
    {"sort_shared", "sort_shared", shared_loads, "# loads in the four warps"},
    {"sort_shared", "sort_shuffle", shuffles, "against # shuffles"},
    {"sort_block", "sort_block", barriers, "with # barriers in the eight warps"},
    {"structures_direct", "structures_direct", loaded_sectors, "# sectors in all"},
    {"structures_shuffle", "structures_shuffle", loaded_sectors, "# sectors in all"},
    {"structures_shuffle", "structures_shared", loaded_sectors, "# sectors in all"},
    {"reduce_neighboured", "reduce_neighboured", instructions, "# warp instructions are predicted"},
    {"reduce_neighboured", "reduce_neighboured", working, "# % of the lanes"},
    {"reduce_less_divergent", "reduce_less_divergent", instructions, "# warp instructions"},
    {"reduce_less_divergent", "reduce_less_divergent", working, "# % of the lanes"},
    {"reduce_less_divergent", "reduce_less_divergent", loaded_sectors, "(# sectors, no fewer than there)"},
    {"reduce_less_divergent", "reduce_neighboured", loaded_sectors, "(# sectors, no fewer than there)"},
    {"reduce_interleaved", "reduce_interleaved", loaded_sectors, "# sectors"},
    {"reduce_unrolled_fully", "reduce_unrolled_fully", barriers, "# times instead of"},
    {"reduce_unrolled_fully", "reduce_unrolled8", barriers, "times instead of #."},
    {"rmse_shuffle", "rmse_shuffle", barriers, "arrive at a barrier # times"},
    {"rmse_shuffle", "rmse_contiguous", barriers, "instead of # in rmse_contiguous"},
    {"rmse_shuffle", "rmse_shuffle", shared_loads, "load from shared memory # times"},
    {"rmse_shuffle", "rmse_contiguous", shared_loads, "times instead of #, and a block"},
    {"branch_divergent", "branch_divergent", instructions, "# warp instructions are predicted"},
    {"branch_divergent", "branch_divergent", working, "# % of the lanes"},
    {"branch_by_warp", "branch_by_warp", instructions, "# warp instructions"},
    {"mma_product", "mma_product", loaded_sectors, "# sectors"},
    {"ldmatrix_product", "ldmatrix_product", loaded_sectors, "# sectors"},
    {"group_tiles", "group_tiles", shuffles, "# shuffles in the two warps"},
    {"index_64bit", "index_64bit", registers, "# registers a thread on sm_90"},
    {"index_32bit", "index_32bit", registers, "# registers a thread on sm_90"},
    {"index_64bit_checked", "index_64bit_checked", registers, "# a thread on sm_90"},
};

/// 1564 as "1,564".
std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

/// Of the stored PTX, as another compiler may count otherwise; of a share, the whole per cent.
std::optional<std::uint64_t> predicted(const std::string& kernel, std::string_view counter) {
  engine::RunRequest request = request_for(kernel, kernel_text(kernel));
  request.forbid_nvrtc = true;
  request.probed_run = false;
  const engine::Session session = run(request);
  EXPECT_TRUE(session.summary().ok) << words(session.summary().diagnostics);
  if (counter == registers) {
    if (session.summary().resources.registers <= 0) return std::nullopt;  // no assembler here
    return static_cast<std::uint64_t>(session.summary().resources.registers);
  }
  const auto total = session.counters().total;
  if (counter == working)
    return (total.thread_instructions * 100 + total.instructions * 16) / (total.instructions * 32);
  const auto metrics = counters::metrics();
  const auto metric = std::ranges::find(metrics, counter, &counters::Metric::name);
  if (metric == metrics.end()) return ADD_FAILURE() << "no counter " << counter, std::nullopt;
  return metric->value(total);
}

std::string title_of(const std::string& kernel) {
  std::string title = kernel_text(kernel);
  title = title.substr(0, title.find("[lanescope]"));
  std::ranges::replace(title, '\n', ' ');
  return title;
}

TEST(WarpFigures, OfTitlesAreThePredicted) {
  for (const Figure& f : figures) {
    const auto value = predicted(f.of, f.counter);
    if (!value) continue;
    std::string phrase = f.words;
    phrase.replace(phrase.find('#'), 1, grouped(*value));
    EXPECT_NE(title_of(f.kernel).find(phrase), std::string::npos)
        << f.kernel << " does not say `" << phrase << "`, which is " << f.counter << " of " << f.of;
  }
}

}  // namespace
}  // namespace lanescope::catalogue::warps
