#pragma once
// Sections and symbols of a cubin, which is an ELF file of 64 bits (little endian). For any bytes, all reads lie
// inside them: a damaged file has fewer sections.

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// 0 where the bytes end before.
template <class T>
T field_at(std::string_view bytes, std::size_t at) {
  T out{};
  if (at < bytes.size() && sizeof out <= bytes.size() - at) std::memcpy(&out, bytes.data() + at, sizeof out);
  return out;
}

struct CubinSection {
  std::string_view name;
  std::uint64_t size = 0;  ///< in memory; of .nv.shared.* the file has no bytes
  std::string_view bytes;  ///< in the file
  std::uint32_t link = 0;  ///< the section that this one refers to: of symbols, their names
};

class CubinFile {
 public:
  /// Without sections where `bytes` is no such file. Keeps views into them.
  explicit CubinFile(std::string_view bytes);
  const std::vector<CubinSection>& sections() const { return sections_; }
  /// nullptr: there is none.
  const CubinSection* find(std::string_view name) const;
  /// Name of a symbol by its number in .symtab; empty where there is none.
  std::string_view symbol(std::uint32_t number) const;

 private:
  std::vector<CubinSection> sections_;
};

/// The PTX from which a cubin with line information was assembled, line 1 first, as .nv_debug_ptx_txt keeps it: without
/// comments and .loc, each line at its place in the text that the assembler was given. Empty where there is none.
std::vector<std::string_view> ptx_lines_of(std::string_view cubin);

// Resources of each kernel of a cubin. No GPU and no tool of the CUDA Toolkit is needed.
//
//   .nv.info               attributes of all functions: 0x2f registers, 0x11 stack frame, each with the number of a symbol
//   .nv.info.KERNEL        attributes of one: 0x4c barriers
//   .nv.shared.KERNEL      its size is the static shared memory; where .nv.shared.reserved.0 is there (sm_90 and later), with
//                          the 1024 bytes of kernels/trace/reserved_shared.h
//   .nv.constantN[.KERNEL] its size is that of bank N: 0 parameters, 2 constants of the compiler, 3 __constant__ variables,
//                          4 addresses
//
// An attribute is a byte for the form of its value, one for its number, and two for the value or, of form 4, for the
// bytes that follow. The numbers are not documented; tests/kernels/compile/cubin_resources_test.cpp compares every
// kernel of the catalogue with `ptxas -v` of the CUDA Toolkit, for several architectures. Bytes that a register spill
// stores and loads are in no section: these are the compiler's words (compile::Resources).

struct CubinResources {
  int registers = -1;                 ///< per thread; -1: not there
  int stack_bytes = -1;               ///< per thread: the frame of the kernel itself
  int barriers = 0;                   ///< of a block
  int shared_bytes = 0;               ///< static, of a block, without the reserved bytes
  std::map<int, int> constant_bytes;  ///< by bank; 3 and 4 are those of the whole module
  bool operator==(const CubinResources&) const = default;
};

/// By kernel, as the cubin names them; empty where it is none.
std::map<std::string, CubinResources> cubin_resources(std::string_view cubin);

/// As ptxas -v reports it: "14 registers, 1 barrier, 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads,
/// 1536 bytes smem, 532 bytes cmem[0], 400 bytes cmem[3]". Negative spills are left out.
std::string words(const CubinResources& r, int spill_store_bytes, int spill_load_bytes);

// Machine instructions ("SASS") of a kernel by kind, read from the machine code itself: no disassembler is needed.
//
// An instruction has 16 bytes from sm_70 on, and the lowest nine bits say which it is, for any operands. The numbers
// were found by assembling kernels with a known number of each instruction;
// tests/kernels/compile/machine_counts_test.cpp does so again for every architecture that the compiler here has, and
// compares with nvdisasm where that is installed.

/// Counts in the program text, not of executions.
struct MachineCounts {
  int shuffles = 0;       ///< SHFL
  int selects = 0;        ///< SEL, FSEL
  int permutes = 0;       ///< PRMT
  int logic = 0;          ///< LOP3, SHF
  int shared_loads = 0;   ///< LDS
  int shared_stores = 0;  ///< STS
  int matrix_loads = 0;   ///< LDSM
  int matrix_stores = 0;  ///< STSM
  int matrices = 0;       ///< MOVM
  int barriers = 0;       ///< BAR
  int all = 0;            ///< these and others, without NOP and the branch to itself after the last one
  friend MachineCounts operator-(const MachineCounts& a, const MachineCounts& b);
  bool operator==(const MachineCounts&) const = default;
};

/// Of each kernel of a cubin, by its name there; empty where `cubin` is none.
std::map<std::string, MachineCounts> machine_counts(std::string_view cubin);

/// "8 SHFL, 20 SEL, 12 others"; those that there are.
std::string machine_counts_in_words(const MachineCounts& counts);

}  // namespace lanescope::compile
