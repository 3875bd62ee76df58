#pragma once
// One device function around which a kernel loads the registers of every thread and stores them again.

#include <string>
#include <vector>

#include "kernels/convert/exports/verify.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"

namespace lanescope::convert {

class FunctionRun {
 public:
  /// `conversion` must outlive it.
  FunctionRun(const Conversion& conversion, std::string name);

  /// The function NAME and its kernel.
  std::string text() const;
  /// The kernel that loads the same registers and stores as many, and converts nothing.
  std::string text_without_conversion() const;
  std::string entry() const { return "run_" + name_; }
  /// Runs it in the emulator on random registers and compares every element of every thread with the place map: adds to
  /// `v.elements`, or says `v.problem`.
  void execute(const ptx::Module& module, const std::string& entry, Verified& v) const;

 private:
  std::string kernel(const std::string& middle) const;
  struct Part {
    std::uint64_t reg = 0, thread = 0, shift = 0;
  };
  Part part(std::uint64_t place) const;
  std::size_t word_at(const Part& p) const;
  std::uint32_t load(const trace::Buffer& b, const Part& p) const;
  trace::Buffer source() const;
  std::uint64_t places() const;

  Conversion c_;
  std::string name_;
  std::size_t words_, from_, to_, threads_;  ///< words of an element, registers, registers
  std::uint32_t element_mask_;
};

}  // namespace lanescope::convert
