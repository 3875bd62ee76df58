// Mistakes that were once accepted in silence: options that name missing things, that have no effect, or that
// are numbers of another kind are refused or reported; a picture of something that was not measured is status 3.

#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "kernels/compile/compile.h"
#include "kernels/gpu/gpu.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Refusals : public ProgramTest {
 protected:
  void expect(const std::string& arguments, int status, const std::string& words) const {
    const Result r = run(arguments);
    EXPECT_EQ(r.status, status) << arguments << "\n" << r.out << r.err;
    EXPECT_NE((r.err + r.out).find(words), std::string::npos) << arguments << "\n" << r.out << r.err;
  }
  std::string render(const std::string& view, const std::string& more) const {
    return fmt::format("render {} --no-nvrtc --view {} -o {} {}", tile, view, path("x.svg"), more);
  }
  /// 32 warps, one block, 32 wavefronts in line 28.
  const std::string tile = "assets/kernels/shared_transpose_naive.cu";
};

TEST_F(Refusals, BlocksWarpsAndWavefrontsThatThereAreNot) {
  expect(render("registers", "--block 7"), 2, "there is no block 7: the grid has 1 block; its only block is 0");
  expect(render("occupancy", "--block 7"), 2, "there is no block 7");
  expect(render("registers", "--block -1"), 2, "--block");
  for (const std::string view : {"registers", "timeline", "divergence"}) {
    expect(render(view, "--warp 32"), 2, "there is no warp 32; the block has 32 warps, 0 to 31");
    expect(render(view, "--warp -3"), 2, "--warp");
    expect(render(view, "--warps 0"), 2, "--warps");
    expect(render(view, "--warps -1"), 2, "--warps");
    expect(render(view, "--warp 31"), 0, "");
    expect(render(view, "--warp 30 --warps 4"), 0, "note: 2 warps are shown, not 4");
  }
  expect(render("launches", ""), 2, "no kernel of this run launches kernels");
  expect(render("shared", "--at 28 --wavefront 31"), 0, "");
  expect(render("shared", "--at 28 --wavefront 32"), 2,
         "there is no wavefront 32; this access has 32 wavefronts, 0 to 31");
  expect(render("shared", "--at 28 --wavefront -1"), 2, "--wavefront");
  expect(render("shared", "--at 16 --wavefront 0"), 2, "does not access shared memory");
  expect(render("shared", "--at 16 --what-if padding:32+1"), 2, "does not access shared memory");
  EXPECT_EQ(run(render("registers", "--block 7")).out, "");
}

// Every picture that is not written leaves the file of that name alone.
TEST_F(Refusals, LeaveTheFileAlone) {
  write("x.svg", "before");
  for (const char* more : {"--block 7", "--warp 99", "--colour banana", "--at 999", "--warps 0"}) {
    EXPECT_EQ(run(render("registers", more)).status, 2) << more;
    EXPECT_EQ(slurp(path("x.svg")), "before") << more;
  }
}

// A file that is read is not written: the kernel, its launch text, a measurement.
TEST_F(Refusals, FilesThatWouldBeLost) {
  const fs::path root = LANESCOPE_SOURCE_DIR;
  fs::copy_file(root / data / "copy.ptx", path("k.ptx"));
  fs::copy_file(root / data / "copy.toml", path("k.toml"));
  fs::copy_file(root / "tests/data/gpu/shared_transpose_naive.measured.json", path("m.json"));
  fs::create_symlink("k.ptx", path("link.ptx"));
  const std::string kernel = path("k.ptx") + " --launch " + path("k.toml");
  const std::string before[] = {slurp(path("k.ptx")), slurp(path("k.toml")), slurp(path("m.json"))};
  for (const char* target : {"k.ptx", "link.ptx", "k.toml", "../" /* a folder */})
    expect("run " + kernel + " --out b=" + path(target), 2,
           target[0] == '.' ? "folder" : "this file is read, and would be lost");
  expect("measure " + kernel + " -o " + path("k.ptx"), 2, "would be lost");
  expect("measure " + kernel + " -o " + path("k.toml"), 2, "would be lost");
  expect(fmt::format("render {} --view metrics --measured {} -o {}", tile, path("m.json"), path("m.json")), 2,
         "would be lost");
  expect("run " + kernel + " --out a=" + path("x.npy") + " --out b=" + path("x.npy"), 2,
         "two buffers would be written");
  EXPECT_FALSE(fs::exists(path("x.npy")));
  EXPECT_EQ(slurp(path("k.ptx")), before[0]);
  EXPECT_EQ(slurp(path("k.toml")), before[1]);
  EXPECT_EQ(slurp(path("m.json")), before[2]);
}

