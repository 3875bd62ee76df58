#pragma once
// The options with which NVRTC is called, from the header's and the user's, which may be written for nvcc.

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/compile/calls/nvrtc_library.h"
#include "kernels/compile/compile.h"
#include "kernels/compile/local_headers.h"

namespace lanescope::compile {

struct NvrtcOptions {
  std::vector<std::string> list;
  std::string arch;                             ///< that is compiled for; a note says where another was requested
  Diagnostics notes;                            ///< options that were left out, architectures that were replaced
  std::filesystem::path folder;                 ///< the text's own
  std::vector<std::filesystem::path> searched;  ///< for headers, beside the toolkit's folders
  LocalHeaders headers{};                       ///< as they were before the compile
  bool as_read = true;                          ///< the options that the source's headers were found with
  std::string precompiled{};                    ///< state of headers that may be precompiled; empty: nothing is
};

/// `header_texts`: of the source's headers, as they are compiled. `found`: folders that a search for headers found, after
/// all others. `answered`: what stands for headers that are not what they were: who precompiles them keeps them apart.
NvrtcOptions nvrtc_options(const Nvrtc& library, const source::Source& source,
                           const std::vector<std::string>& header_texts, const Options& options,
                           const std::vector<std::string>& found = {}, std::string_view answered = {});

/// After a compile: what was precompiled of headers that were edited meanwhile is removed.
void forget_edited_headers(const source::Source& source, const NvrtcOptions& options);

/// The option that lets NVRTC find cccl (cooperative groups, cuda::std, cub); empty when the toolkit has none. It is not
/// among the others: where cuda_fp16.h finds cccl it reads much more of it, and a compile takes five times as long.
std::string cccl_option(const Nvrtc& library);

/// The architecture requested: the header's, else the caller's.
std::string wanted_arch(const source::Source& source, const Options& options);

}  // namespace lanescope::compile
