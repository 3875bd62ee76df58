#pragma once
// Counts by line: one value per line of the source (or per instruction) of any counter, with its share of the
// largest, a colour and the text of its column. The source panel paints these beside its lines; heat_view is the same
// as a picture.

#include <span>

#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct HeatCell {
  int line = 0;  ///< or pc
  double value = 0;
  double share = 0;     ///< of the largest, 0..1
  Color fill{}, ink{};  ///< of a box and of the text on it
  std::string words;    ///< "16 384", "12.5"
  std::string place{};  ///< "device_part.hpp:4" of a header's line; empty: `line`
};
struct HeatColumn {
  std::string counter, title, unit;  ///< "global_sectors", "sectors", "sectors"
  double total = 0;                  ///< of a ratio: that of the whole run
  double most = 0;
  bool ratio = false;           ///< lines do not add up to the total
  std::vector<HeatCell> cells;  ///< ascending line; lines whose value is 0 are left out
  const HeatCell* at(int line) const;
  int widest_columns() const;  ///< characters of the longest text
};

/// A counter with a name in `heat`.
struct HeatCounter {
  std::string_view name, title, unit;
  bool ratio = false;
  double (*value)(const LineCounters&);
};
std::span<const HeatCounter> heat_counters();

/// Per line of the source; no cells for a name that is unknown.
HeatColumn heat(const Summary&, std::string_view name, const Theme&);
/// Per instruction of the plain program, by pc; from Summary::pc_counters.
HeatColumn heat_by_pc(const Summary&, std::string_view name, const Theme&);
/// Any values, measured ones for instance.
struct LineValue {
  int line = 0;
  double value = 0;
};
HeatColumn heat(std::span<const LineValue> values, std::string title, std::string unit, const Theme&);

struct HeatOptions {
  float width = 0;
  int most_rows = 24;
  bool by_value = false;  ///< largest first instead of by line
};
/// `lines_of_text`: the source, line 1 first; may be empty.
scene::Scene heat_view(const HeatColumn& column, std::span<const std::string> lines_of_text, const Selection&,
                       const HeatOptions&, const Theme&);

std::string to_csv(const HeatColumn& column);

// The PTX: instructions with their source lines and counts, and the position of the moment. The plain program is shown,
// which a GPU runs and which counters are about. A moment belongs to the instrumented program; its position is the
// corresponding instruction (Summary::plain_pcs).

/// The program of ptx_view: the plain one, or the instrumented one if only that ran.
const std::vector<trace::CodeSite>& ptx_code(const Summary&);
/// Of a sum or difference that ptxas makes one fma with a product: a sentence about its result; else empty.
std::string contraction_words(const std::vector<trace::CodeSite>&, int pc);
/// The row of a moment: its instruction, or the last one before it, of the same line, that the shown program has.
/// -1: none (before the first step, or a line whose instructions all differ).
int ptx_row_of(const Summary&, const Moment&);

struct PtxOptions {
  float width = 0;
  int first = -1;  ///< pc of the first row; -1: so that the moment's instruction is in the middle
  int most_rows = 28;
  std::string counter = "instructions";  ///< of heat_counters(); "" or no Summary::pc_counters: no column
};
/// Rows of the selected line have a bar at the left and their number in the accent colour; the row of the moment is
/// labelled "now".
scene::Scene ptx_view(const Summary&, const Moment&, const Selection&, const PtxOptions&, const Theme&);

}  // namespace lanescope::views
