#include "viz/views/journey/journey.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/drawing.h"
#include "viz/views/base/elements.h"

namespace lanescope::views {
namespace {

constexpr float journey_margin = 12, journey_heading = 24, hop_width = 116, hop_height = 50, least_hop_gap = 62,
                widest_gap = 96;
constexpr float line_pitch = 80, journey_gap = 10, cells_height = 7;

class JourneyDrawing : Drawing<JourneyOptions> {
 public:
  JourneyDrawing(const Summary& summary, const Journeys& all, const Selection& selection, const JourneyOptions& options,
                 const Theme& theme)
      : Drawing{summary, selection, options, theme},
        all_(all),
        readers_(element_readers(summary)),
        coloring_(readers_, options.color_by) {
    scene_.width = options.width > 0 ? options.width : 960;
    const float room = scene_.width - 2 * journey_margin;
    per_line_ = std::max(static_cast<int>((room + least_hop_gap) / (hop_width + least_hop_gap)), 2);
    gap_ = std::clamp((room - hop_width * static_cast<float>(per_line_)) / static_cast<float>(per_line_ - 1), 30.0f,
                      widest_gap);
  }

  Scene draw() {
    float y = 0;
    for (std::size_t n = 0; n < all_.all.size(); ++n) {
      if (n > 0) {
        y += journey_gap / 2;
        add_line(scene_, {journey_margin, y}, {scene_.width - journey_margin, y}, theme_.border);
        y += journey_gap / 2;
      }
      y = journey(static_cast<int>(n), y);
    }
    scene_.height = y + 4;
    return std::move(scene_);
  }

 private:
  Color color_of(const Journey& j) const {
    if (j.buffer < 0 || static_cast<std::size_t>(j.buffer) >= readers_.size()) return theme_.cell_plain;
    return theme_.ramp[Theme::ramp_index(coloring_.of_element(j.buffer, j.element), coloring_.count(j.buffer))];
  }

  float journey(int n, float y) {
    const Journey& j = all_.all[static_cast<std::size_t>(n)];
    const int end = static_cast<std::size_t>(n) < options_.ends.size() ? options_.ends[static_cast<std::size_t>(n)] : 0;
    const std::vector<std::int32_t> path = shown_path(j, end);
    y = heading(n, j, path, y);
    if (path.empty()) return y;
    const std::int32_t here = results::station_at(j, path, selection_.step);
    // Of a long path its two ends.
    const std::size_t most = std::max<std::size_t>(options_.most_stations, 4);
    const std::size_t head = path.size() > most ? most / 2 : path.size();
    const std::size_t tail = path.size() > most ? path.size() - (most - most / 2) : path.size();
    int column = 0, line = 0;
    Rect last{};
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (i >= head && i < tail) continue;
      if (column == per_line_) column = 0, ++line;
      const Rect rect{journey_margin + static_cast<float>(column) * (hop_width + gap_),
                      y + static_cast<float>(line) * line_pitch + 4, hop_width, hop_height};
      const Station& s = j.stations[static_cast<std::size_t>(path[i])];
      if (i > 0) connect(n, path[i], s, last, rect, i == tail && head < tail ? tail - head : 0);
      station(n, j, path, path[i], rect, path[i] == here);
      last = rect;
      ++column;
    }
    bool beside = false;
    for (const std::int32_t at : path) beside = beside || results::branches_beside(j, path, at) > 0;
    return y + static_cast<float>(line) * line_pitch + 4 + hop_height + (beside ? 16.0f : 4.0f);
  }

