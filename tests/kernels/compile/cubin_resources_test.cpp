// Resources read from machine code, against what ptxas -v prints of the same PTX, for every kernel of the catalogue.

#include "kernels/compile/cubin/cubin_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>

#include <unistd.h>

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/compile/compile.h"
#include "tests/rounds.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

/// Empty where no CUDA Toolkit is here.
std::string ptxas() {
  const char* home = std::getenv("CUDA_HOME");
  for (const std::string& folder :
       {std::string(home == nullptr ? "" : home) + "/bin", std::string("/usr/local/cuda/bin")})
    if (::access((folder + "/ptxas").c_str(), X_OK) == 0) return folder + "/ptxas";
  return {};
}

struct Reported {
  CubinResources resources;
  int stores = -1, loads = -1;
};

int number_before(const std::string& line, const std::string& words) {
  std::smatch found;
  return std::regex_search(line, found, std::regex("(\\d+) " + words)) ? std::stoi(found[1]) : -1;
}

/// By kernel. Of the constant banks those that this version prints.
std::map<std::string, Reported> reported_by_ptxas(const std::string& ptx, const std::string& arch) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("lanescope_ptxas_{}", ::getpid());
  fs::create_directories(folder);
  std::ofstream(folder / "k.ptx", std::ios::binary) << ptx;
  const std::string command =
      fmt::format("'{}' -v {} -arch={} -o '{}' '{}' > '{}' 2>&1", ptxas(),
                  ptx.find("__cudaCDP2") == std::string::npos ? "" : "-c",  // it calls the device runtime
                  arch, (folder / "k.cubin").string(), (folder / "k.ptx").string(), (folder / "log").string());
  std::map<std::string, Reported> out;
  if (std::system(command.c_str()) == 0) {
    std::istringstream log(read_file((folder / "log").string()).value_or(""));
    std::string entry, measured;
    std::smatch found;
    for (std::string line; std::getline(log, line);) {
      if (std::regex_search(line, found, std::regex("entry function '([^']+)'"))) entry = measured = found[1];
      if (std::regex_search(line, found, std::regex("Function properties for (\\S+)"))) measured = found[1];
      if (entry.empty() || entry != measured) continue;
      Reported& t = out[entry];
      if (const int n = number_before(line, "bytes stack frame"); n >= 0) {
        t.resources.stack_bytes = n;
        t.stores = number_before(line, "bytes spill stores"), t.loads = number_before(line, "bytes spill loads");
      }
      if (!std::regex_search(line, found, std::regex("Used (\\d+) registers"))) continue;
      t.resources.registers = std::stoi(found[1]);
      t.resources.barriers = std::max(number_before(line, "barriers"), 0);
      t.resources.shared_bytes = std::max(number_before(line, "bytes smem"), 0);
      static const std::regex bank("(\\d+) bytes cmem\\[(\\d)\\]");
      for (auto at = std::sregex_iterator(line.begin(), line.end(), bank); at != std::sregex_iterator(); ++at)
        t.resources.constant_bytes[std::stoi((*at)[2])] = std::stoi((*at)[1]);
    }
  }
  fs::remove_all(folder);
  return out;
}

