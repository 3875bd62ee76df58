#pragma once
// The one way in which this program reads a file whole.
//
// Only a regular file is read, and only after its size has been looked at: a pipe, a device, a socket or a link that leads to
// one is refused by name, before it is opened for reading. What the path leads to is held open meanwhile (O_PATH), so that
// nothing takes its place between the look and the read.

#include <cstdint>
#include <string>

#include "kernels/base/diagnostic.h"

namespace lanescope {

/// Of a text: a source, a header, PTX, a lesson, a session.
inline constexpr std::uint64_t most_text_bytes = std::uint64_t{64} << 20;

/// Every byte of it. Error, with `path` as the user named it: nothing has that name, it is no regular file, it has more than
/// `most_bytes` (looked at first), or the system's own reason.
Expected<std::string> read_file(const std::string& path, std::uint64_t most_bytes = most_text_bytes);

/// The same of a path that a person typed: /dev/stdin and /dev/fd/N stand for the stream that is open there, and are read to
/// their end. `seconds`: after which an end that does not come is an error; 0: no limit.
Expected<std::string> read_typed_file(const std::string& path, double seconds = 0,
                                      std::uint64_t most_bytes = most_text_bytes);

/// Bytes as people write them: "64 MiB", "1.5 GiB", "800 bytes".
std::string bytes_in_words(std::uint64_t bytes);

}  // namespace lanescope
