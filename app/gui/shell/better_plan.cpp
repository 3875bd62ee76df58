#include "app/gui/shell/overlay.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/design/study.h"
#include "app/gui/commands/design_actions.h"
#include "app/gui/widgets/control_strip.h"
#include "app/gui/widgets/items.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

constexpr std::size_t lines_around = 2;  ///< unchanged ones that are shown beside changed ones

/// "2", "6.5"
std::string number(double value) {
  return value == static_cast<double>(static_cast<long long>(value)) ? spaced(static_cast<std::uint64_t>(value))
                                                                     : fmt::format("{:.1f}", value);
}

std::string claim_words(const results::Summary& s, std::size_t n) {
  const source::Claim& c = s.claims[n].claim;
  return fmt::format("{}, line {}", c.variable, c.first_line);
}

/// One of the two claims, from a list.
void claim_choice(Improvement& i, const Stage& stage, ControlStrip& strip, bool first) {
  const assist::ClaimPair now = i.pair();
  const char* id = first ? "First claim" : "Second claim";
  const char* menu = first ? "first claims" : "second claims";
  if (strip.choice(id, first ? "from" : "to", claim_words(i.summary(), first ? now.from : now.to),
                   first ? "The claim at which the code begins" : "The claim to which the code leads"))
    ImGui::OpenPopup(menu);
  if (!begin_menu(stage, menu)) return;
  for (const std::size_t n : i.claims()) {
    if (n == (first ? now.to : now.from)) continue;
    if (!menu_entry(stage, claim_words(i.summary(), n).c_str(), n == (first ? now.from : now.to))) continue;
    assist::ClaimPair next = now;
    (first ? next.from : next.to) = n;
    if (i.summary().claims[next.from].claim.first_line > i.summary().claims[next.to].claim.first_line)
      std::swap(next.from, next.to);
    i.choose(next);
  }
  end_menu();
}

struct Row {
  std::string what, own, planned;
  int better = 0;  ///< 1: the planner's is less, -1: more
};

std::vector<Row> rows_of(const Improvement& i) {
  std::vector<Row> out;
  const Improvement::Counted* c = i.counted();
  const bool known = c != nullptr && c->check.state == CodeCheck::State::right;
  const bool replaced = i.way() == RewriteWay::replace;
  const auto add = [&](const std::string& what, double own, double planned) {
    out.push_back({what, number(own), known ? number(planned) : "…",
                   !known || own == planned ? 0
                   : planned < own          ? 1
                                            : -1});
  };
  const assist::CodeCounts none{};
  const assist::CodeCounts& lines = known ? c->lines : none;
  add("shuffles", i.own.shuffles, lines.shuffles);
  add("selects", i.own.selects, lines.selects);
  add("byte permutes", i.own.permutes, lines.permutes);
  if (i.own.barriers > 0 || lines.barriers > 0) add("barriers", i.own.barriers, lines.barriers);
  if (i.own.wavefronts > 0 || lines.wavefronts > 0)
    add("wavefronts of shared memory", i.own.wavefronts, lines.wavefronts);
  add("PTX instructions", i.own.all, lines.all);
  if (replaced) add("PTX instructions of the whole kernel", i.own_whole.all, known ? c->whole.all : 0);
  const Expected<compile::MachineCounts>*own = i.own_machine(), *planned = i.planned_machine();
  if (own == nullptr || !*own || !replaced) return out;
  const auto machine = [&](const char* what, int compile::MachineCounts::*member) {
    const bool have = planned != nullptr && *planned;
    const int a = (**own).*member, b = have ? (**planned).*member : 0;
    out.push_back({what, number(a), have ? number(b) : "…", !have || a == b ? 0 : b < a ? 1 : -1});
  };
  machine("SASS shuffles of the whole kernel", &compile::MachineCounts::shuffles);
  machine("SASS selects of the whole kernel", &compile::MachineCounts::selects);
  machine("SASS instructions of the whole kernel", &compile::MachineCounts::all);
  return out;
}

float table(const Stage& stage, const Improvement& i, ImVec2 at, float width) {
  const float pitch = stage.px(22), own_x = at.x + width * 0.66f, planned_x = at.x + width * 0.86f;
  const auto heading = [&](float x, const char* words) {
    draw_text(stage, stage.fonts.small, {x, at.y + pitch / 2}, stage.theme->text_dim, words, TextAlign::right);
  };
  draw_text(stage, stage.fonts.small, {at.x, at.y + pitch / 2}, stage.theme->text_dim,
            i.own.executed ? "executed by one warp" : "as they stand in the program");
  heading(own_x, "yours");
  heading(planned_x, "the planner's");
  float y = at.y + pitch;
  for (const Row& row : rows_of(i)) {
    draw_text(stage, stage.fonts.body, {at.x, y + pitch / 2}, stage.theme->text, row.what);
    draw_text(stage, stage.fonts.body, {own_x, y + pitch / 2}, stage.theme->text, row.own, TextAlign::right);
    const scene::Color ink = row.better > 0   ? stage.theme->good
                             : row.better < 0 ? stage.theme->warn
                                              : stage.theme->text;
    draw_text(stage, stage.fonts.body, {planned_x, y + pitch / 2}, ink, row.planned, TextAlign::right);
    if (row.better != 0)
      draw_text(stage, stage.fonts.small, {planned_x + stage.px(8), y + pitch / 2}, ink,
                row.better > 0 ? "fewer" : "more");
    y += pitch;
  }
  return y - at.y;
}

