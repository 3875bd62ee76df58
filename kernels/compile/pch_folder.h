#pragma once
// Where NVRTC may keep precompiled headers. It trusts what it finds there and keeps nothing of use to another process
// (measured with 13.0), while two processes that share a folder read each other's half-written files: so each process
// has a folder of its own under the user's cache, and in it one for each state of the user's own headers. A process that
// is killed leaves its folder (8 MB a kernel) to be removed by the next one.

#include <string>

#include "kernels/compile/local_headers.h"

namespace lanescope::compile {

/// `name`: of the folder in the cache, for instance "pch-13.0". Empty: there is no place, or it is not known what the
/// headers are.
std::string pch_folder(const std::string& name, const LocalHeaders& headers);
/// When what was precompiled there may be of other headers.
void remove_pch_folder(const std::string& folder);

}  // namespace lanescope::compile
