#pragma once
// The options with which NVRTC is called, from the header's and the user's, which may be written for nvcc.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/calls/nvrtc_library.h"
#include "kernels/compile/compile.h"
#include "kernels/compile/compile_log.h"
#include "kernels/compile/local_headers.h"
#include "kernels/source/options/header_search.h"

namespace lanescope::compile {

struct NvrtcOptions {
  std::vector<std::string> list;
  std::string arch;                             ///< the target; a note says if another one was requested
  Diagnostics notes;                            ///< options that were left out, architectures that were replaced
  std::filesystem::path folder;                 ///< the text's own
  std::vector<std::filesystem::path> searched;  ///< for headers, beside the toolkit's folders
  LocalHeaders headers{};                       ///< as they were before the compile
  bool as_read = true;                          ///< the options that the source's headers were found with
  std::string precompiled{};                    ///< state of headers that may be precompiled; empty: nothing is
};

/// `header_texts`: of the source's headers, as they are compiled. `found`: folders that a search for headers found,
/// after all others. `answered`: what stands for headers that are not what they were: who precompiles them keeps them
/// apart.
NvrtcOptions nvrtc_options(const Nvrtc& library, const source::Source& source,
                           const std::vector<std::string>& header_texts, const Options& options,
                           const std::vector<std::string>& found = {}, std::string_view answered = {});

/// After a compile: removes the precompiled forms of headers that were edited meanwhile.
void forget_edited_headers(const source::Source& source, const NvrtcOptions& options);

/// The option that lets NVRTC find cccl (cooperative groups, cuda::std, cub); empty when the toolkit has none. It is
/// not among the others: where cuda_fp16.h finds cccl it reads much more of it, and a compile takes five times as long.
std::string cccl_option(const Nvrtc& library);

/// The architecture requested: the header's, else the caller's.
std::string wanted_arch(const source::Source& source, const Options& options);

// Names of GPU architectures as compilers take them.

/// 90 of "sm_90", "sm_90a", "compute_90" or "sm_100f": two or three digits, then nothing, `a` or `f`. 0: no
/// architecture has such a name.
int architecture_number(std::string_view name);

/// Errors of such a name; empty: none.
Diagnostics wrong_architecture(const std::string& file, const std::string& name);

// Which #include of the user's text brings a header that lies elsewhere.

inline constexpr std::size_t most_followed = 4000;  ///< headers that are opened for one answer

struct BringingInclude {
  std::string name;
  std::uint32_t offset = 0;  ///< of its line in the text
};

/// The #include directives of `text` through which `header` is read, looked for in `folder` where they are quoted, and
/// in `folders`. Conditions do not count: a header that may be read is followed.
std::vector<BringingInclude> includes_that_bring(const std::filesystem::path& header, std::string_view text,
                                                 const std::filesystem::path& folder,
                                                 const std::vector<std::filesystem::path>& folders);

// Folders that a search found for included headers that lie in none of the named folders. The found folders are
// remembered for texts with the same includes, so that while a text is edited only its first compile has to search.

class HeaderFolders {
 public:
  /// `found`: those that reading the file found already. With them those remembered for the file and the includes of
  /// `text`, as far as they still hold.
  HeaderFolders(std::string file, const std::string& text, std::vector<options::FoundHeader> found);

  const std::vector<options::FoundHeader>& found() const { return found_; }
  std::vector<std::string> folders() const;

  /// Looks for what is missing. True: a folder came to the others, so that it is worth compiling again.
  bool look_for(const std::vector<CompileLog::MissingHeader>& missing);

 private:
  void remember() const;

  std::string file_, key_;
  std::vector<options::FoundHeader> found_;
};

}  // namespace lanescope::compile
