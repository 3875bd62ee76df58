#pragma once
// Host programs executed for real: compiled with g++ against a runtime that writes down launches and copies.

#include <optional>
#include <string>

#include "kernels/source/host/host_run.h"

namespace lanescope::source::test {

/// Of each launch a line: kernel, grid, block, shared bytes, arguments; of each buffer its contents when it is first passed.
/// The same words from a run of the interpreter and from the compiled program.
/// `kernels_compute`: each launch then changes the bytes of the buffers that it is given, and a second line has a digest of
/// what they and the variables hold before; a compiled program does so where it sets `kernels_compute_`.
std::string log_of(const HostRun& run, bool kernels_compute = false);
/// Output of the compiled program; nullopt without a compiler. A program that does not compile fails the test.
std::optional<std::string> compiled_log(const std::string& program);
/// The text in front of each program: what the interpreter takes for granted.
std::string interpreted_text(const std::string& program);

/// Expects the same log of the interpreter and of the compiled program; skips without a compiler.
void computes_what_is_compiled(const std::string& program);

HostRun run_text(const std::string& text, const HostLimits& limits = {});

}  // namespace lanescope::source::test
