#include "viz/views/costs/timeline_bands.h"

#include <numeric>

#include "results/problems.h"

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
    add_box(scene, {x, y, width, h}, mark_color(theme, bands.kinds[n]));
    y += h;
  }
  if (bands.costly && costly_y >= 0) add_box(scene, {x, costly_y, width, 2}, theme.warn);
}

constexpr float right_margin = 14;

float plot_width(const TimelineOptions& options) {
  return std::max(timeline_width(options) - timeline_label_width - right_margin, 32.0f);
}

// Meaning of the marks of a timeline.

// By results::mark_kind: trace::StepKind in its order, then loads of parameters.
constexpr std::array<MarkLook, mark_kind_count> mark_looks{{
    {"other", ' ', "an instruction of no kind of its own"},
    {"load", 'L', "reads global, shared, local or constant memory"},
    {"store", 'S', "writes global, shared or local memory"},
    {"move", 'M', "copies or rearranges registers of one lane"},
    {"shuffle", 'X', "exchanges registers between lanes"},
    {"vote", 'V', "combines one bit or value of all lanes"},
    {"barrier", 'B', "waits for the other warps of the block"},
    {"branch", 'J', "jumps, or calls a function"},
    {"arithmetic", ' ', "computes"},
    {"probe", ' ', "shows the value of a variable; executes nothing on a GPU"},
    {"atomic", 'A', "reads and writes memory in one operation"},
    {"exit", 'E', "ends the threads"},
    {"parameter load", 'P', "reads a parameter of the kernel; accesses no memory that is drawn"},
}};

// The most informative sign is first.
constexpr std::array<int, mark_kind_count> legend_order{
    static_cast<int>(StepKind::load),       static_cast<int>(StepKind::store),
    static_cast<int>(StepKind::atomic),     static_cast<int>(StepKind::shuffle),
    static_cast<int>(StepKind::vote),       static_cast<int>(StepKind::move),
    static_cast<int>(StepKind::barrier),    static_cast<int>(StepKind::branch),
    static_cast<int>(StepKind::exit),       parameter_kind,
    static_cast<int>(StepKind::arithmetic), static_cast<int>(StepKind::other),
    static_cast<int>(StepKind::probe)};

