#pragma once
// The compiler's log as diagnostics.
//
//   half2.cu(8): error: identifier "foo" is undefined       -> line 8, column from the caret two lines below
//     uint laneId = foo;
//                   ^

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/compile.h"
#include "kernels/source/source.h"

namespace lanescope::compile {

// Errors of ptxas at the user's line. It names lines of the PTX text; the `.loc` above such a line names the user's.
//
//   ptxas application ptx input, line 30; error   : Unknown modifier '.bar'
//   line 28   .loc 1 3 2                           -> k.cu line 3 column 2: the assembler refuses `foo.bar %r1, %r2`: ...
//   line 30   foo.bar %r1, %r2;

struct AssemblerMistake {
  int ptx_line = 0;   ///< 0: it names none
  std::string words;  ///< "Unknown modifier '.bar'"
  Severity severity = Severity::error;
};

/// "ptxas ..." of a log; resources are none.
AssemblerMistake read_assembler_mistake(std::string_view line);

/// `ptx`: the text that was refused, with the file names as the compiler was given them; `file` is the user's among
/// these. Names in the result are the compiler's. Several words about one instruction become one diagnostic.
Diagnostics assembler_diagnostics(const std::vector<AssemblerMistake>& mistakes, std::string_view ptx,
                                  std::string_view file);

/// Of a mangled name; the name itself where it is none.
std::string demangled(const std::string& name);

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
  std::vector<AssemblerMistake> assembler{};  ///< errors of ptxas, at lines of the PTX
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

// Compiler errors about options and kernels' names become errors of the launch header, which has both.

/// Diagnostics of NVRTC with those about options and names of kernels at their places in the header; the lines about
/// one name become one diagnostic.
Diagnostics placed_in_header(Diagnostics from, const source::Source& source);

// Features that CUDA has no more: the compiler says that a name is unknown, a user needs to know what to write
// instead.

/// The compiler's error with the feature named and the replacement as its remedy, where it is about one that was
/// removed; else as it was.
Diagnostic with_replacement(Diagnostic d);

// Facts about a kernel in the files beside it, for a compile that failed: who includes it, and where the body of a
// function is that it only declares. Only the file's own folder is looked at, most_neighbours files of it.

inline constexpr std::size_t most_neighbours = 200, most_neighbour_bytes = std::size_t{1} << 20;

/// The one source file of its folder that includes the file; nothing: none or several do.
std::optional<std::filesystem::path> only_includer(const std::filesystem::path& file);

/// The errors, with what neighbours show of them.
Diagnostics with_neighbours(Diagnostics errors, const source::Source& source);

// Annotations of verifiers in kernels: conditions that a tool takes for granted or proves. No header declares them, and
// nvcc does not know them. Where the compiler says so, they are compiled as what they mean:
//
//   __requires(n > 0);  __assume(c);  __VERIFIER_assume(c)     an assert: the launch has to keep what is taken for granted
//   __assert(c);        __VERIFIER_assert(c)                   an assert
//   __uniform_int(x);   __distinct_int(x)                      true: statements about several threads, which are not checked

inline constexpr std::string_view annotations_file = "lanescope-annotations";

/// Adds those that the errors call undefined; false: there is none that is new.
bool add_annotations(const Diagnostics& errors, std::set<std::string>& names);
/// The macros.
std::string annotations_text(const std::set<std::string>& names);
/// The notes about them.
Diagnostics annotation_notes(const std::set<std::string>& names, const std::string& file);

}  // namespace lanescope::compile
