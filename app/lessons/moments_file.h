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
// Keys are those of SavedMoment (moment.h) without `kernel`. Keys with default values need not be written.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/toml_table.h"
#include "results/summary.h"
#include "viz/views/base/selection.h"

namespace lanescope::lessons {

// A bookmarked moment, as in a file: its place in the source, never a number of a step. It finds
// its step again in any later run (place.h), also where lines were inserted above it.

struct SavedMoment {
  std::string name;      ///< unique in its file: letters, digits, - and _; empty: written into a lesson, without a name
  std::string kernel;    ///< path of the kernel's file
  int line = 0;          ///< of that file, from 1
  std::string text;      ///< that line without the blanks around it: finds it again; empty: the number alone counts
  int nth = -1;          ///< among the lines with this text, from 0; -1: not given
  int visit = 0;         ///< execution of the line by the warp, from 0
  int instruction = -1;  ///< of that visit, from 0: its step; -1: the last one, after which the line has had its effect
  int launch = -1;       ///< from 0; -1: the one that is shown by itself (the first with claims, else the first)
  int warp = 0;
  std::uint32_t block = 0;
  float share = 1;                        ///< position between before (0) and after the step (1)
  std::string picture;                    ///< name of a panel (views::is_picture); empty: registers
  std::string arrangement;                ///< "Learn", "Debug", "Profile", "Design"; empty: as it is
  std::string colour, label;              ///< axis of the colours; label of the cells
  std::string select;                     ///< "y1 lane 5", "q[17]", "shared 64"; several with ; between them
  std::vector<std::string> panels, pins;  ///< shown beside the picture; followed elements "p[3]", "p[64..67]"
  float zoom = 1;
  std::string caption, notes;  ///< for the class; for the presenter

  bool operator==(const SavedMoment&) const = default;
};

/// "folder/half2.moments.toml" of "folder/half2.cu".
std::filesystem::path moments_path(const std::filesystem::path& kernel);

/// All moments of a text, in order. `file` is named in errors, which carry line and column; `kernel` enters the values.
/// Errors: no TOML, a key that there is not, a value that is none, a name that is missing, odd or taken.
Expected<std::vector<SavedMoment>> read_moments(std::string_view text, const std::string& file,
                                                const std::string& kernel);
/// Of a kernel's file; none where there is no file of moments.
Expected<std::vector<SavedMoment>> moments_of(const std::filesystem::path& kernel);

/// The text with these moments in place of its own: read_moments gives them again. A moment that is in `before` under
/// its name keeps its comments and the form in which unchanged values are written; comments above the first one stay
/// there. A `before` that cannot be read is given up.
std::string with_moments(std::string_view before, const std::vector<SavedMoment>& moments);

/// Replaces the file of this kernel's moments.
Expected<void> write_moments(const std::filesystem::path& kernel, const std::vector<SavedMoment>& moments);

/// "exchange", "exchange-2", ...: letters and digits of `wanted` that no moment has as its name.
std::string free_name(const std::vector<SavedMoment>& moments, std::string_view wanted);
/// A name for a moment that has none: its line, and of what distinguishes it from those of the same line as much as is
/// needed: "line-58", "line-58-shared", "line-58-shared-visit-2-warp-1". It names the contents, and does not change
/// when others are added or removed.
std::string name_of_new(const std::vector<SavedMoment>& moments, const SavedMoment& moment);
bool is_name(std::string_view name);

// The keys of one moment, as a .moments.toml and a lesson have them.

/// Reads all keys but `kernel`; values that there are not (pictures, selections) become diagnostics of the reader.
void read_moment_keys(TomlTable& reader, SavedMoment& moment);

// From a saved moment to a place in a run, and back.

/// The line of a moment in a text, from 1. `remark`: it has moved, or several lines match.
struct LinePlace {
  int line = 0;
  std::string remark;
};
/// Error: no line of the text is the one that was saved.
Expected<LinePlace> line_of(const SavedMoment& moment, std::string_view text);

struct MomentPlace {
  views::Selection selection;  ///< with step, line, warp, block, share and pins
  Diagnostics remarks;         ///< warnings: the line has moved, the visit has fewer instructions than it had
};
/// In a run of this text that records the moment's block and launch. Error: the part of it that is missing.
Expected<MomentPlace> resolve(const SavedMoment& moment, std::string_view text, const results::Summary& summary);

/// The selection as a moment without name, words and look: the inverse of resolve(). Error: there is no step,
/// its line is in a header or not known, or the part of the block that is recorded does not begin where the block does.
Expected<SavedMoment> bookmark(const views::Selection& selection, std::string_view text,
                               const results::Summary& summary);

/// "p[3]", ... of a summary's buffers.
std::string element_words(const results::Summary& summary, int buffer, std::uint64_t element);

}  // namespace lanescope::lessons
