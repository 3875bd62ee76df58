#pragma once
// Multiplications and additions that ptxas makes into one fma. The PTX ISA lets it contract `mul` and `add` or `sub` that
// name no rounding; results then differ in the last bit:
//
//   mul.f32 %f3, %f1, %f2;
//   add.f32 %f5, %f3, %f4;    // FFMA: rounded once. add.rn.f32 would be FADD.
//
// By machine code of sm_90 (CUDA 13.0; docs/divergence.md has what was measured):
// - A product (f32, f64, f16, bf16 and pairs; no .sat, no predicate) is contracted with all that reads it or with nothing:
//   each reader must be an addition or subtraction of the same type and .ftz in the same block, not of the product with
//   itself. `mov` and `neg` between are looked through.
// - If one factor is a constant or a parameter of the kernel, readers may be in other blocks.
// - Of a sum of two products, the one that nothing else reads is contracted; else the one with fewer readers, else the
//   first; the other one is rounded, and from then on nothing contracts it.

#include <vector>

#include "kernels/ptx/program.h"

namespace lanescope::ptx {

struct Contraction {
  int product = -1;      ///< of an addition or subtraction: the instruction whose factors it multiplies; -1: of others
  int operand = 1;       ///< which source is the product, 1 or 2
  bool negated = false;  ///< by a `neg` between
  bool copies = false;   ///< of a product: its factors can change before they are used
};

/// By instruction; empty: there are none.
std::vector<Contraction> contractions(const Entry& entry);

}  // namespace lanescope::ptx
