#include "profiling/occupancy/gpu_table.h"
#include "kernels/base/read_file.h"

#include <cmath>

#include "tests/profiling/occupancy/support.h"

namespace lanescope::occupancy {
namespace {

std::string file_text() { return read_file(std::string(LANESCOPE_SOURCE_DIR) + "/assets/gpus.toml").value_or(""); }
std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}
int line_of(const std::string& text, std::string_view what) {
  return 1 +
         static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(what)), '\n'));
}

TEST(GpuTable, EveryArchitectureAndGpuThatIsPromised) {
  for (const char* name : {"1.0", "1.1", "1.2", "1.3", "2.0", "3.0", "3.5", "3.7", "5.0",  "5.2",
                           "6.0", "6.1", "7.0", "7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0"})
    EXPECT_TRUE(table().arch(name)) << name;
  for (const char* name : {"C2070", "M2090", "K20X", "K40", "P100", "V100", "A100", "L40S", "RTX 4090", "H100", "H200",
                           "B200", "RTX 5090"})
    EXPECT_TRUE(table().gpu(name)) << name;
}

TEST(GpuTable, EveryGroupNamesItsSource) {
  for (const Arch& a : table().archs)
    for (const std::string* s : {&a.limits.source, &a.registers.source, &a.shared.source, &a.multiprocessor.source,
                                 &a.latency.source, &a.memory.source})
      EXPECT_GE(s->size(), 5u) << a.name;
  for (const Gpu& g : table().gpus) EXPECT_GE(g.source.size(), 5u) << g.name;
}

TEST(GpuTable, FactsOfOneArchitectureAgreeWithEachOther) {
  for (const Arch& a : table().archs) {
    EXPECT_EQ(a.registers.per_multiprocessor % (a.registers.warp_allocation_granularity * a.registers.allocation_unit),
              0)
        << a.name;
    EXPECT_LE(a.registers.per_block, a.registers.per_multiprocessor) << a.name;
    EXPECT_LE(a.shared.per_block_bytes, a.shared.opt_in_per_block_bytes) << a.name;
    EXPECT_LE(a.shared.opt_in_per_block_bytes + a.shared.reserved_per_block_bytes, a.shared.per_multiprocessor_bytes)
        << a.name;
    EXPECT_EQ(a.shared.split_bytes.empty(), a.shared.l1_and_shared_bytes == 0) << a.name;
    EXPECT_LE(a.limits.threads_per_block, a.limits.threads_per_multiprocessor) << a.name;
  }
}

TEST(GpuTable, H200IsTheOneThatWasMeasured) {
  const Gpu g = gpu("H200");
  EXPECT_EQ(g.arch.name, "sm_90");
  EXPECT_EQ(g.multiprocessors, 132);
  EXPECT_EQ(g.bandwidth_gb_per_s, 4800);
  // 6016 bits, two transfers a cycle of 3.201 GHz.
  EXPECT_NEAR(6016.0 / 8 * 2 * g.memory_clock_ghz, g.bandwidth_gb_per_s, 20);
}

// Memory moves two words a cycle over a bus of whole channels, 32 bits each: a bandwidth or a clock that is wrong by
// more than a rounding of either leaves no such bus. The reference's Fermi mixes the figures of two boards.
TEST(GpuTable, BandwidthIsClockTimesBus) {
  for (const Gpu& g : table().gpus) {
    if (g.name == "Fermi (reference)") continue;
    const double bits = g.bandwidth_gb_per_s * 8 / (2 * g.memory_clock_ghz);
    EXPECT_NEAR(bits, 32 * std::round(bits / 32), 0.004 * bits) << g.name;
    EXPECT_EQ(g.memory.bus_bits % 32, 0) << g.name;
    EXPECT_NEAR(bits, g.memory.bus_bits, 0.004 * bits) << g.name;
  }
}

// "GPU memory and shuffle": GMEM reads, L1 sizing, read-only cache.
TEST(GpuTable, LoadPathsOfTheReferences) {
  const MemoryModel fermi = arch("sm_20").memory;
  EXPECT_TRUE(fermi.global_loads_in_l1 && fermi.replays);
  EXPECT_EQ(fermi.cached_load_transaction_bytes, 128);
  EXPECT_EQ(fermi.uncached_load_transaction_bytes, 32);
  EXPECT_EQ(arch("sm_20").shared.split_bytes, (std::vector<int>{16384, 49152}));
  EXPECT_EQ(arch("sm_30").shared.split_bytes, (std::vector<int>{16384, 32768, 49152}));
  EXPECT_FALSE(arch("sm_30").memory.global_loads_in_l1_on_request);
  EXPECT_FALSE(arch("sm_30").memory.read_only_path);
  EXPECT_EQ(arch("sm_35").memory.read_only_query_lanes, 4);
  EXPECT_EQ(arch("sm_35").memory.read_only_query_bytes, 32);
  EXPECT_FALSE(arch("sm_52").memory.global_loads_in_l1);
  EXPECT_TRUE(arch("sm_60").memory.global_loads_in_l1);
}

TEST(GpuTable, NamesAsCompilersAndDriversWriteThem) {
  for (const char* name : {"sm_90", "sm_90a", "compute_90", "90", "9.0"}) EXPECT_EQ(arch(name).name, "sm_90") << name;
  EXPECT_EQ(arch("sm_100f").name, "sm_100");
  EXPECT_EQ(gpu("NVIDIA H200").name, "H200");
  EXPECT_EQ(gpu("NVIDIA H100 80GB HBM3").name, "H100");
  EXPECT_EQ(gpu("NVIDIA H100 PCIe").name, "H100 PCIe");
  EXPECT_EQ(gpu("Tesla V100-SXM2-16GB").name, "Tesla V100");
  EXPECT_EQ(gpu("NVIDIA A100-SXM4-80GB").name, "A100 80GB");
  EXPECT_EQ(gpu("nvidia geforce rtx 4090").name, "GeForce RTX 4090");
}

