// The program as a shell sees it: exit statuses, what moves to which stream, JSON fields, good and bad input.

#include <cstring>
#include <nlohmann/json.hpp>
#include <regex>

#include "kernels/compile/compile.h"
#include "profiling/access/access.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

using Cli = ProgramTest;

class CliWithCompiler : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
};

/// Every line of the error stream is `file:line:column: what; what to do`, the place as far as it is known.
void expect_diagnostics(const std::string& err) {
  ASSERT_FALSE(err.empty());
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(std::regex_match(line, std::regex("([^:]+(:[0-9]+(:[0-9]+)?)?: )?.+(; .+)?"))) << line;
}

TEST_F(Cli, BadInputIsStatus2WithTheReasonOnStandardError) {
  write("binary.cu", std::string("\x7f"
                                 "ELF\0\0\1",
                                 7));
  write("empty.cu", "");
  write("host.cu", "int main() { return 0; }\n");
  const struct {
    std::string arguments, words;
  } cases[] = {
      {"check /does/not/exist.cu", "/does/not/exist.cu: there is no such file; "},
      {"check " + folder_.string(), "this is a folder; "},
      {"check " + path("binary.cu"), "binary.cu:1: this is not a text file; "},
      {"check " + path("empty.cu"), "the file is empty; "},
      {"check " + path("host.cu"), "there is no kernel in this file; "},
      {"run " + path("host.cu"), "there is no kernel in this file; "},
      {"render " + data + "half2.cu --view nonsense -o " + path("x.svg"),
       "there is no view 'nonsense'; the views are registers"},
      {"render " + data + "half2.cu --view registers -o " + path("x.bmp"), "a picture ends in .svg or .png; "},
      {"render " + data + "half2.cu --view registers --theme pink -o " + path("x.svg"), "there is no theme 'pink'; "},
      {"run " + data + "half2.cu --launch " + data + "copy.toml", "--launch needs a .ptx file; "},
      {"run " + data + "copy.ptx --out b", "names no file; "},
      {"check " + data + "half2.cu --engine abacus", "there is no engine 'abacus'; "},
      {"check", "FILE"},
      {"check " + data + "half2.cu --nonsense", "--nonsense"},
      {"run " + data + "copy.ptx --launch " + data + "copy.toml --out absent=" + path("n.npy"),
       "there is no buffer 'absent'; the buffers are a, b"},
      {"render " + data + "copy.ptx --launch " + data + "copy.toml --view timeline --at step:99999 -o " + path("x.svg"),
       "there is no step 99999; "},
      {"render " + data + "copy.ptx --launch " + data + "copy.toml --view timeline --at banana -o " + path("x.svg"),
       "neither a line nor step:N; "},
  };
  for (const auto& c : cases) {
    const Result r = run(c.arguments);
    EXPECT_EQ(r.status, 2) << c.arguments << "\n" << r.err;
    EXPECT_NE(r.err.find(c.words), std::string::npos) << c.arguments << "\n" << r.err;
    EXPECT_TRUE(r.out.empty()) << c.arguments << "\n" << r.out;
    expect_diagnostics(r.err);
  }
}

TEST_F(Cli, WhatCannotBeDoneHereIsStatus3) {
  EXPECT_EQ(run("check " + data + "half2.cu --no-nvrtc").status, 3);
  const Result gpu = run("check " + data + "half2.cu --engine gpu");
  EXPECT_EQ(gpu.status, 3);
  EXPECT_NE(gpu.err.find("NVIDIA driver"), std::string::npos) << gpu.err;
  EXPECT_NE(gpu.err.find("the emulator needs none"), std::string::npos) << gpu.err;
}

TEST_F(CliWithCompiler, CheckOfAGoodKernel) {
  const Result r = run("check " + data + "half2.cu --json");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(r.err.empty()) << r.err;
  const json out = json::parse(r.out);
  EXPECT_EQ(out["file"], data + "half2.cu");
  EXPECT_EQ(out["kernel"], "transposes");
  EXPECT_EQ(out["engine"], "emulator");
  ASSERT_EQ(out["claims"].size(), 3u);
  for (const json& claim : out["claims"]) {
    EXPECT_EQ(claim["verdict"], "holds");
    EXPECT_TRUE(claim["line"].is_number() && claim["variable"].is_string() && claim["stated"].is_string());
    EXPECT_FALSE(claim.contains("difference") || claim.contains("reason") || claim.contains("first_failure"));
  }
  const std::string text = run("check " + data + "half2.cu").out;
  EXPECT_NE(text.find("3 claims: 3 hold, 0 differ, 0 unchecked\n"), std::string::npos) << text;
}