  float heading(int n, const Journey& j, const std::vector<std::int32_t>& path, float y) {
    const Id id{.kind = Id::Kind::journey_row, .a = n};
    scene_.boxes.push_back({.id = id, .rect = {0, y, scene_.width, journey_heading}});
    const float middle = y + journey_heading / 2;
    add_box(scene_, {journey_margin, middle - 6, 12, 12}, color_of(j), id, 2);
    const std::string name = element_text(summary_, j.buffer, j.element);
    add_text(scene_, {journey_margin + 20, middle}, name, theme_.text, type_px::title, Face::mono_bold, Align::left,
             id);
    const float x = journey_margin + 20 + static_cast<float>(columns(name)) * type_px::title * mono_advance + 12;
    std::string words;
    if (!path.empty()) {
      const Station& end = j.stations[static_cast<std::size_t>(path.back())];
      if (!j.arrivals.empty())
        words = fmt::format("{} {}", end.exact ? "arrives at" : "part of", place_words(summary_, j, end.place));
      if (j.arrivals.size() > 1) words += fmt::format(" and at {}", counted(j.arrivals.size() - 1, "other place"));
      if (!words.empty()) words += " · ";
      words += counted(path.size(), "place") + " on the way";
      if (const std::size_t copies = j.stations.size() - std::min(path.size(), j.stations.size()); copies > 0)
        words += fmt::format(" · {} {} beside it", spaced(copies), copies == 1 ? "copy" : "copies");
    }
    if (const std::string remark = journey_remark(summary_, all_, j); !remark.empty())
      words += (words.empty() ? "" : " · ") + remark;
    const float room = scene_.width - x - journey_margin;
    if (room > 160) {
      add_text(scene_, {x, middle}, std::move(words), theme_.text_dim, type_px::note, Face::sans, Align::left, id,
               room);
      return y + journey_heading;
    }
    y += journey_heading;
    y += add_broken(scene_, {journey_margin, y + 6}, words, theme_.text_dim, type_px::note,
                    scene_.width - 2 * journey_margin, 15, id);
    return y + 16;
  }

  void connect(int n, std::int32_t index, const Station& s, Rect from, Rect to, std::size_t folded) {
    const bool wraps = to.y > from.y;
    const float y = to.y + to.h / 2;
    const float left = wraps ? 2 : from.x + from.w + 2;
    if (wraps) {
      const float out = from.x + from.w + 2, stub = std::min(out + 12, scene_.width - 2);
      add_line(scene_, {out, from.y + from.h / 2}, {stub, from.y + from.h / 2}, theme_.text_dim);
    }
    scene_.arrows.push_back({.id = {.kind = Id::Kind::journey_hop, .a = n, .b = index},
                             .from = {left, y},
                             .to = {to.x - 1, y},
                             .color = theme_.text_dim,
                             .width = 1.3f,
                             .bend = 0});
    // Where a line begins there is no room beside the box: the words stand above it.
    const float middle = wraps ? to.x : (from.x + from.w + to.x) / 2, room = wraps ? hop_width : gap_ - 4;
    const Align align = wraps ? Align::left : Align::center;
    if (folded > 0) {
      add_text(scene_, {middle, y - 9}, "… " + counted(folded, "place"), theme_.text_dim, type_px::tiny, Face::sans,
               align, {.kind = Id::Kind::remark}, room);
      return;
    }
    const std::size_t shown = s.hops.size() > 3 ? 2 : s.hops.size();
    for (std::size_t h = 0; h < std::max<std::size_t>(shown, 1); ++h) {
      const Id id{.kind = Id::Kind::journey_hop, .a = n, .b = index, .c = static_cast<int>(h)};
      const bool some = h < s.hops.size();
      std::string words = some ? std::string(short_hop_name(s.hops[h].way)) : s.from >= 0 ? "renamed" : "?";
      if (some && s.hops[h].line > 0) words += " " + summary_.lines.number(s.hops[h].line);
      const float at = wraps ? to.y - 7 - static_cast<float>(shown - 1 - h) * 11
                             : y - 9 - static_cast<float>(std::max<std::size_t>(shown, 1) - 1 - h) * 11;
      const float w = std::max(static_cast<float>(columns(words)) * type_px::tiny * mono_advance, 20.0f);
      scene_.boxes.push_back(
          {.id = id, .rect = {wraps ? middle : middle - std::min(w, room) / 2, at - 5.5f, std::min(w, room), 11}});
      add_text(scene_, {middle, at}, std::move(words), theme_.text, type_px::tiny, Face::sans, align, id, room);
    }
    if (shown < s.hops.size())
      add_text(scene_, {middle, y + 9}, fmt::format("+{}", s.hops.size() - shown), theme_.text_dim, type_px::tiny,
               Face::sans, align, {.kind = Id::Kind::journey_hop, .a = n, .b = index}, room);
  }

