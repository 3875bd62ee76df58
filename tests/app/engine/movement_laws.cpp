#include "tests/app/engine/movement_laws.h"

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "app/engine/wire/messages.h"
#include "tests/app/engine/support.h"
#include "viz/views/movement/movement.h"
#include "viz/views/movement/paths.h"

namespace lanescope::engine {
namespace {

using results::Cell;
using results::Flow;
using results::Moment;
using results::Movement;
using results::MovementRow;
using results::Summary;
using Region = MovementRow::Region;

std::string what(const Movement& m, const Flow& f) {
  std::string words = std::to_string(f.to_row) + "/" + std::to_string(f.to_column) + " <- " +
                      std::to_string(f.from_row) + "/" + std::to_string(f.from_column) + " of lines " +
                      std::to_string(m.first_line) + " to " + std::to_string(m.line);
  return words;
}

bool same(const Cell& a, const Cell& b) {
  return a.defined == b.defined &&
         (!a.defined || (a.value == b.value && a.buffer == b.buffer && a.element == b.element));
}

}  // namespace

void expect_sound(const Movement& m) {
  std::map<std::pair<int, int>, int> to;
  for (const Flow& f : m.flows) {
    const MovementRow& row = m.rows.at(static_cast<std::size_t>(f.to_row));
    ASSERT_LT(f.to_column, row.after.size());
    ASSERT_TRUE(row.after[f.to_column].defined || row.region != Region::registers);
    ++to[{f.to_row, f.to_column}];
    if (f.kind == Flow::Kind::appeared) continue;
    const MovementRow& from = m.rows.at(static_cast<std::size_t>(f.from_row));
    ASSERT_LT(f.from_column, from.before.size());
    const Cell &was = from.before[f.from_column], &now = row.after[f.to_column];
    ASSERT_TRUE(was.defined) << what(m, f);
    if (f.kind == Flow::Kind::moved) {
      ASSERT_EQ(was.value, now.value) << what(m, f);
    }
  }
  for (const Flow& f : m.flows) {
    if (f.kind == Flow::Kind::moved) {
      ASSERT_EQ((to[{f.to_row, f.to_column}]), 1) << what(m, f);
    }
  }
  for (std::size_t n = 0; n < m.rows.size(); ++n) {
    const MovementRow& r = m.rows[n];
    ASSERT_EQ(r.before.size(), r.after.size());
    if (r.region != Region::registers || !r.written) continue;
    for (std::size_t c = 0; c < r.after.size(); ++c)
      if (r.after[c].defined) {
        ASSERT_TRUE((to.contains({static_cast<int>(n), static_cast<int>(c)}))) << n << "/" << c;
      }
  }
}

void expect_states(const Session& session, const Moment& moment) {
  const Movement& m = *moment.movement;
  const Moment before = moved(session, m.from, MomentRequest::MovementOf::nothing, static_cast<int>(m.warp));
  for (const MovementRow& r : m.rows) {
    if (r.region == Region::shared) {
      for (std::size_t c = 0; c < r.after.size() && r.cell_bits == 32; ++c) {
        const std::size_t w = static_cast<std::size_t>(r.line) * 32 + c;
        if (w >= moment.shared.size()) continue;
        EXPECT_EQ(r.after[c].defined, moment.shared[w].written);
        if (r.after[c].defined) {
          EXPECT_EQ(r.after[c].value, moment.shared[w].value);
        }
        if (r.before[c].defined) {
          EXPECT_EQ(r.before[c].value, before.shared[w].value);
        }
      }
    }
    if (r.region != Region::registers) continue;
    for (const auto* state : {&before, &moment})
      for (const results::RegisterGrid& g : state->grids) {
        if (g.family != r.family || g.element_bits != r.cell_bits) continue;
        for (int lane = 0; lane < 32; ++lane)
          ASSERT_TRUE(same((state == &before ? r.before : r.after)[static_cast<std::size_t>(lane)],
                           g.at(0, r.reg, r.part, lane)));
      }
  }
}

void expect_pictures(const Summary& summary, const Moment& moment) {
  const Movement& m = *moment.movement;
  if (m.flows.empty()) return;
  const views::MovementPaths paths(m, {.width = 1180, .height = 640, .top = 40});
  using At = std::tuple<int, int, bool>;
  for (const float share : {0.0f, 1.0f}) {
    std::map<At, int> drawn;
    std::map<std::pair<int, int>, int> ghosts;
    for (const views::MovementChip& c : movement_chips(m, paths, share)) {
      ASSERT_GT(c.strength, 0);
      if (c.ghost) {  // what was in the upper of two rows is still seen there
        ASSERT_TRUE(share == 1 && paths.twice(c.row) && c.above);
        ASSERT_TRUE(same(*c.cell, m.rows[static_cast<std::size_t>(c.row)].before[static_cast<std::size_t>(c.column)]));
        ASSERT_EQ(c.rect.y, paths.before(c.row, c.column).y);
        ++ghosts[{c.row, c.column}];
        continue;
      }
      const bool after = share == 1;
      const int row = after || c.flow < 0 ? c.row : c.origin_row,
                column = after || c.flow < 0 ? c.column : c.origin_column;
      const auto& cells =
          after ? m.rows[static_cast<std::size_t>(row)].after : m.rows[static_cast<std::size_t>(row)].before;
      ASSERT_TRUE(same(*c.cell, cells[static_cast<std::size_t>(column)])) << "share " << share << " row " << row;
      const scene::Rect r = after ? paths.after(row, column) : paths.before(row, column);
      ASSERT_NEAR(c.rect.x, r.x, 0.01);
      ASSERT_NEAR(c.rect.y, r.y, 0.01);
      ++drawn[{row, column, c.flow >= 0}];
    }
    for (std::size_t n = 0; n < m.rows.size(); ++n) {
      const auto& cells = share == 1 ? m.rows[n].after : m.rows[n].before;
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const int row = static_cast<int>(n), column = static_cast<int>(c);
        if (!paths.drawn(row, column)) continue;
        EXPECT_EQ(ghosts[std::pair(row, column)],
                  share == 1 && paths.twice(row) && m.rows[n].before[c].defined ? 1 : 0);
        const int still = drawn[{row, column, false}], moving = drawn[{row, column, true}];
        if (!cells[c].defined) {
          EXPECT_EQ(still + moving, 0) << "row " << row << " column " << column;
        } else if (share == 1) {
          EXPECT_EQ(still + moving, 1) << "row " << row << " column " << column << " after line " << m.line;
        } else {
          EXPECT_GE(still + moving, 1) << "row " << row << " column " << column << " before line " << m.line;
          EXPECT_LE(still, 1);
        }
      }
    }
  }
  // In steps of 1/256 no value jumps: the fastest goes its whole way in a fifth of the time.
  std::map<int, scene::Rect> last;
  for (int k = 0; k <= 256; ++k) {
    std::set<int> seen;
    for (const views::MovementChip& c : movement_chips(m, paths, static_cast<float>(k) / 256)) {
      if (c.flow < 0) continue;
      ASSERT_TRUE(seen.insert(c.flow).second) << "a value is drawn once";
      const auto was = last.find(c.flow);
      const Flow& f = m.flows[static_cast<std::size_t>(c.flow)];
      if (was != last.end() && f.kind != Flow::Kind::appeared) {
        const float far = std::hypot(c.rect.x - was->second.x, c.rect.y - was->second.y);
        ASSERT_LT(far, 0.1f * 1400) << "flow " << c.flow << " at " << k << "/256";
      }
      last[c.flow] = c.rect;
    }
    for (const auto& [flow, rect] : last)
      if (m.flows[static_cast<std::size_t>(flow)].kind == Flow::Kind::moved) {
        ASSERT_TRUE(seen.contains(flow)) << "a value vanished at " << k << "/256";
      }
  }
  for (const float share : {0.0f, 0.4f, 1.0f}) {
    const scene::Scene scene = views::movement_view(
        summary, moment, {.step = moment.step, .share = share, .place = {}, .element = {}, .address = {}},
        {.width = 1180, .height = 640}, views::dark_theme());
    EXPECT_FALSE(scene.boxes.empty());
    for (const scene::Box& b : scene.boxes) ASSERT_TRUE(std::isfinite(b.rect.x) && std::isfinite(b.rect.y));
  }
}

Moment moved(const Session& session, std::int64_t step, MomentRequest::MovementOf of, int warp) {
  std::vector<int> families;
  for (std::size_t n = 0; n < session.summary().families.size(); ++n) families.push_back(static_cast<int>(n));
  return session.moment(
      {.step = step, .families = families, .first_warp = warp, .warp_count = 1, .moves_from = -2, .movement = of});
}

void expect_round_trip(const Moment& moment) {
  const wire::Bytes bytes = wire::encode(moment);
  const auto back = wire::decode<Moment>(bytes);
  ASSERT_TRUE(back);
  ASSERT_TRUE(back->movement);
  EXPECT_EQ(wire::encode(*back), bytes);
  EXPECT_EQ(back->movement->flows, moment.movement->flows);
  EXPECT_EQ(back->movement->rows.size(), moment.movement->rows.size());
}

void expect_all(const Session& session, const Moment& moment) {
  ASSERT_TRUE(moment.movement);
  expect_sound(*moment.movement);
  expect_states(session, moment);
  expect_pictures(session.summary(), moment);
}

}  // namespace lanescope::engine
