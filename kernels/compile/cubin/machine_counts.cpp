#include "kernels/compile/cubin/cubin_file.h"

#include <cstdint>

#include <fmt/format.h>

namespace lanescope::compile {
namespace {

struct Opcode {
  std::uint64_t number;
  std::string_view name;
  int MachineCounts::*count;
};

constexpr Opcode opcodes[] = {
    {0x189, "SHFL", &MachineCounts::shuffles},     {0x007, "SEL", &MachineCounts::selects},
    {0x008, "SEL", &MachineCounts::selects},       {0x016, "PRMT", &MachineCounts::permutes},
    {0x012, "LOP3", &MachineCounts::logic},        {0x019, "LOP3", &MachineCounts::logic},
    {0x184, "LDS", &MachineCounts::shared_loads},  {0x188, "STS", &MachineCounts::shared_stores},
    {0x03b, "LDSM", &MachineCounts::matrix_loads}, {0x044, "STSM", &MachineCounts::matrix_stores},
    {0x03a, "MOVM", &MachineCounts::matrices},     {0x11d, "BAR", &MachineCounts::barriers},
};
constexpr std::uint64_t opcode_mask = 0x1ff, nop = 0x118, branch = 0x147;
constexpr std::size_t instruction_bytes = 16;

MachineCounts counts_of(std::string_view code) {
  MachineCounts out;
  std::size_t count = code.size() / instruction_bytes;
  const auto opcode = [&](std::size_t n) { return field_at<std::uint64_t>(code, n * instruction_bytes) & opcode_mask; };
  while (count > 0 && opcode(count - 1) == nop) --count;
  if (count > 0 && opcode(count - 1) == branch) --count;
  for (std::size_t n = 0; n < count; ++n) {
    if (opcode(n) == nop) continue;
    ++out.all;
    for (const Opcode& o : opcodes) {
      if (o.number == opcode(n)) ++(out.*o.count);
    }
  }
  return out;
}

}  // namespace

MachineCounts operator-(const MachineCounts& a, const MachineCounts& b) {
  MachineCounts out = a;
  out.all -= b.all;
  std::string_view before;
  for (const Opcode& o : opcodes) {
    if (o.name != before) out.*o.count -= b.*o.count;  // two numbers of one name stand together
    before = o.name;
  }
  return out;
}

std::map<std::string, MachineCounts> machine_counts(std::string_view cubin) {
  std::map<std::string, MachineCounts> out;
  constexpr std::string_view prefix = ".text.";
  const CubinFile file(cubin);
  for (const CubinSection& s : file.sections())
    if (s.name.starts_with(prefix)) out.emplace(s.name.substr(prefix.size()), counts_of(s.bytes));
  return out;
}

std::string machine_counts_in_words(const MachineCounts& counts) {
  std::string out;
  int named = 0;
  std::string_view before;
  const auto add = [&](int number, std::string_view name) {
    if (number > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", number, name);
  };
  for (const Opcode& o : opcodes) {
    if (o.name == before) continue;
    before = o.name;
    add(counts.*o.count, o.name == "LOP3" ? "LOP3 or SHF" : o.name);
    named += counts.*o.count;
  }
  add(counts.all - named, "others");
  return out;
}

}  // namespace lanescope::compile
