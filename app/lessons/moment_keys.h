#pragma once
// The keys of one moment, as a .moments.toml and a lesson have them.

#include "app/lessons/moment.h"
#include "app/lessons/table_reader.h"

namespace lanescope::lessons {

/// Reads all keys but `kernel`; values that there are not (pictures, selections) become diagnostics of the reader.
void read_moment_keys(TableReader& reader, SavedMoment& moment);

}  // namespace lanescope::lessons
