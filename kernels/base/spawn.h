#pragma once
// Starts programs that end with this process, whichever of its threads asked and however this process ends.
//
// The system ends a child (PR_SET_PDEATHSIG) when the *thread* that started it ends, and threads here come and go while a
// child continues. So one thread, which ends with the process only, starts all of them.

#include <sys/types.h>

#include <cstdint>

namespace lanescope {

struct Spawn {
  char* const* words = nullptr;     ///< the first is looked up in PATH unless it holds a slash; the last is nullptr
  int in = -1, out = -1, err = -1;  ///< what becomes its standard streams; it has no other descriptor
  std::uint64_t most_address_bytes = 0;  ///< of its address space; 0: no limit
};

/// Its process id; or -1, and `error` is the system's.
pid_t spawn(const Spawn& what, int& error);

}  // namespace lanescope
