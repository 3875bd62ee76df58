#pragma once
// Unordered accesses of threads, and what would order them: one file each. Every function appends its findings in any order; review() sorts and silences.

#include <vector>

#include "profiling/review/findings/review_input.h"

namespace lanescope::review {

void barrier_rules(const ReviewInput& input, std::vector<Finding>& out);    ///< unneeded, divergent barriers
void grid_race_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< the same between grids of a tree
void race_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< accesses with no order
void warp_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< lanes that wait for their own warp
void lock_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< locks that order no memory
void coherence_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< the read-only path and writes

}  // namespace lanescope::review
