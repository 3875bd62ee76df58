#pragma once
// The program as a shell runs it, from the repository's root, in tests that have a folder of their own.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

namespace lanescope::cli {

#ifdef LANESCOPE_PROGRAM
inline constexpr const char* program = LANESCOPE_PROGRAM;
#else
inline constexpr const char* program = "lanescope";
#endif

inline const std::string data = "tests/data/engine/";
/// A kernel of bare PTX with its launch file, as arguments.
inline const std::string copy = data + "copy.ptx --launch " + data + "copy.toml ";

/// Empty where there is no such file.
inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

class ProgramTest : public testing::Test {
 protected:
  struct Result {
    int status = -1;  ///< -1: a signal ended it
    std::string out, err;
    bool operator==(const Result&) const = default;
  };
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / fmt::format("lanescope_cli_{}_{}", ::getpid(), std::random_device{}());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Without a display.
  Result run(const std::string& arguments, const std::string& input = "") const {
    write("in", input);
    const std::string command =
        fmt::format("cd '{}' && unset DISPLAY WAYLAND_DISPLAY && '{}' {} < '{}' > '{}' 2> '{}'", LANESCOPE_SOURCE_DIR,
                    program, arguments, path("in"), path("out"), path("err"));
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(path("out")), slurp(path("err"))};
  }
  /// In the test's own folder.
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  std::filesystem::path folder_;
};

}  // namespace lanescope::cli
