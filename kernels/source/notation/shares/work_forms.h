#pragma once
// Shares of work in other words than "each thread computes ...":
//
//   const int BM,  // height of block of C that each thread block calculates        @tparam WM M dim of tile computed by each warp
//   load 4 elements per thread        one warp one row        warp tile: m32n64k8        two rows per block
//
// A height or a width alone is a box whose other extent may be anything.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/source/notation/shares/work_words.h"

namespace lanescope::source {

struct WorkStatement {
  SubarrayClaim::Owner owner = SubarrayClaim::Owner::thread;
  WorkShare share;
  std::size_t first = 0, tail = 0;  ///< pieces: where it begins, and what comes behind it
  std::size_t array = 0;            ///< the piece that names an array before `tail`; 0: none does
  std::string problem;              ///< a name without a value
};

/// `parameter`: what is declared before the comment on its line, or the name that a @tparam or @param explains; may be empty.
/// `values` is called where a form was found.
std::optional<WorkStatement> other_work_statement(const std::vector<Piece>& words, std::string_view parameter,
                                                  const std::function<const Values&()>& values);

}  // namespace lanescope::source
