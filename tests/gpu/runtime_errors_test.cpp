// The files of the rule call-fails as programs: nvcc builds each, and the CUDA runtime itself reports whether a call of it
// failed. Where nvcc is not installed nothing is compared.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include "kernels/base/read_file.h"
#include "kernels/base/write_file.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

/// The output of a command, and its status.
std::pair<std::string, int> output_of(const std::string& command) {
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {"", -1};
  std::string out;
  std::array<char, 4096> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) out.append(part.data(), n);
  return {out, ::pclose(pipe)};
}

TEST(RuntimeErrors, AreThoseOfTheReview) {
  LS_NEEDS_GPU();
  if (output_of("nvcc --version").second != 0) GTEST_SKIP() << "nvcc is not installed; it builds the programs";
  const std::filesystem::path build = std::filesystem::temp_directory_path() / "lanescope-runtime-errors";
  std::filesystem::create_directories(build);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(LANESCOPE_TEST_DATA_DIR "/review/call-fails"))
    files.insert(entry.path());
  ASSERT_GE(files.size(), 10U);
  for (const std::filesystem::path& file : files) {
    const std::string name = file.stem().string();
    const std::string program = (build / name).string();
    const auto source = read_file(file.string());
    ASSERT_TRUE(source);
    std::string text = *source;
    const std::string head = "int main(";
    const std::size_t at = text.find(head);
    ASSERT_NE(at, std::string::npos) << name;
    // The runtime keeps the last error of any call until it is read.
    text = "#include <cstdio>\n" + text.replace(at, head.size(), "void program(") +
           "\nint main() { program(); std::printf(\"%s\", cudaGetErrorName(cudaGetLastError())); }\n";
    ASSERT_TRUE(write_file(program + ".cu", text));
    const auto [words, status] =
        output_of(fmt::format("nvcc -w -arch=native -o {} {}.cu && {}", program, program, program));
    ASSERT_EQ(status, 0) << name << ": " << words;
    EXPECT_EQ(words == "cudaSuccess", name.starts_with("miss")) << name << ": " << words;
    rows.push_back({{"file", name}, {"error", words}});
  }
  write_results("gpu_runtime_errors", {{"command",
                                        "nvcc -arch=native of each file of tests/data/review/call-fails, and "
                                        "the last error that the runtime reports"},
                                       {"rows", rows}});
  std::filesystem::remove_all(build);
}

}  // namespace
}  // namespace lanescope::gpu_test
