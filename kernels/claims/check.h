#pragma once
// One instance of a register array (a block, an iteration) against the stated assignment.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/claims/elements.h"
#include "kernels/claims/store.h"
#include "kernels/layout/affine_map.h"
#include "kernels/layout/assignment.h"

namespace lanescope::claims {

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

// A stated assignment made ready for checking millions of places: where the units of a register array lie in its words,
// and which physical bits an element must have.

/// How a register array is cut into places. A unit is the register of one value of r: 32 bits, except that elements of
/// 64 bits take 64, that a lone `half` or `char` is a unit of its own size, and that a stated simd row may widen it
/// (float2 with simd s0). Grain is the width of a place; where no simd row is stated it is the element's.
struct Geometry {
  struct Unit {
    int word = 0;  ///< first word, numbered over all registers in order
    int first_bit = 0;
    int variable = 0;  ///< index in the claim's registers
  };
  int unit_bits = 32, grain_bits = 32;
  std::vector<Unit> units;  ///< r = 0, 1, ...
  int parts() const { return unit_bits / grain_bits; }
  int simd_bits() const;
  int register_bits() const;  ///< enough for all units
  int words_per_unit() const { return unit_bits > 32 ? unit_bits / 32 : 1; }
};

/// `simd_bits`: of the stated row; nullopt where there is none.
Geometry geometry_of(const std::vector<int>& registers, const source::Source& source, std::span<const int> value_bytes,
                     int element_bits, std::optional<int> simd_bits);

/// Bits of one scalar of a C++ type as written: 16 for half, 8 for uchar, 32 for everything that fills registers.
int scalar_bits(std::string_view type);

/// The relation between places and elements of one buffer by a stated assignment.
class Relation {
 public:
  /// `problem()` is non-empty where a stated name is no axis of the buffer.
  Relation(const layout::Assignment& stated, const LogicalBits& logical);
  const std::string& problem() const { return problem_; }

  bool has(layout::Place p) const { return present_[static_cast<std::size_t>(p)]; }
  const layout::PhysicalShape& shape() const { return shape_; }
  std::uint64_t sums() const { return sums_; }  ///< packed physical bits that are sums
  std::uint64_t junk() const { return junk_; }  ///< places with one of these bits hold nothing
  std::uint64_t unused() const { return unused_; }
  std::uint64_t unsaid() const { return unsaid_; }  ///< nothing is claimed about these bits of rows that are present
  /// Logical bits that no row names (tiles, other axes): for fixed places of the absent rows they must not vary.
  std::uint64_t residual() const { return residual_; }
  /// True where the sums settle every named bit. Otherwise [unused] says more than the sums do.
  bool settled() const { return open_ == 0; }
  std::uint64_t named() const { return named_; }
  /// Whether the rows give no element to a place, because its coordinates are beyond an axis of 24, say. The contents
  /// of such a place do not matter.
  bool outside(std::uint64_t place) const;
  /// The sums that an element has.
  std::uint64_t place_of(std::uint64_t logical) const {
    std::uint64_t place = constant_;
    for (std::size_t b = 0; b < tables_.size(); ++b, logical >>= 8) place ^= tables_[b][logical & 255];
    return place;
  }
  /// The element at a place, its unnamed bits being `residual`; nullopt if the sums do not determine it.
  std::optional<std::uint64_t> element_at(std::uint64_t place, std::uint64_t residual) const;

