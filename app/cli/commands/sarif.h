#pragma once
// A review as SARIF 2.1.0, which code hosts and editors read.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "app/cli/answers/answer.h"

namespace lanescope::cli {

struct ReviewedFile {
  std::string file, text;  ///< text: empty where the file could not be read
  std::span<const review::Finding> findings;
  std::span<const emulator::Fault> faults;
  SourceLines lines{};  ///< of findings and faults
  std::vector<std::string> header_texts{};
};
/// One run. Findings and errors in the file and the headers read with it are results; warnings, notes and what went wrong outside of the file are
/// notifications of the invocation. Columns count characters, not bytes.
nlohmann::json sarif(const ReviewedFile& reviewed, const Answer& answer);

/// A path as SARIF names it: percent-encoded; an absolute one as file:///...
std::string uri_of(std::string_view path);

}  // namespace lanescope::cli
