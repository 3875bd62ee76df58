#pragma once
// A file of somebody else as a kernel file: the launch header that it lacks, written from what was inferred.

#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/source/source.h"

namespace lanescope::assist {

struct Adoption {
  std::string text;    ///< the file, with a launch header in front; nothing else is changed
  std::string header;  ///< what was put in front
  std::vector<std::string>
      inferred;  ///< what the file says itself: "Block: 256 x 1 x 1 threads, from the launch at line 69."
  std::vector<std::string> questions;  ///< what it does not say, with the value that was taken
};

/// Errors: those of reading; a file that has a launch header already, or no kernel.
Expected<Adoption> adopt(std::string_view file, std::string_view text, const source::ReadOptions& options = {});

}  // namespace lanescope::assist
