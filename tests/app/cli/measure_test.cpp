// Measuring, and drawing what was measured, as a shell sees them; on machines without a GPU, too.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/engine/measured_file.h"
#include "kernels/gpu/gpu.h"
#include "tests/viz/measured_fixtures.h"
#include "viz/views/csv.h"
#include "viz/views/stalls.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

class Measure : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("lanescope_measure_{}", ::getpid());
    fs::create_directories(folder_);
    write("m.json", engine::to_text({.file = kernel, .kernel = "k", .measured = views::fixtures::measured()}));
    write("slow.json", engine::to_text({.file = kernel, .kernel = "k", .measured = views::fixtures::slower()}));
  }
  void TearDown() override { fs::remove_all(folder_); }
  int run(const std::string& arguments) {
    const std::string command = fmt::format("cd '{}' && '{}' {} > '{}' 2> '{}'", LANESCOPE_SOURCE_DIR,
                                            LANESCOPE_PROGRAM, arguments, path("out"), path("err"));
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  std::string kernel = "tests/data/engine/half2.cu";
  fs::path folder_;
};

TEST_F(Measure, EveryViewOfAFileIsDrawn) {
  for (const std::string view : {"metrics", "stalls", "compare", "sass", "host-calls"}) {
    for (const std::string ending : {"svg", "csv", "json"}) {
      const std::string out = path(view + "." + ending);
      EXPECT_EQ(run(fmt::format("render {} --view {} --measured {} --measured {} --theme light -o {}", kernel, view,
                                path("m.json"), path("slow.json"), out)),
                0)
          << slurp(path("err"));
      EXPECT_GT(fs::file_size(out), 100u) << view;
    }
  }
  EXPECT_EQ(slurp(path("stalls.csv")), views::stalls_csv(views::fixtures::measured()));
  EXPECT_EQ(views::csv::parse(slurp(path("compare.csv"))).size(), 3u);
  EXPECT_NE(slurp(path("compare.svg")).find("limit"), std::string::npos);
}

TEST_F(Measure, MistakesAreSaid) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"measure " + kernel + " --parts timing,nonsense", "no part 'nonsense'"},
      {fmt::format("render {} --view metrics --measured {} -o {}", kernel, path("none.json"), path("x.svg")),
       "none.json"},
      {fmt::format("render {} --view metrics --measured {} -o {}", kernel, kernel, path("x.svg")), "no measurement"},
      {fmt::format("render {} --view metrics --measured {} --at banana -o {}", kernel, path("m.json"), path("x.svg")),
       "no line"}};
  for (const auto& [arguments, words] : mistakes) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_NE(slurp(path("err")).find(words), std::string::npos) << slurp(path("err"));
  }
}

TEST_F(Measure, WithoutAGpuItSaysWhyAndTheViewSaysIt) {
  if (const auto all = gpu::devices(); all && !all->empty()) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(run(fmt::format("measure {} -o {}", kernel, path("now.json"))), 3);
  EXPECT_FALSE(slurp(path("err")).empty());
  const auto file = engine::parse_measured_file(slurp(path("now.json")), "now.json");
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->measured.refused.empty());
  EXPECT_EQ(run(fmt::format("render {} --view stalls -o {}", kernel, path("stalls.svg"))), 0) << slurp(path("err"));
  EXPECT_NE(slurp(path("stalls.svg")).find("not measured"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::cli
