// Laws of the palettes. Colour vision deficiency is simulated with the matrices of Machado, Oliveira and Fernandes (2009),
// severity 1.0, applied to linear RGB.

#include "viz/views/base/theme.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::views {
namespace {

using Matrix = std::array<double, 9>;
constexpr Matrix protanopia{0.152286, 1.052583,  -0.204868, 0.114503, 0.786281,
                            0.099216, -0.003882, -0.048116, 1.051998};
constexpr Matrix deuteranopia{0.367322, 0.860646,  -0.227968, 0.280085, 0.672501,
                              0.047413, -0.011820, 0.042940,  0.968881};

Color seen(Color color, const Matrix& m) {
  const LinearRgb c = to_linear(color);
  return from_linear({m[0] * c.r + m[1] * c.g + m[2] * c.b, m[3] * c.r + m[4] * c.g + m[5] * c.b,
                      m[6] * c.r + m[7] * c.g + m[8] * c.b});
}

Color grey(Color color) {
  const double y = luminance(color);
  return from_linear({y, y, y});
}

/// A colour with alpha, on a ground.
Color over(Color c, Color ground) { return mix(ground, {c.rgba | 0xff}, static_cast<double>(c.rgba & 255) / 255); }

class EachTheme : public testing::TestWithParam<const Theme*> {};
INSTANTIATE_TEST_SUITE_P(Themes, EachTheme, testing::ValuesIn(themes().begin(), themes().end()), [](const auto& info) {
  return info.param->dark ? "Dark" + std::to_string(info.index) : "Light";
});

TEST_P(EachTheme, RampRisesEvenlyInLightness) {
  const Theme& theme = *GetParam();
  double smallest = 1, largest = 0;
  for (int n = 16; n < Theme::ramp_colors; n += 16) {
    const double step = lightness(theme.ramp[n]) - lightness(theme.ramp[n - 16]);
    smallest = std::min(smallest, step), largest = std::max(largest, step);
  }
  EXPECT_GT(smallest, 0);
  EXPECT_LT(largest, 1.5 * smallest);  // no value looks like two
}

TEST_P(EachTheme, RampKeepsItsOrderInGreyscaleAndColourBlindness) {
  const Theme& theme = *GetParam();
  for (int n = 1; n < Theme::ramp_colors; ++n)
    EXPECT_GE(luminance(theme.ramp[n]), luminance(theme.ramp[n - 1]) - 1e-3) << n;
  for (const auto& look : {+[](Color c) { return grey(c); }, +[](Color c) { return seen(c, protanopia); },
                           +[](Color c) { return seen(c, deuteranopia); }}) {
    for (int n = 32; n < Theme::ramp_colors; ++n) {
      EXPECT_GT(lightness(look(theme.ramp[n])), lightness(look(theme.ramp[n - 32]))) << n;
    }
  }
}

TEST_P(EachTheme, SixteenValuesStayApartInEveryVision) {
  const Theme& theme = *GetParam();
  for (int n = 1; n < 16; ++n) {
    const Color a = theme.ramp[Theme::ramp_index(n - 1, 16)], b = theme.ramp[Theme::ramp_index(n, 16)];
    EXPECT_GT(oklab_distance(a, b), 0.025) << n;
    EXPECT_GT(oklab_distance(seen(a, protanopia), seen(b, protanopia)), 0.018) << n;
    EXPECT_GT(oklab_distance(seen(a, deuteranopia), seen(b, deuteranopia)), 0.018) << n;
  }
}

TEST_P(EachTheme, TextOnCellsReads) {
  const Theme& theme = *GetParam();
  for (int n = 0; n < Theme::ramp_colors; ++n) {
    EXPECT_GE(contrast(theme.ramp_text[n], theme.ramp[n]), 4.5) << n;
    EXPECT_GE(contrast(theme.ramp_text_dim[n], theme.ramp[n]), 4.5) << n;
  }
  for (Color step : theme.steps) EXPECT_GE(contrast(text_on(step), step), 4.5);
  EXPECT_GE(contrast(theme.text, theme.cell_mixed), 4.5);
}

TEST_P(EachTheme, WordsOnPanelsRead) {
  const Theme& theme = *GetParam();
  for (Color ground : {theme.panel, theme.background}) {
    for (Color words : {theme.text, theme.text_dim, theme.accent, theme.good, theme.warn, theme.bad}) {
      EXPECT_GE(contrast(words, ground), 4.5) << std::hex << words.rgba << " on " << ground.rgba;
    }
    EXPECT_GE(contrast(theme.text_faint, ground), 3.0);
  }
  EXPECT_GE(contrast(theme.text, theme.row_highlight), 4.5);
  EXPECT_GE(contrast(theme.selected, theme.selected_ring), 7.0);
}

TEST_P(EachTheme, VerdictsStayApartInEveryVision) {
  const Theme& theme = *GetParam();
  const std::array<Color, 3> verdicts{theme.good, theme.warn, theme.bad};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < a; ++b) {
      EXPECT_GT(oklab_distance(verdicts[a], verdicts[b]), 0.08);
      // Shape and word carry the verdict too; colour must merely not be one and the same.
      EXPECT_GT(oklab_distance(seen(verdicts[a], deuteranopia), seen(verdicts[b], deuteranopia)), 0.02);
      EXPECT_GT(oklab_distance(seen(verdicts[a], protanopia), seen(verdicts[b], protanopia)), 0.02);
    }
  }
}