TEST_F(CliWithCompiler, CheckOfAWrongClaim) {
  const Result r = run("check " + data + "wrong_claim.cu --json");
  EXPECT_EQ(r.status, 1);
  const json claim = json::parse(r.out)["claims"][0];
  EXPECT_EQ(claim["verdict"], "differs");
  EXPECT_EQ(claim["difference"], "r1 and r0 are swapped");
  EXPECT_EQ(claim["actual"], "register: i0 i1; thread: j4 j3 j2 j1 j0; warp: j5");
  EXPECT_EQ(claim["first_failure"]["block"], 0);
  EXPECT_EQ(claim["first_failure"]["warp"], 0);
  EXPECT_EQ(claim["first_failure"]["iteration"], 0);
}

// 32 halves from 0 on in steps of a quarter, one of them a NaN; and a sum of whole numbers of 64 bits.
TEST_F(CliWithCompiler, RunWritesTheElementsOfShortBuffers) {
  write("short.cu", R"(/*
[lanescope]
block = 32
[buffers]
p = "f16 i:32 = zeros"
sum = "u64 i:1 = zeros"
long_one = "u8 i:65"
*/
#include <cuda_fp16.h>
__global__ void f(__half *p, unsigned long long *sum, const unsigned char *long_one)
{
    p[threadIdx.x] = __float2half(threadIdx.x == 5 ? __int_as_float(0x7fc00000) : 0.25f * threadIdx.x);
    if (threadIdx.x == 0) sum[0] = 0xffffffffffffffffull - long_one[0];
}
)");
  const Result r = run("run " + path("short.cu") + " --json");
  ASSERT_EQ(r.status, 0) << r.err;
  const json outputs = json::parse(r.out)["outputs"];
  ASSERT_EQ(outputs["p"]["values"].size(), 32u);
  for (int i = 0; i < 32; ++i)
    if (i == 5)
      EXPECT_TRUE(outputs["p"]["values"][i].is_string());
    else
      EXPECT_EQ(outputs["p"]["values"][i], 0.25 * i);
  EXPECT_EQ(outputs["sum"]["values"], json::array({0xffffffffffffffffull}));
  EXPECT_FALSE(outputs["long_one"].contains("values"));
}

