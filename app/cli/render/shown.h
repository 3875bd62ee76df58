#pragma once
// What a picture of a run shows, from the options: the step, the warps, the wavefront. What there is not is refused, what
// has no effect is said.

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/cli/answers/options.h"
#include "app/engine/requests/requests.h"
#include "kernels/base/diagnostic.h"
#include "results/moment.h"
#include "results/summary.h"

namespace lanescope::cli {

bool was_given(const RenderOptions& options, std::string_view option);

/// Options that were named and that the view does not have, as warnings.
Diagnostics without_effect(const RenderOptions& options);

/// The state to show and the one that moves start from.
struct When {
  std::int64_t step = -1, from = -2;
  Diagnostics remarks{};  ///< that another line is shown than the one asked for
};
/// The step of `--at step:N`, of the block; nullopt: another place is asked for.
std::optional<std::uint64_t> step_wanted(const RenderOptions& options);

/// Of --at, in a file of so many lines. Memory views look at the first access of the line, the others at the state after
/// it, in all warps. A line without instructions is that of the nearest line that was executed, which a note says. Errors:
/// no line and no step, a line or a step that there is not, a line whose instructions were not executed.
Expected<When> when_shown(const results::Summary& summary, const RenderOptions& options, std::size_t lines_in_file);

/// The nearest of `lines` (ascending); of two equally near ones the first. 0: there is none.
int nearest_line(const std::vector<int>& lines, int wanted);

/// For a picture of what a statement moves: the end of its first execution by the warp that is shown; without --at that of the
/// first shuffle, load or store. nullopt: the warp does not come there.
std::optional<std::int64_t> statement_shown(const results::Summary&, const RenderOptions&, std::int64_t step);

/// How many warps from --warp on are drawn: --warps, else 4 of registers and all of the other views.
int warps_shown(const results::Summary& summary, const RenderOptions& options);

/// Of --of, --lane and --warp. Errors: a register, a buffer or an element that there is not.
Expected<engine::TreeRequest> wanted_tree(const results::Summary& summary, const RenderOptions& options);

/// Errors: warps that the block does not have, a colour by what no buffer has. Notes: warps that are left out.
Diagnostics wrong_choice(const results::Summary& summary, const RenderOptions& options);
/// Errors: a wavefront or a what-if where no shared memory is accessed, a wavefront that the access does not have.
Diagnostics wrong_access(const results::Moment& moment, const RenderOptions& options);
/// The same for any access to shared memory: wavefronts are counted from 0. Empty: it has this one.
Diagnostics wrong_wavefront(std::uint64_t wavefronts, int wanted);

}  // namespace lanescope::cli
