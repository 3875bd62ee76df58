#pragma once
// Whole files in and out, with the mistakes that people make named in words.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "kernels/base/diagnostic.h"

namespace lanescope::document {

/// A text file. Errors: no such file, a directory, not readable, empty, not text.
Expected<std::string> read_text(const std::string& path);

/// Written to a temporary name beside it, then renamed: a reader sees the old file or the new one.
Expected<void> write_file(const std::string& path, std::span<const std::byte> bytes);
Expected<void> write_file(const std::string& path, std::string_view text);

}  // namespace lanescope::document
