#pragma once
// Small projects in a folder of their own.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/source/options/gather.h"

namespace lanescope::options {

/// A folder of files with a `.git` beside them, so that nothing outside of it is looked at; gone at the end.
struct Project {
  std::filesystem::path root;
  Project() {
    std::string name = (std::filesystem::temp_directory_path() / "lanescope_options_XXXXXX").string();
    root = std::filesystem::canonical(::mkdtemp(name.data()));
    std::filesystem::create_directories(root / ".git");
  }
  ~Project() { std::filesystem::remove_all(root); }
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
    return root / name;
  }
  void folder(const std::string& name) const { std::filesystem::create_directories(root / name); }
};

/// "-DX=1 -Icommon": what the compiler is given, in order.
inline std::string words_for_compiler(const CompileSettings& settings) {
  std::string out;
  for (const UsedOption& o : settings.used)
    if (!o.word.empty()) out += (out.empty() ? "" : " ") + o.word;
  return out;
}

/// Reason for which an option was left out; "" where it was not.
inline std::string reason_for(const CompileSettings& settings, const std::string& written) {
  for (const LeftOut& o : settings.left_out)
    if (o.written == written) return o.reason;
  return "";
}

}  // namespace lanescope::options
