#pragma once
// The origin of a value of the recorded block: the values that were combined, with lane and step, down to elements of
// buffers. It is read backwards from the recorded steps: the instruction that wrote a register, the lane that a shuffle
// read, the store that a load read from. Operations that only move or convert a value are part of an edge, so that the
// nodes are elements and combinations of several values.
//
//   a[0]   a[16]   a[8]   a[24]         elements                           level 0
//      +              +                 lanes 0 and 8, at a step each      level 1
//             +                         lane 0                             level 2

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/element_set.h"

namespace lanescope::results {

struct ValueTree {
  enum class Kind : std::uint8_t {
    element,   ///< one element of a buffer, as it was loaded
    set,       ///< a value that depends on several elements and that is not followed further
    combined,  ///< several values became one
    folded,    ///< like `combined`; its operands are left out of this answer
  };
  /// The path of a value from its lane to the lane that uses it.
  enum class Way : std::uint8_t { direct, shuffle, shared, global };
  struct Edge {
    std::int32_t from = -1;  ///< a node; its number is smaller
    Way way = Way::direct;
    bool changed = false;    ///< changed on the way by operands without data: scaled, converted, negated
    std::int64_t step = -1;  ///< of the shuffle or of the load
    bool operator==(const Edge&) const = default;
  };
  struct Node {
    Kind kind = Kind::element;
    std::string op{};  ///< "+", "max", ...; empty: no combination
    std::int32_t warp = 0, lane = 0;
    std::int64_t step = -1;  ///< of the instruction: of a load for an element
    std::int32_t line = 0;   ///< 0: not known
    std::int32_t level = 0;  ///< 0 where nothing was combined; else one more than the deepest operand's
    ElementSet elements{};
    std::vector<Edge> operands{};          ///< of a combination, as the instruction names them
    std::string variable{};                ///< that holds the value next; empty: none that the source names
    std::optional<std::uint32_t> value{};  ///< of that variable, 32 bits
  };
  std::vector<Node> nodes{};      ///< operands before their results
  std::vector<Edge> roots{};      ///< one for each requested value; from < 0: it carries no data
  std::vector<int> root_lanes{};  ///< of each root
  std::string subject{};          ///< "v in lane 0 of warp 0", "out[3]"
  std::int64_t step = -1;         ///< at which the roots are
  int line = 0;
  ElementSet depends{};            ///< dependency set of the roots, which identities show
  std::uint64_t not_followed = 0;  ///< elements of it that no node shows
  std::string refused{};           ///< why there is no tree; empty: there is one
  int most_level = 0;
};

/// Meaning of a root, as a sentence: "the sum of 32 elements: a[0..31]". It is called a sum, maximum or the like only
/// if every combination under it is one and each element is in it once and unchanged.
std::string meaning_of(const Summary& summary, const ValueTree& tree);

}  // namespace lanescope::results
