#include "kernels/compile/cubin/cubin_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

namespace lanescope::compile {
namespace {

constexpr std::size_t section_bytes = 64, symbol_bytes = 24;
constexpr std::uint32_t no_bits = 8;  // SHT_NOBITS

std::string_view text_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? bytes.substr(at, bytes.find('\0', at) - at) : std::string_view{};
}

/// CUDA C++ Programming Guide, compute capability 9.x; as trace::reserved_shared_bytes, which this folder may not include.
constexpr int reserved_bytes = 1024;

enum Form : std::uint8_t { long_value = 4 };
enum Attribute : std::uint8_t { frame_size = 0x11, register_count = 0x2f, barrier_count = 0x4c };

/// Calls `visit(attribute, short value, bytes)` for each attribute of a section .nv.info.
void each_attribute(std::string_view info,
                    const std::function<void(std::uint8_t, std::uint16_t, std::string_view)>& visit) {
  while (info.size() >= 4) {
    const auto form = static_cast<std::uint8_t>(info[0]), attribute = static_cast<std::uint8_t>(info[1]);
    const auto value = field_at<std::uint16_t>(info, 2);
    info.remove_prefix(4);
    std::string_view bytes;
    if (form == long_value) {
      if (value > info.size()) return;
      bytes = info.substr(0, value);
      info.remove_prefix(value);
    }
    visit(attribute, value, bytes);
  }
}

/// N of ".nv.constantN" or ".nv.constantN.KERNEL", and KERNEL.
struct Bank {
  int number = -1;
  std::string_view kernel;
};
Bank bank_of(std::string_view section) {
  constexpr std::string_view prefix = ".nv.constant";
  if (!section.starts_with(prefix)) return {};
  section.remove_prefix(prefix.size());
  Bank out;
  const auto [end, error] = std::from_chars(section.data(), section.data() + section.size(), out.number);
  if (error != std::errc{}) return {};
  section.remove_prefix(static_cast<std::size_t>(end - section.data()));
  if (section.starts_with('.')) out.kernel = section.substr(1);
  return section.empty() || section.starts_with('.') ? out : Bank{};
}

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
    for (const Opcode& o : opcodes)
      if (o.number == opcode(n)) ++(out.*o.count);
  }
  return out;
}

}  // namespace

CubinFile::CubinFile(std::string_view bytes) {
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    return;
  const auto table = field_at<std::uint64_t>(bytes, 40);
  const auto count = field_at<std::uint16_t>(bytes, 60), names = field_at<std::uint16_t>(bytes, 62);
  if (table > bytes.size()) return;
  const auto field = [&](std::size_t section, std::size_t at) {
    return field_at<std::uint64_t>(bytes, table + section * section_bytes + at);
  };
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t at = table + n * section_bytes;
    if (at >= bytes.size()) break;
    CubinSection s{.name = text_at(bytes, field(names, 24) + field_at<std::uint32_t>(bytes, at)),
                   .size = field(n, 32),
                   .bytes = {},
                   .link = field_at<std::uint32_t>(bytes, at + 40)};
    const std::uint64_t first = field(n, 24);
    if (field_at<std::uint32_t>(bytes, at + 4) != no_bits && first <= bytes.size() && s.size <= bytes.size() - first)
      s.bytes = bytes.substr(first, s.size);
    sections_.push_back(s);
  }
}

const CubinSection* CubinFile::find(std::string_view name) const {
  for (const CubinSection& s : sections_)
    if (s.name == name) return &s;
  return nullptr;
}

std::string_view CubinFile::symbol(std::uint32_t number) const {
  const CubinSection* symbols = find(".symtab");
  if (symbols == nullptr || symbols->link >= sections_.size() || number >= symbols->bytes.size() / symbol_bytes)
    return {};
  return text_at(sections_[symbols->link].bytes, field_at<std::uint32_t>(symbols->bytes, number * symbol_bytes));
}

std::vector<std::string_view> ptx_lines_of(std::string_view cubin) {
  const CubinFile file(cubin);
  const CubinSection* text = file.find(".nv_debug_ptx_txt");
  std::vector<std::string_view> lines;
  if (text == nullptr) return lines;
  for (std::string_view rest = text->bytes; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

std::map<std::string, CubinResources> cubin_resources(std::string_view cubin) {
  const CubinFile file(cubin);
  std::map<std::string, CubinResources, std::less<>> out;
  constexpr std::string_view kernel_info = ".nv.info.", shared = ".nv.shared.";
  // A kernel has a section of attributes and parameters; functions that it calls may have the first, but no bank 0.
  for (const CubinSection& s : file.sections())
    if (const Bank bank = bank_of(s.name); bank.number == 0 && !bank.kernel.empty())
      out[std::string(bank.kernel)].constant_bytes[0] = static_cast<int>(s.size);
  const auto kernel = [&](std::string_view name) -> CubinResources* {
    const auto at = out.find(name);
    return at == out.end() ? nullptr : &at->second;
  };
  const int reserved = file.find(".nv.shared.reserved.0") != nullptr ? reserved_bytes : 0;
  for (const CubinSection& s : file.sections()) {
    if (s.name == ".nv.info") {
      each_attribute(s.bytes, [&](std::uint8_t attribute, std::uint16_t, std::string_view bytes) {
        if (bytes.size() < 8) return;
        CubinResources* const r = kernel(file.symbol(field_at<std::uint32_t>(bytes, 0)));
        const int value = field_at<std::int32_t>(bytes, 4);
        if (r != nullptr && attribute == register_count) r->registers = value;
        if (r != nullptr && attribute == frame_size) r->stack_bytes = value;
      });
    } else if (s.name.starts_with(kernel_info)) {
      if (CubinResources* const r = kernel(s.name.substr(kernel_info.size())))
        each_attribute(s.bytes, [&](std::uint8_t attribute, std::uint16_t value, std::string_view) {
          if (attribute == barrier_count) r->barriers = value & 0xff;
        });
    } else if (s.name.starts_with(shared)) {
      if (CubinResources* const r = kernel(s.name.substr(shared.size())))
        r->shared_bytes = static_cast<int>(s.size) - (static_cast<int>(s.size) >= reserved ? reserved : 0);
    } else if (const Bank bank = bank_of(s.name); bank.number > 0) {
      for (auto& [name, r] : out)
        if (bank.kernel.empty() || bank.kernel == name) r.constant_bytes[bank.number] = static_cast<int>(s.size);
    }
  }
  return {out.begin(), out.end()};
}

std::string words(const CubinResources& r, int spill_store_bytes, int spill_load_bytes) {
  std::string out = fmt::format("{} registers, {} barrier{}", r.registers, r.barriers, r.barriers == 1 ? "" : "s");
  if (r.stack_bytes >= 0) out += fmt::format(", {} bytes stack frame", r.stack_bytes);
  if (spill_store_bytes >= 0) out += fmt::format(", {} bytes spill stores", spill_store_bytes);
  if (spill_load_bytes >= 0) out += fmt::format(", {} bytes spill loads", spill_load_bytes);
  if (r.shared_bytes > 0) out += fmt::format(", {} bytes smem", r.shared_bytes);
  for (const auto& [bank, bytes] : r.constant_bytes)
    if (bytes > 0) out += fmt::format(", {} bytes cmem[{}]", bytes, bank);
  return out;
}

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
