#pragma once
// Calls of NVRTC in processes of their own. NVRTC works on one call at a time within a process; two processes work on
// two, and a text that makes it crash costs such a process and not this one.
//
// A worker is started with the first call and kept for the calls that follow, since the first call of a process takes
// longer. Where none can be started a call is made in this process.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stdlib.h>

#include "kernels/compile/calls/call.h"

namespace lanescope::compile {

inline constexpr std::size_t most_workers = 2;  ///< the variants of one kernel
/// Answer::status if the compiler ended its process twice; the log has the reason.
inline constexpr int compiler_died = -1;
/// Answer::status if it exceeded its memory limit, which the log states.
inline constexpr int compiler_full = -2;
/// Answer::status of a text that is refused before the compiler has it.
inline constexpr int not_called = -3;

/// The command that starts a process which does serve_calls(). Without one, and with LANESCOPE_COMPILE_WORKERS=off, all
/// calls are made in this process. Ends the workers that run.
void use_workers(std::vector<std::string> command);

/// Nothing: there are no workers. `preferred`: the worker that has the call's headers precompiled, used if it is free.
std::optional<Answer> answer_of_worker(const Call& call, std::size_t preferred);
/// Discards the precompiled headers of a state in every process.
void forget_precompiled_everywhere(const std::string& state);

/// The process ids of workers that run; for tests.
std::vector<int> worker_ids();

/// The first message of a worker: processes with equal greetings give equal answers.
Bytes greeting();
/// A worker's main(): serves calls on standard input until its end. Its exit status.
int serve_calls();

// For programs that are their own worker: tests and benchmarks, whose main() is not ours. A constructor does
//
//   __attribute__((constructor)) void begin(int argc, char** argv) { lanescope::compile::be_worker_if_asked(argc, argv); }

inline constexpr const char* serve_calls_word = "serve-calls-of-the-compiler";

inline void be_worker_if_asked(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == serve_calls_word) ::exit(serve_calls());
}
inline void use_self_as_worker() { use_workers({"/proc/self/exe", serve_calls_word}); }

}  // namespace lanescope::compile
