#pragma once
// What a file may be by which another one is opened: a kernel names others in #include, -I and `init = "x.npy"`, a lesson
// its kernels. A person did not name them, so such a name leads to
//
//   a file of the project      in the folder that belongs together; what is hidden there (.ssh, .git) is no part of it
//   a C++ header               anywhere, as libraries lie outside of projects: by its name (x.h, x.cuh, Eigen/Dense), or
//                              in a folder that has headers of the CUDA Toolkit
//
// and to nothing else. Links are followed first: what counts is where a file really lies. Words of the compiler about a file
// that is no C++ header are not shown, since they quote it.

#include <filesystem>

namespace lanescope {

/// Absolute, links followed.
std::filesystem::path real_path(const std::filesystem::path& path);

/// A file that lies in `folder`, a real path, and is not hidden there.
bool is_of_folder(const std::filesystem::path& file, const std::filesystem::path& folder);

/// By what it really is: a link x.h to /etc/passwd is none.
bool is_header(const std::filesystem::path& file);

}  // namespace lanescope
