#include "app/gui/state/buffer_pages.h"

#include <algorithm>

#include "viz/views/buffers/buffers.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

/// Elements before the one gone to, so that it has something around it.
constexpr std::uint64_t lead_elements = 64;

}  // namespace

std::uint64_t page_elements(const App& app) { return std::max<std::uint64_t>(app.results.contents.count, 1); }

void go_to_element(App& app, int buffer, std::uint64_t element) {
  const std::uint64_t first = element < 2 * lead_elements ? 0 : element / lead_elements * lead_elements - lead_elements;
  app.shell.show_contents(buffer, first);
  const scene::Id id{.kind = scene::Id::Kind::buffer_element, .a = buffer, .b = static_cast<int>(element)};
  app.navigation.select(views::select(app.results.summary, app.results.moment, id, app.navigation.selection));
}

void turn_page(App& app, int by) {
  const std::uint64_t page = page_elements(app), first = app.results.contents.first;
  const std::uint64_t last = app.results.contents.elements - std::min(app.results.contents.elements, page);
  app.shell.show_contents(app.results.contents.buffer,
                          by > 0 ? std::min(first + page, last) : first - std::min(first, page));
}

std::string refusal_of_page(const App& app, int by) {
  const results::Contents& c = app.results.contents;
  if (c.buffer < 0) return "No elements are shown. Open the panel Buffers first.";
  if (by > 0 && c.first + c.count >= c.elements) return "These are the last elements of " + c.name + ".";
  if (by < 0 && c.first == 0) return "These are the first elements of " + c.name + ".";
  return {};
}

void turn_buffer(App& app, int by) {
  const int count = static_cast<int>(app.results.summary.buffers.size());
  if (count == 0) return;
  app.shell.show_contents((std::max(app.results.contents.buffer, 0) + by + count) % count, 0);
}

ElementPlace first_difference(const App& app) {
  const results::Measured& measured = app.measurements.last;
  const std::int64_t here = views::first_difference(app.results.contents, measured);
  if (app.results.contents.buffer >= 0 && here >= 0)
    return {app.results.contents.buffer, static_cast<std::uint64_t>(here)};
  for (int row = 0; row < static_cast<int>(measured.buffers.size()); ++row) {
    const results::BufferComparison& b = measured.buffers[static_cast<std::size_t>(row)];
    const int buffer = views::buffer_of_row(app.results.summary, measured, row);
    if (b.different > 0 && buffer >= 0) return {buffer, b.first};
  }
  return {};
}

std::string refusal_of_difference(const App& app) {
  if (first_difference(app).buffer >= 0) return {};
  if (!views::compared(app.results.contents) && app.measurements.last.buffers.empty())
    return "There are no GPU results. Run \"Compare with the GPU\" first.";
  if (app.measurements.last.buffers.empty())
    return "GPU and emulator have equal values in all elements of " + app.results.contents.name + ".";
  return "GPU and emulator have equal values in all elements of all buffers.";
}

}  // namespace lanescope::gui
