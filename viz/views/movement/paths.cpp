#include "viz/views/movement/paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace lanescope::views {
namespace {

using results::Cell;
using results::Flow;
using results::Movement;
using results::MovementRow;
using scene::Point;
using scene::Rect;
using Region = MovementRow::Region;

constexpr std::size_t most_rows_together = 2;
constexpr float label_room = 96, most_height = 44, least_pitch = 3.5f, readable_pitch = 12, least_gap = 40;
constexpr int most_rows = 80, most_rows_twice = 28;

bool is_self(const Flow& f) { return f.from_row == f.to_row && f.from_column == f.to_column; }

/// Where rows stand among each other: memory above registers, then in the order of the kernel.
auto order(const MovementRow& r) {
  const int region = r.region == Region::global ? 0 : r.region == Region::shared ? 1 : 2;
  return std::tuple(region, r.buffer, r.line, r.family, r.reg, r.part);
}

float smooth(float t) { return t * t * (3 - 2 * t); }

}  // namespace

MovementPaths::MovementPaths(const Movement& movement, const MovementRoom& room) : m_(movement) {
  left_ = std::min(label_room, room.width * 0.2f);
  word_width_ = std::max((room.width - left_ - 6) / 32, 6.0f);
  choose_rows(room);
  choose_heights(room);
  choose_tracks();
}

void MovementPaths::choose_rows(const MovementRoom& room) {
  rows_.resize(m_.rows.size());
  std::set<int> crosses, travels_in, travels_out;
  bool in_lane = room.in_lane, small = false;
  for (const Flow& f : m_.flows) {
    if (f.kind == Flow::Kind::appeared) continue;
    const MovementRow &from = m_.rows[static_cast<std::size_t>(f.from_row)],
                      &to = m_.rows[static_cast<std::size_t>(f.to_row)];
    const bool registers = from.region == Region::registers && to.region == Region::registers;
    in_lane = in_lane && registers && f.from_column == f.to_column;
    small = small || from.parts > 4;
    if (!is_self(f)) travels_out.insert(f.from_row), travels_in.insert(f.to_row);
    if (!is_self(f) && registers && m_.rows[static_cast<std::size_t>(f.from_row)].written) crosses.insert(f.from_row);
  }
  one_lane_ = in_lane && small;
  lane_ = std::clamp(room.lane, 0, 31);
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    rows_[n].cells = static_cast<int>(m_.rows[n].after.size());
    if (one_lane_) lane_columns_ = std::max(m_.rows[n].parts, n == 0 ? 1 : lane_columns_);
  }
  // A register array of which one row is drawn twice is drawn twice whole.
  std::set<std::pair<int, int>> again;
  for (const int row : crosses) again.insert({m_.rows[static_cast<std::size_t>(row)].family, 0});
  std::size_t copies = 0;
  for (const MovementRow& r : m_.rows) copies += r.written && again.contains({r.family, 0});
  const int least = one_lane_ ? most_rows_twice * lane_columns_ : most_rows_twice;
  const bool may = static_cast<int>(copies) <= least;

  std::vector<int> numbers(rows_.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::ranges::sort(numbers, {}, [&](int n) { return order(m_.rows[static_cast<std::size_t>(n)]); });
  std::map<std::pair<int, int>, int> above_of, below_of;  // of one lane: by register
  const auto next = [&](std::map<std::pair<int, int>, int>& known, int& count, int n) {
    const MovementRow& r = m_.rows[static_cast<std::size_t>(n)];
    if (!one_lane_) return count < most_rows ? count++ : -1;
    const auto [at, fresh] = known.try_emplace({r.family, r.reg}, count);
    if (fresh) ++count;
    return at->second;
  };
  for (const int n : numbers) {
    const MovementRow& r = m_.rows[static_cast<std::size_t>(n)];
    RowPlace& p = rows_[static_cast<std::size_t>(n)];
    const bool registers = r.region == Region::registers;
    p.twice = may && registers && r.written && again.contains({r.family, 0});
    if (p.twice || !r.written) p.above = next(above_of, above_, n);
    if (p.twice || r.written) p.below = next(below_of, below_, n);
    if (p.above < 0 && p.below < 0) ++hidden_;
    if (p.twice && (p.above < 0 || p.below < 0)) p.twice = false;
  }
}