class CubinResourcesOf : public testing::Test {
 protected:
  void SetUp() override {
    if (!toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed: NO MACHINE CODE WAS READ";
    if (ptxas().empty()) GTEST_SKIP() << "ptxas is not installed: NOTHING WAS COMPARED with it";
  }

  /// Kernels that agreed.
  static int compare(const std::string& file, const std::string& text, const std::string& arch) {
    auto source = source::read(file, text, {.watch_probes = false});
    if (!source) return 0;
    if (!source->header.compile.arch.empty() && source->header.compile.arch != arch) return 0;
    const auto made = compile::compile(*source, Variant::plain, {.arch = arch, .extra = {}});
    if (!made) return 0;
    const auto reported = reported_by_ptxas(made->compiled.ptx, made->compiled.arch);
    EXPECT_EQ(reported.size(), made->compiled.cubin_resources.size()) << file;
    int agreed = 0;
    for (const auto& [entry, t] : reported) {
      const auto at = made->compiled.cubin_resources.find(entry);
      if (at == made->compiled.cubin_resources.end()) {
        ADD_FAILURE() << file << ": the cubin has no " << entry;
        continue;
      }
      const CubinResources& r = at->second;
      EXPECT_EQ(r.registers, t.resources.registers) << file << " " << entry << " " << arch;
      EXPECT_EQ(r.stack_bytes, t.resources.stack_bytes) << file << " " << entry << " " << arch;
      EXPECT_EQ(r.barriers, t.resources.barriers) << file << " " << entry << " " << arch;
      EXPECT_EQ(r.shared_bytes, t.resources.shared_bytes) << file << " " << entry << " " << arch;
      for (const auto& [bank, bytes] : t.resources.constant_bytes)
        EXPECT_EQ(r.constant_bytes.contains(bank) ? r.constant_bytes.at(bank) : 0, bytes)
            << file << " " << entry << " bank " << bank << " " << arch;
      // The words that NVRTC's own assembler said.
      EXPECT_EQ(made->compiled.resources.at(entry).spill_bytes, t.stores) << file << " " << entry;
      EXPECT_EQ(made->compiled.spill_load_bytes.at(entry), t.loads) << file << " " << entry;
      ++agreed;
    }
    return agreed;
  }

  static std::vector<std::string> catalogue() {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels"))
      if (entry.path().extension() == ".cu") files.push_back(entry.path().string());
    std::ranges::sort(files);
    return files;
  }
};

TEST_F(CubinResourcesOf, TheCatalogueAreThoseThatPtxasTells) {
  int kernels = 0;
  const std::vector<std::string> files = catalogue();
  for (std::size_t i = 0; i < files.size(); i += 5)
    kernels += compare(files[i], read_file(files[i]).value_or(""), "sm_90");
  EXPECT_GT(kernels, 25);
}

TEST_F(CubinResourcesOf, OtherArchitecturesToo) {
  const std::vector<std::string> files = catalogue();
  int kernels = 0;
  for (std::size_t i = 0; i < files.size(); i += 20)
    for (const char* arch : {"sm_75", "sm_80", "sm_120"})
      kernels += compare(files[i], read_file(files[i]).value_or(""), arch);
  EXPECT_GT(kernels, 8);
}

// Spills, a frame, calls, static and dynamic shared memory, __constant__ variables and constants of the compiler.
TEST_F(CubinResourcesOf, KernelsThatUseEachOfThem) {
  const std::string text = R"(
__constant__ float table[100];
__device__ float g[10];
__global__ void stores(int n) {
  __shared__ int x[128];
  __shared__ double y[128];
  const int i = threadIdx.x;
  y[i] = n * i + table[i];
  __syncthreads();
  x[i] = (int)y[127 - i];
  __syncthreads();
  g[i] = x[(i * 7) & 127] + 1.2345678901234 * n;
}
__global__ void frame(float* p, int k) {
  float a[64];
  for (int i = 0; i < 64; i++) a[i] = p[i];
  for (int i = 0; i < 64; i++) a[(i * k) & 63] += p[i];
  for (int i = 0; i < 64; i++) p[i] = a[(i + k) & 63];
}
__device__ __noinline__ float again(float x, int n) { return n <= 0 ? x : again(x * 1.5f, n - 1) + 1; }
__global__ void calls(float* p, int n) { p[threadIdx.x] = again(p[threadIdx.x], n); }
__global__ void __launch_bounds__(1024, 2) spills(float* p, const float* q) {
  float a[48];
#pragma unroll
  for (int i = 0; i < 48; i++) a[i] = q[i * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 4; j++) {
    float s = 0;
#pragma unroll
    for (int i = 0; i < 48; i++) s += a[i] * a[(i * 7 + j) % 48];
    p[j * 32 + threadIdx.x] = s;
  }
}
__global__ void dynamic(float* p) {
  extern __shared__ float s[];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x ^ 1];
}
)";
  for (const char* arch : {"sm_75", "sm_80", "sm_90", "sm_100", "sm_120"})
    EXPECT_EQ(compare("each.cu", text, arch), 5) << arch;
  const auto source = source::read("each.cu", text, {.watch_probes = false});
  ASSERT_TRUE(source);
  const auto made = compile::compile(*source, Variant::plain, {.arch = "sm_90", .extra = {}});
  ASSERT_TRUE(made);
  const Compiled& c = made->compiled;
  // Without what is reserved, as nvcc says: 128 * 4 + 128 * 8.
  EXPECT_EQ(c.cubin_resources.at("_Z6storesi").shared_bytes, 1536);
  EXPECT_EQ(c.cubin_resources.at("_Z6storesi").constant_bytes.at(3), 400);
  EXPECT_GT(c.spill_load_bytes.at("_Z6spillsPfPKf"), 0) << "a kernel without spills tests no spills";
  EXPECT_GT(c.cubin_resources.at("_Z5framePfi").stack_bytes, 255);
  const std::string line = assembled_words(c, "_Z6storesi");
  for (const char* part : {" registers, 1 barrier, ", "0 bytes spill stores, 0 bytes spill loads", "1536 bytes smem",
                           "bytes cmem[0]", "400 bytes cmem[3]"})
    EXPECT_NE(line.find(part), std::string::npos) << line;
  EXPECT_EQ(assembled_words(c, "absent"), "");
}

