#pragma once
// Whole files in and out, with the mistakes that people make named in words.

#include <cstdint>
#include <string>

#include "kernels/base/diagnostic.h"
#include "kernels/base/read_file.h"
#include "kernels/base/write_file.h"

namespace lanescope::document {

/// A text file. Errors: those of read_file() (kernels/base/read_file.h), empty, not text.
Expected<std::string> read_text(const std::string& path, std::uint64_t most_bytes = most_text_bytes);
/// The same of a path of the command line, which may be a stream: read_typed_file().
Expected<std::string> read_typed_text(const std::string& path, double seconds = 0);

/// See kernels/base/write_file.h for links, devices and folders.
using lanescope::write_file;

}  // namespace lanescope::document
