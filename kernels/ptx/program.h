#pragma once
// A PTX module as a program: the text, resolved (names to indices, labels to instruction numbers, `.loc` to the user's
// own line), without any execution state. Source: PTX ISA 9.0; text as NVRTC and nvcc write it, both dialects
// (sm_75-90, sm_100+), and hand-written PTX.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::ptx {

enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  u16x2,
  s16x2,
  e4m3x2,
  e5m2x2,
  e2m3x2,
  e3m2x2,
  e2m1x2,
  ue8m0x2,
  e4m3x4,
  e5m2x4,
  e2m3x4,
  e3m2x4,
  e2m1x4,
  u2,
  s2,
  f32x2,
  b1,
  u4,
  s4,
  texref,  ///< with the next two: of declarations only
  surfref,
  samplerref,
};
int bits_of(Type t);  ///< 1 for pred, 0 for none

enum class Space : std::uint8_t { generic, global, shared, shared_cluster, local, constant, param };

/// Where an instruction came from. `line` is the place in the user's file: where code was inlined, the line of the
/// call (`inlined_at`); `inner_*` is then the place inside the inlined function. With -G the text does not say where
/// code was inlined (only the debug sections do): `line` is then the inlined function's own.
struct Position {
  int file = -1, line = 0, column = 0;  ///< file indexes Module::files; -1 when unknown
  int inner_file = -1, inner_line = 0;
};

struct Register {
  std::string name;  ///< as in the text, "%r12"; block-scoped ones carry a suffix that makes them unique
  Type type = Type::none;
};

enum class Special : std::uint8_t {
  none,
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  warp_size,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  is_explicit_cluster,
  envreg1,
  envreg2,  ///< read by the grid barrier of cooperative groups: high and low half of its workspace address
  reserved_smem_offset_begin,
  reserved_smem_offset_end,
  reserved_smem_offset_cap,
  reserved_smem_offset_0,
  reserved_smem_offset_1,
  aggr_smem_size,
  current_graph_exec,
  unknown,  ///< no register and no special register that is known here: Entry::unknown_specials[symbol]
};

struct Operand {
  enum class Kind : std::uint8_t {
    reg,        ///< `reg`
    immediate,  ///< `bits`: two's complement, or IEEE bits when `is_float` (of width `float_bits`)
    special,    ///< `special`
    symbol,     ///< address of variable `symbol` (index in Module::variables or Entry::variables, see `symbol_scope`)
    address,    ///< [base + offset]: base is `reg`, `symbol`, a param (`symbol`), or none (`reg` < 0 and `symbol` < 0);
                ///< operands after a comma inside the brackets (tensor coordinates) are in `elements`
    vector,     ///< {a, b, ...}: `elements`
    label,      ///< `target`: instruction number; Entry::code.size() for a label after the last instruction
    sink,       ///< `_`
  };
  Kind kind = Kind::reg;
  int reg = -1;
  bool negated = false;  ///< `!%p1`, `-%f1`
  std::uint64_t bits = 0;
  bool is_float = false;
  int float_bits = 0;
  Special special = Special::none;
  enum class Scope : std::uint8_t {
    none,
    module,      ///< Module::variables
    entry,       ///< Entry::variables
    param,       ///< Entry::params
    returned,    ///< Entry::returns, inside a .func
    call_param,  ///< Entry::call_params
    function,    ///< Module::entries: the callee of a call, or a function's address
    prototype,   ///< Entry::prototypes: last operand of an indirect call
  } symbol_scope = Scope::none;
  int symbol = -1;
  std::int64_t offset = 0;
  int target = -1;
  std::vector<Operand> elements;
  /// `%p1|%p2` of setp and shfl: the second destination; -1 when absent.
  int second_reg = -1;
  /// Of video instructions, after the point: "b0", "h10", "b3210".
  std::string part{};

  bool operator==(const Operand&) const = default;
};

/// Shapes that are not a plain operand list:
///   call (ret), f, (a, b), proto;  -> operands: vector of returns (left out when the text has none), then f as a symbol
///                                     of Scope::function or a register, then the vector of arguments, then the prototype
///   brx.idx %r1, table;            -> operands[1]: vector of labels; `symbol` indexes Entry::branch_tables
struct Instruction {
  std::string opcode;                  ///< "ld", "mad", "shfl"; "lanescope.probe" for a probe
  std::vector<std::string> modifiers;  ///< everything after the opcode, in order: {"global", "nc", "v2", "u32"}
  std::vector<Type> types;             ///< the type modifiers, in order: {u32}
  std::vector<Operand> operands;       ///< destination first, as written
  int predicate = -1;                  ///< guard register
  bool predicate_negated = false;
  Position position;
  int text_line = 0;  ///< 1-based line in the PTX text
  bool has(std::string_view modifier) const;
};

/// A probe (see kernels/source): no instruction, a mark at which a variable's word is in a register.
/// opcode "lanescope.probe"; operands[0] is the register or immediate that holds the word.
struct Probe {
  int id = 0;           ///< probe number given by kernels/source
  int variable = 0;     ///< variable number given by kernels/source
  int byte_offset = 0;  ///< of this word in the variable's value
  int instruction = 0;  ///< index in Entry::code
  int value_bytes = 0;  ///< size of the whole variable (`size=` in the mark); 0 if the mark has none
};

