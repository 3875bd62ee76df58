#include "kernels/source/header/sibling_host.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/conditionals.h"
#include "kernels/source/cxx/outline.h"

namespace lanescope::source {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  const std::string e = path.extension().string();
  return e == ".cu" || e == ".cpp" || e == ".cc" || e == ".cxx" || e == ".c";
}

/// Those of the folder, main.* first, then by name.
std::vector<fs::path> candidates(const fs::path& file) {
  std::vector<fs::path> out;
  std::error_code problem;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  constexpr std::size_t most_entries = 4096;
  std::size_t entries = 0;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end && entries < most_entries;
       at.increment(problem), ++entries) {
    if (!is_source(at->path()) || at->path().filename() == file.filename()) continue;
    if (at->is_regular_file(problem) && is_header(at->path()) && at->file_size(problem) <= longest_sibling)
      out.push_back(at->path());
  }
  std::ranges::sort(out, {}, [](const fs::path& p) { return std::pair(p.stem() != "main", p.filename().string()); });
  if (out.size() > most_siblings) out.resize(most_siblings);
  return out;
}

/// Whether the text names a function of this file as a word.
bool names_one_of(std::string_view text, const Outline& outline) {
  for (const FunctionRange& f : outline.functions) {
    const std::string& name = f.info.name;
    if (name.size() < 2 || name == "main" || (f.info.is_device && !f.info.is_kernel)) continue;
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string_view::npos; ++at) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
    }
  }
  return false;
}

bool launches_a_kernel_of(const HostRun& run, const Outline& outline) {
  return std::ranges::any_of(run.launches, [&](const HostLaunch& l) {
    const std::string_view name = std::string_view(l.kernel).substr(0, l.kernel.find('<'));
    const std::size_t scope = name.rfind("::");
    const std::string_view own = scope == std::string_view::npos ? name : name.substr(scope + 2);
    return l.called && std::ranges::any_of(outline.functions, [&](const FunctionRange& f) {
             return f.info.is_kernel && f.info.name == own;
           });
  });
}

}  // namespace

std::optional<SiblingHost> host_of_sibling(std::string_view file, const Lexed& lexed, const Outline& outline,
                                           const std::vector<std::string>& command_line) {
  std::error_code problem;
  const fs::path path(file);
  if (file.empty() || !fs::is_regular_file(path, problem)) return std::nullopt;
  std::size_t interpreted = 0;
  for (const fs::path& sibling : candidates(path)) {
    const Expected<std::string> text = read_file(sibling.string());
    if (!text || text->find('\0') != std::string::npos || !names_one_of(*text, outline)) continue;
    if (++interpreted > most_siblings_interpreted) break;
    const Conditionals active = evaluate_conditionals(sibling.string(), *text, MacroTable{});
    const std::string all = std::string(lexed.text) + "\n" + active.files.front().text;
    const Lexed both = lex(all);
    if (!both.mistakes.empty() || both.too_deep >= 0) continue;
    const Outline parts = source::outline(both);
    if (parts.too_deep >= 0) continue;
    SiblingHost out{
        .run = run_host(both, parts, {}, command_line), .file = sibling.filename().string(), .own_lines = 0};
    out.own_lines = static_cast<int>(std::ranges::count(lexed.text, '\n')) + 1;
    if (launches_a_kernel_of(out.run, outline)) return out;
  }
  return std::nullopt;
}

std::string with_sibling_lines(const std::string& sentence, const SiblingHost& sibling) {
  std::string out;
  constexpr std::string_view word = "line ";
  std::size_t done = 0;
  for (std::size_t at = 0; (at = sentence.find(word, at)) != std::string::npos; ++at) {
    int line = 0;
    const char* begin = sentence.data() + at + word.size();
    const auto [end, problem] = std::from_chars(begin, sentence.data() + sentence.size(), line);
    if (problem != std::errc() || line <= sibling.own_lines) continue;
    out += sentence.substr(done, at - done) + fmt::format("line {} of {}", line - sibling.own_lines, sibling.file);
    done = static_cast<std::size_t>(end - sentence.data());
  }
  return out + sentence.substr(done);
}

}  // namespace lanescope::source
