#pragma once
// What is launched: the same values for the emulator and for a GPU.

#include <cstddef>
#include <cstdint>
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
/// The bytes that a kernel sees; `address_of(buffer)` is where a buffer begins.
template <class AddressOf>
ValueArgument bytes_of(const Argument& argument, AddressOf address_of) {
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

/// What the host does to the buffers before a launch. Bytes outside of a buffer are not touched.
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
  std::vector<HostStep> before{};  ///< what the host does when all launches before this one have ended
  /// Of a launch that a kernel made: how deep it lies in the tree of grids, and how many other launches of kernels wait to
  /// begin while it runs. Both 0: it is the host's. Only the emulator requests, for its limits.
  std::uint32_t depth = 0, waiting = 0;
  /// Warps are numbered by linear thread index / 32 inside a block: thread (x,y,z) is x + y*block.x + z*block.x*block.y.
  std::uint32_t warps_per_block() const { return static_cast<std::uint32_t>((block.count() + 31) / 32); }
};

/// Where a block is among the clusters of a launch; without clusters every block is a cluster of its own. Ranks count
/// through x, then y, then z of the cluster (PTX ISA, %cluster_ctarank); so do clusters in the grid.
struct ClusterPlace {
  std::uint32_t cluster = 0, rank = 0;
  bool operator==(const ClusterPlace&) const = default;
};
ClusterPlace cluster_place(const Launch& launch, std::uint32_t block);
/// The block at a place.
std::uint32_t block_at(const Launch& launch, ClusterPlace place);

}  // namespace lanescope::trace
