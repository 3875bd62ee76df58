#pragma once
// Whether exported code is right: compiled for every architecture that can be had here, and executed in the emulator.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/compile/cubin/machine_counts.h"
#include "kernels/convert/exports/global_kernel.h"

namespace lanescope::convert {

struct Verified {
  bool compiler = false;                   ///< there is one; else nothing was done
  std::vector<std::string> architectures;  ///< for which it compiled without a word
  int registers = 0;               ///< of a thread, by the assembler of the last one that counted them; 0: none did
  compile::MachineCounts machine;  ///< of the kernel that was run, of the last architecture; none where not counted
  /// Of the conversion alone: what it adds to a kernel that loads and stores the same registers. Of a function only.
  std::optional<compile::MachineCounts> conversion{};
  std::uint64_t elements = 0;  ///< compared
  std::string problem;         ///< "": right
  bool right() const { return compiler && problem.empty(); }
};

/// The architectures from Turing on that exported code is compiled for.
std::span<const std::string> exported_architectures();

/// The device function on random registers, every element of every lane compared with the place map.
Verified verify_function(const Conversion& conversion, std::span<const std::string> architectures);
/// The same for many: one text, compiled to PTX once, without the assembler. `architectures` and `registers` stay empty.
std::vector<Verified> verify_functions(std::span<const Conversion> conversions);
/// The kernel on a random array that ends in the midst of tiles and has strides beyond its sizes, every element of the
/// destination compared, those outside, too.
Verified verify_kernel(const Conversion& conversion, const GlobalText& kernel, const GlobalKernel& wanted,
                       std::span<const std::string> architectures);

/// A kernel file (kernel_file.h) with its own launch, on a random array: every element of the destination,
/// those that nothing is stored to, too.
Verified verify_kernel_file(const Conversion& conversion, const std::string& file,
                            std::span<const std::string> architectures);

}  // namespace lanescope::convert
