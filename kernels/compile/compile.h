#pragma once
// CUDA C++ -> PTX: NVRTC opened at run time, else the PTX stored beside a catalogue kernel.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/cubin/cubin_file.h"
#include "kernels/source/options/header_search.h"
#include "kernels/source/source.h"

namespace lanescope::compile {

enum class Variant : std::uint8_t { plain, probed };

struct Options {
  std::string arch = "sm_90";      ///< a real architecture: ptxas then validates
  std::vector<std::string> extra;  ///< from the header and the user
  bool forbid_nvrtc = false;       ///< as if NVRTC were not installed (doctor and tests)
  bool cached = true;              ///< answers on disk are used and kept (calls/answer_cache.h)
  /// false: only PTX, the same to the byte, not assembled: no resources, no machine code, a quarter to a third of the
  /// time less.
  bool assembled = true;
};

/// Resources of one kernel by the assembler, per thread and per block.
struct Resources {
  int registers = 0;     ///< per thread
  int shared_bytes = 0;  ///< static, per block
  int spill_bytes = 0;   ///< per thread, stored to local memory and loaded again
  int local_bytes = 0;   ///< per thread: the stack frame, spills included
  bool operator==(const Resources&) const = default;
};

struct Compiled {
  std::string ptx;                       ///< files by their plain names (kernels/base/plain_name.h)
  std::string made_by;                   ///< "NVRTC 13.0" or "stored PTX"
  std::string arch;                      ///< that it was compiled for: the one requested, or the nearest that NVRTC has
  std::vector<std::string> entry_names;  ///< lowered names, one per LaunchSpec of the source, in order
  Diagnostics warnings;                  ///< at the user's positions
  double milliseconds = 0;
  std::map<std::string, Resources> resources;  ///< by entry name, of every kernel of the file; where ptxas reported
  std::map<std::string, MachineCounts>
      machine;          ///< by entry name, of every kernel of the file; where NVRTC made machine code
  std::string cubin{};  ///< machine code; empty where NVRTC made none
  std::map<std::string, int> spill_load_bytes{};            ///< by entry name, per thread; where ptxas reported
  std::map<std::string, CubinResources> cubin_resources{};  ///< by entry name; where NVRTC made machine code
  std::vector<options::FoundHeader>
      assumed{};  ///< headers that no folder named holds, in the order in which they were found
};

/// Whether ptxas contracts multiplications and additions (ptx::Module::contracts) with the source's options: not with -G,
/// nor with -O0 or -fmad=false of its own.
bool contracts(const source::Source& source);

/// Compiles one variant. Errors are the compiler's own, at the user's line and column. In the probed variant a probe
/// that does not compile is dropped and the compile repeated; `dropped_probes` names them (ids).
struct Outcome {
  Compiled compiled;
  std::vector<int> dropped_probes;
  bool assembler_refused = false;  ///< an attempt before this one, for which something was left out
};
Expected<Outcome> compile(const source::Source& source, Variant variant, const Options& options);

/// Both variants, side by side: in two processes where workers are used (calls/workers.h). The plain one is assembled,
/// and errors of ptxas about it count for both; the probed one is compiled to PTX only.
struct Both {
  Outcome plain, probed;
};
/// `done` receives each variant that compiles, on the thread that compiled it, while the other may still be compiling.
Expected<Both> compile_both(const source::Source& source, const Options& options,
                            const std::function<void(Variant, const Outcome&)>& done = {});

/// Of one kernel in a line, as ptxas -v reports it; empty where NVRTC made no machine code of it.
std::string assembled_words(const Compiled& compiled, const std::string& entry);

// --- stored PTX ------------------------------------------------------------------------------------------------------

/// Key of a stored pair: hash of the source text, the variant, the architecture, the options, and of the files that the
/// kernel includes from beside it or from a relative folder of -I, as they are now.
std::string stored_key(const source::Source& source, Variant variant, const Options& options);
/// `half2_transposes.plain.ptx` beside `half2_transposes.cu`.
std::string stored_path(std::string_view cu_path, Variant variant);
std::optional<Compiled> find_stored(const source::Source& source, Variant variant, const Options& options);
/// Writes (temporary name, then rename). Returns the path. Error: a header was found by a search only, so that its text
/// is not part of the key.
Expected<std::string> store(const source::Source& source, Variant variant, const Options& options,
                            const Outcome& outcome);

// --- what this machine offers ----------------------------------------------------------------------------------------

struct Toolchain {
  bool nvrtc = false;
  std::string nvrtc_path, nvrtc_version, include_directory, problem;  ///< problem: why NVRTC is unusable, in words
};
Toolchain toolchain(bool forbid_nvrtc = false);

}  // namespace lanescope::compile
