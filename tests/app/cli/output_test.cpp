// Where the output goes: disks that are full, streams that are closed, links, devices and folders.

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string half2 = "assets/kernels/half2_transposes.cu ";

class Output : public ProgramTest {
 protected:
  /// The status with standard output at `where` ("> /dev/full", ">&-"); the text on standard error.
  Result run_to(const std::string& where, const std::string& arguments, const std::string& input = "") const {
    write("in", input);
    const std::string command = fmt::format("cd '{}' && unset DISPLAY WAYLAND_DISPLAY && '{}' {} < '{}' 2> '{}' {}",
                                            LANESCOPE_SOURCE_DIR, program, arguments, path("in"), path("err"), where);
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", slurp(path("err"))};
  }
  bool make_device(const std::string& name, unsigned major, unsigned minor) const {
    return ::mknod(path(name).c_str(), S_IFCHR | 0666, makedev(major, minor)) == 0;
  }
  bool is_device(const std::string& name) const { return fs::is_character_file(fs::symlink_status(path(name))); }
};

/// Every command that says something on standard output.
std::vector<std::string> talking(const std::string& folder) {
  std::vector<std::string> all;
  for (const std::string as_json : {"", " --json"}) {
    for (const std::string& command :
         {"check " + half2, "review " + half2, "run " + copy, "annotate " + half2, "occupancy " + half2,
          std::string("occupancy --gpus"), std::string("occupancy --registers 32 --threads 64"), std::string("figures"),
          std::string("doctor"), std::string("access --space global --op ld --width 4 --pattern aligned")})
      all.push_back(command + as_json);
  }
  all.push_back("review --sarif " + half2);
  all.push_back("run " + copy + "--sweep seed=1,2");
  all.push_back("annotate " + half2 + "-o " + folder + "/a.cu");
  all.push_back("render " + half2 + "--view registers --json -o " + folder + "/r.svg");
  for (const char* words : {"--help", "--help-all", "--version", "check --help", "--list-commands"})
    all.emplace_back(words);
  return all;
}

TEST_F(Output, ThatIsLostIsStatus3AndSaid) {
  for (const std::string& arguments : talking(folder_.string()))
    for (const char* where : {"> /dev/full", ">&-"}) {
      const Result r = run_to(where, arguments);
      EXPECT_EQ(r.status, 3) << arguments << where << "\n" << r.err;
      EXPECT_NE(r.err.find("standard output cannot be written"), std::string::npos) << arguments << where << r.err;
    }
}

TEST_F(Output, BehindAReaderThatHasGoneIsStatus3) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  constexpr int one_digit = 9;  // as sh takes them
  ASSERT_EQ(::dup2(ends[1], one_digit), one_digit);
  for (const std::string& arguments : {"check --json " + half2, std::string("--help-all"), "run " + copy}) {
    const Result r = run_to(">&9", arguments);
    EXPECT_EQ(r.status, 3) << arguments << r.err;
    EXPECT_NE(r.err.find("standard output cannot be written"), std::string::npos) << arguments << r.err;
  }
  ::close(one_digit), ::close(ends[1]);
}

