#pragma once
// A command copied from a terminal or a build log: nvcc with its options, perhaps with other commands, a
// redirection or assignments beside it.

#include <string_view>

#include "kernels/source/options/nvcc_words.h"

namespace lanescope::options {

/// The words of one call, the compiler's name first, perhaps after a launcher (ccache) or assignments.
CompileSettings read_compiler_call(const std::vector<std::string>& words, const Base& base);

/// The call of nvcc among the commands of `text`, else the first command. Relative folders start where the command
/// finds the kernel's file: the file's folder or one above it, `base.folder` where neither fits. Errors: a quote that
/// is not closed.
CompileSettings read_nvcc_command(std::string_view text, Base base);

}  // namespace lanescope::options