TEST_F(Refusals, ColoursByWhatNoBufferHas) {
  for (const std::string view : {"registers", "global", "shared"}) {
    for (const char* good : {"i", "j", "i4", "'j1 i0'", "'i j'", "lane", "warp", "register"})
      expect(render(view, fmt::format("--colour {}", good)), 0, "");
    for (const char* bad : {"banana", "k", "i5", "'i banana'", "'lane i'", "' '", "i99"})
      expect(render(view, fmt::format("--colour {}", bad)), 2, "colour");
  }
  expect(render("registers", "--colour banana"), 2, "(axes: i, j)");
}

TEST_F(Refusals, OptionsWithoutEffectAreSaid) {
  expect(render("heat", "--wavefront 0"), 0,
         "warning: --wavefront has no effect on the view heat; it belongs to shared");
  expect(render("timeline", "--colour banana"), 0, "warning: --colour has no effect on the view timeline");
  expect(render("registers", "--counter sectors"), 0, "warning: --counter has no effect");
  expect(render("registers", "--measured none.json"), 0, "warning: --measured has no effect");
  expect(render("buffers", "--warps 4"), 0, "warning: --warps has no effect");
  const json out = json::parse(run(render("heat", "--json --wavefront 0")).out);
  ASSERT_EQ(out["diagnostics"].size(), 1u) << out;
  EXPECT_EQ(out["diagnostics"][0]["severity"], "warning");
  for (const std::string view : {"registers", "timeline", "heat", "occupancy"})
    EXPECT_EQ(run(render(view, "--json")).out.find("no effect"), std::string::npos) << view;
}

TEST_F(Refusals, TheTimelineHasEveryWarp) {
  const auto rows = [&](const std::string& view, const std::string& more) {
    EXPECT_EQ(run(fmt::format("render {} --no-nvrtc --view {} -o {} {}", tile, view, path("t.json"), more)).status, 0);
    std::set<int> warps;
    const json scene = json::parse(slurp(path("t.json")));
    for (const json& box : scene["boxes"]) {
      const std::string id = box.value("id", "");
      if (id.starts_with("timeline_row/") || id.starts_with("divergence_bar/"))
        warps.insert(std::stoi(id.substr(id.find('/') + 1)));
    }
    return warps.size();
  };
  EXPECT_EQ(rows("timeline", ""), 32u);
  EXPECT_EQ(rows("timeline", "--warps 5"), 5u);
  EXPECT_EQ(rows("timeline", "--warp 30"), 2u);
  EXPECT_EQ(rows("divergence", ""), 32u);
  expect(render("registers", ""), 0, "note: warps 0 to 3 of 32 are shown");
}

TEST_F(Refusals, AtALineWithoutInstructionsIsTheNearest) {
  // Line 20 to 23 are a claim; 18 and 25 have instructions.
  const auto shown = [&](const std::string& view, int line) {
    const Result r =
        run(fmt::format("render {} --no-nvrtc --json --view {} --at {} -o {}", tile, view, line, path("x.svg")));
    EXPECT_EQ(r.status, 0) << line << r.err;
    return json::parse(r.out);
  };
  std::vector<int> executed;
  for (int line = 1; line <= 35; ++line) {
    const json out = shown("registers", line);
    if (out["line"] == line) executed.push_back(line);
  }
  ASSERT_GE(executed.size(), 5u);
  for (int line = 1; line <= 35; ++line) {
    const json out = shown("registers", line);
    int nearest = executed.front();
    for (const int each : executed)
      if (std::abs(each - line) < std::abs(nearest - line)) nearest = each;
    EXPECT_EQ(out["line"], nearest) << line;
    const bool said = out.dump().find("the nearest one that has, is shown") != std::string::npos;
    EXPECT_EQ(said, nearest != line) << line << out;
  }
  const json access = shown("shared", 30);
  EXPECT_EQ(access["line"], 28) << "the nearest access, not the nearest instruction";
  expect(render("registers", "--at 36"), 2, "there is no line 36: the file has 35");
  expect(render("registers", "--at 0"), 2, "there is no line 0");
  expect(render("registers", "--at 99999999999"), 2, "there is no line");
  expect(render("registers", "--at 28x"), 2, "neither a line nor step:N");
}

