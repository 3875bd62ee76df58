#pragma once
// Folders of kernels and headers for tests of the compiler.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "kernels/compile/compile.h"

#define NEEDS_NVRTC()                           \
  if (!::lanescope::compile::toolchain().nvrtc) \
  GTEST_SKIP() << "NO NVRTC ON THIS MACHINE: " << ::lanescope::compile::toolchain().problem

namespace lanescope::compile {

/// A folder of files, gone at the end.
struct Files {
  std::filesystem::path folder;
  Files() {
    std::string name = (std::filesystem::temp_directory_path() / "lanescope_compile_XXXXXX").string();
    folder = ::mkdtemp(name.data());
  }
  ~Files() { std::filesystem::remove_all(folder); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
};

}  // namespace lanescope::compile
