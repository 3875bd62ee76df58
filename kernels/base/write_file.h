#pragma once
// The one way in which this program writes a file that the user named.
//
// The kind of the file decides how it is written:
//
//   nothing yet, a regular file   a temporary file beside it, then renamed: a reader sees the old text or the new one, and
//                                 a full disk costs nothing. Permissions and owner of a file that is replaced are kept.
//   a symbolic link               stays, and its target is written (or created)
//   a device, a pipe, a socket    written to directly; a rename would put a regular file in its place
//   an open stream of our own     (/dev/stdout, /dev/fd/3) written to from its position, of any kind
//   a folder                      refused

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "kernels/base/diagnostic.h"

namespace lanescope {

/// Error: it is a folder, or the system's own reason with `path` as the user named it.
Expected<void> write_file(const std::string& path, std::span<const std::byte> bytes);
Expected<void> write_file(const std::string& path, std::string_view text);

/// Errors of the name that are known before writing: no name, or a folder's. Empty: none.
Diagnostics wrong_target(const std::string& path);

}  // namespace lanescope
