#pragma once
// The catalogue on disk, runs of its kernels (each run once in the process), and text surgery on them.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/engine/session/session.h"

namespace lanescope::catalogue {

std::string read_text(const std::filesystem::path& path);
std::filesystem::path kernels_folder();
/// "half2_transposes", ...: every .cu of assets/kernels, sorted, or a sample (tests/catalogue_files.h).
std::vector<std::string> kernel_names(std::size_t every = 1);
/// Of the schedules under which tests of races look: 1, 2, ... as many as LANESCOPE_TEST_SEEDS says, else `usual`.
std::vector<std::uint64_t> seeds_or(std::vector<std::uint64_t> usual);
std::filesystem::path kernel_path(const std::string& name);
std::string kernel_text(const std::string& name);
inline constexpr std::string_view uncommented_kernel = "no_comments";  ///< keeps no claims, to be annotated by the user

/// Whether this machine can compile CUDA C++; tests that edit a kernel skip without.
bool can_compile();
#define LANESCOPE_NEEDS_NVRTC() \
  if (!lanescope::catalogue::can_compile()) GTEST_SKIP() << "editing CUDA needs NVRTC, which is not here"

/// A session that has run `text` under the catalogue's name `name`, or any other file name.
engine::RunRequest request_for(const std::string& name, std::string text);
engine::Session run(const engine::RunRequest& request);
/// The kernel as it is on disk, run once and kept.
const engine::Session& catalogue_run(const std::string& name);

const engine::Output* output(const engine::Session& session, std::string_view name);
/// Contents of a buffer before the launch.
std::vector<std::byte> initial_bytes(const source::Source& source, std::string_view buffer);

/// `text` with the n-th `from` (0: the first) replaced; aborts the test when there is none.
std::string replaced(const std::string& text, std::string_view from, std::string_view to, int nth = 0);
/// 1-based line on which the n-th `what` starts.
int line_of(const std::string& text, std::string_view what, int nth = 0);
/// All diagnostics, one per line, for messages of failed tests.
std::string words(const Diagnostics& diagnostics);

struct Ran {
  int status = -1;
  std::string out, err;
};
/// Runs the built program (LANESCOPE_PROGRAM) with these arguments; nullopt when it was not built.
std::optional<Ran> program(const std::vector<std::string>& arguments);
/// A file of its own in a fresh folder that goes with the process.
std::filesystem::path scratch_file(const std::string& name, std::string_view text);

}  // namespace lanescope::catalogue
