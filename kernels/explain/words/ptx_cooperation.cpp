// What threads do together: shuffles, votes, barriers, fences. Source of what they do: PTX ISA 9.0.

#include "kernels/explain/words/rows.h"

namespace lanescope::explain {

std::span<const Row> ptx_cooperation_rows() {
  // clang-format off
  static constexpr Row table[] = {
      {"activemask", "d", "Writes a mask to {d}: bit l is set where lane l of the warp executes this very instruction."},
      {"bar.sync", "a b", "Waits at barrier {a} until all threads of the block[ ({b} threads)] have come; what they stored before is visible after it."},
      {"bar.arrive", "a b", "Counts this thread at barrier {a} and continues; others, with bar.sync, wait for {b} threads in all."},
      {"bar.red", "d a b c", "Waits at barrier {a} for the threads and combines one predicate of each; all get the result in {d}."},
      {"bar.warp.sync", "m", "Waits until all lanes of the mask {m} have come; what they stored before is visible to each other after it."},
      {"bar", "a b", "Waits at barrier {a} until all threads of the block[ ({b} threads)] have come."},
      {"barrier.sync", "a b", "Waits at barrier {a} until all threads of the block[ ({b} threads)] have come; what they stored before is visible after it."},
      {"barrier.arrive", "a b", "Counts this thread at barrier {a} and continues; others, with barrier.sync, wait for {b} threads in all."},
      {"barrier.red", "d a b c", "Waits at barrier {a} for the threads and combines one predicate of each; all get the result in {d}."},
      {"barrier.cluster.arrive", "", "Counts this thread at the barrier of all blocks of the cluster and continues."},
      {"barrier.cluster.wait", "", "Waits until all threads of all blocks of the cluster have arrived."},
      {"barrier", "a b", "Waits at barrier {a} until all threads of the block[ ({b} threads)] have come."},
      {"clusterlaunchcontrol.try_cancel", "a b", "Requests to cancel the launch of a cluster that has not begun, to do its work here; the answer moves to {a}, and the barrier object {b} is reported."},
      {"clusterlaunchcontrol.query_cancel", "d a", "Reads from the answer {a} whether a launch was cancelled, or which block's, into {d}."},
      {"clusterlaunchcontrol", "d a", "Takes over the work of a cluster that has not begun."},
      {"elect", "d m", "Chooses one lane of the mask {m}; {d} gets its number, and the predicate is true in that lane alone."},
      {"fence", "a", "Orders memory: others that synchronise with this thread see its accesses before the fence before those after it."},
      {"fence.proxy", "a", "Orders accesses by different ways to the same memory (ordinary ones, the copy engine, tensor maps)."},
      {"fence.mbarrier_init", "", "Makes a barrier object that was just initialised visible to the blocks of the cluster."},
      {"griddepcontrol.launch_dependents", "", "Lets the next kernel of the stream, which waits for this one, begin to start."},
      {"griddepcontrol.wait", "", "Waits until the kernels on which this one depends have ended and their stores are visible."},
      {"match.any", "d a m", "Compares {a} among the lanes of {m}: each lane gets the mask of those that have the same value in {d}."},
      {"match.all", "d a m", "Compares {a} among the lanes of {m}: {d} is the mask where all have the same value, else 0."},
      {"mbarrier", "a b", "Works on the barrier object at {a}."},
      {"mbarrier.init", "a n", "Makes a barrier object at {a} that waits for {n} arrivals a phase."},
      {"mbarrier.inval", "a", "Ends the barrier object at {a}; its 8 bytes can be used otherwise."},
      {"mbarrier.arrive", "d a n", "Counts an arrival at the barrier object {a}; {d} gets the state of the phase[, with {n} counted at once]."},
      {"mbarrier.arrive.expect_tx", "d a n", "Counts an arrival at the barrier object {a} and lets its phase wait for {n} more bytes of asynchronous copies; {d} gets the state."},
      {"mbarrier.arrive_drop", "d a n", "Counts an arrival at the barrier object {a} and lowers the number expected in later phases; {d} gets the state."},
      {"mbarrier.expect_tx", "a n", "Lets the present phase of the barrier object {a} wait for {n} more bytes of asynchronous copies."},
      {"mbarrier.complete_tx", "a n", "Reports the barrier object {a} that {n} bytes have arrived."},
      {"mbarrier.test_wait", "p a b", "Sets {p} to whether the phase {b} of the barrier object {a} is over; does not wait."},
      {"mbarrier.try_wait", "p a b t", "Waits for a while until the phase {b} of the barrier object {a} is over; {p} shows whether it is."},
      {"mbarrier.pending_count", "d a", "Writes how many arrivals were missing in the state {a} of a barrier object to {d}."},
      {"membar", "", "Orders memory: no access after it is seen by others before those in front of it."},
      {"membar.proxy", "", "Orders accesses by different ways to the same memory."},
      {"nanosleep", "t", "Lets the thread sleep for about {t} nanoseconds (up to twice that)."},
      {"redux", "d a m", "Combines {a} of all lanes of {m} into one value, {combined}, which every lane gets in {d}."},
      {"setmaxnreg", "n", "Changes how many registers each thread of the warpgroup may use to {n}, by giving some back or waiting for free ones."},
      {"shfl.idx", "d a b c m", "Exchanges registers within the warp: each lane gets {a} of lane {b} in {d}; bounds {c}[, lanes taking part {m}]."},
      {"shfl.up", "d a b c m", "Moves registers up the warp: each lane gets {a} of the lane {b} below it in {d}; bounds {c}[, lanes taking part {m}]."},
      {"shfl.down", "d a b c m", "Moves registers down the warp: each lane gets {a} of the lane {b} above it in {d}; bounds {c}[, lanes taking part {m}]."},
      {"shfl.bfly", "d a b c m", "Exchanges registers within the warp: each lane gets {a} of the lane whose number is its own xor {b} in {d}; bounds {c}[, lanes taking part {m}]."},
      {"shfl", "d a b c m", "Exchanges registers within the warp: each lane gets {a} of another lane in {d}; bounds {c}."},
      {"vote.all", "p a m", "Sets {p} to true where {a} is true in every lane[ of {m}]."},
      {"vote.any", "p a m", "Sets {p} to true where {a} is true in at least one lane[ of {m}]."},
      {"vote.uni", "p a m", "Sets {p} to true where {a} is the same in every lane[ of {m}]."},
      {"vote.ballot", "d a m", "Collects {a} of the lanes[ of {m}] in a mask: bit l of {d} is the predicate of lane l."},
      {"vote", "d a m", "Combines the predicate {a} of the lanes of the warp into {d}."},
  };
  // clang-format on
  return table;
}

std::span<const Row> ptx_control_rows() {
  // clang-format off
  static constexpr Row table[] = {
      {"bra", "t", "Continues at {t}; where only some lanes of a warp do, the two groups run one after the other (divergence)."},
      {"brx", "a t", "Continues at the label with number {a} of the table {t}."},
      {"brkpt", "", "Stops for a debugger."},
      {"call", "r f a p", "Calls a function: of {r}, {f}[, {a}][, {p}] what is in parentheses first is its result, then come its name and its arguments."},
      {"exit", "", "Ends this thread."},
      {"ret", "", "Returns from the function; in a kernel, ends this thread."},
      {"trap", "", "Ends the kernel with an error."},
      {"pmevent", "a", "Triggers the performance events {a}; no value changes."},
  };
  // clang-format on
  return table;
}

std::span<const Row> ptx_matrix_rows() {
  // clang-format off
  static constexpr Row table[] = {
      {"mma", "d a b c s e", "Multiplies two small matrices on the tensor core and adds a third, as one warp: the tile in {a} times that in {b} plus {c} moves to {d}; each lane holds a few elements of each.[ Of A half the elements are stored; {s} says which ({e}).]"},
      {"mma.sync", "d a b c", "Multiplies two small matrices on the tensor core and adds a third, as one warp: the tile in {a} times that in {b} plus {c} moves to {d}; each lane holds a few elements of each."},
      {"mma.block_scale", "d a b c", "Multiplies two small matrices of narrow floats on the tensor core and adds a third: the tile in {a} times that in {b}, each block of elements scaled by a factor of its own, plus {c} moves to {d}."},
      {"wmma.load", "d a s", "Loads a tile of a matrix at {a} into the registers {d} of the whole warp[; rows (or columns) are {s} elements apart]."},
      {"wmma.store", "a d s", "Stores a tile from the registers {d} of the whole warp to {a}[; rows (or columns) are {s} elements apart]."},
      {"wmma.mma", "d a b c", "Multiplies two tiles on the tensor core and adds a third, as one warp: {a} times {b} plus {c} moves to {d}."},
      {"wmma", "d a", "Works on a tile of a matrix as one warp."},
      {"wgmma.fence", "", "Orders the registers and shared memory that the next wgmma.mma_async reads after what was done to them before."},
      {"wgmma.commit_group", "", "Closes a group: the wgmma.mma_async since the last group are waited for together."},
      {"wgmma.wait_group", "n", "Waits until at most {n} of the latest groups of wgmma.mma_async are still in flight."},
      {"wgmma.mma_async", "d a b", "Starts a product of two tiles on the tensor core for four warps together: {a} times {b} is added to {d}; operands can be descriptors of shared memory. It is finished after wait_group."},
      {"wgmma", "d a b", "Multiplies tiles as four warps together."},
      {"tcgen05", "a b", "Works on tensor memory, the tensor core's own memory of Blackwell."},
      {"tcgen05.alloc", "a n", "Reserves {n} columns of tensor memory and writes their address to shared memory at {a}."},
      {"tcgen05.dealloc", "a n", "Gives back {n} columns of tensor memory at {a}."},
      {"tcgen05.relinquish_alloc_permit", "", "Says that this block reserves no more tensor memory, so that others can."},
      {"tcgen05.ld", "d a", "Loads from tensor memory at {a} into the registers {d} of the warp; finished after tcgen05.wait::ld."},
      {"tcgen05.st", "a d", "Stores the registers {d} of the warp to tensor memory at {a}; finished after tcgen05.wait::st."},
      {"tcgen05.wait::ld", "", "Waits until this thread's loads from tensor memory have arrived."},
      {"tcgen05.wait::st", "", "Waits until this thread's stores to tensor memory have arrived."},
      {"tcgen05.cp", "a b", "Copies from shared memory, described by {b}, to tensor memory at {a}."},
      {"tcgen05.shift", "a", "Shifts rows of tensor memory at {a} down by one."},
      {"tcgen05.mma", "d a b i p", "Starts a product of two tiles on the tensor core: {a} times {b}, added to {d} in tensor memory where {p} is true; {i} describes types and shape."},
      {"tcgen05.commit", "a", "Lets the barrier object at {a} count an arrival when this thread's tcgen05 operations so far are done."},
      {"tcgen05.fence::before_thread_sync", "", "Orders tcgen05 operations in front of it before a synchronisation that follows."},
      {"tcgen05.fence::after_thread_sync", "", "Orders tcgen05 operations after it after a synchronisation in front."},
  };
  // clang-format on
  return table;
}

std::span<const NeedRow> ptx_need_rows() {
  // clang-format off
  static constexpr NeedRow table[] = {
      {"activemask", "sm_30"}, {"alloca", "sm_52"}, {"applypriority", "sm_80"}, {"atom.add.f64", "sm_60"}, {"bar.warp", "sm_30"}, {"barrier.cluster", "sm_90"},
      {"bmsk", "sm_70"}, {"clusterlaunchcontrol", "sm_100"}, {"cp.async", "sm_80"}, {"cp.async.bulk", "sm_90"},
      {"cp.reduce.async.bulk", "sm_90"}, {"createpolicy", "sm_80"}, {"discard", "sm_80"}, {"dp2a", "sm_61"}, {"dp4a", "sm_61"},
      {"elect", "sm_90"}, {"fence", "sm_70"}, {"fence.proxy.async", "sm_90"}, {"fns", "sm_30"}, {"getctarank", "sm_90"},
      {"griddepcontrol", "sm_90"}, {"ldmatrix", "sm_75"}, {"lop3", "sm_50"}, {"mapa", "sm_90"}, {"match", "sm_70"},
      {"mbarrier", "sm_80"}, {"mma", "sm_70"}, {"movmatrix", "sm_75"}, {"multimem", "sm_90"}, {"nanosleep", "sm_70"},
      {"red.add.f64", "sm_60"}, {"red.async", "sm_90"}, {"redux", "sm_80"}, {"setmaxnreg", "sm_90"}, {"shf", "sm_32"}, {"shfl", "sm_30"},
      {"st.async", "sm_90"}, {"st.bulk", "sm_100"}, {"stackrestore", "sm_52"}, {"stacksave", "sm_52"}, {"stmatrix", "sm_90"},
      {"szext", "sm_70"}, {"tanh", "sm_75"}, {"tcgen05", "sm_100a"}, {"tensormap", "sm_90"}, {"wgmma", "sm_90a"}, {"wmma", "sm_70"},
  };
  // clang-format on
  return table;
}

}  // namespace lanescope::explain
