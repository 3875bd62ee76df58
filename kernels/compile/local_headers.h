#pragma once
// The headers of the user's own that a text may include. NVRTC does not look at them again once it has precompiled them
// (measured with 13.0: neither their times nor their sizes), so a build with precompiled headers has to.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct LocalHeaders {
  /// False: an include whose name is no literal, so it is unknown here what it reads.
  bool known = true;
  /// Hash of all names and contents; empty: there are none.
  std::string key;
  /// The same by names relative to the text's folder: one key wherever that folder lies.
  std::string key_by_relative_names;
  /// Headers that begin with a byte-order mark, which NVRTC does not take: by the name that an include gives, without it.
  std::map<std::string, std::string> unmarked;
  bool operator==(const LocalHeaders&) const = default;
};

/// Every file that `text`, or a file that it includes, names in an #include or __has_include and that is found beside
/// the includer or in one of `folders`: taken from each place where there is one, under any conditions around it,
/// so that a file that comes to stand before another is seen, too.
LocalHeaders local_headers(std::string_view text, const std::filesystem::path& folder,
                           const std::vector<std::filesystem::path>& folders);

}  // namespace lanescope::compile