/// The lines that change, with some around them: those of the call first, then the function above the kernel.
void preview(const Stage& stage, const std::string& before, const assist::Rewritten& rewritten, float height) {
  const std::string& after = rewritten.text;
  using Kind = design::DiffLine::Kind;
  const std::vector<design::DiffLine> all = design::difference(before, after);
  std::vector<bool> shown(all.size(), false);
  for (std::size_t n = 0; n < all.size(); ++n)
    if (all[n].kind != Kind::same)
      for (std::size_t k = n < lines_around ? 0 : n - lines_around; k < std::min(n + lines_around + 1, all.size()); ++k)
        shown[k] = true;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec(stage.theme->background));
  ImGui::BeginChild("changed lines", {0, height}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float pitch = stage.px(17), low = ImGui::GetWindowPos().y - pitch, high = low + height + 2 * pitch;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::size_t widest = 0;
  float y = top.y;
  bool gap = false;
  // Where the shown lines around the call begin.
  std::size_t first = 0;
  int number = 0;
  for (; first < all.size() && number < rewritten.lines.first; ++first) number += all[first].kind != Kind::removed;
  while (first > 0 && (first >= all.size() || shown[first - 1])) --first;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::size_t n = (first + k) % all.size();
    if (!shown[n] || n == 0) gap = gap || k > 0;
    if (!shown[n]) continue;
    if (std::exchange(gap, false)) {
      draw_text(stage, stage.fonts.code_small, {top.x + stage.px(20), y + pitch / 2}, stage.theme->text_faint, "…");
      y += pitch;
    }
    widest = std::max(widest, all[n].text.size());
    if (y > low && y < high) {
      const Kind kind = all[n].kind;
      const scene::Color mark = kind == Kind::added ? stage.theme->good : stage.theme->bad;
      if (kind != Kind::same)
        draw_text(stage, stage.fonts.code_small, {top.x + stage.px(6), y + pitch / 2}, mark,
                  kind == Kind::added ? "+" : "−");
      list.AddText(stage.fonts.code_small, stage.fonts.code_small->FontSize,
                   {top.x + stage.px(20), y + (pitch - stage.fonts.code_small->FontSize) / 2},
                   to_im(kind == Kind::same ? stage.theme->text_dim : stage.theme->text), all[n].text.c_str());
      if (recording()) note_text(all[n].text);
    }
    y += pitch;
  }
  ImGui::Dummy({stage.px(28) + static_cast<float>(widest) * text_width(stage.fonts.code_small, "0"), y - top.y});
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

/// The next or the previous claim on one side; the other one is passed over.
void turn_claim(Improvement& i, bool first, int by) {
  const std::vector<std::size_t>& all = i.claims();
  assist::ClaimPair next = i.pair();
  std::size_t& turned = first ? next.from : next.to;
  const auto at = static_cast<int>(std::ranges::find(all, turned) - all.begin());
  const int other = static_cast<int>(std::ranges::find(all, first ? next.to : next.from) - all.begin());
  const int wanted = at + by;
  if (wanted < 0 || wanted >= static_cast<int>(all.size()) || (first ? wanted >= other : wanted <= other)) return;
  turned = all[static_cast<std::size_t>(wanted)];
  i.choose(next);
}

void keys(App& app) {
  Improvement& i = app.improvement;
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); };
  const bool shift = ImGui::GetIO().KeyShift;
  if (pressed(ImGuiKey_DownArrow)) turn_claim(i, shift, 1);
  if (pressed(ImGuiKey_UpArrow)) turn_claim(i, shift, -1);
  if (pressed(ImGuiKey_Tab) && i.plan() != nullptr)
    i.choose_way(i.way() == RewriteWay::replace ? RewriteWay::insert : RewriteWay::replace);
  if (pressed(ImGuiKey_Enter) && i.is_open()) take_better_plan(app);
}

std::string way_words(const Improvement& i, RewriteWay way) {
  const assist::BetterPlan* p = i.plan();
  if (way == RewriteWay::insert || p == nullptr) return "Insert beside them";
  return p->code.count() == 1 ? fmt::format("Replace line {}", p->code.first)
                              : fmt::format("Replace lines {} to {}", p->code.first, p->code.last);
}

}  // namespace

