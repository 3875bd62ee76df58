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

}  // namespace lanescope::views
