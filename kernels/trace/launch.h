#pragma once
// A launch: the same values for the emulator and for a GPU.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/trace/pages.h"

namespace lanescope::trace {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  bool operator==(const Dim3&) const = default;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// One array in global memory.
struct Buffer {
  std::string name;
  std::string element_type;  ///< "f16", "u8", "u4", "b1", "f32", "f16x2", ... (source/header/launch_header.h)
  int element_bits = 32;     ///< 1, 4, 8, 16, 32 or 64: the grain of element identities
  Bytes bytes;               ///< initial contents before, contents after
  bool traced = true;        ///< false: its elements carry no identity (index tables, scalars)
  /// Not empty: it is the .global or .const variable of this name in the module, and no argument leads to it.
  std::string variable{};
};

/// A kernel argument: the address of a buffer plus `offset_bytes`, or plain bytes of a value (scalars, structs).
struct BufferArgument {
  int buffer = 0;
  std::int64_t offset_bytes = 0;
};
using ValueArgument = std::vector<std::byte>;
/// A structure that is passed by value, with addresses of buffers inside.
struct StructArgument {
  struct Pointer {
    std::uint32_t at_byte = 0;
    BufferArgument to;
  };
  ValueArgument bytes;
  std::vector<Pointer> pointers;
};
using Argument = std::variant<BufferArgument, ValueArgument, StructArgument>;

/// The buffers that an argument leads to.
std::vector<BufferArgument> buffers_of(const Argument& argument);
/// The bytes of the parameters; `address_of(buffer)` is the address of a buffer.
ValueArgument bytes_of(const Argument& argument, auto address_of) {
  const auto put = [](ValueArgument& out, std::size_t at, std::uint64_t address) {
    for (std::size_t i = 0; i < 8 && at + i < out.size(); ++i) out[at + i] = static_cast<std::byte>(address >> (8 * i));
  };
  if (const auto* b = std::get_if<BufferArgument>(&argument)) {
    ValueArgument out(8);
    put(out, 0, address_of(b->buffer) + static_cast<std::uint64_t>(b->offset_bytes));
    return out;
  }
  if (const auto* value = std::get_if<ValueArgument>(&argument)) return *value;
  const auto& s = std::get<StructArgument>(argument);
  ValueArgument out = s.bytes;
  for (const StructArgument::Pointer& p : s.pointers)
    put(out, p.at_byte, address_of(p.to.buffer) + static_cast<std::uint64_t>(p.to.offset_bytes));
  return out;
}

/// A change by the host to the buffers before a launch. Bytes outside of a buffer are not touched.
struct HostStep {
  enum class Kind : std::uint8_t {
    copy,     ///< `bytes` of `from` become those of `to`
    set,      ///< `bytes` of `to` become `value`
    write,    ///< `contents` are put there
    address,  ///< the address of `from` is put there, 8 bytes
  };
  Kind kind = Kind::write;
  BufferArgument to{}, from{};
  std::uint64_t bytes = 0;  ///< of `to`; not of a write, which has its contents
  std::uint8_t value = 0;
  std::vector<std::byte> contents{};
};

/// Performs them in order. `addresses`: where each buffer begins for a kernel.
void perform(const std::vector<HostStep>& steps, std::vector<Buffer>& buffers,
             const std::vector<std::uint64_t>& addresses);

struct Launch {
  std::string kernel;  ///< entry name in the PTX
  Dim3 grid, block;
  Dim3 cluster{0, 0, 0};  ///< 0: none
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<Argument> arguments;
  std::uint32_t stream = 0;        ///< launches of one stream run in order; streams do not wait for each other
  std::vector<HostStep> before{};  ///< host steps after all earlier launches have ended
  /// Of a child grid: its depth in the tree of grids, and the number of other child grids that wait to begin while it
  /// runs. Both 0: a launch of the host. Only the emulator's limits use them.
  std::uint32_t depth = 0, waiting = 0;
  bool cooperative = true;  ///< false: grid.sync() traps, as on a GPU. A kernel without it runs alike.
  bool generated = false;   ///< its kernel calls a function by itself: a fault concerns the claims of this launch only
  /// Warps are numbered by linear thread index / 32 inside a block: thread (x,y,z) is x + y*block.x +
  /// z*block.x*block.y.
  std::uint32_t warps_per_block() const { return static_cast<std::uint32_t>((block.count() + 31) / 32); }
};

/// The place of a block among the clusters of a launch; without clusters every block is a cluster of its own. Ranks
/// count through x, then y, then z of the cluster (PTX ISA, %cluster_ctarank); so do clusters in the grid.
struct ClusterPlace {
  std::uint32_t cluster = 0, rank = 0;
  bool operator==(const ClusterPlace&) const = default;
};
ClusterPlace cluster_place(const Launch& launch, std::uint32_t block);
/// The block at a place.
std::uint32_t block_at(const Launch& launch, ClusterPlace place);

// Which thread a lane is. The threads of a block are numbered with x fastest, then y, then z, and every 32 consecutive
// numbers are a warp; so are the blocks of a grid. (CUDA C++ Programming Guide, "Thread Hierarchy" and "SIMT
// Architecture".)
//
//   block 40x2     thread (39,0,0) is number 39: warp 1, lane 7     thread (0,1,0) is number 40: warp 1, lane 8
//                  80 threads in 3 warps of 32 lanes: lanes 16 to 31 of warp 2 are idle, and hold registers nevertheless
//
// A tile of cooperative groups of N threads (a power of two up to 32) is N consecutive lanes of a warp.

inline constexpr std::uint32_t warp_lanes = 32;

struct ThreadPlace {
  Dim3 thread{0, 0, 0};            ///< threadIdx
  std::uint32_t in_block = 0;      ///< linear index in the block: x + (y + z * blockDim.y) * blockDim.x
  std::uint32_t warp = 0;          ///< of the block
  std::uint32_t lane = 0;          ///< the rank in the warp
  std::uint32_t in_row = 0;        ///< the rank in its row of the block: threadIdx.x
  std::uint32_t row = 0;           ///< y + z * blockDim.y
  Dim3 block{0, 0, 0};             ///< blockIdx
  std::uint64_t block_number = 0;  ///< linear index of the block in the grid
  std::uint64_t in_grid = 0;       ///< block_number * threads of a block + in_block
};

/// Index of the n-th thread of a block, or block of a grid. `extents` has no zero.
Dim3 index_of(Dim3 extents, std::uint64_t n);
/// The inverse. `at` lies inside.
std::uint64_t number_of(Dim3 extents, Dim3 at);

/// nullopt: no thread has that lane.
std::optional<ThreadPlace> thread_at(Dim3 grid, Dim3 block, std::uint64_t block_number, std::uint32_t warp,
                                     std::uint32_t lane);
/// `in_block` below the block's count.
ThreadPlace thread_place(Dim3 grid, Dim3 block, std::uint64_t block_number, std::uint32_t in_block);

/// The warps of a block.
struct BlockShape {
  std::uint32_t threads = 0, warps = 0;
  std::uint32_t idle_lanes = 0;      ///< of the last warp
  std::uint32_t rows_in_a_warp = 0;  ///< most rows of the block that one warp has threads of
  std::uint32_t cut_rows = 0;        ///< rows whose threads are in more warps than their number needs
  double idle_percent = 0;           ///< of all lanes of its warps
};
BlockShape block_shape(Dim3 block);

/// "(5,0,0)".
std::string to_string(Dim3 index);
/// "40 x 2 threads: 80 threads in 3 warps; 16 of 96 lanes are idle (16.7 %)".
std::string words(Dim3 block, const BlockShape& shape);

}  // namespace lanescope::trace
