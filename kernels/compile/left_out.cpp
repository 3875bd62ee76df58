#include "kernels/compile/left_out.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/compile/compile_options.h"
#include "kernels/source/notation/probes.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

constexpr int most_rounds = 40;  ///< compiles for one text

/// "a.h" of `cannot open source file "a.h" (no directories in search list)`.
std::string missing_header_in(const std::string& message) {
  const std::size_t words = message.find("open source file");
  const std::size_t open = words == std::string::npos ? words : message.find('"', words);
  const std::size_t close = open == std::string::npos ? open : message.find('"', open + 1);
  return close == std::string::npos ? std::string() : message.substr(open + 1, close - open - 1);
}

/// Whether the message names this: "f", `f(int)`, "a::f", `void f<2>(int)`.
bool names_in(std::string_view message, std::string_view name) {
  if (name.empty()) return false;
  for (std::size_t at = message.find(name); at != std::string_view::npos; at = message.find(name, at + 1)) {
    const char before = at > 0 ? message[at - 1] : ' ';
    const char after = at + name.size() < message.size() ? message[at + name.size()] : ' ';
    if ((before == '"' || before == '`' || before == ':') &&
        (after == '"' || after == '(' || after == '`' || after == '<'))
      return true;
    if (before == ' ' && after == '<') return true;
  }
  return false;
}

std::string_view plain_text(const source::Source& source, std::size_t file) {
  return file == 0 ? source.device_text : source.headers[file - 1].device_text;
}

}  // namespace

LeftOut::LeftOut(const source::Source& source) : source_(source), reasons_(source.parts.size()) {
  for (const source::LaunchSpec& l : source.header.launches) roots_.push_back(l.kernel);
  needed_ = source::needed_parts(source.parts, roots_);
}

bool LeftOut::less(const Diagnostics& errors, const Folders& folders, Texts& texts, std::set<std::string>& headers) {
  if (++rounds_ > most_rounds) return false;
  return leave_headers(errors, folders, headers) || leave_parts(errors, texts) ||
         leave_includes(errors, folders, headers);
}

/// Whether an #include there brings a piece of a declaration: statements, a table.
bool LeftOut::is_in_code(std::uint32_t offset) const {
  return std::ranges::any_of(source_.parts, [&](const source::Part& p) { return p.begin <= offset && offset < p.end; });
}

bool LeftOut::leave_headers(const Diagnostics& errors, const Folders& folders, std::set<std::string>& headers) {
  bool changed = false;
  for (const Diagnostic& d : errors) {
    const std::string name = d.severity == Severity::error ? missing_header_in(d.message) : std::string();
    if (name.empty()) continue;
    bool within_code = false;
    if (const std::optional<Place> place = place_of(d))
      within_code = is_in_code(place->begin);
    else
      includes_of(d.file, folders, within_code);
    if (within_code || !headers.insert(name).second) continue;
    missing_.push_back(d);
    changed = true;
  }
  return changed;
}

std::uint32_t LeftOut::begin_of(std::size_t file) const { return file == 0 ? 0 : source_.headers[file - 1].begin; }

std::size_t LeftOut::file_of(std::uint32_t offset) const {
  std::size_t file = 0;
  while (file < source_.headers.size() && source_.headers[file].begin <= offset) ++file;
  return file;
}

std::optional<LeftOut::Place> LeftOut::place_of(const Diagnostic& error) const {
  if (error.line <= 0) return std::nullopt;
  std::size_t file = 0;
  if (error.file != source_.file) {
    for (std::size_t k = 0; k < source_.headers.size() && file == 0; ++k)
      if (source_.lines.files[k + 1].path == error.file) file = k + 1;
    if (file == 0) return std::nullopt;
  }
  const std::string_view text = plain_text(source_, file);
  std::size_t at = 0;
  for (int line = 1; line < error.line && at != std::string_view::npos; ++line) {
    at = text.find('\n', at);
    if (at != std::string_view::npos) ++at;
  }
  if (at == std::string_view::npos || at > text.size()) return std::nullopt;
  const std::size_t stop = std::min(text.find('\n', at), text.size());
  const std::size_t first = std::min(text.find_first_not_of(" \t\r", at), stop);
  Place out{.file = file, .begin = begin_of(file), .end = begin_of(file)};
  if (const std::size_t column = error.column > 0 ? at + static_cast<std::size_t>(error.column) - 1 : stop;
      column < stop) {
    out.begin += static_cast<std::uint32_t>(column);
    out.end = out.begin + 1;
  } else {
    out.begin += static_cast<std::uint32_t>(first);
    out.end += static_cast<std::uint32_t>(stop);
  }
  return out;
}

/// The smallest part with the place in it; else the first that begins on its line; -1: none.
int LeftOut::innermost(const Place& place) const {
  int best = -1;
  for (std::size_t i = 0; i < source_.parts.size(); ++i) {
    const source::Part& p = source_.parts[i];
    if (p.begin <= place.begin && place.begin < p.end) best = static_cast<int>(i);
    if (best < 0 && p.begin > place.begin && p.begin < place.end) best = static_cast<int>(i);
  }
  return best;
}

void LeftOut::cut(int part, bool body_only, const Diagnostic& error) {
  Reason& r = reasons_[static_cast<std::size_t>(part)];
  r.left = body_only ? Left::body : Left::all;
  r.error = error;
  fresh_.emplace_back(part, r.left);
}