void MovementPaths::choose_heights(const MovementRoom& room) {
  top_ = room.top + heading;
  const float all = static_cast<float>(above_ + below_);
  const bool between = above_ > 0 && below_ > 0;
  const float height = std::max(room.height - top_ - (between ? heading : 0) - 2, 40.0f);
  // Only values that move from one row to one row need heights of their own.
  std::map<std::pair<int, int>, std::set<int>> distances;
  for (const Flow& f : m_.flows)
    if (f.kind != Flow::Kind::appeared) distances[{f.from_row, f.to_row}].insert(f.to_column - f.from_column);
  // Few rows move at the same time, each value at a height of its own; of many rows one after the other (choose_tracks).
  std::set<int> reached;
  for (const auto& [rows, all_of] : distances) reached.insert(rows.second);
  std::size_t heights = 1, together = 0;
  for (const auto& [rows, all_of] : distances) {
    heights = std::max(heights, all_of.size());
    if (all_of.size() > 1) together += all_of.size();
  }
  if (reached.size() <= most_rows_together) heights = std::max(heights, together);
  const float wanted = std::clamp(static_cast<float>(heights) * 16, 70.0f, 420.0f);
  // Rows that can be read come before a long way.
  const float spare = std::max(height - readable_pitch * all, least_gap);
  float gap = between ? std::clamp(std::min(wanted, spare), least_gap, std::max(height * 0.5f, least_gap)) : 0;
  pitch_ = all > 0 ? std::clamp((height - gap) / all, least_pitch, most_height) : most_height;
  // Height that rows do not need is given to the way between them, but a way is no longer than it has to be.
  if (between) gap = std::clamp(height - pitch_ * all, std::min(gap, least_gap), std::max(wanted, height * 0.5f));
  height_ = pitch_ > 8 ? pitch_ - 2 : pitch_ - 0.5f;
  gap_top_ = top_ + pitch_ * static_cast<float>(above_);
  gap_bottom_ = gap_top_ + gap + (between ? heading : 0);
  bottom_ = gap_bottom_ + pitch_ * static_cast<float>(below_);
  // Values at different heights do not cover each other, as long as they can be read.
  flight_height_ = std::min(height_, std::max((gap - 4) / static_cast<float>(heights), 10.0f));
}

bool MovementPaths::drawn(int row, int column) const {
  const RowPlace& p = rows_[static_cast<std::size_t>(row)];
  return (p.above >= 0 || p.below >= 0) && (!one_lane_ || column == lane_);
}

float MovementPaths::row_y(int row, bool below) const {
  const RowPlace& p = rows_[static_cast<std::size_t>(row)];
  return below ? gap_bottom_ + pitch_ * static_cast<float>(p.below) : top_ + pitch_ * static_cast<float>(p.above);
}

Rect MovementPaths::at(int row, int column, bool after) const {
  const RowPlace& p = rows_[static_cast<std::size_t>(row)];
  const float y = row_y(row, p.twice ? after : p.below >= 0);
  if (one_lane_) {
    const int part = m_.rows[static_cast<std::size_t>(row)].part;
    const float w = 32 * word_width_ / static_cast<float>(lane_columns_);
    return {left_ + w * static_cast<float>(lane_columns_ - 1 - part), y, std::max(w - 1.5f, 1.0f), height_};
  }
  const float w = 32 * word_width_ / static_cast<float>(p.cells);
  return {left_ + w * static_cast<float>(column), y, std::max(w - 1.5f, 1.0f), height_};
}

bool MovementPaths::flow_drawn(std::size_t flow) const {
  const Flow& f = m_.flows[flow];
  return drawn(f.to_row, f.to_column) && (f.kind == Flow::Kind::appeared || drawn(f.from_row, f.from_column));
}

int MovementPaths::hidden_flows() const {
  int n = 0;
  for (std::size_t f = 0; f < m_.flows.size(); ++f)
    n += !flow_drawn(f) && !(one_lane_ && m_.flows[f].to_column != lane_);
  return n;
}

