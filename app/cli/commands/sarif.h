#pragma once
// Reviews as SARIF 2.1.0, which code hosts and editors read.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/answers/answer.h"

namespace lanescope::cli {

struct ReviewedFile {
  std::string file, text;  ///< text: empty where the file could not be read
  std::vector<review::Finding> findings{};
  SourceLines lines{};  ///< of findings
  std::vector<std::string> header_texts{};
  Answer answer{};
  bool reviewed = false;  ///< false: nothing but the diagnostics of the answer
};
/// One log with one run. Findings and errors in the files and the headers read with them are results; warnings, notes and what
/// went wrong elsewhere are notifications of the invocation. Columns count characters, not bytes. Files are named from the
/// root of the repository that the first of them is in.
nlohmann::json sarif(std::span<const ReviewedFile> files);

/// A path as SARIF names it: percent-encoded; an absolute one as file:///...
std::string uri_of(std::string_view path);

}  // namespace lanescope::cli
