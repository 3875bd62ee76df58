#pragma once
// One instance of a register array (a block, an iteration) against the stated assignment.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/claims/relation.h"
#include "kernels/claims/sums.h"

namespace lanescope::claims {

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