// A disassembler names lines of the PTX in the machine code; they are those of the PTX that the compiler made.
TEST(CubinResources, LinesOfThePtxAreAtTheirPlaces) {
  if (!toolchain().nvrtc) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  const auto source =
      source::read("k.cu", "__global__ void k(float* p) {\n  p[threadIdx.x] *= 2;\n}\n", {.watch_probes = false});
  ASSERT_TRUE(source);
  const auto made = compile::compile(*source, Variant::plain, {.arch = "sm_90", .extra = {}});
  ASSERT_TRUE(made);
  const auto kept = ptx_lines_of(made->compiled.cubin);
  const auto lines = split_lines(made->compiled.ptx);
  int instructions = 0;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string_view line = trimmed(lines[n]);
    if (!line.ends_with(';') || line.starts_with('.')) continue;
    ASSERT_LT(n, kept.size());
    EXPECT_EQ(trimmed(kept[n]), line) << "line " << n + 1;
    ++instructions;
  }
  EXPECT_GT(instructions, 5);
  EXPECT_TRUE(ptx_lines_of("no cubin").empty());
}

// For any bytes, reading ends, and stays inside them (the sanitizers watch).
TEST(CubinResources, DamagedFilesAreReadWithoutHarm) {
  EXPECT_TRUE(cubin_resources("").empty());
  EXPECT_TRUE(cubin_resources("\x7f"
                              "ELF")
                  .empty());
  std::mt19937 random(3);
  std::string whole(4096, '\0');
  if (toolchain().nvrtc) {
    const auto source = source::read("k.cu", "__global__ void k(int* p) { *p = 1; }\n", {.watch_probes = false});
    ASSERT_TRUE(source);
    if (const auto made = compile::compile(*source, Variant::plain, {.arch = "sm_90", .extra = {}}))
      whole = made->compiled.cubin;
    EXPECT_EQ(cubin_resources(whole).size(), 1u);
  }
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = whole.substr(0, 1 + random() % whole.size());
    for (unsigned n = random() % 8; n > 0; --n) damaged[random() % damaged.size()] = static_cast<char>(random());
    if (random() % 2 == 0 && damaged.size() > 64)
      for (const std::size_t at : {40u, 60u, 62u}) damaged[at] = static_cast<char>(random());
    cubin_resources(damaged);
    const CubinFile file(damaged);
    for (std::uint32_t n = 0; n < 40; ++n) file.symbol(n);
    for (const std::string_view line : ptx_lines_of(damaged)) EXPECT_LE(line.size(), damaged.size());
  }
}

}  // namespace
}  // namespace lanescope::compile
