#include "kernels/compile/compile_log.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/macros.h"
#include "kernels/source/cxx/outline.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

/// By name, so that every file system gives the same answer.
std::vector<fs::path> neighbours(const fs::path& file) {
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  std::error_code problem;
  std::vector<fs::path> out;
  for (auto at = fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, problem);
       !problem && at != fs::directory_iterator() && out.size() < most_neighbours; at.increment(problem)) {
    std::error_code other;
    const std::string ending = at->path().extension().string();
    const bool code = one_of(ending, {".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".cxx", ".c", ".inl"});
    if (!code || at->path().filename() == file.filename() || !at->is_regular_file(other)) continue;
    if (!is_header(at->path())) continue;  // a link to something else
    if (at->file_size(other) <= most_neighbour_bytes && !other) out.push_back(at->path());
  }
  std::ranges::sort(out);
  return out;
}

bool is_compiled_alone(const fs::path& file) {
  return one_of(file.extension().string(), {".cu", ".cpp", ".cc", ".cxx", ".c"});
}

/// The line of the first #include of the file in a text; 0: there is none.
int line_that_includes(const fs::path& file, const std::string& text) {
  int number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    const source::Include include = source::include_on(line);
    if (!include.name.empty() && fs::path(std::string(include.name)).lexically_normal() == file.filename())
      return number;
  }
  return 0;
}

/// "`main.cu` line 27" of the first neighbour that includes the file; one that is compiled by itself goes before a header.
std::string includer_of(const fs::path& file, const std::vector<fs::path>& all) {
  std::string header;
  for (const fs::path& each : all) {
    const auto text = read_file(each.string());
    if (!text) continue;
    const int line = line_that_includes(file, *text);
    if (line == 0) continue;
    std::string words = fmt::format("`{}` line {}", each.filename().string(), line);
    if (is_compiled_alone(each)) return words;
    if (header.empty()) header = std::move(words);
  }
  return header;
}

/// `seed::length` of "`seed::length(SeedL const&)` is declared...".
std::string bare_name(std::string_view message) {
  const std::size_t open = message.find('`'), close = message.find_first_of("(<`", open + 1);
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  const std::string_view name = message.substr(open + 1, close - open - 1);
  const std::size_t colon = name.rfind(':');
  return std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
}

std::string body_of_function(const std::string& name, const std::vector<fs::path>& all) {
  for (const fs::path& each : all) {
    const auto text = read_file(each.string());
    if (!text || name.empty() || text->find(name) == std::string::npos) continue;
    const source::Lexed lexed = source::lex(*text);
    if (!lexed.mistakes.empty()) continue;
    for (const source::FunctionRange& f : source::outline(lexed).functions)
      if (f.info.name == name) return fmt::format("`{}` line {}", each.filename().string(), f.info.first_line);
  }
  return {};
}

}  // namespace

std::optional<fs::path> only_includer(const fs::path& file) {
  std::optional<fs::path> out;
  for (const fs::path& each : neighbours(file)) {
    const auto text = is_compiled_alone(each) ? read_file(each.string()) : Expected<std::string>(std::string());
    if (!text || line_that_includes(file, *text) == 0) continue;
    if (out) return std::nullopt;
    out = each;
  }
  return out;
}

Diagnostics with_neighbours(Diagnostics errors, const source::Source& source) {
  const auto said = [](const Diagnostic& d, std::string_view words) {
    return d.severity == Severity::error && d.message.find(words) != std::string::npos;
  };
  const auto lacks_body = [](const Diagnostic& d) { return d.code == DiagnosticCode::function_without_body; };
  const bool undefined = std::ranges::any_of(errors, [&](const Diagnostic& d) {
    return lacks_body(d) || said(d, "is undefined") || said(d, "is not a type");
  });
  if (!undefined) return errors;
  const std::vector<fs::path> all = neighbours(source.file);
  for (Diagnostic& d : errors) {
    if (!lacks_body(d)) continue;
    if (const std::string place = body_of_function(bare_name(d.message), all); !place.empty())
      d.remedy = fmt::format("its body is in {}; include that file", place);
  }
  const bool whole = std::ranges::any_of(source.functions, [](const source::Function& f) { return f.name == "main"; });
  if (const std::string place = whole ? std::string() : includer_of(source.file, all); !place.empty())
    errors.insert(errors.begin(), {.file = source.file,
                                   .message = fmt::format("this file does not compile alone: it is a part of another "
                                                          "one, which includes it ({})",
                                                          place),
                                   .remedy = "open that one",
                                   .code = DiagnosticCode::part_of_other_file});
  return errors;
}

}  // namespace lanescope::compile
