#pragma once
// Values that the launch header leaves out, inferred from the kernel's signature, its comments and its claims. Every
// inference is a sentence in Header::inferred.

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/model/claim.h"
#include "kernels/source/model/launch.h"

namespace lanescope::source {

/// Completes `header`. Errors: arguments that fit no parameter, offsets beyond their buffer, kernels that do not exist,
/// buffers that no launch passes while a parameter has none. Warnings: other buffers that no launch passes.
/// `instances`: kernels that the host code launches, and others.
struct LaunchWish {
  std::vector<KernelBlock> blocks{};        ///< block sizes that kernels request outside of the text
  std::vector<std::string> variables{};     ///< of the module: a buffer of that name needs no argument
  std::vector<Variable> registers{};        ///< that the claims are about
  std::string kernel{};                     ///< the kernel or instance that shall run; empty: the file's own choice
  std::vector<std::string> claimed{};       ///< functions with claims about memory and shares of work
  std::vector<std::string> command_line{};  ///< arguments of `main`
  std::string command_line_place{};         ///< their source: "Makefile line 56"
  bool lists_are_whole = false;             ///< a list of arguments has one for each parameter
};
Diagnostics complete_header(Header& header, const Lexed& lexed, const Outline& outline,
                            const std::vector<CommentLine>& lines, const std::vector<Claim>& claims,
                            std::string_view file, const LaunchWish& wish, std::vector<KernelInstance>& instances);

}  // namespace lanescope::source
