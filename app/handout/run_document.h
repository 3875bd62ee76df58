#pragma once
// A run as a handout: what one warp does, line by line, with its registers and the memory that it accesses, and what the run
// said about the kernel.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/remote/engine.h"
#include "viz/page/document.h"

namespace lanescope::handout {

struct RunOptions {
  int warp = 0;
  std::size_t most_steps = 200;
  std::string at{};  ///< "58" or "step:120": only this moment; empty: all of them
};

/// Colours of the light and the dark theme.
std::array<page::Colors, page::look_count> page_colors();

/// `text`: the file's. Errors: a warp or a moment that there is not, a block without a step, an engine that is lost. What was
/// left out is said in the document.
Expected<page::Document> document_of_run(engine::Engine& engine, const engine::RunResult& result,
                                         const std::string& text, const RunOptions& options);

}  // namespace lanescope::handout