void MovementPaths::choose_tracks() {
  tracks_.resize(m_.flows.size());
  std::map<std::pair<int, int>, std::set<int>> distances;  // by the rows that are left and reached, tenths of a pixel
  std::set<int> reached;
  const auto middle = [](Rect r) { return Point{r.x + r.w / 2, r.y + r.h / 2}; };
  const auto distance = [](const Track& t) { return static_cast<int>(std::lround((t.to.x - t.from.x) * 10)); };
  for (std::size_t n = 0; n < m_.flows.size(); ++n) {
    const Flow& f = m_.flows[n];
    if (!flow_drawn(n)) continue;
    Track& t = tracks_[n];
    t.to = middle(after(f.to_row, f.to_column));
    t.from = f.kind == Flow::Kind::appeared ? t.to : middle(before(f.from_row, f.from_column));
    if (f.kind == Flow::Kind::appeared || (is_self(f) && !twice(f.to_row))) continue;
    distances[{static_cast<int>(t.from.y * 4), static_cast<int>(t.to.y * 4)}].insert(distance(t));
    reached.insert(static_cast<int>(t.to.y * 4));
  }
  // Where many rows are written they are written one after the other, so that few values are on their way at a time.
  const bool one_by_one = reached.size() > most_rows_together;
  // Ways of all rows that move together, by distance: both halves of a register travel side by side.
  std::set<std::array<int, 3>> ways;
  for (const auto& [rows, all_of] : distances)
    if (all_of.size() > 1)
      for (const int far : all_of) ways.insert({far, rows.first, rows.second});
  const float late = one_by_one ? 1 - std::clamp(1.5f / static_cast<float>(reached.size()), 0.2f, 1.0f) : 0;
  for (std::size_t n = 0; n < m_.flows.size(); ++n) {
    if (!flow_drawn(n)) continue;
    Track& t = tracks_[n];
    const auto found = distances.find({static_cast<int>(t.from.y * 4), static_cast<int>(t.to.y * 4)});
    const float y0 = t.from.y, y1 = t.to.y;
    t.y = (y0 + y1) / 2;
    if (found != distances.end() && found->second.size() > 1) {
      const auto& all = found->second;
      const std::array<int, 3> way{distance(t), found->first.first, found->first.second};
      const auto place =
          one_by_one ? std::distance(all.begin(), all.find(distance(t))) : std::distance(ways.begin(), ways.find(way));
      const float share = static_cast<float>(place) / static_cast<float>((one_by_one ? all.size() : ways.size()) - 1);
      if (y1 - y0 > 2 * height_) {
        const float end = gap_bottom_ - heading - flight_height_ / 2 - 2, begin = gap_top_ + flight_height_ / 2 + 2;
        t.y = begin + share * (end - begin);
      } else {  // to and fro in one row, or up: around it
        t.y += (share < 0.5f ? -1.0f : 1.0f) * std::min(12 + std::abs(t.to.x - t.from.x) * 0.2f, 90.0f);
      }
    }
    if (late > 0 && reached.contains(static_cast<int>(y1 * 4))) {
      const auto at = static_cast<float>(std::distance(reached.begin(), reached.find(static_cast<int>(y1 * 4))));
      t.start = late * at / static_cast<float>(reached.size() - 1);
      t.duration = 1 - late;
    }
  }
}

Point MovementPaths::point(std::size_t flow, float t) const {
  const Track& k = tracks_[flow];
  const auto part = [&](float begin, float end) { return smooth(std::clamp((t - begin) / (end - begin), 0.0f, 1.0f)); };
  return {k.from.x + (k.to.x - k.from.x) * part(0.08f, 0.92f),
          k.from.y + (k.y - k.from.y) * part(0, 0.4f) + (k.to.y - k.y) * part(0.6f, 1)};
}

MovementPaths::Place MovementPaths::place(std::size_t flow, float share) const {
  const Flow& f = m_.flows[flow];
  const Track& k = tracks_[flow];
  const float t = std::clamp((share - k.start) / k.duration, 0.0f, 1.0f);
  const Rect to = after(f.to_row, f.to_column);
  if (f.kind == Flow::Kind::appeared) return {to, t};
  const Rect from = before(f.from_row, f.from_column);
  if (t <= 0) return {from, t};
  if (t >= 1) return {to, t};
  const bool stays = from.x == to.x && from.y == to.y;
  const Point at = point(flow, t);
  const float w = from.w + (to.w - from.w) * smooth(t);
  const float h = stays ? height_ : height_ + (flight_height_ - height_) * 4 * t * (1 - t);
  return {{at.x - w / 2, at.y - h / 2, w, h}, t};
}

