// Whether the kernels on branches really branch: in the machine code that the assembler makes of their stored PTX. Since
// sm_70 an instruction has 16 bytes, its opcode in the lowest 12 bits and the predicate that guards it in bits 12 to 14,
// 7 for none. BRA is 0x947, and BSSY, which remembers where lanes are to reconverge, 0x945; NVIDIA does not document this,
// public assemblers of machine code do (turingas, CuAssembler). After its exit every kernel has one BRA to itself.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tests/catalogue/support.h"
#include "tests/shell_word.h"

namespace lanescope::catalogue {
namespace {

std::string assembler() {
  for (const char* path : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"})
    if (std::filesystem::exists(path)) return path;
  return {};
}

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// Machine code of the kernels of an ELF file of 64 bits: contents of sections `.text.*`.
std::string machine_code(const std::string& elf) {
  const auto headers = at<std::uint64_t>(elf, 40);
  const auto bytes = at<std::uint16_t>(elf, 58), count = at<std::uint16_t>(elf, 60), names = at<std::uint16_t>(elf, 62);
  const auto field = [&](unsigned section, std::size_t offset) {
    return at<std::uint64_t>(elf, headers + std::size_t{section} * bytes + offset);
  };
  std::string code;
  for (unsigned s = 0; s < count; ++s) {
    const std::size_t name = field(names, 24) + at<std::uint32_t>(elf, headers + std::size_t{s} * bytes);
    if (elf.compare(name, 6, ".text.") == 0) code += elf.substr(field(s, 24), field(s, 32));
  }
  return code;
}

struct Branches {
  int all = 0, conditional = 0, meetings = 0;
};

Branches branches_of(const std::string& kernel, const std::string& arch) {
  const std::filesystem::path out = scratch_file(kernel + "." + arch, "");
  const std::string ptx = (kernels_folder() / (kernel + ".plain.ptx")).string();
  const std::string command =
      fmt::format("{} -arch={} {} -o {}", assembler(), arch, shell_word(ptx), shell_word(out.string()));
  EXPECT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(cert-env33-c): the assembler of the toolkit
  const std::string code = machine_code(read_text(out));
  EXPECT_FALSE(code.empty());
  Branches found;
  for (std::size_t i = 0; i + 16 <= code.size(); i += 16) {
    const auto word = at<std::uint64_t>(code, i);
    found.meetings += (word & 0xfff) == 0x945;
    if ((word & 0xfff) != 0x947) continue;
    ++found.all;
    found.conditional += (word >> 12 & 7) != 7;
  }
  return found;
}

TEST(MachineBranches, AreWhereTheTitlesSay) {
  if (assembler().empty()) GTEST_SKIP() << "SKIPPED, no ptxas";
  for (const char* kernel : {"branch_divergent", "branch_by_warp"}) {
    const Branches b = branches_of(kernel, "sm_90");
    EXPECT_GE(b.conditional, 3) << kernel << ": two loops and the way to one of them";
    EXPECT_GE(b.meetings, 1) << kernel;
  }
  const Branches none = branches_of("branch_predicated", "sm_90");
  EXPECT_EQ(none.all, 1);
  EXPECT_EQ(none.conditional, 0);
  EXPECT_EQ(none.meetings, 0);
}

}  // namespace
}  // namespace lanescope::catalogue
