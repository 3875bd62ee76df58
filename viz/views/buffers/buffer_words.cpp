// Words about the contents of a buffer, apart from their drawing.

#include <algorithm>

#include <fmt/format.h>

#include "viz/views/base/csv.h"
#include "viz/views/base/elements.h"
#include "viz/views/buffers/buffers.h"

namespace lanescope::views {

const std::string& value_of(const Contents& c, std::uint64_t n) {
  static const std::string none;
  for (const std::vector<std::string>* column : {&c.emulated, &c.gpu, &c.before})
    if (n < column->size()) return (*column)[n];
  return none;
}

const BufferComparison* comparison_of(const Contents& c, const Measured& m) {
  const auto at = std::find_if(m.buffers.begin(), m.buffers.end(), [&](const auto& b) { return b.name == c.name; });
  return at == m.buffers.end() ? nullptr : &*at;
}

std::string comparison_text(const BufferComparison& b) {
  if (b.different == 0) return "equal";
  return fmt::format("{} of {} {}, first at {}", spaced(b.different), counted(b.elements, "element"),
                     b.different == 1 ? "differs" : "differ", spaced(b.first));
}

bool compared(const Contents& c) { return !c.emulated.empty() && !c.gpu.empty(); }

bool differs(const Contents& c, std::uint64_t n) {
  if (n >= c.emulated.size() || n >= c.gpu.size()) return false;
  // Two NaNs of different bits have the same words; the first difference is known by its number.
  return c.emulated[n] != c.gpu[n] || (c.different > 0 && static_cast<std::int64_t>(c.first + n) == c.first_different);
}

bool changed(const Contents& c, std::uint64_t n) { return n < c.before.size() && c.before[n] != value_of(c, n); }

std::int64_t first_difference(const Contents& c, const Measured& m) {
  if (compared(c)) return c.different > 0 ? c.first_different : -1;
  const BufferComparison* b = comparison_of(c, m);
  return b != nullptr && b->different > 0 ? static_cast<std::int64_t>(b->first) : -1;
}

int buffer_of_row(const Summary& summary, const Measured& measured, int row) {
  if (row < 0 || row >= static_cast<int>(measured.buffers.size())) return -1;
  const std::string& name = measured.buffers[static_cast<std::size_t>(row)].name;
  for (std::size_t n = 0; n < summary.buffers.size(); ++n)
    if (summary.buffers[n].name == name) return static_cast<int>(n);
  return -1;
}

std::string buffers_tooltip(const Summary& summary, const Contents& contents, const Measured& measured, const Id& id) {
  if (id.kind == Id::Kind::access_lane && measured.trace && measured.trace->pair)
    return lane_tooltip(*measured.trace->pair, id);
  if (id.kind == Id::Kind::buffer_row && id.a >= 0 && id.a < static_cast<int>(measured.buffers.size())) {
    const BufferComparison& b = measured.buffers[static_cast<std::size_t>(id.a)];
    std::string words = b.name + ": " + comparison_text(b);
    if (b.different > 0) words += fmt::format("\nfirst mismatch: {} in the emulator, {} on the GPU", b.emulator, b.gpu);
    return words;
  }
  if (id.kind != Id::Kind::buffer_element || id.a != contents.buffer || id.b < 0) return {};
  const auto element = static_cast<std::uint64_t>(id.b);
  if (element < contents.first || element - contents.first >= contents.count) return {};
  const std::uint64_t n = element - contents.first;
  std::string words = element_place(summary, id.a, element) + "\n" + contents.element_type;
  if (n < contents.before.size()) words += fmt::format(": {} before the launches", contents.before[n]);
  if (n < contents.emulated.size())
    words += fmt::format("{} {} after them{}", n < contents.before.size() ? "," : ":", contents.emulated[n],
                         n < contents.before.size() && !changed(contents, n) ? " (unchanged)" : "");
  if (n < contents.gpu.size() && !compared(contents))
    words += fmt::format("{} {} after them on the GPU", n < contents.before.size() ? "," : ":", contents.gpu[n]);
  else if (n < contents.gpu.size())
    words += differs(contents, n) ? fmt::format("\n{} on the GPU: differs", contents.gpu[n]) : "\nthe same on the GPU";
  return words;
}

std::string buffers_csv(const Summary& summary, const Contents& contents) {
  csv::Table table({"buffer", "element", "indices", "before", "emulated", "gpu", "different"});
  const bool known = contents.buffer >= 0 && contents.buffer < static_cast<int>(summary.buffers.size());
  const ElementReader reader(known ? summary.buffers[contents.buffer] : BufferInfo{});
  const auto at = [](const std::vector<std::string>& column, std::uint64_t n) {
    return n < column.size() ? std::string_view(column[n]) : std::string_view();
  };
  for (std::uint64_t n = 0; n < contents.count; ++n) {
    const std::uint64_t element = contents.first + n;
    std::string indices;
    for (int axis = 0; axis < reader.axes(); ++axis)
      indices += fmt::format("{}{}", axis == 0 ? "" : " ", reader.coordinate(element, axis));
    const std::string_view different = !compared(contents) ? "" : differs(contents, n) ? "true" : "false";
    table.row(contents.name, element, indices, at(contents.before, n), at(contents.emulated, n), at(contents.gpu, n),
              different);
  }
  return table.text();
}

}  // namespace lanescope::views
