// Traced launches on a real GPU: every catalogue kernel touches, lane by lane, the addresses that the
// emulator reports, and computes the same as untraced. Costs of tracing are written down.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "kernels/emulator/emulator.h"
#include "kernels/instrument/decode.h"
#include "kernels/instrument/rewrite.h"
#include "tests/catalogue/order_dependent.h"
#include "tests/gpu/instrumented.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

constexpr std::uint64_t most_record_bytes = std::uint64_t{192} << 20;

struct Expectation {
  trace::Trace trace;
  std::vector<trace::Buffer> after;
};

/// The emulator's record of all blocks of one launch.
Expectation emulated(const engine::Program& program, const trace::Launch& launch,
                     const std::vector<trace::Buffer>& before, const instrument::Choice& choice) {
  Expectation out;
  out.after = before;
  out.trace.code = engine::sites_of(program, launch);
  out.trace.launch = launch;
  out.trace.buffers = before;
  out.trace.buffer_addresses = emulator::place_buffers(before);
  trace::Recorder recorder(
      out.trace, {.first_block = choice.first_block, .block_count = choice.block_count, .max_steps = 100'000'000});
  emulator::Options options{.slice = 0, .observers = {&recorder}};
  const auto result = emulator::run(program.module, launch, out.after, options);
  EXPECT_TRUE(result && result->faults.empty());
  return out;
}

/// Equal, but for the order in which atomic additions of floats happened.
bool same_outputs(const std::vector<trace::Buffer>& a, const std::vector<trace::Buffer>& b) {
  for (std::size_t n = 0; n < b.size(); ++n) {
    if (a[n].bytes == b[n].bytes) continue;
    if (a[n].element_type != "f32") return false;
    for (std::size_t at = 0; at + 4 <= a[n].bytes.size(); at += 4) {
      float x = 0, y = 0;
      std::memcpy(&x, a[n].bytes.data() + at, 4);
      std::memcpy(&y, b[n].bytes.data() + at, 4);
      if (!(std::fabs(x - y) <= 1e-5f * std::max(std::fabs(x), std::fabs(y)))) return false;
    }
  }
  return true;
}

nlohmann::ordered_json milliseconds_of(const Expected<Launcher>& launcher, const std::vector<trace::Buffer>& buffers) {
  if (!launcher) return nullptr;
  const auto ms = launcher->milliseconds(buffers, 9);
  return ms ? nlohmann::ordered_json(*ms) : nlohmann::ordered_json(nullptr);
}

/// Bytes of records that the first blocks of a launch make; the choice is cut to what fits.
instrument::Choice affordable(const trace::Launch& launch, std::uint64_t bytes) {
  instrument::Choice c;
  if (bytes <= most_record_bytes) return c;
  const std::uint64_t per_block = bytes / launch.grid.count() + 1;
  c.block_count = static_cast<std::uint32_t>(std::max<std::uint64_t>(most_record_bytes / per_block, 1));
  return c;
}

