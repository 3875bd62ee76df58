#pragma once
// Which instructions record, and what of them. Private to this folder.

#include <optional>

#include "kernels/instrument/records.h"
#include "kernels/ptx/program.h"

namespace lanescope::instrument {

/// One record that an instruction makes. cp.async makes two: what it reads, what it writes.
struct Point {
  Site site;
  int operand = -1;           ///< of the instruction: the address, or the word of a probe
  int source_bytes = -1;      ///< cp.async: the operand with the number of bytes read; lanes with 0 read nothing
  std::uint32_t lanes = ~0u;  ///< only these give addresses (ldmatrix, stmatrix)
};

/// Empty where the instruction is not recorded.
std::vector<Point> traced_points(const ptx::Instruction& instruction);
/// True where it touches memory that a record should show about, and no record does.
bool is_silent_access(const ptx::Instruction& instruction);

}  // namespace lanescope::instrument
