#pragma once
// Probes as text. A probe is a call of a template that copies a variable into words and emits, for each word,
//
//   // lanescope.probe <id> var=<v> off=<byte offset> size=<bytes of the variable> %r<n>
//
// into the PTX: a comment, no instruction. The template comes once, before the first code of the file, so that its
// includes stay the first thing the compiler sees and their precompiled form serves both variants.
//
// The only statement of a loop gets braces around itself and its probe: a piece of its own before it, with the probe's
// id.
//
// Every inserted piece starts a new line, names a reserved file by `#line`, and returns to the user's file, line and
// column. In a compiler's message the reserved file `lanescope-probe` carries the probe's id as line number, less one.
// The user's file has one name here, not its own: a name of letters that every compiler takes. The k-th header that was
// read with it has the same name with "-k" after it.

#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/cxx/structural_macros.h"
#include "kernels/source/model/claim.h"
#include "kernels/source/notation/comment_claims.h"

namespace lanescope::source {

// Where each claim is checked: the first point after its comment at which every variable it names is declared and
// assigned. A claim on variables that already have their values is checked right at the comment.

/// A probe and the token it follows. After the only statement of a loop it is in braces with that statement, so that it
/// records each iteration.
struct PlacedProbe {
  ProbePoint point;
  int token = 0;
  int brace_before = -1;           ///< braces begin before this token and end after the probe; -1: the probe needs none
  std::vector<std::string> names;  ///< of the variables, in the order of `point.variables`
};

struct Bound {
  std::vector<Claim> claims;
  std::vector<Variable> variables;
  std::vector<PlacedProbe> probes;  ///< claim probes first
};

/// `host`: for each function of the outline whether it was cut away as host code.
/// `parameters`: watch probes where device functions begin and end, too, of the arrays of registers that they get.
Bound bind_claims(const Lexed& lexed, const Outline& outline, const std::vector<TextClaim>& claims,
                  const std::vector<bool>& host, bool watch_probes, bool parameters = false);

inline constexpr std::string_view probe_file = "lanescope-probe";
inline constexpr std::string_view prologue_file = "lanescope-prologue";
inline constexpr std::string_view way_back_file = "lanescope/source";  ///< the user's own

/// `device_text` has the same offsets as the lexed text.
std::string probed_text(const Lexed& lexed, std::string_view device_text, const std::vector<PlacedProbe>& probes);

/// The same of one file among several, with its own lines. It does not contain probe_prologue().
std::string probed_part(const Lexed& lexed, const TextPart& part, std::size_t file, std::string_view device_text,
                        const std::vector<PlacedProbe>& probes);
std::string probe_prologue();

/// How a `#line` directive names the user's file, or one of the headers read with it.
std::string way_back_name(std::size_t file);

/// The probed text without the probes in `ids`, every other piece in its place.
std::string without_probes(std::string_view probed, const std::vector<int>& ids);

/// A piece of a text that is left out for the compiler. `stands_for` replaces it: "" nothing, ";" the end of a
/// declaration whose body it was.
struct TextCut {
  std::uint32_t begin = 0, end = 0;  ///< in the text without probes
  std::string_view stands_for = {};
};

/// The text of one file, probed or not, with these pieces and the probes in them blank, and everything else in its
/// place. #define, #undef and #include stay. `cuts`: in rising order; one may lie within another.
std::string without_cuts(std::string_view text, std::vector<TextCut> cuts);

std::string without_any_probe(std::string_view probed);

}  // namespace lanescope::source
