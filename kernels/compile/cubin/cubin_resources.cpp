#include "kernels/compile/cubin/cubin_file.h"

#include <charconv>
#include <functional>

#include <fmt/format.h>

namespace lanescope::compile {
namespace {

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

}  // namespace

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

}  // namespace lanescope::compile