TEST(GpuTable, AnotherGpuOfAlmostThatNameIsRefused) {
  for (const char* name :
       {"NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 4090 D", "NVIDIA GH200 480GB", "GTX 1080", ""}) {
    const auto g = table().gpu(name);
    ASSERT_FALSE(g) << name;
    EXPECT_NE(g.error()[0].remedy.find("H200"), std::string::npos) << "the known ones are listed";
  }
  EXPECT_FALSE(table().arch("sm_91"));
  EXPECT_FALSE(table().arch(""));
}

// Textures never shrink from one generation to the next; what has no source is 0 throughout.
TEST(GpuTable, TexturesGrowAndNameTheirSource) {
  TextureLimits before{};
  for (const Arch& a : table().archs) {
    const TextureLimits& t = a.texture;
    if (t.source.empty()) {
      EXPECT_EQ(t.width_1d + t.width_2d + t.width_3d + t.memory_pitch_bytes + t.alignment_bytes, 0) << a.name;
      continue;
    }
    EXPECT_GE(t.width_1d, before.width_1d) << a.name;
    EXPECT_GE(std::int64_t{t.width_2d} * t.height_2d, std::int64_t{before.width_2d} * before.height_2d) << a.name;
    EXPECT_GE(t.depth_3d, before.depth_3d) << a.name;
    EXPECT_GE(t.layered_1d_width, before.layered_1d_width) << a.name;
    EXPECT_GE(t.layered_2d_layers, before.layered_2d_layers) << a.name;
    EXPECT_LE(t.layered_2d_width, t.width_2d) << a.name;
    before = t;
  }
  EXPECT_EQ(arch("sm_35").read_only.per_multiprocessor * arch("sm_35").read_only.bytes_each, 48 * 1024);
  EXPECT_EQ(arch("sm_35").read_only.per_multiprocessor, arch("sm_35").multiprocessor.partitions);
}

TEST(GpuTable, ErrorsStandAtTheirLine) {
  const std::string text = file_text();
  const auto first = [](const std::string& t) {
    const auto parsed = parse_gpu_table(t, "gpus.toml");
    return parsed ? Diagnostic{} : parsed.error().front();
  };
  const Diagnostic wrong_type =
      first(replaced(text, "blocks_per_multiprocessor = 8", "blocks_per_multiprocessor = \"8\""));
  EXPECT_EQ(wrong_type.line, line_of(text, "blocks_per_multiprocessor = 8"));
  EXPECT_NE(wrong_type.message.find("sm_10"), std::string::npos) << wrong_type.message;
  const Diagnostic unknown =
      first(replaced(text, "allocation_unit = 64", "allocation_unit = 64\nallocation_units = 64"));
  EXPECT_NE(unknown.message.find("allocation_units"), std::string::npos) << unknown.message;
  EXPECT_EQ(unknown.line, line_of(text, "allocation_unit = 64") + 1);
  const Diagnostic missing = first(replaced(text, "banks = 16\n", ""));
  EXPECT_NE(missing.message.find("`banks` is missing"), std::string::npos) << missing.message;
  EXPECT_EQ(missing.line, line_of(text, "[arch.memory]"));
  const Diagnostic no_arch = first(replaced(text, "arch = \"sm_100\"", "arch = \"sm_101\""));
  EXPECT_NE(no_arch.message.find("sm_101"), std::string::npos) << no_arch.message;
  const Diagnostic half = first(replaced(text, "half_warps = \"in order\"", "half_warps = \"in any order\""));
  EXPECT_NE(half.message.find("half_warps"), std::string::npos) << half.message;
  const Diagnostic rate = first(replaced(text, "bus_bits = 384", "bus_bits = 384\nl2_gb_per_s = 5000.0"));
  EXPECT_NE(rate.message.find("l2_source"), std::string::npos) << rate.message;
  const Diagnostic zero = first(replaced(text, "bandwidth_gb_per_s = 4800.0", "bandwidth_gb_per_s = -1"));
  EXPECT_EQ(zero.line, line_of(text, "bandwidth_gb_per_s = 4800.0"));
  const Diagnostic syntax = first(replaced(text, "generation = \"Fermi\"", "generation = Fermi"));
  EXPECT_EQ(syntax.line, line_of(text, "generation = \"Fermi\""));
  EXPECT_FALSE(parse_gpu_table("", "gpus.toml"));
}

// For any part cut out of the file, the answer is a table or diagnostics with a line, never a crash.
TEST(GpuTable, DamagedTextIsReportedOrStillATable) {
  const std::string text = file_text();
  Random random(6);
  for (int i = 0; i < 60; ++i) {
    const auto at = static_cast<std::size_t>(random.from(0, static_cast<int>(text.size()) - 1));
    const auto parsed =
        parse_gpu_table(std::string(text).erase(at, static_cast<std::size_t>(random.from(1, 300))), "gpus.toml");
    if (parsed) continue;
    for (const Diagnostic& d : parsed.error()) EXPECT_GE(d.line, 1) << to_string(d);
  }
}

}  // namespace
}  // namespace lanescope::occupancy
