#pragma once
// NAME.moments.toml beside NAME.cu: the bookmarked moments of a kernel, in the order in which they are presented.
//
//     [[moment]]
//     name = "exchange"
//     line = 58
//     text = "tmp = __shfl_sync(~0u, tmp, laneId ^ 0x4);"
//     visit = 0
//     picture = "registers"
//     caption = "Each lane sends the half-words that its partner lacks."
//
// Keys are those of SavedMoment (moment.h) without `kernel`. What has its default value need not be written.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/moment.h"
#include "kernels/base/diagnostic.h"

namespace lanescope::lessons {

/// "folder/half2.moments.toml" of "folder/half2.cu".
std::filesystem::path moments_path(const std::filesystem::path& kernel);

/// All moments of a text, in order. `file` is named in errors, which carry line and column; `kernel` goes into the values.
/// Errors: no TOML, a key that there is not, a value that is none, a name that is missing, odd or taken.
Expected<std::vector<SavedMoment>> read_moments(std::string_view text, const std::string& file,
                                                const std::string& kernel);
/// Of a kernel's file; none where there is no file of moments.
Expected<std::vector<SavedMoment>> moments_of(const std::filesystem::path& kernel);

/// The text with these moments in place of its own: read_moments gives them again. A moment that is in `before` under its
/// name keeps its comments and the form in which unchanged values are written; comments above the first one stay there.
/// A `before` that cannot be read is given up.
std::string with_moments(std::string_view before, const std::vector<SavedMoment>& moments);

/// Replaces the file of this kernel's moments.
Expected<void> write_moments(const std::filesystem::path& kernel, const std::vector<SavedMoment>& moments);

/// "exchange", "exchange-2", ...: letters and digits of `wanted` that no moment has as its name.
std::string free_name(const std::vector<SavedMoment>& moments, std::string_view wanted);
/// A name for a moment that has none: its line, and of what tells it from those of the same line as much as is needed: "line-58",
/// "line-58-shared", "line-58-shared-visit-2-warp-1". It says what is shown, and does not change when others come or go.
std::string name_of_new(const std::vector<SavedMoment>& moments, const SavedMoment& moment);
bool is_name(std::string_view name);

}  // namespace lanescope::lessons
