#pragma once
// The engine at the other end of a pipe: `lanescope worker`.

namespace lanescope::engine {

/// Answers the frames (wire/messages.h) of standard input on standard output, until the input ends; then the process exits at
/// once, even if a kernel runs, so that no worker outlives its window: with status 0, or 2 if the stream is broken.
/// Everything else that is printed moves to standard error. Returns only if that cannot be arranged, with the exit status.
int run_worker();

}  // namespace lanescope::engine
