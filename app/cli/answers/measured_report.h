#pragma once
// What a GPU said, on standard output: tables for people, JSON for programs.

#include <nlohmann/json.hpp>

#include "results/measured.h"

namespace lanescope::cli {

void print_measured(const results::Measured& hardware, const results::Measured& measured);

/// Adds "measured" and "cause" to the counters of `out` (as `run` writes them) and what the device says under "gpu".
void add_measured(nlohmann::json& out, const results::Measured& hardware, const results::Measured& measured);

}  // namespace lanescope::cli
