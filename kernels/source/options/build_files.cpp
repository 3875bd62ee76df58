#include "kernels/source/options/build_files.h"

#include <algorithm>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/options/header_search.h"

namespace lanescope::options {

namespace fs = std::filesystem;

std::optional<fs::path> find_build_file(const fs::path& file) {
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  const fs::path project = project_folder(file);
  for (const char* name : {"GNUmakefile", "makefile", "Makefile", "CMakeLists.txt"})
    if (is_found(folder / name, project)) return folder / name;
  return std::nullopt;
}

CompileSettings read_build_file(const fs::path& build_file, const fs::path& kernel) {
  std::error_code problem;
  CompileSettings out;
  if (fs::file_size(build_file, problem) > most_build_file_bytes || problem) return out;
  const auto text = read_file(build_file.string());
  if (!text || text->find('\0') != std::string::npos) return out;
  const std::string name = kernel.filename().string();
  const bool cmake = build_file.filename() == "CMakeLists.txt";
  for (const BuildWord& word : cmake ? words_of_cmake(*text, name) : words_of_makefile(*text, name)) {
    const Place place{build_file.string(), word.line};
    if (!word.known) {
      out.left_out.push_back({.written = word.text,
                              .reason = "depends on a condition or a variable that is not known here",
                              .origin = Origin::build_file,
                              .place = place});
      continue;
    }
    CompileSettings one = read_words({word.text}, {Origin::build_file, build_file.parent_path(), kernel, place});
    out = merged(std::move(out), std::move(one));
  }
  return out;
}

CommandLine command_line_nearby(const fs::path& kernel) {
  const auto file = find_build_file(kernel);
  std::error_code problem;
  if (!file || file->filename() == "CMakeLists.txt") return {};
  if (fs::file_size(*file, problem) > most_build_file_bytes || problem) return {};
  const auto text = read_file(file->string());
  if (!text || text->find('\0') != std::string::npos) return {};
  const std::string name = kernel.filename().string();
  bool own = false;
  for (std::size_t at = text->find(name); at != std::string::npos && !own; at = text->find(name, at + 1)) {
    const std::size_t end = at + name.size();
    own = (at == 0 || !is_word((*text)[at - 1])) && (end == text->size() || !is_word((*text)[end]));
  }
  MakeCall call = own ? call_of_makefile(*text) : MakeCall{};
  if (call.words.empty()) return {};
  return {.words = std::move(call.words), .place = file->filename().string() + " line " + std::to_string(call.line)};
}

}  // namespace lanescope::options
