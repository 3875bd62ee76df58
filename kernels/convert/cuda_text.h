#pragma once
// A conversion as CUDA C++.

#include <span>
#include <string>
#include <string_view>

#include "kernels/convert/planner.h"
#include "kernels/convert/struct_plan.h"
#include "kernels/convert/word_program.h"

namespace lanescope::convert {

/// One plan of a conversion, to be written as text.
struct Conversion {
  const Planned& planned;
  const Plan& plan;
};

struct CodeNames {
  std::string function = "convert";
  std::string name_space;  ///< "" or "a::b"
};

/// "3 shuffles, 16 selects"; "moves nothing" where there is nothing to execute.
std::string counts_in_words(const Counts& counts);

/// `template <class Word> __device__ __forceinline__ void NAME(const Word (&from)[A], Word (&to)[B])` with a comment on
/// what it does and the assignment after each step. `Word` has 4 bytes (8 or 16 for elements of 64 or 128 bits). Through
/// shared memory it takes a `void* shared`, too.
std::string device_function(const Conversion& conversion, const CodeNames& names);

/// `template <class Word> __device__ __forceinline__ void NAME(const Word (&from)[W], Word (&to)[W])`, `Word` of 4 bytes.
std::string struct_function(const StructPlan& plan, const CodeNames& names);

/// A header around device functions: it includes nothing and needs nothing.
std::string header_file(const std::string& functions, const std::string& name_space);

/// "8 shuffles, 32 selects"; for shared memory its accesses, wavefronts, bytes and barrier.
std::string cost_in_words(const Plan& plan);

// Linear maps over F2 as C expressions.

/// The sum of the columns that the bits of `name` choose, as shifts of masked bits.
std::string linear_text(std::string_view name, std::span<const std::uint64_t> columns);

/// An expression of `lane` with the table's values.
std::string table_text(const LaneTable& table);

}  // namespace lanescope::convert