TEST_F(Refusals, ALineThatWasNotExecutedIsNoComment) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  write("k.cu",
        "// p shape (64)\n__global__ void __launch_bounds__(32) k(float* p)\n{\n  if (blockIdx.x > 7)\n    __trap();\n"
        "  p[threadIdx.x] = 1;\n}\n");
  expect("render " + path("k.cu") + " --view registers --at 5 -o " + path("x.svg"), 2,
         "no instruction of this line was executed in block 0");
}

// A launch that views show has fewer blocks than another one.
TEST_F(Refusals, ABlockOfAnotherLaunchIsRefused) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  write("two.cu",
        "/*\n[lanescope]\nblock = 32\n[[launch]]\nkernel = \"a\"\n[[launch]]\nkernel = \"b\"\ngrid = 4\n[buffers]\n"
        "p = \"f32 i:32\"\n*/\n__global__ void __launch_bounds__(32) a(float* p) { p[threadIdx.x] = 1; }\n"
        "__global__ void __launch_bounds__(32) b(float* p) { if (blockIdx.x == 0) p[threadIdx.x] = 2; }\n");
  const std::string draw = "render " + path("two.cu") + " --view timeline -o " + path("two.svg") + " --block ";
  expect(draw + "2", 2, "there is no block 2: the launch of a that is shown has one; its only block is 0");
  expect(draw + "4", 2, "there is no block 4: the largest grid has 4 blocks; choose a block from 0 to 3");
  EXPECT_FALSE(fs::exists(path("two.svg")));
}

TEST_F(Refusals, ArchitecturesThatThereAreNot) {
  for (const std::string arch : {"banana", "90", "sm_9", "sm_90b", "sm_", "compute_1000", "sm_090", "SM_90"}) {
    for (const std::string& command :
         {"check " + tile, "run " + copy, "review " + tile, "annotate " + tile, "occupancy " + tile, "measure " + tile,
          render("timeline", ""), render("metrics", "")})
      expect(command + " --arch " + arch, 2, "there is no architecture '" + arch + "'");
    expect("check " + tile + " --sweep arch=" + arch, 2, "there is no architecture '" + arch + "'");
  }
  expect(tile + " --offscreen --arch banana", 2, "'banana' is not a value of --arch");
  for (const std::string arch : {"sm_90", "sm_100", "compute_90"})
    EXPECT_EQ(run("run " + copy + " --arch " + arch).status, 0) << arch;
}

// The reported architecture is the one that ran.
TEST_F(Refusals, TheArchitectureThatRanIsReported) {
  const auto arch = [&](const std::string& arguments) { return json::parse(run(arguments).out).value("arch", "none"); };
  EXPECT_EQ(arch("run --json " + copy), "sm_90") << "the target of the PTX";
  EXPECT_EQ(arch("run --json --arch sm_100 " + copy), "sm_100");
  expect("run --arch sm_75 " + copy, 2, "this PTX is made for sm_90 and does not run on sm_75");
  EXPECT_EQ(arch("check --json --no-nvrtc " + tile), "sm_90");
  if (!compile::toolchain().nvrtc) return;
  const json old = json::parse(run("check --json --arch sm_30 " + tile).out);
  EXPECT_NE(old["arch"], "sm_30") << "no compiler of today makes it";
  EXPECT_NE(old.dump().find("the kernel was compiled for " + old["arch"].get<std::string>()), std::string::npos) << old;
}

TEST_F(Refusals, NumbersOfAnotherKind) {
  for (const char* option : {"--seed -1", "--max-steps -1", "--seed nan", "--max-seconds nan", "--max-seconds inf",
                             "--gpu-limit 0", "--gpu-limit -5", "--device -1"})
    expect(fmt::format("run {} {}", copy, option), 2, std::string(option).substr(0, std::string(option).find(' ')));
  for (const char* option :
       {"--width -5", "--width 3", "--width 1e9", "--scale 0", "--scale -1", "--scale nan", "--from -1", "--count 0"})
    expect(render("buffers", option), 2, std::string(option).substr(0, std::string(option).find(' ')));
  expect("occupancy " + tile + " --no-nvrtc --caps 0", 2, "--caps");
  expect("occupancy " + tile + " --no-nvrtc --caps 1000", 2, "--caps");
  expect("occupancy --gpus " + tile, 2, "takes no kernel");
}

