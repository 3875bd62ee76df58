#pragma once
// Scenes as files, and the views that `lanescope render` draws.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/answers/answer.h"
#include "app/engine/wire/measured_file.h"
#include "results/moment.h"
#include "results/summary.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"
#include "viz/views/memory/what_if.h"

namespace lanescope::cli {

/// A view and its data.
struct Drawn {
  scene::Scene scene;
  std::string csv;
};

/// "registers", "global", ..., "roofline".
std::span<const std::string_view> view_names();
/// Views of one access: they look at the first access of a line, the others at the state after it.
bool shows_an_access(std::string_view view);
/// Of MomentRequest: what `view` adds up, for a moment on `line`.
int totals_line(std::string_view view, int line);

/// Views of one kernel that a measurement of it stands in.
bool shows_a_measurement(std::string_view view);

/// `text`: the file's; `measured`: what a GPU did with this kernel, nullptr where none was asked. Errors: a what-if or a
/// counter that there is not, a GPU that is not in the table, a measurement of another GPU than the one to be drawn.
Expected<Drawn> draw(const results::Summary& summary, const results::Moment& moment, const std::string& text,
                     const RenderOptions& options, const results::Measured* measured = nullptr);

/// The view "buffers": elements of one buffer, which `engine` answers for after its run. Errors: a buffer or an element that
/// there is not, a file that is no measurement.
Expected<Drawn> draw_buffers(engine::Engine& engine, const engine::RunResult& result, const results::Moment& moment,
                             const RenderOptions& options);

/// The view "journey": the elements named by --of. Errors: elements that there are not.
Expected<Drawn> draw_journeys(engine::Engine& engine, const results::Summary& summary, const results::Moment& moment,
                              const RenderOptions& options);

/// "metrics", "stalls", ...: views of what a GPU measured; they need no run.
std::span<const std::string_view> measured_view_names();
/// Draws one of them from --measured, or measures first where there is none.
Answer render_measured(const RenderOptions& options);

/// A file of `lanescope measure`.
Expected<engine::MeasuredFile> read_measured(const std::string& path);

/// "padding:32+1": rows of 32 words, 1 unused word after each. "swizzle:32/4/1": rows of 32 words, pieces of 4 words,
/// every row permuted otherwise; "" is no change.
Expected<views::WhatIf> parse_what_if(std::string_view text);

/// What keeps a file of this name from being written: its ending, or a theme that there is not.
Diagnostics wrong_picture(const std::string& output, const std::string& theme);
Diagnostics wrong_theme(const std::string& theme);
/// As it was typed: "high-contrast", "High contrast".
const views::Theme& theme_of(const std::string& typed);
/// .svg, .png, .json (the scene itself) or .csv (its data).
Expected<void> write_picture(const Drawn& drawn, const std::string& output, const std::string& theme, float scale);

}  // namespace lanescope::cli
