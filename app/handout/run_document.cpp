#include "app/handout/run_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "app/handout/pictures.h"
#include "generated/resources.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "results/problems.h"
#include "viz/views/base/theme.h"
#include "viz/views/tooltips.h"

namespace lanescope::handout {
namespace {

using results::Moment;
using results::Summary;

/// Registers and a memory are then seen together on a laptop: many rows become lower.
constexpr int high_rows = 12;
constexpr float low_height = 440;
/// As wide as the registers of 32 lanes.
constexpr float memory_width = 796, shared_height = 460;

/// Rows of registers that a picture has at most, where the arrays can be chosen.
constexpr int most_rows = 24;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
  return lines;
}

page::Source source_of(const Summary& summary, const std::string& text, const std::vector<LineVisit>& visits) {
  page::Source source;
  source.files.push_back({.name = summary.file, .first_line = 1, .lines = lines_of(text)});
  for (std::size_t n = 1; n < summary.lines.files.size() && n <= summary.header_texts.size(); ++n) {
    const bool visited =
        std::ranges::any_of(visits, [&](const LineVisit& v) { return summary.lines.place(v.line).file == n; });
    if (visited)
      source.files.push_back({.name = summary.lines.files[n].name,
                              .first_line = summary.lines.files[n].first_line,
                              .lines = lines_of(summary.header_texts[n - 1])});
  }
  return source;
}

std::string line_text(const page::Source& source, int line) {
  for (const page::SourceFile& file : source.files) {
    const int n = line - file.first_line;
    if (n >= 0 && n < static_cast<int>(file.lines.size()))
      return std::string(trimmed(file.lines[static_cast<std::size_t>(n)]));
  }
  return {};
}

bool is_claimed(const Summary& summary, const results::RegisterArray& family) {
  return std::ranges::any_of(summary.claims,
                             [&](const results::ClaimInfo& c) { return c.claim.variable == family.name; });
}

/// Arrays that hold elements of a buffer at the end, the same ones in every step, so that rows stay where they are: those with
/// claims first, then the larger ones. Where none holds any, those that are written.
Expected<std::vector<int>> families_of_run(engine::Engine& engine, const Summary& summary, int warp) {
  engine::MomentRequest all{
      .step = static_cast<std::int64_t>(summary.steps) - 1, .families = {}, .first_warp = warp, .warp_count = 1};
  for (std::size_t n = 0; n < summary.families.size(); ++n) all.families.push_back(static_cast<int>(n));
  const auto moment = engine.moment(all);
  if (!moment) return tl::unexpected(moment.error());
  struct Candidate {
    int family, rank, rows;
  };
  std::vector<Candidate> candidates;
  for (const results::RegisterGrid& grid : moment->grids) {
    const auto& family = summary.families[static_cast<std::size_t>(grid.family)];
    const bool data = std::ranges::any_of(grid.cells, [](const results::Cell& c) { return c.kind != 0; });
    const bool written = std::ranges::any_of(grid.cells, [](const results::Cell& c) { return c.defined; });
    if (!written) continue;
    const int rank = is_claimed(summary, family) ? 0 : data ? (grid.registers > 1 ? 1 : 2) : 3;
    candidates.push_back({grid.family, rank, grid.registers * grid.parts});
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::rank);
  const bool any_data = !candidates.empty() && candidates.front().rank < 3;
  std::vector<int> chosen;
  int rows = 0;
  for (const Candidate& c : candidates) {
    if ((any_data && c.rank == 3) || (!chosen.empty() && rows + c.rows > most_rows)) continue;
    chosen.push_back(c.family), rows += c.rows;
  }
  std::ranges::sort(chosen);
  return chosen;
}

/// "line 58", "line 58, visit 3 of 16".
std::string title_of(const Summary& summary, const LineVisit& visit, const std::map<int, int>& visits) {
  const std::string words = summary.lines.words(visit.line);
  const int all = visits.at(visit.line);
  return all == 1 ? words : fmt::format("{}, visit {} of {}", words, visit.visit + 1, all);
}

int rows_of(const Moment& moment) {
  int rows = 0;
  for (const results::RegisterGrid& grid : moment.grids) rows += grid.registers * grid.parts;
  return rows;
}

class Steps {
 public:
  Steps(engine::Engine& engine, const Summary& summary, const page::Source& source, std::vector<int> families, int warp)
      : engine_(engine), summary_(summary), source_(source), families_(std::move(families)), warp_(warp) {}

