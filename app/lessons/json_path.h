#pragma once
// The way to one value in JSON, as a list of steps:
//
//   "sectors"        the value of this key of an object
//   "0"              the entry of a list, from 0
//   "line=58"        the first entry of a list that is an object with this value, as text
//   "#"              how many entries a list or an object has
//   "count rule=x"   how many entries of a list have this value

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/base/diagnostic.h"

namespace lanescope::lessons {

/// Error: the first step that leads nowhere, with what there is instead.
Expected<nlohmann::json> value_at(const nlohmann::json& root, const std::vector<std::string>& path);

/// A number, a text or a truth value as it is shown; numbers with six digits behind the first one that counts. Empty: a
/// list, an object or null.
std::string shown(const nlohmann::json& value);

}  // namespace lanescope::lessons
