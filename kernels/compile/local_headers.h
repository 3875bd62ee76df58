#pragma once
// The user's headers that a text may include. NVRTC does not check them again once it has precompiled them
// (measured with 13.0: neither their times nor their sizes), so a build with precompiled headers has to.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/calls/call.h"
#include "kernels/compile/file_names.h"
#include "kernels/source/source.h"

namespace lanescope::compile {

struct LocalHeaders {
  /// False: the name of an include is no literal, so the file is unknown.
  bool known = true;
  /// Hash of all names and contents; empty: there are none.
  std::string key;
  /// The same by names relative to the text's folder: one key wherever that folder lies.
  std::string key_by_relative_names;
  /// Headers that begin with a byte-order mark, which NVRTC does not take: by the name that an include gives, without
  /// it.
  std::map<std::string, std::string> unmarked;
  bool operator==(const LocalHeaders&) const = default;
};

/// Every file that `text`, or a file that it includes, names in an #include or __has_include and that is found beside
/// the includer or in one of `folders`: taken from each place where there is one, under any conditions around it,
/// so that a new file that shadows another is noticed, too.
LocalHeaders local_headers(std::string_view text, const std::filesystem::path& folder,
                           const std::vector<std::filesystem::path>& folders);

// The compiler reads what a text includes, by itself. So every name is looked at before that stands in an #include of
// the project's files, or in a #define whose whole value is a name: where it leads to a file that may not be included
// (kernels/source/options/header_search.h), a text that says so is given for it.

struct Contained {
  std::map<std::string, Diagnostic> refused;  ///< by the name for which a text stands: what to say, where it is named
  Diagnostics computed;  ///< an #include whose name is computed: only the compiler could say what it reads
};
/// Puts these texts into `call.headers`.
Contained contain(Call& call, const source::Source& source, const FileNames& names);

/// The compiler's messages, without quotations of a file that is no C++ header.
Diagnostic without_quotes(Diagnostic said, const source::Source& source);

}  // namespace lanescope::compile
