#pragma once
// Parts that a compile can leave out. Each part that was left out is reported.
//
//   a header that is not found                           replaced by an empty one, unless its text is a piece of code
//   a declaration with an error that no launch needs     is removed, in the file and in its headers
//   the body of a function with an error in it           is removed, and the function is declared only: the compiler refuses a
//                                                        kernel that calls it, so that no loss is silent
//   a foreign header with an error in it                 its #include is replaced by an empty text
//
// "Needs" is decided by name (kernels/source/model/part.h): a name that is mentioned keeps all declarations that it may
// mean.

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

  Diagnostics notes() const;  ///< the parts left out of a compile that succeeded
  /// The errors of a compile that still failed; an error about a part that is missing is replaced by the one for which
  /// the part was removed.
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
  std::vector<std::pair<int, Left>> fresh_;                   ///< parts removed in this round
  std::vector<std::pair<Diagnostic, std::string>> includes_;  ///< left out, each with the error that it brought
  Diagnostics missing_;
  int rounds_ = 0;
};

}  // namespace lanescope::compile
