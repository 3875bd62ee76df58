// Claims of the same kernels, derived from their indexing. Warps, lanes and registers that load element 32 w
// + t of a block's part have bits t4..t0 and w; blocks follow above.

#include "tests/catalogue/expectations.h"

namespace lanescope::catalogue {

const std::map<std::string, std::vector<std::string>>& warp_claims() {
  static const std::string warp = "thread: i4 i3 i2 i1 i0", of_two = warp + "; warp: i5",
                           of_four = warp + "; warp: i6 i5", two_blocks = of_two + "; block: i6";
  // Fragments of mma.sync: a row in four lanes, which have neighbouring elements; c has columns where a has depth.
  static const std::string sums = "register: i3 j0; thread: i2 i1 i0 j2 j1",
                           halves_a = "simd: k0; register: k4 k3 i3; thread: i2 i1 i0 k2 k1; warp: i4 [unused]",
                           halves_b = "simd: k0; register: k4 k3; thread: j2 j1 j0 k2 k1; warp: [unused] j3",
                           structure = "register: c2 c1 c0; " + two_blocks;
  static const std::map<std::string, std::vector<std::string>> all = {
      // The lane backwards; lanes that differ in 5.
      {"shuffle_variants", {warp, "thread: i0 i1 i2 i3 i4", "thread: i4 i3 i2+1 i1 i0+1"}},
      {"shuffle_64bit", {two_blocks, "thread: i4 i3 i2 i1 i0+1; warp: i5; block: i6"}},
      {"neighbour_unsafe", {of_four + "; block: i7"}},
      {"broadcast_lane0", {two_blocks, "thread: [unused] [unused] [unused] [unused] [unused]; warp: i5; block: i6"}},
      {"broadcast_voted", {two_blocks}},
      {"warp_sum_down", {warp}},
      {"scan_shuffle", {of_four + "; block: i7"}},
      {"scan_predicate", {of_four + "; block: i7"}},
      {"scan_shared", {of_four + "; block: i7"}},
      {"sort_shuffle", {two_blocks}},
      {"sort_shared", {two_blocks}},
      {"sort_block", {of_four + "; block: i7"}},
      {"structures_direct", {structure}},
      {"structures_shuffle", {structure}},
      {"structures_shared", {structure}},
      {"copy_by_vote", {}},
      {"sum_in_branches", {two_blocks}},
      {"tail_synced", {}},
      {"tail_unsynced", {}},
      {"assume_convergence", {warp}},
      {"assume_lockstep", {warp}},
      {"assume_order", {}},
      {"match_any", {two_blocks, two_blocks}},
      {"group_reduce", {of_four}},
      {"group_tiles", {of_two}},
      {"group_coalesced", {of_two}},
      {"group_labelled", {two_blocks, two_blocks}},
      {"group_grid_sync", {of_two + "; block: i7 i6"}},
      {"reduce_neighboured", {}},
      {"reduce_less_divergent", {}},
      {"reduce_interleaved", {}},
      {"reduce_unrolled2", {}},
      {"reduce_unrolled4", {}},
      {"reduce_unrolled8", {}},
      {"reduce_unrolled_warp", {}},
      {"reduce_unrolled_fully", {}},
      {"reduce_template", {}},
      {"rmse_shuffle", {of_four, of_four}},
      {"branch_divergent", {}},
      {"branch_by_warp", {}},
      {"branch_predicated", {}},
      {"index_64bit", {"thread: j4 j3 j2 j1 j0; warp: j5", of_two}},
      {"index_32bit", {"thread: j4 j3 j2 j1 j0; warp: j5", of_two}},
      {"index_64bit_checked", {"thread: j4 j3 j2 j1 j0; warp: j5", of_two}},
      {"mma_product", {halves_a, halves_b, sums + "; warp: i4 j3"}},
      {"ldmatrix_product", {halves_a, halves_b, sums + "; warp: i4 j3"}},
      {"wgmma_product", {sums + "; warp: i5 i4"}},
      // Words of 32 samples, and of 8.
      {"correlate_1bit",
       {"simd: k4 k3 k2 k1 k0; register: k7 i3; thread: i2 i1 i0 k6 k5",
        "simd: k4 k3 k2 k1 k0; register: k7; thread: j2 j1 j0 k6 k5", sums}},
      {"correlate_4bit",
       {"simd: k2 k1 k0; register: k5 i3; thread: i2 i1 i0 k4 k3",
        "simd: k2 k1 k0; register: k5; thread: j2 j1 j0 k4 k3", sums}},
      {"tiles_async", {}},
      {"tiles_waiting", {}},
  };
  return all;
}

}  // namespace lanescope::catalogue
