#include "app/gui/state/pins.h"

#include <algorithm>

#include <fmt/format.h>

#include "viz/views/base/elements.h"
#include "viz/views/registers/registers.h"

namespace lanescope::gui {

std::string refusal_of_pin(const App& app) {
  if (!app.results.have) return "There is no result yet. Open a kernel, or correct the one on screen.";
  const auto& element = app.navigation.selection.element;
  const auto& pins = app.navigation.selection.pins;
  if (!element) return "No element is selected. Click a register or a word of memory that holds one.";
  if (std::ranges::find(pins, *element) == pins.end() && pins.size() >= results::most_pins)
    return fmt::format("{} elements are followed at most. Unpin one first.", results::most_pins);
  return {};
}

void toggle_pin(App& app) {
  auto& pins = app.navigation.selection.pins;
  const auto element = *app.navigation.selection.element;
  const std::string name = views::element_text(app.results.summary, element.first, element.second);
  if (const auto at = std::ranges::find(pins, element); at != pins.end()) {
    pins.erase(at);
    app.shell.show_status(name + " is no longer followed.");
    return;
  }
  pins.push_back(element);
  const PanelId active = app.shell.active_panel;
  if (!app.shell.in_front(PanelId::journey)) {
    app.shell.show_panel(PanelId::journey);
    app.shell.active_panel = active;  // one continues where one was
  }
  app.shell.show_status(name + " is followed.");
}

void unpin_all(App& app) { app.navigation.selection.pins.clear(); }

int journey_at_hand(const App& app) {
  const auto& all = app.results.journeys.all;
  const auto& selection = app.navigation.selection;
  const auto index_of = [&](const std::pair<int, std::uint64_t>& e) {
    for (std::size_t n = 0; n < all.size(); ++n)
      if (all[n].buffer == e.first && all[n].element == e.second) return static_cast<int>(n);
    return -1;
  };
  const bool pinned =
      selection.element && std::ranges::find(selection.pins, *selection.element) != selection.pins.end();
  if (pinned) return index_of(*selection.element);
  return selection.pins.empty() ? -1 : index_of(selection.pins.back());
}

std::string refusal_of_journey(const App& app) {
  if (app.navigation.selection.pins.empty())
    return "No element is followed. Select one and press K, or click it with Ctrl held down.";
  const int n = journey_at_hand(app);
  if (n < 0) return "The journey is being worked out.";
  const results::Journey& j = app.results.journeys.all[static_cast<std::size_t>(n)];
  if (!j.stations.empty()) return {};
  std::string words = "The recorded block does not access this element.";
  if (const auto block = block_of_journey(app))
    words += fmt::format(" Block {} does: \"Record the block that accesses it\" shows its journey.", *block);
  return words;
}

std::optional<std::uint32_t> block_of_journey(const App& app) {
  const auto named = [](const results::Journey& j) { return j.stations.empty() && !j.blocks.empty(); };
  const auto& all = app.results.journeys.all;
  if (const int n = journey_at_hand(app); n >= 0 && named(all[static_cast<std::size_t>(n)]))
    return all[static_cast<std::size_t>(n)].blocks.front();
  for (const results::Journey& j : all)
    if (named(j)) return j.blocks.front();
  return std::nullopt;
}

std::string refusal_of_block(const App& app) {
  if (app.navigation.selection.pins.empty()) return "No element is followed.";
  return block_of_journey(app) ? "" : "The recorded block accesses the followed elements, or no other block does.";
}

void record_block_of_journey(App& app) {
  const auto block = block_of_journey(app);
  if (!block) return;
  app.requests.record_block(*block);
  app.shell.show_status(fmt::format("Recording block {}…", *block));
}

views::JourneyOptions journey_options(const App& app) {
  views::JourneyOptions options;
  options.color_by = views::color_in_use(app.results.summary, app.results.moment, app.shell.view.color_by);
  for (const results::Journey& j : app.results.journeys.all) {
    const auto at = app.navigation.journey_ends.find({j.buffer, j.element});
    options.ends.push_back(at == app.navigation.journey_ends.end() ? 0 : at->second);
  }
  return options;
}

void go_in_journey(App& app, const scene::Id& id) {
  auto next = views::select_in_journey(app.results.summary, app.results.journeys, journey_options(app), id,
                                       app.navigation.selection);
  if (!next) return;
  if (next->step < 0) next->step = app.navigation.selection.step;
  // Of a register the warp is the one that has it.
  const auto place = next->place;
  app.navigation.select(*next);
  if (place) app.navigation.selection.warp = place->warp;
}

void turn_station(App& app, int by) {
  const int n = journey_at_hand(app);
  if (n < 0) return;
  const results::Journey& j = app.results.journeys.all[static_cast<std::size_t>(n)];
  const views::JourneyOptions options = journey_options(app);
  const std::vector<std::int32_t> path = views::shown_path(j, options.ends[static_cast<std::size_t>(n)]);
  if (path.empty()) return;
  const auto& selection = app.navigation.selection;
  // Where one is: the station whose click leads to this step and place, else the one that holds it now.
  std::ptrdiff_t at = -1;
  const std::int32_t here = results::station_at(j, path, selection.step);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto shown =
        views::select_in_journey(app.results.summary, app.results.journeys, options,
                                 {.kind = scene::Id::Kind::journey_station, .a = n, .b = path[i]}, selection);
    const bool same = shown && shown->step == selection.step && shown->place == selection.place &&
                      shown->address == selection.address;
    if (same || (at < 0 && path[i] == here)) at = static_cast<std::ptrdiff_t>(i);
    if (same) break;
  }
  const auto next = std::clamp<std::ptrdiff_t>(at + by, 0, static_cast<std::ptrdiff_t>(path.size()) - 1);
  go_in_journey(app, {.kind = scene::Id::Kind::journey_station, .a = n, .b = path[static_cast<std::size_t>(next)]});
  const results::Station& s = j.stations[static_cast<std::size_t>(path[static_cast<std::size_t>(next)])];
  app.shell.show_status(
      fmt::format("Place {} of {}: {}.", next + 1, path.size(), views::place_words(app.results.summary, j, s.place)));
}

