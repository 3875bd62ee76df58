#pragma once
// The path of data on one generation of GPUs, and its units of transfer.
//
// Which loads the L1 cache holds differs by generation (assets/gpus.toml, [arch.memory]); the cache operators are those
// of the PTX ISA 9.0, section "Cache Operators". Sizes are computed by profiling/access for a warp whose lanes are side
// by side.

#include <cstdint>
#include <string>
#include <vector>

#include "profiling/access/memory_model.h"

namespace lanescope::explain {

/// The GPU of the route. The default is an H200.
struct Generation {
  std::string arch = "sm_90", name = "Hopper";
  access::MemoryModel memory = access::h200_memory();
};

enum class Motion : std::uint8_t { load, store, atomic, reduction, copy_to_shared, prefetch };
enum class Memory : std::uint8_t { generic, global, shared, cluster, local, constant, texture };

/// The access of an instruction, as far as its text gives it.
struct AccessWords {
  Motion motion = Motion::load;
  Memory memory = Memory::generic;
  int width_bytes = 0;         ///< of one lane; 0: not given
  std::string cache_operator;  ///< "ca", "cg", "cs", "lu", "cv", "wb", "wt"; empty: none
  bool read_only = false;      ///< ld.global.nc, LDG.CONSTANT
  bool strong = false;         ///< must see writes of others: .volatile, .relaxed, .acquire beyond the block
  bool no_allocate = false;    ///< L1::no_allocate
  bool bulk = false;           ///< the copy engine moves it: cp.async.bulk
  bool parameter = false;      ///< an argument of the kernel
};

struct Route {
  std::vector<std::string> stops;  ///< from source to destination: "device memory", "L2", "registers"
  int transaction_bytes = 0;       ///< of one piece; 0: not a matter of pieces
  std::string transaction;         ///< "sectors of 32 bytes"
  std::string warp;                ///< bytes that a warp with adjacent lanes moves; empty if the width is not given
  std::vector<std::string> remarks;
  std::string source;         ///< of the figures
  std::string words() const;  ///< the stops with arrows
};

Route route_of(const AccessWords& access, const Generation& generation);

}  // namespace lanescope::explain
