#pragma once
// Names of the user's files for the compiler: plain letters in place of the names of files and folders. One table, made
// for each compile, maps them back to the real ones.
//
//   said to the compiler                  meant
//   /proc/self/fd/700/half2.cu            the user's file, in its own folder, so that includes find what lies beside it
//   /proc/self/fd/702/device_part.hpp     a header that was read with it; NVRTC is given its text
//   -I/proc/self/fd/701                   -I"../größe 2"
//   /proc/self/fd/-/lanescope-probe       lanescope-probe: text of our own
//
// In the PTX that leaves here every file has its plain name (kernels/base/plain_name.h), text of our own a name that
// starts with "lanescope-". A text that is stored or compared does not contain the folder where it was made.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/source.h"

namespace lanescope::compile {

class FileNames {
 public:
  /// `options` as NVRTC takes them; folders in them get numbers, and so do those of the source's headers.
  FileNames(const source::Source& source, const std::vector<std::string>& options);

  const std::string& main() const { return main_; }  ///< of the text that is compiled
  const std::vector<std::string>& options() const { return options_; }
  const std::vector<std::string>& folders() const { return opened_; }  ///< by number: Call::folders
  /// Of a header that is given with the text: in its own folder, so that its includes find what lies beside it.
  const std::vector<std::string>& headers() const { return headers_; }
  /// The text with our own names in its #line directives, and in those #include directives that `includes` has.
  std::string text(std::string_view text, const source::IncludeTargets& includes) const;

  /// The name as the user gave it; bare for text of our own.
  std::string real(std::string_view said) const;
  /// The compiler's messages with real names. Not for text that is parsed later: real names may contain anything.
  std::string words(std::string_view said) const;
  /// The compiler's log with bare names for text of our own.
  static std::string log(std::string_view said);
  /// NVRTC's PTX with the plain names of the real files.
  std::string ptx(std::string_view ptx) const;

 private:
  struct Folder {
    std::filesystem::path real;
    std::string number;
  };
  /// Under its number; empty where it cannot have one.
  std::string open(const std::filesystem::path& folder);
  std::string name_of(const std::string& file);
  std::string users_name(std::string_view way_back) const;  ///< empty: the name is none of those in #line directives

  std::string file_, main_;
  std::vector<std::string> headers_, header_paths_;
  std::vector<Folder> folders_;
  std::vector<std::string> opened_;
  std::vector<std::string> options_;
};

/// The text with each name in a `.file` line replaced by `rename` of it.
std::string rename_files(std::string_view ptx, const std::function<std::string(std::string_view)>& rename);

}  // namespace lanescope::compile
