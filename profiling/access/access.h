#pragma once
// One warp-wide memory access and its price: pure arithmetic on 32 addresses. cost() is the only price of an access;
// counters, step facts, panels and rules of the review carry its results.
//
// Facts measured on an H200 (sm_90), tests/data/h200_memory_counters.json: global accesses of any width are one request;
// its sectors are the distinct 32-byte sectors that active lanes touch. Shared memory has 32 banks of 4 bytes; an access
// is cut into groups of lanes (up to 4 bytes: the warp; 8 bytes: two halves; 16 bytes: four quarters) and costs, per
// group, the largest number of distinct 4-byte words in one bank. Loads of 8 and 16 bytes double their group when every
// active lane l has l^1 (or every one has l^2) inactive or at the same address; stores never do.
//
//   lane l reads 4 bytes at     global: sectors, of 4 needed     shared: wavefronts, of 1 needed
//   4*l                         4                                1
//   128*l (a column)            32                               32
//   132*l (padded column)       32                               1
//
// Shared atomics and matrices were measured, too (bench/results/gpu_access_*.json). Constants and local memory are models
// after the CUDA C++ Programming Guide and the PTX ISA. Other generations differ by their MemoryModel; traffic.h has the
// replays of the older.

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>

#include "kernels/trace/observer.h"
#include "kernels/trace/record_log.h"
#include "profiling/access/memory_model.h"

namespace lanescope::access {

using trace::AccessKind;
using trace::AtomicTurns;
using trace::MemorySpace;

struct Access {
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  int width_bytes = 4;                        ///< 1, 2, 4, 8 or 16 per lane
  std::uint32_t mask = 0xffffffffu;           ///< active lanes
  std::array<std::uint64_t, 32> addresses{};  ///< bytes; inactive lanes are ignored; local: offsets of each lane
  /// ldmatrix and stmatrix: matrices of eight rows of 16 bytes; lane 8*m + r has the address of row r of matrix m.
  int matrices = 0;
  AtomicTurns turns = AtomicTurns::lanes;  ///< of an atomic in shared memory
  /// Of the read of a cp.async.cg: offsets in shared memory to which the lanes copy.
  std::optional<std::array<std::uint64_t, 32>> destinations{};
  /// A load, or an asynchronous copy from global memory.
  bool reads() const {
    return kind == AccessKind::load || (kind == AccessKind::async_copy && space == MemorySpace::global);
  }
  bool operator==(const Access&) const = default;
};
Access access_of(const trace::AccessEvent& event);
Access access_of(const trace::AccessRecord& record);

/// An effect on memory, in words its name.
enum class Verb : std::uint8_t { reads, writes, updates };  ///< updates: an atomic
constexpr Verb verb_of(AccessKind kind) {
  return kind == AccessKind::store ? Verb::writes : trace::is_atomic(kind) ? Verb::updates : Verb::reads;
}
/// An access by one thread among those of two threads at one location, in the order of the run.
struct ThreadAccess {
  std::int64_t step = 0;  ///< of the whole launch
  std::int64_t block = 0;
  int warp = 0, lane = 0, line = 0;
  Verb does = Verb::reads;
  std::uint32_t value = 0;  ///< of the word: read, or held afterwards
};

/// Costs of one access or of many; zero where a memory has no such thing.
struct Sum {
  std::uint64_t requests = 0;  ///< accesses with an active lane
  // global and local memory
  std::uint64_t sectors = 0, ideal_sectors = 0,
                lines = 0;                          ///< ideal: the same bytes side by side from an aligned start
  std::uint64_t bytes_wanted = 0, bytes_moved = 0;  ///< wanted: distinct bytes; moved: of the sectors
  std::uint64_t passes = 0;                         ///< global atomics: turns of lanes at one address (a model)
  std::uint64_t wavefronts = 0;                     ///< of shared memory; of local memory, requests of 4 bytes a lane
  // shared memory
  std::uint64_t ideal_wavefronts = 0;  ///< distinct words / 32, rounded up: the same data in the best lane order
  std::uint64_t bank_conflicts = 0;  ///< wavefronts beyond one per group that has an active lane (as H200 counts them)
  /// As the hardware's data_bytes: of distinct addresses, so that one word for all lanes is 4 (read_same_word in
  /// bench/results/gpu_catalogue_counters.json). Lane by lane of matrices, constants and addresses of other blocks.
  std::uint64_t bytes_requested = 0;
  // constant memory: the constant cache gives one address at a time to all lanes at it (guide, "Constant Memory")
  std::uint64_t broadcasts = 0;  ///< distinct addresses
  std::uint64_t replays() const { return broadcasts - requests; }
  Sum& operator+=(const Sum& other);
  bool operator==(const Sum&) const = default;
};
/// The sum of so many that are equal.
Sum times(Sum sum, std::uint64_t number);
/// `value` as its base, as constant as it is.
template <class Base, class T>
constexpr auto& base_of(T& value) {
  return static_cast<std::conditional_t<std::is_const_v<T>, const Base, Base>&>(value);
}
struct Cost : Sum {
  std::uint64_t words = 0;  ///< constant memory: distinct 4-byte words
  /// Turns that each bank takes in the group that costs most: its distinct words; of an atomic, its lanes.
  std::array<std::uint8_t, 32> turns_per_bank{};
  bool operator==(const Cost&) const = default;
  /// References to all parts, for kernels/codec/fields.h.
  static constexpr auto fields(auto& cost) { return std::tie(base_of<Sum>(cost), cost.words, cost.turns_per_bank); }
};
/// Kernel parameters have no price. A word of shared memory is as wide as a bank: 4 bytes, 8 on Kepler (its 8-byte mode).
///
/// Atomics in shared memory: lanes in one bank take turns, also at one address (AtomicTurns); 8 bytes a lane go half warp
/// by half warp. Matrices: each is a phase of its own; .trans changes nothing. Local memory lies interleaved: word w of
/// lane l at 128*w + 4*l, so that lanes at the same offset are neighbours (guide, "Local Memory").
///
/// cp.async.ca is a load. cp.async.cg (bench/results/gpu_access_cp_async.json, counter
/// smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts) fetches a sector once for each place that it is copied to.
/// Two lanes share a fetch if their sectors agree in global memory and in shared memory and both keep, or both swap, the
/// sector's halves. Of several lanes that write the same 16 bytes of shared memory only the last fetches.
///
///   32 lanes, 16 bytes each, side by side   to the same order: 16 sectors     to places of their own: 32 sectors
Cost cost(const Access& access, const MemoryModel& model = h200_memory());
/// Adds the cost of a load or store of global memory that is a run (AccessEvent::is_run), by arithmetic on its ends.
/// false: it is another access, and nothing is added.
bool add_cost_of_run(const trace::AccessEvent& event, Sum& sum, const MemoryModel& model = h200_memory());

/// Where local memory has a byte of a lane.
std::uint64_t local_to_physical(std::uint64_t offset_bytes, int lane);
/// Requested of moved bytes, in percent; 0 if none are moved.
double bus_utilisation_percent(std::uint64_t bytes_wanted, std::uint64_t bytes_moved);

}  // namespace lanescope::access
