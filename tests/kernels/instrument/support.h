#pragma once
// Kernels with their launches and buffers, and one way to run them: plain or rewritten, in the emulator.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/compile/compile.h"
#include "kernels/emulator/emulator.h"
#include "kernels/instrument/by_ids.h"
#include "kernels/instrument/decode.h"
#include "kernels/instrument/rewrite.h"
#include "kernels/source/source.h"
#include "tests/kernels/emulator/harness.h"

namespace lanescope::instrument::test {

struct Program {
  std::string name;
  ptx::Module module;
  trace::Launch launch;
  std::vector<trace::Buffer> buffers;
};

/// A file of the catalogue (or any other), compiled or from its stored PTX. `text` replaces what the file says.
struct Compiled {
  source::Source source;
  Program program;
};
Compiled compiled(const std::string& path, compile::Variant variant, const std::string& text = {});
std::vector<std::string> catalogue(std::size_t every = 1);  ///< paths, sorted; a sample of one of `every`
std::string text_of(const std::string& path);

/// The trace that the emulator's recorder makes of all blocks.
trace::Trace recorded(const Program& program, std::vector<trace::Buffer>& buffers, std::uint32_t slice = 1);

/// The rewritten kernel run in the emulator.
struct TracedRun {
  std::vector<trace::Buffer> buffers;
  Decoded decoded;
  Rewritten rewritten;
};
TracedRun run_traced(const Program& program, const Choice& choice, std::uint64_t capacity_bytes,
                     std::uint32_t slice = 1);

/// Verdicts by the emulator's identities, and by ids run in the emulator.
std::vector<claims::ClaimResult> by_tags(const Compiled& c);
IdAnswer by_ids(const Compiled& c, const IdSettings& settings = {});
/// A Load of the emulator.
Expected<Run> in_emulator(const std::string& ptx, const trace::Launch& launch, const std::vector<trace::Buffer>& sizes);

}  // namespace lanescope::instrument::test
