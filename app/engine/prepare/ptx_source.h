#pragma once

#include "app/engine/requests/requests.h"
#include "kernels/ptx/program.h"
#include "kernels/source/source.h"

namespace lanescope::engine {

/// A source that stands for a bare PTX file: its header is `launch_text`, its kernels have the entries' parameters.
Expected<source::Source> source_of_ptx(const RunRequest& request, const ptx::Module& module);

}  // namespace lanescope::engine
