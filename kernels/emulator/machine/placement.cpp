#include "kernels/emulator/machine/placement.h"

#include <algorithm>

#include "kernels/emulator/lanes/addresses.h"

namespace lanescope::emulator {

std::vector<u64> place_buffers(const std::vector<trace::Buffer>& buffers) {
  std::vector<u64> addresses;
  u64 at = first_buffer_address;
  for (const trace::Buffer& b : buffers) {
    addresses.push_back(at);
    // At least 64 KiB unmapped between buffers: an index that runs over by a row or two is caught, not swallowed.
    at = (at + b.bytes.size() + (u64{1} << 16) + 255) / 256 * 256;
  }
  return addresses;
}

trace::TagSpace tag_space(const std::vector<trace::Buffer>& buffers) {
  trace::TagSpace space;
  u32 word = 0;
  for (const trace::Buffer& b : buffers) {
    const u32 words = static_cast<u32>((b.bytes.size() + 3) / 4);
    space.buffers.push_back({word, words, b.element_bits, b.traced});
    word += words;
  }
  return space;
}

trace::TagSpace unwritten_space(const std::vector<trace::Buffer>& buffers, std::optional<u64> heap_bytes,
                                u64 shared_bytes, u64 local_bytes) {
  trace::TagSpace space;
  u32 word = 0;
  const auto add = [&](u64 bytes) {
    const u32 words = static_cast<u32>((bytes + 3) / 4);
    space.buffers.push_back({word, words, 8, true});
    word += words;
  };
  for (const trace::Buffer& b : buffers) add(b.bytes.size());
  if (heap_bytes) add(*heap_bytes);
  add((shared_bytes + 7) / 8 * 8);
  add(local_bytes * lanes);
  add(4);
  add(4);
  return space;
}

namespace {

bool is_workspace(const ptx::Operand& operand) {
  return operand.special == ptx::Special::envreg1 || operand.special == ptx::Special::envreg2 ||
         std::ranges::any_of(operand.elements, is_workspace);
}

bool asks_for_workspace(const ptx::Entry& entry) {
  return std::ranges::any_of(entry.code,
                             [](const ptx::Instruction& i) { return std::ranges::any_of(i.operands, is_workspace); });
}

}  // namespace

bool synchronises_grid(const ptx::Module& module) { return std::ranges::any_of(module.entries, asks_for_workspace); }

bool synchronises_grid(const ptx::Module& module, const ptx::Entry& kernel) {
  return asks_for_workspace(kernel) || std::ranges::any_of(module.entries, [](const ptx::Entry& e) {
           return e.is_function && asks_for_workspace(e);
         });
}

std::vector<DeviceVariable> device_variables(const ptx::Module& module) {
  std::vector<DeviceVariable> out;
  u64 at = first_variable_address + 65536;  // after the kernel's parameters
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& v = module.variables[i];
    if (v.space != ptx::Space::global && v.space != ptx::Space::constant) continue;
    const u64 alignment = std::max<u64>(v.alignment, 256);
    at = (at + alignment - 1) / alignment * alignment;
    out.push_back({i, at});
    at += v.bytes + 4096;
  }
  return out;
}

std::vector<VariablePlace> variable_places(const ptx::Module& module) {
  std::vector<VariablePlace> out;
  for (const auto& [index, address] : device_variables(module)) {
    const ptx::Variable& v = module.variables[index];
    if (v.space == ptx::Space::global)
      out.push_back({.name = v.name, .address = address, .bytes = v.bytes, .element_bits = ptx::bits_of(v.type)});
  }
  return out;
}

}  // namespace lanescope::emulator
