#include "kernels/compile/machine_counts.h"

#include <cstdint>
#include <cstring>

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
constexpr std::size_t instruction_bytes = 16, section_bytes = 64;

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T out{};
  if (at < bytes.size() && sizeof out <= bytes.size() - at) std::memcpy(&out, bytes.data() + at, sizeof out);
  return out;
}

MachineCounts counts_of(std::string_view code) {
  MachineCounts out;
  std::size_t count = code.size() / instruction_bytes;
  const auto opcode = [&](std::size_t n) {
    return number_at<std::uint64_t>(code, n * instruction_bytes) & opcode_mask;
  };
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
  if (!cubin.starts_with("\x7f"
                         "ELF"))
    return out;
  // Fields of an ELF file of 64 bits.
  const auto sections = number_at<std::uint64_t>(cubin, 40);
  const auto count = number_at<std::uint16_t>(cubin, 60), names = number_at<std::uint16_t>(cubin, 62);
  const auto field = [&](std::size_t section, std::size_t at) {
    return number_at<std::uint64_t>(cubin, sections + section * section_bytes + at);
  };
  constexpr std::string_view prefix = ".text.";
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t name = field(names, 24) + number_at<std::uint32_t>(cubin, sections + n * section_bytes);
    if (name >= cubin.size()) continue;
    const std::string_view words = cubin.substr(name, cubin.find('\0', name) - name);
    const std::uint64_t first = field(n, 24), bytes = field(n, 32);
    if (!words.starts_with(prefix) || first > cubin.size() || bytes > cubin.size() - first) continue;
    out.emplace(words.substr(prefix.size()), counts_of(cubin.substr(first, bytes)));
  }
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
