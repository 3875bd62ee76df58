#pragma once
// NVRTC opened at run time. One place has its file names, its C interface and what each version can do.

#include <string>
#include <vector>

namespace lanescope::compile {

struct Nvrtc {
  // The C interface of nvrtc.h (CUDA 11.2 and later), by the same names.
  using Program = void*;
  int (*version)(int*, int*) = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*create)(Program*, const char* text, const char* name, int headers, const char* const* texts,
                const char* const* names) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*compile)(Program, int options, const char* const* option) = nullptr;
  int (*ptx_size)(Program, std::size_t*) = nullptr;
  int (*ptx)(Program, char*) = nullptr;
  int (*cubin_size)(Program, std::size_t*) = nullptr;
  int (*cubin)(Program, char*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*add_name)(Program, const char*) = nullptr;
  int (*lowered_name)(Program, const char*, const char**) = nullptr;
  int (*arch_count)(int*) = nullptr;
  int (*archs)(int*) = nullptr;
  int (*pch_status)(Program) = nullptr;  ///< 12.8 and later
  int (*set_pch_heap)(std::size_t) = nullptr;

  std::string path, version_text, include_directory, cccl_directory;
  std::string problem;  ///< non-empty: why it cannot be used
  int major = 0, minor = 0;
  std::vector<int> architectures;  ///< 90 for sm_90, ascending

  bool usable() const { return problem.empty(); }
  bool at_least(int wanted_major, int wanted_minor) const {
    return major > wanted_major || (major == wanted_major && minor >= wanted_minor);
  }
};

/// Opened once for the process. LANESCOPE_NVRTC (a path) precedes every other place.
const Nvrtc& nvrtc();

}  // namespace lanescope::compile