TEST_F(Output, OfLongInputStopsWithTheStream) {
  std::string line = R"({"space":"global","op":"ld","width":4,"offsets":[0)";
  for (int lane = 1; lane < 32; ++lane) line += fmt::format(",{}", 4 * lane);
  line += "]}\n";
  std::string input;
  for (int i = 0; i < 40'000; ++i) input += line;
  const Result r = run_to("> /dev/full", "access --stdin", input);
  EXPECT_EQ(r.status, 3) << r.err;
  EXPECT_NE(r.err.find("No space left"), std::string::npos) << r.err;
}

TEST_F(Output, ThatSeveralRunsWouldForgetIsRefused) {
  for (const std::string& arguments :
       {"run " + copy + "--sweep seed=1,2 --out b=" + path("b.npy"),
        "run " + copy + data + "copy.ptx --out b=" + path("b.npy"), "review --sarif " + half2 + "--sweep seed=1,2"}) {
    EXPECT_EQ(run(arguments).status, 2) << arguments;
    EXPECT_FALSE(fs::exists(path("b.npy")));
  }
}

TEST_F(Output, OfAClosedStandardInputIsStatus3) {
  EXPECT_EQ(run_to("> " + path("out") + " <&-", "access --stdin").status, 3);
}

TEST_F(Output, StandardErrorThatIsFullChangesNoStatus) {
  const std::string status = "2> /dev/full > " + path("out");
  EXPECT_EQ(run_to(status, "check /does/not/exist.cu").status, 2);
  EXPECT_EQ(run_to(status, "check " + half2).status, 0);
}

/// Every option that names a file to write.
std::vector<std::string> writing(const std::string& file) {
  return {"annotate " + half2 + "-o " + file,
          "run " + copy + "--out b=" + file,
          "render " + half2 + "--view registers -o " + file + ".svg",
          "render " + half2 + "--view registers -o " + file + ".png",
          "render " + half2 + "--view occupancy -o " + file + ".csv",
          "render " + half2 + "--view occupancy -o " + file + ".json",
          "access --space global --op ld --width 4 --pattern aligned -o " + file + ".svg",
          "measure " + half2 + "--parts timing -o " + file};
}

TEST_F(Output, AFileThatCannotBeWrittenIsStatus3) {
  for (const std::string& arguments : writing(path("none/k"))) {
    const Result r = run(arguments);
    EXPECT_EQ(r.status, 3) << arguments << "\n" << r.err;
    EXPECT_NE(r.err.find(path("none/k")), std::string::npos) << arguments << "\n" << r.err;
    EXPECT_NE(r.err.find("cannot be written"), std::string::npos) << arguments << "\n" << r.err;
  }
}

TEST_F(Output, AFolderIsRefusedBeforeAnythingRuns) {
  for (const char* name : {"k", "k.svg", "k.png", "k.csv", "k.json"}) fs::create_directories(path(name));
  for (const std::string& arguments : writing(path("k"))) {
    const Result r = run(arguments);
    EXPECT_EQ(r.status, 2) << arguments << "\n" << r.err;
    EXPECT_NE(r.err.find("this is a folder"), std::string::npos) << arguments << "\n" << r.err;
  }
  for (const auto& entry : fs::directory_iterator(folder_))
    if (entry.is_directory()) {
      EXPECT_TRUE(fs::is_empty(entry.path())) << entry.path();
    }
}

TEST_F(Output, ToADeviceLeavesTheDevice) {
  if (!make_device("null", 1, 3) || !make_device("full", 1, 7)) GTEST_SKIP() << "devices can be made by root only";
  for (const char* ending : {"svg", "png", "csv", "json"}) {
    fs::create_symlink("null", path(std::string("null.") + ending));
    fs::create_symlink("full", path(std::string("full.") + ending));
  }
  for (const std::string& arguments : writing(path("null"))) {
    if (arguments.starts_with("measure")) continue;  // needs a GPU to be good
    EXPECT_EQ(run(arguments).status, 0) << arguments;
  }
  for (const std::string& arguments : writing(path("full"))) EXPECT_EQ(run(arguments).status, 3) << arguments;
  EXPECT_TRUE(is_device("null") && is_device("full"));
  for (const char* ending : {"svg", "png", "csv", "json"})
    EXPECT_TRUE(fs::is_symlink(path(std::string("null.") + ending)));
}

TEST_F(Output, OfAnnotateInPlaceFollowsLinksAndKeepsPermissions) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  fs::create_directories(path("there"));
  fs::copy_file(fs::path(LANESCOPE_SOURCE_DIR) / "assets/kernels/no_comments.cu", path("there/k.cu"));
  fs::permissions(path("there/k.cu"), static_cast<fs::perms>(0640));
  fs::create_symlink("there/k.cu", path("k.cu"));
  const std::string before = slurp(path("k.cu"));
  const Result r = run("annotate --in-place " + path("k.cu"));
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(fs::is_symlink(path("k.cu")));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path("there/k.cu"))));
  EXPECT_EQ(fs::status(path("there/k.cu")).permissions(), static_cast<fs::perms>(0640));
  EXPECT_NE(slurp(path("k.cu")), before);
}

TEST_F(Output, AnnotateRefusesPtxAndLeavesItAlone) {
  fs::copy_file(fs::path(LANESCOPE_SOURCE_DIR) / data / "copy.ptx", path("k.ptx"));
  const std::string before = slurp(path("k.ptx"));
  for (const std::string& arguments :
       {"annotate --in-place " + path("k.ptx"), "annotate " + path("k.ptx"),
        "annotate " + path("k.ptx") + " -o " + path("k.ptx"), "annotate " + path("k.ptx") + " -o " + path("new.cu"),
        "annotate " + half2 + "-o " + path("k.ptx")}) {
    const Result r = run(arguments);
    EXPECT_EQ(r.status, 2) << arguments << "\n" << r.err;
    EXPECT_NE(r.err.find("PTX"), std::string::npos) << arguments << "\n" << r.err;
    EXPECT_EQ(r.out, "") << arguments;
    EXPECT_EQ(slurp(path("k.ptx")), before) << arguments;
  }
  EXPECT_FALSE(fs::exists(path("new.cu")));
}

TEST_F(Output, OfAnAnswerIsThereEvenWhereAFileIsNot) {
  const Result r = run("run " + copy + "--json --out b=" + path("none/b.npy"));
  EXPECT_EQ(r.status, 3) << r.err;
  const json out = json::parse(r.out);
  EXPECT_TRUE(out.contains("outputs"));
  ASSERT_EQ(out["diagnostics"].size(), 1u) << out["diagnostics"];
  EXPECT_EQ(out["diagnostics"][0]["file"], path("none/b.npy"));
  EXPECT_EQ(out["diagnostics"][0]["severity"], "error");
}

}  // namespace
}  // namespace lanescope::cli