void next_arrival(App& app, int journey) {
  if (journey < 0 || static_cast<std::size_t>(journey) >= app.results.journeys.all.size()) return;
  const results::Journey& j = app.results.journeys.all[static_cast<std::size_t>(journey)];
  if (j.arrivals.size() < 2)
    return app.shell.show_status(j.arrivals.empty() ? "The block does not store this element."
                                                    : "This element arrives in one place only.");
  int& end = app.navigation.journey_ends[{j.buffer, j.element}];
  end = (end + 1) % static_cast<int>(j.arrivals.size());
  ++app.results.journeys_version;
  app.shell.show_status(fmt::format("Arrival {} of {}.", end + 1, j.arrivals.size()));
}

std::vector<results::PinnedPlace> pinned_now(const App& app) {
  // The answer to an earlier question is about other elements.
  const auto same = [](const results::Journey& j, const std::pair<int, std::uint64_t>& pin) {
    return j.buffer == pin.first && j.element == pin.second;
  };
  if (!std::ranges::equal(app.results.journeys.all, app.navigation.selection.pins, same)) return {};
  return results::pinned_memory(app.results.journeys, app.navigation.selection.step);
}

std::string pinned_words(const App& app, const scene::Id& id) {
  using Kind = scene::Id::Kind;
  if (id.kind != Kind::memory_word && id.kind != Kind::shared_word && id.kind != Kind::buffer_element) return {};
  std::string words;
  for (const results::PinnedPlace& p : pinned_now(app)) {
    const bool shared = p.place.kind == results::JourneyPlace::Kind::shared;
    const auto word = static_cast<int>(p.place.byte / 4);
    const bool here = id.kind == Kind::shared_word ? shared && id.a == word
                      : id.kind == Kind::buffer_element
                          ? !shared && id.a == p.place.buffer && id.b == static_cast<int>(p.place.element)
                          : !shared && id.a == p.place.buffer && id.b == word;
    if (!here) continue;
    const auto& [buffer, element] = app.navigation.selection.pins[static_cast<std::size_t>(p.journey)];
    words += fmt::format("{}{} {}, which is followed", words.empty() ? "" : "; ", p.exact ? "holds" : "depends on",
                         views::element_text(app.results.summary, buffer, element));
  }
  return words;
}

std::string pinned_here(const App& app) {
  const auto& selection = app.navigation.selection;
  if (!selection.address) return {};
  for (std::size_t n = 0; n < app.results.journeys.all.size(); ++n) {
    const results::Journey& j = app.results.journeys.all[n];
    for (const results::Station& s : j.stations) {
      const bool shared = s.place.kind == results::JourneyPlace::Kind::shared;
      const bool memory = shared || s.place.kind == results::JourneyPlace::Kind::buffer;
      if (!memory || s.step < 0 || s.step > selection.step || (s.until >= 0 && s.until <= selection.step)) continue;
      const int buffer = shared ? -1 : s.place.buffer;
      if (selection.address->first != buffer || s.place.byte / 4 != selection.address->second / 4) continue;
      return fmt::format("{}{}, stored at {} by warp {}, lane {}", s.exact ? "" : "a value that depends on ",
                         views::element_text(app.results.summary, j.buffer, j.element),
                         app.results.summary.lines.words(s.line), s.warp, s.lane);
    }
  }
  return {};
}

}  // namespace lanescope::gui
