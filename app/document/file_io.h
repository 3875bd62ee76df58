#pragma once
// Whole files in and out, with the mistakes that people make named in words.

#include <string>

#include "kernels/base/diagnostic.h"
#include "kernels/base/write_file.h"

namespace lanescope::document {

/// A text file. Errors: no such file, a directory, not readable, empty, not text.
Expected<std::string> read_text(const std::string& path);

/// kernels/base/write_file.h says what becomes of links, devices and folders.
using lanescope::write_file;

}  // namespace lanescope::document
