#pragma once
// Every function that applies rules, one file each: it appends its findings in any order; review() sorts and silences.

#include <algorithm>
#include <string_view>
#include <vector>

#include "profiling/review/findings/review_input.h"

namespace lanescope::review {

// Unordered accesses of threads and their remedies (profiling/review/races)
void barrier_rules(const ReviewInput& input, std::vector<Finding>& out);    ///< unneeded, divergent barriers
void grid_race_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< the same between grids of a tree
void race_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< accesses with no order
void stream_rules(const ReviewInput& input, std::vector<Finding>& out);     ///< the same between operations of streams
void warp_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< lanes that wait for their own warp
void lock_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< locks that order no memory
void coherence_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< the read-only path and writes

// The costs of accesses, and the elements that they reach (profiling/review/memory)
void memory_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< lines, banks, widths
void atomic_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< lanes that take turns at one address
void uninitialised_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< reads of unwritten memory
void write_rules(const ReviewInput& input, std::vector<Finding>& out);          ///< elements written by several
void coverage_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< unwritten elements
void heap_rules(const ReviewInput& input, std::vector<Finding>& out);           ///< memory that is never freed
void pointer_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< shapes and strides of pointer offsets

// The text and the compiled code (profiling/review/code)
void source_rules(const ReviewInput& input, std::vector<Finding>& out);     ///< claims, typos, launch bounds, spills
void code_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< divergence, masks
void host_rules(const ReviewInput& input, std::vector<Finding>& out);       ///< mistakes of the host code
void double_rules(const ReviewInput& input, std::vector<Finding>& out);     ///< double precision
void print_rules(const ReviewInput& input, std::vector<Finding>& out);      ///< formats of printf
void removed_rules(const ReviewInput& input, std::vector<Finding>& out);    ///< of the text, not of the compiled code
void alignment_rules(const ReviewInput& input, std::vector<Finding>& out);  ///< of shared variables

/// Rows of assignment comments that keep a source from being read, as findings; other diagnostics are left out.
std::vector<Finding> review_of(const Diagnostics& diagnostics, const SourceLines& lines = {});

// Canonical PTX as text: "@%p1 mul.f64 %fd2, %fd1, 0d3BF921FB54442D19;".

inline std::string_view without_guard(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  return text;
}

/// The n-th operand, from 0: "%fd2". Empty where there are fewer.
inline std::string_view operand(std::string_view text, int n) {
  text = without_guard(text);
  text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  for (; n > 0 && !text.empty(); --n) text.remove_prefix(std::min(text.size(), text.find(", ") + 2));
  return text.substr(0, text.find_first_of(",;"));
}

/// Whether it begins so after its guard.
inline bool is(std::string_view text, std::string_view opcode) { return without_guard(text).starts_with(opcode); }

}  // namespace lanescope::review