std::string_view claim_word(claims::Verdict verdict) {
  return verdict == claims::Verdict::holds     ? "claim holds"
         : verdict == claims::Verdict::differs ? "claim differs"
                                               : "claim unchecked";
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

std::vector<TimelineProblem> problem_marks(const Summary& summary) {
  std::vector<TimelineProblem> marks;
  const auto problems = results::problems_of(summary);
  for (int i = 0; i < static_cast<int>(problems.size()); ++i) {
    const results::Problem& p = problems[static_cast<std::size_t>(i)];
    if (p.claim >= 0 || p.severity == Severity::note) continue;
    const auto add = [&](std::int64_t step) {  // the list begins with the worst
      const bool known = std::ranges::any_of(marks, [&](const auto& m) { return m.step == step; });
      if (step >= 0 && !known) marks.push_back({.step = step, .severity = results::shown_severity(p), .number = i});
    };
    add(p.step);
    for (const results::Party& side : p.parties) add(side.step);
  }
  std::ranges::sort(marks, {}, &TimelineProblem::step);
  return marks;
}

float timeline_width(const TimelineOptions& options) { return options.width > 0 ? options.width : 1200; }

TimelineRange timeline_range(std::uint64_t columns, const TimelineOptions& options) {
  TimelineRange range{.first = std::max(options.first, 0.0), .last = options.last};
  if (range.last < 0) range.last = static_cast<double>(columns);
  range.last = std::max(range.last, range.first + 1);
  // A short kernel is not stretched over the whole width: marks stay marks.
  range.pitch = std::min(static_cast<float>(plot_width(options) / (range.last - range.first)), 24.0f);
  return range;
}

std::vector<std::vector<std::pair<float, TimelineSign>>> timeline_legend(const Summary& summary, float width,
                                                                         const Theme& theme) {
  std::vector<std::vector<std::pair<float, TimelineSign>>> rows(1);
  float x = timeline_label_width;
  for (const TimelineSign& sign : timeline_signs(summary, theme)) {
    const float wide = 19 + sans_width(sign.word, type_px::note) + 14;
    if (x + wide > width && !rows.back().empty()) rows.emplace_back(), x = timeline_label_width;
    rows.back().emplace_back(x, sign);
    x += wide;
  }
  return rows;
}

int shown_warps(const Summary& summary, const TimelineOptions& options) {
  return std::min(std::max(static_cast<int>(summary.warps) - options.first_warp, 0), options.most_warps);
}

TimelineGeometry timeline_geometry(const Summary& summary, const TimelineOptions& options) {
  TimelineGeometry at{.left = timeline_label_width, .width = plot_width(options)};
  float y = 2;
  if (options.legend)
    y = legend_line * static_cast<float>(timeline_legend(summary, timeline_width(options), dark_theme()).size()) + 2;
  if (options.overview) {
    at.overview_top = y, at.overview_height = overview_px;
    y += overview_px + overview_gap;
  }
  at.ruler_top = y;
  at.rows_top = y + ruler_px;
  return at;
}

std::uint64_t timeline_columns(const Summary& summary, const StepIndex& index, TimelineAxis axis) {
  if (index.marks() == 0) return 0;
  return axis == TimelineAxis::step ? std::uint64_t{summary.timeline[index.marks() - 1].step} + 1 : index.longest();
}

std::uint64_t timeline_columns(const Summary& summary, TimelineAxis axis) {
  if (summary.timeline.empty()) return 0;
  if (axis == TimelineAxis::step) return std::uint64_t{summary.timeline.back().step} + 1;
  std::vector<std::uint64_t> counts(std::max<std::size_t>(summary.warps, 1), 0);
  for (const TimelineMark& mark : summary.timeline) {
    if (mark.warp >= counts.size()) counts.resize(mark.warp + 1u, 0);
    ++counts[mark.warp];
  }
  return *std::max_element(counts.begin(), counts.end());
}

std::int64_t timeline_column_of(const Summary& summary, const StepIndex& index, TimelineAxis axis, std::int64_t step) {
  const std::int64_t mark = index.mark_at(summary, step);
  if (mark < 0 || axis == TimelineAxis::step) return mark < 0 ? -1 : step;
  return index.column(static_cast<std::size_t>(mark));
}

std::int64_t timeline_step_at(const Summary& summary, const StepIndex& index, const TimelineOptions& options, int warp,
                              float x) {
  if (index.marks() == 0) return -1;
  const TimelineRange range = timeline_range(timeline_columns(summary, index, options.axis), options);
  const double column =
      std::clamp(range.first + (x - timeline_label_width) / range.pitch, range.first, range.last - 0.001);
  const auto wanted = static_cast<std::size_t>(column);
  if (options.axis == TimelineAxis::instruction) {
    const auto own = index.of_warp(warp);
    return own.empty() ? -1 : summary.timeline[own[std::min(wanted, own.size() - 1)]].step;
  }
  const auto marks = std::span(summary.timeline).first(index.marks());
  const auto after = std::ranges::partition_point(marks, [&](const TimelineMark& m) { return m.step <= wanted; });
  return after == marks.begin() ? -1 : std::int64_t{std::prev(after)->step};
}

std::int64_t timeline_step_at(const Summary& summary, const TimelineOptions& options, int warp, float x) {
  return timeline_step_at(summary, index_of(summary), options, warp, x);
}

const MarkLook& mark_look(int kind) {
  return mark_looks[static_cast<std::size_t>(std::clamp(kind, 0, mark_kind_count - 1))];
}
std::string_view mark_kind_name(int kind) { return mark_look(kind).word; }

MarkFill mark_fill(const Theme& theme, int kind) {
  if (kind == static_cast<int>(StepKind::probe)) return {.stroke = theme.text_faint};
  if (kind == parameter_kind) return {.fill = mark_color(theme, kind), .stroke = theme.step(StepKind::load)};
  return {.fill = mark_color(theme, kind)};
}

std::vector<TimelineSign> timeline_signs(const Summary& summary, const Theme& theme) {
  std::array<bool, mark_kind_count> present{};
  for (const trace::CodeSite& site : summary.code)
    present[reads_parameter(site) ? parameter_kind : static_cast<int>(site.kind)] = true;
  std::vector<TimelineSign> signs;
  for (const int kind : legend_order) {
    if (!present[static_cast<std::size_t>(kind)]) continue;
    const MarkFill fill = mark_fill(theme, kind);
    signs.push_back({.word = mark_look(kind).word,
                     .meaning = mark_look(kind).meaning,
                     .letter = mark_look(kind).letter,
                     .fill = fill.fill,
                     .stroke = fill.stroke});
  }
  const auto partial = [](std::uint32_t mask) { return mask != ~0u; };
  if (std::ranges::any_of(summary.active_masks, partial))
    signs.push_back({.shape = TimelineSign::Shape::hatched,
                     .word = "inactive lanes",
                     .meaning = "the hatched share of a mark is the share of lanes that do not run it",
                     .fill = theme.cell_empty,
                     .stroke = theme.border});
  if (!summary.group_changes.empty()) {
    signs.push_back({.shape = TimelineSign::Shape::diverge,
                     .word = "lanes diverge",
                     .meaning = "from here groups of lanes of the warp run one after the other",
                     .stroke = theme.text});
    signs.push_back({.shape = TimelineSign::Shape::reconverge,
                     .word = "lanes reconverge",
                     .meaning = "groups of lanes run together again",
                     .stroke = theme.text});
  }
  if (!summary.waits.empty())
    signs.push_back({.shape = TimelineSign::Shape::hatched,
                     .word = "waits",
                     .meaning = "in execution order: from the arrival of a warp at a barrier to that of the last one",
                     .fill = theme.cell_empty,
                     .stroke = theme.step(StepKind::barrier)});
  for (const auto verdict : {claims::Verdict::holds, claims::Verdict::differs, claims::Verdict::unchecked}) {
    if (std::ranges::none_of(summary.claims, [&](const ClaimInfo& c) { return c.result.verdict == verdict; })) continue;
    signs.push_back({.shape = TimelineSign::Shape::claim,
                     .word = claim_word(verdict),
                     .meaning = "an assignment comment is checked here",
                     .verdict = verdict});
  }
  if (std::ranges::any_of(summary.accesses, &StepAccess::costly))
    signs.push_back({.shape = TimelineSign::Shape::underline,
                     .word = "extra cost",
                     .meaning = "takes more wavefronts or sectors than its data need",
                     .fill = theme.warn});
  return signs;
}

}  // namespace lanescope::views