TEST_F(CliWithCompiler, RunHasOutputsCountersAndFaults) {
  const Result r = run("run " + data + "shared_transpose.cu --json");
  ASSERT_EQ(r.status, 0) << r.err;
  const json out = json::parse(r.out);
  EXPECT_EQ(out["outputs"]["q"]["type"], "f32");
  EXPECT_EQ(out["outputs"]["q"]["shape"], json::array({32, 32}));
  EXPECT_EQ(out["outputs"]["q"]["sha256"].get<std::string>().size(), 64u);
  EXPECT_FALSE(out["outputs"]["q"].contains("values"));  // 1,024 elements
  const json& total = out["counters"]["total"];
  EXPECT_EQ(total["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]["predicted"], 128);
  EXPECT_EQ(total["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]["unit"], "sector");
  EXPECT_EQ(total["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]["predicted"], 1024);
  EXPECT_FALSE(total["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"].contains("measured"));
  std::uint64_t wavefronts = 0;
  for (const json& line : out["counters"]["lines"])
    wavefronts +=
        line["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]["predicted"].get<std::uint64_t>();
  EXPECT_EQ(wavefronts, 1024u);
  EXPECT_TRUE(out["faults"].empty());
  EXPECT_FALSE(out.contains("races"));  // not computed

  const Result bad = run("run " + data + "out_of_bounds.cu --json");
  EXPECT_EQ(bad.status, 1);
  const json fault = json::parse(bad.out)["faults"][0];
  EXPECT_EQ(fault["kind"], "out_of_bounds");
  EXPECT_EQ(fault["line"], 10);
  EXPECT_EQ(fault["lane"], 31);
  EXPECT_NE(bad.err.find("out_of_bounds.cu:10: "), std::string::npos) << bad.err;
}

TEST_F(CliWithCompiler, MistakesInTheCodeAreAtTheUsersPlace) {
  const Result r = run("check " + data + "syntax_error.cu");
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("syntax_error.cu:4:1: "), std::string::npos) << r.err;
}

TEST_F(Cli, PtxRunsAndItsBuffersAreNumPyFiles) {
  const Result r = run("run " + data + "copy.ptx --launch " + data + "copy.toml --out b=" + path("b.npy"));
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string npy = slurp(path("b.npy"));
  ASSERT_EQ(npy.substr(0, 6), "\x93NUMPY");
  const std::size_t header = static_cast<unsigned char>(npy[8]) + 256u * static_cast<unsigned char>(npy[9]);
  EXPECT_EQ((10 + header) % 64, 0u);
  EXPECT_NE(npy.find("'descr': '<u4', 'fortran_order': False, 'shape': (64,), }"), std::string::npos);
  ASSERT_EQ(npy.size(), 10 + header + 256);
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint32_t value = 0;
    std::memcpy(&value, npy.data() + 10 + header + 4 * i, 4);
    EXPECT_EQ(value, i < 48 ? i : 0) << i;
  }
}

TEST_F(CliWithCompiler, EveryViewIsAPicture) {
  for (const std::string view : {"registers", "global", "timeline", "assignment"})
    for (const std::string kind : {"svg", "png"}) {
      const std::string out = path(view + "." + kind);
      const Result r = run("render " + data + "half2.cu --view " + view + " --at 33 --theme light -o " + out);
      const bool no_access_on_33 = view == "global";
      const Result used = no_access_on_33 ? run("render " + data + "half2.cu --view global --at 20 -o " + out) : r;
      EXPECT_EQ(used.status, 0) << view << used.err;
      const std::string bytes = slurp(out);
      EXPECT_EQ(bytes.substr(0, 4), kind == "svg" ? bytes.substr(0, 4) : "\x89PNG") << view;
      EXPECT_EQ(bytes.find("<svg") != std::string::npos, kind == "svg");
    }
  const Result shared =
      run("render " + data + "shared_transpose.cu --view shared --at 17 -o " + path("s.svg") + " --json");
  EXPECT_EQ(shared.status, 0) << shared.err;
  EXPECT_EQ(json::parse(shared.out)["view"], "shared");
  const Result idle = run("render " + data + "half2.cu --view registers --at 2 -o " + path("i.svg"));
  EXPECT_EQ(idle.status, 0);
  EXPECT_NE(idle.err.find("half2.cu:2: note: this line has no instruction; line "), std::string::npos) << idle.err;
}

TEST_F(CliWithCompiler, ViewsOfCostsArePicturesAndTables) {
  const std::string kernel = data + "shared_transpose.cu";
  for (const std::string view : {"traffic", "traffic-line", "traffic-run", "heat", "ptx", "divergence", "occupancy"})
    for (const std::string kind : {"svg", "json", "csv"}) {
      const std::string out = path(view + "." + kind);
      const Result r = run("render " + kernel + " --view " + view + " -o " + out);
      EXPECT_EQ(r.status, 0) << view << r.err;
      EXPECT_GT(slurp(out).size(), 40U) << out;
      if (kind == "json") {
        EXPECT_TRUE(json::accept(slurp(out))) << out;
      }
    }
  const auto shared = [&](const std::string& more) {
    return run("render " + kernel + " --view shared -o " + path("w.svg") + " " + more).status;
  };
  EXPECT_EQ(shared("--what-if padding:32+1"), 0);
  EXPECT_EQ(shared("--what-if swizzle:32/4/1 --wavefront 0"), 0);
  for (const char* bad : {"padding:32", "swizzle:32/3/1", "swizzle:32/4/0", "mirror:1"})
    EXPECT_EQ(shared(std::string("--what-if ") + bad), 2) << bad;
  EXPECT_EQ(run("render " + kernel + " --view heat --counter luck -o " + path("h.svg")).status, 2);
  EXPECT_EQ(run("render " + kernel + " --view occupancy --gpu Babbage -o " + path("h.svg")).status, 2);
}

TEST_F(CliWithCompiler, OccupancyOfAKernelAndUnderCaps) {
  const Result r = run("occupancy " + data + "half2.cu --caps 16,32 --json");
  ASSERT_EQ(r.status, 0) << r.err;
  const json out = json::parse(r.out);
  EXPECT_EQ(out["gpu"], "H200");
  ASSERT_EQ(out["caps"].size(), 3U);
  EXPECT_EQ(out["caps"][0]["percent"], out["percent"]);
  EXPECT_LE(out["caps"][0]["percent"], out["caps"][1]["percent"]);
  // A list takes one word: what follows is the file. Text is text, not a JSON string.
  const Result text = run("occupancy --caps 16,32 " + data + "half2.cu");
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("\n  compiled with register limits:\n"), std::string::npos) << text.out;
  EXPECT_EQ(run("render --view registers --family x -o " + path("f.svg") + " " + data + "half2.cu").status, 0);
}

TEST_F(Cli, OccupancyOfNumbersAndFigures) {
  const Result r = run("occupancy --registers 65 --threads 256 --shared 20480 --json");
  ASSERT_EQ(r.status, 0) << r.err;
  const json out = json::parse(r.out);
  EXPECT_EQ(out["blocks"], 3);  // by hand in occupancy.h
  EXPECT_EQ(out["percent"], 37.5);
  EXPECT_EQ(run("occupancy --registers 200 --threads 1024").status, 1);
  EXPECT_EQ(run("occupancy --registers 32").status, 2);
  EXPECT_EQ(run("occupancy --registers 32 --threads 64 --caps 16").status, 2);
  EXPECT_EQ(run("occupancy --registers 32 --threads 64 --gpu Babbage").status, 2);
  EXPECT_GT(json::parse(run("occupancy --gpus --json").out)["gpus"].size(), 5U);
  const Result figures = run("figures --json");
  EXPECT_EQ(figures.status, 0);
  for (const json& f : json::parse(figures.out)["figures"]) EXPECT_TRUE(f["holds"]) << f;
}

TEST_F(Cli, AccessByPatternIsAccessByOffsets) {
  std::string offsets;
  for (int lane = 0; lane < 32; ++lane) offsets += (lane ? "," : "") + std::to_string(8 * lane);
  const std::string head = "access --space global --op ld --width 4 --json ";
  const Result typed = run(head + "--offsets " + offsets);
  EXPECT_EQ(typed.out, run(head + "--pattern stride:2").out);
  EXPECT_EQ(typed.out, run(head + "--formula 'lane*8'").out);
  EXPECT_EQ(run(head + "--pattern zigzag").status, 2);
  EXPECT_EQ(run(head + "--pattern stride:2 --formula lane").status, 2);
  for (const char* kind : {"svg", "png", "csv"}) {
    EXPECT_EQ(run(head + "--pattern stride:2 -o " + path(std::string("a.") + kind)).status, 0);
    EXPECT_GT(slurp(path(std::string("a.") + kind)).size(), 40U);
  }
  EXPECT_EQ(run(head + "--pattern stride:2 -o " + path("a.gif")).status, 2);
}

TEST_F(CliWithCompiler, AnnotateWritesCommentsThatHold) {
  fs::copy_file(std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/no_comments.cu", path("k.cu"));
  const Result printed = run("annotate " + path("k.cu"));
  EXPECT_EQ(printed.status, 0) << printed.err;
  EXPECT_NE(printed.out.find("register"), std::string::npos);
  EXPECT_EQ(run("annotate --in-place " + path("k.cu")).status, 0);
  EXPECT_EQ(slurp(path("k.cu")), printed.out);
  const Result checked = run("check --json " + path("k.cu"));
  EXPECT_EQ(checked.status, 0) << checked.out;
  EXPECT_FALSE(json::parse(checked.out)["claims"].empty());
}

TEST_F(Cli, DoctorNamesWhatIsMissingAndHowToGetIt) {
  const Result r = run("doctor --json --no-nvrtc");
  EXPECT_EQ(r.status, 0);
  const json out = json::parse(r.out);
  ASSERT_GE(out["findings"].size(), 6u);
  for (const json& f : out["findings"]) {
    EXPECT_FALSE(f["detail"].get<std::string>().empty()) << f.dump();
    EXPECT_TRUE(f["present"].get<bool>() || !f["remedy"].get<std::string>().empty()) << f.dump();
  }
  EXPECT_EQ(out["findings"][0]["name"], "NVRTC");
  EXPECT_EQ(out["findings"][0]["present"], false);
  EXPECT_NE(run("doctor").out.find("lanescope "), std::string::npos);
}

TEST_F(Cli, AccessAnswersEachLine) {
  std::string input;
  std::vector<access::Access> patterns;
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    access::Access p;
    p.width_bytes = 1 << random() % 5;
    p.kind = random() % 2 ? trace::AccessKind::load : trace::AccessKind::store;
    p.mask = static_cast<std::uint32_t>(random());
    for (auto& a : p.addresses) a = random() % 300 * static_cast<std::uint64_t>(p.width_bytes);
    input += json{{"space", i % 2 ? "shared" : "global"},
                  {"op", p.kind == trace::AccessKind::load ? "ld" : "st"},
                  {"width", p.width_bytes},
                  {"mask", p.mask},
                  {"offsets", p.addresses}}
                 .dump() +
             "\n";
    patterns.push_back(p);
  }
  const Result r = run("access --stdin", input);
  ASSERT_EQ(r.status, 0) << r.err;
  std::istringstream lines(r.out);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    const json out = json::parse(line);
    EXPECT_EQ(out["width"], patterns[i].width_bytes);
    patterns[i].space = i % 2 ? trace::MemorySpace::shared : trace::MemorySpace::global;
    const auto cost = access::cost(patterns[i]);
    if (i % 2) {
      EXPECT_EQ(out["wavefronts"], cost.wavefronts);
      EXPECT_EQ(out["bank_conflicts"], cost.bank_conflicts);
      EXPECT_EQ(out["ideal_wavefronts"], cost.ideal_wavefronts);
    } else {
      EXPECT_EQ(out["sectors"], cost.sectors);
      EXPECT_EQ(out["lines"], cost.lines);
    }
  }
}

// Banks by hand: the word of an address modulo 32; on Kepler words have 8 bytes.
TEST_F(Cli, AccessNamesTheBankOfEachLane) {
  const json padded = json::parse(run("access --space shared --op ld --width 4 --pattern stride:33 --json").out);
  const json column = json::parse(run("access --space shared --op ld --width 4 --pattern stride:32 --json").out);
  const json kepler =
      json::parse(run("access --space shared --op ld --width 8 --pattern aligned --arch sm_35 --json").out);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(padded["banks"][lane], lane);
    EXPECT_EQ(column["banks"][lane], 0);
    EXPECT_EQ(kepler["banks"][lane], lane);
  }
  EXPECT_EQ(padded["banks"].size(), 32u);
  EXPECT_FALSE(json::parse(run("access --op ld --width 4 --pattern aligned --json").out).contains("banks"));
}

TEST_F(Cli, AccessRefusesWhatTheHardwareRefuses) {
  std::string offsets;
  for (int i = 0; i < 32; ++i) offsets += fmt::format("{}{}", i ? "," : "", i * 4);
  const Result good = run("access --space shared --op ld --width 4 --json --offsets " + offsets);
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_EQ(json::parse(good.out)["wavefronts"], 1);
  EXPECT_EQ(run("access --space shared --op ld --width 8 --offsets " + offsets).status,
            2);  // every other lane is misaligned
  EXPECT_EQ(run("access --space moon --op ld --width 4 --offsets " + offsets).status, 2);
  EXPECT_EQ(run("access --space shared --op ld --width 4 --offsets 0,4").status, 2);
  const Result mixed =
      run("access --stdin", "nonsense\n{\"space\":\"global\",\"op\":\"ld\",\"width\":4,\"offsets\":[1,2]}\n");
  EXPECT_EQ(mixed.status, 2);
  EXPECT_NE(mixed.err.find("stdin:1: "), std::string::npos);
  EXPECT_NE(mixed.err.find("stdin:2: there are 2 offsets"), std::string::npos) << mixed.err;
}

TEST_F(Cli, HelpAndVersion) {
  EXPECT_EQ(run("--help").status, 0);
  EXPECT_NE(run("--help").out.find("annotate"), std::string::npos);
  EXPECT_EQ(run("check --help").status, 0);
  EXPECT_EQ(run("--version").out.substr(0, 10), "lanescope ");
}

}  // namespace
}  // namespace lanescope::cli
