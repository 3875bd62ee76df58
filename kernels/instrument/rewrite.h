#pragma once
// PTX that records its accesses and shuffles. The kernel gets one more parameter, the address of a record buffer
// (records.h), and before each instruction of interest a few instructions that append one record per warp: the
// instruction, the lanes that execute it (the guard included), and the address or source of each. No result of the
// kernel depends on them.
//
// Lanes of a record: `activemask` gives the present ones, a ballot of the guard those that execute. A shuffle is
// executed twice: first the same shuffle of the lane numbers, which shows the lane that each one really reads, so that
// the lanes have reconverged when the mask is taken. Warps that were not chosen branch around all of it.
//
// Functions that the kernel calls record too; they find the buffer through a variable of the module. Load the module
// again for each launch that records, and launch nothing else of it: other kernels that call these functions would
// record too. Child grids record nothing, not even those of the same kernel: if code takes the address of a kernel,
// copies of the functions record, and the original kernel is launched.

#include <string>
#include <string_view>

#include "kernels/base/diagnostic.h"
#include "kernels/instrument/records.h"
#include "kernels/ptx/program.h"

namespace lanescope::instrument {

struct Rewritten {
  std::string ptx;  ///< the whole module; bodies of other kernels in it are left out where it launches none
  Description description;
};

/// Records memory accesses (global, shared, generic; ld, st, atom, red, cp.async, ldmatrix, stmatrix), shuffles and
/// barriers. Accesses to local, constant and parameter memory are not recorded; other instructions that access memory
/// without a record are listed in `description.silent`. Error: no such kernel.
Expected<Rewritten> rewrite_traced(const ptx::Module& module, std::string_view kernel);

/// Records the register of each probe (kernels/source) and removes the probes.
Expected<Rewritten> rewrite_probed(const ptx::Module& module, std::string_view kernel);

/// Functions in the order in which the emulator numbers their instructions: the kernel, then every function it reaches
/// in order of first mention. Indices in Module::entries.
std::vector<int> reached_functions(const ptx::Module& module, int kernel);

// The instructions that record, and the contents of their records. Private to this folder.

/// One record of an instruction. cp.async has two: its read and its write.
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

// The text that is put into one function: a prologue and one piece before each recorded instruction. Private to this
// folder.

inline constexpr const char* records_parameter = "lanescope_records";
inline constexpr const char* records_variable = "lanescope_records_address";

/// Writes pieces for one function. Registers are declared once and used by every piece.
class Weaver {
 public:
  /// `function` prints operands; it needs the registers of `declare`.
  Weaver(const ptx::Module& module, const ptx::Entry& function) : module_(module), function_(function) {}
  /// Adds the registers to a copy of the function.
  static void declare(ptx::Entry& function);

  /// At the beginning. `hands_on`: the kernel leaves the buffer's address for functions that it calls.
  std::string prologue(const Description& description, bool hands_on) const;
  /// Before `instruction`. `site`: number of the point's site.
  std::string piece(const ptx::Instruction& instruction, const Point& point, std::uint32_t site);

 private:
  std::string address(const ptx::Operand& operand, bool generic) const;
  std::string word(const ptx::Operand& operand) const;
  std::string lane_numbers(const ptx::Instruction& shuffle) const;
  std::string operand(const ptx::Operand& o) const;
  std::string executing(const ptx::Instruction& instruction, const Point& point) const;

  const ptx::Module& module_;
  const ptx::Entry& function_;
  int labels_ = 0;
};

}  // namespace lanescope::instrument
