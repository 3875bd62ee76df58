#pragma once
// Machine code of the processor for operations that follow each other: a stretch.
//
// The interpreter (machine/machine.cpp) loads and stores the rows of every operation, and looks at guards, groups and
// limits before each. In a stretch all that is constant: the group is the whole warp, no operation can wait, and the
// budget suffices for all of it. So the rows stay in vector registers from one operation to the next, and in a loop that
// is one stretch from one round to the next.
//
//   loop: fma.rn.f32 %f0, %f0, %f4, %f5;       vfmadd213ps zmm0, zmm2, zmm4    (lanes 0..15)
//         ...                                  vfmadd213ps zmm1, zmm3, zmm5    (lanes 16..31)
//         add.s32 %r1, %r1, 1;                 ...
//         setp.lt.u32 %p1, %r1, 20000;         the loop ends where the budget ends, or lanes differ at the branch
//         @%p1 bra loop;
//
// A stretch is what follows from any operation on: operations on registers, loads and stores, and one branch at its end.
// A load or store of consecutive words of one buffer is a copy of a row, and loads from other places in it are gathers.
// Other accesses, and operations without machine code of their own (operations.cpp), are called. All else is left to the
// interpreter: barriers, operations across lanes, atomics, calls, warps that are not whole. With identities nothing is
// translated. With observers each access and branch is reported by a call, and rows are stored before it.
//
// NaN results of f32 are canonical (lanes/lane_math.h), but sums and products do not depend on which NaN an operand is.
// So a row may be `loose` in its register: its NaNs become canonical before something else reads it, or it is stored.

#include <memory>

#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

/// For one machine, whose program, view and presence of observers are set. nullptr: the machine follows identities, this
/// processor lacks AVX2 and FMA, or LANESCOPE_TRANSLATE=off. LANESCOPE_TRANSLATE=avx2: the code has no AVX-512.
std::unique_ptr<Translation> make_translation(const Running& machine);

}  // namespace lanescope::emulator
