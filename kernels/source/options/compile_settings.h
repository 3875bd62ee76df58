#pragma once
// Compiler options with their origins. Options come from several places; each keeps its origin, so that the user can
// see why a kernel was compiled as it was.
//
//   origin             example                                      relative folders start at
//   header             options = ["-DTILE=16"] in the launch header  the kernel's file
//   window             typed into the panel Options                 the kernel's file
//   command line       lanescope check k.cu -- -I include           the working folder
//   nvcc command       --nvcc 'nvcc -O3 -I.. k.cu'                  the folder in which the command finds the file
//   project file       .lanescope.toml                              that file
//   compile_commands   compile_commands.json                        its "directory"
//   build file         CFLAGS = -DX=1 in a Makefile beside it        that file
//
// In this order: where two origins give one macro, standard, architecture or limit, the one further up counts, and the
// other is kept in `left_out` with that reason. Include folders are searched in the same order. Every word that was
// given is either part of a used option or of one that was left out: none is dropped silently.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/enum_size.h"
#include "kernels/source/model/launch.h"

namespace lanescope::options {

/// By precedence, the highest first. `assumed`: for a header that was found by a search.
enum class Origin : std::uint8_t {
  header,
  window,
  command_line,
  nvcc_command,
  project_file,
  compile_commands,
  build_file,
  assumed
};
inline constexpr int origin_count = enum_size<Origin>;
/// "launch header", "command line", ...; JSON has the enumerators
std::string_view origin_words(Origin origin);

enum class Kind : std::uint8_t { include_folder, define, undefine, standard, architecture, register_limit, other };
/// "include folder", "define", ...
std::string_view kind_words(Kind kind);

/// Where it is written; an empty file: typed. Line 0: the whole file.
struct Place {
  std::string file;
  int line = 0;
  bool operator==(const Place&) const = default;
};

struct UsedOption {
  Kind kind = Kind::other;
  std::string value;    ///< "../include", "X=1", "c++17", "sm_90"; of another option the whole of it
  std::string word{};   ///< as NVRTC takes it; empty: an architecture, which is chosen apart
  std::string written;  ///< the words of the user, as a shell takes them
  Origin origin = Origin::command_line;
  Place place{};
  bool operator==(const UsedOption&) const = default;
};

struct LeftOut {
  std::string written;
  std::string reason;      ///< "is for the host compiler"
  bool replaced = false;   ///< another one of its kind counts
  bool no_option = false;  ///< the name of the compiler or of the file itself
  Origin origin = Origin::command_line;
  Place place{};
  bool operator==(const LeftOut&) const = default;
};

struct CompileSettings {
  std::vector<UsedOption> used;  ///< by precedence, the highest first
  std::vector<LeftOut> left_out;
  std::vector<std::string> remarks{};  ///< sentences about files that were read
  Diagnostics diagnostics{};           ///< errors: a project file that cannot be read; warnings
  bool operator==(const CompileSettings& other) const {
    return used == other.used && left_out == other.left_out && remarks == other.remarks;
  }

  /// All words for NVRTC but those of the launch header, in order.
  std::vector<std::string> words_beside_header() const;
  /// The architecture stated; empty: none.
  std::string architecture() const;
};

/// One list of two: `first` has precedence. An option of `second` that `first` gives, too, is left out.
CompileSettings merged(CompileSettings first, CompileSettings second);

/// Sentences for people: options from files that no command names, and options left out, one sentence for each origin.
std::vector<std::string> sentences(const CompileSettings& settings);

/// All options with their origins, one a line.
std::string table(const CompileSettings& settings);

/// "compile_commands.json line 3" of an option; "launch header line 4".
std::string place_words(Origin origin, const Place& place);

}  // namespace lanescope::options
