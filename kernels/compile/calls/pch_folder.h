#pragma once
// Where NVRTC may keep precompiled headers. It trusts what it finds there and keeps nothing of use to another process
// (measured with 13.0), while two processes that share a folder read each other's half-written files: so each process
// has a folder of its own under the user's cache, and in it one for each state of the headers. A process that is killed
// leaves its folder (8 MB a kernel) to be removed by the next one.

#include <string>

namespace lanescope::compile {

/// NVRTC does so from 12.8 on, and there is a place.
bool can_precompile();
/// Of this process, for a state of the headers that is a file name; empty: nothing is precompiled.
std::string pch_folder(const std::string& state);
/// When what was precompiled of that state may be of other headers.
void forget_precompiled(const std::string& state);

}  // namespace lanescope::compile
