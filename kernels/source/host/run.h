#pragma once
// One run of a file's host code: `main`, then the functions with launches that it did not reach.

#include <string>
#include <vector>

#include "kernels/source/host/evaluator.h"

namespace lanescope::source::host {

/// What differs between the attempts at one file.
struct Attempt {
  bool never_leave = false;          ///< as if `main` had the arguments that it requires
  std::vector<std::string> words{};  ///< the command line, without the program's name
  int word_count = 1;                ///< argc where there is no command line
  int number = 128;                  ///< a number that is read from there
  bool one_resident = false;         ///< calls report one block per multiprocessor as resident, or two
};

/// Whether it has more threads in a block than any device takes.
bool block_too_large(const HostLaunch& l);

HostRun run_once(const Lexed& lexed, const Outline& outline, const HostLimits& limits, const Attempt& attempt);

}  // namespace lanescope::source::host
