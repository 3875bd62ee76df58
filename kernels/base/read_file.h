#pragma once
// The one way in which this program reads a file whole.
//
// Only a regular file is read, after a check of its size: a pipe, a device, a socket or a link to one is refused by
// name, before it is opened for reading. The file is held open meanwhile (O_PATH), so that no other file can replace it
// between the check and the read.

#include <cstdint>
#include <filesystem>
#include <string>

#include "kernels/base/diagnostic.h"

namespace lanescope {

/// Of a text: a source, a header, PTX, a lesson, a session.
inline constexpr std::uint64_t most_text_bytes = std::uint64_t{64} << 20;

/// The whole contents. Error, with `path` as the user named it: no such file, no regular file, more than `most_bytes`
/// (checked first), or the system's reason.
Expected<std::string> read_file(const std::string& path, std::uint64_t most_bytes = most_text_bytes);

/// The same for a path that the user typed: /dev/stdin and /dev/fd/N are read to the end of the open stream. `seconds`:
/// time limit for reaching the end; 0: none.
Expected<std::string> read_typed_file(const std::string& path, double seconds = 0,
                                      std::uint64_t most_bytes = most_text_bytes);

/// Bytes as people write them: "64 MiB", "1.5 GiB", "800 bytes".
std::string bytes_in_words(std::uint64_t bytes);

// Files that a file may name: a kernel names others in #include, -I and `init = "x.npy"`, a lesson its kernels. The
// user did not name them, so such a name may lead to
//
//   a file of the project      in the folder that belongs together; what is hidden there (.ssh, .git) is no part of it
//   a C++ header               anywhere, as libraries lie outside of projects: by its name (x.h, x.cuh, Eigen/Dense), or
//                              in a folder that has headers of the CUDA Toolkit
//
// and to nothing else. Links are followed first: the target counts. Compiler messages about a file that is no C++
// header are not shown, since they quote it.

/// Absolute, links followed.
std::filesystem::path real_path(const std::filesystem::path& path);

/// A file that lies in `folder`, a real path, and is not hidden there.
bool is_of_folder(const std::filesystem::path& file, const std::filesystem::path& folder);

/// Judged by its target: a link x.h to /etc/passwd is none.
bool is_header(const std::filesystem::path& file);

}  // namespace lanescope
