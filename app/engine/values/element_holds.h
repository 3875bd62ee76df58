#pragma once
// Which of a few elements a word holds, by its identity. Asked of every word of a trace, so that the common answer, none,
// costs a comparison, and any other is worked out once.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "app/engine/values/origins.h"
#include "kernels/trace/tags.h"

namespace lanescope::engine {

/// A word holds an element, or a value that depends on it.
struct Hold {
  int pin = 0;                   ///< which of the elements
  int first_bit = 0, bits = 32;  ///< where in the word
  bool exact = true, partial = false;
  std::uint32_t count = 1;  ///< elements that the value depends on
};

class ElementHolds {
 public:
  /// Of elements with more than 32 bits the first word stands for all. At most 64 elements.
  ElementHolds(const trace::TagPool& tags, const std::vector<Element>& elements);
  /// The buffers of these elements have identities.
  bool followed(int pin) const { return pins_[static_cast<std::size_t>(pin)].traced; }
  int bits(int pin) const { return pins_[static_cast<std::size_t>(pin)].bits; }

  const std::vector<Hold>& of(trace::WordTag tag) {
    if (tag == trace::no_data) return none_;
    if (trace::TagPool::is_source_word(tag) && !is_pinned_word(tag & 0x7fffffffu)) return none_;
    return known(tag);
  }

 private:
  struct Pin {
    Element element;
    int bits = 32;
    bool traced = false;
    std::uint64_t first_bit = 0;  ///< of its source bits; at most 32 of them count
  };
  bool is_pinned_word(std::uint32_t word) const {
    for (const std::uint32_t w : words_)
      if (w == word) return true;
    return false;
  }
  const std::vector<Hold>& known(trace::WordTag tag);
  std::uint64_t pins_of_bit(trace::BitTag bit);
  std::uint64_t pins_of_set(std::uint32_t set);
  std::uint64_t pins_of_source_bit(std::uint64_t bit) const;

  const trace::TagPool& tags_;
  std::vector<Pin> pins_;
  std::vector<std::uint32_t> words_;  ///< source words that have a bit of one
  std::vector<Hold> none_;
  std::unordered_map<trace::WordTag, std::vector<Hold>> known_;
  std::unordered_map<std::uint32_t, std::uint64_t> sets_;  ///< dependency sets: which pins are in them, by bit
  std::unordered_map<std::uint32_t, std::uint64_t> parities_;
};

}  // namespace lanescope::engine
