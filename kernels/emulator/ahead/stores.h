#pragma once
// Stores of the units of a wave: whether a unit has read what an earlier one stores, and putting them into memory.

#include <vector>

#include "kernels/emulator/machine/global_view.h"
#include "kernels/emulator/machine/program.h"

namespace lanescope::emulator {

class WaveStores {
 public:
  explicit WaveStores(const AddressSpace& memory);
  /// Whether one of these pages was read where an earlier unit of the wave has stored something.
  bool read_before(const GlobalView::Pages& pages) const;
  /// Puts into memory what was stored, does the operations that were deferred, and remembers where. How many of the operations
  /// in the log have changed memory. `results`: what each of these has left there.
  u64 put(const GlobalView::Pages& pages, const GlobalView::Log& log, const Program& program, AddressSpace& memory,
          std::vector<u64>& results);
  /// The next wave begins.
  void clear();

 private:
  struct Page {
    u32 store = 0, number = 0;
    GlobalView::Words written{};
  };
  std::vector<std::vector<u32>> tables_;  ///< by store and page: number in pages_ + 1; 0: nothing was stored there
  std::vector<Page> pages_;
};

}  // namespace lanescope::emulator
