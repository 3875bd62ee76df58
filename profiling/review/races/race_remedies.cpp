#include "profiling/review/races/flag_reads.h"

#include <fmt/format.h>

namespace lanescope::review {
namespace {

using races::Missing;

/// The fences that the lock lacks for threads at this distance; empty: none, as far as the text shows.
std::string lock_words(const Relation& relation, races::Scope needed) {
  const Lock& lock = relation.lock;
  const std::string_view where = where_unfenced(lock, needed);
  const std::string release =
      lock.plain_store ? fmt::format("release it in line {} by atomicExch() or a volatile store", relation.release_line)
                       : std::string();
  if (where.empty()) {
    if (release.empty()) return {};
    return fmt::format("the lock that line {} takes is released by a plain store, which orders nothing: {}",
                       relation.lock_line, release);
  }
  const std::string too = release.empty() ? release : "; and " + release;
  const bool narrow = (lock.after < needed && lock.after == races::Scope::block) ||
                      (lock.before < needed && lock.before == races::Scope::block);
  if (narrow)
    return fmt::format(
        "the lock that line {} takes needs a fence for all blocks: __threadfence() {}, instead of "
        "__threadfence_block(){}",
        relation.lock_line, where, too);
  return fmt::format(
      "the lock that line {} takes admits one thread at a time, but orders no memory: add __threadfence() "
      "{}, or use acquire and release (cuda::atomic_ref){}",
      relation.lock_line, where, too);
}

}  // namespace

std::string remedy_of(const races::Race& r, const Relation& relation) {
  const bool one_line = relation.one_instruction;
  const bool is_volatile = races::is_volatile(r.first.touch) && races::is_volatile(r.second.touch);
  const bool one_atomic =
      (r.first.touch == races::Touch::strong_write) != (r.second.touch == races::Touch::strong_write);
  if (r.missing == Missing::completion) return {};
  if (r.missing == Missing::cluster_scope)
    return "give both operations the scope of the device: .gpu instead of .cluster";
  if (r.missing == Missing::unrelaxed)
    return "let it release: barrier.cluster.arrive without .relaxed, or fence.acq_rel.cluster before it";
  if (r.missing == Missing::cluster_barrier && one_line)
    return "let one block write it, or use an atomic operation; if these are two iterations of a loop, add "
           "cluster.sync() to it";
  if (r.missing == Missing::cluster_barrier)
    return "add cluster.sync() of cooperative groups (barrier.cluster.arrive and barrier.cluster.wait) between the two "
           "accesses; __syncthreads() orders one block only";
  if (r.missing == Missing::scope)
    return "give both operations a scope that includes both blocks: cuda::thread_scope_device or .gpu instead of .cta, "
           "atomicAdd instead of atomicAdd_block";
  if (relation.lock_line > 0) {
    const races::Scope needed = r.missing == Missing::order ? races::Scope::device : races::Scope::block;
    if (std::string words = lock_words(relation, needed); !words.empty()) return words;
  }
  if (relation.swapped && (r.missing == Missing::barrier || r.missing == Missing::warp_sync))
    return "read it by an atomic or volatile load (cuda::atomic_ref and its load(), or a pointer to volatile): the "
           "compare-and-swap of another thread may change it at any time, and no barrier helps";
  if (relation.loses_update)
    return "make reading, changing and writing one operation: atomicAdd() or another atomic; a barrier does not help";
  if (r.missing == Missing::one_writer) return "let one lane write it, or use an atomic operation";
  if (r.missing == Missing::warp_sync && one_line)
    return "let one lane write it, or use an atomic operation; if these are two iterations of a loop, add __syncwarp() "
           "to it";
  if (relation.one_line && !one_line && (r.missing == Missing::warp_sync || r.missing == Missing::barrier))
    return fmt::format(
        "keep what is read in a variable, and add {0} between reading and writing; if these are two iterations of a "
        "loop, add {0} to it",
        r.missing == Missing::barrier ? "__syncthreads()" : "__syncwarp()");
  if (r.missing == Missing::warp_sync && is_volatile)
    return "add __syncwarp() between the two accesses: volatile does not order lanes";
  if (r.missing == Missing::barrier && one_line)
    return "let one thread write it, or use an atomic operation; if these are two iterations of a loop, add "
           "__syncthreads() to it";
  if (r.missing == Missing::barrier) return "add __syncthreads() between the two accesses";
  if (r.missing == Missing::order && one_atomic)
    return "use an atomic operation for both accesses, or let a second launch do one of them";
  if (r.missing == Missing::order && one_line) return "let one thread write it, or use an atomic operation";
  if (r.missing == Missing::order && relation.lone_flags)
    return "if a flag or a counter is meant to order the blocks, add __threadfence() before it is set: a volatile or "
           "relaxed access, or an atomic, orders nothing but itself; otherwise let a second launch do the later access";
  if (r.missing == Missing::order && relation.fence == races::Scope::block)
    return "the fences of this code order threads of one block only: write __threadfence() instead of "
           "__threadfence_block(), or let a second launch do the later access";
  if (r.missing == Missing::order && relation.same_cluster)
    return "add cluster.sync() between the two accesses, which are of one cluster, or let a second launch do the later "
           "one";
  if (r.missing == Missing::order)
    return "let a second launch do the later access, or order the blocks: __threadfence() and an atomic, or "
           "grid.sync() of a cooperative launch";
  return {};
}

}  // namespace lanescope::review