/// Whether there was something to leave out.
bool LeftOut::leave(int part, const Place& place, const Diagnostic& error) {
  const auto at = [&](int i) -> const source::Part& { return source_.parts[static_cast<std::size_t>(i)]; };
  const auto left = [&](int i) { return reasons_[static_cast<std::size_t>(i)].left; };
  int outer = part;
  for (int i = part; i >= 0; i = at(i).inside) {
    if (left(i) == Left::all) return false;  // an error of the same round
    outer = i;
  }
  if (!needed_[static_cast<std::size_t>(outer)]) return cut(outer, false, error), true;
  for (int i = part; i != outer; i = at(i).inside)
    if (!needed_[static_cast<std::size_t>(i)] && !at(i).implicit) return cut(i, false, error), true;
  for (int i = part; i >= 0; i = at(i).inside) {
    const source::Part& p = at(i);
    if (p.body_begin == p.body_end || source::is_one_of(p, roots_)) continue;
    const bool within = p.body_begin <= place.begin && place.begin < p.body_end;
    if (!within || left(i) != Left::nothing) continue;
    return cut(i, true, error), true;
  }
  return false;
}

bool LeftOut::leave_parts(const Diagnostics& errors, Texts& texts) {
  fresh_.clear();
  for (const Diagnostic& d : errors) {
    if (d.severity != Severity::error) continue;
    const std::optional<Place> place = place_of(d);
    const int part = place ? innermost(*place) : -1;
    if (part >= 0) leave(part, *place, d);
  }
  if (fresh_.empty()) return false;
  std::vector<std::vector<source::TextCut>> cuts(source_.headers.size() + 1);
  for (const auto& [i, left] : fresh_) {
    const source::Part& p = source_.parts[static_cast<std::size_t>(i)];
    const std::size_t file = file_of(p.begin);
    const std::uint32_t begin = begin_of(file);
    if (left == Left::body)
      cuts[file].push_back({.begin = p.body_begin - begin, .end = p.body_end - begin, .stands_for = ";"});
    else
      cuts[file].push_back({.begin = p.begin - begin, .end = p.end - begin});
  }
  for (std::size_t file = 0; file < cuts.size(); ++file)
    if (!cuts[file].empty()) texts.of(file) = source::without_cuts(texts.of(file), std::move(cuts[file]));
  return true;
}

/// The names by which the user's files bring the header.
std::vector<std::string> LeftOut::includes_of(const std::string& header, const Folders& folders,
                                              bool& within_code) const {
  std::vector<std::string> out;
  std::error_code problem;
  if (header.empty() || !fs::is_regular_file(header, problem)) return out;
  for (std::size_t file = 0; file <= source_.headers.size(); ++file) {
    const fs::path own = file == 0 ? fs::path(source_.file) : fs::path(source_.lines.files[file].path);
    for (BringingInclude& i : includes_that_bring(header, plain_text(source_, file), own.parent_path(), folders)) {
      within_code = within_code || is_in_code(begin_of(file) + i.offset);
      out.push_back(std::move(i.name));
    }
  }
  return out;
}

bool LeftOut::leave_includes(const Diagnostics& errors, const Folders& folders, std::set<std::string>& headers) {
  for (const Diagnostic& d : errors) {
    if (d.severity != Severity::error || d.line <= 0 || place_of(d)) continue;
    bool within_code = false, changed = false;
    std::vector<std::string> names = includes_of(d.file, folders, within_code);
    if (within_code) continue;
    for (std::string& name : names) {
      if (!headers.insert(name).second) continue;
      includes_.emplace_back(d, std::move(name));
      changed = true;
    }
    if (changed) return true;
  }
  return false;
}

Diagnostics LeftOut::explained(Diagnostics errors) const {
  Diagnostics out = missing_;
  for (const auto& [error, name] : includes_) out.push_back(error);
  std::set<std::pair<std::string, int>> said;
  for (Diagnostic& d : errors) {
    bool replaced = false;
    for (std::size_t i = 0; i < reasons_.size(); ++i) {
      const std::string& name = source_.parts[i].name;
      if (reasons_[i].left == Left::nothing || !names_in(d.message, name)) continue;
      replaced = true;
      const Diagnostic& first = reasons_[i].error;
      if (said.emplace(first.file, first.line).second) out.push_back(first);
    }
    if (!replaced) out.push_back(std::move(d));
  }
  return out;
}

Diagnostics LeftOut::notes() const {
  Diagnostics out;
  for (const Diagnostic& d : missing_)
    out.push_back({.file = d.file,
                   .line = d.line,
                   .column = d.column,
                   .message = fmt::format("header \"{}\" was not found; the kernel was compiled without it",
                                          missing_header_in(d.message)),
                   .remedy = "give its folder with -I if it matters",
                   .severity = Severity::warning});
  for (const auto& [error, name] : includes_)
    out.push_back({.file = source_.file,
                   .message = fmt::format("header \"{}\" was left out, which no launch needs: {} line {}: {}", name,
                                          error.file, error.line, error.message),
                   .remedy = {},
                   .severity = Severity::warning});
  for (std::size_t i = 0; i < reasons_.size(); ++i) {
    const Reason& r = reasons_[i];
    if (r.left == Left::nothing) continue;
    const source::Part& p = source_.parts[i];
    const std::string name = p.name.empty() ? std::string("this declaration") : "`" + p.name + "`";
    const SourceLines::Place at = source_.lines.place(p.first_line);
    out.push_back(
        {.file = at.file == 0 ? source_.file : source_.lines.files[at.file].path,
         .line = at.line,
         .message = r.left == Left::all
                        ? fmt::format("{} was left out, which no launch needs: {}", name, r.error.message)
                        : fmt::format("the body of {} was left out, which no launch calls: {}", name, r.error.message),
         .remedy = {},
         .severity = Severity::warning});
  }
  return out;
}

}  // namespace lanescope::compile
