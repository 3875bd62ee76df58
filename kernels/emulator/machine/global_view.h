#pragma once
// Global memory for blocks that run ahead of their turn (kernels/emulator/ahead): the memory of the launch, which does
// not change meanwhile, with their own stores on top. Their reads and stores are recorded word by word, to decide
// afterwards whether they would have read the same in their turn.
//
//   launch's memory   | page 0 | page 1 | page 2 | ...     1 KiB each, counted from the beginning of a store (Store)
//   view                  -      read    copy              -: not touched; read: the launch's own bytes;
//                                                          copy: the launch's bytes with these blocks' stores
//
// Atomic operations whose result is not read are neither: a word that these blocks touch in no other way is `deferred`.
// Its copy holds the value without accesses of other blocks, which is not used, and in its turn the operations are
// repeated, in their order, on the contents at that time: as the sum of what was added (whole numbers of 4 bytes), or
// one after the other (all else; sums of floats depend on the order).
//
//   blocks 0..7:   add 3, add 4 to word 9         deferred, sum 7
//   blocks 8..15:  add 5 to word 9                deferred, sum 5: no conflict; word 9 gets 7, then 5
//   blocks 16..23: add 1 to word 9, load word 9   read: too early, runs again
//
// With identities each page also has those of its words, as numbers of a pool on top of the launch's (trace::TagPool).
//
// A word counts as read where its value came from the launch's memory: not where these blocks have stored all of it
// before. A store of a part of a word is a read, too, since the rest of the word is the launch's. Everything that is no
// plain store counts as both (the other atomic operations).

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/emulator/machine/memory.h"

namespace lanescope::emulator {

struct MemoryOp;
struct Access;

class GlobalView {
 public:
  static constexpr u64 page_bytes = 1024, page_words = page_bytes / 4;
  using Words = std::array<u64, page_words / 64>;  ///< a bit for each

  /// Steps reach memory through `data`, from `at` in the page on.
  struct Page : Store {
    u32 store = 0;   ///< index in AddressSpace::stores
    u32 number = 0;  ///< of the page in that store
    u32 bytes_here = 0;
    const u8* original = nullptr;
    Words read{}, written{};
    Words deferred{}, summed{};  ///< summed: those of deferred whose operations are in `sums` (else in the log)
    bool copied = false;
    alignas(16) std::array<u8, page_bytes> copy;
    std::unique_ptr<std::array<u32, page_words>> sums;  ///< of words that are summed; there, where some are or were
    /// The word at a place in the page is left to the turn of these blocks: nothing but such operations touched it.
    bool defers(u64 at) const {
      const u64 word = at / 4, bit = u64{1} << word % 64;
      return (deferred[word / 64] & ~(read[word / 64] | written[word / 64]) & bit) != 0;
    }
    bool sums_up(u64 at) const { return (summed[at / 4 / 64] >> at / 4 % 64 & 1) != 0; }
  };
  using Pages = std::vector<std::unique_ptr<Page>>;
  /// An operation that is done in the turn of its block.
  struct Deferred {
    u32 store = 0, memory = 0;  ///< memory: index in Program::memory; sum_of_page: it adds 4 bytes
    u64 at = 0;                 ///< in the store
    u64 operand = 0, swap = 0;
  };
  static constexpr u32 sum_of_page = ~u32{0};
  using Log = std::vector<Deferred>;
  /// Entries of the log that take the memory of a page.
  static constexpr std::size_t entries_of_page = 32;

  /// `memory` stays as it is while blocks run on the view, and its stores stay where they are.
  explicit GlobalView(const AddressSpace& memory);

  /// The address space for a machine that runs on this view. Stores that can be written have no data of their own
  /// there, so that no step reaches them but through touch().
  AddressSpace space() const;

  /// The page after bytes of a store of `space`, noted. nullptr: they are in two pages, or the view is full.
  Page* touch(const AddressSpace& space, const Store& store, u64 at, u64 bytes, bool reads, bool writes);

  /// The same for an atomic operation whose result is not read. `sums`: it adds a whole number of 4 bytes. Afterwards
  /// the page says whether it is deferred (Page::defers); then the caller notes it, by add() or log().
  Page* touch_unread(const AddressSpace& space, const Store& store, u64 at, u64 bytes, bool sums);
  static void add(Page& page, u64 at, u32 operand) { (*page.sums)[at / 4] += operand; }
  void log(const Page& page, u32 memory, u64 at, u64 operand, u64 swap) {
    log_.push_back({page.store, memory, u64{page.number} * page_bytes + at, operand, swap});
  }
  /// In the order of execution; call it before take().
  Log take_log() { return std::exchange(log_, {}); }

  /// Pages that may be touched. Beyond that, nothing receives memory any more.
  void keep_at_most(std::size_t pages) { most_pages_ = pages; }
  /// Returns the touched pages, in the order of the first access, and clears the view.
  Pages take();
  /// Pages for later; so many are kept at most.
  void give_back(Pages pages, std::size_t most);

 private:
  Page* page(u32 store, u32 number);  ///< nullptr: the view is full
  Page& new_page(u32 store, u32 number);
  void copy(Page& page);

  const AddressSpace& memory_;
  std::vector<std::vector<u32>> tables_;  ///< by store and page: number in used_ + 1; 0: not touched
  Pages used_, spare_;
  Log log_;
  std::size_t most_pages_ = ~std::size_t{0};
};

}  // namespace lanescope::emulator
