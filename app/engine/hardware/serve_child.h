#pragma once

#include <string_view>

namespace lanescope::engine {

/// The whole of a child's main(), on standard input and output: its exit status; 2 for a task that is none of child_tasks.
int serve_child(std::string_view task);

}  // namespace lanescope::engine