std::vector<MovementChip> movement_chips(const Movement& m, const MovementPaths& paths, float share) {
  share = std::clamp(share, 0.0f, 1.0f);
  std::vector<MovementChip> still, fading, moving, arrived;
  const auto key = [](int row, int column) { return std::pair(row, column); };
  std::map<std::pair<int, int>, float> written;  // progress of the values that move there
  std::set<std::pair<int, int>> left;            // cells of rows drawn twice whose value leaves them
  for (std::size_t n = 0; n < m.flows.size(); ++n) {
    const Flow& f = m.flows[n];
    if (!paths.flow_drawn(n)) continue;
    const float t = paths.place(n, share).t;
    const auto [at, fresh] = written.try_emplace(key(f.to_row, f.to_column), t);
    if (!fresh) at->second = std::min(at->second, t);
    if (f.kind != Flow::Kind::appeared && paths.twice(f.from_row)) left.insert(key(f.from_row, f.from_column));
  }
  for (int row = 0; row < static_cast<int>(m.rows.size()); ++row) {
    const MovementRow& r = m.rows[static_cast<std::size_t>(row)];
    for (int column = 0; column < static_cast<int>(r.before.size()); ++column) {
      if (!paths.drawn(row, column)) continue;
      const Cell& was = r.before[static_cast<std::size_t>(column)];
      if (!was.defined) continue;
      const auto to = written.find(key(row, column));
      MovementChip chip{.cell = &was,
                        .row = row,
                        .column = column,
                        .above = paths.is_above(row),
                        .rect = paths.before(row, column),
                        .origin_row = row,
                        .origin_column = column};
      if (paths.twice(row)) {
        // A value that leaves it is drawn on its way.
        const bool goes_on = left.contains(key(row, column));
        if (goes_on && share <= 0) continue;
        const float own = goes_on ? 0 : 1 - 1.4f * share;
        chip.ghost = own < ghost_strength;
        chip.strength = std::max(own, ghost_strength);
        fading.push_back(chip);
      } else if (to == written.end()) {
        still.push_back(chip);
      } else {
        // Below what arrives. A value that stays is its own flow and is drawn as such.
        chip.strength = std::max(1 - 1.4f * to->second, 0.0f);
        const auto own = std::ranges::lower_bound(m.flows, std::pair(row, column), {}, [](const Flow& f) {
          return std::pair(int{f.to_row}, int{f.to_column});
        });
        const bool stays = own != m.flows.end() && is_self(*own) && own->to_row == row && own->to_column == column;
        if (chip.strength > 0 && !stays) fading.push_back(chip);
      }
    }
  }
  for (std::size_t n = 0; n < m.flows.size(); ++n) {
    const Flow& f = m.flows[n];
    if (!paths.flow_drawn(n)) continue;
    const Cell& now = m.rows[static_cast<std::size_t>(f.to_row)].after[f.to_column];
    const auto [rect, t] = paths.place(n, share);
    const float all = written[key(f.to_row, f.to_column)];
    MovementChip chip{.cell = &now,
                      .flow = static_cast<int>(n),
                      .row = f.to_row,
                      .column = f.to_column,
                      .rect = rect,
                      .origin_row = f.to_row,
                      .origin_column = f.to_column};
    if (f.kind == Flow::Kind::appeared) {
      chip.strength = std::clamp(2 * t - 1, 0.0f, 1.0f);
      if (chip.strength > 0) arrived.push_back(chip);
      continue;
    }
    chip.origin_row = f.from_row, chip.origin_column = f.from_column;
    const bool last = f.kind == Flow::Kind::moved || n + 1 == m.flows.size() || m.flows[n + 1].to_row != f.to_row ||
                      m.flows[n + 1].to_column != f.to_column;
    if (all >= 1) {  // everything is there: one value
      if (f.kind == Flow::Kind::part) chip.origin_row = f.to_row, chip.origin_column = f.to_column;
      if (last) arrived.push_back(chip);
      continue;
    }
    chip.cell = &m.rows[static_cast<std::size_t>(f.from_row)].before[f.from_column];
    const bool own = is_self(f) && !paths.twice(f.to_row);
    // Before it leaves, the value that stays where it was is the one that is drawn.
    if (t <= 0 && !paths.twice(f.from_row) && !own) continue;
    (own ? still : moving).push_back(chip);
  }
  std::ranges::stable_sort(moving, {}, [](const MovementChip& c) { return std::abs(c.column - c.origin_column); });
  fading.insert(fading.end(), still.begin(), still.end());
  fading.insert(fading.end(), arrived.begin(), arrived.end());
  fading.insert(fading.end(), moving.begin(), moving.end());
  return fading;
}

}  // namespace lanescope::views
