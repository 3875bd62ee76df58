#pragma once
// Kernels of the catalogue as files.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/sample.h"

namespace lanescope::test {

/// Every .cu of assets/kernels, sorted; with `every`, one of so many, unless LANESCOPE_EXHAUSTIVE is set. Samples of the same
/// share are the same, so that what one test compiled another one finds compiled.
inline std::vector<std::filesystem::path> catalogue_files(std::size_t every = 1) {
  std::vector<std::filesystem::path> all, out;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels"))
    if (entry.path().extension() == ".cu") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  for (std::size_t n = 0; n < all.size(); ++n)
    if (in_sample(n, every)) out.push_back(all[n]);
  return out;
}

}  // namespace lanescope::test
