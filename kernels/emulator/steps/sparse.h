#pragma once
// Products whose matrix A is half zeros: the columns of the stored elements of A. Private to this folder.
//
// Of each chunk of A's row the stored elements are at the places that four bits of metadata say (PTX ISA, "Sparse
// matrix storage"):
//
//   16 and 8 bits   chunks of 4, 2 elements   bits 0..1 and bits 2..3: the place of each
//   tf32            chunks of 2, 1 element    0b0100: the first place, 0b1110: the second
//   4 bits          chunks of 8, 4 elements   as for 8 bits, of pairs of elements
//
// A word of metadata of lane 4 * (row % 8) + t has, with c = the chunk and s = the selector:
//
//   tf32, 16 bits   rows row % 8 (lower half) and row % 8 + 8, four chunks of each
//                   t = s, or, where a row has eight chunks, 2 * s + c / 4
//   8 and 4 bits    eight chunks of one row
//                   t = 2 * s + row / 8, or, where a row has sixteen chunks, 2 * (c / 8) + row / 8

#include <array>

#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

/// For each of 16 rows and each stored element of A: the depth (k) that it has.
struct SparsePlaces {
  static constexpr std::size_t most_stored = 64;
  std::array<std::array<u8, most_stored>, 16> depth;  // not set where A is not sparse
};

/// False after a fault: metadata whose meaning the PTX ISA leaves open. `bits`: of an element, 32 for tf32.
/// `depth`: of the product.
bool read_sparse_places(Context& c, const SparseOp& s, u32 bits, u32 depth, SparsePlaces& out);

/// Identities of the metadata of each of 16 rows.
std::array<trace::WordTag, 16> sparse_tags(TagContext& t, const SparseOp& s, u32 bits, u32 depth);

}  // namespace lanescope::emulator
