#pragma once
// The subcommands as functions of their options. app/cli/arguments.cpp fills the options, one file each does the work.
// Each gives its exit status.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/options.h"
#include "app/engine/requests/run_result.h"
#include "results/summary.h"

namespace lanescope::cli {

int check(const KernelOptions& options);
/// The kernels of a file with their launches; nothing is compiled or run.
int kernels(const KernelsOptions& options);
/// The kernels of the catalogue that fit the words; of a single one, the whole explanation.
int list_catalogue(const CatalogueOptions& options);
/// The installed lessons, with the questions answered.
int list_lessons(const LessonsOptions& options);
/// One lesson: its pages, one of them, or its errors.
int show_lesson(const LessonOptions& options);
int review_kernel(const ReviewOptions& options);
int run_kernel(const RunOptions& options);
/// A run for each combination of the values, one JSON line each, in the order of files and values (the last parameter
/// changes fastest). Several --via share the work. Exit status: the worst of all lines.
enum class Swept : std::uint8_t { check, review, run };
int sweep(const KernelOptions& options, Swept what);
/// Exit status 3 where nothing could be measured, 1 where the launch fails.
int measure(const MeasureOptions& options);
/// The places that elements pass through.
int journey(const JourneyOptions& options);
/// Resources of each kernel of a file by the assembler; nothing is run.
int resources(const ResourcesOptions& options);
int annotate(const AnnotateOptions& options);
int adopt(const AdoptOptions& options);
/// A run, moments or a lesson as one HTML file or as slides, or one moment as a picture.
int write_handout(const HandoutOptions& options);
int doctor(const DoctorOptions& options);
/// Which instructions of PTX the emulator executes.
int doctor_ptx(const DoctorOptions& options);

// Files that a package installs beside the program: hidden subcommands, so that they cannot differ from it.

struct DesktopOptions {
  std::string output;  ///< empty: standard output
  std::string shell;
  int icon_size = 48;  ///< pixels
};

/// Return an exit status; errors are on standard error.
int write_text(const DesktopOptions& options, std::string_view text);
int write_icon(const DesktopOptions& options);

// Buffers as .npy files (NumPy's own format, version 1.0).

/// The elements of the buffer in the order of its axes, holes left out. Types that NumPy does not have are written as
/// the unsigned integers of the same bits: bf16 as 16-bit, u4, s4 and b1 as one byte per element.
std::vector<std::byte> npy_bytes(const engine::Output& output, const results::BufferInfo& spec);

// Reviews as SARIF 2.1.0, which code hosts and editors read.

struct ReviewedFile {
  std::string file, text;  ///< text: empty where the file could not be read
  std::vector<review::Finding> findings{};
  SourceLines lines{};  ///< of findings
  std::vector<std::string> header_texts{};
  Answer answer{};
  bool reviewed = false;  ///< false: nothing but the diagnostics of the answer
};
/// One log with one run. Findings and errors in the files and the headers read with them are results; warnings, notes
/// and failures elsewhere are notifications of the invocation. Columns count characters, not bytes. Files are named
/// from the root of the repository that the first of them is in.
nlohmann::json sarif(std::span<const ReviewedFile> files);

/// A path as SARIF names it: percent-encoded; an absolute one as file:///...
std::string uri_of(std::string_view path);

}  // namespace lanescope::cli
