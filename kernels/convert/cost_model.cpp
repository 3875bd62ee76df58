#include "kernels/convert/cost_model.h"

#include <algorithm>

namespace lanescope::convert {

double cycles_of(const Counts& c, double wavefronts, double block_barriers, double warp_barriers) {
  const double exchange = cost_of_a_shuffle.cycles * c.shuffles + cost_of_a_matrix.cycles * c.matrices +
                          cost_of_a_wavefront.cycles * wavefronts;
  const double arithmetic =
      cost_of_a_select.cycles * c.selects + cost_of_a_permute.cycles * c.permutes + cost_of_logic.cycles * c.logic;
  return std::max(exchange, arithmetic) + cost_of_the_other_pipe.cycles * std::min(exchange, arithmetic) +
         cost_of_a_block_barrier.cycles * block_barriers + cost_of_a_warp_barrier.cycles * warp_barriers;
}

}  // namespace lanescope::convert
