#pragma once
// Operations that follow each other, executed at once as machine code (kernels/emulator/translate). Values, counts and
// reports of a warp are the same as one operation after the other; the machine asks before each operation.

#include <vector>

#include "kernels/emulator/lanes/op.h"

namespace lanescope::emulator {

class Translation {
 public:
  struct Ran {
    u32 instructions = 0;
    Flow flow = Flow::next;
  };
  Translation(std::size_t operations, bool observed) : observed_(observed), places_(operations) {}
  virtual ~Translation() = default;
  /// Whether run() can continue at `pc` with this budget of warp instructions. Code that is hot is translated here.
  bool has(u32 pc, u32 budget) {
    Place& p = places_[pc];
    if (p.instructions == 0) {
      if (!p.begins || ++p.visits != visits_of_hot_code) return false;
      p.instructions = translate(pc);
    }
    return p.instructions != 0 && p.instructions <= budget;
  }
  /// Executes at most so many instructions of the group, which is its whole warp and expects no join, where has() is
  /// true. Its program counter is set; of a fault it is that of the instruction.
  virtual Ran run(Context& c, u32 budget) = 0;
  /// So many operations from `pc` on concern their warp alone: they change registers, or are the branch after those.
  u32 apart(u32 pc) const { return places_[pc].apart; }
  /// The code is for machines with observers, or without.
  bool observed() const { return observed_; }

 protected:
  /// Code may begin at `pc`.
  void may_begin(std::size_t pc) {
    if (pc < places_.size()) places_[pc].begins = true;
  }
  void set_apart(std::size_t pc, u32 operations) { places_[pc].apart = operations; }
  /// The number of instructions of the code that begins at `pc`; 0: none.
  virtual u32 translate(u32 pc) = 0;

 private:
  static constexpr u32 visits_of_hot_code = 16;
  struct Place {
    u32 visits = 0, instructions = 0;
    u32 apart = 0;
    bool begins = false;
  };
  bool observed_ = false;
  std::vector<Place> places_;  ///< by operation
};

}  // namespace lanescope::emulator
