#include "profiling/review/findings/finding.h"

#include <algorithm>

namespace lanescope::review {
namespace {

constexpr Rule table[] = {
    {"claim-differs", "an assignment comment differs from the actual assignment",
     "code written from this comment uses wrong data", "correct the comment or the code that it describes",
     Severity::error},
    {"claim-unchecked", "an assignment comment could not be checked", "the claim is neither confirmed nor refuted",
     "move it to a line where its variables have values, name the variables, and correct unreadable rows",
     Severity::note},
    {"claim-typo", "a comment line that resembles a row of a register assignment",
     "a misspelt row claims nothing, or another assignment", "write the row like the others", Severity::warning},
    {"pointer-offset-differs", "shape and strides stated for a pointer offset contradict the accessed addresses",
     "wrong offsets are a common error, and a wrong comment hides them",
     "correct the offset, or the shape and strides in the comment", Severity::error},
    {"pointer-offset-unchecked", "shape and strides of a pointer offset could not be checked",
     "the comment is neither confirmed nor refuted", "use numbers, or names that the launch gives a value",
     Severity::note},
    {"pointer-offset-overlap", "several blocks, warps or threads access the same elements of an array",
     "stores to the same element are a race; loads are repeated", "offset each by the whole extent of its part",
     Severity::note},
    {"pointer-offset-gap", "no thread accesses some elements of the stated array",
     "a tile or the end of the array is not processed", "cover the whole array, or state the smaller shape",
     Severity::note},
    {"pointer-offset-uncommented", "a pointer is offset per block or per warp without a comment on the resulting shape",
     "offsets without stated shapes cannot be checked by a reader",
     "write `before:` and `after:` with shape and strides above the offset", Severity::warning},
    {"write-overlap", "several blocks or threads write the same element of a buffer",
     "the remaining value is undefined; where other elements are not written, an offset is wrong",
     "let one thread write each element: check the offsets per block, warp and thread; or use an atomic",
     Severity::error},
    {"never-written", "elements of an output that no thread writes",
     "the last elements of an array, or the rim of a tile, are never computed",
     "round the number of blocks up, (n + block - 1) / block, and write every element, also at the borders; or fill "
     "the buffer before the launch",
     Severity::warning},
    {"partial-lines", "a warp's global access does not consist of entire 128-byte cache lines",
     "memory transfers entire sectors and lines, including unrequested bytes, which wastes bandwidth",
     "let the lanes of a warp access consecutive addresses that start at a multiple of 128 bytes", Severity::warning},
    {"bank-conflict", "lanes of one shared memory access need different words of the same bank",
     "the access takes one additional wavefront for each further word",
     "pad or swizzle the array so that the lanes use all 32 banks", Severity::warning},
    {"constant-replay", "lanes of a load of constant memory read different words",
     "the constant cache serves one word at a time, so that the access is repeated for each further word",
     "let all lanes of a warp read the same word, or keep the table in shared or global memory", Severity::warning},
    {"narrow-access", "several loads or stores of at most 32 bits that one wider access could replace",
     "wider accesses need fewer instructions for the same bytes, and fewer wavefronts of shared memory",
     "load and store float2, float4 or the like, aligned to its size", Severity::warning},
    {"atomic-one-address", "all active lanes of a warp update one address by an atomic",
     "the updates happen one after another: ptxas combines those of 32-bit integers, but none of floats or of 64 bits",
     "combine the values of the warp first (__shfl_down_sync, or reduce of cooperative groups), and let one lane "
     "execute "
     "the atomic; one atomic per block is faster still",
     Severity::warning},
    {"double-precision", "arithmetic in double precision", "it is many times slower than float on most GPUs",
     "write 1.0f for 1.0 and sinf for sin, or add an allow comment if it is intended", Severity::warning},
    {"missing-launch-bounds", "a kernel without __launch_bounds__",
     "the compiler must assume blocks of 1024 threads when it allocates registers",
     "add __launch_bounds__ with the number of threads of a block", Severity::note},
    {"divergence", "many instructions execute with inactive lanes because lanes took different branches",
     "a warp executes the sides of a branch one after another",
     "let all lanes of a warp take the same side, or avoid the branch", Severity::warning},
    {"assumed-convergence", "__activemask() compared with a constant",
     "hardware and compiler decide which lanes execute together: lanes that diverged need not have reconverged, and "
     "lanes that were together need not stay so",
     "compute the mask before lanes diverge (__ballot_sync), and pass it to an operation that waits for its lanes",
     Severity::warning},
    {"spills", "registers are spilled to local memory", "each spill is a store and a load through the cache",
     "use fewer live values, or allow more registers by __launch_bounds__ or maxrregcount", Severity::warning},
    {"barrier-missing", "warps of a block access the same word of shared memory with no barrier between",
     "their order is undefined", "add __syncthreads() between the two accesses", Severity::error, true},
    {"warp-sync-missing", "lanes of a warp access the same word of memory with no __syncwarp() between",
     "lanes of a warp do not run in lockstep since compute capability 7.0, so their order is undefined",
     "add __syncwarp() between the two accesses", Severity::error, true},
    {"global-unordered",
     "threads access the same element of global memory, at least one writes, and nothing orders them",
     "their order is undefined, and the result changes from run to run",
     "order the two accesses: by a barrier within a block, by a second launch or an atomic between blocks",
     Severity::error, true},
    {"stream-order", "operations of several streams use the same bytes, at least one writes, and nothing orders them",
     "they may run in either order or at the same time, and the result changes from run to run",
     "let the second wait for the first (cudaEventRecord and cudaStreamWaitEvent, or cudaStreamSynchronize), or use "
     "one stream",
     Severity::error, true},
    {"volatile-unordered",
     "threads write and access one location, at least one of them by a volatile access, and nothing orders them",
     "no access tears, but their order changes from run to run",
     "order the two accesses by a barrier, or by fences and an atomic; if the order does not matter, use atomics "
     "(cuda::atomic_ref with relaxed order)",
     Severity::warning},
    {"barrier-object-scope", "an operation on a barrier object that names no scope makes blocks of a cluster wait",
     "the default scope of the PTX ISA is .cta, which orders nothing between blocks",
     "name the scope: mbarrier.arrive.release.cluster, mbarrier.try_wait.acquire.cluster", Severity::note},
    {"lock-unfenced", "a lock is taken or released by an atomic with no fence beside it",
     "the accesses that the lock protects may happen before it is taken or after it is released: relaxed atomics do "
     "not order other accesses",
     "add __threadfence() after taking it and before releasing it, or use acquire and release (cuda::atomic_ref)",
     Severity::warning},
    {"copy-not-awaited",
     "memory is accessed that an asynchronous copy reads or writes, before any thread has waited for it",
     "the copy may happen at any time between the instruction and the wait, so the data may be the old or the new ones",
     "wait first: cp.async.wait_group (__pipeline_wait_prior) and then a barrier, or the barrier object of the copy",
     Severity::error, true},
    {"cluster-lifetime",
     "shared memory of another block of the cluster is accessed, and nothing ensures that this block has begun, or "
     "that it has not ended",
     "a block's shared memory exists only while the block runs: the access may fault, or reach another block's memory",
     "add cluster.sync() before the first and after the last access to another block's shared memory", Severity::error,
     true},
    {"read-only-written", "a load through the read-only path of memory that the same kernel writes",
     "this path is not kept coherent with writes: the load may give the old or the new value, also with barriers "
     "between",
     "remove __restrict__ or const from the pointer, or the __ldg(), or write to another buffer", Severity::error},
    {"shared-removed", "shared variables of a kernel whose compiled code has none",
     "no stored value depends on them, or they are read before any thread has written them, so that the compiler may "
     "use any value",
     "store a result that depends on them, or write them before they are read; else remove them", Severity::note},
    {"shared-misaligned", "a shared variable is declared with a larger alignment than it gets",
     "from compute capability 9.0 on the first 1024 bytes of shared memory belong to the system, and alignments are "
     "counted from their end, so that masks and XORs of the address give other results",
     "declare it larger by the alignment and round its address up, or compute with offsets instead of addresses",
     Severity::warning},
    {"same-value-writes", "threads write the same value to the same location with nothing that orders them",
     "memory holds the same in any order, but the language calls it undefined", "let one thread write it",
     Severity::note},
    {"uninitialised-read", "a value is used that comes from memory which no store has written",
     "it is left over from earlier programs, and changes from run to run",
     "write the memory before it is read: fill the whole array, or guard the read like the write", Severity::error},
    {"shuffle-inactive-lane", "a value is used that a shuffle took from a lane which does not take part in it",
     "the value is undefined: that of the register of that lane, or another one",
     "let all source lanes execute the shuffle and name them in its mask, or do not use the value", Severity::error},
    {"heap-leak", "memory that a kernel allocates with malloc or new is never freed",
     "the device heap keeps it until the program ends, and has 8 MiB unless the host code requests more: later "
     "allocations return null",
     "free it with free or delete in the last kernel that uses it", Severity::warning},
    {"lockstep-hang", "lanes wait in a loop for another lane of their own warp",
     "it runs because lanes have their own program counters; before compute capability 7.0 it would hang",
     "let the lane that leaves the loop do its work inside of it, or let one lane of the warp act for all",
     Severity::note},
    {"barrier-divergent", "a barrier of the whole block that only some of its threads reach",
     "its effect is undefined, and it may never complete",
     "move it out of the condition, so that all threads of the block reach it equally often", Severity::error},
    {"barrier-unneeded", "a barrier without which all accesses would still be ordered", "warps wait without need",
     "remove it", Severity::note},
    {"bad-comment", "a `lanescope:` comment that names no rule, or has a word without a comma before it",
     "it suppresses no finding", "use the name of a rule", Severity::warning},
    {"expected-absent", "a `lanescope: expect` comment whose rule finds nothing in the file",
     "it describes a finding that does not exist", "remove the comment, or check why the finding disappeared",
     Severity::warning},
};

}  // namespace

std::span<const Rule> rules() { return table; }

const Rule* find_rule(std::string_view id) {
  if (id == "narrow-load") id = "narrow-access";  // its name while it knew only loads
  const auto* found = std::ranges::find(table, id, &Rule::id);
  return found == std::end(table) ? nullptr : found;
}

}  // namespace lanescope::review
