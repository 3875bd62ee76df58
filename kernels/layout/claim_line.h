#pragma once
// One line of a comment as people write register assignments, beyond the forms of `parse`:
//
//   b1 b0 <-> k1 k0     r <-> i            several assignments, separated by blanks, commas, semicolons or bars
//   l4 .. l0 <-> j4 ... j0                  ranges; lanes called l; also t[4:0]
//   t3 t4 <-> i1 i2                         some bits of a row, in any order
//   register (r1 r0): j3 j2                 names in parentheses
//   j3 j2 <-> r1 r0                         the logical side on the left
//   warp <-> i      r <-> i1 i0             whole rows
//   w0* <-> i2'                             marks, when the file says what they mean
//
// The vocabulary of a file has the meaning of its letters, axes and marks. A line is read alone here; `assemble`
// combines the lines of one claim.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/layout/assignment.h"

namespace lanescope::layout {

/// The meaning of a mark after a bit, from a comment: "* marks the spectators", "w0* counts to 3".
struct MarkMeaning {
  bool spectator = false;
  int counts_to = 0;  ///< number of values; 0: not a count
  int line = 0;       ///< of the comment
};

struct SaidLetter {
  Place place = Place::simd;
  int line = 0;  ///< of the comment
};

/// "m2" is another name for "j4". From `from_line` on.
struct Renamed {
  Term bits;
  int from_line = 0;
};

struct KnownAxis {
  std::uint64_t extent = 0;  ///< elements; 0: not known
  int element_bits = 0;      ///< of the smallest elements with this axis; 0: not known
  int line = 0;              ///< of the comment that states the extent; 0: the launch header does
  int column = 0;
  bool in_header = false;
};

/// The meaning of the names of a file.
struct Vocabulary {
  std::map<std::string, SaidLetter, std::less<>> letters;  ///< "l" -> thread, in lower case
  std::map<std::string, KnownAxis, std::less<>> axes;
  std::map<std::string, Renamed, std::less<>> renamed;  ///< by the other name's bit: "m2"
  std::map<char, MarkMeaning> marks;                    ///< '*', '\''
  std::optional<std::array<std::uint32_t, 3>> block;    ///< threads of a block in x, y, z, if the header has it
  std::uint64_t blocks = 0;                             ///< of the launch, if the header has it; 0: not known
  std::string register_letter;                          ///< base name of the variable: "V" in `V1 V0`
  bool least_first = false;                             ///< in rows that do not name their physical bits
};

/// A physical bit as written, before the rows of its claim are put together.
struct LineBit {
  PhysicalBit bit;
  Term term;
  std::size_t physical_at = npos, logical_at = npos;  ///< in the line; npos: not written
  bool bare_b = false;  ///< `b` without a row's name: a bit of the register, or one of the block
  int dimension = -1;   ///< of `wx wy wz`: 0 1 2; `bit.index` counts within it
  char mark = '\0';     ///< after the physical or the logical bit
  std::string written;  ///< the physical side: "w0*"; the row's name where it is not written
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

struct LineReading {
  enum class Kind : std::uint8_t {
    none,    ///< no row
    rows,    ///< rows
    weak,    ///< rows where the lines around it are some, or an assignment is announced; else prose: "r <-> i"
    broken,  ///< meant as a row, but `problems` say why it is none
  };
  Kind kind = Kind::none;
  std::vector<LineBit> bits;
  std::vector<std::pair<Place, std::size_t>> single;  ///< rows of one place only ("simd: -") and where they are
  std::vector<std::string> assumed;
  Diagnostics problems;  ///< on line 1; columns in the line, 1-based
};

/// `line` is without its comment marker. Never longer than `longest_line`; longer ones are no rows.
LineReading read_line(std::string_view line, const Vocabulary& vocabulary);
inline constexpr std::size_t longest_line = 1000;

/// Of a line that begins with a row's name: whether words of plain English follow, three or more, and no number.
bool reads_as_prose(std::string_view line);

/// Bits of all lines of one claim.
struct LinesOfClaim {
  struct Entry {
    LineBit bit;
    int line = 0, column = 0;  ///< of the line's text
  };
  std::vector<Entry> bits;
  std::vector<std::pair<Place, int>> single;  ///< rows of one place, and their lines
};

struct Assembled {
  Assignment assignment;
  std::vector<std::size_t> order;                             ///< [n]: index in `final_bits` of entry n of the input
  std::vector<PhysicalBit> final_bits;                        ///< of each entry
  std::vector<std::string> assumed;                           ///< in sentences
  std::map<std::string, std::uint64_t, std::less<>> extents;  ///< of axes that a marked bit makes count: i -> 12
  std::string b_as_simd{};                                    ///< of `assumed`: bare `b` bits are those of the register
  struct Problem {
    int line = 0, column = 0;
    std::string message, remedy;
    char unexplained_mark = '\0';
  };
  std::vector<Problem> problems;  ///< then `assignment` is of no use
};
Assembled assemble(const LinesOfClaim& lines, const Vocabulary& vocabulary);

/// The first mistake in a comment line that is to be one row.
struct LineMistake {
  enum class What { no_row, misspelt, broken };  ///< misspelt: no row, but its name is nearly that of one
  What what = What::broken;
  Diagnostic diagnostic;  ///< column in the line, from 1
};
std::optional<LineMistake> mistake_in(std::string_view line);

// The words of one side of a row as people write them: ranges written out, brackets and marks taken off. Used by
// `read_line` only.

struct SideItem {
  std::string text;                 ///< "j4", "i5+i0", "[unused]"
  std::size_t at = 0;               ///< in the line; for bits of a range, that of the dots
  std::size_t gap = 0;              ///< blanks before it
  bool comma = false, bar = false;  ///< before it
  char mark = '\0';
  bool written = true;  ///< false: implied by a range
};

struct Side {
  std::vector<SideItem> items;
  bool ranged = false;  ///< a range, a mark or a bracket was read
  std::string problem;  ///< non-empty: why it cannot be read
  std::size_t problem_at = 0;
};

/// At most `most_items`. `offset` is that of `side` in its line.
Side side_items(std::string_view side, std::size_t offset);
inline constexpr std::size_t most_items = 64;

/// A physical bit, or a whole row of them.
struct Physical {
  Place place = Place::simd;
  int index = -1;      ///< -1: the whole row
  int dimension = -1;  ///< of `wx wy wz`
  bool bare_b = false;
  bool letter = true;  ///< one letter, not a row's name
};
/// "r1", "l", "wx0", "lane4", "warp"; the vocabulary takes precedence. `row`: the row that the line names.
std::optional<Physical> physical(std::string_view word, const Vocabulary& vocabulary, std::optional<Place> row);

/// The row that a word names: those of the notation, and "byte", "laneId", "cta".
std::optional<Place> row_named(std::string_view word);

// The words of one row of the notation: the meaning or the error of each. Used by the parser only.

/// One word of a row's right-hand side: a term, or a problem with a likely correction.
struct Word {
  std::string_view text;
  std::size_t offset = 0;      ///< of `text` in the line
  std::optional<Term> term;    ///< nullopt when the word is no term
  std::size_t bad_offset = 0;  ///< of the part that is wrong, in the line
  std::string problem;         ///< "`10` is not a logical bit"
  std::string remedy;          ///< "did you mean `i0`?"
  bool misspelt = false;       ///< the remedy names the word that is meant
  /// How much a word looks like notation; later ones less. A name without a digit ("ReIm", "pol") may as well be plain
  /// English; `english` is a word that certainly is ("and").
  enum class Look { notation, perhaps, prose, english } look = Look::prose;
};

/// Splits at blanks and commas; blanks around `+` and `^` join. `offset` is that of `side` in its line.
std::vector<Word> read_words(std::string_view side, std::size_t offset);

/// "register", "Lanes": the row that a word names.
std::optional<Place> row_called(std::string_view name);

bool same_word(std::string_view a, std::string_view b);  ///< ASCII, case-insensitive
std::string_view trim(std::string_view s, std::size_t& offset);
/// Number of single-character edits between two words, case-insensitive.
int edit_distance(std::string_view a, std::string_view b);

}  // namespace lanescope::layout
