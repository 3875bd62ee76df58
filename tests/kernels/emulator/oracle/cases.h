#pragma once
// Instances that are run as kernels of their own, in the emulator or on a GPU: each works on its part of one array.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace lanescope::emulator::test {

/// One kernel of one block, and the words of its array before it runs.
struct Case {
  std::string instance;
  std::string body;
  std::uint32_t threads = 32;
  std::vector<std::uint32_t> words{};
};

/// An entry `name(p)` of one array, whose address is in %rd0, with registers of every width and shared memory.
inline std::string case_entry(const std::string& name, const std::string& body, int alignment = 128) {
  return ".visible .entry " + name + R"((.param .u64 p)
{
.reg .b8 %d8; .reg .b16 %d16, %e16, %a16, %b16, %c16; .reg .b32 %d32, %e32, %a32, %b32, %c32, %x32, %s32, %m32, %t;
.reg .b64 %d64, %e64, %a64, %b64, %c64, %g64, %n64, %rd<20>; .reg .b128 %d128, %b128; .reg .pred %p, %q, %pa;
.reg .b32 %wd<130>, %wa<40>, %wb<20>, %wc<40>, %r<20>; .reg .b64 %ld<10>, %la<10>, %lb<10>, %lc<10>;
.shared .align )" +
         std::to_string(alignment) + R"( .b8 shared_bytes[40960];
ld.param.u64 %rd0, [p]; mov.u32 %t, %tid.x;
)" + body +
         "\nret;\n}\n";
}

inline std::string module_head(const std::string& target, const std::string& version) {
  return ".version " + version + "\n.target " + target + "\n.address_size 64\n";
}

/// Entries k0, k1, ...
inline std::string module_of_cases(std::span<const Case> cases, const std::string& target, const std::string& version) {
  std::string text = module_head(target, version);
  for (std::size_t i = 0; i < cases.size(); ++i) text += case_entry(fmt::format("k{}", i), cases[i].body, 1024);
  return text;
}

}  // namespace lanescope::emulator::test
