#pragma once
// Axes of a buffer whose element numbering is not stated. The elements that a claim gives to two places that
// differ in one bit show how many elements lie between the places; from that follow steps for each axis of
// the claim, and the claim is then judged as if the launch header had given these axes. Two bits that are
// exchanged in a claim give no such steps, or others for the next place.
//
// Steps alone do not distinguish rows from columns: only names such as row and col do.

#include <optional>
#include <string>
#include <string_view>

#include "kernels/claims/check.h"

namespace lanescope::claims {

struct FittedAxes {
  std::optional<source::BufferSpec> spec;  ///< with the claim's axes; nullopt: no constant steps
  std::string words;                       ///< "row steps 64 elements and col 1 of a"
  std::string problem;                     ///< non-empty: why these steps do not settle it
};
FittedAxes fit_axes(const layout::Assignment& stated, const Snapshot& snapshot, const Geometry& geometry,
                    const source::BufferSpec& spec, int buffer, Reader& reader);

/// The order that a claim defines bit by bit, if nothing else gives one: a name is the bit of
/// the element's number that changes with the physical bit beside it. Any exchange of two bits defines another order,
/// so that a claim cannot be refuted by it, and another one of the same function can.
struct DefinedOrder {
  enum class Kind : std::uint8_t {
    defined,
    open,     ///< the steps are no single bits, or a name occurs in sums only
    refuted,  ///< no order makes it true: one bit changes now this and now that, or nothing, or two names the same bit
  };
  Kind kind = Kind::open;
  LogicalBits::NamedBits bits{};
};
DefinedOrder defined_order(const layout::Assignment& stated, const Snapshot& snapshot, const Geometry& geometry,
                           int buffer, Reader& reader);
/// "i:8 k:4" where the bits of each axis are in their order, side by side; empty where no axes give this order.
std::string order_as_axes(const LogicalBits::NamedBits& bits);
/// "k0 is bit 0 of the element's number, i2 bit 1".
std::string order_words(const LogicalBits::NamedBits& bits);

/// Names of the slower and of the faster axis of a matrix.
bool is_row_name(std::string_view axis);
bool is_column_name(std::string_view axis);
/// Of two axes of a matrix product, m by k times k by n: whether the first is that of the rows. nullopt: they are
/// others.
std::optional<bool> first_is_row(std::string_view first, std::string_view second);

}  // namespace lanescope::claims
