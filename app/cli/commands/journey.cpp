// Journeys of elements as text and JSON.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/cli/answers/problems.h"
#include "app/cli/commands/commands.h"
#include "app/cli/render/render.h"
#include "kernels/base/json_fields.h"
#include "viz/views/base/elements.h"
#include "viz/views/journey/journey.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;
using results::Journey;
using results::JourneyPlace;
using results::Station;

json place_json(const results::Summary& s, const Journey& j, const JourneyPlace& p) {
  json out = fields("words", views::place_words(s, j, p));
  switch (p.kind) {
    case JourneyPlace::Kind::buffer:
      out["memory"] = "global", out["byte"] = p.byte;
      if (p.buffer >= 0) out["buffer"] = s.buffers[static_cast<std::size_t>(p.buffer)].name, out["element"] = p.element;
      break;
    case JourneyPlace::Kind::shared:
      out["memory"] = "shared", out["byte"] = p.byte, out["bank"] = p.byte / 4 % 32;
      break;
    case JourneyPlace::Kind::local:
      out["memory"] = "local", out["byte"] = p.byte, out["warp"] = p.warp, out["lane"] = p.lane;
      break;
    case JourneyPlace::Kind::register_:
      out["register"] = p.name, out["part"] = p.part, out["warp"] = p.warp, out["lane"] = p.lane;
      break;
  }
  return out;
}

json station_json(const results::Summary& s, const Journey& j, const Station& x, std::uint64_t first_step) {
  json out = fields("place", place_json(s, j, x.place), "exact", x.exact);
  const auto step = [&](std::int64_t n) { return n + static_cast<std::int64_t>(first_step); };
  if (x.step >= 0) out["step"] = step(x.step), out["warp"] = x.warp, out["lane"] = x.lane;
  if (x.until >= 0) out["until"] = step(x.until);
  if (x.line > 0) put_line(out, s.lines, x.line);
  if (!x.exact && x.count != ~0u) out["elements"] = x.count;
  for (const results::Hop& h : x.hops) {
    json hop = fields("words", views::hop_name(h), "step", step(h.step));
    if (h.line > 0) put_line(hop, s.lines, h.line);
    if (h.from_lane >= 0) hop["from_lane"] = h.from_lane;
    if (h.lane >= 0) hop["lane"] = h.lane;
    out["moved_by"].push_back(std::move(hop));
  }
  return out;
}

json journey_json(const results::Summary& s, const results::Journeys& all, const Journey& j) {
  json out = fields("element", views::tag_text(s, j.buffer, j.element), "stations", j.stations.size());
  if (!j.refused.empty()) return fields("element", out["element"], "refused", j.refused);
  out["path"] = json::array(), out["arrivals"] = json::array();
  for (const std::int32_t at : views::shown_path(j, 0))
    out["path"].push_back(station_json(s, j, j.stations[static_cast<std::size_t>(at)], all.first_step));
  for (const std::int32_t at : j.arrivals) {
    const Station& x = j.stations[static_cast<std::size_t>(at)];
    json one = fields("step", static_cast<std::uint64_t>(x.step) + all.first_step, "exact", x.exact);
    if (x.place.buffer >= 0)
      one["buffer"] = s.buffers[static_cast<std::size_t>(x.place.buffer)].name, one["element"] = x.place.element;
    out["arrivals"].push_back(std::move(one));
  }
  put_known(out, "cut", j.cut, "accessed_by_blocks", j.blocks);
  return out;
}

