#pragma once
// A .cu file as lanescope reads it: how to launch it, what its comments claim, and where probes may stand. Nothing here
// compiles or runs anything; positions are always those of the user's own file.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/layout/assignment.h"

namespace lanescope::source {

// --- launch header ---------------------------------------------------------------------------------------------------

struct Axis {
  std::string name;          ///< "i", "j", "ReIm"
  std::uint64_t extent = 0;  ///< elements
  std::uint64_t stride_elements = 0;
};

/// What a buffer holds before the launch, or is expected to hold after it.
struct Contents {
  enum class Kind : std::uint8_t { zeros, iota, random, constant, npy, values, copy_of, sha256 };
  Kind kind = Kind::iota;
  double value = 0;        ///< constant
  std::uint64_t seed = 1;  ///< random
  std::string text;        ///< npy: path relative to the .cu file; copy_of: buffer name; sha256: hex digest
  std::vector<double> values;
  int line = 0, column = 0;  ///< of its text in the header; 0: nobody wrote it
};

struct BufferSpec {
  std::string name;
  std::string element_type;  ///< b1 u4 s4 u8 s8 u16 s16 f16 bf16 u32 s32 f32 u64 s64 f64
  int element_bits = 32;
  std::vector<Axis> axes;      ///< slowest first; strides filled in (C order unless given)
  std::uint64_t elements = 0;  ///< extent of the array in elements, holes included
  Contents initial;
  std::optional<Contents> expected;
  double tolerance = 0;  ///< relative, for floats
  bool traced = true;
  bool inferred = false;  ///< not in the header: taken from the kernel's signature and its comments
  int line = 0;           ///< in the header, 0 when inferred
};

struct ArgumentSpec {
  std::string parameter;                    ///< of the kernel
  std::string type;                         ///< C++ type as written in the signature
  std::variant<std::string, double> value;  ///< buffer name ("p" or "p+64", elements), or number
  bool is_buffer = false;
  std::vector<double> fields;  ///< for vector and struct parameters, in order
};

struct LaunchSpec {
  std::string kernel;  ///< name in the source, or template instance "copy<float4>"
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{32, 1, 1};
  std::optional<std::array<std::uint32_t, 3>> cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<ArgumentSpec> arguments;
  std::uint32_t stream = 0;  ///< launches of one stream run in order; streams do not wait for each other
  int line = 0;
};

struct CompileSpec {
  std::string arch;                  ///< "" : the user's choice, default sm_90
  std::vector<std::string> options;  ///< -I -D -std -O -G maxrregcount dlcm ..., as NVRTC takes them
};

struct Header {
  bool present = false;
  std::string title;
  std::vector<BufferSpec> buffers;
  std::vector<LaunchSpec> launches;
  CompileSpec compile;
  std::vector<std::string> inferred;  ///< sentences: what was left out and what was assumed
};

// --- code ------------------------------------------------------------------------------------------------------------

struct Parameter {
  std::string type, name;
};

struct Function {
  std::string name;
  bool is_kernel = false, is_device = false, is_template = false;
  std::vector<Parameter> parameters;
  std::vector<std::string> launch_bounds;  ///< texts between the parentheses; empty when absent
  int first_line = 0, last_line = 0;
};

/// A variable that probes read. One C++ object: "x0", or "x" for an array or vector.
struct Variable {
  int id = 0;
  std::string name;
  std::string type;  ///< as written; may be empty (auto)
  std::string function;
  int declared_line = 0;
};

/// Where a probe was put in the probed text.
struct ProbePoint {
  int id = 0;                  ///< as in the PTX comment
  int claim = -1;              ///< index in Source::claims, -1: a watch probe (for views)
  int line = 0, column = 0;    ///< the user's position just before which the probe stands
  int statement_line = 0;      ///< line of the statement that the probe follows (whose effect it sees)
  std::vector<int> variables;  ///< ids read by this probe
};

/// An assignment comment.
struct Claim {
  int first_line = 0, last_line = 0;  ///< of its rows
  std::vector<int> row_lines;         ///< one per row present, in text order
  std::string variable;               ///< display name: "x"
  std::vector<int> registers;         ///< variable ids in register order (r = 0, 1, ...); one id for an array
  layout::Assignment stated;
  std::string sentence;          ///< the prose that introduced it
  int probe = -1;                ///< ProbePoint id; -1 when none could be placed
  std::string unchecked_reason;  ///< non-empty: why no probe could be placed
};

struct Source {
  std::string file;  ///< as the user named it
  std::string text;  ///< as it was given, with its byte-order mark where it has one
  Header header;
  std::vector<Function> functions;
  std::vector<Variable> variables;
  std::vector<Claim> claims;
  std::vector<ProbePoint> probes;  ///< claim probes first
  std::string device_text;         ///< plain: host code blanked, every line in its place, no byte-order mark
  std::string probed_text;         ///< device_text with probes; `#line` keeps the user's numbering
  bool has_host_code = false;
  Diagnostics notes;  ///< warnings: near-miss rows, host parts cut, ...
};

struct ReadOptions {
  bool watch_probes = true;  ///< a probe after every statement that assigns a register variable
};

/// Reads a .cu file's text. Errors: header or notation mistakes, at the user's line and column.
Expected<Source> read(std::string_view file, std::string_view text, const ReadOptions& options = {});

/// The text without assignment comments (what `annotate` starts from in tests).
std::string strip_claims(const Source& source);

/// Coordinates of an element: one per axis, slowest first; nullopt for an element in a hole.
std::optional<std::vector<std::uint64_t>> coordinates(const BufferSpec& buffer, std::uint64_t element);

/// Initial or expected bytes of a buffer; elements narrower than a byte are packed, low bits first. `directory` is where
/// relative .npy paths start; `others` resolves copy_of (the other buffer's initial bytes). A sha256 has no bytes: error.
Expected<std::vector<std::byte>> contents(const BufferSpec& buffer, const Contents& what, std::string_view directory);
Expected<std::vector<std::byte>> contents(const BufferSpec& buffer, const Contents& what, std::string_view directory,
                                          const std::vector<BufferSpec>& others);

int element_bits(std::string_view element_type);  ///< 0 when unknown

}  // namespace lanescope::source
