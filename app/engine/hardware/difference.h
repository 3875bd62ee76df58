#pragma once
// Why a GPU left other bytes than the emulator, by evidence only. A buffer shows only that they differ. The
// emulator shows which store wrote the element last, and a traced launch of that store's block reports the first access
// or shuffle that the two machines do not do alike. Traces hold addresses and lanes, not values: where they are all
// equal, a computed value differs, and which instruction computed it first is not known.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/hardware/run.h"
#include "app/engine/prepare/execution.h"
#include "kernels/instrument/decode.h"

namespace lanescope::engine {

/// The last instruction of the emulator's run that stored a byte of an element.
struct LastStore {
  std::size_t launch = 0;
  std::uint32_t block = 0, warp = 0, pc = 0;
  int lane = 0;
  int line = 0;             ///< in the user's file; 0: not known
  std::string instruction;  ///< canonical PTX
};
/// By differing buffer of `comparisons`, of its first element that differs; nullopt: nothing stores it. Runs the
/// launches in the emulator once more, from `buffers`, their contents before.
std::vector<std::optional<LastStore>> last_stores(const Program& program, const std::vector<trace::Buffer>& buffers,
                                                  const std::vector<results::BufferComparison>& comparisons,
                                                  const ExecutionOptions& options);

struct DifferenceEvidence {
  std::string first{};            ///< the first instruction that differs, in words; empty: not known
  std::string unknown{};          ///< where `first` is empty: why
  int line = 0;                   ///< of the first instruction, else of the store; 0: not known
  std::string store{};            ///< the store of the element; empty: not known
  std::vector<int> race_lines{};  ///< where threads conflicted without an order between them
  std::uint64_t threads = 1;      ///< of the largest launch
};

/// The evidence of a traced launch of the store's block; `difference` as instrument::compare() says it. `code`: of the
/// launch's program.
void take_trace(const LastStore& store, const std::optional<instrument::Difference>& difference, bool cut_off,
                const std::vector<trace::CodeSite>& code, DifferenceEvidence& evidence);

/// The evidence of one buffer that differs: runs a traced launch on the GPU if the emulator has a store of the element.
DifferenceEvidence difference_evidence(const HardwareRun& run, const std::optional<LastStore>& store);

/// "'y' differs from the emulator's: element 17 is 3 on the GPU, 2 there; 5 of 100 elements differ; the first
/// instruction that differs is ...", a warning. Races are named only if some were found and more than one thread ran.
Diagnostic difference_words(const std::string& file, const results::BufferComparison& comparison,
                            const DifferenceEvidence& evidence);

}  // namespace lanescope::engine
