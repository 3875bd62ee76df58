#pragma once
// Launches of blocks that are busy for a while before they do what a test is about.

#include <fmt/format.h>

#include "tests/kernels/emulator/ahead/same_run.h"
#include "tests/kernels/emulator/history/random_programs.h"

namespace lanescope::emulator::test {

inline constexpr std::uint32_t blocks = 300, identified = 100, threads = 64;

inline std::vector<trace::Buffer> two_buffers(std::size_t words = std::size_t{blocks} * threads + 64) {
  Numbers numbers(7);
  std::vector<std::uint32_t> in(words), out(words);
  for (std::uint32_t& w : in) w = static_cast<std::uint32_t>(numbers.next());
  for (std::uint32_t& w : out) w = static_cast<std::uint32_t>(numbers.below(9));
  return {buffer_of("in", in), buffer_of("out", out)};
}

/// Busy for a while; then %r1 is a value of the thread, %rd41 and %rd42 its words of the buffers.
inline std::string busy(int rounds = 24) {
  return fmt::format(
      "mul.wide.u32 %rd40, %tid, 4;\nadd.s64 %rd41, %rd0, %rd40;\nadd.s64 %rd42, %rd1, %rd40;\nld.global.u32 %r1, "
      "[%rd41];\nmov.u32 %r2, 0;\nL1:\nmad.lo.u32 %r1, %r1, 3, %r2;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, "
      "{};\n@%p1 bra L1;\n",
      rounds);
}

/// Of `blocks`, or, with identities, which take much longer, of `identified`.
inline std::pair<AheadCounts, Ended> same(const std::string& body, const Options& options = {},
                                          const std::string& declarations = "", Observed observed = Observed::all) {
  const ptx::Module module = module_of(kernel(body, 2, declarations));
  return same_on_all_cores(module, launch_of(options.tags != nullptr ? identified : blocks, threads, 2), two_buffers(),
                           options, observed);
}

}  // namespace lanescope::emulator::test
