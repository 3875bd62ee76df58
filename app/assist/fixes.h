#pragma once
// Fixes by one click for a problem of a line: of a claim, of a finding.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/convert/cuda_text.h"
#include "kernels/convert/planner.h"
#include "kernels/layout/assignment.h"
#include "kernels/source/model/claim.h"
#include "results/summary.h"

namespace lanescope::assist {

struct Fix {
  std::string title;   ///< "Write the true assignment"
  std::string effect;  ///< on the text, one sentence
  std::string text;    ///< the whole text afterwards
};

/// Of a line (from 1) of the text of the run. The best fix is first; allowing and expecting are last.
std::vector<Fix> fixes_at(std::string_view text, int line, const results::Summary& summary);

// The second fix of a claim that differs: a conversion in front of it changes the code instead of the comment.

/// A conversion put into a text.
struct InsertedConversion {
  std::string text;      ///< the whole text afterwards
  std::string function;  ///< its name
  std::string cost;      ///< "2 shuffles, 6 selects"
};

/// The text of the kernel with a function that brings the variable of a claim from its actual assignment to the stated
/// one, and with its call before the comment. nullopt where no claim differs there with a known assignment, where its
/// registers are not single 32-bit words of known names or are written only after the comment, and where elements would
/// have to move between blocks. The next run judges the inserted code, like any text.
std::optional<InsertedConversion> with_conversion(std::string_view text, const results::ClaimInfo& claim,
                                                  const results::Summary& summary);

// Assignment comments written into a text.

/// The text with the rows of a claim, on its lines in this text, replaced by those of `actual`, each after what stood
/// before the first row.
std::string with_true_rows(std::string_view text, const source::Claim& claim, const layout::Assignment& actual);

/// The line (from 1) on which the statement that begins on `line` ends, at most 20 lines further; `line` where it
/// begins none.
int end_of_statement(std::string_view text, int line);

/// The text with an assignment comment of `name` after the statement that begins on `line` (from 1).
std::string with_comment(std::string_view text, int line, const std::string& name, const layout::Assignment& actual);

// A conversion of the planner as functions of a kernel file, and the call of it on named registers.

/// Registers that a call names one by one at most; an array of more is passed whole.
inline constexpr std::size_t most_named_registers = 16;

/// Registers as arguments of a call: "x0, x1", or a whole array.
struct CalledRegisters {
  std::vector<std::string> names;  ///< of single 32-bit words: "x0", "a[2]", "v.x"
  std::string array;               ///< empty: they are named one by one
};
/// nullopt: there are too many to be named, and they are no array.
std::optional<CalledRegisters> called_registers(std::vector<std::string> names);

/// `base`, or `base` with a number after it, that does not occur in the text.
std::string free_name(std::string_view text, const std::string& base);
/// "x0" with everything replaced that cannot be part of a name.
std::string as_name(std::string_view words);

/// Line (from 0) before which a function can be inserted so that line `inside` (from 0) may call it; comments directly
/// above the function of that line stay with it.
std::optional<std::size_t> function_line(const std::vector<std::string_view>& lines, std::size_t inside);

/// The fastest plan; inside a warp one by shuffles where there is any, because each warp would need shared memory of
/// its own. -1: there is none.
int plan_to_call(const convert::Planned& planned);

/// The planner's function and after it one of the same name that works on registers: in place where `to` is nullptr.
/// `reinterpreted`: the words of both sides are of different types of 4 bytes.
std::string conversion_functions(const std::string& name, const convert::Conversion& conversion,
                                 const CalledRegisters& from, const CalledRegisters* to, bool reinterpreted);
/// "name(x0, x1, y0, y1)"
std::string call_of(const std::string& name, const CalledRegisters& from, const CalledRegisters* to);

/// White space in front of a line.
std::string indentation_of(std::string_view line);
/// Whether nothing but (a part of) a comment is on this line.
bool is_comment_line(std::string_view line);
/// Line (from 0) where the comment around line `row` (from 0) begins.
std::size_t comment_begin(const std::vector<std::string_view>& lines, std::size_t row);
/// Lines of an assignment comment about `name`, without their ends.
std::vector<std::string> comment_lines(const std::string& indentation, const std::string& name,
                                       const layout::Assignment& assignment);

// A planned conversion inserted into a kernel at the caret: its function, a call, and the comment on the result.

struct ConversionAt {
  std::string text;      ///< the whole text afterwards
  std::string function;  ///< its name
  std::string variable;  ///< the converted variable; empty: none fits, and the call is only described in a comment
  int line = 0;          ///< of the call, from 1
};

/// The arguments are registers of the kernel before `line` (from 1): those whose claim states the source, else those
/// named `preferred`, else others of the same number. They are changed in place where source and destination have as
/// many registers; else the result is an array. Errors: no place for a statement follows the line.
Expected<ConversionAt> conversion_at(std::string_view text, int line, const std::string& name,
                                     const convert::Conversion& conversion, const results::Summary* summary,
                                     const std::string& preferred);

}  // namespace lanescope::assist