void print_journey(std::string& text, const results::Summary& s, const results::Journeys& all, const Journey& j) {
  text += views::element_place(s, j.buffer, j.element) + fmt::format(", block {}\n", all.block);
  const std::vector<std::int32_t> path = views::shown_path(j, 0);
  for (const std::int32_t at : path) {
    const Station& x = j.stations[static_cast<std::size_t>(at)];
    const std::string step = x.step < 0 ? "-" : std::to_string(static_cast<std::uint64_t>(x.step) + all.first_step + 1);
    const std::string value = views::value_words(x), hops = views::hops_words(s, x);
    text += fmt::format("  {:>8}  {}{}{}\n", step, views::place_words(s, j, x.place), value.empty() ? "" : ": " + value,
                        hops.empty() ? "" : "  (" + hops + ")");
  }
  if (j.stations.size() > path.size())
    text += fmt::format("  {} beside the way shown\n",
                        j.stations.size() - path.size() == 1
                            ? "1 other place"
                            : fmt::format("{} other places", j.stations.size() - path.size()));
  if (const std::string remark = views::journey_remark(s, all, j); !remark.empty()) text += "  " + remark + "\n";
}

/// Blocks that are recorded one after the other for elements that the first one does not access.
constexpr std::size_t most_blocks = 8;

struct Recorded {
  results::Summary summary;
  results::Journeys journeys;
  std::map<std::size_t, std::size_t> of{};  ///< index among the elements requested: index in `journeys`
};

/// Records the blocks that access what the recorded one does not, each once.
std::vector<Recorded> elsewhere_in(engine::Engine& engine, engine::RunRequest request, const results::Journeys& first) {
  std::map<std::uint32_t, std::vector<std::size_t>> asked;
  for (std::size_t n = 0; n < first.all.size(); ++n)
    if (first.all[n].stations.empty() && !first.all[n].blocks.empty()) asked[first.all[n].blocks.front()].push_back(n);
  std::vector<Recorded> out;
  for (const auto& [block, elements] : asked) {
    if (out.size() >= most_blocks) break;
    request.record_block = block;
    const engine::RunResult result = engine.run(request);
    if (!result.summary.ok || result.summary.recorded_block != block) continue;
    engine::JourneyRequest wanted;
    Recorded one{.summary = result.summary};
    for (const std::size_t n : elements) {
      one.of[n] = wanted.elements.size();
      wanted.elements.push_back({first.all[n].buffer, first.all[n].element});
    }
    auto journeys = engine.ask<engine::ask::Journeys>(wanted);
    if (!journeys) continue;
    one.journeys = std::move(*journeys);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

int journey(const JourneyOptions& options) {
  Opened opened = open(options);
  Answer answer = refused_answer(opened, options.file);
  if (opened.refused) return print(answer, options.json);
  opened.request.record_block = options.block.value_or(0);
  const auto engine = engine_for(options);
  const engine::RunResult result = engine->run(opened.request);
  answer.status = status_of(result.ending);
  answer.add(result.summary.diagnostics);
  add_run(answer.json, result.summary);
  if (!result.summary.ok) return print(answer, options.json);
  const auto wanted = wanted_journeys(result.summary, options.elements);
  if (!wanted) return print(answer.refuse(wanted.error()), options.json);
  const auto journeys = engine->ask<engine::ask::Journeys>(*wanted);
  if (!journeys) return print(answer.refuse(journeys.error(), not_here), options.json);
  put_fields(answer.json, "block", journeys->block, "journeys", json::array());
  const std::vector<Recorded> elsewhere =
      options.block ? std::vector<Recorded>() : elsewhere_in(*engine, opened.request, *journeys);
  for (std::size_t n = 0; n < journeys->all.size(); ++n) {
    const auto found = std::ranges::find_if(elsewhere, [&](const Recorded& r) { return r.of.contains(n); });
    const Recorded here{.summary = result.summary, .journeys = *journeys};
    const Recorded& shown = found == elsewhere.end() ? here : *found;
    const Journey& j = found == elsewhere.end() ? journeys->all[n] : shown.journeys.all[found->of.at(n)];
    json one = journey_json(shown.summary, shown.journeys, j);
    if (found != elsewhere.end())
      one["block"] = shown.journeys.block, one["accessed_by_blocks"] = journeys->all[n].blocks;
    answer.json["journeys"].push_back(std::move(one));
    print_journey(answer.text, shown.summary, shown.journeys, j);
  }
  return print(answer, options.json);
}

}  // namespace lanescope::cli
