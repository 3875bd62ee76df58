#pragma once
// Global memory as blocks see it that run ahead of their turn (kernels/emulator/ahead): the memory of the launch, which
// nobody changes meanwhile, with their own stores on top. What they read of it and what they store is noted word by word,
// so that it can be decided afterwards whether they would have read the same in their turn.
//
//   launch's memory   | page 0 | page 1 | page 2 | ...     1 KiB each, counted from the beginning of a store (Store)
//   view                  -      read    copy              -: nobody has touched it; read: the launch's own bytes;
//                                                          copy: the launch's bytes with these blocks' stores
//
// A word counts as read where its value came from the launch's memory: not where these blocks have stored all of it before.
// A store of a part of a word is a read, too, since the rest of the word is the launch's. Everything that is no plain store
// counts as both (atomic operations).

#include <array>
#include <memory>
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
    bool copied = false;
    alignas(16) std::array<u8, page_bytes> copy;
  };
  using Pages = std::vector<std::unique_ptr<Page>>;

  /// `memory` stays as it is while blocks run on the view, and its stores stay where they are.
  explicit GlobalView(const AddressSpace& memory);

  /// The address space for a machine that runs on this view. Stores that can be written have no data of their own there, so
  /// that no step reaches them but through touch().
  AddressSpace space() const;

  /// The page behind bytes of a store of `space`, noted. nullptr: they are in two pages, or the view is full.
  Page* touch(const AddressSpace& space, const Store& store, u64 at, u64 bytes, bool reads, bool writes);

  /// Pages that may be touched. Beyond that, nothing is told of memory any more.
  void keep_at_most(std::size_t pages) { most_pages_ = pages; }
  std::size_t pages() const { return used_.size(); }
  /// What was touched, in the order in which it was; the view is as new.
  Pages take();
  /// Pages for later; so many are kept at most.
  void give_back(Pages pages, std::size_t most);

 private:
  Page& new_page(u32 store, u32 number);

  const AddressSpace& memory_;
  std::vector<std::vector<u32>> tables_;  ///< by store and page: number in used_ + 1; 0: not touched
  Pages used_, spare_;
  std::size_t most_pages_ = ~std::size_t{0};
};

}  // namespace lanescope::emulator
