#pragma once
// Arguments for a template that has none: a kernel that nothing launches, a host function that nothing calls.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/host/program/program.h"

namespace lanescope::source::host {

struct GuessedArgument {
  std::string name, spelled;  ///< "N", "16"
};

/// One for each parameter without a default: `float` for a type, `int` for the name of an index type; false for a flag;
/// a number by its name (256 threads, tiles of 16, warps of 32, steps of 4). nullopt if there is no guess: packs,
/// templates, functors, numbers of an enumeration.
std::optional<std::vector<GuessedArgument>> guessed_arguments(const std::vector<TemplateParameter>& parameters);

/// "copy<float,256>", and its origin, as a sentence without a full stop.
struct GuessedInstance {
  std::string kernel, because;
};
/// Of a kernel that is a template: an explicit instantiation of the file, else the defaults, else guessed arguments.
/// Of `template void name<float, 4>(...);` or `template __global__ void name<...>(...)`: "float, 4", and its line;
/// empty: there is none.
std::string explicit_arguments(const Lexed& lexed, std::string_view name, int& line);

std::optional<GuessedInstance> guessed_instance(const Lexed& lexed, const FunctionRange& kernel);

/// "fp16::detail::" for `token`: the named namespaces around it.
std::string namespaces_around(const Lexed& lexed, int token);

}  // namespace lanescope::source::host
