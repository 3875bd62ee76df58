#pragma once
// Linear maps over F2 as C expressions.

#include <span>
#include <string>
#include <string_view>

#include "kernels/convert/word_program.h"

namespace lanescope::convert {

/// The sum of the columns that the bits of `name` choose, as shifts of masked bits.
std::string linear_text(std::string_view name, std::span<const std::uint64_t> columns);

/// An expression of `lane` with the table's values.
std::string table_text(const LaneTable& table);

}  // namespace lanescope::convert
