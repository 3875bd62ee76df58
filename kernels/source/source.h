#pragma once
// A .cu file as lanescope reads it, with the headers of the user's own that it includes: how to launch it, what its
// comments claim, and where probes may stand. Nothing here compiles or runs anything; lines are unit lines
// (kernels/base/source_lines.h): those of the file itself are its own.

#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/source_lines.h"
#include "kernels/source/cxx/conditionals.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/data/contents.h"
#include "kernels/source/headers.h"
#include "kernels/source/model/buffer.h"
#include "kernels/source/model/claim.h"
#include "kernels/source/model/function.h"
#include "kernels/source/model/launch.h"
#include "kernels/source/model/part.h"
#include "kernels/source/options/header_search.h"

namespace lanescope::source {

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
  std::vector<Claim> claims;       ///< about registers in text order, then about memory
  std::vector<ProbePoint> probes;  ///< claim probes first
  std::string device_text;         ///< plain: host code blanked, every line in its place, no byte-order mark
  std::string probed_text;         ///< device_text with probes; `#line` keeps the user's numbering
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
  std::vector<KernelBlock> blocks = {};     ///< block sizes that kernels request outside of the text (PTX)
  std::vector<std::string> variables = {};  ///< of the module, which buffers of the header may stand for (PTX)
  bool headers = true;                      ///< read the headers that it includes
  /// Of the compiler, beside those of the launch header, as NVRTC takes them: "-DX=1", "-I../common". Relative folders start
  /// at the file's. What the header states counts more.
  std::vector<std::string> options = {};
  DeviceTarget target = {};      ///< the header's `arch` goes before its architecture
  std::string kernel = "";       ///< the kernel or instance that runs, in place of the file's own choice
  bool lists_are_whole = false;  ///< a list of arguments in the header has one for each parameter (PTX)
};

/// Reads a .cu file's text. Errors: header or notation mistakes, at the user's line and column.
Expected<Source> read(std::string_view file, std::string_view text, const ReadOptions& options = {});

/// The tokens of all files of a source, which must outlive them.
Lexed lexed(const Source& source);
/// The text of a file of `source.lines`, 0 its own.
std::string_view text_of(const Source& source, std::size_t file);

}  // namespace lanescope::source
