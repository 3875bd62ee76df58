#pragma once
// For programs that are their own worker: tests and benchmarks, whose main() is not ours. A constructor does
//
//   __attribute__((constructor)) void begin(int argc, char** argv) { lanescope::compile::be_worker_if_asked(argc, argv); }

#include <stdlib.h>

#include <string_view>

#include "kernels/compile/calls/workers.h"

namespace lanescope::compile {

inline constexpr const char* serve_calls_word = "serve-calls-of-the-compiler";

inline void be_worker_if_asked(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == serve_calls_word) ::exit(serve_calls());
}
inline void use_self_as_worker() { use_workers({"/proc/self/exe", serve_calls_word}); }

}  // namespace lanescope::compile
