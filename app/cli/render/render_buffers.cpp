// What a buffer holds before and after the launches, beside what a GPU left in it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/render/render.h"
#include "viz/views/buffers/buffers.h"

namespace lanescope::cli {
namespace {

/// -1 where none is named: the engine shows the one that shows most.
Expected<int> buffer_named(const results::Summary& summary, const std::string& name) {
  if (name.empty()) return -1;
  const auto found = std::ranges::find(summary.buffers, name, &results::BufferInfo::name);
  if (found != summary.buffers.end()) return static_cast<int>(found - summary.buffers.begin());
  std::vector<std::string> names;
  for (const results::BufferInfo& b : summary.buffers) names.push_back(b.name);
  return failure(Diagnostic{.file = summary.file,
                            .message = fmt::format("there is no buffer '{}'", name),
                            .remedy = fmt::format("the buffers are {}", fmt::join(names, ", "))});
}

Expected<results::Measured> compared(const engine::RunResult& result, const RenderOptions& o) {
  return o.measured.empty() ? result.hardware : measured_kernel(o.measured.front(), result.summary);
}

}  // namespace

Expected<Drawn> draw_buffers(engine::Engine& engine, const engine::RunResult& result, const results::Moment& moment,
                             const RenderOptions& o) {
  const results::Summary& summary = result.summary;
  const auto buffer = buffer_named(summary, o.buffer);
  if (!buffer) return tl::unexpected(buffer.error());
  const auto measured = compared(result, o);
  if (!measured) return tl::unexpected(measured.error());
  const auto contents = engine.ask<engine::ask::Contents>({.buffer = *buffer, .first = o.from, .count = o.count});
  if (!contents) return tl::unexpected(contents.error());
  if (contents->buffer >= 0 && o.from >= contents->elements)
    return failure(Diagnostic{.file = summary.file,
                              .message = fmt::format("{} has no element {}", contents->name, o.from),
                              .remedy = fmt::format("it has {} elements, from 0", contents->elements)});
  // Without --at the moment is the end of the block, whose last access is of no interest here.
  const results::Moment shown = o.at.empty() ? results::Moment{} : moment;
  return Drawn{
      .scene = views::buffers_view(summary, shown, *contents, *measured, {}, {.width = o.width}, theme_of(o.theme)),
      .csv = views::buffers_csv(summary, *contents)};
}

}  // namespace lanescope::cli
