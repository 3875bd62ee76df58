#include "kernels/emulator/machine/memory.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::emulator {

void Store::materialise() {
  tags.resize((bytes + 3) / 4);
  if (identified)
    for (u64 i = 0; i < tags.size(); ++i) tags[i] = trace::TagPool::source_word(first_word + static_cast<u32>(i));
}

Store* AddressSpace::find(u64 address, u64 bytes) {
  const auto inside = [&](const Store& s) {
    return address - s.base < s.bytes && s.bytes - (address - s.base) >= bytes;
  };
  if (last_ < stores.size() && inside(stores[last_])) return &stores[last_];
  const auto after = std::ranges::upper_bound(stores, address, {}, &Store::base);
  if (after == stores.begin() || !inside(*(after - 1))) return nullptr;
  last_ = static_cast<std::size_t>(after - stores.begin()) - 1;
  return &stores[last_];
}

std::string after_words(u64 offset, u64 bytes, std::string_view name) {
  if (offset < bytes) return fmt::format("across the end of {} ({} bytes)", name, bytes);
  if (offset == bytes) return fmt::format("right after the end of {} ({} bytes)", name, bytes);
  const u64 distance = offset - bytes;
  return fmt::format("{} byte{} beyond the end of {} ({} bytes)", distance, distance == 1 ? "" : "s", name, bytes);
}

std::string AddressSpace::nearest(u64 address) const {
  const Store* best = nullptr;
  u64 distance = ~u64{0};
  bool beyond = false;
  for (const Store& s : stores) {
    const bool after = address >= s.base;
    const u64 d = !after ? s.base - address : address - s.base < s.bytes ? 0 : address - s.base - s.bytes;
    if (d >= distance) continue;
    best = &s;
    distance = d;
    beyond = after;
  }
  if (best == nullptr || distance > (u64{1} << 32)) return "outside of all buffers";
  if (!beyond) {
    return fmt::format("{} byte{} before the start of {} ({} bytes)", distance, distance == 1 ? "" : "s", best->name,
                       best->bytes);
  }
  return after_words(address - best->base, best->bytes, best->name);
}

}  // namespace lanescope::emulator
