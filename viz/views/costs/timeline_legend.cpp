// Meaning of the marks of a timeline.

#include <algorithm>

#include "viz/views/costs/timeline.h"
#include "viz/views/costs/timeline_bands.h"

namespace lanescope::views {
namespace {

using trace::StepKind;

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

const MarkLook& mark_look(int kind) {
  return mark_looks[static_cast<std::size_t>(std::clamp(kind, 0, mark_kind_count - 1))];
}
std::string_view mark_kind_name(int kind) { return mark_look(kind).word; }
std::string_view step_kind_name(StepKind kind) { return mark_kind_name(static_cast<int>(kind)); }

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
