#pragma once
// Where the lanes of a memory operation point, checked. Private to this folder.

#include <array>

#include "kernels/emulator/machine.h"

namespace lanescope::emulator {

struct Access {
  std::array<u64, lanes> address{};  ///< as the program computed it, for events: shared and local are offsets
  std::array<u64, lanes> at{};       ///< in the store
  std::array<Store*, lanes> stores{};
  Store* store = nullptr;            ///< when all lanes are in the same one
  trace::MemorySpace space = trace::MemorySpace::global;
};

/// False after a fault. `bytes` is the width of the whole access of a lane.
bool resolve(Context& c, const MemoryOp& m, u32 base, u8 base_bits, s64 offset, Area area, u32 bytes, bool writes, u32 mask,
             Access& out);

TagContext tag_context(Context& c);

/// Tells observers what was moved. `words` are [word][lane].
void report_access(Context& c, const MemoryOp& m, trace::AccessKind kind, const Access& access, u32 width, u32 mask,
                   const std::vector<u32>& values, const std::vector<trace::WordTag>& tags);

u64 read_bytes(const u8* from, u32 bytes);
void write_bytes(u8* to, u64 value, u32 bytes);
/// Identity of `bytes` (1, 2 or 4) at a place: the word's, or the part of it.
trace::WordTag read_tag(TagContext& t, const Store& s, u64 at, u32 bytes, bool is_signed);
void write_tag(TagContext& t, Store& s, u64 at, u32 bytes, trace::WordTag tag);

/// A group that reads the same value at the same place again and again waits for somebody else: it gives way.
void note_poll(Context& c, u64 value);

}  // namespace lanescope::emulator
