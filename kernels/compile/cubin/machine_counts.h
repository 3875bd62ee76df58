#pragma once
// Machine instructions ("SASS") of a kernel by kind, read from the machine code itself: no disassembler is needed.
//
// An instruction has 16 bytes from sm_70 on, and the lowest nine bits say which it is, for any operands. The numbers
// were found by assembling kernels with a known number of each instruction; tests/kernels/compile/machine_counts_test.cpp
// does so again for every architecture that the compiler here has, and compares with nvdisasm where that is installed.

#include <map>
#include <string>
#include <string_view>

namespace lanescope::compile {

/// As they stand in the program, not as often as they run.
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