// Every colour of a theme has a law; a new one without a law fails.
TEST_P(EachTheme, EveryColourHasALawAndKeepsIt) {
  const Theme& theme = *GetParam();
  using Law = std::function<void(Color)>;
  const auto reads = [&](double least) {
    return [&theme, least](Color c) {
      EXPECT_GE(contrast(c, theme.panel), least);
      EXPECT_GE(contrast(c, theme.background), least);
    };
  };
  const auto carries_words = [&](Color ground) { EXPECT_GE(contrast(theme.text, ground), 4.5); };
  const auto apart = [&](Color ground, double least) {
    return [ground, least](Color c) { EXPECT_GT(oklab_distance(c, ground), least); };
  };
  const auto line = [&](Color c) {  // seen on the panel, in every vision
    EXPECT_GE(contrast(c, theme.panel), 3.0);
    EXPECT_GE(contrast(seen(c, protanopia), seen(theme.panel, protanopia)), 3.0);
    EXPECT_GE(contrast(seen(c, deuteranopia), seen(theme.panel, deuteranopia)), 3.0);
  };
  const std::map<std::string, Law, std::less<>> laws{
      {"background", carries_words},
      {"panel", carries_words},
      {"border", apart(theme.panel, 0.03)},
      {"text", reads(7.0)},
      {"text_dim", reads(4.5)},
      {"text_faint", reads(3.0)},
      {"accent", reads(4.5)},
      {"row_highlight", carries_words},
      {"good", reads(4.5)},
      {"warn", reads(4.5)},
      {"bad", reads(4.5)},
      {"cell_empty", carries_words},
      {"cell_plain", carries_words},
      {"cell_mixed", carries_words},
      {"cell_border", apart(theme.cell_empty, 0.03)},
      {"selected", line},
      {"selected_ring", [&](Color c) { EXPECT_GE(contrast(c, theme.selected), 7.0); }},
      {"changed", line},
      {"arrow", line},
      {"hatch", [&](Color c) { EXPECT_GT(oklab_distance(over(c, theme.cell_mixed), theme.cell_mixed), 0.03); }},
      {"steps", [&](Color c) { EXPECT_GE(contrast(text_on(c), c), 4.5); }},
  };
  std::set<std::string_view> met;
  each_color(theme, [&](std::string_view name, Color color) {
    SCOPED_TRACE(std::string(name) + " of " + std::string(theme.name));
    const auto law = laws.find(name);
    ASSERT_NE(law, laws.end()) << "has no law";
    law->second(color);
    met.insert(name);
  });
  EXPECT_EQ(met.size(), laws.size());
}

TEST_P(EachTheme, WordsOnTheCurrentLineRead) {
  const Theme& theme = *GetParam();
  for (Color words : {theme.text_dim, theme.accent, theme.good, theme.warn, theme.bad})
    EXPECT_GE(contrast(words, theme.row_highlight), 4.5) << std::hex << words.rgba;
}

TEST_P(EachTheme, MixedColoursRead) {
  const Theme& theme = *GetParam();
  for (int n = 0; n < mixed_count; ++n) {
    const auto which = static_cast<Mixed>(n);
    const Color c = mixed(theme, which);
    SCOPED_TRACE(n);
    switch (use_of(which)) {
      case MixedUse::ground:
        EXPECT_GE(contrast(theme.text, c), 4.5);
        break;
      case MixedUse::edge:
        EXPECT_GT(oklab_distance(c, theme.panel), 0.03);
        break;
      case MixedUse::words:
        EXPECT_GE(contrast(c, theme.panel), 4.5);
        break;
    }
  }
  // Marks of a row, a selection or a match are seen beside the ground, also without red or green.
  for (const Mixed which : {Mixed::chosen_row, Mixed::selected_text, Mixed::found_text, Mixed::notice,
                            Mixed::notice_warning, Mixed::notice_error}) {
    const Color c = mixed(theme, which);
    EXPECT_GT(oklab_distance(c, theme.panel), 0.03) << static_cast<int>(which);
    EXPECT_GT(oklab_distance(seen(c, protanopia), seen(theme.panel, protanopia)), 0.02) << static_cast<int>(which);
    EXPECT_GT(oklab_distance(seen(c, deuteranopia), seen(theme.panel, deuteranopia)), 0.02) << static_cast<int>(which);
  }
  for (const Color words : {theme.text_dim, theme.accent})
    for (const Mixed ground : {Mixed::overlay, Mixed::popup}) EXPECT_GE(contrast(words, mixed(theme, ground)), 4.0);
}

// The window mixes colours nowhere else, so that the test above has met all of them.
TEST(Theme, TheWindowTakesItsColoursFromTheTheme) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LANESCOPE_SOURCE_DIR "/app/gui")) {
    if (entry.path().extension() != ".cpp" || entry.path().filename() == "syntax.cpp")
      continue;  // see the test of inks
    std::ifstream in(entry.path());
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    EXPECT_EQ(text.find("mix("), std::string::npos) << entry.path();
    EXPECT_EQ(text.find("Color{0x"), std::string::npos) << entry.path();
  }
}

TEST(Theme, NamesFindThemes) {
  for (const Theme* theme : themes()) EXPECT_EQ(&theme_named(theme->name), theme);
  EXPECT_EQ(&theme_named("no such theme"), &dark_theme());
}

TEST(Color, LchRoundTrip) {
  for (double l : {0.2, 0.5, 0.8}) EXPECT_NEAR(lightness(from_lch({l, 0.08, 250})), l, 0.01);
  EXPECT_NEAR(contrast({0xffffffff}, {0x000000ff}), 21, 1e-9);
}

}  // namespace
}  // namespace lanescope::views
