#include "app/cli/render/render.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "results/journey.h"
#include "viz/views/journey/journey.h"

namespace lanescope::cli {

Expected<engine::JourneyRequest> wanted_journeys(const results::Summary& s, const std::vector<std::string>& elements) {
  engine::JourneyRequest wanted;
  for (const std::string& text : elements) {
    const results::NamedElements named = results::read_elements(text);
    const auto buffer = std::ranges::find(s.buffers, named.buffer, &results::BufferInfo::name);
    if (named.buffer.empty() || buffer == s.buffers.end()) {
      std::vector<std::string> names;
      for (const auto& b : s.buffers) names.push_back(b.name + "[0]");
      return failure(
          {.file = s.file,
           .message = fmt::format("there is no element '{}'", text),
           .remedy = fmt::format("elements are written {}, or {}[0..7]; at most {} of them", fmt::join(names, ", "),
                                 s.buffers.empty() ? "p" : s.buffers.front().name, results::most_pins)});
    }
    if (named.last >= buffer->elements)
      return failure({.file = s.file,
                      .message = fmt::format("there is no element {}: `{}` has {} elements", named.last, buffer->name,
                                             buffer->elements),
                      .remedy = fmt::format("the last one is {}[{}]", buffer->name, buffer->elements - 1)});
    for (std::uint64_t e = named.first; e <= named.last; ++e)
      wanted.elements.push_back({static_cast<int>(buffer - s.buffers.begin()), e});
  }
  if (wanted.elements.empty() || wanted.elements.size() > results::most_pins)
    return failure({.file = s.file,
                    .message = fmt::format("{} elements are to be followed", wanted.elements.size()),
                    .remedy = fmt::format("name 1 to {}", results::most_pins)});
  return wanted;
}

Expected<Drawn> draw_journeys(engine::Engine& engine, const results::Summary& summary, const results::Moment& moment,
                              const RenderOptions& o) {
  std::vector<std::string> elements;
  for (std::size_t at = 0; at < o.of.size();) {
    const std::size_t end = std::min(o.of.find(',', at), o.of.size());
    elements.push_back(o.of.substr(at, end - at));
    at = end + 1;
  }
  const auto wanted = wanted_journeys(summary, elements);
  if (!wanted) return tl::unexpected(wanted.error());
  const auto journeys = engine.ask<engine::ask::Journeys>(*wanted);
  if (!journeys) return tl::unexpected(journeys.error());
  const views::JourneyOptions options{.width = o.width, .color_by = o.colour};
  views::Selection at;
  at.step = o.at.empty() ? -2 : moment.step;  // without --at none of the places is that of a moment
  return Drawn{.scene = views::journey_view(summary, *journeys, at, options, theme_of(o.theme)),
               .csv = views::journey_csv(summary, *journeys, options)};
}

}  // namespace lanescope::cli
