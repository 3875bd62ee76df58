#pragma once
// What one warp-wide memory access costs: pure arithmetic on 32 addresses.
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
#include <span>

#include "profiling/access/memory_model.h"

namespace lanescope::access {

enum class Direction : std::uint8_t { load, store };

/// Which lanes of an atomic in shared memory take turns: all that meet in a bank, or (what the assembler makes of some
/// atomics, kernels/ptx/shared_atomics.h; bench/results/gpu_shared_atomics.json) `words`: lanes that meet at one word go
/// together; `one`: one lane executes it for all.
enum class Turns : std::uint8_t { lanes, words, one };

struct Pattern {
  Direction direction = Direction::load;
  int width_bytes = 4;                        ///< 1, 2, 4, 8 or 16 per lane
  std::uint32_t mask = 0xffffffffu;           ///< active lanes
  std::array<std::uint64_t, 32> addresses{};  ///< bytes; inactive lanes are ignored
  /// ldmatrix and stmatrix: matrices of eight rows of 16 bytes; lane 8*m + r has the address of row r of matrix m.
  int matrices = 0;
  std::optional<Turns> atomic{};  ///< of an atomic
};

/// Bytes wanted against bytes moved, in percent; 0 when nothing moves.
double bus_utilisation_percent(std::uint64_t bytes_wanted, std::uint64_t bytes_moved);

struct GlobalCost {
  std::uint32_t requests = 0, sectors = 0, lines = 0;
  std::uint32_t bytes_wanted = 0, bytes_moved = 0;  ///< moved: sectors * 32; wanted: distinct bytes
  std::uint32_t ideal_sectors = 0;                  ///< the same bytes side by side from an aligned start
  /// Lines looked up: 8 (16) bytes a lane are looked up half (quarter) warp by half warp, and each looks up its own
  /// lines. A model, not measured; equal to `lines` up to 4 bytes.
  std::uint32_t tags = 0;
  double utilisation_percent() const { return bus_utilisation_percent(bytes_wanted, bytes_moved); }
};
GlobalCost global_cost(const Pattern& pattern, const MemoryModel& model = h200_memory());

struct SharedCost {
  std::uint32_t requests = 0, wavefronts = 0;
  std::uint32_t ideal_wavefronts = 0;  ///< distinct words / 32, rounded up: the same data in the best lane order
  std::uint32_t bank_conflicts = 0;  ///< wavefronts beyond one per group that has an active lane (as H200 counts them)
  /// By all lanes; lanes of an atomic that meet at one address request it once, whatever the atomic
  /// (bench/results/gpu_shared_atomic_bytes.json).
  std::uint32_t bytes_requested = 0;
  /// Turns that each bank takes in the group that costs most: its distinct words; of an atomic, its lanes.
  std::array<std::uint8_t, 32> turns_per_bank{};
};
/// The price of any access to shared memory: loads, stores, atomics and matrices. A word is as wide as a bank: 4 bytes, 8
/// on Kepler (its 8-byte mode).
SharedCost shared_cost(const Pattern& pattern, const MemoryModel& model = h200_memory());

/// Lanes that shared memory serves together: 32, 16 or 8, doubled where loads merge.
int lanes_served_together(const Pattern& pattern, const MemoryModel& model = h200_memory());

/// The constant cache gives one address to all lanes that want it: an access is split into as many as there are
/// different addresses (guide, "Constant Memory").
struct ConstantCost {
  std::uint32_t requests = 0;
  std::uint32_t words = 0;       ///< distinct 4-byte words
  std::uint32_t broadcasts = 0;  ///< distinct addresses
  std::uint32_t replays = 0;     ///< broadcasts beyond the first
};
ConstantCost constant_cost(const Pattern& pattern);

/// Lanes that meet at one address take turns; in shared memory, so do lanes that meet in one bank, also at one address.
/// 8 bytes a lane go half warp by half warp. Shared wavefronts (serial_passes), conflicts and global sectors measured on
/// H200: bench/results/gpu_access_{shared,global}_atomic.json.
struct AtomicCost {
  std::uint32_t requests = 0;
  std::uint32_t addresses = 0;   ///< distinct
  std::uint32_t most_lanes = 0;  ///< that meet at one address
  std::uint32_t serial_passes =
      0;  ///< global: most_lanes; shared: wavefronts, the most turns that one bank has to take
  std::uint32_t bank_conflicts = 0;      ///< shared only: wavefronts beyond one per half (8 bytes) or warp (4 bytes)
  std::uint32_t sectors = 0, lines = 0;  ///< global only
  std::array<std::uint8_t, 32> turns_per_bank{};  ///< shared only: of the warp, or of the half that costs most
};
AtomicCost global_atomic_cost(const Pattern& pattern, const MemoryModel& model = h200_memory());
AtomicCost shared_atomic_cost(const Pattern& pattern, Turns turns = Turns::lanes,
                              const MemoryModel& model = h200_memory());

/// ldmatrix and stmatrix: lane 8*m + r holds the address of row r of matrix m; a row is 16 bytes. Each matrix is a phase
/// of its own, which costs the most distinct words of its eight rows in one bank. .trans changes nothing here.
struct MatrixCost {
  std::uint32_t requests = 0, wavefronts = 0, ideal_wavefronts = 0, bank_conflicts = 0;
  std::array<std::uint32_t, 4> wavefronts_per_matrix{};
  std::array<std::uint8_t, 32> words_per_bank{};  ///< of the matrix that costs most
};
/// `rows`: 8, 16 or 32 addresses in shared memory (x1, x2, x4); a rest that is no full matrix is left out.
MatrixCost matrix_cost(std::span<const std::uint64_t> rows, const MemoryModel& model = h200_memory());

/// Local memory lies interleaved: word w of lane l at 128*w + 4*l, so that lanes at the same offset are neighbours
/// (guide, "Local Memory"). Addresses of the pattern are per-lane local offsets.
GlobalCost local_cost(const Pattern& pattern, const MemoryModel& model = h200_memory());
/// Where that layout puts a byte of a lane.
std::uint64_t local_to_physical(std::uint64_t offset_bytes, int lane);

}  // namespace lanescope::access
