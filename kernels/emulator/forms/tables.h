#pragma once
// The pieces of the table, by subject. Private to this folder.

#include <span>

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator {

std::span<const Form> integer_forms();
std::span<const Form> float_forms();
std::span<const Form> conversion_forms();
std::span<const Form> move_forms();
std::span<const Form> video_forms();
std::span<const Form> memory_forms();
std::span<const Form> warp_forms();
std::span<const Form> barrier_forms();
std::span<const Form> control_forms();
std::span<const Form> matrix_forms();
std::span<const Form> warpgroup_forms();
std::span<const Form> refused_forms();

}  // namespace lanescope::emulator
