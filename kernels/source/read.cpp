#include "kernels/source/source.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/base/byte_order_mark.h"
#include "kernels/source/cxx/device_part.h"
#include "kernels/source/cxx/structural_macros.h"
#include "kernels/source/header/inference.h"
#include "kernels/source/header/launch_header.h"
#include "kernels/source/notation/memory_comments.h"
#include "kernels/source/notation/probe_positions.h"
#include "kernels/source/notation/probes.h"
#include "kernels/source/notation/subarray_comments.h"
#include "kernels/source/notation/vocabulary.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_file = std::size_t{64} << 20;

/// Bytes that no source text has.
std::optional<Diagnostic> not_text(std::string_view file, std::string_view text) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    const auto line =
        static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n')) + 1;
    return Diagnostic{
        .file = std::string(file), .line = line, .message = "this is not a text file", .remedy = "open a .cu file"};
  }
  if (text.size() > longest_file) {
    return Diagnostic{.file = std::string(file),
                      .message = fmt::format("this file has {} bytes", text.size()),
                      .remedy = "files can have at most 64 MiB"};
  }
  return std::nullopt;
}

void name_file(Diagnostics& diagnostics, std::string_view file) {
  for (Diagnostic& d : diagnostics) d.file = file;
}

/// Comments without the launch header's own lines.
std::vector<CommentLine> lines_outside(const Lexed& lexed, const HeaderPlace& header) {
  std::vector<CommentLine> out = comment_lines(lexed);
  std::erase_if(out, [&](const CommentLine& l) {
    return header.first_line > 0 && l.line >= header.first_line && l.line <= header.last_line;
  });
  return out;
}

/// What conditions leave of the text, by the options that the compiler will be given.
Conditionals active_part(std::string_view file, std::string_view text, const CompileSpec& header,
                         const ReadOptions& options) {
  DeviceTarget target = options.target;
  const std::string_view arch = header.arch;
  int number = 0;
  for (const char c : arch.substr(std::min(arch.find('_'), arch.size())))
    if (is_digit(c) && number < 1000) number = 10 * number + (c - '0');
  if (number > 0) target.architecture = number;
  MacroTable macros = device_macros(target);
  apply_options(macros, header.options);
  apply_options(macros, options.options);
  return evaluate_conditionals(file, text, std::move(macros), options.read_include);
}

/// Every local's name, and what is left of it without digits at its end.
std::set<std::string, std::less<>> variable_names(const Outline& outline) {
  std::set<std::string, std::less<>> out;
  for (const auto& [name, locals] : outline.by_name) {
    std::string stem = name;
    for (int digits = 0; digits < 6 && !stem.empty(); ++digits) {
      out.insert(stem);
      if (stem.back() < '0' || stem.back() > '9') break;
      stem.pop_back();
    }
  }
  return out;
}

}  // namespace

Expected<Source> read(std::string_view file, std::string_view text, const ReadOptions& options) {
  if (std::optional<Diagnostic> d = not_text(file, text)) return failure(std::move(*d));
  Source out;
  out.file = file;
  out.text = text;
  text = without_byte_order_mark(text);  // not every compiler takes it; `annotate` writes it again
  Expected<ReadHeader> header = read_header(lex_plainly(text), file);
  Conditionals active = active_part(file, text, header ? header->header.compile : CompileSpec{}, options);
  out.active_text = std::move(active.files.front().text);
  Lexed lexed = lex(out.active_text, active.macros);
  if (!lexed.mistakes.empty()) {
    name_file(lexed.mistakes, file);
    return tl::unexpected<Diagnostics>(lexed.mistakes);
  }
  if (!header) return tl::unexpected<Diagnostics>(header.error());
  const Outline parts = outline(lexed);
  if (const int deep = lexed.too_deep >= 0 ? lexed.too_deep : parts.too_deep; deep >= 0)
    return failure(Diagnostic{.file = std::string(file),
                              .line = lexed.token(deep).line,
                              .column = lexed.token(deep).column,
                              .message = "the nesting is too deep",
                              .remedy = "remove unnecessary brackets and blocks"});
  const std::vector<CommentLine> lines = lines_outside(lexed, header->where);
  const auto variables = variable_names(parts);
  CommentClaims claims = find_claims(
      lines, [&](std::string_view name) { return variables.contains(name); }, read_vocabulary(lines, header->header));
  DevicePart device = device_part(lexed, parts);
  Bound bound = bind_claims(lexed, parts, claims.claims, device.host, options.watch_probes);
  out.header = std::move(header->header);
  Diagnostics problems = complete_header(out.header, lexed, parts, lines, bound.claims, file,
                                         {.blocks = options.blocks, .kernel = options.kernel}, out.instances);
  if (std::ranges::any_of(problems, [](const Diagnostic& d) { return d.severity == Severity::error; }))
    return tl::unexpected<Diagnostics>(std::move(problems));
  for (const FunctionRange& f : parts.functions) out.functions.push_back(f.info);
  const Values values =
      out.header.launches.empty() ? Values{} : known_values(lexed, out.header, out.header.launches.front());
  for (Subarray& s : subarrays(lexed, parts, values)) out.subarray_claims.push_back(std::move(s.claim));
  out.memory_claims = memory_claims(lexed, parts, values);
  for (const MemoryClaim& c : out.memory_claims)
    out.notes.push_back(
        {.file = {},
         .line = c.place.line,
         .column = c.place.column,
         .message = c.unchecked_reason.empty()
                        ? fmt::format("the layout of `{}` in memory is read, but not checked", c.variable)
                        : fmt::format("the layout stated here is not checked: {}", c.unchecked_reason),
         .remedy = {},
         .severity = Severity::note});
  out.probed_text = probed_text(lexed, device.text, bound.probes);
  for (PlacedProbe& p : bound.probes) out.probes.push_back(std::move(p.point));
  out.claims = std::move(bound.claims);
  out.variables = std::move(bound.variables);
  out.device_text = std::move(device.text);
  out.has_host_code = device.cut;
  out.parts = std::move(device.parts);
  out.notes.insert(out.notes.end(), device.notes.begin(), device.notes.end());
  for (Diagnostics* more : {&header->warnings, &problems, &claims.mistakes})
    out.notes.insert(out.notes.end(), more->begin(), more->end());
  name_file(out.notes, file);
  return out;
}

std::string strip_claims(const Source& source) {
  std::string out;
  std::size_t start = 0;
  std::set<int> rows;
  for (const Claim& c : source.claims) rows.insert(c.row_lines.begin(), c.row_lines.end());
  for (int line = 1; start < source.text.size(); ++line) {
    const std::size_t stop = std::min(source.text.find('\n', start), source.text.size() - 1);
    std::string_view text = std::string_view(source.text).substr(start, stop + 1 - start);
    start = stop + 1;
    if (!rows.contains(line)) {
      out += text;
      continue;
    }
    // A row shares its line with code, or with the ends of its comment: those stay.
    const std::size_t comment = text.find("//");
    if (const std::size_t code = text.find_first_not_of(" \t"); comment != std::string_view::npos && code < comment)
      out += text.substr(0, comment);
    if (text.find("/*") != std::string_view::npos) out += "/*";
    if (text.find("*/") != std::string_view::npos) out += "*/";
    out += text.ends_with('\n') ? "\n" : "";
  }
  return out;
}

}  // namespace lanescope::source
