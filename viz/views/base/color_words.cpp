#include "viz/views/base/color_words.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/text.h"
#include "kernels/layout/assignment.h"
#include "viz/views/base/elements.h"

namespace lanescope::views {
namespace {

/// Whether a buffer has this axis, or this bit of one of its axes.
bool is_axis_or_bit(const std::vector<ElementReader>& readers, std::string_view word) {
  const layout::LogicalBit bit = layout::split_name(word);
  return std::ranges::any_of(readers, [&](const ElementReader& reader) {
    if (reader.find(word) >= 0) return true;
    const int axis = reader.find(bit.axis);
    return axis >= 0 && bit.bit >= 0 && bit.bit < static_cast<int>(std::bit_width(reader.extent(axis) - 1));
  });
}

}  // namespace

Diagnostics wrong_color_words(const Summary& summary, std::string_view color_by) {
  if (one_of(color_by, {"", "lane", "warp", "register"})) return {};
  const std::vector<ElementReader> readers = element_readers(summary);
  std::vector<std::string> axes;
  for (const ElementReader& reader : readers)
    for (int n = 0; n < reader.axes(); ++n)
      if (!reader.name(n).empty() && !one_of(reader.name(n), axes)) axes.push_back(reader.name(n));
  std::size_t words = 0;
  for (std::string_view rest = trimmed(color_by); !rest.empty(); ++words) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest = trimmed(rest.substr(word.size()));
    if (is_axis_or_bit(readers, word)) continue;
    return {{.message = fmt::format("there is no colour by '{}'", word),
             .remedy = axes.empty() ? std::string("colour by lane, warp or register")
                                    : fmt::format("colour by lane, warp or register, or by axes and bits such as {} "
                                                  "and {}0 (axes: {})",
                                                  axes.front(), axes.front(), fmt::join(axes, ", "))}};
  }
  if (words > 0) return {};
  return {{.message = "a colour of blanks names nothing", .remedy = "colour by lane, warp or register"}};
}

}  // namespace lanescope::views
