#pragma once
// The compiler reads what a text includes, by itself. So every name is looked at before that stands in an #include of the
// project's files, or in a #define whose whole value is a name: where it leads to a file that may not be included
// (kernels/source/options/project.h), a text that says so is given for it.

#include <map>
#include <string>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/calls/call.h"
#include "kernels/compile/file_names.h"
#include "kernels/source/source.h"

namespace lanescope::compile {

struct Contained {
  std::map<std::string, Diagnostic> refused;  ///< by the name for which a text stands: what to say, where it is named
  Diagnostics computed;  ///< an #include whose name is computed: only the compiler could say what it reads
};
/// Puts these texts into `call.headers`.
Contained contain(Call& call, const source::Source& source, const FileNames& names);

/// What the compiler says, without what it may quote of a file that is no C++ header.
Diagnostic without_quotes(Diagnostic said, const source::Source& source);

}  // namespace lanescope::compile
