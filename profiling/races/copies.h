#pragma once
// Asynchronous copies in flight: cp.async and cp.async.bulk. A copy accesses memory at any time between the instruction
// that issues it and the moment when something that the PTX ISA names has waited for it: its own thread, by a group
// (wait_group, wait_all), or a thread that sees the phase of a barrier object complete that the copy is attached to.
// Until then every conflicting access to its words is a race, also by its own thread, and also with barriers between.
//
// Reads of wgmma from shared memory are treated in the same way: they last until the warp has waited for the group of
// the product. Lane 0 stands for the warp.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profiling/races/instruction.h"

namespace lanescope::races {

struct Copy {
  std::uint64_t word = 0;  ///< a key of the caller; of shared memory: bit 63, then the block from bit 30, then the word
  std::uint64_t step = 0;  ///< of the instruction that issues it
  std::uint64_t thread = 0;
  std::uint32_t block = 0, warp = 0, lane = 0, pc = 0;
  std::uint32_t value = 0;      ///< of the word
  std::uint64_t object = none;  ///< barrier object that it is attached to
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  Touch touch = Touch::write;
  std::uint8_t bytes = 0;  ///< of the word, a bit each
};

class Copies {
 public:
  enum class By : std::uint8_t { group, bulk_group, matrix_group };

  bool none() const { return words_.empty(); }
  /// In the group of its thread that is not yet committed.
  void add(const Copy& copy, By by);
  /// Complete with the current phase of a barrier object.
  void add_to_object(const Copy& copy, std::uint64_t object);
  void commit(std::uint64_t thread, By by);
  /// All of the thread's groups are complete but the last `kept` committed ones; `uncommitted`: also copies in no
  /// group. `reads_only`: only their reads. Returns the copies that are complete now.
  std::vector<Copy> wait(std::uint64_t thread, By by, std::uint64_t kept, bool uncommitted, bool reads_only);
  /// For a copy completed by an object: the thread that counts as its author, and the step before which it is done.
  struct Done {
    std::uint64_t agent = 0, before = 0;
  };
  /// The thread's copies by cp.async, in any group, are attached to an object as well. Those that are complete already.
  std::vector<Done> attach(std::uint64_t thread, std::uint64_t object);
  /// The phase of an object is complete; `done` applies to its copies from now on. Returns the copies that were not
  /// complete.
  std::vector<Copy> phase_over(std::uint64_t object, Done done);
  const std::vector<Copy>* at(std::uint64_t word) const {
    const auto found = words_.find(word);
    return found == words_.end() ? nullptr : &found->second;
  }
  /// Copies in flight to or from the shared memory of a block, issued by another block.
  std::vector<Copy> into_block(std::uint32_t block) const;
  /// The block has ended: its own, and those in its shared memory, are dropped. Returns its own in global memory for
  /// which no thread has waited: they may have happened as late as that.
  std::vector<Copy> end_block(std::uint32_t block);

 private:
  struct Waiting {
    Copy copy;
    By by = By::group;
    std::uint64_t group = 0;
    Done done{};  ///< before: 0 while it is in flight
  };
  struct Thread {
    std::uint64_t groups[3] = {};  ///< committed so far, by By
    std::vector<Waiting> copies;
  };
  /// False: another thread has waited for it already.
  bool end(const Copy& copy);

  std::unordered_map<std::uint64_t, std::vector<Copy>> words_;
  std::unordered_map<std::uint64_t, Thread> threads_;
  std::unordered_map<std::uint64_t, std::vector<Copy>> objects_;
};

}  // namespace lanescope::races
