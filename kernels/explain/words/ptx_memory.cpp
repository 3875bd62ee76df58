// Loads, stores, atomics, copies, caches, textures. Source of what they do: PTX ISA 9.0.

#include "kernels/explain/words/rows.h"

namespace lanescope::explain {

std::span<const Row> ptx_memory_rows() {
  // clang-format off
  static constexpr Row table[] = {
      {"alloca", "d a b", "Reserves {a} bytes of local memory on the thread's stack and writes their address to {d}."},
      {"applypriority", "a n", "Sets the priority with which L2 keeps the {n} bytes at {a}; no value changes."},
      {"atom", "d a b", "In one step that no other thread can interrupt: replaces the value at {a} in {space} by {updated} {b}; the old value moves to {d}."},
      {"atom.cas", "d a b c", "In one step that no other thread can interrupt: where {space} at {a} holds {b}, writes {c} there; the old value moves to {d} either way."},
      {"atom.exch", "d a b", "In one step that no other thread can interrupt: writes {b} to {space} at {a}; the old value moves to {d}."},
      {"cp.async", "a b n i", "Starts copying {n} bytes from global memory at {b} to shared memory at {a} without a register between, and continues; wait_group or a barrier object says when they have arrived.[ {i} limits or skips the copy.]"},
      {"cp.async.commit_group", "", "Closes a group: all cp.async of this thread since the last group are waited for together."},
      {"cp.async.wait_group", "n", "Waits until at most {n} of this thread's latest cp.async groups are still in flight."},
      {"cp.async.wait_all", "", "Waits until all cp.async of this thread have arrived in shared memory."},
      {"cp.async.mbarrier.arrive", "a", "Lets the barrier object at {a} count this thread when its cp.async so far have arrived."},
      {"cp.async.bulk", "a b n m c", "Lets the copy engine move {n} bytes from {b} to {a}; one thread starts it for all[, and {m} is notified when it is done]."},
      {"cp.async.bulk.tensor", "a b m c", "Lets the copy engine move a box of a tensor between global memory and shared memory: destination {a}, source {b}[, with {m} reported when it is done]."},
      {"cp.async.bulk.prefetch", "a n", "Requests the copy engine to bring {n} bytes at {a} into L2."},
      {"cp.async.bulk.prefetch.tensor", "a", "Requests the copy engine to bring a box of the tensor {a} into L2."},
      {"cp.async.bulk.commit_group", "", "Closes a group: the bulk copies that this thread started since the last group are waited for together."},
      {"cp.async.bulk.wait_group", "n", "Waits until at most {n} of this thread's latest groups of bulk copies are still in flight."},
      {"cp.reduce.async.bulk", "a b n", "Lets the copy engine combine {n} bytes at {b} into the array at {a}, element by element: each becomes {updated} its partner."},
      {"cp.reduce.async.bulk.tensor", "a b", "Lets the copy engine combine {b} into a box of the tensor {a}, element by element."},
      {"createpolicy", "d a", "Makes a cache policy in {d}, which loads and stores with L2::cache_hint can name; it changes what L2 keeps, never a value."},
      {"discard", "a n", "Gives up the {n} bytes at {a}: their value is then undefined and need not be written back from L2."},
      {"isspacep.global", "p a", "Sets {p} to true where the generic address {a} is one of global memory."},
      {"ld", "d a b", "Loads {bytes} from {space} at {a} into {d}."},
      {"ld.param", "d a", "Loads {bytes} of the kernel's (or function's) arguments at {a} into {d}."},
      {"ldu", "d a", "Loads {bytes} from {space} at {a}, which is the same address in all threads of the warp, into {d}."},
      {"ldmatrix", "d a", "Loads 8 by 8 tiles from shared memory at {a} into the registers {d} of the whole warp, in the order in which mma needs them; each row's address comes from another lane."},
      {"mapa", "d a b", "Writes the address to {d} at which block {b} of the cluster has what this block has at {a}."},
      {"getctarank", "d a", "Writes the number of the block in the cluster to whose shared memory the address {a} belongs, to {d}."},
      {"movmatrix", "d a", "Transposes an 8 by 8 tile of 16-bit elements that lies spread over the warp in {a}, into {d}."},
      {"multimem.ld_reduce", "d a", "Loads the values at the same place {a} of several GPUs, combines them and writes the result to {d}."},
      {"multimem.st", "a b", "Stores {b} at the same place {a} of several GPUs."},
      {"multimem.red", "a b", "Combines {b} into the values at the same place {a} of several GPUs."},
      {"multimem", "a b", "Accesses the same place {a} of several GPUs at once."},
      {"prefetch", "a", "Requests the cache line at {a} ahead of its use; no register changes."},
      {"prefetchu", "a", "Requests the cache line at {a} ahead of its use in the uniform cache; no register changes."},
      {"red", "a b", "In one step that no other thread can interrupt: replaces the value at {a} in {space} by {updated} {b}. Nothing is returned, so the thread does not wait."},
      {"red.async", "a b m", "Sends {b} to the shared memory of a block of the cluster at {a}, where the value becomes {updated} it; the barrier object {m} is reported."},
      {"st", "a b", "Stores {bytes} from {b} to {space} at {a}."},
      {"st.param", "a b", "Writes {b} as an argument of the call that follows, at {a}."},
      {"st.async", "a b m", "Sends {bytes} from {b} to the shared memory of a block of the cluster at {a} and continues; the barrier object {m} is notified when they have arrived."},
      {"st.bulk", "a n v", "Fills {n} bytes of shared memory from {a} on with {v}."},
      {"stmatrix", "a d", "Stores 8 by 8 tiles from the registers {d} of the whole warp to shared memory at {a}; each row's address comes from another lane."},
      {"stackrestore", "a", "Gives back the stack down to the position {a}."},
      {"stacksave", "d", "Writes the present position of the stack to {d}."},
      {"suld", "d a", "Loads an element of the surface {a} by its coordinates into {d}."},
      {"suq", "d a", "Writes an attribute of the surface {a} to {d}."},
      {"sured", "a b", "Combines {b} into an element of the surface {a}, uninterrupted."},
      {"sust", "a b", "Stores {b} to an element of the surface {a} by its coordinates."},
      {"tensormap.replace", "a b c", "Changes one field of the tensor map at {a} to {b}: the description of a tensor that the copy engine reads."},
      {"tensormap.cp_fenceproxy", "a b n", "Copies the tensor map of {n} bytes from {b} to {a} and makes it visible to the copy engine."},
      {"tensormap", "a b", "Changes the tensor map at {a}."},
      {"tex", "d a", "Reads the texture {a} at coordinates, filtered as its sampler says, into {d}."},
      {"tld4", "d a", "Reads one component of the four texels around a point of the texture {a} into {d}."},
      {"txq", "d a", "Writes an attribute of the texture {a} to {d}."},
  };
  // clang-format on
  return table;
}

}  // namespace lanescope::explain
