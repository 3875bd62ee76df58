// The functions that the multifunction unit approximates, for all 2^32 operands (of f64: for all upper words): the GPU against
// the emulator, by a checksum of each 65,536 results.

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>

#include "kernels/emulator/lanes/operations.h"
#include "kernels/gpu/program.h"
#include "tests/gpu/machine.h"
#include "tests/kernels/emulator/oracle/multifunction.h"

namespace lanescope::gpu_test {
namespace {

using namespace emulator::test;
using emulator::u32;
using emulator::u64;

/// Slots of all blocks.
std::vector<u64> checksums_on_gpu(u32 blocks, u32 step) {
  const std::size_t slots = std::size_t{blocks} * std::size(unit_forms);
  std::vector<trace::Buffer> buffers{{"slots", "u64", 64, std::vector<std::byte>(slots * 8), true}};
  trace::Launch launch;
  launch.kernel = "checksums";
  launch.grid = {blocks, 1, 1};
  launch.block = {block_threads, 1, 1};
  trace::ValueArgument step_bytes(sizeof step);
  std::memcpy(step_bytes.data(), &step, sizeof step);
  launch.arguments = {trace::BufferArgument{0}, step_bytes};
  auto program = gpu::Program::open(0);
  if (!program) return ADD_FAILURE() << to_string(program.error().front()), std::vector<u64>{};
  if (auto loaded = (*program)->load(checksum_kernel(unit_forms, device().arch()), {launch}, buffers); !loaded)
    return ADD_FAILURE() << to_string(loaded.error().front()), std::vector<u64>{};
  gpu::Status status = (*program)->upload(buffers);
  if (!status) status = (*program)->launch(0);
  if (!status) status = (*program)->synchronize();
  if (!status) status = (*program)->download(buffers);
  if (status) return ADD_FAILURE() << gpu::status_words(status), std::vector<u64>{};
  std::vector<u64> words(slots);
  std::memcpy(words.data(), buffers[0].bytes.data(), slots * 8);
  return words;
}

/// The same slot, by the operation of the emulator itself.
u64 checksum_of_lanes(const UnitForm& form, emulator::Exec execute, u32 block) {
  constexpr u32 row = 256;
  alignas(64) emulator::u8 registers[3 * row] = {};
  emulator::Op op;
  op.a = 0, op.b = row, op.d = 2 * row;
  const bool wide = result_bits(form) == 64, half = result_bits(form) == 16;
  u64 sum = 0;
  for (u32 first = block * block_operands, i = 0; i < block_operands; i += emulator::lanes) {
    for (u32 l = 0; l < emulator::lanes; ++l) {
      const u32 x = first + i + l;
      if (wide)
        emulator::row<u64>(registers, op.a)[l] = u64{x} << 32 | second_operand(x);
      else
        emulator::row<u32>(registers, op.a)[l] = half ? x & 0xffff : x;
      if (!wide) emulator::row<u32>(registers, op.b)[l] = second_operand(x);
    }
    execute(registers, op, emulator::all_lanes);
    for (u32 l = 0; l < emulator::lanes; ++l)
      sum += result_hash(first + i + l,
                         wide ? emulator::row<u64>(registers, op.d)[l] : u64{emulator::row<u32>(registers, op.d)[l]});
  }
  return sum;
}

TEST(MultifunctionUnitOnGpu, EmulatorHasAllItsBits) {
  LS_NEEDS_GPU();
  constexpr u32 blocks = 65536;
  constexpr std::size_t forms = std::size(unit_forms);
  const std::vector<u64> on_gpu = checksums_on_gpu(blocks, 1);
  ASSERT_EQ(on_gpu.size(), blocks * forms);
  nlohmann::ordered_json results;
  for (std::size_t k = 0; k < forms; ++k) {
    const emulator::Exec execute = emulator::find_lane_operation(unit_forms[k].key);
    ASSERT_NE(execute, nullptr) << unit_forms[k].key;
    std::atomic<u32> next = 0, differ = 0, any = 0;
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
      workers.emplace_back([&] {
        for (u32 block; (block = next++) < blocks;)
          if (checksum_of_lanes(unit_forms[k], execute, block) != on_gpu[block * forms + k]) ++differ, any = block;
      });
    workers.clear();
    EXPECT_EQ(differ, 0u) << unit_forms[k].instruction << ": blocks of 65,536 operands that differ; one is " << any;
    results[unit_forms[k].instruction] = differ.load();
  }
  write_results("gpu_multifunction", {{"operands_each", u64{1} << 32}, {"blocks_that_differ", std::move(results)}});
}

/// The checksums by which tests without a GPU judge.
TEST(MultifunctionUnitOnGpu, SampleHasItsChecksums) {
  LS_NEEDS_GPU();
  const std::vector<u64> slots = checksums_on_gpu(sample_blocks, sample_step);
  constexpr std::size_t forms = std::size(unit_forms);
  ASSERT_EQ(slots.size(), sample_blocks * forms);
  for (std::size_t k = 0; k < forms; ++k) {
    u64 sum = 0;
    for (std::size_t block = 0; block < sample_blocks; ++block) sum += slots[block * forms + k];
    EXPECT_EQ(sum, unit_forms[k].checksum) << unit_forms[k].instruction;
  }
}

}  // namespace
}  // namespace lanescope::gpu_test