/// Numbers of 32 lanes, one of them replaced.
std::string offsets_with(int lane, const std::string& value) {
  std::string all;
  for (int i = 0; i < 32; ++i) all += (i ? "," : "") + (i == lane ? value : std::to_string(16 * i));
  return all;
}

TEST_F(Refusals, OffsetsThatWouldWrap) {
  std::mt19937 random(3);
  for (int i = 0; i < 6; ++i) {
    const std::string value = "-" + std::to_string(4 * (1 + random() % 1000));
    for (const std::string space : {"shared", "global"}) {
      const std::string head = "access --op ld --width 4 --space " + space;
      const std::string offsets = offsets_with(static_cast<int>(random() % 32), value);
      expect(head + " --offsets=" + offsets, 2, value + " is negative");
      const Result line =
          run("access --stdin",
              fmt::format("{{\"space\":\"{}\",\"op\":\"ld\",\"width\":4,\"offsets\":[{}]}}\n", space, offsets));
      EXPECT_EQ(line.status, 2) << offsets;
      EXPECT_TRUE(json::parse(line.out).contains("error")) << line.out;
      expect(head + " --formula 'lane * 4 - 64'", 2, "before the array");
      expect(head + " --pattern stride:" + value, 2, "before the array");
    }
  }
  const std::string head = "access --space global --op ld --width 4 ";
  expect(head + "--pattern stride:4611686018427387904", 2, "do not fit 64 bits");
  expect(head + "--pattern stride:99999999999999999999", 2, "no number after its colon");
  expect(head + "--offsets " + offsets_with(3, "99999999999999999999"), 2, "--offsets");
  const json masked = json::parse(run(head + "--pattern misaligned:-4 --mask fffffffe --json").out);
  EXPECT_EQ(masked["offsets"][0], 0) << "an inactive lane accesses nothing";
}

TEST_F(Refusals, AccessOptionsThatDoNothing) {
  const std::string shared = "access --space shared --op ld --width 4 --pattern aligned ";
  const std::string global = "access --space global --op ld --width 4 --pattern aligned ";
  expect(shared + "--theme light", 2, "--theme is for a picture");
  expect(shared + "--wavefront 0", 2, "--wavefront is for a picture");
  expect(global + "--wavefront 0 -o " + path("a.svg"), 2, "--wavefront is for shared memory");
  expect(global + "--what-if padding:32+1 -o " + path("a.svg"), 2, "--what-if is for shared memory");
  expect(shared + "--wavefront 1 -o " + path("a.svg"), 2,
         "there is no wavefront 1; this access has 1 wavefront, number 0");
  expect(shared + "--wavefront 0 -o " + path("a.svg"), 0, "wavefronts 1");
  expect(shared + "--stdin", 2, "is not read beside --stdin");
  expect("access --space shared --op ld --width 4 --pattern aligned:9", 2, "the pattern aligned takes no number");
  expect("access --space shared --op ld --width 4 --pattern permuted:-9", 2, "the seed -9 is negative");
  expect("access --space shared --op ld --width 4 --pattern zigzag", 2, "the patterns are aligned, permuted");
}

TEST_F(Refusals, WhatWasNotMeasuredIsStatus3) {
  if (const auto all = gpu::devices(); all && !all->empty()) GTEST_SKIP() << "there is a GPU";
  for (const std::string view : {"metrics", "stalls", "compare", "sass", "host-calls"}) {
    const std::string on = view == "sass" ? "--engine gpu " : "";  // what was only assembled needs no GPU
    expect(render(view, on), 3, "could be measured");
    EXPECT_TRUE(fs::exists(path("x.svg"))) << view << ": the picture says it, too";
    fs::remove(path("x.svg"));
    const json out = json::parse(run(render(view, on + "--json")).out);
    EXPECT_GE(out["diagnostics"].size(), 2u) << view << out;
  }
  for (const std::string view : {"occupancy", "roofline", "buffers"}) expect(render(view, "--engine gpu"), 3, "NVIDIA");
}

