#pragma once
// The text that is put into one function: a prologue and one piece before each recorded instruction. Private to this
// folder.

#include <string>

#include "kernels/instrument/sites.h"
#include "kernels/ptx/program.h"

namespace lanescope::instrument {

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
