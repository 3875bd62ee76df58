#pragma once
// A finding of a rule, with its evidence.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/trace/trace.h"
#include "profiling/access/access.h"

namespace lanescope::review {

// Every rule of the review in one table: finding, reason, remedy. Reports, documentation and the
// `lanescope: allow` comments read it.

struct Rule {
  std::string_view id;  ///< kebab-case, as in `lanescope: allow`
  std::string_view what, why, remedy;
  Severity severity = Severity::warning;  ///< of its usual finding; single findings may be milder
  bool race = false;  ///< its errors are accesses that nothing orders, and memory depends on the schedule
};

std::span<const Rule> rules();
const Rule* find_rule(std::string_view id);  ///< nullptr: no such rule

/// Shown by a click on a finding. Fields that do not apply keep their defaults.
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
  int matrices = 0;                                     ///< as in access::Access
  std::string buffer;                                   ///< "shared" for shared memory
  std::array<std::uint64_t, 32> addresses{};            ///< bytes from the buffer's (shared memory's) start
  std::vector<std::pair<std::string, double>> numbers;  ///< "sectors" -> 32, in the order of the message
  /// The two parties: writer and reader, one lane and another. The earlier one first.
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
  std::vector<access::ThreadAccess> interleaving{};  ///< of two threads at one location
};

struct Finding {
  std::string rule;
  int line = 0, column = 0;  ///< the user's; 0 unknown
  Severity severity = Severity::warning;
  bool expected = false;  ///< a `lanescope: expect` comment of the file expects it
  std::string message;    ///< a sentence with numbers and units, without its full stop
  std::string remedy;
  Evidence evidence;
  std::string saving{};  ///< saving of the remedy over the whole launch, with units; empty: not computed
  /// The number of it: sectors, wavefronts, broadcasts or executions, each about a cycle of a multiprocessor's memory
  /// pipe.
  std::uint64_t saved = 0;
  std::vector<int> called_at{};  ///< `line` is inside an inlined function: lines of the outermost calls, ascending
};

/// A finding with the rule's severity and remedy.
Finding finding(std::string_view rule, int line, int column, std::string message);

/// "1 access", "3 accesses".
std::string counted(std::uint64_t n, std::string_view one, std::string_view many);

/// Errors and warnings that the file does not expect; a note alone means that nothing is wrong.
bool is_wrong(const Finding& finding);

/// Accesses of threads are unordered, and the contents of memory depend on the schedule.
bool is_race(const Finding& finding);

/// `file:line:column: severity: message; remedy [rule]`, or `[rule, expected]`; severity is error, warning or note.
std::string to_string(const Finding& finding, std::string_view file);

}  // namespace lanescope::review
