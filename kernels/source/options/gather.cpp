#include "kernels/source/options/gather.h"

#include <algorithm>

#include "kernels/source/options/build_files.h"
#include "kernels/source/options/nvcc_words.h"

namespace lanescope::options {

namespace fs = std::filesystem;

CompileSettings gather(const fs::path& file, const Given& given) {
  std::error_code problem;
  const fs::path own = fs::absolute(file, problem).lexically_normal();
  const fs::path folder = given.folder.empty() ? fs::current_path(problem) : fs::path(given.folder);
  CompileSettings out = read_words(given.window, {Origin::window, own.parent_path(), own});
  out = merged(std::move(out), read_words(given.words, {Origin::command_line, folder, own}));
  if (!given.nvcc_command.empty())
    out = merged(std::move(out), read_nvcc_command(given.nvcc_command, {Origin::nvcc_command, own.parent_path(), own}));
  if (given.look_around) {
    if (const auto toml = find_project_file(own)) out = merged(std::move(out), read_project_file(*toml, own));
    CompileSettings listed;
    if (const auto json = find_compile_commands(own)) listed = read_compile_commands(*json, own);
    // Its entry of this file is the whole command.
    const bool whole = !listed.used.empty() || !listed.left_out.empty();
    out = merged(std::move(out), std::move(listed));
    if (const auto build = whole ? std::nullopt : find_build_file(own))
      out = merged(std::move(out), read_build_file(*build, own));
  }
  for (const std::string& removed : given.removed) {
    const auto at = std::ranges::find_if(
        out.used, [&](const UsedOption& o) { return o.origin != Origin::window && o.written == removed; });
    if (at == out.used.end()) continue;
    out.left_out.push_back({.written = at->written,
                            .reason = "was removed in the panel Options",
                            .origin = at->origin,
                            .place = at->place});
    out.used.erase(at);
  }
  return out;
}

CompileSettings with_header(const source::CompileSpec& header, const fs::path& file, CompileSettings others) {
  CompileSettings own;
  std::error_code problem;
  const fs::path absolute = fs::absolute(file, problem).lexically_normal();
  if (!header.arch.empty())
    own.used.push_back({.kind = Kind::architecture,
                        .value = header.arch,
                        .written = "arch = \"" + header.arch + "\"",
                        .origin = Origin::header,
                        .place = {file.string(), 0}});
  const int line = header.option_places.empty() ? 0 : header.option_places.front().line;
  own = merged(std::move(own),
               read_words(header.options, {Origin::header, absolute.parent_path(), absolute, {file.string(), line}}));
  return merged(std::move(own), std::move(others));
}

void apply(const CompileSettings& settings, source::CompileSpec& header) {
  for (std::string& word : settings.words_beside_header()) header.options.push_back(std::move(word));
  if (header.arch.empty()) header.arch = settings.architecture();
}

}  // namespace lanescope::options
