#pragma once
// The actual assignment of a register array: observations of places, the affine map that fits them, and its words.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/claims/check.h"
#include "kernels/layout/infer.h"

namespace lanescope::claims {

/// Places that hold one element of the plan's buffer, as input of the inference.
struct Seen {
  layout::PhysicalShape shape;
  std::vector<std::string> names;  ///< bit n of an observation's element
  std::vector<int> logical_bits;   ///< packed logical bit after names[n]
  std::vector<layout::Observation> observations;
  std::uint64_t constant = 0;  ///< packed logical bits that never vary, with their value
  bool computed = false;
  std::uint64_t skipped = 0;  ///< places without exactly one element of the buffer
  /// Of these, places that no [junk] bit accounts for: every bit that is 1 there is also 1 where an element is.
  std::uint64_t unaccounted = 0;
  std::vector<std::uint64_t> empty_places;  ///< packed; the first of those skipped
  std::uint64_t junk = 0;                   ///< packed physical bits that are 1 at skipped places only
};

struct SeenOptions {
  const layout::Assignment* stated = nullptr;  ///< its names come first and keep their spelling
  bool blocks = false;                         ///< with a block row
  const PlaceAt* only = nullptr;               ///< rows absent from `stated` fixed at this place
};

Seen observe(std::span<const Snapshot> snapshots, const Geometry& geometry, int buffer, const LogicalBits& logical,
             Reader& reader, const SeenOptions& options);

/// Rows without bits state that there is one place only; an actual assignment leaves them out.
layout::Assignment without_empty_rows(layout::Assignment a);

/// The actual assignment, in the terms of the claim where these are true.
struct Actual {
  std::optional<layout::Assignment> assignment;  ///< rows of the claim only
  std::string words;
  std::string also;  ///< "r1 also changes i4": unnamed bits moved by stated rows
};
Actual actual_against(const layout::Assignment& stated, std::span<const Snapshot> snapshots, const Geometry& geometry,
                      int buffer, const LogicalBits& logical, Reader& reader, const std::optional<PlaceAt>& failed);

/// The same for values of several elements: the bits in which all elements of each place agree.
Actual actual_of_sums(const layout::Assignment& stated, std::span<const Snapshot> snapshots, const Plan& plan,
                      Reader& reader);

/// "register 1, part 0, thread 3, warp 0".
std::string in_words(const PlaceAt& at, const Geometry& geometry);
std::string row_count_words(layout::Place row, int bits);
/// One line about the failing place.
std::string in_words(const Failure& failure, const Plan& plan, const source::Source& source);
/// "element (3,1,0) is in no register", of the elements that the claim expects in this snapshot; empty when all are
/// there.
std::string missing_element(const Snapshot& snapshot, const Plan& plan, Reader& reader);

}  // namespace lanescope::claims
