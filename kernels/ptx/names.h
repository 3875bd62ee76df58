#pragma once
// Tables between words of PTX and our enumerators, in both directions.

#include <optional>
#include <string_view>

#include "kernels/ptx/program.h"

namespace lanescope::ptx {

/// "u32" without its dot; Type::none when it is no type (then it is some other modifier).
Type type_of(std::string_view name);

/// "%tid.x"; Special::none when unknown.
Special special_of(std::string_view name);

/// "shared" and the like, as a state space of declarations; nothing when it is none.
std::optional<Space> declared_space(std::string_view name);
std::string_view name_of(Space s);

}  // namespace lanescope::ptx
