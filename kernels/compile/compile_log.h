#pragma once
// The compiler's log as diagnostics.
//
//   half2.cu(8): error: identifier "foo" is undefined       -> line 8, column from the caret two lines below
//     uint laneId = foo;
//                   ^

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/assembler_errors.h"
#include "kernels/compile/compile.h"

namespace lanescope::compile {

struct CompileLog {
  Diagnostics diagnostics;                        ///< errors and warnings of the compiler, in the log's order
  std::vector<int> broken_probes;                 ///< ids of probes that an error names
  std::map<std::string, Resources> resources;     ///< by entry name, as ptxas reported with -v
  std::map<std::string, int> spill_load_bytes{};  ///< by entry name
  /// An #include that was not found: its name, and the file that has it.
  struct MissingHeader {
    std::string name, includer;
  };
  std::vector<MissingHeader> missing_headers{};
  std::vector<AssemblerMistake> assembler{};  ///< what ptxas said, at lines of the PTX
  bool user_error = false;                    ///< an error that no probe explains
};

/// A file as the compiler names it.
struct LoggedText {
  std::string_view file, text;
};

/// Messages in one of these files get columns. The first one is the user's own file.
CompileLog read_log(std::string_view log, const std::vector<LoggedText>& files);
inline CompileLog read_log(std::string_view log, std::string_view file, std::string_view text) {
  return read_log(log, {{.file = file, .text = text}});
}

}  // namespace lanescope::compile
