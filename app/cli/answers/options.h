#pragma once
// Options of the subcommands as values.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::cli {

enum Status : int { all_good = 0, kernel_wrong = 1, bad_input = 2, not_here = 3 };

/// Options of every subcommand that runs a kernel.
struct KernelOptions {
  std::string file;
  std::string launch_file;  ///< for a .ptx file
  std::string kernel{};     ///< a kernel or an instance of one; empty: the file's own choice
  std::string arch;         ///< empty: the header's, else sm_90
  std::string engine = "emulator";
  int device = 0;  ///< of engine gpu
  double gpu_limit_seconds = 30;
  std::uint64_t seed = 1;
  std::uint64_t max_steps = 200'000'000;
  std::uint32_t cores = 0;          ///< for the blocks of one launch; 0: all
  double max_seconds = 600;         ///< of reading, compiling, running and judging together; 0: no limit
  std::uint64_t max_memory = 0;     ///< bytes; 0: half of the machine's
  std::uint64_t history_bytes = 0;  ///< for checkpoints; 0: none
  double run_seconds = 0;  ///< of running, before launches are cut between blocks; 0: as the limit above allows
  bool no_nvrtc = false;
  bool json = false;
  bool verbose = false;                       ///< options of the compiler and their origins, too
  std::vector<std::string> compiler_options;  ///< after `--`
  std::string nvcc_command;                   ///< pasted
  std::vector<std::string> via;               ///< shell commands that start a worker; several: only for a sweep
  int via_wait_seconds = 30;                  ///< for its first word
  // of a sweep (check, review, run)
  std::vector<std::string> more_files;
  std::vector<std::string> sweep;  ///< NAME=VALUE,VALUE,...
  std::string array;               ///< a shell command that runs it as a job array (job_array.h); empty: none does
  int array_tasks = 8;
  std::string array_folder = ".";        ///< one that this machine and the nodes share
  std::string jobs;                      ///< "0,3,4": only these of its jobs; empty: all
  bool progress = false;                 ///< on standard error, even where that is no terminal
  std::vector<std::string> words;        ///< the whole command line before `--`
  std::vector<std::string> given;        ///< the options that were named: "--at", "--warps", ...
  Severity fail_on = Severity::warning;  ///< of review: the mildest finding that makes the status 1
  bool measures = false;                 ///< the command measures on a GPU
};

struct KernelsOptions {
  std::string file;
  bool json = false;
};

struct CatalogueOptions {
  std::vector<std::string> words;  ///< empty: all
  bool json = false;
};

struct LessonsOptions {
  bool json = false;
};

struct LessonOptions {
  std::string name;  ///< of a lesson, or its folder
  std::string gpu;   ///< that it is to be about; empty: its own
  int page = 0;      ///< from 1; 0: all
  bool check = false, json = false;
  bool play = false;  ///< in the window; the command line only has that there is none
};

struct ReviewOptions : KernelOptions {
  bool sarif = false;
  std::string least = "warning";  ///< fail_on, as it is written
};

struct RunOptions : KernelOptions {
  std::vector<std::string> out;  ///< NAME=FILE.npy
};

/// Measurements of a kernel on a GPU, by part: timing, counters, instructions, stalls, activity, trace.
struct MeasureOptions : KernelOptions {
  std::vector<std::string> parts;    ///< empty: all of them
  std::vector<std::string> metrics;  ///< more counters, by the hardware's names
  int warm_up = 3, repetitions = 20;
  std::string output;  ///< JSON for `render --measured`; empty: none is written
};

struct JourneyOptions : KernelOptions {
  std::vector<std::string> elements;   ///< "p[17]", "p[64..67]"
  std::optional<std::uint32_t> block;  ///< none: 0, and of elements that it does not access the first block that does
};

struct RenderOptions : KernelOptions {
  std::string view, at, theme = "dark", colour, output;
  std::string counter = "instructions";  ///< of heat and ptx
  std::string gpu;                       ///< of occupancy; empty: the architecture's
  std::string what_if;                   ///< of shared; see picture.h
  int wavefront = 0;                     ///< of shared, if the option is given: only this one
  std::vector<std::string> measured;  ///< files of `measure`, for views of measurements; several: variants to compare
  std::string baseline;               ///< one more, that metrics are compared with
  std::string filter;                 ///< of metrics
  bool differences = false;           ///< of metrics: only those that differ
  std::string buffer;                 ///< of buffers; empty: the one that shows most
  std::uint64_t from = 0, count = 1024;  ///< of buffers: elements
  std::string of;                        ///< of tree: the value; empty: the stored one that depends on most elements
  int lane = 0;                          ///< of tree, where the option is given; else all lanes of a register
  std::vector<std::string> families;     ///< by name; empty: those that hold data
  std::uint32_t block = 0;
  std::string label = "place";  ///< of block: label of its cells
  int tile = 0;                 ///< of block: threads of a cooperative-groups tile; 0: none
  int warp = 0;
  float share = 1;             ///< of movement: position between before and after the statement
  bool statement = false;      ///< of movement: one statement, also where several together make an exchange
  int warps = 0;               ///< where the option is given; else 4 of registers, and all of the others
  float width = 0, scale = 2;  ///< width: 0, the view's own
  float height = 0;            ///< of movement; 0: the view's own
};

