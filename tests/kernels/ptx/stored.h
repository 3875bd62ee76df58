#pragma once
// The stored modules: what nvcc 13.0 made of tests/data/ptx/{language,machine}.cu, our own kernels that between them use
// every construct of the text. `nvcc -ptx -arch=sm_XX [-lineinfo | -G]` makes them again.

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>
#include "kernels/base/read_file.h"

namespace lanescope::ptx {

inline std::string read_text(const std::filesystem::path& path) { return read_file(path.string()).value_or(""); }

inline std::vector<std::filesystem::path> stored_modules() {
  std::vector<std::filesystem::path> paths;
  for (const auto& file : std::filesystem::directory_iterator(LANESCOPE_TEST_DATA_DIR "/ptx"))
    if (file.path().extension() == ".ptx") paths.push_back(file.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace lanescope::ptx
