#pragma once
// Identities of data, exact to the bit.
//
// Every bit of every traced buffer is a source bit: number = (first_word(buffer) + word) * 32 + bit, counted over all
// buffers of a launch. Each 32-bit register word of each lane has a WordTag with the origin of each of its 32 bits:
//   none      it carries no data (a constant, an index, a mask)
//   source    it equals one source bit, or its complement when `inverted`
//   parity    it is the XOR of several source bits (and of 1 when `inverted`); x ^ y ^ y is x again
//   computed  it depends on a set of elements in some other way (a sum, a product)
// The common words cost nothing: 0 is "no data", and a whole source word in its own order is encoded in the handle, as is
// a word all of whose bits are computed from one set:
//
//   bit 31   30       29..0
//   1        source word
//   0        1        set: computed from it
//   0        0        word of the pool
//
// All other words live once (hash-consed) in a TagPool, which keeps to a budget of memory: see TagPool::keep_at_most.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lanescope::trace {

using WordTag = std::uint32_t;
inline constexpr WordTag no_data = 0;

enum class BitKind : std::uint8_t { none, source, parity, computed };

/// One bit's identity, 64 bits: kind, inverted, payload (source bit number, parity set id or dependency set id).
struct BitTag {
  std::uint64_t raw = 0;
  bool operator==(const BitTag&) const = default;
  static BitTag source(std::uint64_t source_bit, bool inverted = false);
  static BitTag parity(std::uint32_t set, bool inverted = false);
  static BitTag computed(std::uint32_t set);
  BitKind kind() const { return static_cast<BitKind>(raw >> 62); }
  bool inverted() const { return (raw >> 61) & 1; }
  std::uint64_t payload() const { return raw & ((std::uint64_t{1} << 61) - 1); }
};

using WordBits = std::array<BitTag, 32>;

/// Which element of which buffer a group of bits is.
struct ElementTag {
  enum class Kind : std::uint8_t {
    none,      ///< carries no data
    exact,     ///< the bits of one element, in order, unchanged
    computed,  ///< a value computed from one element only (or its bits out of order, or inverted)
    mixed,     ///< depends on several elements; `count` of them
    partial,   ///< some bits of one element; the others carry no data, or were not requested
  };
  Kind kind = Kind::none;
  int buffer = -1;
  std::uint64_t element = 0;  ///< valid for exact, computed, partial
  std::uint32_t count = 0;    ///< distinct elements
  bool operator==(const ElementTag&) const = default;
};

/// How buffers sit in tag space.
struct TagSpace {
  struct Range {
    std::uint32_t first_word = 0, words = 0;
    int element_bits = 32;
    bool traced = true;
  };
  std::vector<Range> buffers;  ///< one per Launch buffer, in order; first words ascending
  /// (buffer, element) of a source bit.
  std::pair<int, std::uint64_t> element_of(std::uint64_t source_bit) const;
};

/// Owns every word tag and every set of one run. Handles stay valid for the pool's life. Not thread-safe.
///
/// A pool on top of another has its words and sets, too, and numbers new ones after them. Several may be on top of one,
/// on a thread each, while that one does not change. It takes what they have added one pool after the other; then it is
/// as if it had been asked for all of it itself, in that order, and each handle above it has another number in it:
///
///   pool 0..9          on top of it: a 10, b 11          on top of it: b 10, c 11
///   pool 0..11         takes the first: 10 is 10, 11 is 11, then the second: 10 is 11, 11 is 12
class TagPool {
 public:
  TagPool();
  struct OnTop {};
  TagPool(const TagPool& below, OnTop);
  ~TagPool();
  TagPool(TagPool&&) noexcept;
  TagPool& operator=(TagPool&&) noexcept;

  static WordTag source_word(std::uint32_t word) { return 0x80000000u | word; }
  static bool is_source_word(WordTag t) { return t >> 31; }
  /// The word all of whose bits depend on `set` in some way.
  static WordTag computed_word(std::uint32_t set) { return 0x40000000u | set; }
  static bool is_computed_word(WordTag t) { return t >> 30 == 1; }

  WordBits bits(WordTag tag) const;
  WordTag intern(const WordBits& bits);

  /// Bits of the word that carry data; the others act by their run-time value.
  std::uint32_t data_mask(WordTag tag) const;

  /// Sorted distinct source bits (parity) or packed elements `buffer << 40 | element` (computed).
  std::uint32_t intern_set(std::span<const std::uint64_t> sorted);
  /// Large unions stay a graph until they are read, so a sum over n elements costs O(n) memory, not O(n^2). Equal
  /// large sets may therefore have different ids; equal small ones never do.
  std::uint32_t set_union(std::uint32_t a, std::uint32_t b);
  std::uint32_t set_symmetric_difference(std::uint32_t a, std::uint32_t b);
  std::span<const std::uint64_t> set(std::uint32_t id) const;
  /// The two sets, not always disjoint, whose union a large set is; nullopt where `set` needs no walk to list it.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> halves(std::uint32_t id) const;
  /// The set "more than this pool can list"; its span is empty, its union with any set is itself.
  static constexpr std::uint32_t too_many = 0;

  /// Elements (as a set id of packed elements) that a word, or one bit, depends on. The tag must carry data.
  std::uint32_t element_set(WordTag tag);
  std::uint32_t element_set(BitTag bit);
  /// Budget of words and sets. A pool that has reached it is full(): the launch follows no further blocks. So
  /// that one block alone cannot take all memory either, from `overrun` times the budget on new words depend on "more
  /// than this pool can list". One vector that doubles may pass either bound.
  void keep_at_most(std::size_t budget_bytes);
  std::size_t budget_bytes() const { return budget_bytes_; }
  static constexpr std::size_t overrun = 4;
  std::size_t bytes() const;
  bool full() const { return bytes() >= budget_bytes_; }
  /// Additions on top of this pool can be taken, and the pool is not full then: it was not at any time.
  bool has_room_for(const TagPool& on_top) const;
  /// Words on top of a pool by their numbers in it, once it has taken them.
  class Renumbered {
   public:
    WordTag operator[](WordTag tag) const {
      if (is_source_word(tag)) return tag;
      if (is_computed_word(tag)) return computed_word(set(tag - computed_word(0)));
      return tag < first_word_ ? tag : words_[tag - first_word_];
    }
    bool any() const { return !words_.empty() || !sets_.empty(); }

   private:
    friend class TagPool;
    std::uint32_t set(std::uint32_t id) const { return id < first_set_ ? id : sets_[id - first_set_]; }
    WordTag first_word_ = 0;
    std::uint32_t first_set_ = 0;
    std::vector<WordTag> words_{};
    std::vector<std::uint32_t> sets_{};
  };
  Renumbered take(const TagPool& on_top);

  TagSpace space;

  /// The element held by bits [first_bit, first_bit + bits) of a word. bits is 1..32.
  ElementTag element(WordTag tag, int first_bit, int count) const;
  /// Every element that any bit of the range depends on, sorted, as (buffer, element).
  std::vector<std::pair<int, std::uint64_t>> sources(WordTag tag, int first_bit, int count) const;

 private:
  struct State;
  WordTag intern_runs(std::span<const std::uint64_t> runs, std::uint32_t data_mask);
  std::unique_ptr<State> state_;
  std::size_t budget_bytes_ = std::size_t{256} << 20;
};

}  // namespace lanescope::trace
