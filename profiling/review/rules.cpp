#include "profiling/review/rules.h"

#include <algorithm>

namespace lanescope::review {
namespace {

constexpr Rule table[] = {
    {"claim-differs", "an assignment comment says something else than what the registers hold",
     "whoever reads the comment, or writes the next step by it, gets wrong data",
     "correct the comment or the code that it describes", Severity::error},
    {"claim-unchecked", "an assignment comment could not be checked", "nobody knows whether it is true",
     "put it where its variables have values, name them, and write rows that can be read", Severity::note},
    {"claim-typo", "a comment line that nearly is a row of a register assignment",
     "a misspelt row claims nothing, or something else", "spell the row as the others are", Severity::warning},
    {"pointer-offset-differs",
     "shape and strides stated for a pointer offset do not fit the addresses that are reached",
     "wrong offsets are a common source of bugs; a wrong comment hides them",
     "correct the offset, or the shape and strides in the comment", Severity::error},
    {"pointer-offset-unchecked", "shape and strides of a pointer offset could not be checked",
     "nobody knows whether they are true", "use numbers, or names that the launch gives a value", Severity::note},
    {"pointer-offset-overlap", "several blocks, warps or threads reach the same elements of an array",
     "stores to one element by several of them race; loads are repeated",
     "offset each by the whole extent of what it processes", Severity::note},
    {"pointer-offset-gap", "elements of the stated array are reached by no thread", "a tile or a tail is left out",
     "cover the whole array, or state the smaller shape", Severity::note},
    {"pointer-offset-uncommented",
     "a pointer is offset per block or per warp, and no comment says what it points to then",
     "offsets without stated shapes cannot be checked by a reader",
     "write `before:` and `after:` with shape and strides above the offset", Severity::warning},
    {"write-overlap", "several blocks or threads write the same element of a buffer",
     "which value stays is left to chance; where others are left out, an offset is wrong",
     "let one thread write each element: look at what is added per block, warp and thread; or use an atomic",
     Severity::error},
    {"partial-lines", "a warp's global access does not consist of entire 128-byte cache lines",
     "the memory moves whole sectors and lines, wanted or not; such kernels are limited by bandwidth",
     "let the lanes of a warp access consecutive addresses that start at a multiple of 128 bytes", Severity::warning},
    {"bank-conflict", "lanes of one shared memory access need different words of the same bank",
     "the access is repeated for each of them", "pad or swizzle the array so that the lanes spread over all 32 banks",
     Severity::warning},
    {"narrow-load", "several loads of 32 bits or fewer where one wider load would do",
     "wider instructions get more bandwidth with fewer instructions",
     "load float2, float4 or the like, aligned to its size", Severity::warning},
    {"double-precision", "arithmetic in double precision", "it is many times slower than float on most GPUs",
     "write 1.0f for 1.0 and sinf for sin, or allow it by a comment if it is meant", Severity::warning},
    {"missing-launch-bounds", "a kernel without __launch_bounds__",
     "the compiler must assume 1024 threads in a block when it gives out registers",
     "add __launch_bounds__ with the number of threads of a block", Severity::warning},
    {"divergence", "many instructions run with part of a warp's lanes because lanes took different branches",
     "a warp runs each side of a branch in turn", "let whole warps take the same side, or compute without a branch",
     Severity::warning},
    {"spills", "registers are spilled to local memory", "each spill is a store and a load through the cache",
     "use fewer live values, or allow more registers by __launch_bounds__ or maxrregcount", Severity::warning},
    {"barrier-missing", "warps of a block access the same word of shared memory with no barrier between",
     "which of them comes first is left to chance", "put __syncthreads() between the two accesses", Severity::error},
    {"barrier-divergent", "a barrier of the whole block that only part of its threads come to",
     "what it orders, and whether it ever completes, is not defined",
     "take it out of the condition, so that every thread of the block comes to it equally often", Severity::error},
    {"barrier-unneeded", "a barrier before which no thread touched what another one touches behind it",
     "warps wait there for nothing", "leave it out", Severity::note},
    {"bad-comment", "a `lanescope:` comment that means nothing", "it silences nothing, though it looks as if it did",
     "use the name of a rule", Severity::warning},
    {"expected-absent", "a `lanescope: expect` comment whose rule finds nothing in the file",
     "it tells readers of something that is not there", "remove the comment, or look why the finding is gone",
     Severity::warning},
};

}  // namespace

std::span<const Rule> rules() { return table; }

const Rule* find_rule(std::string_view id) {
  const auto* found = std::ranges::find(table, id, &Rule::id);
  return found == std::end(table) ? nullptr : found;
}

}  // namespace lanescope::review
