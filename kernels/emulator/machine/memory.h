#pragma once
// Bytes with identities. Global memory is a set of stores at device addresses; a block's shared memory and a warp's
// local memory are stores of their own. A buffer that was never written needs no tags: word i still is word i.

#include <string>
#include <vector>

#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/lanes/op.h"
#include "kernels/trace/launch.h"
#include "kernels/trace/tags.h"

namespace lanescope::emulator {

struct Store {
  std::string name{};  ///< as messages call it: "buffer `in`", "shared memory"
  u64 base = 0, bytes = 0;
  u8* data = nullptr;
  std::vector<u8> own{};  ///< when data is not someone else's
  bool writable = true;
  bool is_shared = false;   ///< of a block
  bool is_heap = false;     ///< of the device: only allocations can be accessed (heap.h)
  int buffer = -1;          ///< index of the launch buffer
  bool identified = false;  ///< untouched words are source words first_word + i
  u32 first_word = 0;
  std::vector<trace::WordTag> tags{};  ///< one per 4 bytes once something was written; empty before

  trace::WordTag tag(u64 word) const {
    if (!tags.empty()) return tags[word];
    return identified ? trace::TagPool::source_word(first_word + static_cast<u32>(word)) : trace::no_data;
  }
  void set_tag(u64 word, trace::WordTag tag) {
    if (tags.empty()) {
      if (tag == trace::no_data && !identified) return;
      materialise();
    }
    tags[word] = tag;
  }
  void materialise();
};

/// Where `offset` bytes from the start of `bytes` bytes are: "8 bytes beyond the end of buffer `in` (4096 bytes)",
/// "right after the end of ..."; where an access begins inside: "across the end of ...".
std::string after_words(u64 offset, u64 bytes, std::string_view name);

/// Stores in ascending order of address.
class AddressSpace {
 public:
  std::vector<Store> stores;
  /// The store that holds all of [address, address + bytes), or nullptr.
  Store* find(u64 address, u64 bytes);
  /// "8 bytes beyond the end of buffer `in` (4096 bytes)".
  std::string nearest(u64 address) const;

 private:
  std::size_t last_ = 0;
};

}  // namespace lanescope::emulator
