#pragma once
// Files that are read at run time: where the assets and the fonts lie on this machine. An installed program finds its
// assets beside itself (bin/lanescope and share/lanescope), one of a build folder in the source tree.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::resources {

/// The folder of the catalogue (kernels/) and of the table of GPUs (gpus.toml).
std::filesystem::path assets_directory();
/// How it is found. `chosen`, the value of LANESCOPE_ASSETS, is taken as it is unless it is null or empty. Next comes
/// ../share/lanescope beside the folder of `program`, if it holds assets; then `configured`, named when the build was
/// configured.
std::filesystem::path find_assets(const char* chosen, const std::filesystem::path& program,
                                  const std::filesystem::path& configured);

/// A text that the program shows, for instance "glossary.md": among the assets of an installed program, in docs/ beside
/// the assets of the source tree.
std::filesystem::path document(std::string_view file_name);
/// The same for a given folder of assets.
std::filesystem::path find_document(const std::filesystem::path& assets, std::string_view file_name);

/// Where what is kept between two starts belongs: $XDG_STATE_HOME/lanescope, or below ~/.local/state.
std::filesystem::path state_folder();

enum class Font : std::uint8_t { sans, sans_medium, sans_bold, mono, mono_bold };
inline constexpr Font all_fonts[] = {Font::sans, Font::sans_medium, Font::sans_bold, Font::mono, Font::mono_bold};

/// Path of a font file: Inter and JetBrains Mono, searched once. Where none is found, the path at which Debian would
/// install it.
const std::string& font(Font font);
/// The first of `folders` that holds the font wins; empty when none does.
std::string find_font(Font font, std::span<const std::filesystem::path> folders);
/// fonts/ among the assets, the user's own folder, the folders of Debian, Fedora and Arch.
std::vector<std::filesystem::path> font_folders();

}  // namespace lanescope::resources
