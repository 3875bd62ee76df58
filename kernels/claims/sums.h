#pragma once
// Values that depend on many elements: sums, accumulators of matrix products, outputs of an FFT. A claim does not
// depend on the single elements, only on the bits of coordinates in which all of them agree. An accumulator of
//
//   c[i,j] = sum over k of a[i,k] * b[k,j]
//
// has a[i,0], a[i,1], ... and b[0,j], b[1,j], ... after it. All elements of a agree in i, all of b agree in j, nothing
// agrees in k, so that a claim in i and j can be judged, and one in k cannot.
//
// Sets of elements are never listed. The AND and the OR over the coordinates of a union follow from those of its
// halves, once for each set of the pool: what is contracted is dropped before anything grows.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/claims/elements.h"
#include "kernels/layout/assignment.h"

namespace lanescope::claims {

/// Common bits of all elements of sets. Caches its results.
class Commons {
 public:
  /// Coordinates of the elements of one buffer, packed as in LogicalBits.
  struct OfBuffer {
    std::uint64_t in_all = ~std::uint64_t{0}, in_any = 0;
    bool some = false;  ///< there are any
    bool hole = false;  ///< some of them have no coordinates
  };
  /// By buffer; empty if nothing is known.
  using Bits = std::vector<OfBuffer>;

  /// `logical` gives the axes of a buffer, nullptr where it has none. All must outlive this.
  Commons(const trace::TagPool& pool, std::function<const LogicalBits*(int)> logical);
  /// Of `bits` bits from bit `first_bit` of `words` on.
  Bits at(std::span<const trace::WordTag> words, int first_bit, int bits);

 private:
  const OfBuffer* of_set(std::uint32_t set);
  void add_element(OfBuffer* out, int buffer, std::uint64_t element) const;
  void add_packed(OfBuffer* out, std::uint64_t packed) const;
  OfBuffer* entry(std::size_t index) { return found_.data() + index * buffers_; }

  const trace::TagPool* pool_;
  std::function<const LogicalBits*(int)> logical_;
  std::size_t buffers_ = 0;
  std::vector<OfBuffer> found_;  ///< [set in order of discovery][buffer]
  std::unordered_map<std::uint32_t, std::size_t> index_;
};

/// The rows of a claim, for values of many elements.
class Sums {
 public:
  /// `buffers`: axes by buffer, nullptr where there are none.
  Sums(const layout::Assignment& stated, std::span<const LogicalBits* const> buffers);
  /// Every name is an axis of some buffer.
  bool all_known() const { return all_known_; }
  const std::vector<std::string>& names() const { return names_; }
  /// The bit `names()[n]` of all elements; nullopt where they do not agree, or none has such an axis.
  std::optional<bool> value(std::size_t n, const Commons::Bits& bits) const;

  enum class Answer : std::uint8_t { agrees, elsewhere, open };
  struct At {
    Answer answer = Answer::open;
    int name = -1;    ///< elsewhere, open: the first name that is to blame
    bool is = false;  ///< elsewhere: the bit that the elements have
  };
  /// `place`: packed physical bits of the stated rows.
  At check(std::uint64_t place, const Commons::Bits& bits) const;

 private:
  struct Bit {
    std::size_t buffer = 0;
    int bit = 0;  ///< -1: the axis is so short that the bit is always 0
  };
  struct Row {
    std::uint64_t place = 0;
    std::vector<std::size_t> names;
    bool constant = false;
  };
  std::vector<std::string> names_;
  std::vector<std::vector<Bit>> bits_;  ///< by name
  std::vector<Row> rows_;
  bool all_known_ = true;
};

}  // namespace lanescope::claims