/// A run, a kernel's moments or a lesson as a file to take away.
struct HandoutOptions : KernelOptions {
  std::string output, at, theme = "light";
  std::string gpu;  ///< of a lesson: that it is to be about; empty: its own
  std::uint32_t block = 0;
  int warp = 0;
  std::size_t most_steps = 200;
  float scale = 2;
};

/// Of a kernel file, or of numbers only; numbers beside a file replace those of the file.
struct OccupancyOptions : KernelOptions {
  int registers = -1, threads = -1, shared_bytes = -1;  ///< shared: dynamic, per block; -1: not given
  std::string gpu;                                      ///< empty: the architecture's, H200 where none is named
  std::vector<int> caps;
  bool list_gpus = false, limits = false;
  int carveout_percent = -1;   ///< -1: the driver decides
  int shared_per_thread = -1;  ///< dynamic bytes for each thread of a block; -1: not given
  std::string shared_formula;  ///< the same, as a function of `threads`
  int latency_cycles = 0, arithmetic_cycles = 0, bytes_per_thread = 4;  ///< for Little's law; 0: the table's
  double bandwidth_gb_per_s = 0;
};

struct ResourcesOptions : KernelOptions {
  bool sass = false;  ///< the machine code as text, too
};

/// Of a kernel file, or of a block alone; extents in the order x, y, z, left out: 1 (of an index: 0).
struct ThreadsOptions {
  std::string file, kernel;
  std::vector<std::uint32_t> grid, block, block_index, thread;
  int tile = 0;  ///< threads of a cooperative-groups tile; 0: none
  bool json = false;
};

struct FiguresOptions {
  bool json = false;
};

struct AnnotateOptions : KernelOptions {
  std::string output;
  bool in_place = false;
};

struct AdoptOptions {
  std::string file, kernel, output;
  bool in_place = false, json = false;
};

struct DoctorOptions {
  bool json = false, no_nvrtc = false, ptx = false;
};

struct ExplainOptions {
  std::string what, gpu;  ///< an instruction or a .ptx file; a GPU or an architecture
  bool json = false, unknown_only = false;
};
struct CountersOptions {
  std::string name;  ///< today's or nvprof's, or a part of some; empty: all
  bool json = false;
};
struct AccessOptions {
  std::string space, op, mask = "0xffffffff";
  std::string path, gpu;  ///< caching, ...; a GPU or an architecture
  int width = 0;
  std::vector<std::uint64_t> offsets;
  bool from_stdin = false, json = false;
  std::string pattern, formula;  ///< in place of offsets: "stride:2", "lane*4"
  std::string output, theme = "dark", what_if;
  int wavefront = 0;               ///< of the picture, where the option is given
  std::vector<std::string> given;  ///< the options that were named
};

struct PlanOptions {
  std::string file;  ///< designs; empty: from the options below
  std::string from, to, type, name = "convert";
  std::vector<std::string> through;  ///< assignments between the two
  std::string rename;                ///< "i0=j0 i1=j1": logical bits of the source
  bool free_lanes = false, free_registers = false;
  /// Files to write. output: a header with the functions; kernel_file: a kernel file; global: a header with whole
  /// kernels; self_test: a program.
  std::string name_space, output, kernel_file, global, self_test;
  std::string element, from_axes, to_axes;  ///< of whole kernels
  std::string targets;                      ///< architectures for which the output is compiled; "": all; "none"
  /// Of whole kernels; 0: the default (kernels/convert/exports/{global_kernel,struct_kernel}.h).
  int warps_of_a_block = 0, tile_group = 0, tiles_in_a_row = 0, blocks_of_a_multiprocessor = 0;
  int access_bytes = 0, groups = 0;
  int structures = 0;  ///< words of a structure; 0: a conversion of assignments
  bool to_structures = false;
  int number = 0;  ///< of the plan that is written, from 1; 0: the recommended one
  bool json = false;
};

}  // namespace lanescope::cli
