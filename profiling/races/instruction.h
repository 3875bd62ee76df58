#pragma once
// The order of memory by the text of an instruction: kind, scope, release, acquire, fences.
//
// The rules are those of the PTX ISA, "Memory Consistency Model": accesses by atom, red, .relaxed, .acquire and
// .release are strong and do not race with each other while their scopes include both threads; a fence, or .release,
// followed by a strong write, and a strong read of what it wrote, order what was before the fence. Two readings are
// ours:
//
//   .volatile is strong between warps. Between lanes of one warp it orders nothing: code that relies on it there relies on
//   lanes that run in lockstep, which they have not done since compute capability 7.0.
//
//   A strong read synchronises at once, with or without a fence after it: the usual forms (the last block of a
//   reduction, a flag that is polled) have none there. The write that it has read comes before what follows, too: the last
//   block sets the counter back that all blocks have counted with.
//
//   An operation on a barrier object (mbarrier) that names no scope orders blocks of a cluster, too. The PTX ISA says that its
//   scope is the block ("mbarrier.arrive", "mbarrier.test_wait": .release or .acquire and .cta by default); libraries that let
//   blocks wait for each other by such objects name none. That is reported (RaceObserver::unscoped). One that names .cta orders
//   threads of its block only.

#include <cstdint>
#include <vector>

#include "kernels/trace/trace.h"

namespace lanescope::races {

enum class Scope : std::uint8_t { none, block, cluster, device };  ///< ascending

enum class Touch : std::uint8_t { read, write, volatile_read, volatile_write, strong_read, strong_write };
constexpr bool writes(Touch t) { return t == Touch::write || t == Touch::volatile_write || t == Touch::strong_write; }
constexpr bool is_volatile(Touch t) { return t == Touch::volatile_read || t == Touch::volatile_write; }
constexpr bool is_plain(Touch t) { return t == Touch::read || t == Touch::write; }

/// Effect of an instruction on groups of asynchronous copies.
enum class CopyGroup : std::uint8_t {
  none,
  commit,
  wait,
  wait_all,
  bulk_commit,
  bulk_wait,
  bulk_wait_read,
  matrix_commit,  ///< of wgmma
  matrix_wait,
};

struct Instruction {
  bool object = false;        ///< an operation on a barrier object
  bool initialises = false;   ///< mbarrier.init
  bool fences_inits = false;  ///< fence.mbarrier_init: it orders those of its thread, and nothing else
  bool relaxed = false;       ///< of barrier.cluster.arrive, mbarrier: threads wait, and memory is in no order
  bool to_block = false;      ///< of mbarrier: its stated scope is the block
  bool unscoped = false;      ///< of mbarrier: it names no scope
  bool asynchronous = false;  ///< it issues a copy that happens later: the contents of memory are not known here
  CopyGroup copies = CopyGroup::none;
  std::uint32_t kept_groups = 0;  ///< of a wait: so many of the last ones may continue
  Touch touch = Touch::read;
  Scope scope = Scope::device;  ///< of a strong access
  bool releases = false;        ///< this access itself releases the thread's earlier accesses
  bool updates = false;         ///< it reads and writes: a release before it is passed on
  bool acquires = false;        ///< a strong read, or an atomic with .acquire or whose value is used
  Scope fence = Scope::none;    ///< a fence of this scope, and no access
  bool exits = false;
  bool acts = false;      ///< the step itself does something to the order, beyond the events that it leads to
  bool launches = false;  ///< a grid
  bool of_warp = false;   ///< all lanes execute it together: wgmma is `.sync.aligned`
  bool counts = false;    ///< a barrier that waits for a number of threads, and for no others
};

/// By itself: every `atom` acquires.
Instruction read_instruction(const trace::CodeSite& site);
/// Of a kernel with its callees. A count whose result is unused does not order later accesses after those of earlier
/// counts: `red`, and an `atom` whose register occurs nowhere else, do not acquire.
std::vector<Instruction> read_instructions(const std::vector<trace::CodeSite>& code);

/// Whether the code orders threads by more than barriers of the whole block and `.sync` operations: by fences,
/// releases, barriers of a cluster, with a number or a count.
bool orders_in_parts(const std::vector<trace::CodeSite>& code);
/// Whether some access is strong within a block or a cluster only.
bool has_narrow_scopes(const std::vector<Instruction>& code);
/// Whether blocks of a cluster are ordered among each other: its barriers and its scope, addresses in other blocks.
bool uses_clusters(const std::vector<trace::CodeSite>& code);

}  // namespace lanescope::races
