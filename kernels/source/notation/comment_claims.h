#pragma once
// Assignment comments as text: rows of the notation, groups of rows, and the prose that introduces them. No variable is
// looked up here.
//
// Rows on consecutive comment lines make one claim. The prose before them, back to the previous claim or the last code,
// is kept as sentences. A line `registers: x0 x1 x2 x3` whose first word is no logical bit but a variable of the file
// names the variables explicitly, and so does `[x0, x1]:` before a row. Rows below such names are written in the style of lists:
// where they do not name their physical bits, the least significant one is first.
//
// A row that cannot be read makes its claim unchecked; it is never an error. "or" between rows begins an alternative.
//
// A line with an arrow that is no row belongs to the claim whose rows it is next to, and so does a line that begins
// with a row's name: it is a row that cannot be read. A sentence that announces an assignment and is followed by such
// lines alone makes a claim without rows.

#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/layout/assignment.h"
#include "kernels/layout/claim_line.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/model/claim.h"

namespace lanescope::source {

/// A claim as its lines state it, before its variables are looked up.
struct TextClaim : Claim {
  std::string b_as_simd{};            ///< of read_as: bits called b are those of the register, nothing else being known
  std::uint32_t offset = 0, end = 0;  ///< of its rows in the file
  std::vector<std::string> sentences;  ///< before it, in text order
  std::vector<std::string> names;      ///< words of a `registers:` line; empty when there is none
  std::vector<UnreadRow> unread;       ///< such a claim cannot be checked: it is incomplete
  bool open_registers = false;         ///< the register row may have fewer bits, as many as the variable has registers
  bool says_all_axes = false;          ///< one place holds one element: no other axis is left open
  bool next_variable = false;          ///< it names none: the one that is declared next
  std::string not_judged;              ///< non-empty: it is read, but cannot be judged for this reason
};

struct CommentClaims {
  std::vector<TextClaim> claims;
  Diagnostics mistakes;  ///< rows that are written wrongly, as warnings; file name left empty
};

/// `is_variable`: whether a word names a variable anywhere in the file.
CommentClaims find_claims(const std::vector<CommentLine>& lines, auto is_variable,
                          const layout::Vocabulary& vocabulary = {});

namespace detail {
struct NameLine {
  bool is_one = false;
  std::vector<std::string> words;
  std::size_t end = 0;  ///< of `[x, y]:` in the line, after which a row follows; 0: the words are all of the line
};
/// `registers: x0 x1`, `[x0, x1]: lane <-> j0 j1` with any words.
NameLine read_name_line(std::string_view text);
CommentClaims collect_claims(const std::vector<CommentLine>& lines, const std::vector<NameLine>& names,
                             const layout::Vocabulary& vocabulary);
}  // namespace detail

CommentClaims find_claims(const std::vector<CommentLine>& lines, auto is_variable,
                          const layout::Vocabulary& vocabulary) {
  std::vector<detail::NameLine> names;
  for (const CommentLine& l : lines) {
    detail::NameLine n = detail::read_name_line(l.text);
    if (n.is_one) {
      const std::string& first = n.words.front();
      n.is_one = is_variable(first.substr(0, first.find_first_of(".[")));
    }
    names.push_back(std::move(n));
  }
  return detail::collect_claims(lines, names, vocabulary);
}

}  // namespace lanescope::source
