#include "kernels/resources/resources.h"

#include <array>
#include <cstdlib>

#include "generated/resources.h"
#include "kernels/base/enum_size.h"

namespace lanescope::resources {
namespace {

namespace fs = std::filesystem;

constexpr int font_count = std::size(all_fonts);

/// Name without extension: distributions ship .otf or .ttf of the same design.
struct FontFile {
  const char* stem;
  const char* debian;
};
constexpr FontFile font_files[] = {
    {"Inter-Regular", "/usr/share/fonts/opentype/inter/Inter-Regular.otf"},
    {"Inter-Medium", "/usr/share/fonts/opentype/inter/Inter-Medium.otf"},
    {"Inter-Bold", "/usr/share/fonts/opentype/inter/Inter-Bold.otf"},
    {"JetBrainsMono-Regular", "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf"},
    {"JetBrainsMono-Bold", "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Bold.ttf"},
};

const FontFile& file_of(Font font) { return entry_for(font_files, font); }

bool is_there(const fs::path& path) {
  std::error_code unreadable;
  return fs::exists(path, unreadable);
}

fs::path running_program() {
  std::error_code unreadable;
  return fs::read_symlink("/proc/self/exe", unreadable);
}

}  // namespace

fs::path find_assets(const char* chosen, const fs::path& program, const fs::path& configured) {
  if (chosen != nullptr && *chosen != '\0') return chosen;
  if (program.has_parent_path()) {
    const fs::path installed = (program.parent_path() / to_assets).lexically_normal();
    if (is_there(installed / "gpus.toml")) return installed;
  }
  return configured;
}

fs::path assets_directory() {
  return find_assets(std::getenv("LANESCOPE_ASSETS"), running_program(), fs::path(configured_assets));
}

fs::path find_document(const fs::path& assets, std::string_view file_name) {
  const fs::path installed = assets / file_name;
  return is_there(installed) ? installed : (assets / ".." / "docs" / file_name).lexically_normal();
}

fs::path document(std::string_view file_name) { return find_document(assets_directory(), file_name); }

fs::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  const fs::path folder = state != nullptr && *state != '\0' ? fs::path(state)
                          : home != nullptr                  ? fs::path(home) / ".local" / "state"
                                                             : fs::temp_directory_path();
  return folder / "lanescope";
}

std::vector<fs::path> font_folders() {
  std::vector<fs::path> folders{assets_directory() / "fonts"};
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  if (data != nullptr && *data != '\0')
    folders.emplace_back(fs::path(data) / "fonts");
  else if (home != nullptr && *home != '\0')
    folders.emplace_back(fs::path(home) / ".local/share/fonts");
  for (const char* folder : {"/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/inter",
                             "/usr/share/fonts/truetype/jetbrains-mono", "/usr/share/fonts/rsms-inter-fonts",
                             "/usr/share/fonts/jetbrains-mono-fonts", "/usr/share/fonts/inter", "/usr/share/fonts/TTF",
                             "/usr/share/fonts", "/usr/local/share/fonts"})
    folders.emplace_back(folder);
  return folders;
}

std::string find_font(Font font, std::span<const fs::path> folders) {
  for (const fs::path& folder : folders)
    for (const char* extension : {".otf", ".ttf"}) {
      fs::path file = folder / (std::string(file_of(font).stem) + extension);
      if (is_there(file)) return file.string();
    }
  return {};
}

const std::string& font(Font font) {
  static const std::array<std::string, font_count> found = [] {
    std::array<std::string, font_count> files;
    const std::vector<fs::path> folders = font_folders();
    for (const Font each : all_fonts) {
      std::string& file = files[static_cast<int>(each)];
      file = find_font(each, folders);
      if (file.empty()) file = file_of(each).debian;
    }
    return files;
  }();
  return found[static_cast<int>(font)];
}

}  // namespace lanescope::resources
