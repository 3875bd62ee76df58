// Views of a watched GPU: the emulator plays the GPU, and some of its records are changed by hand.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "app/engine/prepare/prepare.h"
#include "app/engine/summary/access_info.h"
#include "kernels/instrument/rewrite.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

struct Watched {
  Prepared prepared;
  trace::Trace emulated;
  instrument::Description description;
  std::vector<trace::Buffer> after;  ///< the last one holds the records
};

Watched watch(const std::string& kernel) {
  Watched w;
  RunRequest request;
  request.file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/" + kernel + ".cu";
  request.text = test::text_of(request.file);
  w.prepared = prepare(
      request, [](std::string_view) {}, nullptr);
  const Program& program = w.prepared.plain;
  const trace::Launch& launch = program.launches.front();
  w.emulated.code = sites_of(program, launch);
  w.emulated.launch = launch;
  w.emulated.buffers = w.prepared.buffers;
  w.emulated.buffer_addresses = emulator::place_buffers(w.prepared.buffers);
  trace::Recorder recorder(w.emulated, {.first_block = 0, .block_count = 1});
  emulator::Options options;
  options.observers = {&recorder};
  auto contents = w.prepared.buffers;
  EXPECT_TRUE(emulator::run(program.module, launch, contents, options));
  const auto rewritten = instrument::rewrite_traced(program.module, launch.kernel);
  EXPECT_TRUE(rewritten);
  w.description = rewritten->description;
  auto module = ptx::parse(rewritten->ptx, "rewritten");
  EXPECT_TRUE(module);
  w.after = w.prepared.buffers;
  w.after.push_back(instrument::record_buffer(w.description, {.first_block = 0, .block_count = 1}, 8u << 20));
  const trace::Launch traced = instrument::with_records(launch, static_cast<int>(w.after.size() - 1));
  EXPECT_TRUE(emulator::run(*module, traced, w.after, {}));
  return w;
}

SeenAccesses seen(const Watched& w, const trace::Buffer& records) {
  const auto found = instrument::decode(records, w.description, w.prepared.plain.launches.front(), w.prepared.buffers);
  EXPECT_TRUE(found);
  return seen_on_gpu(w.emulated, *found);
}

class SeenOnGpu : public ::testing::TestWithParam<const char*> {};

TEST_P(SeenOnGpu, TheSameAccessesAreNoDifference) {
  const Watched w = watch(GetParam());
  const SeenAccesses s = seen(w, w.after.back());
  EXPECT_TRUE(s.on_gpu);
  EXPECT_TRUE(s.different.empty());
  EXPECT_GT(w.emulated.accesses.size(), 0u);
}

/// Bytes of each lane's address in the buffer of records, record by record.
std::vector<std::size_t> access_records(const trace::Buffer& records, const instrument::Description& d) {
  std::vector<std::size_t> out;
  std::uint64_t units = 0;
  std::memcpy(&units, records.bytes.data(), 8);
  for (std::size_t at = d.header_bytes(), end = at + units * instrument::unit_bytes; at < end;) {
    std::uint32_t site = 0;
    std::memcpy(&site, &records.bytes[at], 4);
    if (d.sites[site].kind == instrument::Site::Kind::access) out.push_back(at);
    at += d.sites[site].units() * instrument::unit_bytes;
  }
  return out;
}

TEST_P(SeenOnGpu, OnlyWhatWasChangedIsShownAsTheGpuDidIt) {
  const Watched w = watch(GetParam());
  const auto places = access_records(w.after.back(), w.description);
  ASSERT_FALSE(places.empty());
  std::mt19937 random(11);
  for (int trial = 0; trial < 5; ++trial) {
    trace::Buffer records = w.after.back();
    std::set<std::size_t> changed;
    while (changed.size() < std::min<std::size_t>(3, places.size())) changed.insert(places[random() % places.size()]);
    std::multiset<std::uint32_t> masks_there;
    for (const std::size_t at : changed) {  // its lowest lane no longer takes part
      std::uint32_t mask = 0;
      std::memcpy(&mask, &records.bytes[at + 12], 4);
      mask &= mask - 1;
      std::memcpy(&records.bytes[at + 12], &mask, 4);
      masks_there.insert(mask);
    }
    const SeenAccesses s = seen(w, records);
    std::multiset<std::uint32_t> masks_here;
    for (const auto& [index, record] : s.different) {
      const std::uint32_t own = w.emulated.accesses[index].mask;
      EXPECT_EQ(record.mask, own & (own - 1));
      EXPECT_EQ(record.step, w.emulated.accesses[index].step) << "the step is the emulator's";
      EXPECT_EQ(s.at(w.emulated, index).mask, record.mask);
      masks_here.insert(record.mask);
    }
    EXPECT_EQ(masks_here, masks_there);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, SeenOnGpu,
                         ::testing::Values("half2_transposes", "shared_transpose_naive", "warp_sum", "copy_int4"));

}  // namespace
}  // namespace lanescope::engine
