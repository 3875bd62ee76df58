#pragma once
// Every rule of the review in one table: finding, reason, remedy. Reports, documentation and the
// `lanescope: allow` comments read it.

#include <span>
#include <string_view>

#include "kernels/base/diagnostic.h"

namespace lanescope::review {

struct Rule {
  std::string_view id;  ///< kebab-case, as in `lanescope: allow`
  std::string_view what, why, remedy;
  Severity severity = Severity::warning;  ///< of its usual finding; single findings may be milder
  bool race = false;  ///< its errors are accesses that nothing orders, and memory depends on the schedule
};

std::span<const Rule> rules();
const Rule* find_rule(std::string_view id);  ///< nullptr: no such rule

}  // namespace lanescope::review
