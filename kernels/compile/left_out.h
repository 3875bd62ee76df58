#pragma once
// What a compile can do without. A kernel that compiles without it is still a kernel; what was left out is said.
//
//   a header that is nowhere                             answered with nothing, but where its text is a piece of code
//   a declaration with an error that no launch needs     goes, in the file and in its headers
//   the body of a function with an error in it           goes, and the function is declared only: the compiler refuses a
//                                                        kernel that calls it, so that nothing is lost without a word
//   a header of somebody else's with an error in it      its #include is answered with nothing
//
// "Needs" is queried by name (kernels/source/model/part.h), so a name that is mentioned keeps all that it may mean.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/texts.h"
#include "kernels/source/source.h"

namespace lanescope::compile {

class LeftOut {
 public:
  explicit LeftOut(const source::Source& source);

  /// Looks at the errors of one attempt. False when nothing more can be left out; else `texts`, `headers` have changed.
  /// `folders`: those of -I, the toolkit's among them. `headers`: names of includes that are answered with nothing.
  bool less(const Diagnostics& errors, const std::vector<std::filesystem::path>& folders, Texts& texts,
            std::set<std::string>& headers);

  Diagnostics notes() const;  ///< what was left out of a compile that succeeded
  /// The errors of a compile that still failed, and those of what was left out before: in place of an error that
  /// only says that something is missing stands the one for which it went.
  Diagnostics explained(Diagnostics errors) const;

 private:
  struct Place {
    std::size_t file = 0;              ///< into Source::lines
    std::uint32_t begin = 0, end = 0;  ///< of the mistake, else of its line, in the text of all files
  };
  using Folders = std::vector<std::filesystem::path>;
  bool leave_headers(const Diagnostics& errors, const Folders& folders, std::set<std::string>& headers);
  bool leave_parts(const Diagnostics& errors, Texts& texts);
  bool leave_includes(const Diagnostics& errors, const Folders& folders, std::set<std::string>& headers);
  std::vector<std::string> includes_of(const std::string& header, const Folders& folders, bool& within_code) const;
  bool is_in_code(std::uint32_t offset) const;
  std::optional<Place> place_of(const Diagnostic& error) const;
  std::size_t file_of(std::uint32_t offset) const;
  std::uint32_t begin_of(std::size_t file) const;
  int innermost(const Place& place) const;
  bool leave(int part, const Place& place, const Diagnostic& error);
  void cut(int part, bool body_only, const Diagnostic& error);

  const source::Source& source_;
  std::vector<std::string> roots_;
  std::vector<bool> needed_;
  enum class Left : std::uint8_t { nothing, body, all };
  struct Reason {
    Left left = Left::nothing;
    Diagnostic error;
  };
  std::vector<Reason> reasons_;                               ///< by part
  std::vector<std::pair<int, Left>> fresh_;                   ///< parts that went in this round
  std::vector<std::pair<Diagnostic, std::string>> includes_;  ///< left out, each with the error that it brought
  Diagnostics missing_;
  int rounds_ = 0;
};

}  // namespace lanescope::compile
