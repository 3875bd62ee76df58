#pragma once
// The review of a kernel: rules over everything that its source says and its run showed.
//
// A finding rests on what happened, not on how the text looks: addresses are those of every block, a barrier is missing
// only where two warps really met at a word. So a review speaks for the launches that ran, and a path that no thread took
// was not looked at. Rules that need no run (launch bounds, double precision, misspelt rows) look at the whole file.
//
// How to use it (once per launch of the plain program, then once for the file):
//
//   LaunchReview launch{.entry = .., .code = code_sites(..), .launch = .., .spec = .., .buffers = ..names and addresses..};
//   AccessCollector collector(launch);                  // an observer of the plain run
//   emulator::run(module, launch.launch, buffers, {.observers = {&counter, &collector}});
//   ReviewInput input{.source = &source, .claims = judged, .launches = {{&launch, &collector}}, .resources = ..};
//   for (const Finding& f : review(input)) ...
//
// Where the source cannot be read at all, `review_of(diagnostics)` turns misspelt rows among the errors into findings.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/claims/claims.h"
#include "kernels/ptx/program.h"
#include "kernels/source/source.h"
#include "kernels/trace/trace.h"
#include "profiling/review/rules.h"

namespace lanescope::review {

/// What a click on a finding shows. Fields that do not apply keep their defaults.
struct Evidence {
  int launch = -1;
  std::int64_t step = -1;  ///< of the plain run's whole launch
  int pc = -1;
  std::string instruction;  ///< canonical PTX
  std::int64_t block = -1;
  int warp = -1;
  std::uint32_t lanes = 0;  ///< active ones
  trace::MemorySpace space = trace::MemorySpace::global;
  int width_bytes = 0;                                  ///< per lane; 0: no access is shown
  std::string buffer;                                   ///< "shared" for shared memory
  std::array<std::uint64_t, 32> addresses{};            ///< bytes from the buffer's (shared memory's) start
  std::vector<std::pair<std::string, double>> numbers;  ///< "sectors" -> 32, in the order of the message
  /// Of what happened between two: writer and reader, one lane and another. The earlier one first.
  struct Side {
    std::string does;  ///< "writes byte 128 of shared memory"
    int line = 0;
    std::int64_t block = -1;
    int warp = -1, lane = -1;
    int epoch = -1;  ///< barriers that the block had passed; -1: not counted
    bool has_address = false;
    std::uint64_t address = 0;  ///< bytes from the start of the buffer, or of shared memory
    std::string buffer{};       ///< empty: shared memory
    int launch = -1;            ///< -1: that of the evidence
  };
  std::vector<Side> sides{};
  /// What two threads did at one location, in the order of this run: the rows of a table of reads and writes.
  struct Row {
    std::int64_t step = 0;  ///< of the whole launch
    std::int64_t block = 0;
    int warp = 0, lane = 0, line = 0;
    std::string_view does;    ///< "reads", "writes", "updates" (an atomic)
    std::uint32_t value = 0;  ///< of the word: read, or held afterwards
  };
  std::vector<Row> interleaving{};
};

struct Finding {
  std::string rule;
  int line = 0, column = 0;  ///< the user's; 0 unknown
  Severity severity = Severity::warning;
  bool expected = false;  ///< a `lanescope: expect` comment of the file says that it is known
  std::string message;    ///< a sentence with numbers and units, without its full stop
  std::string remedy;
  Evidence evidence;
  std::string saving{};  ///< what the remedy saves over the whole launch, with units; empty: not computed
};

/// One launch as the review sees it.
struct LaunchReview {
  const ptx::Entry* entry = nullptr;
  std::vector<trace::CodeSite> code;  ///< by pc, lines of the user's file
  trace::Launch launch;
  const source::LaunchSpec* spec = nullptr;
  struct Buffer {
    std::string name;
    std::uint64_t address = 0, bytes = 0;
    int element_bits = 32;
    bool library = false;  ///< a table of the compiler's libraries: what is done with it is not the kernel's doing
  };
  std::vector<Buffer> buffers;  ///< those of the launch, in its order, and behind them the module's variables
};

/// What the assembler told about one kernel, per thread.
struct Resources {
  std::string entry;  ///< mangled
  int registers = 0, spill_bytes = 0;
};

class AccessCollector;
struct SecondLook;
}  // namespace lanescope::review

namespace lanescope::races {
class GridRaces;
}

namespace lanescope::review {

struct ReviewInput {
  const source::Source* source = nullptr;
  std::span<const claims::ClaimResult> claims;  ///< by index in Source::claims; may be empty: not judged
  struct Ran {
    const LaunchReview* launch = nullptr;
    const AccessCollector* seen = nullptr;
    const SecondLook* again = nullptr;  ///< nullptr: the first run left no question
  };
  std::vector<Ran> launches;
  /// A launch of the host and the grids that it leads to, which are the launches from `first` on.
  struct Tree {
    std::size_t first = 0;
    const races::GridRaces* races = nullptr;
  };
  std::vector<Tree> trees{};
  std::vector<Resources> resources;  ///< of every kernel of the file; empty: not known
  std::string arch;
  /// Least share of a launch's warp instructions that a branch must leave without some of their lanes.
  double divergence_share = 0.10;
};

/// Ascending by line, then column, then the rules' order in the table; nothing twice; silenced ones left out.
std::vector<Finding> review(const ReviewInput& input);

/// Rows of assignment comments that keep a source from being read, as findings; other diagnostics are left out.
std::vector<Finding> review_of(const Diagnostics& diagnostics, const SourceLines& lines = {});

/// Rules that the file's own `lanescope: expect` comments name, in text order. A comment whose rule finds nothing is a
/// finding of `expected-absent` itself.

/// Errors and warnings that the file does not expect; a note alone means that nothing is wrong.
bool is_wrong(const Finding& finding);

/// Threads meet with nothing that orders them, and what memory holds depends on the schedule.
bool is_race(const Finding& finding);

/// `file:line:column: severity: message; remedy [rule]`, or `[rule, expected]`; severity is error, warning or note.
std::string to_string(const Finding& finding, std::string_view file);

}  // namespace lanescope::review
