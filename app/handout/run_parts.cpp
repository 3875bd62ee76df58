#include "app/handout/run_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "generated/resources.h"
#include "kernels/base/text.h"
#include "results/step_index.h"

namespace lanescope::handout {
namespace {

using results::Summary;

/// Rows of registers that a picture has at most, where the arrays can be chosen.
constexpr int most_rows = 24;
constexpr int high_rows = 12;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
  return lines;
}

bool is_claimed(const Summary& summary, const results::RegisterArray& family) {
  return std::ranges::any_of(summary.claims,
                             [&](const results::ClaimInfo& c) { return c.claim.variable == family.name; });
}

}  // namespace

std::vector<Stop> stops_of(const Summary& summary, int warp) {
  std::vector<Stop> stops;
  std::map<int, int> count;
  for (const results::LineVisit& v : results::line_visits(summary, warp))
    stops.push_back({.step = v.last, .line = v.line, .visit = count[v.line]++});
  return stops;
}

page::Source source_of(const Summary& summary, const std::string& text, const std::vector<int>& lines) {
  page::Source source;
  source.files.push_back({.name = summary.file, .first_line = 1, .lines = lines_of(text)});
  for (std::size_t n = 1; n < summary.lines.files.size() && n <= summary.header_texts.size(); ++n) {
    const bool visited = std::ranges::any_of(lines, [&](int line) { return summary.lines.place(line).file == n; });
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

Expected<std::vector<int>> families_of_run(engine::Engine& engine, const Summary& summary, int warp, int first) {
  engine::MomentRequest all{.step = static_cast<std::int64_t>(summary.steps) - 1, .first_warp = warp, .warp_count = 1};
  for (std::size_t n = 0; n < summary.families.size(); ++n) all.families.push_back(static_cast<int>(n));
  const auto moment = LS_TRY(engine.ask<engine::ask::Moment>(all));
  struct Candidate {
    int family, rank, rows;
  };
  std::vector<Candidate> candidates;
  for (const results::RegisterGrid& grid : moment.grids) {
    const auto& family = summary.families[static_cast<std::size_t>(grid.family)];
    const bool data = std::ranges::any_of(grid.cells, [](const results::Cell& c) { return c.kind != 0; });
    const bool written = std::ranges::any_of(grid.cells, [](const results::Cell& c) { return c.defined; });
    if (!written && grid.family != first) continue;
    const int rank = grid.family == first          ? -1
                     : is_claimed(summary, family) ? 0
                     : !data                       ? 3
                     : grid.registers > 1          ? 1
                                                   : 2;
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

PictureOptions registers_look(const results::Moment& moment) {
  int rows = 0;
  for (const results::RegisterGrid& grid : moment.grids) rows += grid.registers * grid.parts * grid.warps;
  return {.height = rows > high_rows ? 440.0f : 0.0f};
}

PictureOptions memory_look() { return {.width = 796, .height = 460}; }

std::string made_by(const Summary* summary) {
  std::string words = fmt::format("lanescope {}", resources::version);
  if (summary != nullptr) words += fmt::format(", {}, {}", summary->arch, summary->compiler);
  return words;
}

}  // namespace lanescope::handout
