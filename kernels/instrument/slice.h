#pragma once
// Which arrays may carry element ids instead of their numbers, found in the PTX without running it.
//
// An array may carry ids when none of its elements can reach a branch, a guard, an address, the choice of a lane, or
// the condition of a select: then the kernel executes the same instructions for any contents of the array. For every
// register and variable the analysis computes the arrays that its value may come from, on any path, and how:
//
//   moved     copied, cut, shifted, exchanged, XORed: each bit is an XOR of source bits, or constant
//   combined  or, and, add, multiply by a constant: the same where bits do not meet, else not
//   computed  anything else
//
// It is a may-analysis over the whole program: the union over all paths. Addresses are followed to the
// arrays and variables they may point into; an address of unknown origin points anywhere.

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/instrument/records.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"

namespace lanescope::instrument {

inline constexpr std::size_t most_objects = 256;
using ObjectSet = std::bitset<most_objects>;

enum class Reach : std::uint8_t { none, moved, combined, computed };

/// Possible contents of a register.
struct Flow {
  ObjectSet data;     ///< buffers of the launch whose elements it may contain or depend on
  ObjectSet pointer;  ///< arrays and variables that it may point into
  Reach reach = Reach::none;
  bool operator==(const Flow&) const = default;
};

struct Slice {
  struct Buffer {
    bool carries = false;
    /// Why not: "its elements determine an address". Empty for a buffer that is not traced.
    std::string reason;
    std::uint32_t pc = 0;  ///< of the first instruction that its elements steer
    int line = 0;          ///< of it in the user's file; 0 unknown
  };
  std::vector<Buffer> buffers;  ///< one per buffer of the launch
  std::vector<Flow> words;      ///< by site of the description: possible contents of a probed word
};

/// `description`: of the probes of launch.kernel. Error: the program has something that the analysis does not follow
/// (calls through pointers, more than 256 variables).
Expected<Slice> slice(const ptx::Module& module, const trace::Launch& launch, const std::vector<trace::Buffer>& buffers,
                      const Description& description);

// Transfer function of one arithmetic instruction. Private to this folder.

/// `carries[i]`: operand i (0 is the destination) may hold data. At least one does.
Reach reach_of(const ptx::Instruction& instruction, const std::vector<bool>& carries);

}  // namespace lanescope::instrument