 private:
  std::array<bool, layout::place_count> present_{};
  layout::PhysicalShape shape_;
  std::uint64_t sums_ = 0, junk_ = 0, unused_ = 0, unsaid_ = 0, constant_ = 0, residual_ = 0, named_ = 0, open_ = 0;
  const LogicalBits* ragged_ = nullptr;  ///< the axes, where places can be outside of them
  std::uint64_t beyond_ = 0;             ///< physical bits of a bit that such an axis is too short for
  std::vector<std::array<std::uint64_t, 256>> tables_;
  struct Solved {
    std::uint64_t pivot = 0;   ///< logical bit
    std::uint64_t others = 0;  ///< bits that no sum settles and that it also depends on
    std::uint64_t places = 0;  ///< physical bits whose XOR (with `constant_`'s) it is
  };
  std::vector<Solved> solved_;
  std::vector<std::uint64_t> dependent_;  ///< physical bits whose sums cancel: their XOR must be that of `constant_`
  std::string problem_;
};

/// The words of a register array in all warps of a block at one moment.
struct Snapshot {
  struct Warp {
    std::uint32_t warp = 0;
    std::vector<LaneTags> tags;        ///< per word
    std::vector<std::uint32_t> masks;  ///< per word: lanes that have a value
    std::vector<WordRecord> records;   ///< per word; step, pc and writer only
  };
  std::uint32_t block = 0, iteration = 0;
  std::vector<Warp> warps;  ///< ascending
};
Snapshot snapshot_of(const Group& group, int words);

struct PlaceAt {
  std::uint32_t block = 0, warp = 0;
  int reg = 0, lane = 0, part = 0;
};

/// Why a place is not as stated.
struct Failure {
  enum class What : std::uint8_t {
    elsewhere,  ///< the element belongs to another place
    sum,        ///< all elements of the value belong to another place
    varies,     ///< logical bits that no row names differ from those of the other places
    nothing,    ///< no data
    torn,       ///< parts of elements
    hole,       ///< an element between the rows of the array
    beyond,     ///< a place that the row has no bit for
    buffers,    ///< an element of another buffer than the other places
    missing,    ///< the row names bits that the hardware or the variable does not have
  };
  What what = What::elsewhere;
  PlaceAt at;
  Held held;
  std::uint32_t iteration = 0;
  std::uint64_t logical = 0;                ///< packed coordinates, where the element has some
  layout::Place row = layout::Place::simd;  ///< beyond, missing: which
  std::string name;                         ///< sum, and mixed values: the coordinate bit that is to blame
  bool name_is = false;                     ///< sum: its value
  std::uint64_t wrong_registers = 0;        ///< claim registers with wrong places in this warp (bit 63: all from 63 on)
};

/// Sums of the checks of one claim.
struct Tally {
  std::uint64_t instances = 0, places = 0, inactive_places = 0, with_data = 0;
  std::uint64_t outside_places = 0;
  std::uint64_t sums = 0;  ///< places of values of several elements that are as stated
  bool computed = false;
  std::optional<Failure> failure;  ///< of the lowest (block, iteration), first warp
  std::optional<Failure> nothing;  ///< the same, for places without data
  std::optional<Failure> mixed;    ///< a value computed from several elements
};

/// Bits that must not vary: one set of unnamed bits per class of places that share the coordinates of absent rows.
struct Classes {
  struct Class {
    std::uint64_t residual = 0;
    int buffer = -1;
    bool set = false;
  };
  std::vector<Class> classes;
  std::unordered_map<std::uint64_t, std::uint64_t> copies;  ///< place without its unused bits -> element; rarely needed
};

/// A claim made ready for the elements of one buffer.
struct Plan {
  int buffer = -1;
  Geometry geometry;
  const LogicalBits* logical = nullptr;
  Relation relation;
  const Sums* sums = nullptr;
  Commons* commons = nullptr;
  /// The names are axes of several buffers: only values of several elements can agree with all of them.
  bool joint = false;
};

/// Checks all places of a snapshot and adds to `tally`. `classes` is fresh for each instance, unless blocks are stated.
void check(const Snapshot& snapshot, const Plan& plan, Reader& reader, Classes& classes, Tally& tally);

/// The first buffer that has data in the snapshot; -1 when there is none.
int first_buffer(const Snapshot& snapshot, Reader& reader);

}  // namespace lanescope::claims
