#pragma once
// A mistake of the host code that no kernel shows: a call that the CUDA runtime refuses, or memory used where it does not
// exist. Errors of the runtime as an H200 returns them (driver 580, CUDA 13.0).

#include <cstdint>
#include <string>

namespace lanescope::source {

struct HostError {
  enum class Code : std::uint8_t {
    call_fails,     ///< the runtime returns an error, and does nothing
    freed_memory,   ///< memory is used after it was freed
    out_of_bounds,  ///< a copy reads or writes beyond an array of the host
    wrong_side,     ///< the host accesses memory of the device
    unordered,      ///< the host accesses what an asynchronous copy may still use
    pageable,       ///< a kernel gets memory of the host that only some systems let it access
  };
  Code code = Code::call_fails;
  int line = 0;         ///< 0: in another file, which the message names
  std::string message;  ///< a sentence without its full stop
  std::string remedy;

  bool operator==(const HostError&) const = default;
};

}  // namespace lanescope::source