  Expected<page::Step> step(const LineVisit& visit, std::int64_t before, const std::map<int, int>& visits) {
    const auto moment = engine_.moment(
        {.step = visit.step, .families = families_, .first_warp = warp_, .warp_count = 1, .moves_from = before});
    if (!moment) return tl::unexpected(moment.error());
    const views::Selection selection = selection_of(*moment);
    page::Step out{.title = title_of(summary_, visit, visits),
                   .line = visit.line,
                   .code = line_text(source_, visit.line),
                   .caption = moment->statement_words,
                   .pictures = {}};
    if (!families_.empty())
      out.pictures.push_back(
          registers_picture(summary_, *moment, selection, {.height = rows_of(*moment) > high_rows ? low_height : 0}));
    if (moment->access && moment->access->space == trace::MemorySpace::global)
      global_ = global_picture(summary_, *moment, selection, {.width = memory_width});
    if (global_) {
      out.pictures.push_back(*global_);
      global_->of_before = true;
    }
    if (summary_.shared_bytes > 0) {
      out.pictures.push_back(
          shared_picture(summary_, *moment, selection, {.width = memory_width, .height = shared_height}));
      out.pictures.back().of_before = !moment->access || moment->access->space != trace::MemorySpace::shared;
    }
    return out;
  }

 private:
  engine::Engine& engine_;
  const Summary& summary_;
  const page::Source& source_;
  std::vector<int> families_;
  int warp_;
  std::optional<page::Picture> global_;  ///< the last access stays until the next one
};

/// The visit that --at means; nearest line above where the line itself has none.
Expected<LineVisit> visit_at(const Summary& summary, const std::vector<LineVisit>& visits, const std::string& at) {
  const bool is_step = at.starts_with("step:");
  const std::string digits = is_step ? at.substr(5) : at;
  std::int64_t n = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc{} || end != digits.data() + digits.size() || n < 0)
    return failure(fmt::format("'{}' is no moment", at), "write a line as 58, or a step as step:120");
  if (is_step) {
    n -= static_cast<std::int64_t>(summary.first_step);
    for (const LineVisit& v : visits)
      if (v.step >= n && n >= 0) return LineVisit{.step = n, .line = v.line, .visit = v.visit};
    return failure(fmt::format("there is no step {} of this warp", digits),
                   visits.empty() ? "choose another warp"
                                  : fmt::format("its last step is step:{}",
                                                static_cast<std::uint64_t>(visits.back().step) + summary.first_step));
  }
  const auto found = std::ranges::find(visits, n, &LineVisit::line);
  if (found != visits.end()) return *found;
  std::vector<int> lines;
  for (const LineVisit& v : visits) lines.push_back(v.line);
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return failure(fmt::format("the warp executes no instruction of line {}", digits),
                 fmt::format("its lines are {}", fmt::join(lines, ", ")));
}

Expected<page::Player> player_of(engine::Engine& engine, const Summary& summary, const page::Source& source,
                                 const std::vector<LineVisit>& visits, const RunOptions& options) {
  auto families = families_of_run(engine, summary, options.warp);
  if (!families) return tl::unexpected(families.error());
  std::map<int, int> count;
  for (const LineVisit& v : visits) ++count[v.line];
  std::vector<LineVisit> shown = visits;
  if (!options.at.empty()) {
    const auto only = visit_at(summary, visits, options.at);
    if (!only) return tl::unexpected(only.error());
    shown = {*only};
  }
  if (shown.size() > options.most_steps) shown.resize(options.most_steps);
  Steps steps(engine, summary, source, std::move(*families), options.warp);
  page::Player player{.name = fmt::format("Warp {} of block {}", options.warp, summary.recorded_block),
                      .source = 0,
                      .excerpt = !options.at.empty(),
                      .steps = {}};
  for (const LineVisit& visit : shown) {
    const auto before = std::ranges::lower_bound(visits, visit.step, {}, &LineVisit::step);
    auto step = steps.step(visit, before == visits.begin() ? -1 : std::prev(before)->step, count);
    if (!step) return tl::unexpected(step.error());
    player.steps.push_back(std::move(*step));
  }
  return player;
}

page::Table claims_table(const Summary& summary) {
  page::Table table{.caption = "Assignment comments", .headings = {"Variable", "Place", "Verdict"}, .rows = {}};
  for (const results::ClaimInfo& c : summary.claims)
    table.rows.push_back({c.claim.variable, summary.lines.words(c.claim.first_line), views::verdict_text(c.result)});
  return table;
}

page::Table counters_table(const Summary& summary) {
  page::Table table{.caption = "Predicted counters of the whole run, by line",
                    .headings = {"Place", "Warp instructions", "Global requests", "Sectors", "Shared requests",
                                 "Wavefronts", "Bank conflicts", "Shuffles"},
                    .rows = {}};
  const auto row = [](std::string place, const results::LineCounters& c) {
    std::vector<std::string> cells{std::move(place)};
    for (const std::uint64_t n : {c.instructions, c.global_requests, c.global_sectors, c.shared_requests,
                                  c.shared_wavefronts, c.bank_conflicts, c.shuffles})
      cells.push_back(n == 0 ? "" : spaced(n));
    return cells;
  };
  for (const results::LineCounters& c : summary.counters)
    if (c.line > 0) table.rows.push_back(row(summary.lines.words(c.line), c));
  for (const results::LineCounters& c : summary.counters)
    if (c.line == 0) table.rows.push_back(row("All", c));
  return table;
}

