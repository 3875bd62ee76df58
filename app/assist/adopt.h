#pragma once
// A foreign file as a kernel file: its missing launch header, written from inferred values.

#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/source/source.h"

namespace lanescope::assist {

struct Adoption {
  std::string text;    ///< the file, with a launch header in front; nothing else is changed
  std::string header;  ///< the inserted text
  std::vector<std::string>
      inferred;  ///< stated by the file itself: "Block: 256 x 1 x 1 threads, from the launch at line 69."
  std::vector<std::string> questions;  ///< values that it does not state, with the assumed ones
};

/// Errors: those of reading; a file that has a launch header already, or no kernel.
Expected<Adoption> adopt(std::string_view file, std::string_view text, const source::ReadOptions& options = {});

}  // namespace lanescope::assist
