#pragma once
// A .cu file as lanescope reads it, with the headers of the user's own that it includes: how to launch it, what its
// comments claim, and where probes may stand. Nothing here compiles or runs anything; lines are unit lines
// (kernels/base/source_lines.h): those of the file itself are its own.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/source_lines.h"
#include "kernels/source/cxx/conditionals.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/cxx/structural_macros.h"
#include "kernels/source/data/contents.h"
#include "kernels/source/model/buffer.h"
#include "kernels/source/model/claim.h"
#include "kernels/source/model/contract.h"
#include "kernels/source/model/function.h"
#include "kernels/source/model/launch.h"
#include "kernels/source/model/part.h"
#include "kernels/source/options/header_search.h"

namespace lanescope::source {

// The headers of the user's own that a file includes, read with it.
//
// `#include "a.h"` is searched beside the includer, then in the folders of -I, then beside the file; `<a.h>` in the
// last two. A folder that holds the CUDA Toolkit's own headers is left to the compiler, and so is a header
//
//   - that is only a piece of code: brackets without partner, no end of a declaration at its end, or included inside of a
//     function;
//   - beyond most_headers files or most_header_bytes together.
//
// A header is read once, however often and by any path it is included.

inline constexpr std::size_t most_headers = 256;
inline constexpr std::size_t most_header_bytes = std::size_t{4} << 20;

/// Which header an #include of a file means: index into SourceLines::files, by the name as written with its delimiters.
using IncludeTargets = std::map<std::string, std::size_t, std::less<>>;

struct ReadHeaders {
  std::string text;                      ///< active parts of all files, each from the beginning of a line
  std::vector<std::string> given;        ///< by file: its text as it is, without a byte-order mark; empty for the first
  std::vector<TextPart> parts;           ///< of it: the file, then its headers
  std::vector<IncludeTargets> includes;  ///< by file
  SourceLines lines;                     ///< in the same order; empty where there is no header
  Diagnostics notes;                     ///< headers that were left to the compiler
};

/// Reads headers for the evaluation of conditions: those that the file may include, at most most_header_bytes.
/// `options`: of the compiler, for their -I.
ReadInclude header_reader(std::string_view file, const std::vector<std::string>& options);

/// `active`: the active parts of the file and of its headers, by a header_reader of the same options. `lexed` and
/// `parts`: of its first text.
ReadHeaders read_headers(std::string_view file, const Lexed& lexed, const Outline& parts, const Conditionals& active,
                         const std::vector<std::string>& options);

/// A header that the file includes; Source::lines has its name and its lines.
struct SourceHeader {
  std::uint32_t begin = 0, end = 0;  ///< of its active text in Source::unit_text
  std::string text;                  ///< as it is, without a byte-order mark
  std::string device_text;           ///< as of the file itself
  std::string probed_text;
  IncludeTargets includes;
};

struct Source {
  std::string file;         ///< as the user named it
  std::string text;         ///< as it was given, with its byte-order mark where it has one
  std::string active_text;  ///< without that mark, blank where a condition of the preprocessor does not hold
  Header header;
  std::vector<Function> functions;
  std::vector<KernelInstance> instances;  ///< what can be chosen: in the order of the launches, then of the text
  std::vector<Variable> variables;
  std::vector<Claim> claims;        ///< about registers in text order, then about memory
  std::vector<Contract> contracts;  ///< functions that are judged by themselves
  std::vector<ProbePoint> probes;   ///< claim probes first
  std::string device_text;          ///< plain: host code blanked, every line in its place, no byte-order mark
  std::string probed_text;          ///< device_text with probes; `#line` keeps the user's numbering
  bool has_host_code = false;
  std::vector<Part> parts;            ///< of the device text
  MacroTable macros;                  ///< after the last line of the file
  SourceLines lines;                  ///< the file, then its headers; empty where it includes none
  std::vector<SourceHeader> headers;  ///< headers[k] is lines.files[k + 1]
  IncludeTargets includes;            ///< of the file itself
  std::vector<std::string> options;   ///< ReadOptions::options, with which the headers were found
  /// Headers that lie in none of the folders given and were found nearby: their folders are those of further -I.
  std::vector<options::FoundHeader> found_headers;
  std::string unit_text;           ///< active parts of all files; empty where there are no headers
  bool probes_in_headers = false;  ///< then probed texts do not define what probes call: probe_prologue() does
  Diagnostics notes;               ///< warnings: near-miss rows, host parts cut, ...
};

struct ReadOptions {
  bool watch_probes = true;                 ///< a probe after every statement that assigns a register variable
  bool watch_parameters = false;            ///< and where device functions begin and end, of the arrays that they get
  std::vector<KernelBlock> blocks = {};     ///< block sizes that kernels request outside of the text (PTX)
  std::vector<std::string> variables = {};  ///< of the module, which buffers of the header may stand for (PTX)
  bool headers = true;                      ///< read the headers that it includes
  /// Of the compiler, beside those of the launch header, as NVRTC takes them: "-DX=1", "-I../common". Relative folders
  /// start at the file's. Options of the header override these.
  std::vector<std::string> options = {};
  DeviceTarget target = {};                 ///< the header's `arch` goes before its architecture
  std::string kernel = "";                  ///< the kernel or instance that runs, in place of the file's own choice
  bool lists_are_whole = false;             ///< a list of arguments in the header has one for each parameter (PTX)
  RefusedContracts refused_contracts = {};  ///< functions that are not judged by themselves
};

/// Reads a .cu file's text. Errors: header or notation mistakes, at the user's line and column.
Expected<Source> read(std::string_view file, std::string_view text, const ReadOptions& options = {});

/// The tokens of all files of a source, which must outlive them.
Lexed lexed(const Source& source);
/// The text of a file of `source.lines`, 0 its own.
std::string_view text_of(const Source& source, std::size_t file);

// Why a text that should have a kernel has none: mistakes that hide it from the reader, and not from the compiler.

/// A bracket without a partner; else, where no function is a kernel, a word that is nearly `__global__`. The message names it
/// at its place. Nullopt: the text has neither.
std::optional<Diagnostic> text_mistake(const Source& source);

bool has_kernel(const Source& source);

/// Whether the launch is that of a contract.
bool is_generated(const Source& source, int launch);

}  // namespace lanescope::source
