#pragma once
// `lanescope render`: one view as a file.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/options.h"
#include "app/engine/requests/requests.h"
#include "app/engine/wire/measured_file.h"
#include "kernels/base/diagnostic.h"
#include "results/moment.h"
#include "results/summary.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"
#include "viz/views/memory/what_if.h"

namespace lanescope::cli {

/// Exit status 3 if the view shows measurements and nothing could be measured.
int render(const RenderOptions& options);

// The elements to follow, from typed text.

/// Of "p[17]", "p[64..67]", several. Errors: no such buffer or element, too many.
Expected<engine::JourneyRequest> wanted_journeys(const results::Summary& summary,
                                                 const std::vector<std::string>& elements);

// The contents of a picture of a run, from the options: the step, the warps, the wavefront. Values that do not exist
// are refused, options without effect are reported.

bool was_given(const RenderOptions& options, std::string_view option);

/// Options that were named and that the view does not have, as warnings.
Diagnostics without_effect(const RenderOptions& options);

/// The state to show and the one that moves start from.
struct When {
  std::int64_t step = -1, from = -2;
  Diagnostics remarks{};  ///< if another line is shown than the requested one
};
/// The step of `--at step:N`, of the block; nullopt: another place.
std::optional<std::uint64_t> step_wanted(const RenderOptions& options);

/// Of --at, in a file of so many lines. Memory views show the first access of the line, the others the state after it,
/// in all warps. A line without instructions stands for the nearest line that was executed, which a note names. Errors:
/// no line and no step, a line or a step that does not exist, a line whose instructions were not executed.
Expected<When> when_shown(const results::Summary& summary, const RenderOptions& options, std::size_t lines_in_file);

/// The nearest of `lines` (ascending); of two equally near ones the first. 0: there is none.
int nearest_line(const std::vector<int>& lines, int wanted);

/// For a picture of a statement's movement: the end of its first execution by the shown warp; without --at that of the
/// first shuffle, load or store. nullopt: the warp does not execute it.
std::optional<std::int64_t> statement_shown(const results::Summary&, const RenderOptions&, std::int64_t step);

/// How many warps from --warp on are drawn: --warps, else 4 of registers and all of the other views.
int warps_shown(const results::Summary& summary, const RenderOptions& options);

/// Of --of, --lane and --warp. Errors: a register, a buffer or an element that there is not.
Expected<engine::TreeRequest> wanted_tree(const results::Summary& summary, const RenderOptions& options);

/// Errors: warps that the block does not have, a colour by an axis that no buffer has. Notes: warps that are left out.
Diagnostics wrong_choice(const results::Summary& summary, const RenderOptions& options);
/// Errors: a wavefront or a what-if where no shared memory is accessed, a wavefront that the access does not have.
Diagnostics wrong_access(const results::Moment& moment, const RenderOptions& options);
/// The same for any access to shared memory: wavefronts are counted from 0. Empty: it has this one.
Diagnostics wrong_wavefront(std::uint64_t wavefronts, int wanted);

// Scenes as files, and the views that `lanescope render` draws.

struct Drawn {
  scene::Scene scene;
  std::string csv;
};

/// "registers", "global", ..., "roofline".
std::span<const std::string_view> view_names();
/// Views of one access: they show the first access of a line, the others the state after it.
bool shows_an_access(std::string_view view);
/// Of MomentRequest: the totals that `view` needs, for a moment on `line`.
int totals_line(std::string_view view, int line);

/// Views of one kernel that include a measurement of it.
bool shows_a_measurement(std::string_view view);

/// `text`: the file's; `measured`: the results of a GPU, nullptr if none was used. Errors: a what-if or a counter that
/// does not exist, a GPU that is not in the table, a measurement of another GPU than the one to be drawn.
Expected<Drawn> draw(const results::Summary& summary, const results::Moment& moment, const std::string& text,
                     const RenderOptions& options, const results::Measured* measured = nullptr);

/// The view "buffers": elements of one buffer, which `engine` answers for after its run. Errors: a buffer or an element
/// that there is not, a file that is no measurement.
Expected<Drawn> draw_buffers(engine::Engine& engine, const engine::RunResult& result, const results::Moment& moment,
                             const RenderOptions& options);

/// The view "journey": the elements named by --of. Errors: elements that there are not.
Expected<Drawn> draw_journeys(engine::Engine& engine, const results::Summary& summary, const results::Moment& moment,
                              const RenderOptions& options);

/// "metrics", "stalls", ...: views of measurements; they need no run.
std::span<const std::string_view> measured_view_names();
/// Draws one of them from --measured, or measures first where there is none.
Answer render_measured(const RenderOptions& options);

/// A file of `lanescope measure`.
Expected<engine::MeasuredFile> read_measured(const std::string& path);
/// The measurement of the kernel of a run. Error: it is of another kernel.
Expected<results::Measured> measured_kernel(const std::string& path, const results::Summary& summary);

/// "padding:32+1": rows of 32 words, 1 unused word after each. "swizzle:32/4/1": rows of 32 words, pieces of 4 words,
/// every row permuted otherwise; "" is no change.
Expected<views::WhatIf> parse_what_if(std::string_view text);

/// Errors before a file of this name is written: its ending, or an unknown theme.
Diagnostics wrong_picture(const std::string& output, const std::string& theme);
Diagnostics wrong_theme(const std::string& theme);
/// As it was typed: "high-contrast", "High contrast".
const views::Theme& theme_of(const std::string& typed);
/// .svg, .png, .json (the scene itself) or .csv (its data).
Expected<void> write_picture(const Drawn& drawn, const std::string& output, const std::string& theme, float scale);

}  // namespace lanescope::cli