/// A part of a variable's initial value that only a loader has: the address of a variable or function.
struct InitialAddress {
  std::uint64_t at = 0;        ///< byte of the variable's contents
  int bytes = 8;               ///< that are written there, the low ones
  int variable = -1;           ///< index in Module::variables; -1: of a function
  int function = -1;           ///< index in Module::entries
  std::int64_t offset = 0;     ///< bytes after it
  bool generic = false;        ///< `generic(x)`
  std::uint64_t mask = ~0ULL;  ///< `0xFF00(x)`: these bits, moved to the lowest place
  bool operator==(const InitialAddress&) const = default;
};

struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::none;
  std::uint64_t bytes = 0;  ///< 0 for `.extern .shared x[]` (dynamic shared memory)
  std::uint64_t alignment = 1;
  bool is_extern = false;
  std::vector<std::byte> initial;           ///< empty: zeros
  std::vector<InitialAddress> addresses{};  ///< in rising order of `at`; `initial` has zeros there
};

struct Param {
  std::string name;
  Type type = Type::none;
  std::uint64_t bytes = 0, alignment = 1, offset = 0;  ///< offset in the packed parameter block
  int reg = -1;  ///< a `.func` may declare a parameter as `.reg`: the register; -1 for a parameter in memory
};

struct Label {
  std::string name;     ///< scoped ones carry a suffix, as registers do
  int instruction = 0;  ///< the instruction after it
};

struct BranchTable {
  std::string name;
  std::vector<int> targets;  ///< instruction numbers
};

/// `.callprototype` or `.calltargets` of an indirect call.
struct Prototype {
  std::string name;
  std::string text;            ///< the directive, one blank between tokens
  std::vector<int> functions;  ///< of `.calltargets`: indices in Module::entries
};

struct Entry {
  std::string name;  ///< mangled, as in the text
  std::vector<Param> params;
  std::vector<Register> registers;
  std::vector<Instruction> code;
  std::vector<Variable> variables;  ///< .shared and .local declared inside
  std::vector<Probe> probes;
  std::array<int, 3> max_threads{};       ///< .maxntid; 0 when absent
  std::array<int, 3> required_threads{};  ///< .reqntid
  std::array<int, 3> cluster{};           ///< .reqnctapercluster
  int min_blocks = 0;                     ///< .minnctapersm
  bool is_function = false;               ///< .func, callable
  std::vector<Param> returns;             ///< of a .func
  bool is_declaration = false;            ///< no body in this module (vprintf, malloc)
  bool no_return = false;                 ///< .noreturn
  int max_registers = 0;                  ///< .maxnreg; 0 when absent
  int max_cluster_rank = 0;               ///< .maxclusterrank; 0 when absent
  bool explicit_cluster = false;          ///< .explicitcluster
  /// The `.param` variables of call sequences. `offset` lies in a block of `call_param_bytes` per call frame; sequences
  /// that are never open together share bytes.
  std::vector<Param> call_params;
  std::uint64_t call_param_bytes = 0;
  std::vector<Label> labels;  ///< in the order of the text
  std::vector<BranchTable> branch_tables;
  std::vector<Prototype> prototypes;
  int text_line = 0;  ///< 1-based line of `.entry` or `.func` in the PTX text
  std::vector<std::string> unknown_specials{};
  Diagnostics unreadable{};  ///< of parse_readable(): why it could not be read; it is then a declaration
};

/// "void ns::kernel<float, 4>(float*)" -> "ns::kernel<float, 4>", of a mangled name; the name itself when it is not
/// mangled.
std::string qualified_name(const std::string& mangled);

struct Module {
  int version_major = 0, version_minor = 0, version_line = 0;  ///< `.version`, and its line in the text
  std::string target;                                          ///< "sm_90"
  std::vector<std::string> files;                              ///< .file table, index as used by Position::file
  std::vector<Variable> variables;                             ///< .global, .const, .shared of the module
  std::vector<Entry> entries;                                  ///< kernels and functions
  bool contracts = true;  ///< it is assembled with optimisation and -fmad: contractions() hold
  const Entry* find_entry(std::string_view name) const;  ///< by mangled name, or by unmangled name when unique
};

/// Parses a whole module. Errors carry the line of the PTX text and, where `.loc` gives one, the user's line in the
/// remedy. An unknown *directive* is an error; an unknown opcode is kept (its execution refuses it by name).
Expected<Module> parse(std::string_view text, std::string_view file_name = "");

/// The same; a function that cannot be read is set aside (Entry::unreadable), and the others are read. An error means
/// that the module itself is unreadable.
Expected<Module> parse_readable(std::string_view text, std::string_view file_name = "");

/// The instruction as text again, canonical spacing: "ld.global.nc.u32 %r2, [%rd6+128];"
std::string to_string(const Instruction& instruction, const Entry& entry, const Module& module);

/// The whole module as canonical PTX. Blocks are flattened (their registers already have unique names) and `.loc` is
/// left out, and functions are before kernels; parse() of it equals `module` in everything else.
std::string to_string(const Module& module);

std::string_view name_of(Type t);     ///< "u32"; "" for none
std::string_view name_of(Special s);  ///< "%tid.x"; "" for none

}  // namespace lanescope::ptx
