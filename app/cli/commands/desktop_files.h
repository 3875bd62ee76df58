#pragma once
// Files that a package installs beside the program: hidden subcommands, so that they cannot differ from it.

#include <string>
#include <string_view>

namespace lanescope::cli {

struct DesktopOptions {
  std::string output;  ///< empty: standard output
  std::string shell;
  int icon_size = 48;  ///< pixels
};

/// Return an exit status; what goes wrong is on standard error.
int write_text(const DesktopOptions& options, std::string_view text);
int write_icon(const DesktopOptions& options);

}  // namespace lanescope::cli
