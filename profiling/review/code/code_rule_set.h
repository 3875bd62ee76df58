#pragma once
// What the text and the compiled code say: one file each. Every function appends its findings in any order; review() sorts and silences.

#include <vector>

#include "profiling/review/findings/review_input.h"

namespace lanescope::review {

void source_rules(const ReviewInput& input, std::vector<Finding>& out);     ///< claims, typos, launch bounds, spills
void code_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< divergence, masks
void double_rules(const ReviewInput& input, std::vector<Finding>& out);     ///< double precision
void removed_rules(const ReviewInput& input, std::vector<Finding>& out);    ///< of the text, not of the compiled code
void alignment_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< of shared variables

/// Rows of assignment comments that keep a source from being read, as findings; other diagnostics are left out.
std::vector<Finding> review_of(const Diagnostics& diagnostics, const SourceLines& lines = {});

}  // namespace lanescope::review
