#pragma once
// The data members of a class as written: what its methods may name like variables of their own.

#include <vector>

#include "kernels/source/cxx/outline_data.h"

namespace lanescope::source {

/// The most members that a class is read for.
inline constexpr std::size_t most_members_of_class = 256;

/// Of the class whose `{` is token `open`, those of unnamed unions and structs inside it included. Static and constexpr
/// ones are left out: they are in no object.
std::vector<DataMember> data_members(const Lexed& lexed, int open);

/// The name before the `{` of a class whose head begins at `start`; empty where it has none.
std::string class_name(const Lexed& lexed, int start, int open);

}  // namespace lanescope::source
