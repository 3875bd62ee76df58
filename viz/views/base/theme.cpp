#include "viz/views/base/theme.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/enum_size.h"
#include "kernels/base/text.h"

namespace lanescope::views {
static_assert(step_kind_count == enum_size<trace::StepKind> && mixed_count == enum_size<Mixed>);

namespace {

// Control points of the data ramp in OKLab, lightness left out: it rises linearly between the theme's two ends.
struct RampPoint {
  double at, chroma, hue_degrees;
};
constexpr RampPoint ramp_points[] = {
    {0.00, 0.115, 287}, {0.22, 0.110, 255}, {0.42, 0.105, 218},
    {0.60, 0.115, 175}, {0.80, 0.120, 128}, {1.00, 0.120, 92},
};

Color ramp_color(double at, double darkest, double lightest) {
  const RampPoint* right = ramp_points + 1;
  while (right->at < at) ++right;
  const RampPoint& left = right[-1];
  const double share = (at - left.at) / (right->at - left.at);
  return from_lch({.lightness = darkest + (lightest - darkest) * at,
                   .chroma = std::lerp(left.chroma, right->chroma, share),
                   .hue_degrees = std::lerp(left.hue_degrees, right->hue_degrees, share)});
}

// The second line of a cell is quieter than the first, as far as 4.5 : 1 allows.
Color quieter(Color text, Color fill) {
  for (double share : {0.25, 0.18, 0.12, 0.06}) {
    const Color candidate = mix(text, fill, share);
    if (contrast(candidate, fill) >= 4.5) return candidate;
  }
  return text;
}

Theme with_ramp(Theme theme, double darkest, double lightest) {
  for (int n = 0; n < Theme::ramp_colors; ++n) {
    theme.ramp[n] = ramp_color(n / (Theme::ramp_colors - 1.0), darkest, lightest);
    theme.ramp_text[n] = text_on(theme.ramp[n]);
    theme.ramp_text_dim[n] = quieter(theme.ramp_text[n], theme.ramp[n]);
  }
  return theme;
}

std::array<Color, step_kind_count> step_colors(const std::array<std::uint32_t, step_kind_count>& rgba) {
  std::array<Color, step_kind_count> out;
  std::ranges::transform(rgba, out.begin(), [](std::uint32_t each) { return Color{each}; });
  return out;
}

// Order of trace::StepKind: other, load, store, move, shuffle, vote, barrier, branch, arithmetic, probe, atomic, exit.
Theme make_dark() {
  return with_ramp({.name = "dark",
                    .title = "Dark",
                    .dark = true,
                    .background{0x12151aff},
                    .panel{0x191d24ff},
                    .border{0x2a303aff},
                    .text{0xd7dde6ff},
                    .text_dim{0x949eadff},
                    .text_faint{0x6c7685ff},
                    .accent{0x5aa9ffff},
                    .row_highlight{0x1f3348ff},
                    .good{0x46b98eff},
                    .warn{0xe0a340ff},
                    .bad{0xf0766dff},
                    .cell_empty{0x20252eff},
                    .cell_plain{0x39424fff},
                    .cell_mixed{0x39424fff},
                    .cell_border{0x323a46ff},
                    .selected{0xffffffff},
                    .selected_ring{0x0b0e13ff},
                    .changed{0xd7dde6ff},
                    .arrow{0xffffffff},
                    .hatch{0x9aa5b470},
                    .steps = step_colors({0x2c333eff, 0x3b6fb0ff, 0x3f8f70ff, 0x7e59a8ff, 0xbf872dff, 0x8a8f3aff,
                                          0xb3556eff, 0x5d6b7eff, 0x363f4bff, 0x262c36ff, 0x2f8f9dff, 0x39424fff})},
                   0.40, 0.87);
}

Theme make_light() {
  return with_ramp({.name = "light",
                    .title = "Light",
                    .dark = false,
                    .background{0xeef0f3ff},
                    .panel{0xffffffff},
                    .border{0xd5dae1ff},
                    .text{0x1d2430ff},
                    .text_dim{0x596473ff},
                    .text_faint{0x7c8795ff},
                    .accent{0x0b62c4ff},
                    .row_highlight{0xe3effcff},
                    .good{0x0f7a52ff},
                    .warn{0x94600aff},
                    .bad{0xa81c48ff},
                    .cell_empty{0xf2f4f7ff},
                    .cell_plain{0xd9dee6ff},
                    .cell_mixed{0xd9dee6ff},
                    .cell_border{0xd5dae1ff},
                    .selected{0x0b0e13ff},
                    .selected_ring{0xffffffff},
                    .changed{0x3a4453ff},
                    .arrow{0x0b0e13ff},
                    .hatch{0x59647370},
                    .steps = step_colors({0xe6eaefff, 0x5b93d8ff, 0x4aa583ff, 0xa07bcbff, 0xd89c3bff, 0xa8ad4eff,
                                          0xd0708aff, 0x8f9bacff, 0xd3dae3ff, 0xedf0f4ff, 0x46a8b6ff, 0xc9d0daff})},
                   0.42, 0.90);
}

Theme make_high_contrast() {
  return with_ramp({.name = "high-contrast",
                    .title = "High contrast",
                    .dark = true,
                    .background{0x000000ff},
                    .panel{0x000000ff},
                    .border{0x9aa5b4ff},
                    .text{0xffffffff},
                    .text_dim{0xd7dde6ff},
                    .text_faint{0xaeb7c4ff},
                    .accent{0x7cc0ffff},
                    .row_highlight{0x003a75ff},
                    .good{0x5fe0b0ff},
                    .warn{0xffc24dff},
                    .bad{0xff8f86ff},
                    .cell_empty{0x000000ff},
                    .cell_plain{0x3a3f47ff},
                    .cell_mixed{0x3a3f47ff},
                    .cell_border{0x7c8795ff},
                    .selected{0xffffffff},
                    .selected_ring{0x000000ff},
                    .changed{0xffffffff},
                    .arrow{0xffffffff},
                    .hatch{0xffffff90},
                    .steps = step_colors({0x2c333eff, 0x4f9dffff, 0x3fd09aff, 0xb98cf0ff, 0xffb52eff, 0xc9cf5aff,
                                          0xff7d9eff, 0x98a6baff, 0x5f6b7aff, 0x20252eff, 0x3fc6d8ff, 0x5f6b7aff})},
                   0.36, 0.95);
}

}  // namespace

Color Theme::verdict(claims::Verdict v) const {
  switch (v) {
    case claims::Verdict::holds:
      return good;
    case claims::Verdict::differs:
      return bad;
    case claims::Verdict::unchecked:
      return warn;
  }
  return text_dim;
}

Color Theme::axis(int index, int count) const {
  // The dark end of the ramp is too dark for a thin line on a dark ground, the light end too light on a light one.
  const int first = dark ? 90 : 0, last = dark ? ramp_colors - 1 : 150;
  if (count <= 1) return ramp[(first + last) / 2];
  return ramp[first + (last - first) * (index % count) / (count - 1)];
}

MixedUse use_of(Mixed which) {
  if (which >= Mixed::quiet_title) return MixedUse::words;
  return which >= Mixed::popup_edge ? MixedUse::edge : MixedUse::ground;
}

namespace {

struct Mixture {
  Color Theme::*ground;
  Color Theme::*other;
  double share;  ///< of the other
};
/// By Mixed.
constexpr Mixture mixtures[] = {
    {&Theme::panel, &Theme::text, 0.03},   {&Theme::panel, &Theme::text, 0.05},   {&Theme::panel, &Theme::accent, 0.22},
    {&Theme::panel, &Theme::accent, 0.28}, {&Theme::panel, &Theme::accent, 0.14}, {&Theme::panel, &Theme::accent, 0.16},
    {&Theme::panel, &Theme::accent, 0.28}, {&Theme::panel, &Theme::warn, 0.22},   {&Theme::panel, &Theme::accent, 0.14},
    {&Theme::panel, &Theme::warn, 0.14},   {&Theme::panel, &Theme::bad, 0.14},    {&Theme::panel, &Theme::text, 0.10},
    {&Theme::border, &Theme::text, 0.12},  {&Theme::border, &Theme::text, 0.25},  {&Theme::border, &Theme::text, 0.35},
    {&Theme::text, &Theme::text_dim, 0.25}};

}  // namespace

Color mixed(const Theme& theme, Mixed which) {
  const Mixture& m = entry_for(mixtures, which);
  return mix(theme.*m.ground, theme.*m.other, m.share);
}

const Theme& dark_theme() {
  static const Theme theme = make_dark();
  return theme;
}
const Theme& light_theme() {
  static const Theme theme = make_light();
  return theme;
}
const Theme& high_contrast_theme() {
  static const Theme theme = make_high_contrast();
  return theme;
}

std::span<const Theme* const> themes() {
  static const std::array<const Theme*, 3> all{&dark_theme(), &light_theme(), &high_contrast_theme()};
  return all;
}

const Theme* find_theme(std::string_view name) {
  const auto same = [](char a, char b) {
    const auto is_gap = [](char c) { return c == ' ' || c == '-' || c == '_'; };
    return is_gap(a) ? is_gap(b) : lower(a) == lower(b);
  };
  for (const Theme* theme : themes())
    if (std::ranges::equal(std::string_view(theme->name), name, same)) return theme;
  return nullptr;
}

const Theme& theme_named(std::string_view name) {
  const Theme* theme = find_theme(name);
  return theme ? *theme : dark_theme();
}

Color heat_color(const Theme& theme, double share) {
  const double at = std::clamp(theme.dark ? share : 1 - share, 0.0, 1.0);
  return theme.ramp[static_cast<int>(std::lround(at * (Theme::ramp_colors - 1)))];
}

std::vector<std::string> theme_names() {
  std::vector<std::string> names;
  for (const Theme* theme : themes()) names.emplace_back(theme->name);
  return names;
}

std::string theme_name_of(std::string_view typed) {
  const Theme* theme = find_theme(typed);
  return std::string(theme != nullptr ? theme->name : std::string_view());
}

}  // namespace lanescope::views
