#pragma once
// Which files a call of NVRTC may read, before it is made, and in which state they are.
//
// NVRTC does not show what it has read. So every name in an #include or __has_include counts that stands in the text, in a
// header given with it that such a name means, or in a file found by such a name, under any conditions around it, from
// the includer's folder and from each folder of -I, where there is a file: a file that comes to stand before another, or
// goes, changes the state.
//
//   a file of the user's       by its content
//   a header of the toolkit    by its size, times and number on its device: an installation does not change
//   an include by macro        in the user's text: nothing is known; in the toolkit's headers: one that is found anyway

#include <optional>
#include <string>

#include "kernels/compile/calls/call.h"
#include "kernels/compile/calls/nvrtc_library.h"

namespace lanescope::compile {

/// Equal for equal files under equal names; nothing: what the call reads, or says of the time, cannot be known.
std::optional<std::string> state_of_files(const Call& call, const Nvrtc& library);

}  // namespace lanescope::compile
