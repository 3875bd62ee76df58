#pragma once
// The review of a kernel: rules over its source and its run.
//
// A finding rests on the run, not on the text: addresses are those of every block, a barrier is missing
// only where two warps accessed one word in the run. So a review covers the launches that ran; paths that no thread
// took are not reviewed. Rules that need no run (launch bounds, double precision, misspelt rows) cover the whole file.
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

#include <vector>

#include "profiling/review/findings/review_input.h"
#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {

/// Ascending by line, then column, then the rules' order in the table; nothing twice; suppressed ones left out. Rules
/// that the file's own `lanescope: expect` comments name are marked as expected; a comment whose rule finds nothing is
/// a finding of `expected-absent` itself.
std::vector<Finding> review(const ReviewInput& input);

}  // namespace lanescope::review
