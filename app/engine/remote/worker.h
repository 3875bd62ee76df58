#pragma once
// The engine at the other end of a pipe: `lanescope worker`.

namespace lanescope::engine {

/// Serves frames (see wire.h) from `in` to `out` until `in` ends; then the process exits at once, whatever a kernel is
/// doing, so that no worker outlives its window. Returns the exit status where the stream is broken (2).
/// A run that arrives while another is going on takes its place; of moments that wait, only the newest is answered.
int serve(int in, int out);

/// serve() on standard input and output. Everything else that is printed goes to standard error from then on.
int run_worker();

}  // namespace lanescope::engine
