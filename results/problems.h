#pragma once
// The problems of a kernel as one list: errors of the compiler and of the launch header, faults, races, claims that
// differ, unexpected outputs, and findings of the review. Every display of problems shows this list, so that counts,
// marks and panels agree.
//
// The worst problem is first: by severity (certain ones before those that rest on assumptions), then by kind (a fault
// before a race, a race before a claim, a claim before a cost), then by line. Problems that the file expects
// (`lanescope: expect`) are notes. Claims are in the list once, as claims, and not a second time as findings of the
// review; a fault is not repeated as a diagnostic.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "results/summary.h"

namespace lanescope::results {

struct Problem {
  enum class Kind : std::uint8_t {
    input,    ///< compile errors, the launch header, refused launches
    fault,    ///< the run ended at it
    race,     ///< missing barriers, elements that several write
    claim,    ///< an assignment comment differs or is unchecked
    finding,  ///< another rule of the review
    cost,     ///< a rule of the review about time
  };
  Kind kind = Kind::input;
  Severity severity = Severity::error;
  bool expected = false;    ///< a comment of the file expects it
  bool assumed = false;     ///< it rests on assumptions: nothing is known to be wrong
  std::string title;        ///< in a few words: "out of bounds", "race", "y differs"
  std::string message;      ///< with numbers and units; it begins with the assumptions that it rests on
  std::string remedy;       ///< may be empty
  std::string saving;       ///< of the remedy, with units; empty: not computed
  std::uint64_t saved = 0;  ///< FindingInfo::saved
  std::string rule;         ///< of the review; empty: of none
  int line = 0, column = 0;
  std::vector<Party> parties{};  ///< which accesses conflict, each with its line
  // where it is seen at its worst
  int launch = -1;          ///< from 0; -1: it is of no launch
  std::int64_t block = -1;  ///< -1: it is of no block
  int warp = -1, lane = -1;
  std::int64_t step = -1;        ///< of the recorded block; -1: another block, or not known
  int claim = -1, finding = -1;  ///< index in Summary::claims, Summary::findings

  /// The same trouble in another run of the same text: all but the recorded steps.
  bool same_as(const Problem& o) const {
    return kind == o.kind && rule == o.rule && line == o.line && column == o.column && message == o.message;
  }
  bool has_moment() const { return block >= 0 || step >= 0; }
};

/// Of a run; see above for the order.
std::vector<Problem> problems_of(const Summary& summary);
/// Of errors that kept a kernel from running.
std::vector<Problem> problems_of(const Diagnostics& diagnostics, const SourceLines& lines = {});

/// Whether a block of a launch is another one than the recorded one: only that one's steps are known.
bool elsewhere(const Summary& summary, int launch, std::int64_t block);
/// The error that an access to memory is part of: a race, an element that several write. nullptr: it is part of none.
const Problem* problem_of_access(const std::vector<Problem>& problems, const Summary& summary, int line,
                                 trace::MemorySpace space);
/// The difference between the sides of a problem.
struct Across {
  bool lines = false, blocks = false, launches = false;
};
Across conflict_across(const Problem& problem);
/// "Race: line 27 writes byte 4 of shared memory, line 28 reads byte 4 of shared memory"; in one line "warp 0, lane 3
/// writes"; with blocks and launches where they differ: "line 27 in block 0 of launch 2 writes", "block 0, warp 0, lane
/// 3".
std::string parties_words(const Problem& problem);
/// "out of bounds: lane 0 accesses element 224 of `p`; `p` has 200 elements of 32 bits, 800 bytes".
std::string fault_words(const FaultInfo& fault);

/// The fault that ended the run at this step of the recorded block; nullptr: none did.
const FaultInfo* fault_at(const Summary& summary, std::int64_t step);

struct ProblemCounts {
  int errors = 0, warnings = 0, notes = 0;
  int assumed = 0;  ///< errors that rest on assumptions; not among `errors`
  int total() const { return errors + assumed + warnings + notes; }
};
ProblemCounts count(const std::vector<Problem>& problems);
/// By which a problem is drawn: an error that rests on assumptions is drawn as a warning.
inline Severity shown_severity(const Problem& p) {
  return p.assumed && p.severity == Severity::error ? Severity::warning : p.severity;
}
/// "error", "warning", "note".
std::string_view severity_name(Severity severity);
/// "block 3, warp 1, lane 5"; parts that are unknown are left out.
std::string place_words(std::int64_t block, int warp, int lane);

// The assumptions that a result rests on, and their words in front of it.

using Assumptions = std::vector<source::Assumption>;

/// Of findings of a rule in these launches; empty: in some launch. None for rules about text and code.
Assumptions rests_on(const Summary& summary, std::string_view rule, std::set<int> launches);
/// Of a finding: in its launch and those of its parties.
Assumptions rests_on(const Summary& summary, const FindingInfo& finding);
/// `array`: after which buffer the access is, "" for one to shared memory or to no buffer; nullopt: the fault is of
/// another kind.
Assumptions fault_rests_on(const Summary& summary, int launch, std::optional<std::string_view> array);
Assumptions rests_on(const Summary& summary, const ClaimInfo& claim);
/// Of a review that found nothing.
Assumptions silence_rests_on(const Summary& summary);
/// Of any statement of a report.
Assumptions anything_rests_on(const Summary& summary);

/// Sentences about the whole run: the assumptions, then the inferences.
std::vector<std::string> sentences_of(const Summary& summary);

/// "if the block is 32 x 1 x 1 and n is 32 (assumed): "; empty where there are none.
std::string condition_words(const Assumptions& assumed);

// Accesses of two threads to one place in memory, as a table in time order, and the effect of another order.

struct Interleaving {
  std::string first, second;  ///< "warp 0, lane 3"; with the block where it is another one
  struct Row {
    bool of_second = false;
    std::string does;  ///< "writes 5"
    int line = 0;      ///< 0: not known
    bool operator==(const Row&) const = default;
  };
  std::vector<Row> rows;    ///< in the order of this run; empty: there is no table
  std::string consequence;  ///< a sentence
};

/// Of a finding about two threads; without rows where it has no two.
Interleaving interleaving_of(const FindingInfo& finding);

}  // namespace lanescope::results
