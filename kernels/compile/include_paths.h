#pragma once
// Which #include of the user's text brings a header that lies elsewhere.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

inline constexpr std::size_t most_followed = 4000;  ///< headers that are opened for one answer

struct BringingInclude {
  std::string name;
  std::uint32_t offset = 0;  ///< of its line in the text
};

/// The #include directives of `text` through which `header` is read, looked for in `folder` where they are quoted, and in
/// `folders`. Conditions do not count: a header that may be read is followed.
std::vector<BringingInclude> includes_that_bring(const std::filesystem::path& header, std::string_view text,
                                                 const std::filesystem::path& folder,
                                                 const std::vector<std::filesystem::path>& folders);

}  // namespace lanescope::compile
