#pragma once
// What a run says, with the lines of headers as file and line. Numbers of lines stay unit lines (Summary::lines).

#include <vector>

#include "app/engine/summary/run_state.h"

namespace lanescope::engine {

/// Files of the source, before anything ran.
void fill_files(const Prepared& prepared, results::Summary& summary);
/// Diagnostics get the file and line that they mean, sentences name them.
void name_lines(RunState& state);

}  // namespace lanescope::engine
