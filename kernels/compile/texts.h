#pragma once
// What is compiled of a source, in one variant: the file's text and those of its headers.

#include <string>
#include <vector>

#include "kernels/compile/compile.h"

namespace lanescope::compile {

struct Texts {
  std::string main;
  std::vector<std::string> headers;  ///< in the order of Source::headers

  std::string& of(std::size_t file) { return file == 0 ? main : headers[file - 1]; }
};

Texts texts_of(const source::Source& source, Variant variant);

/// False where the texts have none of these probes.
bool drop_probes(Texts& texts, const std::vector<int>& ids);

}  // namespace lanescope::compile
