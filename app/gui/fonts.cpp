#include "app/gui/fonts.h"

#include <imgui_freetype.h>
#include <imgui_impl_opengl3.h>

#include <filesystem>

#include "generated/resources.h"

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

}  // namespace

void refresh_font_texture() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

Expected<Fonts> load_fonts(float scale) {
  for (const std::string_view path : {resources::font_sans, resources::font_sans_medium, resources::font_sans_bold,
                                      resources::font_mono}) {
    if (!std::filesystem::exists(path)) {
      return failure(Diagnostic{.file = std::string(path), .message = "font file is missing",
                                .remedy = "install fonts-inter and fonts-jetbrains-mono"});
    }
  }
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  atlas.TexGlyphPadding = 1;
  const auto add = [&](std::string_view path, float px) {
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    ImFont* font = atlas.AddFontFromFileTTF(std::string(path).c_str(), px * scale, &config, glyph_ranges().Data);
    if (!path.starts_with(resources::font_mono.substr(0, resources::font_mono.rfind('/')))) {  // Inter lacks some triangles
      config.MergeMode = true;
      atlas.AddFontFromFileTTF(std::string(resources::font_mono).c_str(), px * scale, &config, glyph_ranges().Data);
    }
    return font;
  };
  Fonts fonts;
  fonts.body = add(resources::font_sans, type_px::body);
  fonts.small = add(resources::font_sans, type_px::small);
  fonts.body_medium = add(resources::font_sans_medium, type_px::body);
  fonts.title = add(resources::font_sans_bold, type_px::title);
  fonts.code = add(resources::font_mono, type_px::code);
  fonts.code_small = add(resources::font_mono, type_px::small);
  for (const float px : {9.0f, 10.5f, 15.0f, 20.0f, 28.0f}) {
    fonts.scene.faces[static_cast<int>(scene::Face::mono)].push_back(add(resources::font_mono, px));
  }
  fonts.scene.faces[static_cast<int>(scene::Face::mono)].push_back(fonts.code);
  for (const float px : {9.0f, 10.5f, 12.5f, 20.0f}) {
    fonts.scene.faces[static_cast<int>(scene::Face::mono_bold)].push_back(add(resources::font_mono_bold, px));
  }
  for (const float px : {9.5f, 10.5f, 18.0f, 26.0f}) {
    fonts.scene.faces[static_cast<int>(scene::Face::sans)].push_back(add(resources::font_sans, px));
  }
  fonts.scene.faces[static_cast<int>(scene::Face::sans)].push_back(fonts.small);
  fonts.scene.faces[static_cast<int>(scene::Face::sans)].push_back(fonts.body);
  for (const float px : {11.5f, 18.0f}) {
    fonts.scene.faces[static_cast<int>(scene::Face::sans_bold)].push_back(add(resources::font_sans_bold, px));
  }
  fonts.scene.faces[static_cast<int>(scene::Face::sans_bold)].push_back(fonts.body_medium);
  fonts.scale = scale;
  return fonts;
}

}  // namespace lanescope::gui
