#pragma once
// The one way in which this program reads a file whole.
//
// Only a regular file is read, and only after its size has been looked at: a pipe, a device, a socket or a link that leads to
// one is refused by name, before it is opened for reading. What the path leads to is held open meanwhile (O_PATH), so that
// nothing takes its place between the look and the read.

#include <cstdint>
#include <filesystem>
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

// What a file may be by which another one is opened: a kernel names others in #include, -I and `init = "x.npy"`, a lesson
// its kernels. A person did not name them, so such a name leads to
//
//   a file of the project      in the folder that belongs together; what is hidden there (.ssh, .git) is no part of it
//   a C++ header               anywhere, as libraries lie outside of projects: by its name (x.h, x.cuh, Eigen/Dense), or
//                              in a folder that has headers of the CUDA Toolkit
//
// and to nothing else. Links are followed first: what counts is where a file really lies. Words of the compiler about a file
// that is no C++ header are not shown, since they quote it.

/// Absolute, links followed.
std::filesystem::path real_path(const std::filesystem::path& path);

/// A file that lies in `folder`, a real path, and is not hidden there.
bool is_of_folder(const std::filesystem::path& file, const std::filesystem::path& folder);

/// By what it really is: a link x.h to /etc/passwd is none.
bool is_header(const std::filesystem::path& file);

}  // namespace lanescope