TEST_F(Refusals, AFileThatIsNotThereIsStatus2WithoutADisplay) {
  for (const std::string& more : {std::string(), " --screenshot " + path("s.png")}) {
    expect("--offscreen --no-session /does/not/exist.cu" + more, 2, "/does/not/exist.cu: there is no such file");
    EXPECT_FALSE(fs::exists(path("s.png")));
  }
  expect("--no-session " + tile, 3, "the window could not be opened");
  expect("--offscreen --no-session --theme pink " + tile, 2, "'pink' is not a value of --theme");
  expect("--offscreen --no-session --arrangement Learned " + tile, 2, "Learn, Debug, Profile or Design");
}

TEST_F(Refusals, WordsThatWereMistyped) {
  expect("chek " + tile, 2, "there is no command 'chek', and no such file; did you mean 'check'?");
  expect("reveiw", 2, "did you mean 'review'?");
  expect("banana", 2, "see lanescope --help");
  expect("help", 2, "did you mean '--help'?");
  expect("--offscren", 2, "did you mean '--offscreen'?");
  expect("check " + tile + " --jsn", 2, "check has no option --jsn; did you mean '--json'?");
  expect("render " + tile + " --wavefronts=3 --view shared -o x.svg", 2, "did you mean '--wavefront'?");
  expect("annotate " + tile + " b.cu", 2, "'b.cu' is not expected here; see lanescope annotate --help");
  expect("check", 2, "see lanescope check --help");
  // A file of that name is a file.
  fs::copy_file(fs::path(LANESCOPE_SOURCE_DIR) / tile, path("chek"));
  EXPECT_EQ(run("'" + path("chek") + "'").err.find("no command"), std::string::npos);
  EXPECT_EQ(run("nothing.cu").err.find("no command"), std::string::npos) << "a file that is missing";
}

TEST_F(Refusals, ThemesAsTheyArePrinted) {
  for (const char* theme : {"dark", "light", "high-contrast", "'high contrast'", "'High contrast'", "Dark"})
    expect(render("timeline", fmt::format("--theme {}", theme)), 0, "");
  expect(render("timeline", "--theme pink"), 2, "the themes are dark, light, high-contrast");
  const Result high = run(render("timeline", "--theme 'high contrast'"));
  const std::string drawn = slurp(path("x.svg"));
  EXPECT_EQ(run(render("timeline", "--theme high-contrast")).status, 0);
  EXPECT_EQ(slurp(path("x.svg")), drawn);
  EXPECT_EQ(run(render("timeline", "--theme dark")).status, 0);
  EXPECT_NE(slurp(path("x.svg")), drawn);
}

// The options of the window are those of the program without a command.
TEST_F(Refusals, HelpOfACommandHasItsOwnOptions) {
  EXPECT_NE(run("--help").out.find("--offscreen"), std::string::npos);
  for (const std::string command : {"check", "review", "run", "render", "measure", "annotate", "access", "occupancy",
                                    "figures", "doctor", "worker", "child"}) {
    const std::string help = run(command + " --help").out;
    EXPECT_NE(help.find("lanescope " + command), std::string::npos) << help;
    for (const char* of_the_window :
         {"--offscreen", "--session", "--arrangement", "--script", "--screenshot", "explorer", "--help-all"})
      EXPECT_EQ(help.find(of_the_window), std::string::npos) << command << " " << of_the_window;
  }
}

TEST_F(Refusals, AssignmentShowsTheArrayThatWasNamed) {
  const auto title = [&](const std::string& family) {
    EXPECT_EQ(run(render("assignment", "--at 31 --family " + family)).status, 0);
    return slurp(path("x.svg"));
  };
  EXPECT_NE(title("x"), title("y"));
  expect(render("assignment", "--family x,y"), 2, "shows one register array, not 2");
}

class Reasons : public ProgramTest {
 protected:
  static std::vector<json> lines_of(const std::string& text) {
    std::vector<json> out;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) out.push_back(json::parse(line));
    return out;
  }
};

