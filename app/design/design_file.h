#pragma once
// The text of a layout design: the TOML that `lanescope plan` reads, with what only the designer needs in comments.
//
//     # steps: s0 <-> r1, r0 <-> t2
//     # memory: i j k
//     # shared: swizzle 32 1
//     name = "transpose"
//     type = "f16"
//     from = "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1"
//     to = "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1"
//
// A chain has a list `states` in place of `from` and `to`; its steps have a | between the legs. Several designs are `[[plan]]` tables. Whatever else is in a file stays as it is when one of its designs is changed.

#include <string>
#include <string_view>
#include <vector>

#include "app/design/design.h"

namespace lanescope::design {

/// The designs of a text, in order; at least one. Errors carry line and column; `file` is named in them. Notation and
/// types are not checked here: a design with a mistake in it can be opened and mended.
Expected<std::vector<Design>> read_designs(std::string_view text, const std::string& file = {});

/// Designs are read, and written, with their first leg on show.
/// The text with its design number `which` (from 0) replaced: the values of its keys, the comments above. A text that
/// cannot be read, or has no such design, is written anew.
std::string with_design(std::string_view text, std::size_t which, const Design& design);

/// A text with one design.
std::string text_of(const Design& design);

/// Whether a file of this name is opened as a design: .layout and .toml.
bool is_design_file(std::string_view path);

}  // namespace lanescope::design
