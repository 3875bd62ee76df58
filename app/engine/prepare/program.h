#pragma once
// A parsed program with its launches, ready for the emulator or a GPU.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/base/source_lines.h"
#include "kernels/emulator/machine/run.h"
#include "kernels/ptx/program.h"
#include "kernels/source/source.h"
#include "kernels/trace/launch.h"
#include "kernels/trace/trace.h"

namespace lanescope::engine {

struct Program {
  ptx::Module module;
  std::vector<trace::Launch> launches;  ///< in order; they share the buffers
  /// leave: child grids are in `launches`, too, in the order in which they run (trace::Launch::depth).
  emulator::Options::Grids grids = emulator::Options::Grids::run;
  std::string user_file;                   ///< the file with the user's lines; empty: lines of the PTX text
  std::string ptx{};                       ///< the text that `module` was parsed from, for a GPU
  std::vector<std::string> entry_names{};  ///< of the kernels that the header names, one per launch
  bool cooperative = false;                ///< emulator::synchronises_grid(module)
  std::uint64_t heap_bytes = 0;            ///< of the device heap; 0: no kernel of the module allocates
  SourceLines lines{};  ///< of the source: positions in `module` are in unit lines, those in `ptx` are not
};

/// The launches of the host, without child grids.
std::vector<trace::Launch> host_launches(const Program& program);

/// The device heap that its first launch finds.
std::shared_ptr<const emulator::HeapState> first_heap(const Program& program);

const ptx::Entry& entry_of(const Program& program, const trace::Launch& launch);

/// Sites of one launch's kernel, with lines of the PTX text where the program is bare PTX.
std::vector<trace::CodeSite> sites_of(const Program& program, const trace::Launch& launch);

/// The same of a probed program: a probe belongs to the statement whose effect it shows.
std::vector<trace::CodeSite> probed_sites(const Program& program, const source::Source& source,
                                          const trace::Launch& launch);
/// Size in bytes of each variable that a probe reads, by variable id; 0 where none does.
std::vector<int> value_bytes_of(const ptx::Module& module, std::size_t variables);
std::vector<int> lines_of(const std::vector<trace::CodeSite>& code);
/// By pc of a probed program, for judging claims: the line of its site; at a probe in an inlined function, that of the
/// call.
std::vector<int> caller_lines(const Program& program, const source::Source& source, const trace::Launch& launch);

}  // namespace lanescope::engine
