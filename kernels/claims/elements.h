#pragma once
// From identities of bits to elements of an array: which element fills a range of bits, and the coordinates of it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/source.h"
#include "kernels/trace/tags.h"

namespace lanescope::claims {

struct Held {
  enum class Kind : std::uint8_t {
    nothing,   ///< no data
    exact,     ///< the bits of one element, in order, unchanged
    computed,  ///< a value computed from one element only
    torn,      ///< unchanged bits, but of several elements, or not all bits of one
    mixed,     ///< computed from several elements
  };
  Kind kind = Kind::nothing;
  int buffer = -1;            ///< of `element`; torn and mixed: of the first one
  std::uint64_t element = 0;  ///< torn and mixed: the first of several
  std::uint32_t count = 0;    ///< distinct elements; of a mixed value of many an upper bound
  bool one_element() const { return kind == Kind::exact || kind == Kind::computed; }
};

/// Reads places of words. Keeps the buffer found last, because neighbours come from the same one.
class Reader {
 public:
  explicit Reader(const trace::TagPool& pool) : pool_(&pool) {}
  /// `bits` bits from bit `first_bit` of `words` on (64-bit elements span two words).
  Held read(std::span<const trace::WordTag> words, int first_bit, int bits);
  /// The buffer that the word's data come from; -1 when it has none.
  int buffer_of(trace::WordTag word);

 private:
  bool in_last(std::uint32_t word) const { return word - first_word_ < words_; }
  void find(std::uint32_t word);
  /// Of one word: an element whose bits are there in order.
  std::optional<Held> unmoved(trace::WordTag word, int first_bit, int bits);
  Held read_slowly(std::span<const trace::WordTag> words, int first_bit, int bits);

  const trace::TagPool* pool_;
  int buffer_ = -1;
  std::uint32_t first_word_ = 0, words_ = 0;
  int element_bits_ = 32;
  trace::WordTag known_ = trace::no_data;  ///< the word of known_bits_
  trace::WordBits known_bits_{};
};

/// The coordinates of an element packed into one word: the bits of the last axis lowest, then the axis before it, ...
class LogicalBits {
 public:
  explicit LogicalBits(const source::BufferSpec& buffer);
  /// A name and its bit of the element's number; the number's other bits are unnamed.
  using NamedBits = std::vector<std::pair<std::string, int>>;
  LogicalBits(const source::BufferSpec& buffer, const NamedBits& bits);
  int total() const { return total_; }
  /// nullopt for an element in a hole.
  std::optional<std::uint64_t> pack(std::uint64_t element) const {
    if (!single_.empty()) return pack_bits(element);
    if (dense_) return element < elements_ ? std::optional(element) : std::nullopt;
    return pack_strided(element);
  }
  /// Packed bit of a name such as "i3"; -1: no such axis; total(): the axis exists, its extent needs no such bit.
  int bit_of(std::string_view name) const;
  std::string name_of(int bit) const;
  /// "(3,1,0)", axes slowest first.
  std::string in_words(std::uint64_t packed) const;
  std::string axes_in_words() const;  ///< "i, j, k"
  /// Some axis has an extent that is no power of two: not every packed word is an element.
  bool ragged() const { return ragged_; }
  /// Whether `name` is a bit of such an axis.
  bool ragged(std::string_view name) const;
  /// Whether no coordinate is beyond its axis.
  bool inside(std::uint64_t packed) const;

 private:
  struct Axis {
    std::string name;
    std::uint64_t extent = 0, stride = 0;
    int offset = 0, bits = 0;
  };
  std::optional<std::uint64_t> pack_strided(std::uint64_t element) const;
  std::optional<std::uint64_t> pack_bits(std::uint64_t element) const;
  const Axis* axis_of(std::string_view name, int& bit) const;
  std::vector<Axis> axes_;  ///< as in the buffer, slowest first
  std::vector<std::size_t> by_stride_;
  NamedBits single_;  ///< by packed bit, in place of axes
  const source::BufferSpec* buffer_;
  std::uint64_t elements_ = 0;
  int total_ = 0;
  bool dense_ = false;  ///< contiguous powers of two: the packed word is the element number
  bool ragged_ = false;
  bool nested_ = true;  ///< strides that one division after the other undoes
};

// Which variables together are one register array: x0 .. x3, or an array, a vector or a scalar by itself.

struct Family {
  std::string name;            ///< "x" for x0 .. x3; else the variable's own name
  std::vector<int> variables;  ///< ids in register order
  std::string function;
};

/// In the order of their first variable. Numbered variables make a family when they are 2^n, counted from 0, in the
/// same function; a repeated name (another scope) starts a new one.
std::vector<Family> families(const source::Source& source);

}  // namespace lanescope::claims
