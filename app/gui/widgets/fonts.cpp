#include "app/gui/widgets/stage.h"

#include <imgui_freetype.h>
#include <imgui_impl_opengl3.h>

#include <cmath>
#include <filesystem>

#include "kernels/base/enum_size.h"
#include "kernels/resources/resources.h"
#include "viz/paint/fonts.h"

namespace lanescope::gui {
namespace {

// Beyond Latin-1: arrows, verdict shapes, triangles and the few signs that sentences use.
constexpr const char* further_signs = "↔→←↑↓▲▼▾▸◂▶●■◆○□✓≤≥≠–—−…·×⊕µ°‘’“”\u00a0\u2009\u202f";

const ImVector<ImWchar>& glyph_ranges() {
  static const ImVector<ImWchar> ranges = [] {
    ImFontGlyphRangesBuilder builder;
    builder.AddRanges(ImGui::GetIO().Fonts->GetGlyphRangesDefault());
    builder.AddText(further_signs);
    builder.AddRanges(reinterpret_cast<const ImWchar*>(paint::scene_glyph_ranges().data()));
    ImVector<ImWchar> result;
    builder.BuildRanges(&result);
    return result;
  }();
  return ranges;
}

using scene::Face;

constexpr float medium_widening = 1.014f;

const std::string& path_of(Face face) {
  using resources::Font;
  constexpr Font fonts[] = {Font::sans, Font::sans_bold, Font::mono, Font::mono_bold};
  return resources::font(entry_for(fonts, face));
}

/// ImGui's size of a font is its line height, and it rounds advances up to whole pixels; here sizes are those of the em,
/// and proportional text keeps the widths of the font file.
class Baker {
 public:
  explicit Baker(float scale) : scale_(scale) {}

  ImFont* add(Face face, float px, const std::string& path = {}) {
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    const float line_em = paint::Fonts::of_thread().line_em(face);
    const std::string& file = path.empty() ? path_of(face) : path;
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ImFont* font = atlas.AddFontFromFileTTF(file.c_str(), px * scale_ * line_em, &config, glyph_ranges().Data);
    const bool proportional = face == Face::sans || face == Face::sans_bold;
    if (proportional) {  // Inter lacks some triangles
      config.MergeMode = true;
      atlas.AddFontFromFileTTF(path_of(Face::mono).c_str(), px * scale_ * line_em, &config, glyph_ranges().Data);
    }
    baked_.push_back({font, face, !path.empty(), px * scale_});
    return font;
  }

  void correct_advances() {
    for (const Baked& b : baked_) {
      const bool proportional = b.face == Face::sans || b.face == Face::sans_bold;
      // The medium weight is no face of scenes; its letters are as wide as the regular ones, nearly.
      const Face widths = b.medium ? Face::sans : b.face;
      for (ImFontGlyph& glyph : b.font->Glyphs) {
        const float advance = paint::Fonts::of_thread().advance_em(widths, glyph.Codepoint) * b.em_px;
        glyph.AdvanceX = proportional ? advance * (b.medium ? medium_widening : 1) : std::round(advance);
      }
      b.font->BuildLookupTable();
    }
  }

 private:
  struct Baked {
    ImFont* font;
    Face face;
    bool medium;
    float em_px;
  };
  float scale_;
  std::vector<Baked> baked_;
};

}  // namespace

void refresh_font_texture() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

Expected<Fonts> load_fonts(float scale) {
  for (const resources::Font font : resources::all_fonts) {
    const std::string& path = resources::font(font);
    if (!std::filesystem::exists(path))
      return failure(Diagnostic{
          .file = path, .message = "font file is missing", .remedy = "install fonts-inter and fonts-jetbrains-mono"});
  }
  ImGui::GetIO().Fonts->Clear();
  ImGui::GetIO().Fonts->FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  Baker baker(scale);
  Fonts fonts;
  fonts.body = baker.add(Face::sans, type_px::body);
  fonts.small = baker.add(Face::sans, type_px::small);
  fonts.body_medium = baker.add(Face::sans_bold, type_px::body, resources::font(resources::Font::sans_medium));
  fonts.title = baker.add(Face::sans_bold, type_px::title);
  fonts.code = baker.add(Face::mono, type_px::code);
  fonts.code_small = baker.add(Face::mono, type_px::code_small);
  const auto bake_for_scenes = [&](Face face, std::initializer_list<float> sizes) {
    for (const float px : sizes) fonts.scene.faces[static_cast<int>(face)].push_back(baker.add(face, px));
  };
  bake_for_scenes(Face::mono, {8.5f, 9.5f, 11.0f, 14.0f, 17.0f, 20.0f, 30.0f});
  bake_for_scenes(Face::mono_bold, {8.5f, 9.5f, 11.0f, 14.0f, 20.0f, 30.0f});
  bake_for_scenes(Face::sans, {9.5f, 10.5f, 11.5f, 12.0f, 13.0f, 18.0f, 26.0f});
  bake_for_scenes(Face::sans_bold, {10.5f, 12.0f, 13.0f, 18.0f, 24.0f});
  fonts.scale = scale;
  if (!ImGui::GetIO().Fonts->Build()) return failure("the font atlas cannot be made", "lower the scale");
  baker.correct_advances();
  return fonts;
}

}  // namespace lanescope::gui