// A line of a sweep that is not good says why, for any cause; a good one has no reason.
TEST_F(Reasons, AreInEveryLineOfASweep) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const struct {
    std::string arguments, words;
  } cases[] = {
      {"check " + data + "wrong_claim.cu --sweep seed=1", "x differs: r1 and r0 are swapped"},
      {"check tests/data/review/claim-unchecked/trip_1.cu --sweep seed=1", "is unchecked: "},
      {"check tests/data/review/barrier-missing/trip_1.cu --sweep seed=1", "race at line "},
      {"check " + data + "out_of_bounds.cu --sweep seed=1", "right after the end"},
      {"check " + data + "syntax_error.cu --sweep seed=1", ""},
      {"check none.cu --sweep seed=1", "there is no such file"},
      {"check " + data + "half2.cu --sweep absent=1", "no launch has a scalar argument 'absent'"},
      {"run " + copy + "--sweep block=2x", "'2x' is not a value of block"},
      {"run " + copy + "--sweep arch=banana", "there is no architecture 'banana'"},
      {"run " + copy + "--max-steps 3 --sweep seed=1", "step"},
      {"review tests/data/review/bank-conflict/trip_1.cu --sweep seed=1", "[bank-conflict]"},
      {"run " + copy + "--sweep seed=1 --via 'exit 1'", ""},
  };
  for (const auto& c : cases) {
    const Result r = run(c.arguments);
    const std::vector<json> lines = lines_of(r.out);
    ASSERT_EQ(lines.size(), 1u) << c.arguments << r.err;
    EXPECT_EQ(lines[0]["status"], r.status) << c.arguments;
    EXPECT_NE(r.status, 0) << c.arguments;
    ASSERT_TRUE(lines[0].contains("reason")) << c.arguments << lines[0];
    const std::string reason = lines[0]["reason"];
    EXPECT_FALSE(reason.empty());
    EXPECT_NE(reason.find(c.words), std::string::npos) << c.arguments << ": " << reason;
  }
  for (const json& line : lines_of(run("run " + copy + "--sweep seed=1,2").out))
    EXPECT_FALSE(line.contains("reason")) << line;
}

TEST_F(Reasons, AParameterIsSweptOnce) {
  const Result r = run("run " + copy + "--sweep seed=1 --sweep seed=2");
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("seed is swept twice"), std::string::npos) << r.err;
}

