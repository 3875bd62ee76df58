#pragma once
// A document as a file: HTML, slides as PDF, or the one moment that it has as PNG or SVG.

#include <cstddef>
#include <string>

#include "kernels/base/diagnostic.h"
#include "viz/page/document.h"

namespace lanescope::handout {

struct WriteOptions {
  std::string theme = "light";  ///< of slides and pictures, "light" or "dark"; HTML has both
  float scale = 2;              ///< pixels of a PNG per unit
};

struct Written {
  std::size_t bytes = 0, steps = 0;
  std::size_t slides = 0;  ///< 0: of HTML
};

/// What keeps a handout of this name from being written: its ending, or a theme that there is not.
Diagnostics wrong_handout(const std::string& output, const std::string& theme);

/// What keeps this document from being a picture: several moments, or none. Empty for the other forms.
Diagnostics wrong_moments(const page::Document& document, const std::string& output);

/// Errors: fonts or parts of the page that are missing, wrong_moments, what the file system refuses.
Expected<Written> write(const page::Document& document, const std::string& output, const WriteOptions& options);

}  // namespace lanescope::handout
