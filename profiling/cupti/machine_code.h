#pragma once
// Machine code ("SASS"): source line, text and kind of each instruction.
//
// Lines come from the cubin's own line table, which is there where the PTX was made with line information. Text needs
// nvdisasm, a part of the CUDA Toolkit; it reads the same table, and the one that leads to the PTX
// (.nv_debug_line_sass, whose lines count those of the PTX text). Options and output: CUDA Binary Utilities, nvdisasm.
// Kinds come from the mnemonic (CUDA Binary Utilities, instruction set reference of Volta to Blackwell); counting them
// shows what the compiler made of a PTX: four 4-byte loads that became one of 16 bytes, a removed shuffle.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::cupti {

/// A place in the source; line 0: not known.
struct SourcePlace {
  std::string file{};  ///< as given to the compiler
  int line = 0;        ///< 1-based
  bool operator==(const SourcePlace&) const = default;
};
/// The source line of the instruction `offset_bytes` into `function` (its name in the cubin). Needs CUPTI but no GPU.
SourcePlace source_place(const std::string& cubin, const std::string& function, std::uint64_t offset_bytes);

struct SassLine {
  std::string function{};
  std::uint32_t offset = 0;  ///< bytes from the start of the function
  std::string text{};        ///< "@P0 LDG.E.128 R4, [R2.64]"
  int line = 0;              ///< of the source, 0: not known; of an inlined function: inside of it
  std::string file{};
  std::vector<SourcePlace> callers{};  ///< where that function was inlined, the innermost call first
  int ptx_line = 0;                    ///< of the PTX text, 1-based; 0: not known
  bool operator==(const SassLine&) const = default;
};

/// Path of nvdisasm: on PATH, in $CUDA_HOME/bin, $CUDA_PATH/bin or /usr/local/cuda*/bin; empty where there is none.
std::string find_nvdisasm();
/// Every instruction of a cubin with its places in source and PTX: `nvdisasm -c -gi -gp`; of one that lacks these
/// options `-c`, and places of the source by CUPTI. Errors: no nvdisasm, with the remedy; a cubin it refuses.
Expected<std::vector<SassLine>> disassemble(const std::string& cubin);
/// Instructions of a disassembler's output. Lines `//## File "k.cu", line 5 inlined at "k.cu", line 9` say where those
/// that follow come from, the innermost first; `//## File ".nv_debug_ptx_txt", line 40` is a line of the PTX.
std::vector<SassLine> parse_disassembly(std::string_view text);

enum class SassKind : std::uint8_t {
  global_load,      // LDG
  global_store,     // STG
  shared_load,      // LDS
  shared_store,     // STS
  matrix_load,      // LDSM
  matrix_store,     // STSM
  local_load,       // LDL
  local_store,      // STL
  generic_load,     // LD
  generic_store,    // ST
  constant_load,    // LDC, LDCU, ULDC
  global_atomic,    // ATOM, ATOMG
  shared_atomic,    // ATOMS
  reduction,        // RED, REDG
  async_copy,       // LDGSTS
  bulk_copy,        // UBLKCP, UTMALDG, UTMASTG, ...
  texture,          // TEX, TLD, SULD, SUST, ...
  shuffle,          // SHFL
  vote,             // VOTE, MATCH, REDUX
  barrier,          // BAR, SYNCS, ...
  fence,            // MEMBAR, FENCE, DEPBAR, ...
  matrix_multiply,  // HMMA, HGMMA, ...
  permute,          // PRMT
  select,           // SEL, FSEL
  branch,           // BRA, EXIT, BSSY, ...
  other,
};
inline constexpr std::size_t sass_kinds = static_cast<std::size_t>(SassKind::other) + 1;

/// "LDG.E.128" of "@!P0 LDG.E.128 R4, desc[UR4][R2.64]"
std::string_view opcode(std::string_view text);
SassKind kind_of(std::string_view text);
/// "global load"
std::string_view kind_name(SassKind kind);

}  // namespace lanescope::cupti