  void station(int n, const Journey& j, const std::vector<std::int32_t>& path, std::int32_t index, Rect rect,
               bool here) {
    const Station& s = j.stations[static_cast<std::size_t>(index)];
    const Id id{.kind = Id::Kind::journey_station, .a = n, .b = index};
    scene_.boxes.push_back({.id = id,
                            .rect = rect,
                            .fill = here ? theme_.row_highlight : theme_.background,
                            .stroke = s.exact ? theme_.border : theme_.text_dim,
                            .stroke_width = 1,
                            .radius = 4,
                            .dashed = !s.exact});
    const float room = rect.w - 12;
    add_text(scene_, {rect.x + 6, rect.y + 11}, short_place(summary_, j, s.place), theme_.text, type_px::code,
             Face::mono_bold, Align::left, id, room);
    add_text(scene_, {rect.x + 6, rect.y + 25}, where(j, s), theme_.text_dim, type_px::tiny, Face::sans, Align::left,
             id, room);
    cells(j, s, id, {rect.x + 6, rect.y + rect.h - cells_height - 6, room, cells_height});
    if (here) add_selection(scene_, id, rect, theme_, 4);
    const std::size_t beside = results::branches_beside(j, path, index);
    if (beside == 0) return;
    const Id branch{.kind = Id::Kind::journey_branch, .a = n, .b = index};
    const std::string words = fmt::format("↳ +{} beside", spaced(beside));
    scene_.boxes.push_back({.id = branch, .rect = {rect.x, rect.y + rect.h + 2, rect.w, 13}});
    add_text(scene_, {rect.x + 6, rect.y + rect.h + 9}, words, theme_.text_dim, type_px::tiny, Face::sans, Align::left,
             branch, room);
  }

  std::string where(const Journey& j, const Station& s) const {
    std::string words;
    switch (s.place.kind) {
      case JourneyPlace::Kind::buffer: {
        const BufferInfo* info = buffer_of(summary_, s.place.buffer);
        if (info == nullptr) {
          words = s.place.buffer < 0 ? "outside of the buffers" : "?";
          break;
        }
        const ElementReader reader(*info);
        const bool is_number = reader.axes() == 1 && reader.coordinate(s.place.element, 0) == s.place.element;
        words = is_number ? "byte " + spaced(s.place.byte)
                          : element_text(summary_, s.place.buffer, s.place.element).substr(info->name.size());
        break;
      }
      case JourneyPlace::Kind::shared:
        words = fmt::format("row {} · bank {}", s.place.byte / 128, s.place.byte / 4 % 32);
        break;
      case JourneyPlace::Kind::local:
      case JourneyPlace::Kind::register_:
        words = fmt::format("warp {} · lane {}", s.place.warp, s.place.lane);
        break;
    }
    static_cast<void>(j);
    if (!s.exact && s.partial) words += " · part";
    if (!s.exact && !s.partial)
      words += s.count == ~0u ? " · {many}" : s.count > 1 ? fmt::format(" · {{{}}}", spaced(s.count)) : " · computed";
    return words;
  }

  /// 32 lanes, banks or words of a line: the one that it is in has its colour.
  void cells(const Journey& j, const Station& s, const Id& id, Rect rect) {
    int at = -1;
    switch (s.place.kind) {
      case JourneyPlace::Kind::buffer:
      case JourneyPlace::Kind::shared:
        at = static_cast<int>(s.place.byte / 4 % 32);
        break;
      case JourneyPlace::Kind::local:
      case JourneyPlace::Kind::register_:
        at = s.place.lane;
        break;
    }
    const bool sectors = s.place.kind == JourneyPlace::Kind::buffer;
    const float pitch = rect.w / 32;
    for (int n = 0; n < 32; ++n) {
      const float wider = sectors && n % 8 == 7 ? 1.4f : 0.6f;
      const bool here = n == at;
      const Rect cell{rect.x + pitch * static_cast<float>(n), here ? rect.y - 2 : rect.y, pitch - wider,
                      here ? rect.h + 4 : rect.h};
      add_box(scene_, cell, here ? color_of(j) : theme_.cell_empty, id, 1, here ? theme_.text : Color{}, 0.8f);
    }
  }

  const Journeys& all_;
  std::vector<ElementReader> readers_;
  Coloring coloring_;
  int per_line_ = 6;
  float gap_ = 60;
};

}  // namespace

Scene journey_view(const Summary& summary, const Journeys& all, const Selection& selection,
                   const JourneyOptions& options, const Theme& theme) {
  if (all.all.empty())
    return empty_view(options.width > 0 ? options.width : 640, 120,
                      "No element is followed. Select one and press K, or click it with Ctrl held down.", theme);
  return JourneyDrawing(summary, all, selection, options, theme).draw();
}

}  // namespace lanescope::views