/// One row of the results.
nlohmann::ordered_json trace_launch(const std::string& name, const engine::Program& program,
                                    const trace::Launch& launch, std::vector<trace::Buffer>& buffers) {
  const auto rewritten = instrument::rewrite_traced(program.module, launch.kernel);
  if (!rewritten) return nullptr;
  const trace::Launch traced = instrument::with_records(launch, static_cast<int>(buffers.size()));
  const auto with_room = [&](const instrument::Choice& choice, std::uint64_t bytes) {
    std::vector<trace::Buffer> all = buffers;
    all.push_back(instrument::record_buffer(rewritten->description, choice, bytes));
    return all;
  };
  // A launch that keeps no record shows how many there would be.
  std::vector<trace::Buffer> counting = with_room({}, 0);
  const auto counter = Launcher::load(rewritten->ptx, traced, counting);
  EXPECT_TRUE(counter) << name << ": " << to_string(counter.error().front());
  if (!counter) return nullptr;
  const auto counted = counter->run(counting);
  EXPECT_TRUE(counted) << name << ": " << to_string(counted.error().front());
  if (!counted) return nullptr;
  const auto demand = instrument::decode(counting.back(), rewritten->description, launch, buffers);
  EXPECT_TRUE(demand) << name;
  if (!demand) return nullptr;
  const instrument::Choice choice = affordable(launch, demand->needed_bytes);
  const std::uint64_t bytes = std::min(demand->needed_bytes, most_record_bytes);

  const std::vector<trace::Buffer> empty = with_room(choice, bytes);
  std::vector<trace::Buffer> after = empty;
  const auto launcher = Launcher::load(rewritten->ptx, traced, after);
  const auto ran = launcher ? launcher->run(after) : Expected<void>{};
  EXPECT_TRUE(launcher && ran) << name;
  if (!launcher || !ran) return nullptr;
  const auto found = instrument::decode(after.back(), rewritten->description, launch, buffers);
  EXPECT_TRUE(found) << name << ": " << to_string(found.error().front());
  if (!found) return nullptr;
  EXPECT_EQ(found->dropped, 0u) << name;
  EXPECT_EQ(found->records, choice.block_count == ~0u ? demand->dropped : found->records) << name;

  const Expectation expected = emulated(program, launch, buffers, choice);
  const auto difference = instrument::compare(expected.trace, *found);
  EXPECT_FALSE(difference) << name << ": " << difference->words;

  std::vector<trace::Buffer> plain = buffers;
  const auto untraced = Launcher::load(ptx::to_string(program.module), launch, plain);
  EXPECT_TRUE(untraced && untraced->run(plain)) << name;
  after.pop_back();
  const bool same = same_outputs(plain, after);
  EXPECT_TRUE(same) << name << ": traced and untraced outputs differ";

  const auto plain_ms = milliseconds_of(untraced, buffers);
  const auto traced_ms = milliseconds_of(launcher, empty);
  const auto idle_ms = milliseconds_of(launcher, with_room({.block_count = 0}, bytes));
  const auto ratio = [&](const nlohmann::ordered_json& ms) {
    const bool known = ms.is_number() && plain_ms.is_number() && plain_ms.get<double>() > 0;
    return known ? nlohmann::ordered_json(std::round(ms.get<double>() / plain_ms.get<double>() * 100) / 100)
                 : nlohmann::ordered_json(nullptr);
  };
  fmt::print("{:<28}{:>9} records {:>11} bytes   {:>8} ms plain {:>8} traced {:>8} idle   {}\n", name, found->records,
             found->needed_bytes, plain_ms.dump().substr(0, 7), traced_ms.dump().substr(0, 7),
             idle_ms.dump().substr(0, 7), difference ? "DIFFERS" : "equal");
  buffers = expected.after;
  return {{"kernel", name},
          {"blocks", launch.grid.count()},
          {"blocks_traced", std::min<std::uint64_t>(choice.block_count, launch.grid.count())},
          {"records", found->records},
          {"record_bytes", found->needed_bytes},
          {"addresses_equal_the_emulators", !difference},
          {"outputs_unchanged", same},
          {"plain_ms", plain_ms},
          {"traced_ms", traced_ms},
          {"none_chosen_ms", idle_ms},
          {"traced_over_plain", ratio(traced_ms)},
          {"none_chosen_over_plain", ratio(idle_ms)}};
}

TEST(TracedLaunches, TouchTheAddressesThatTheEmulatorSays) {
  LS_NEEDS_GPU();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::size_t equal = 0;
  for (const auto& file : catalogue_files()) {
    if (catalogue::has_order_dependent_addresses(file.stem().string())) continue;
    const engine::Prepared p = prepared(file);
    ASSERT_TRUE(p.ready) << file;
    if (!p.grids.empty()) {
      fmt::print("{}: its kernels launch kernels, which is not traced on a GPU\n", file.stem().string());
      continue;
    }
    if (p.plain.cooperative) {
      fmt::print("{}: its grid synchronises, and is not launched alone here\n", file.stem().string());
      continue;
    }
    std::vector<trace::Buffer> buffers = p.buffers;
    for (std::size_t n = 0; n < p.plain.launches.size(); ++n) {
      const std::string name =
          file.stem().string() + (p.plain.launches.size() > 1 ? fmt::format(" launch {}", n + 1) : "");
      auto row = trace_launch(name, p.plain, p.plain.launches[n], buffers);
      if (row.is_null()) continue;
      equal += row["addresses_equal_the_emulators"].get<bool>() ? 1 : 0;
      rows.push_back(std::move(row));
    }
  }
  fmt::print("equal addresses: {} of {} launches\n", equal, rows.size());
  write_results("gpu_traced_launches",
                {{"what",
                  "launches of every catalogue kernel with all warps (of the traced blocks) recording: accesses and "
                  "shuffles against the emulator's, and what recording costs; medians of 9 by events, contents "
                  "uploaded before each; none_chosen: the same rewritten kernel with no warp recording"},
                 {"equal", equal},
                 {"of", rows.size()},
                 {"rows", rows}});
}

}  // namespace
}  // namespace lanescope::gpu_test
