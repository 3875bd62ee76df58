#pragma once
// The operations of filling loops by their types.

#include "kernels/source/host/fill_loop.h"
#include "kernels/source/host/number_rules.h"

namespace lanescope::source::host {

/// Each does its operation for `lanes` iterations at once; an instruction's registers are the places of their first lanes.
struct FillLoop::Code {
  using Word = FillLoop::Word;
  using Instruction = FillLoop::Instruction;
  using Run = int (*)(Word*, const Instruction&, FillLoop&, int lanes);

  static Run operation(Op op, const Type* in);  ///< of two numbers of type `in`; a shift's second is any integer
  static Run conversion(const Type* from, const Type* to);
  static Run loading(const Type* element);
  static int negate(Word* r, const Instruction& w, FillLoop& loop, int lanes);  ///< of a float
  static int move(Word* r, const Instruction& w, FillLoop& loop, int lanes);
  static int skip(Word* r, const Instruction& w, FillLoop& loop, int lanes);
  static int skip_unless(Word* r, const Instruction& w, FillLoop& loop, int lanes);  ///< `a` is a truth value
  static int draw(Word* r, const Instruction& w, FillLoop& loop, int lanes);         ///< rand()
};

}  // namespace lanescope::source::host
