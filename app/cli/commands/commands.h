#pragma once
// The subcommands as functions of their options. app/cli/arguments.cpp fills the options, one file each does the work. Each
// gives its exit status.

#include "app/cli/answers/options.h"

namespace lanescope::cli {

int check(const KernelOptions& options);
/// The kernels of a file with their launches; nothing is compiled or run.
int kernels(const KernelsOptions& options);
/// The kernels of the catalogue that fit the words; of a single one, the whole explanation.
int list_catalogue(const CatalogueOptions& options);
/// The lessons that come with the program, with what has been answered.
int list_lessons(const LessonsOptions& options);
/// One lesson: its pages, one of them, or what is wrong with it.
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
/// What the assembler gave each kernel of a file; nothing is run.
int resources(const ResourcesOptions& options);
int annotate(const AnnotateOptions& options);
int adopt(const AdoptOptions& options);
/// A run, moments or a lesson as one HTML file or as slides, or one moment as a picture.
int write_handout(const HandoutOptions& options);
int doctor(const DoctorOptions& options);
/// Which instructions of PTX the emulator executes.
int doctor_ptx(const DoctorOptions& options);

}  // namespace lanescope::cli
