#include "app/gui/script/script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "app/gui/commands/memory_route.h"
#include "app/gui/model/steps.h"
#include "app/gui/state/pins.h"
#include "app/gui/widgets/items.h"
#include "kernels/base/enum_size.h"
#include "results/step_index.h"
#include "viz/views/base/elements.h"
#include "viz/views/memory/what_if.h"
#include "viz/views/movement/words.h"

namespace lanescope::gui {
namespace {

std::string yes(bool b) { return b ? "yes" : "no"; }
std::string panel_or_none(const std::optional<PanelId>& id) { return id ? std::string(panel_name(*id)) : "none"; }

using Fact = std::function<std::string(const App&)>;

using CalculatorFact = std::function<std::string(const Calculator&)>;

/// Of the access calculator, after "calculator.".
const std::map<std::string, CalculatorFact, std::less<>>& calculator_facts() {
  static const std::map<std::string, CalculatorFact, std::less<>> table{
      {"pattern", [](const Calculator& c) { return c.words(); }},
      {"problem", [](const Calculator& c) { return c.problem().empty() ? std::string("none") : c.problem(); }},
      {"space",
       [](const Calculator& c) {
         return std::string(c.shared() ? "shared" : c.constant() ? "constant" : "global");
       }},
      {"broadcasts", [](const Calculator& c) { return std::to_string(c.access().cost.broadcasts); }},
      {"width", [](const Calculator& c) { return std::to_string(c.pattern().width_bytes); }},
      {"mask", [](const Calculator& c) { return fmt::format("{:#010x}", c.pattern().mask); }},
      {"offsets", [](const Calculator& c) { return fmt::format("{}", fmt::join(c.pattern().addresses, " ")); }},
      {"sectors", [](const Calculator& c) { return std::to_string(c.access().cost.sectors); }},
      {"wavefronts", [](const Calculator& c) { return std::to_string(c.access().cost.wavefronts); }},
      {"wavefronts_after",
       [](const Calculator& c) { return std::to_string(views::bank_costs(c.access(), c.what_if).after.wavefronts); }},
      {"wavefront",
       [](const Calculator& c) { return c.wavefront < 0 ? std::string("all") : std::to_string(c.wavefront); }},
      {"lane", [](const Calculator& c) { return c.lane < 0 ? std::string("none") : std::to_string(c.lane); }},
      {"playing", [](const Calculator& c) { return yes(c.playing); }},
  };
  return table;
}

using OccupancyFact = std::function<std::string(const results::OccupancyInfo&)>;
std::string curve_value(const results::OccupancyInfo& info, std::size_t curve) {
  return curve < info.curves.size() ? std::to_string(info.curves[curve].current) : std::string("none");
}

/// Of the occupancy that its panel shows, after "occupancy."; beside them "what_if".
const std::map<std::string, OccupancyFact, std::less<>>& occupancy_facts() {
  static const std::map<std::string, OccupancyFact, std::less<>> table{
      {"gpu", [](const results::OccupancyInfo& i) { return i.gpu; }},
      {"percent", [](const results::OccupancyInfo& i) { return fmt::format("{:.1f}", i.percent); }},
      {"warps", [](const results::OccupancyInfo& i) { return std::to_string(i.warps); }},
      {"registers", [](const results::OccupancyInfo& i) { return curve_value(i, 0); }},
      {"shared_bytes", [](const results::OccupancyInfo& i) { return curve_value(i, 1); }},
      {"threads", [](const results::OccupancyInfo& i) { return curve_value(i, 2); }},
      {"memory_cycles", [](const results::OccupancyInfo& i) { return std::to_string(i.flight.memory_cycles); }},
      {"arithmetic_cycles", [](const results::OccupancyInfo& i) { return std::to_string(i.flight.arithmetic_cycles); }},
      {"memory_warps",
       [](const results::OccupancyInfo& i) {
         return i.in_flight.empty() ? std::string("none") : std::to_string(i.in_flight.back().needed_warps);
       }},
  };
  return table;
}

using DesignFact = std::function<std::string(const Designer&)>;
std::string or_none(std::string words) { return words.empty() ? "none" : words; }
std::string chip_words(const std::optional<views::ChipRef>& chip) {
  return chip ? scene::to_string(views::id_of(*chip)) : "none";
}
const convert::Plan* plan_of(const Designer& d) {
  return d.study() == nullptr || d.plan() < 0 ? nullptr
                                              : &d.study()->planned->plans[static_cast<std::size_t>(d.plan())];
}

/// Of the layout under design, after "design.".
const std::map<std::string, DesignFact, std::less<>>& design_facts() {
  static const std::map<std::string, DesignFact, std::less<>> table{
      {"open", [](const Designer& d) { return yes(d.is_open()); }},
      {"title", [](const Designer& d) { return d.is_open() ? d.title() : "none"; }},
      {"edited", [](const Designer& d) { return yes(d.edited()); }},
      {"name", [](const Designer& d) { return d.sheet().design.name; }},
      {"type", [](const Designer& d) { return d.sheet().design.type; }},
      {"from", [](const Designer& d) { return d.sheet().design.from; }},
      {"to", [](const Designer& d) { return d.sheet().design.to; }},
      {"wrong",
       [](const Designer& d) {
         for (const design::End end : {design::End::from, design::End::to})
           if (const Diagnostics& w = d.sheet().side(end).wrong; !w.empty())
             return fmt::format("{} column {}: {}", design::name_of(end), w.front().column, w.front().message);
         return std::string("none");
       }},
      {"steps",
       [](const Designer& d) {
         std::vector<std::string> words;
         for (const design::Step& s : d.sheet().steps)
           words.push_back(s.exchange ? design::to_string(*s.exchange) : "other");
         return or_none(fmt::format("{}", fmt::join(words, ", ")));
       }},
      {"step", [](const Designer& d) { return std::to_string(d.step()); }},
      {"step.cost",
       [](const Designer& d) {
         const auto n = static_cast<std::size_t>(d.step());
         return n > 0 && d.study() != nullptr && n <= d.study()->steps.size() ? d.study()->steps[n - 1].words : "none";
       }},
      {"plans",
       [](const Designer& d) {
         return std::to_string(d.study() != nullptr && d.study()->planned ? d.study()->planned->plans.size() : 0);
       }},
      {"plan", [](const Designer& d) { return std::to_string(d.plan() + 1); }},
      {"plan.cost",
       [](const Designer& d) {
         return plan_of(d) == nullptr ? std::string("none") : convert::cost_in_words(*plan_of(d));
       }},
      {"plan.problem",
       [](const Designer& d) {
         return d.study() == nullptr || d.study()->wrong.empty() ? std::string("none")
                                                                 : d.study()->wrong.front().message;
       }},
      {"check", [](const Designer& d) { return std::string(enum_name(d.check().state)); }},
      {"check.words", [](const Designer& d) { return or_none(d.check().words); }},
      {"focus", [](const Designer& d) { return chip_words(d.focused); }},
      {"held", [](const Designer& d) { return chip_words(d.picked); }},
      {"remark", [](const Designer& d) { return or_none(d.remark); }},
      {"along", [](const Designer& d) { return fmt::format("{:.2f}", d.along); }},
      {"states", [](const Designer& d) { return std::to_string(d.path().size()); }},
      {"undo", [](const Designer& d) { return or_none(d.can_undo() ? d.undo_name() : ""); }},
      {"redo", [](const Designer& d) { return or_none(d.can_redo() ? d.redo_name() : ""); }},
      {"leg",
       [](const Designer& d) { return fmt::format("{} of {}", d.sheet().design.leg() + 1, d.sheet().design.legs()); }},
      {"chain.total",
       [](const Designer& d) {
         return d.study() != nullptr && d.study()->chain ? d.study()->chain->total : std::string("none");
       }},
      {"chain.direct",
       [](const Designer& d) {
         return d.study() != nullptr && d.study()->chain ? d.study()->chain->direct : std::string("none");
       }},
      {"wavefront", [](const Designer& d) { return fmt::format("{} of {}", d.wavefront + 1, d.wavefronts()); }},
      {"memory", [](const Designer& d) { return or_none(fmt::format("{}", fmt::join(d.sheet().design.memory, " "))); }},
  };
  return table;
}

using BetterFact = std::function<std::string(const Improvement&)>;
std::string better_claim(const Improvement& i, std::size_t n) {
  const source::Claim& c = i.summary().claims[n].claim;
  return fmt::format("{} {}", c.variable, c.first_line);
}
const assist::CodeCounts* better_lines(const Improvement& i) {
  return i.counted() != nullptr && i.counted()->check.state == CodeCheck::State::right ? &i.counted()->lines : nullptr;
}
std::string better_number(const Improvement& i, double assist::CodeCounts::*member) {
  return better_lines(i) == nullptr ? std::string("none") : fmt::format("{:g}", better_lines(i)->*member);
}

/// Of the comparison with the planner's code, after "better."; "none" for all of them while there is none.
const std::map<std::string, BetterFact, std::less<>>& better_facts() {
  static const std::map<std::string, BetterFact, std::less<>> table{
      {"from", [](const Improvement& i) { return better_claim(i, i.pair().from); }},
      {"to", [](const Improvement& i) { return better_claim(i, i.pair().to); }},
      {"way", [](const Improvement& i) { return std::string(i.way() == RewriteWay::replace ? "replace" : "insert"); }},
      {"lines",
       [](const Improvement& i) {
         return i.plan() == nullptr ? std::string("none")
                                    : fmt::format("{} to {}", i.plan()->code.first, i.plan()->code.last);
       }},
      {"refusal", [](const Improvement& i) { return or_none(i.offer_refusal()); }},
      {"verdict", [](const Improvement& i) { return or_none(i.verdict()); }},
      {"check", [](const Improvement& i) { return i.counted() == nullptr ? "none" : i.counted()->check.words; }},
      {"own.shuffles", [](const Improvement& i) { return fmt::format("{:g}", i.own.shuffles); }},
      {"own.selects", [](const Improvement& i) { return fmt::format("{:g}", i.own.selects); }},
      {"own.wavefronts", [](const Improvement& i) { return fmt::format("{:g}", i.own.wavefronts); }},
      {"own.instructions", [](const Improvement& i) { return fmt::format("{:g}", i.own.all); }},
      {"planned.shuffles", [](const Improvement& i) { return better_number(i, &assist::CodeCounts::shuffles); }},
      {"planned.selects", [](const Improvement& i) { return better_number(i, &assist::CodeCounts::selects); }},
      {"planned.wavefronts", [](const Improvement& i) { return better_number(i, &assist::CodeCounts::wavefronts); }},
      {"planned.instructions", [](const Improvement& i) { return better_number(i, &assist::CodeCounts::all); }},
  };
  return table;
}

std::optional<std::string> calculator_fact(const Calculator& c, std::string_view name) {
  const auto at = calculator_facts().find(name);
  return at == calculator_facts().end() ? std::nullopt : std::optional(at->second(c));
}

std::optional<std::string> occupancy_fact(const App& app, std::string_view name) {
  if (name == "what_if") return yes(app.occupancy.is_what_if());
  const auto at = occupancy_facts().find(name);
  if (at == occupancy_facts().end()) return std::nullopt;
  const auto info = engine::occupancy_info(app.results.summary, app.occupancy.choice);
  return info ? at->second(*info) : info.error().front().message;
}

const std::map<std::string, Fact, std::less<>>& facts() {
  static const std::map<std::string, Fact, std::less<>> table{
      {"selection.step", [](const App& a) { return std::to_string(a.navigation.selection.step); }},
      {"selection.line", [](const App& a) { return std::to_string(a.navigation.selection.line); }},
      {"source.file",
       [](const App& a) {
         const auto& files = a.results.lines.files;
         return files.empty() ? std::filesystem::path(a.document.file()).filename().string()
                              : files[std::min(a.navigation.shown_file, files.size() - 1)].name;
       }},
      {"source.line",
       [](const App& a) { return std::to_string(a.results.lines.place(a.navigation.selection.line).line); }},
      {"selection.warp", [](const App& a) { return std::to_string(a.navigation.selection.warp); }},
      {"selection.family", [](const App& a) { return std::to_string(a.navigation.selection.family); }},
      {"selection.place",
       [](const App& a) {
         const auto& p = a.navigation.selection.place;
         return p ? fmt::format("{}/{}/{}/{}/{}", p->family, p->warp, p->reg, p->part, p->lane) : std::string("none");
       }},
      {"selection.element",
       [](const App& a) {
         const auto& e = a.navigation.selection.element;
         return e ? fmt::format("{}/{}", e->first, e->second) : std::string("none");
       }},
      {"selection.address",
       [](const App& a) {
         const auto& e = a.navigation.selection.address;
         return e ? fmt::format("{}/{}", e->first, e->second) : std::string("none");
       }},
      {"pins",
       [](const App& a) {
         std::string words;
         for (const auto& [buffer, element] : a.navigation.selection.pins)
           words += (words.empty() ? "" : " ") + views::tag_text(a.results.summary, buffer, element);
         return words.empty() ? std::string("none") : words;
       }},
      {"journey.arrives",
       [](const App& a) {
         const int n = journey_at_hand(a);
         if (n < 0) return std::string("none");
         const results::Journey& j = a.results.journeys.all[static_cast<std::size_t>(n)];
         const auto path = views::shown_path(j, journey_options(a).ends[static_cast<std::size_t>(n)]);
         if (path.empty()) return std::string("none");
         return views::short_place(a.results.summary, j, j.stations[static_cast<std::size_t>(path.back())].place);
       }},
      {"inspector.arrived", [](const App& a) { return or_none(pinned_here(a)); }},
      {"hovered",
       [](const App& a) {
         return a.navigation.hovered ? scene::to_string(*a.navigation.hovered) : std::string("none");
       }},
      {"caret", [](const App& a) { return fmt::format("{}:{}", a.writing.line(), a.writing.column()); }},
      {"caret.selected", [](const App& a) { return a.writing.edit.selected(); }},
      {"suggestions",
       [](const App& a) {
         const Suggestions& s = a.writing.suggestions;
         return s.open && !s.offers.list.empty() ? s.offers.list[static_cast<std::size_t>(s.chosen)].word
                                                 : std::string("none");
       }},
      {"search", [](const App& a) { return yes(a.writing.search.open); }},
      {"search.matches", [](const App& a) { return std::to_string(a.writing.matches().size()); }},
      {"source.first", [](const App& a) { return std::to_string(a.writing.sight.first_line); }},
      {"source.last", [](const App& a) { return std::to_string(a.writing.sight.last_line); }},
      {"source.left", [](const App& a) { return std::to_string(a.writing.sight.left_column); }},
      {"source.hidden_columns", [](const App& a) { return std::to_string(a.writing.sight.hidden_columns); }},
      {"code_beside", [](const App& a) { return yes(a.shell.view.code_beside); }},
      {"moment.step", [](const App& a) { return std::to_string(a.results.moment.step); }},
      {"movement.share", [](const App& a) { return fmt::format("{:.2f}", a.navigation.selection.share); }},
      {"movement.playing", [](const App& a) { return yes(a.movement.playing()); }},
      {"movement.speed", [](const App& a) { return fmt::format("{}", a.movement.speed()); }},
      {"movement.values",
       [](const App& a) {
         const auto& m = a.results.moment.movement;
         return m ? std::to_string(m->flows.size()) : std::string("none");
       }},
      {"movement.words", [](const App& a) { return views::movement_words(a.results.summary, a.results.moment); }},
      {"movement.lines",
       [](const App& a) {
         const auto& m = a.results.moment.movement;
         return m ? a.results.summary.lines.range(m->first_line, m->line) : std::string("none");
       }},
      {"moment.moves", [](const App& a) { return std::to_string(a.results.moment.moves.size()); }},
      {"options.used",
       [](const App& a) {
         std::string words;
         for (const options::UsedOption& o : a.results.settings.used) words += (words.empty() ? "" : " ") + o.written;
         return words.empty() ? std::string("none") : words;
       }},
      {"options.left_out", [](const App& a) { return std::to_string(a.results.settings.left_out.size()); }},
      {"results.have", [](const App& a) { return yes(a.results.have); }},
      {"results.running", [](const App& a) { return yes(a.results.running); }},
      {"results.failed", [](const App& a) { return yes(a.results.failed); }},
      {"results.stale", [](const App& a) { return yes(a.results.stale(a.document.text())); }},
      {"results.claims",
       [](const App& a) {
         const ClaimTally t = tally(a.results.summary);
         return fmt::format("{} hold, {} differ, {} unchecked", t.holds, t.differs, t.unchecked);
       }},
      {"results.steps", [](const App& a) { return std::to_string(a.results.summary.steps); }},
      {"results.error_line",
       [](const App& a) {
         return std::to_string(a.results.diagnostics.empty() ? 0 : a.results.diagnostics.front().line);
       }},
      {"results.message",
       [](const App& a) {
         return a.results.diagnostics.empty() ? std::string("none") : a.results.diagnostics.front().message;
       }},
      {"problems",
       [](const App& a) {
         const results::ProblemCounts c = results::count(a.results.problems);
         return fmt::format("{} errors, {}{} warnings, {} notes", c.errors,
                            c.assumed > 0 ? fmt::format("{} assumed, ", c.assumed) : "", c.warnings, c.notes);
       }},
      {"problem",
       [](const App& a) {
         const results::Problem* p = a.problems.chosen();
         return p == nullptr ? std::string("none") : fmt::format("{} {}", p->title, a.results.lines.words(p->line));
       }},
      {"output.lines",
       [](const App& a) {
         const PrintedFilter filter = printed_filter(a.output.filter);
         const results::Summary& s = a.results.summary;
         return std::to_string(std::ranges::count_if(results::printed_lines(s), [&](const results::PrintedLine& l) {
           return matches(filter, s.printed[l.call], l.text, s.lines);
         }));
       }},
      {"output.count", [](const App& a) { return std::to_string(results::printed_lines(a.results.summary).size()); }},
      {"output.chosen",
       [](const App& a) {
         const auto call = static_cast<std::size_t>(a.output.chosen);
         if (a.output.chosen < 0 || call >= a.results.summary.printed.size()) return std::string("none");
         const std::string& text = a.results.summary.printed[call].text;
         return text.substr(0, text.find('\n'));
       }},
      {"output.filter", [](const App& a) { return a.output.filter; }},
      {"problem.side",
       [](const App& a) { return a.problems.party() < 0 ? "none" : std::to_string(a.problems.party()); }},
      {"recorded.block", [](const App& a) { return std::to_string(a.results.summary.recorded_block); }},
      {"recorded.first_step", [](const App& a) { return std::to_string(a.results.summary.first_step); }},
      {"recorded.steps", [](const App& a) { return std::to_string(a.results.summary.steps); }},
      {"recorded.block_steps", [](const App& a) { return std::to_string(a.results.summary.block_steps); }},
      {"history.checkpoints", [](const App& a) { return std::to_string(a.results.summary.history.checkpoints); }},
      {"history.thinned", [](const App& a) { return std::to_string(a.results.summary.history.thinned); }},
      {"history.used_bytes", [](const App& a) { return std::to_string(a.results.summary.history.used_bytes); }},
      {"history.replayed", [](const App& a) { return yes(a.results.summary.history.replayed); }},
      {"recorded.launch", [](const App& a) { return std::to_string(a.results.summary.recorded_launch); }},
      {"file", [](const App& a) { return a.document.title(); }},
      {"edited", [](const App& a) { return yes(a.document.edited()); }},
      {"undo", [](const App& a) { return a.document.can_undo() ? a.document.undo_name() : std::string("none"); }},
      {"redo", [](const App& a) { return a.document.can_redo() ? a.document.redo_name() : std::string("none"); }},
      {"theme", [](const App& a) { return a.shell.view.theme; }},
      {"scale", [](const App& a) { return fmt::format("{:g}", a.shell.view.scale); }},
      {"presentation", [](const App& a) { return yes(a.shell.view.presentation); }},
      {"presentation.picture",
       [](const App& a) {
         return a.shell.view.presentation ? std::string(panel_name(a.shell.staged)) : std::string("none");
       }},
      {"arrangement", [](const App& a) { return std::string(arrangement_name(a.shell.view.arrangement)); }},
      {"maximised", [](const App& a) { return panel_or_none(a.shell.view.maximised); }},
      {"active", [](const App& a) { return std::string(panel_name(a.shell.active_panel)); }},
      {"label", [](const App& a) { return std::string(enum_name(a.shell.view.label)); }},
      {"colour",
       [](const App& a) { return a.shell.view.color_by.empty() ? std::string("automatic") : a.shell.view.color_by; }},
      {"heat", [](const App& a) { return a.shell.view.heat.empty() ? std::string("none") : a.shell.view.heat; }},
      {"memory.arch", [](const App& a) { return memory_shown(a).arch; }},
      {"memory.path",
       [](const App& a) {
         const auto path = path_shown(a, true);
         return path ? std::string(access::name_of(*path)) : std::string("each");
       }},
      {"global.mode", [](const App& a) { return std::string(global_mode_name(a.shell.view.global_mode)); }},
      {"what_if",
       [](const App& a) {
         const views::WhatIf& w = a.shell.view.what_if;
         if (w.kind == views::WhatIf::Kind::none) return std::string("none");
         if (w.kind == views::WhatIf::Kind::padding) return fmt::format("padding {} {}", w.row_words, w.padding_words);
         return fmt::format("swizzle {} {} {}", w.row_words, w.unit_words, w.rows_per_step);
       }},
      {"wavefront", [](const App& a) { return std::to_string(a.memory.wavefront); }},
      {"wavefront.count", [](const App& a) { return std::to_string(a.memory.wavefront_count()); }},
      {"wavefront.playing", [](const App& a) { return yes(a.memory.wavefronts_playing); }},
      {"evidence", [](const App& a) { return a.memory.evidence_words().empty() ? "none" : a.memory.evidence_words(); }},
      {"access",
       [](const App& a) {
         std::string note;
         const results::AccessInfo* global = a.memory.global_access(note);
         const results::AccessInfo* access = a.results.moment.access ? &*a.results.moment.access : global;
         if (access == nullptr) return std::string("none");
         return fmt::format("{} line {} warp {} mask {:x} first {}",
                            access->space == trace::MemorySpace::shared ? "shared" : "global", access->line,
                            access->warp, access->mask, access->addresses[0]);
       }},
      {"live.samples", [](const App& a) { return std::to_string(a.measurements.live.samples.size()); }},
      {"live.per_second",
       [](const App& a) { return fmt::format("{:.1f}", views::live_pace(a.measurements.live.samples).per_second); }},
      {"live.wait_ms",
       [](const App& a) { return fmt::format("{:.1f}", views::live_pace(a.measurements.live.samples).wait_ms); }},
      {"live.refused",
       [](const App& a) {
         return a.measurements.live.refused.empty() ? std::string("none") : a.measurements.live.refused;
       }},
      {"search.text", [](const App& a) { return a.search.text.empty() ? std::string("none") : a.search.text; }},
      {"search.count", [](const App& a) { return std::to_string(a.search.hits().size()); }},
      {"search.words", [](const App& a) { return a.search.count_words().empty() ? "none" : a.search.count_words(); }},
      {"search.problem",
       [](const App& a) { return a.search.problem().empty() ? std::string("none") : a.search.problem(); }},
      {"iteration",
       [](const App& a) {
         const auto around = results::iterations_at(a.results.summary, a.results.index, a.navigation.selection.warp,
                                                    a.navigation.selection.step);
         return around.empty() ? std::string("none")
                               : fmt::format("{} of {}", around.front().number, around.front().of);
       }},
      {"playing", [](const App& a) { return yes(a.navigation.playing); }},
      {"overlay", [](const App& a) { return std::string(enum_name(a.shell.overlay)); }},
      {"notice",
       [](const App& a) { return a.shell.notices.empty() ? std::string("none") : a.shell.notices.back().text; }},
      {"remark", [](const App& a) { return a.shell.status_text.empty() ? std::string("none") : a.shell.status_text; }},
  };
  return table;
}

}  // namespace

std::vector<std::string> script_fact_names() {
  std::vector<std::string> names{"typing",      "menu",       "font.px",           "hidden.PANEL",
                                 "front.PANEL", "zoom.PANEL", "occupancy.what_if", "text.cut"};
  for (const auto& [name, fact] : facts()) names.push_back(name);
  for (const auto& [name, fact] : calculator_facts()) names.push_back("calculator." + name);
  for (const auto& [name, fact] : better_facts()) names.push_back("better." + name);
  for (const auto& [name, fact] : design_facts()) names.push_back("design." + name);
  for (const auto& [name, fact] : occupancy_facts()) names.push_back("occupancy." + name);
  for (std::string& name : lecture_fact_names()) names.push_back(std::move(name));
  std::ranges::sort(names);
  return names;
}

std::optional<std::string> script_fact(const Frames& frames, std::string_view name) {
  auto& f = const_cast<Frames&>(frames);
  if (name == "typing") return yes(f.window().typing(f.app()));
  if (name == "menu")
    return yes(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
  if (name == "text.cut") return cut_texts().empty() ? "none" : fmt::format("{}", fmt::join(cut_texts(), " | "));
  if (name == "font.px") return fmt::format("{:g}", f.stage().fonts.body->FontSize);
  if (name.starts_with("hidden.")) {
    const auto id = panel_named(name.substr(7));
    return id ? std::optional(yes(f.app().shell.view.hidden[static_cast<int>(*id)])) : std::nullopt;
  }
  if (name.starts_with("calculator.")) return calculator_fact(f.app().calculator, name.substr(11));
  if (name.starts_with("better.")) {
    const auto at = better_facts().find(name.substr(7));
    if (at == better_facts().end()) return std::nullopt;
    return f.app().improvement.is_open() ? at->second(f.app().improvement) : std::string("none");
  }
  if (name.starts_with("design.")) {
    const auto at = design_facts().find(name.substr(7));
    return at == design_facts().end() ? std::nullopt : std::optional(at->second(f.app().designer));
  }
  if (name.starts_with("occupancy.")) return occupancy_fact(f.app(), name.substr(10));
  if (name.starts_with("front.")) {
    const auto id = panel_named(name.substr(6));
    return id ? std::optional(yes(f.app().shell.in_front(*id))) : std::nullopt;
  }
  if (name.starts_with("zoom.")) {
    const auto at = f.stage().scenes.find(name.substr(5));
    return at == f.stage().scenes.end() ? std::nullopt : std::optional(fmt::format("{:.3f}", at->second.scale));
  }
  if (const auto said = lecture_fact(f.app(), name)) return said;
  const auto at = facts().find(name);
  return at == facts().end() ? std::nullopt : std::optional(at->second(f.app()));
}

}  // namespace lanescope::gui
