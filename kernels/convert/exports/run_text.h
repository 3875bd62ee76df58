#pragma once
// Compiles a text and executes it in the emulator.

#include <optional>
#include <string>
#include <vector>

#include "kernels/convert/exports/verify.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"

namespace lanescope::convert {

struct CompiledText {
  ptx::Module module;
  std::string entry;
};
/// For every architecture that the compiler has; the code of the last one. nullopt: `v.problem`, or no compiler.
std::optional<CompiledText> compile_text(const std::string& text, std::span<const std::string> architectures,
                                         Verified& v);
/// PTX alone, of every kernel of the text, for sm_90: what many kernels at once need. nullopt: as above.
std::optional<ptx::Module> compile_to_ptx(const std::string& text, Verified& v);
/// False: `v.problem` says why.
bool run_text(const CompiledText& code, trace::Launch launch, std::vector<trace::Buffer>& buffers, Verified& v);
bool run_text(const ptx::Module& module, const trace::Launch& launch, std::vector<trace::Buffer>& buffers, Verified& v);

trace::Buffer random_buffer(std::string name, std::size_t bytes, unsigned seed);
trace::ValueArgument bytes_of_number(std::int64_t value);

}  // namespace lanescope::convert
