#include "app/handout/write.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "app/handout/run_parts.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "results/problems.h"
#include "viz/views/base/theme.h"
#include "viz/views/tooltips.h"

namespace lanescope::handout {
namespace {

using results::Moment;
using results::Summary;

/// "line 58", "line 58, visit 3 of 16".
std::string title_of(const Summary& summary, const Stop& visit, const std::map<int, int>& visits) {
  const std::string words = summary.lines.words(visit.line);
  const int all = visits.at(visit.line);
  return all == 1 ? words : fmt::format("{}, visit {} of {}", words, visit.visit + 1, all);
}

class Steps {
 public:
  Steps(engine::Engine& engine, const Summary& summary, const page::Source& source, std::vector<int> families, int warp)
      : engine_(engine), summary_(summary), source_(source), families_(std::move(families)), warp_(warp) {}

  Expected<page::Step> step(const Stop& visit, std::int64_t before, const std::map<int, int>& visits) {
    const auto moment = LS_TRY(engine_.ask<engine::ask::Moment>(
        {.step = visit.step, .families = families_, .first_warp = warp_, .warp_count = 1, .moves_from = before}));
    const views::Selection selection = selection_of(moment);
    page::Step out{.title = title_of(summary_, visit, visits),
                   .line = visit.line,
                   .code = line_text(source_, visit.line),
                   .caption = moment.statement_words};
    if (!families_.empty())
      out.pictures.push_back(registers_picture(summary_, moment, selection, registers_look(moment)));
    if (moment.access && moment.access->space == trace::MemorySpace::global)
      global_ = global_picture(summary_, moment, selection, memory_look());
    if (global_) {
      out.pictures.push_back(*global_);
      global_->of_before = true;
    }
    if (summary_.shared_bytes > 0) {
      out.pictures.push_back(shared_picture(summary_, moment, selection, memory_look()));
      out.pictures.back().of_before = !moment.access || moment.access->space != trace::MemorySpace::shared;
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
Expected<Stop> visit_at(const Summary& summary, const std::vector<Stop>& visits, const std::string& at) {
  const bool is_step = at.starts_with("step:");
  const std::string digits = is_step ? at.substr(5) : at;
  std::int64_t n = number_in<std::int64_t>(digits).value_or(-1);
  if (n < 0) return failure(fmt::format("'{}' is no moment", at), "write a line as 58, or a step as step:120");
  if (is_step) {
    n -= static_cast<std::int64_t>(summary.first_step);
    for (const Stop& v : visits)
      if (v.step >= n && n >= 0) return Stop{.step = n, .line = v.line, .visit = v.visit};
    return failure(fmt::format("there is no step {} of this warp", digits),
                   visits.empty() ? "choose another warp"
                                  : fmt::format("its last step is step:{}",
                                                static_cast<std::uint64_t>(visits.back().step) + summary.first_step));
  }
  const auto found = std::ranges::find(visits, n, &Stop::line);
  if (found != visits.end()) return *found;
  std::vector<int> lines;
  for (const Stop& v : visits) lines.push_back(v.line);
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return failure(fmt::format("the warp executes no instruction of line {}", digits),
                 fmt::format("its lines are {}", fmt::join(lines, ", ")));
}

Expected<page::Player> player_of(engine::Engine& engine, const Summary& summary, const page::Source& source,
                                 const std::vector<Stop>& visits, const RunOptions& options) {
  auto families = LS_TRY(families_of_run(engine, summary, options.warp, -1));
  std::map<int, int> count;
  for (const Stop& v : visits) ++count[v.line];
  std::vector<Stop> shown = visits;
  if (!options.at.empty()) shown = {LS_TRY(visit_at(summary, visits, options.at))};
  if (shown.size() > options.most_steps) shown.resize(options.most_steps);
  Steps steps(engine, summary, source, std::move(families), options.warp);
  page::Player player{.name = fmt::format("Warp {} of block {}", options.warp, summary.recorded_block),
                      .source = 0,
                      .excerpt = !options.at.empty()};
  for (const Stop& visit : shown) {
    const auto before = std::ranges::lower_bound(visits, visit.step, {}, &Stop::step);
    player.steps.push_back(LS_TRY(steps.step(visit, before == visits.begin() ? -1 : std::prev(before)->step, count)));
  }
  return player;
}

page::Table claims_table(const Summary& summary) {
  page::Table table{.caption = "Assignment comments", .headings = {"Variable", "Place", "Verdict"}};
  for (const results::ClaimInfo& c : summary.claims)
    table.rows.push_back({c.claim.variable, summary.lines.words(c.claim.first_line), views::verdict_text(c.result)});
  return table;
}

page::Table counters_table(const Summary& summary) {
  page::Table table{.caption = "Predicted counters of the whole run, by line",
                    .headings = {"Place", "Warp instructions", "Global requests", "Sectors", "Shared requests",
                                 "Wavefronts", "Bank conflicts", "Shuffles"}};
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
  return capitalised(std::move(text));
}

page::Section problems_section(const Summary& summary) {
  page::Section section{.heading = "Problems"};
  std::string list;
  for (const results::Problem& p : results::problems_of(summary))
    list += fmt::format("- **{}**{}: {}. {}{}\n", p.title, p.line > 0 ? ", " + summary.lines.words(p.line) : "",
                        plain(p.message), plain(p.remedy), p.remedy.empty() ? "" : ".");
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

Expected<page::Document> document_of_run(engine::Engine& engine, const engine::RunResult& result,
                                         const std::string& text, const RunOptions& options) {
  const Summary& summary = result.summary;
  if (options.warp < 0 || options.warp >= static_cast<int>(summary.warps))
    return failure(
        Diagnostic{.file = summary.file,
                   .message = fmt::format("there is no warp {}", options.warp),
                   .remedy = fmt::format("the block has warps 0 to {}", static_cast<int>(summary.warps) - 1)});
  const std::vector<Stop> visits = stops_of(summary, options.warp);
  if (visits.empty())
    return failure(Diagnostic{.file = summary.file,
                              .message = fmt::format("warp {} of block {} has no step that could be shown",
                                                     options.warp, summary.recorded_block),
                              .remedy = "choose another warp or block"});
  std::vector<int> lines;
  for (const Stop& v : visits) lines.push_back(v.line);
  page::Document document{.title = summary.kernel,
                          .summary = summary_words(summary),
                          .made_by = made_by(&summary),
                          .sources = {source_of(summary, text, lines)},
                          .colors = page_colors()};
  auto player = LS_TRY(player_of(engine, summary, document.sources.front(), visits, options));
  page::Section steps{.heading = player.name};
  if (options.at.empty() && player.steps.size() < visits.size())
    steps.blocks.emplace_back(page::Text{
        fmt::format("The first {} of {} steps of this warp are shown.", player.steps.size(), visits.size())});
  steps.blocks.emplace_back(std::move(player));
  document.sections.push_back(std::move(steps));
  if (!options.at.empty()) return document;
  document.sections.push_back(problems_section(summary));
  page::Section figures{.heading = "Claims and counters"};
  if (!summary.claims.empty()) figures.blocks.emplace_back(claims_table(summary));
  figures.blocks.emplace_back(counters_table(summary));
  document.sections.push_back(std::move(figures));
  const std::vector<std::string> taken = results::sentences_of(summary);
  if (!summary.notices.empty() || !taken.empty()) {
    std::string list;
    for (const std::string& sentence : taken) list += "- " + plain(sentence) + "\n";
    for (const results::Notice& notice : summary.notices) list += "- " + plain(notice.words()) + "\n";
    document.sections.push_back({.heading = "Remarks", .blocks = {page::Text{list}}});
  }
  return document;
}

}  // namespace lanescope::handout
