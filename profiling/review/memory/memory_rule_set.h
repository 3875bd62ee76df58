#pragma once
// What accesses cost, and which elements they reach: one file each. Every function appends its findings in any order; review() sorts and silences.

#include <vector>

#include "profiling/review/findings/review_input.h"

namespace lanescope::review {

void memory_rules(const ReviewInput& input, std::vector<Finding>& out);         ///< lines, banks, widths
void uninitialised_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< reads of unwritten memory
void write_rules(const ReviewInput& input, std::vector<Finding>& out);          ///< elements written by several
void coverage_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< unwritten elements
void heap_rules(const ReviewInput& input, std::vector<Finding>& out);           ///< memory that is never freed
void pointer_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< shapes and strides of pointer offsets

}  // namespace lanescope::review
