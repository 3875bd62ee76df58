#pragma once
// Where the lanes of a memory operation point, checked. Private to this folder.

#include <array>
#include <span>

#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

struct Access {
  std::array<u64, lanes> address;  ///< for events: shared and local are offsets
  std::array<u64, lanes> at;       ///< in the store; of active lanes, as are the stores
  std::array<Store*, lanes> stores;
  Store* store = nullptr;  ///< of the first active lane
  bool one_store = false;  ///< all active lanes are there
  bool elsewhere = false;  ///< some lane's is shared memory of another block of the cluster
  trace::MemorySpace space = trace::MemorySpace::global;
  std::span<const u64> destinations{};  ///< as in trace::AccessEvent
};

/// False after a fault. `bytes` is the width of the whole access of a lane.
bool resolve(Context& c, const MemoryOp& m, u32 base, u8 base_bits, s64 offset, Area area, u32 bytes, bool writes,
             u32 mask, Access& out);

/// The place of a whole warp's access to consecutive words: lane l at first + l * bytes, all in one store, aligned. No
/// store in all other cases, which resolve() handles.
struct Run {
  Store* store = nullptr;
  u64 first = 0;  ///< address of lane 0, for events
  u64 at = 0;     ///< in the store
};
Run find_run(Context& c, const MemoryOp& m, bool writes);
/// Reports such an access. `memory`: of lane 0; with identities, also the store and the place there.
void report_run(Context& c, const MemoryOp& m, std::span<const u64> addresses, const u8* memory,
                const Store* tagged = nullptr, u64 at = 0);

/// Reports the new contents of the lanes' memory to observers, word by word; narrow accesses give their bytes in the
/// low bits. `overwritten`: AccessEvent::overwritten.
void report_moved(Context& c, const MemoryOp& m, trace::AccessKind kind, const Access& access, u32 width, u32 mask,
                  u32 overwritten = 0);
/// Reports the moved words to observers. `words` are [word][lane].
void report_access(Context& c, const MemoryOp& m, trace::AccessKind kind, const Access& access, u32 width, u32 mask,
                   std::span<const u32> values, std::span<const trace::WordTag> tags, u32 overwritten = 0,
                   u32 deferred = 0);

u64 read_bytes(const u8* from, u32 bytes);
void write_bytes(u8* to, u64 value, u32 bytes);
/// Identity of `bytes` (1, 2 or 4) at a place: the word's, or the part of it.
trace::WordTag read_tag(TagContext& t, const Store& s, u64 at, u32 bytes, bool is_signed);
void write_tag(TagContext& t, Store& s, u64 at, u32 bytes, trace::WordTag tag);

/// A group that reads the same value at the same place again and again waits for another thread: it yields.
void note_poll(Context& c, u64 value);

}  // namespace lanescope::emulator