class MachineReview : public Reasons {
 protected:
  void SetUp() override {
    Reasons::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
};

TEST_F(MachineReview, SarifHasItsSchemaAndCountsCharacters) {
  const std::string head = "__global__ void __launch_bounds__(32) k(double *p) { ";
  write("k.cu", "// p shape (32)\n" + head + "/* äöü */ p[threadIdx.x] *= 2.5; }\n");
  write("a.cu", "// p shape (32)\n" + head + "/* aou */ p[threadIdx.x] *= 2.5; }\n");
  const auto sarif = [&](const std::string& name) { return json::parse(run("review --sarif " + path(name)).out); };
  const json umlauts = sarif("k.cu"), plain = sarif("a.cu");
  for (const json& out : {umlauts, plain}) {
    EXPECT_TRUE(out["$schema"].get<std::string>().ends_with("/sarif-schema-2.1.0.json"));
    EXPECT_EQ(out["runs"][0]["columnKind"], "unicodeCodePoints");
    EXPECT_EQ(out["runs"][0]["invocations"].size(), 1u);
    ASSERT_FALSE(out["runs"][0]["results"].empty());
    for (const json& rule : out["runs"][0]["tool"]["driver"]["rules"])
      EXPECT_TRUE(rule["defaultConfiguration"].contains("level")) << rule;
  }
  const auto region = [](const json& out) {
    for (const json& r : out["runs"][0]["results"])
      if (r["ruleId"] == "double-precision") return r["locations"][0]["physicalLocation"];
    return json();
  };
  ASSERT_TRUE(region(plain)["region"].contains("startColumn")) << plain["runs"][0]["results"];
  EXPECT_EQ(region(umlauts)["region"], region(plain)["region"]) << "columns are characters";
  EXPECT_EQ(region(plain)["artifactLocation"]["uri"], "file://" + path("a.cu"));
}

TEST_F(MachineReview, FindingsSayTheirSeverity) {
  const struct {
    const char *file, *words;
  } cases[] = {{"tests/data/review/bank-conflict/trip_1.cu", ": warning: "},
               {"tests/data/review/barrier-missing/trip_1.cu", ": error: "},
               {"tests/data/review/claim-unchecked/trip_1.cu", ": note: "}};
  for (const auto& c : cases) {
    const Result text = run(std::string("review ") + c.file);
    const json out = json::parse(run(std::string("review --json ") + c.file).out);
    for (const json& f : out["findings"]) {
      const std::string line = fmt::format("{}: {}", f["severity"].get<std::string>(), f["message"].get<std::string>());
      EXPECT_NE(text.out.find(line), std::string::npos) << line << "\n" << text.out;
    }
    EXPECT_NE(text.out.find(c.words), std::string::npos) << text.out;
  }
}

// Warnings and notes of one run are in its JSON, for any command.
TEST_F(MachineReview, WarningsOfOneRunAreInItsJson) {
  write("s.cu",
        "/*\n[lanescope]\nblock = 32\n[[launch]]\nkernel = \"a\"\nstream = 0\n[[launch]]\nkernel = \"b\"\nstream = 1\n"
        "[buffers]\np = \"f32 i:32\"\n*/\n"
        "__global__ void __launch_bounds__(32) a(float *p) { int absent; p[threadIdx.x] += 1; }\n"
        "__global__ void __launch_bounds__(32) b(float *p) { p[threadIdx.x] *= 2; }\n");
  for (const std::string& command :
       {std::string("check"), std::string("review"), std::string("run"), std::string("occupancy"),
        std::string("measure"), std::string("annotate"), "render --view timeline -o " + path("t.svg"),
        "render --view stalls -o " + path("t.svg")}) {
    const Result r = run(command + " --json --arch sm_30 " + path("s.cu"));
    ASSERT_TRUE(json::accept(r.out)) << command << r.out;
    const json out = json::parse(r.out);
    const std::string all = out.value("diagnostics", json::array()).dump();
    EXPECT_NE(all.find("absent"), std::string::npos) << command << all;
    EXPECT_NE(all.find("does not support sm_30"), std::string::npos) << command << all;
    if (!command.starts_with("annotate") && command != "measure" && command.find("stalls") == std::string::npos) {
      EXPECT_NE(r.out.find("nothing orders the two"), std::string::npos) << command << r.out;
    }
    EXPECT_TRUE(out.contains("inferred")) << command << out;
    EXPECT_EQ(out.value("kernel", ""), "a") << command;
    EXPECT_NE(out.value("arch", ""), "sm_30") << command;
  }
  write("half.cu", "__global__ void one(const num *p, num *q) { q[threadIdx.x] = p[threadIdx.x]; }\n");
  write(
      "main.cu",
      "typedef float num;\n#include \"half.cu\"\nint main() { float *a, *b; cudaMalloc(&a, 128); cudaMalloc(&b, 128); "
      "one<<<1, 32>>>(a, b); }\n");
  const json noticed = json::parse(run("check --json " + path("half.cu")).out);
  EXPECT_TRUE(noticed.contains("notices")) << noticed;
}

// --- help ---------------------------------------------------------------------------------------------------------------

TEST_F(Refusals, HelpNamesEveryViewAndNothingThatCannotBe) {
  const Result refused = run("render assets/kernels/copy_float.cu --no-nvrtc --view nonsense -o " + path("x.svg"));
  const std::string help = run("render --help").out;
  // Every view that a refusal lists is in the help.
  const std::size_t from = refused.err.find("the views are ");
  ASSERT_NE(from, std::string::npos) << refused.err;
  std::string names = refused.err.substr(from + 14);
  std::ranges::replace_if(
      names, [](char c) { return c == ',' || c == '\n' || c == '\''; }, ' ');
  std::istringstream words(names);
  int views = 0;
  for (std::string word; words >> word;) {
    if (word == "and" || word == "of" || word.find(':') != std::string::npos) continue;
    EXPECT_NE(help.find(word), std::string::npos) << word;
    ++views;
  }
  EXPECT_GT(views, 15);
  EXPECT_EQ(run("annotate --help").out.find("--launch"), std::string::npos) << "PTX cannot be annotated";
  EXPECT_NE(run("check --help").out.find("--launch"), std::string::npos);
  EXPECT_EQ(run("annotate --launch x.toml assets/kernels/no_comments.cu").status, 2);
}

}  // namespace
}  // namespace lanescope::cli
