#include "viz/views/costs/timeline_bands.h"

#include <algorithm>
#include <numeric>

namespace lanescope::views {
namespace {

using trace::StepKind;

constexpr int number(StepKind kind) { return static_cast<int>(kind); }

/// By mark kind: of one mark where many share a column. Kinds that cost time or move data must stay visible.
constexpr std::array<float, mark_kind_count> band_weights = [] {
  std::array<float, mark_kind_count> w{};
  for (const StepKind kind : {StepKind::load, StepKind::store, StepKind::shuffle, StepKind::barrier, StepKind::atomic})
    w[number(kind)] = 4;
  w[number(StepKind::vote)] = 3;
  w[number(StepKind::move)] = 1.5f;
  w[number(StepKind::branch)] = w[number(StepKind::arithmetic)] = w[number(StepKind::exit)] = 1;
  w[number(StepKind::other)] = w[parameter_kind] = 1;
  w[number(StepKind::probe)] = 0.25f;
  return w;
}();

/// From the top of a column down.
constexpr std::array<int, mark_kind_count> band_order{number(StepKind::load),       number(StepKind::store),
                                                      number(StepKind::atomic),     number(StepKind::shuffle),
                                                      number(StepKind::vote),       number(StepKind::barrier),
                                                      number(StepKind::move),       number(StepKind::branch),
                                                      number(StepKind::exit),       parameter_kind,
                                                      number(StepKind::arithmetic), number(StepKind::other),
                                                      number(StepKind::probe)};

/// A stretch of equal columns.
void flush(Scene& scene, const Bands& bands, float x, float width, Point top_left, float costly_y, const Theme& theme) {
  float y = top_left.y;
  for (int n = 0; n < bands.count; ++n) {
    const float h = bands.heights[n];
    scene.boxes.push_back({.rect = {x, y, width, h}, .fill = mark_color(theme, bands.kinds[n])});
    y += h;
  }
  if (bands.costly && costly_y >= 0) scene.boxes.push_back({.rect = {x, costly_y, width, 2}, .fill = theme.warn});
}

}  // namespace

Color mark_color(const Theme& theme, int kind) {
  return kind == parameter_kind ? theme.step(StepKind::other) : theme.steps[static_cast<std::size_t>(kind)];
}

Bands bands_of(const MarkCounts& counts, int height_px) {
  std::array<float, mark_kind_count> shares{};
  for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = static_cast<float>(counts.of_kind[k]) * band_weights[k];
  std::array<int, mark_kind_count> heaviest{};
  std::iota(heaviest.begin(), heaviest.end(), 0);
  const auto end = heaviest.begin() + Bands::most;
  std::partial_sort(heaviest.begin(), end, heaviest.end(),
                    [&](int a, int b) { return shares[a] != shares[b] ? shares[a] > shares[b] : a < b; });
  const float all = std::accumulate(heaviest.begin(), end, 0.0f, [&](float s, int k) { return s + shares[k]; });
  Bands bands{.costly = counts.costly > 0};
  if (all <= 0) return bands;
  // A pixel for each of them, the rest by share.
  const auto kinds = static_cast<int>(std::count_if(heaviest.begin(), end, [&](int k) { return shares[k] > 0; }));
  const int spare = std::max(height_px - kinds, 0);
  int left = height_px;
  std::array<int, mark_kind_count> heights{};
  for (auto k = heaviest.begin(); k != heaviest.begin() + kinds && left > 0; ++k)
    left -= heights[*k] = std::min(1 + static_cast<int>(shares[*k] / all * static_cast<float>(spare)), left);
  heights[heaviest.front()] += left;  // what rounding left over
  for (const int kind : band_order) {
    if (heights[kind] == 0) continue;
    bands.kinds[bands.count] = static_cast<std::uint8_t>(kind);
    bands.heights[bands.count++] = static_cast<std::uint8_t>(heights[kind]);
  }
  return bands;
}

void add_bands(Scene& scene, Point top_left, int height_px, int columns, float costly_y, const Theme& theme,
               const std::function<MarkCounts(int)>& column) {
  Bands before;
  int from = 0;
  for (int n = 0; n <= columns; ++n) {
    const Bands bands = n < columns ? bands_of(column(n), height_px) : Bands{};
    if (n > 0 && n < columns && bands == before) continue;
    if (n > 0)
      flush(scene, before, top_left.x + static_cast<float>(from) * fold_px, static_cast<float>(n - from) * fold_px,
            top_left, costly_y, theme);
    before = bands, from = n;
  }
}

}  // namespace lanescope::views
