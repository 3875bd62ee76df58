#pragma once
// Whether exported code is right: compiled for every architecture that can be had here, and executed in the emulator.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/compile/cubin/cubin_file.h"
#include "kernels/convert/cuda_text.h"
#include "kernels/convert/exports/global_kernel.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"

namespace lanescope::convert {

struct Verified {
  bool compiler = false;                   ///< there is one; else nothing was done
  std::vector<std::string> architectures;  ///< for which it compiled without a word
  int registers = 0;               ///< of a thread, by the assembler of the last one that counted them; 0: none did
  compile::MachineCounts machine;  ///< of the kernel that was run, of the last architecture; none where not counted
  /// Of the conversion alone: the additional instructions in a kernel that loads and stores the same registers. Of a
  /// function only.
  std::optional<compile::MachineCounts> conversion{};
  std::uint64_t elements = 0;  ///< compared
  std::string problem;         ///< "": right
  bool right() const { return compiler && problem.empty(); }
};

/// The architectures from Turing on that exported code is compiled for.
std::span<const std::string> exported_architectures();

/// The device function on random registers, every element of every lane compared with the place map.
Verified verify_function(const Conversion& conversion, std::span<const std::string> architectures);
/// The same for many: one text, compiled to PTX once, without the assembler. `architectures` and `registers` stay
/// empty.
std::vector<Verified> verify_functions(std::span<const Conversion> conversions);
/// The kernel on a random array that ends in the midst of tiles and has strides beyond its sizes, every element of the
/// destination compared, those outside, too.
Verified verify_kernel(const Conversion& conversion, const GlobalText& kernel, const GlobalKernel& wanted,
                       std::span<const std::string> architectures);

/// A kernel file (kernel_file.cpp) with its own launch, on a random array: every element of the destination,
/// those that nothing is stored to, too.
Verified verify_kernel_file(const Conversion& conversion, const std::string& file,
                            std::span<const std::string> architectures);

// One device function around which a kernel loads the registers of every thread and stores them again.

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
  /// `v.elements`, or sets `v.problem`.
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

// A program that tests conversions on the GPU that it finds.

struct NamedConversion {
  Conversion conversion;
  std::string name;
};

/// A .cu file of the functions and a main(), which needs only the CUDA runtime: it runs each conversion
/// on registers of random contents and compares every element with the F2-affine map of the two assignments. It prints
/// one line for each, "pass NAME: n elements" or "fail NAME: why", and returns 0 when all pass, 1 when one does not, 2
/// when there is no GPU.
std::string self_test_file(std::span<const NamedConversion> conversions, const std::string& name_space);

// Compiles a text and executes it in the emulator.

struct CompiledText {
  ptx::Module module;
  std::string entry;
};
/// For every architecture that the compiler has; the code of the last one. nullopt: `v.problem`, or no compiler.
std::optional<CompiledText> compile_text(const std::string& text, std::span<const std::string> architectures,
                                         Verified& v);
/// Only PTX, of every kernel of the text, for sm_90: faster for many kernels. nullopt: as above.
std::optional<ptx::Module> compile_to_ptx(const std::string& text, Verified& v);
/// False: `v.problem` has the reason.
bool run_text(const CompiledText& code, trace::Launch launch, std::vector<trace::Buffer>& buffers, Verified& v);
bool run_text(const ptx::Module& module, const trace::Launch& launch, std::vector<trace::Buffer>& buffers, Verified& v);

trace::Buffer random_buffer(std::string name, std::size_t bytes, unsigned seed);
trace::ValueArgument bytes_of_number(std::int64_t value);

}  // namespace lanescope::convert
