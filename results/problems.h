#pragma once
// What is wrong with a kernel, as one list: errors of the compiler and of the launch header, faults, races, claims that
// differ, outputs that are not the expected ones, and what the review found. Every display of problems shows this list, so
// that counts, marks and panels agree.
//
// The worst problem comes first: by severity (what rests on assumptions after what is certain), then by kind (a fault before a
// race, a race before a claim, a claim before a cost), then by line. What the file itself expects (`lanescope: expect`) is a note. Claims are in the list once, as
// claims, and not a second time as findings of the review; a fault is not repeated as a diagnostic.

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
  bool expected = false;    ///< a comment of the file says that it is known
  bool assumed = false;     ///< it rests on assumptions: nothing is known to be wrong
  std::string title;        ///< what it is, in a few words: "out of bounds", "race", "y differs"
  std::string message;      ///< what happened, with numbers and units; first what was assumed, where it rests on that
  std::string remedy;       ///< what to do; may be empty
  std::string saving;       ///< what that saves, with units; empty: not computed
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
/// Of what kept a kernel from running.
std::vector<Problem> problems_of(const Diagnostics& diagnostics, const SourceLines& lines = {});

/// Whether a block of a launch is another one than the recorded one: only that one's steps are known.
bool elsewhere(const Summary& summary, int launch, std::int64_t block);
/// The error that an access to memory is part of: a race, an element that several write. nullptr: it is part of none.
const Problem* problem_of_access(const std::vector<Problem>& problems, const Summary& summary, int line,
                                 trace::MemorySpace space);
/// In what the sides of a problem differ.
struct Across {
  bool lines = false, blocks = false, launches = false;
};
Across conflict_across(const Problem& problem);
/// "Race: line 27 writes byte 4 of shared memory, line 28 reads byte 4 of shared memory"; in one line "warp 0, lane 3
/// writes"; with blocks and launches where they differ: "line 27 in block 0 of launch 2 writes", "block 0, warp 0, lane 3".
std::string parties_words(const Problem& problem);
/// "out of bounds: lane 0 accesses element 224 of `p`; `p` has 200 elements of 32 bits, 800 bytes".
std::string fault_words(const FaultInfo& fault);

/// The fault that ended the run at this step of the recorded block; nullptr: none did.
const FaultInfo* fault_at(const Summary& summary, std::int64_t step);

struct ProblemCounts {
  int errors = 0, warnings = 0, notes = 0;
  int assumed = 0;  ///< errors if what they rest on is right; not among `errors`
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

// Which assumptions a result rests on, and how that is said: in front of it, once and shortly.

using Assumptions = std::vector<source::Assumption>;

/// Of what a rule of the review found in these launches; empty: in some launch. None of rules about text and code.
Assumptions rests_on(const Summary& summary, std::string_view rule, std::set<int> launches);
/// Of a finding: in its launch and those of its parties.
Assumptions rests_on(const Summary& summary, const FindingInfo& finding);
/// `array`: after which buffer the access is, "" for one to shared memory or to no buffer; nullopt: the fault is of another kind.
Assumptions fault_rests_on(const Summary& summary, int launch, std::optional<std::string_view> array);
/// Of a verdict.
Assumptions rests_on(const Summary& summary, const ClaimInfo& claim);
/// Of a review that found nothing.
Assumptions silence_rests_on(const Summary& summary);
/// Of anything that a report says.
Assumptions anything_rests_on(const Summary& summary);

/// Sentences about the whole run: what was assumed, then what was inferred.
std::vector<std::string> sentences_of(const Summary& summary);

/// "if the block is 32 x 1 x 1 and n is 32 (assumed): "; empty where there are none.
std::string condition_words(const Assumptions& assumed);

// What two threads did at one place in memory, as a table that is read from top to bottom, and what another order would do.

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