void draw_better_plan(App& app, const Stage& stage) {
  Improvement& i = app.improvement;
  if (!i.is_open()) {
    app.shell.overlay = Overlay::none;
    return;
  }
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, left = begin.x + stage.px(6);
  draw_text(stage, stage.fonts.body_medium, {left, begin.y + stage.px(14)}, stage.theme->text, "Plan this better");
  draw_text(stage, stage.fonts.small, {begin.x + width - stage.px(6), begin.y + stage.px(14)}, stage.theme->text_dim,
            "Enter writes it, Tab shows the other way, arrows choose the second claim, with Shift the first",
            TextAlign::right, width * 0.8f);
  ControlStrip strip(stage, {left - stage.px(6), begin.y + stage.px(28), width, 0});
  claim_choice(i, stage, strip, true);
  claim_choice(i, stage, strip, false);
  if (const assist::BetterPlan* p = i.plan())
    strip.words(p->code.count() > 0 ? fmt::format("the code between: lines {} to {}", p->code.first, p->code.last)
                                    : std::string("no code between"),
                stage.theme->text_dim);
  float y = strip.bottom() + stage.px(8);
  const auto sentence = [&](const std::string& words, scene::Color ink) {
    y += draw_wrapped(stage, stage.fonts.body, {left, y}, width - stage.px(12), ink, words) + stage.px(6);
  };
  if (!i.refusal().empty()) {
    sentence("These two cannot be compared. " + i.refusal(), stage.theme->warn);
  } else if (i.plan() == nullptr) {
    sentence("Planning…", stage.theme->text_dim);
  } else {
    y += table(stage, i, {left, y}, width - stage.px(12)) + stage.px(6);
    if (const auto* own = i.own_machine(); own != nullptr && !*own)
      sentence("Machine code was not counted: " +
                   as_sentence(with_remedy(own->error().front().message, own->error().front().remedy)),
               stage.theme->text_dim);
    const assist::Rewritten& r = *i.rewritten();
    if (!i.plan()->replaced.refusal.empty())
      sentence("The lines cannot be replaced. " + i.plan()->replaced.refusal, stage.theme->warn);
    if (r.refusal.empty()) {
      const Improvement::Counted* c = i.counted();
      const bool right = c != nullptr && c->check.state == CodeCheck::State::right;
      sentence(c == nullptr ? "The changed kernel is compiled and run…" : (right ? "● " : "■ ") + c->check.words,
               c == nullptr ? stage.theme->text_dim
               : right      ? stage.theme->good
                            : stage.theme->bad);
      if (const std::string words = i.verdict(); !words.empty())
        sentence(words, i.gains_nothing() ? stage.theme->warn : stage.theme->text);
      ImGui::SetCursorScreenPos({left, y});
      const float height =
          std::clamp(ImGui::GetIO().DisplaySize.y * 0.92f - y - stage.px(48), stage.px(80), stage.px(330));
      preview(stage, i.text(), r, height);
      y += height + stage.px(6);
    }
  }
  const float row = y + stage.px(18);
  float x = left;
  ButtonLook look{.pill = true,
                  .color = i.gains_nothing() ? stage.theme->text_dim : stage.theme->accent,
                  .refusal = i.offer_refusal()};
  const std::string now = way_words(i, i.way()) + (i.gains_nothing() ? " nevertheless" : "");
  if (button(stage, "Write the better plan", {x, row}, now, "Writes the lines that are shown, as one change", look))
    take_better_plan(app);
  x += button_width(stage, now, look) + stage.px(10);
  look.color = stage.theme->text_dim;
  look.refusal.clear();
  if (i.plan() != nullptr) {
    const RewriteWay other = i.way() == RewriteWay::replace ? RewriteWay::insert : RewriteWay::replace;
    if (!i.rewritten_of(other)->refusal.empty()) look.refusal = i.rewritten_of(other)->refusal;
    const std::string words = "Show: " + lower(way_words(i, other).substr(0, 1)) + way_words(i, other).substr(1);
    if (button(stage, "Other way", {x, row}, words, "Shows the lines that this would change", look))
      i.choose_way(other);
    x += button_width(stage, words, look) + stage.px(10);
    look.refusal.clear();
  }
  if (button(stage, "Leave it", {x, row}, "Leave it as it is", "Changes nothing", look)) {
    app.shell.overlay = Overlay::none;
    i.end();
    return;
  }
  ImGui::SetCursorScreenPos({begin.x, row + stage.px(14)});
  ImGui::Dummy({1, stage.px(4)});
  keys(app);
}

}  // namespace lanescope::gui
