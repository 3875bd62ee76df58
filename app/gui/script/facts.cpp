#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "app/gui/commands/memory_route.h"
#include "app/gui/model/steps.h"
#include "app/gui/script/script.h"
#include "app/gui/state/pins.h"
#include "app/gui/widgets/items.h"
#include "kernels/base/enum_size.h"
#include "results/step_index.h"
#include "viz/views/base/elements.h"
#include "viz/views/memory/what_if.h"
#include "viz/views/movement/movement.h"

namespace lanescope::gui {
namespace {

std::string panel_or_none(const std::optional<PanelId>& id) { return id ? std::string(panel_name(*id)) : "none"; }

/// Of the access calculator, after "calculator.".
const FactTable<Calculator>& calculator_facts() {
  static const FactTable<Calculator> table{
      {"pattern", [](const Calculator& c) { return c.words(); }},
      {"problem", [](const Calculator& c) { return or_none(c.problem()); }},
      {"space", [](const Calculator& c) { return c.shared()     ? "shared"
                                                 : c.constant() ? "constant"
                                                                : "global"; }},
      {"broadcasts", [](const Calculator& c) { return c.access().cost.broadcasts; }},
      {"width", [](const Calculator& c) { return c.pattern().width_bytes; }},
      {"mask", [](const Calculator& c) { return fmt::format("{:#010x}", c.pattern().mask); }},
      {"offsets", [](const Calculator& c) { return fmt::format("{}", fmt::join(c.pattern().addresses, " ")); }},
      {"sectors", [](const Calculator& c) { return c.access().cost.sectors; }},
      {"wavefronts", [](const Calculator& c) { return c.access().cost.wavefronts; }},
      {"wavefronts_after",
       [](const Calculator& c) { return views::bank_costs(c.access(), c.what_if).after.wavefronts; }},
      {"wavefront",
       [](const Calculator& c) { return c.wavefront < 0 ? std::string("all") : std::to_string(c.wavefront); }},
      {"lane", [](const Calculator& c) { return c.lane < 0 ? "none" : std::to_string(c.lane); }},
      {"playing", [](const Calculator& c) { return c.playing; }},
  };
  return table;
}

std::string curve_value(const results::OccupancyInfo& info, std::size_t curve) {
  return curve < info.curves.size() ? std::to_string(info.curves[curve].current) : "none";
}

/// Of the occupancy that its panel shows, after "occupancy."; beside them "what_if".
const FactTable<results::OccupancyInfo>& occupancy_facts() {
  static const FactTable<results::OccupancyInfo> table{
      {"gpu", [](const results::OccupancyInfo& i) { return i.gpu; }},
      {"percent", [](const results::OccupancyInfo& i) { return fmt::format("{:.1f}", i.percent); }},
      {"warps", [](const results::OccupancyInfo& i) { return i.warps; }},
      {"registers", [](const results::OccupancyInfo& i) { return curve_value(i, 0); }},
      {"shared_bytes", [](const results::OccupancyInfo& i) { return curve_value(i, 1); }},
      {"threads", [](const results::OccupancyInfo& i) { return curve_value(i, 2); }},
      {"memory_cycles", [](const results::OccupancyInfo& i) { return i.flight.memory_cycles; }},
      {"arithmetic_cycles", [](const results::OccupancyInfo& i) { return i.flight.arithmetic_cycles; }},
      {"memory_warps",
       [](const results::OccupancyInfo& i) {
         return i.in_flight.empty() ? "none" : std::to_string(i.in_flight.back().needed_warps);
       }},
  };
  return table;
}

std::string chip_words(const std::optional<views::ChipRef>& chip) {
  return chip ? scene::to_string(views::id_of(*chip)) : "none";
}
const convert::Plan* plan_of(const Designer& d) {
  return d.study() == nullptr || d.plan() < 0 ? nullptr
                                              : &d.study()->planned->plans[static_cast<std::size_t>(d.plan())];
}

/// Of the layout under design, after "design.".
const FactTable<Designer>& design_facts() {
  static const FactTable<Designer> table{
      {"open", [](const Designer& d) { return d.is_open(); }},
      {"title", [](const Designer& d) { return d.is_open() ? d.title() : "none"; }},
      {"edited", [](const Designer& d) { return d.edited(); }},
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
      {"step", [](const Designer& d) { return d.step(); }},
      {"step.cost",
       [](const Designer& d) {
         const auto n = static_cast<std::size_t>(d.step());
         return n > 0 && d.study() != nullptr && n <= d.study()->steps.size() ? d.study()->steps[n - 1].words : "none";
       }},
      {"plans",
       [](const Designer& d) {
         return d.study() != nullptr && d.study()->planned ? d.study()->planned->plans.size() : 0;
       }},
      {"plan", [](const Designer& d) { return d.plan() + 1; }},
      {"plan.cost",
       [](const Designer& d) { return plan_of(d) == nullptr ? "none" : convert::cost_in_words(*plan_of(d)); }},
      {"plan.problem",
       [](const Designer& d) {
         return d.study() == nullptr || d.study()->wrong.empty() ? "none" : d.study()->wrong.front().message;
       }},
      {"check", [](const Designer& d) { return enum_name(d.check().state); }},
      {"check.words", [](const Designer& d) { return or_none(d.check().words); }},
      {"focus", [](const Designer& d) { return chip_words(d.focused); }},
      {"held", [](const Designer& d) { return chip_words(d.picked); }},
      {"remark", [](const Designer& d) { return or_none(d.remark); }},
      {"along", [](const Designer& d) { return fmt::format("{:.2f}", d.along); }},
      {"states", [](const Designer& d) { return d.path().size(); }},
      {"undo", [](const Designer& d) { return or_none(d.can_undo() ? d.undo_name() : ""); }},
      {"redo", [](const Designer& d) { return or_none(d.can_redo() ? d.redo_name() : ""); }},
      {"leg",
       [](const Designer& d) { return fmt::format("{} of {}", d.sheet().design.leg() + 1, d.sheet().design.legs()); }},
      {"chain.total",
       [](const Designer& d) { return d.study() != nullptr && d.study()->chain ? d.study()->chain->total : "none"; }},
      {"chain.direct",
       [](const Designer& d) { return d.study() != nullptr && d.study()->chain ? d.study()->chain->direct : "none"; }},
      {"wavefront", [](const Designer& d) { return fmt::format("{} of {}", d.wavefront + 1, d.wavefronts()); }},
      {"memory", [](const Designer& d) { return or_none(fmt::format("{}", fmt::join(d.sheet().design.memory, " "))); }},
  };
  return table;
}

std::string better_claim(const Improvement& i, std::size_t n) {
  const source::Claim& c = i.summary().claims[n].claim;
  return fmt::format("{} {}", c.variable, c.first_line);
}
const assist::CodeCounts* better_lines(const Improvement& i) {
  return i.counted() != nullptr && i.counted()->check.state == CodeCheck::State::right ? &i.counted()->lines : nullptr;
}
std::string better_number(const Improvement& i, double assist::CodeCounts::*member) {
  return better_lines(i) == nullptr ? "none" : fmt::format("{:g}", better_lines(i)->*member);
}

/// Of the comparison with the planner's code, after "better."; "none" for all of them while there is none.
const FactTable<Improvement>& better_facts() {
  static const FactTable<Improvement> table{
      {"from", [](const Improvement& i) { return better_claim(i, i.pair().from); }},
      {"to", [](const Improvement& i) { return better_claim(i, i.pair().to); }},
      {"way", [](const Improvement& i) { return i.way() == RewriteWay::replace ? "replace" : "insert"; }},
      {"lines",
       [](const Improvement& i) {
         return i.plan() == nullptr ? "none" : fmt::format("{} to {}", i.plan()->code.first, i.plan()->code.last);
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

std::optional<std::string> occupancy_fact(const App& app, std::string_view name) {
  if (name == "what_if") return FactText(app.occupancy.is_what_if()).text;
  if (!occupancy_facts().contains(name)) return std::nullopt;
  const auto info = engine::occupancy_info(app.results.summary, app.occupancy.choice);
  return info ? fact_in(occupancy_facts(), name, *info) : info.error().front().message;
}

const FactTable<App>& facts() {
  static const FactTable<App> table{
      {"selection.step", [](const App& a) { return a.navigation.selection.step; }},
      {"selection.line", [](const App& a) { return a.navigation.selection.line; }},
      {"source.file",
       [](const App& a) {
         const auto& files = a.results.lines.files;
         return files.empty() ? std::filesystem::path(a.document.file()).filename().string()
                              : files[std::min(a.navigation.shown_file, files.size() - 1)].name;
       }},
      {"source.line", [](const App& a) { return a.results.lines.place(a.navigation.selection.line).line; }},
      {"selection.warp", [](const App& a) { return a.navigation.selection.warp; }},
      {"selection.family", [](const App& a) { return a.navigation.selection.family; }},
      {"selection.place",
       [](const App& a) {
         const auto& p = a.navigation.selection.place;
         return p ? fmt::format("{}/{}/{}/{}/{}", p->family, p->warp, p->reg, p->part, p->lane) : "none";
       }},
      {"selection.element",
       [](const App& a) {
         const auto& e = a.navigation.selection.element;
         return e ? fmt::format("{}/{}", e->first, e->second) : "none";
       }},
      {"selection.address",
       [](const App& a) {
         const auto& e = a.navigation.selection.address;
         return e ? fmt::format("{}/{}", e->first, e->second) : "none";
       }},
      {"pins",
       [](const App& a) {
         std::string words;
         for (const auto& [buffer, element] : a.navigation.selection.pins)
           words += (words.empty() ? "" : " ") + views::tag_text(a.results.summary, buffer, element);
         return or_none(words);
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
      {"hovered", [](const App& a) { return a.navigation.hovered ? scene::to_string(*a.navigation.hovered) : "none"; }},
      {"caret", [](const App& a) { return fmt::format("{}:{}", a.writing.line(), a.writing.column()); }},
      {"caret.selected", [](const App& a) { return a.writing.edit.selected(); }},
      {"suggestions",
       [](const App& a) {
         const Suggestions& s = a.writing.suggestions;
         return s.open && !s.offers.list.empty() ? s.offers.list[static_cast<std::size_t>(s.chosen)].word : "none";
       }},
      {"search", [](const App& a) { return a.writing.search.open; }},
      {"search.matches", [](const App& a) { return a.writing.matches().size(); }},
      {"source.first", [](const App& a) { return a.writing.sight.first_line; }},
      {"source.last", [](const App& a) { return a.writing.sight.last_line; }},
      {"source.left", [](const App& a) { return a.writing.sight.left_column; }},
      {"source.hidden_columns", [](const App& a) { return a.writing.sight.hidden_columns; }},
      {"code_beside", [](const App& a) { return a.shell.view.code_beside; }},
      {"moment.step", [](const App& a) { return a.results.moment.step; }},
      {"movement.share", [](const App& a) { return fmt::format("{:.2f}", a.navigation.selection.share); }},
      {"movement.playing", [](const App& a) { return a.movement.playing(); }},
      {"movement.speed", [](const App& a) { return fmt::format("{}", a.movement.speed()); }},
      {"movement.values",
       [](const App& a) {
         const auto& m = a.results.moment.movement;
         return m ? std::to_string(m->flows.size()) : "none";
       }},
      {"movement.words", [](const App& a) { return views::movement_words(a.results.summary, a.results.moment); }},
      {"movement.lines",
       [](const App& a) {
         const auto& m = a.results.moment.movement;
         return m ? a.results.summary.lines.range(m->first_line, m->line) : "none";
       }},
      {"moment.moves", [](const App& a) { return a.results.moment.moves.size(); }},
      {"options.used",
       [](const App& a) {
         std::string words;
         for (const options::UsedOption& o : a.results.settings.used) words += (words.empty() ? "" : " ") + o.written;
         return or_none(words);
       }},
      {"options.left_out", [](const App& a) { return a.results.settings.left_out.size(); }},
      {"results.have", [](const App& a) { return a.results.have; }},
      {"results.running", [](const App& a) { return a.results.running; }},
      {"results.failed", [](const App& a) { return a.results.failed; }},
      {"results.stale", [](const App& a) { return a.results.stale(a.document.text()); }},
      {"results.claims",
       [](const App& a) {
         const ClaimTally t = tally(a.results.summary);
         return fmt::format("{} hold, {} differ, {} unchecked", t.holds, t.differs, t.unchecked);
       }},
      {"results.steps", [](const App& a) { return a.results.summary.steps; }},
      {"results.error_line",
       [](const App& a) { return a.results.diagnostics.empty() ? 0 : a.results.diagnostics.front().line; }},
      {"results.message",
       [](const App& a) { return a.results.diagnostics.empty() ? "none" : a.results.diagnostics.front().message; }},
      {"problems",
       [](const App& a) {
         const results::ProblemCounts c = results::count(a.results.problems);
         return fmt::format("{} errors, {}{} warnings, {} notes", c.errors,
                            c.assumed > 0 ? fmt::format("{} assumed, ", c.assumed) : "", c.warnings, c.notes);
       }},
      {"problem",
       [](const App& a) {
         const results::Problem* p = a.problems.chosen();
         return p == nullptr ? "none" : fmt::format("{} {}", p->title, a.results.lines.words(p->line));
       }},
      {"output.lines",
       [](const App& a) {
         const PrintedFilter filter = printed_filter(a.output.filter);
         const results::Summary& s = a.results.summary;
         return std::to_string(std::ranges::count_if(results::printed_lines(s), [&](const results::PrintedLine& l) {
           return matches(filter, s.printed[l.call], l.text, s.lines);
         }));
       }},
      {"output.count", [](const App& a) { return results::printed_lines(a.results.summary).size(); }},
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
      {"recorded.block", [](const App& a) { return a.results.summary.recorded_block; }},
      {"recorded.first_step", [](const App& a) { return a.results.summary.first_step; }},
      {"recorded.steps", [](const App& a) { return a.results.summary.steps; }},
      {"recorded.block_steps", [](const App& a) { return a.results.summary.block_steps; }},
      {"history.checkpoints", [](const App& a) { return a.results.summary.history.checkpoints; }},
      {"history.thinned", [](const App& a) { return a.results.summary.history.thinned; }},
      {"history.used_bytes", [](const App& a) { return a.results.summary.history.used_bytes; }},
      {"history.replayed", [](const App& a) { return a.results.summary.history.replayed; }},
      {"recorded.launch", [](const App& a) { return a.results.summary.recorded_launch; }},
      {"file", [](const App& a) { return a.document.title(); }},
      {"edited", [](const App& a) { return a.document.edited(); }},
      {"undo", [](const App& a) { return a.document.can_undo() ? a.document.undo_name() : "none"; }},
      {"redo", [](const App& a) { return a.document.can_redo() ? a.document.redo_name() : "none"; }},
      {"theme", [](const App& a) { return a.shell.view.theme; }},
      {"scale", [](const App& a) { return fmt::format("{:g}", a.shell.view.scale); }},
      {"presentation", [](const App& a) { return a.shell.view.presentation; }},
      {"presentation.picture",
       [](const App& a) { return a.shell.view.presentation ? std::string(panel_name(a.shell.staged)) : "none"; }},
      {"arrangement", [](const App& a) { return arrangement_name(a.shell.view.arrangement); }},
      {"maximised", [](const App& a) { return panel_or_none(a.shell.view.maximised); }},
      {"active", [](const App& a) { return panel_name(a.shell.active_panel); }},
      {"label", [](const App& a) { return enum_name(a.shell.view.label); }},
      {"colour",
       [](const App& a) { return a.shell.view.color_by.empty() ? std::string("automatic") : a.shell.view.color_by; }},
      {"heat", [](const App& a) { return or_none(a.shell.view.heat); }},
      {"memory.arch", [](const App& a) { return memory_shown(a).arch; }},
      {"memory.path",
       [](const App& a) {
         const auto path = path_shown(a, true);
         return path ? std::string(access::name_of(*path)) : std::string("each");
       }},
      {"global.mode", [](const App& a) { return global_mode_name(a.shell.view.global_mode); }},
      {"what_if",
       [](const App& a) {
         const views::WhatIf& w = a.shell.view.what_if;
         if (w.kind == views::WhatIf::Kind::none) return std::string("none");
         if (w.kind == views::WhatIf::Kind::padding) return fmt::format("padding {} {}", w.row_words, w.padding_words);
         return fmt::format("swizzle {} {} {}", w.row_words, w.unit_words, w.rows_per_step);
       }},
      {"wavefront", [](const App& a) { return a.memory.wavefront; }},
      {"wavefront.count", [](const App& a) { return a.memory.wavefront_count(); }},
      {"wavefront.playing", [](const App& a) { return a.memory.wavefronts_playing; }},
      {"evidence", [](const App& a) { return or_none(a.memory.evidence_words()); }},
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
      {"live.samples", [](const App& a) { return a.measurements.live.samples.size(); }},
      {"live.per_second",
       [](const App& a) { return fmt::format("{:.1f}", views::live_pace(a.measurements.live.samples).per_second); }},
      {"live.wait_ms",
       [](const App& a) { return fmt::format("{:.1f}", views::live_pace(a.measurements.live.samples).wait_ms); }},
      {"live.refused", [](const App& a) { return or_none(a.measurements.live.refused); }},
      {"search.text", [](const App& a) { return or_none(a.search.text); }},
      {"search.count", [](const App& a) { return a.search.hits().size(); }},
      {"search.words", [](const App& a) { return or_none(a.search.count_words()); }},
      {"search.problem", [](const App& a) { return or_none(a.search.problem()); }},
      {"iteration",
       [](const App& a) {
         const auto around = results::iterations_at(a.results.summary, a.results.index, a.navigation.selection.warp,
                                                    a.navigation.selection.step);
         return around.empty() ? "none" : fmt::format("{} of {}", around.front().number, around.front().of);
       }},
      {"playing", [](const App& a) { return a.navigation.playing; }},
      {"overlay", [](const App& a) { return enum_name(a.shell.overlay); }},
      {"notice", [](const App& a) { return a.shell.notices.empty() ? "none" : a.shell.notices.back().text; }},
      {"remark", [](const App& a) { return or_none(a.shell.status_text); }},
  };
  return table;
}

const FactTable<Lecture>& lecture_facts() {
  static const FactTable<Lecture> table{
      {"lesson", [](const Lecture& l) { return l.lesson() == nullptr ? "none" : l.lesson()->name; }},
      {"lesson.page",
       [](const Lecture& l) {
         return l.lesson() == nullptr ? "none" : fmt::format("{} of {}", l.page() + 1, l.lesson()->pages.size());
       }},
      {"lesson.answered",
       [](const Lecture& l) {
         return l.lesson() == nullptr ? "none"
                                      : fmt::format("{} of {}", lessons::answered(l.lesson_progress(), *l.lesson()),
                                                    l.lesson()->questions().size());
       }},
      {"lesson.gpu",
       [](const Lecture& l) { return l.lesson() == nullptr || l.lesson()->gpu.empty() ? "none" : l.lesson()->gpu; }},
      {"lesson.stop", [](const Lecture& l) { return fmt::format("{} of {}", l.stop() + 1, l.stops().size()); }},
      {"moments", [](const Lecture& l) { return l.moments().size(); }},
      {"moments.chosen",
       [](const Lecture& l) {
         return l.chosen() < 0 ? "none" : l.moments()[static_cast<std::size_t>(l.chosen())].name;
       }},
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
  if (name == "typing") return FactText(f.window().typing(f.app())).text;
  if (name == "menu")
    return FactText(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)).text;
  if (name == "text.cut") return cut_texts().empty() ? "none" : fmt::format("{}", fmt::join(cut_texts(), " | "));
  if (name == "font.px") return fmt::format("{:g}", f.stage().fonts.body->FontSize);
  if (name.starts_with("hidden.")) {
    const auto id = panel_named(name.substr(7));
    return id ? std::optional(FactText(f.app().shell.view.hidden[static_cast<int>(*id)]).text) : std::nullopt;
  }
  if (name.starts_with("calculator.")) return fact_in(calculator_facts(), name.substr(11), f.app().calculator);
  if (name.starts_with("better.")) {
    if (!better_facts().contains(name.substr(7))) return std::nullopt;
    return f.app().improvement.is_open() ? fact_in(better_facts(), name.substr(7), f.app().improvement) : "none";
  }
  if (name.starts_with("design.")) return fact_in(design_facts(), name.substr(7), f.app().designer);
  if (name.starts_with("occupancy.")) return occupancy_fact(f.app(), name.substr(10));
  if (name.starts_with("front.")) {
    const auto id = panel_named(name.substr(6));
    return id ? std::optional(FactText(f.app().shell.in_front(*id)).text) : std::nullopt;
  }
  if (name.starts_with("zoom.")) {
    const auto at = f.stage().scenes.find(name.substr(5));
    return at == f.stage().scenes.end() ? std::nullopt : std::optional(fmt::format("{:.3f}", at->second.scale));
  }
  if (const auto said = lecture_fact(f.app(), name)) return said;
  return fact_in(facts(), name, f.app());
}

std::vector<std::string> lecture_fact_names() {
  std::vector<std::string> names{"question.ID"};
  for (const auto& [name, fact] : lecture_facts()) names.push_back(name);
  return names;
}

std::optional<std::string> lecture_fact(const App& app, std::string_view name) {
  if (name.starts_with("question.")) {
    if (app.lecture.lesson() == nullptr) return "none";
    for (const lessons::Question* q : app.lecture.lesson()->questions()) {
      if (q->id != name.substr(9)) continue;
      constexpr const char* words[] = {"open", "computing", "right", "wrong", "unclear"};
      return entry_for(words, const_cast<App&>(app).lecture.state_of(*q).verdict);
    }
    return std::nullopt;
  }
  return fact_in(lecture_facts(), name, app.lecture);
}

}  // namespace lanescope::gui
