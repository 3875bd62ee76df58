#pragma once
// The rules in groups, one file each. Every function appends its findings in any order; review() sorts and silences.

#include <string>
#include <vector>

#include "profiling/review/collector.h"
#include "profiling/review/review.h"

namespace lanescope::review {

void source_rules(const ReviewInput& input, std::vector<Finding>& out);     ///< claims, typos, launch bounds, spills
void code_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< divergence, masks
void double_rules(const ReviewInput& input, std::vector<Finding>& out);     ///< double precision
void memory_rules(const ReviewInput& input, std::vector<Finding>& out);     ///< lines, banks, widths
void barrier_rules(const ReviewInput& input, std::vector<Finding>& out);    ///< unneeded, divergent barriers
void grid_race_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< the same between grids of a tree
void race_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< threads that meet with no order
void uninitialised_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< reads of unwritten memory
void warp_rules(const ReviewInput& input, std::vector<Finding>& out);           ///< lanes that wait for their own warp
void removed_rules(const ReviewInput& input, std::vector<Finding>& out);    ///< of the text, not of the compiled code
void lock_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< locks that order no memory
void coherence_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< the read-only path and writes
void write_rules(const ReviewInput& input, std::vector<Finding>& out);      ///< elements written by several
void pointer_rules(const ReviewInput& input, std::vector<Finding>& out);    ///< shapes and strides of pointer offsets

/// "writes", "reads", "updates".
std::string_view touch_verb(races::Touch touch);
/// A finding with the rule's severity and remedy.
Finding finding(std::string_view rule, int line, int column, std::string message);
/// Place and instruction of a step; `addresses` as the machine has them, turned into offsets from `buffer`'s start.
Evidence evidence_of(const LaunchReview& launch, int index, const trace::Where& where);
void show_access(Evidence& evidence, const LaunchReview& launch, const AccessTotals& totals);

/// The line of the kernel's head, 0 when the source does not have it. `kernel` may be an instance: "copy<float4>".
const source::Function* kernel_of(const source::Source& source, std::string_view kernel);
/// A site's line, where the compiler names none that of the code before it, of a function of its library that of the first
/// call; the kernel's own where none of these is known.
int line_of(const ReviewInput& input, const LaunchReview& launch, std::uint32_t pc);
/// "in line 12"; "in a function that lines 12 and 20 call" where one of the compiler's library is called from several.
std::string in_lines(const ReviewInput& input, const LaunchReview& launch, std::uint32_t pc);

/// "1 access", "3 accesses".
std::string counted(std::uint64_t n, std::string_view one, std::string_view many);

}  // namespace lanescope::review