/// A sentence in one line.
std::string plain(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  if (!text.empty()) text.front() = upper(text.front());
  return text;
}

page::Section problems_section(const Summary& summary) {
  page::Section section{.heading = "Problems", .blocks = {}};
  std::string list;
  for (const results::Problem& p : results::problems_of(summary)) {
    list += fmt::format("- **{}**{}: {}. {}{}\n", p.title, p.line > 0 ? ", " + summary.lines.words(p.line) : "",
                        plain(p.message), plain(p.remedy), p.remedy.empty() ? "" : ".");
  }
  section.blocks.emplace_back(page::Text{list.empty() ? "None were found." : list});
  return section;
}

std::string extent(const trace::Dim3& d) {
  if (d.z > 1) return fmt::format("{} x {} x {}", d.x, d.y, d.z);
  return d.y > 1 ? fmt::format("{} x {}", d.x, d.y) : std::to_string(d.x);
}

std::string summary_words(const Summary& summary) {
  return fmt::format("`{}` of `{}`: {} {} of {} threads, {}, {}", summary.kernel,
                     summary.file.substr(summary.file.find_last_of('/') + 1), extent(summary.grid),
                     summary.grid.count() == 1 ? "block" : "blocks", extent(summary.block), summary.arch,
                     summary.compiler);
}

}  // namespace

std::array<page::Colors, page::look_count> page_colors() {
  const auto colors = [](const views::Theme& t) {
    return page::Colors{.background = t.background,
                        .panel = t.panel,
                        .border = t.border,
                        .text = t.text,
                        .text_dim = t.text_dim,
                        .accent = t.accent,
                        .row_highlight = t.row_highlight,
                        .good = t.good,
                        .bad = t.bad,
                        .selected = t.selected,
                        .paper = t.paper()};
  };
  return {colors(views::light_theme()), colors(views::dark_theme())};
}

std::vector<LineVisit> line_visits(const Summary& summary, int warp) {
  std::vector<LineVisit> visits;
  std::map<int, int> count;
  for (const results::TimelineMark& m : summary.timeline) {
    if (m.warp != warp) continue;
    if (visits.empty() || (m.line != 0 && m.line != visits.back().line)) {
      visits.push_back({.step = m.step, .line = m.line, .visit = 0});
      visits.back().visit = count[m.line]++;
    }
    visits.back().step = m.step;
  }
  return visits;
}

Expected<page::Document> document_of_run(engine::Engine& engine, const engine::RunResult& result,
                                         const std::string& text, const RunOptions& options) {
  const Summary& summary = result.summary;
  if (options.warp < 0 || options.warp >= static_cast<int>(summary.warps))
    return failure(
        Diagnostic{.file = summary.file,
                   .message = fmt::format("there is no warp {}", options.warp),
                   .remedy = fmt::format("the block has warps 0 to {}", static_cast<int>(summary.warps) - 1)});
  const std::vector<LineVisit> visits = line_visits(summary, options.warp);
  if (visits.empty())
    return failure(Diagnostic{.file = summary.file,
                              .message = fmt::format("warp {} of block {} has no step that could be shown",
                                                     options.warp, summary.recorded_block),
                              .remedy = "choose another warp or block"});
  page::Document document{
      .title = summary.kernel,
      .summary = summary_words(summary),
      .made_by = fmt::format("lanescope {}, {}, {}", resources::version, summary.arch, summary.compiler),
      .sources = {source_of(summary, text, visits)},
      .sections = {},
      .colors = page_colors()};
  auto player = player_of(engine, summary, document.sources.front(), visits, options);
  if (!player) return tl::unexpected(player.error());
  page::Section steps{.heading = player->name, .blocks = {}};
  if (options.at.empty() && player->steps.size() < visits.size())
    steps.blocks.emplace_back(page::Text{
        fmt::format("The first {} of {} steps of this warp are shown.", player->steps.size(), visits.size())});
  steps.blocks.emplace_back(std::move(*player));
  document.sections.push_back(std::move(steps));
  if (!options.at.empty()) return document;
  document.sections.push_back(problems_section(summary));
  page::Section figures{.heading = "Claims and counters", .blocks = {}};
  if (!summary.claims.empty()) figures.blocks.emplace_back(claims_table(summary));
  figures.blocks.emplace_back(counters_table(summary));
  document.sections.push_back(std::move(figures));
  if (!summary.notices.empty() || !summary.inferred.empty()) {
    std::string list;
    for (const std::string& sentence : summary.inferred) list += "- " + plain(sentence) + "\n";
    for (const std::string& sentence : summary.notices) list += "- " + plain(sentence) + "\n";
    document.sections.push_back({.heading = "Remarks", .blocks = {page::Text{list}}});
  }
  return document;
}

}  // namespace lanescope::handout
