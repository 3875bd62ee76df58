#pragma once
// Records that an instrumented kernel leaves in memory, and the buffer that holds them. The same buffer serves a GPU
// and the emulator: it is one more argument of the kernel.
//
// The buffer, little endian, offsets in bytes:
//
//   0   u64  cursor: units of 16 bytes requested so far (may exceed the capacity: then the needed size)
//   8   u64  records that did not fit
//   16  u32  first block, number of blocks, first warp, number of warps that record (set before the launch)
//   32  u64  capacity in units
//   40  u64  reserved
//   48  u64  slots: parameters that are addresses, addresses of shared variables; written by thread 0 of block 0
//   ..       records, each a whole number of units:
//              u32 site, block, warp, mask of lanes; then for each lane 8 bytes (an address), 4 (a word) or nothing
//
// One lane of the warp takes room by an atomic addition on the cursor. It is done, and known to its warp, before the
// instruction that is recorded runs, so the records of a warp lie in the order in which the warp executed them. Between
// warps the order is that of the additions. Records that fit are a prefix of all that were requested.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/trace/launch.h"
#include "kernels/trace/observer.h"

namespace lanescope::instrument {

inline constexpr std::uint64_t unit_bytes = 16;
inline constexpr std::uint64_t first_slot = 48;

/// One static instruction that records.
struct Site {
  enum class Kind : std::uint8_t { access, shuffle, barrier, probe };
  Kind kind = Kind::access;
  std::uint32_t pc = 0;  ///< as in the emulator's code_sites of the kernel that was rewritten
  // accesses
  trace::MemorySpace space = trace::MemorySpace::global;  ///< of a generic access: global; its records say more
  trace::AccessKind access = trace::AccessKind::load;
  bool generic = false;
  bool read_only = false;
  int width_bytes = 4;  ///< per lane, all vector elements together
  int matrix = 0;       ///< as in trace::AccessEvent
  // probes
  int probe = 0, variable = 0, byte_offset = 0;

  std::uint64_t lane_bytes() const { return kind == Kind::access ? 8 : kind == Kind::barrier ? 0 : 4; }
  std::uint64_t units() const { return 1 + lane_bytes() * trace::lanes_per_warp / unit_bytes; }
};

/// The record buffer's header for one launch.
struct Slot {
  enum class Kind : std::uint8_t { parameter, shared_variable };
  Kind kind = Kind::parameter;
  int index = 0;            ///< of the parameter in the kernel; of shared variables, their order
  std::string name;         ///< of the parameter or the variable
  std::uint64_t bytes = 0;  ///< of a shared variable; 0: dynamic shared memory
};

/// Description of a rewritten kernel for a reader of its records.
struct Description {
  std::string kernel;  ///< name in the PTX
  std::vector<Site> sites;
  std::vector<Slot> slots;
  /// Instructions that touch memory and do not record ("wmma.load at PTX line 214").
  std::vector<std::string> silent;
  /// Start of a block's own shared memory, for kernels that have none and touch the reserved part.
  std::uint32_t first_shared = 0;
  std::uint64_t header_bytes() const {
    return (first_slot + 8 * slots.size() + unit_bytes - 1) / unit_bytes * unit_bytes;
  }
};

/// Which warps record.
struct Choice {
  std::uint32_t first_block = 0, block_count = ~0u;
  std::uint32_t first_warp = 0, warp_count = ~0u;
  bool has(std::uint32_t block, std::uint32_t warp) const {
    return block - first_block < block_count && warp - first_warp < warp_count;
  }
};

/// An empty buffer. `capacity_bytes`: of records; an access takes 272, a probe or a shuffle 144, a barrier 16.
trace::Buffer record_buffer(const Description& description, const Choice& choice, std::uint64_t capacity_bytes);
/// The launch with the record buffer, which is `buffer` in the list of buffers, as its last argument.
trace::Launch with_records(trace::Launch launch, int buffer);

/// One record. Lanes outside `mask` are 0.
struct Record {
  std::uint32_t site = 0, block = 0, warp = 0, mask = 0;
  /// Addresses; of generic accesses with the space in the two highest bits (1 shared, 2 local). Words otherwise.
  std::array<std::uint64_t, trace::lanes_per_warp> lanes{};
};

struct Totals {
  std::uint64_t kept = 0, dropped = 0;  ///< records
  std::uint64_t needed_bytes = 0;       ///< capacity that would have held them all
  std::vector<std::uint64_t> slots;     ///< by Description::slots
};

/// Calls `take` for every record in order. Error: the bytes are no records of this description (a kernel that writes
/// out of bounds can do that).
Expected<Totals> read_records(std::span<const std::byte> buffer, const Description& description,
                              const std::function<void(const Record&)>& take);

}  // namespace lanescope::instrument
