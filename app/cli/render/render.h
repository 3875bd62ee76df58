#pragma once
// `lanescope render`: one view as a file.

#include "app/cli/answers/options.h"

namespace lanescope::cli {

/// Exit status 3 where the view shows what a GPU measured and nothing could be measured.
int render(const RenderOptions& options);

}  // namespace lanescope::cli
