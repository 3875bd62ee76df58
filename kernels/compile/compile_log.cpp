#include "kernels/compile/compile_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "kernels/base/text.h"
#include "kernels/source/notation/probes.h"

namespace lanescope::compile {
namespace {

/// The number that starts at `at`; 0 when there is none.
int number_at(std::string_view s, std::size_t at) {
  int v = 0;
  if (at < s.size()) std::from_chars(s.data() + at, s.data() + s.size(), v);
  return v;
}

struct Head {
  std::string file;
  int line = 0;
  Severity severity = Severity::error;
  std::string message;
};

/// Where `word` stands after a line number, else where it stands first: a header's name may have the word in it.
std::size_t place_of(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1))
    if (at > 1 && line[at - 1] == ')' && is_digit(line[at - 2])) return at;
  return line.find(word);
}

/// "file(12): error: ...", "file(12): warning #177-D: ...", "nvrtc: error: ...".
std::optional<Head> read_head(std::string_view line) {
  struct Kind {
    std::string_view word;
    Severity severity;
  };
  for (const Kind k : {Kind{"catastrophic error", Severity::error}, Kind{"error", Severity::error},
                       Kind{"warning", Severity::warning}}) {
    const std::size_t at = place_of(line, ": " + std::string(k.word));
    if (at == std::string_view::npos) continue;
    std::size_t colon = line.find(':', at + 2);
    if (colon == std::string_view::npos) continue;
    const std::string_view between = line.substr(at + 2 + k.word.size(), colon - at - 2 - k.word.size());
    if (!between.empty() && !between.starts_with(" #")) continue;
    Head h{.file = std::string(line.substr(0, at)), .line = 0, .severity = k.severity, .message = {}};
    const std::size_t paren = h.file.rfind('(');
    if (h.file.ends_with(')') && paren != std::string::npos) {
      h.line = number_at(h.file, paren + 1);
      h.file.resize(paren);
    }
    h.message = line.substr(std::min(colon + 2, line.size()));
    return h;
  }
  return std::nullopt;
}

bool is_caret_line(std::string_view line) {
  return line.find('^') != std::string_view::npos && line.find_first_not_of(" \t^~\r") == std::string_view::npos;
}

std::size_t indent(std::string_view s) { return s.size() - without_indent(s).size(); }

/// The log shows the line shifted by two columns; the caret counts from the line's first word.
int column_of(std::string_view shown, std::string_view caret, std::string_view written) {
  const std::size_t at = caret.find('^');
  if (at < indent(shown)) return 0;
  return static_cast<int>(indent(written) + at - indent(shown)) + 1;
}

class LogReader {
 public:
  LogReader(std::string_view log, const std::vector<LoggedText>& files)
      : lines_(split_lines(log)), file_(files.front().file) {
    for (const LoggedText& f : files) texts_.try_emplace(f.file, split_lines(f.text));
  }

  CompileLog run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].starts_with("ptxas info") || lines_[i].starts_with("ptxas         ."))
        resources(lines_[i]);
      else if (lines_[i].starts_with("ptxas"))
        assembler(lines_[i]);
      else if (const std::optional<Head> h = read_head(lines_[i]))
        i = message(placed(*h), i);
    }
    std::sort(out_.broken_probes.begin(), out_.broken_probes.end());
    out_.broken_probes.erase(std::unique(out_.broken_probes.begin(), out_.broken_probes.end()),
                             out_.broken_probes.end());
    return std::move(out_);
  }

 private:
  /// A token that is missing at the end of the file has no place in the log.
  Head placed(Head h) const {
    if (h.file == "At end of source") h.file = file_, h.line = static_cast<int>(texts_.at(file_).size());
    return h;
  }

  /// Returns the last line that belongs to the message.
  std::size_t message(const Head& h, std::size_t first) {
    std::size_t last = first;
    std::vector<int> probes;
    probe_in(lines_[first], probes);
    Diagnostic d{.file = h.file,
                 .line = h.line,
                 .column = 0,
                 .message = h.message,
                 .remedy = {},
                 .severity = h.severity,
                 .code = DiagnosticCode::compiler};
    for (std::size_t i = first + 1; i < lines_.size() && !lines_[i].empty() && !read_head(lines_[i]); ++i) {
      last = i;
      probe_in(lines_[i], probes);
      if (!is_caret_line(lines_[i]) || d.column != 0) continue;
      const auto text = texts_.find(h.file);
      if (text != texts_.end() && h.line > 0 && static_cast<std::size_t>(h.line) <= text->second.size())
        d.column = column_of(lines_[i - 1], lines_[i], text->second[static_cast<std::size_t>(h.line) - 1]);
    }
    const bool reserved = h.file.starts_with("lanescope-");
    // A library defines INT_MAX again, which generated text has defined for files that expect it of nvcc.
    if (h.severity == Severity::warning && h.message.find("redefinition of macro") != std::string::npos &&
        h.message.find("lanescope-") != std::string::npos)
      return last;
    if (h.severity == Severity::error) {
      missing_header(h);
      out_.broken_probes.insert(out_.broken_probes.end(), probes.begin(), probes.end());
      out_.user_error = out_.user_error || probes.empty();
    }
    // An error in generated text is never shown as if the user had written it.
    if (reserved) {
      if (h.severity == Severity::warning) return last;
      d.file = file_;
      d.line = d.column = 0;
    }
    out_.diagnostics.push_back(std::move(d));
    return last;
  }

  /// cannot open source file "x.h"
  void missing_header(const Head& h) {
    const std::size_t said = h.message.find("open source file \"");
    if (said == std::string::npos) return;
    const std::size_t from = said + 18, end = h.message.find('"', from);
    if (end != std::string::npos) out_.missing_headers.push_back({h.message.substr(from, end - from), h.file});
  }

  static void probe_in(std::string_view line, std::vector<int>& ids) {
    const std::string name(source::probe_file);
    if (line.starts_with(name + "(")) ids.push_back(number_at(line, name.size() + 1) - 1);
    if (const std::size_t at = line.find(" of " + name); at != std::string_view::npos) {
      const std::size_t number = line.rfind("at line ", at);
      if (number != std::string_view::npos) ids.push_back(number_at(line, number + 8) - 1);
    }
  }

  void resources(std::string_view line) {
    if (const std::size_t at = line.find("entry function '"); at != std::string_view::npos) {
      entry_ = line.substr(at + 16, line.find('\'', at + 16) - at - 16);
      measured_ = entry_;
    }
    if (const std::size_t at = line.find("Function properties for "); at != std::string_view::npos)
      measured_ = line.substr(at + 24, line.find_first_of(" \r", at + 24) - at - 24);
    if (entry_.empty() || measured_ != entry_) return;  // of a function that kernels call, or of the whole module
    Resources& r = out_.resources[entry_];
    if (const std::size_t at = line.find("Used "); at != std::string_view::npos) r.registers = number_at(line, at + 5);
    const auto bytes_before = [&](std::string_view what) {
      const std::size_t at = line.find(what);
      if (at == std::string_view::npos) return 0;
      const std::size_t start = line.find_last_not_of("0123456789", at - 1);
      return number_at(line, start == std::string_view::npos ? 0 : start + 1);
    };
    if (line.find(" bytes smem") != std::string_view::npos) r.shared_bytes = bytes_before(" bytes smem");
    if (line.find(" bytes stack frame") != std::string_view::npos) r.local_bytes = bytes_before(" bytes stack frame");
    if (line.find(" bytes spill stores") != std::string_view::npos) r.spill_bytes = bytes_before(" bytes spill stores");
    if (line.find(" bytes spill loads") != std::string_view::npos)
      out_.spill_load_bytes[entry_] = bytes_before(" bytes spill loads");
  }

  /// "ptxas <file>, line 9; error   : ...", "ptxas fatal   : ...".
  void assembler(std::string_view line) {
    out_.assembler.push_back(read_assembler_mistake(line));
    out_.user_error = out_.user_error || out_.assembler.back().severity == Severity::error;
  }

  std::vector<std::string_view> lines_;
  std::string_view file_;
  std::map<std::string_view, std::vector<std::string_view>> texts_;  ///< lines of each file
  std::string entry_, measured_;  ///< the kernel being compiled, and the function that a line is about
  CompileLog out_;
};

constexpr std::array<std::string_view, 12> conditions = {"__requires",        "__global_requires", "__assume",
                                                         "__assert",          "__global_assert",   "__invariant",
                                                         "__VERIFIER_assume", "__VERIFIER_assert", "__CPROVER_assume",
                                                         "__CPROVER_assert",  "__ESBMC_assume",    "__ESBMC_assert"};
constexpr std::array<std::string_view, 4> of_several = {"__uniform_int", "__uniform_bool", "__distinct_int",
                                                        "__distinct_bool"};

bool is_of_several(std::string_view name) { return std::ranges::find(of_several, name) != of_several.end(); }

// The files that NVRTC names where there are none (seen with 11.2 and 13.0).
constexpr std::string_view options_file = "nvrtc", names_file = "__nv_name_map";

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!is_blank(c)) out += c;
  return out;
}

/// The option that the words are about: the longest one whose name they have; else the first.
source::TextPlace option_in(const std::string& words, const source::CompileSpec& compile) {
  source::TextPlace best;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < std::min(compile.options.size(), compile.option_places.size()); ++i) {
    const std::string& option = compile.options[i];
    const std::string_view name = std::string_view(option).substr(0, option.find('='));
    const bool named = name.size() > longest && words.find(name) != std::string::npos;
    if (best.line > 0 && !named) continue;
    best = compile.option_places[i];
    if (named) longest = name.size();
  }
  return best;
}

/// The launch whose kernel one of these words names; nullptr where none does.
const source::LaunchSpec* launch_in(const Diagnostics& words, const source::Header& header) {
  for (const Diagnostic& d : words)
    for (const source::LaunchSpec& launch : header.launches)
      if (d.file == names_file && without_blanks(d.message).find(without_blanks(launch.kernel)) != std::string::npos)
        return &launch;
  return nullptr;
}

}  // namespace

CompileLog read_log(std::string_view log, const std::vector<LoggedText>& files) { return LogReader(log, files).run(); }

bool add_annotations(const Diagnostics& errors, std::set<std::string>& names) {
  bool added = false;
  for (const Diagnostic& d : errors) {
    const std::size_t from = d.message.find("identifier \""), to = d.message.find("\" is undefined");
    if (from == std::string::npos || to == std::string::npos || to < from + 12) continue;
    const std::string name = d.message.substr(from + 12, to - from - 12);
    if (std::ranges::find(conditions, name) == conditions.end() && !is_of_several(name)) continue;
    added = names.insert(name).second || added;
  }
  return added;
}

std::string annotations_text(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& n : names)
    out +=
        is_of_several(n) ? fmt::format("#define {}(...) true\n", n) : fmt::format("#define {}(c, ...) assert(c)\n", n);
  return out;
}

Diagnostics annotation_notes(const std::set<std::string>& names, const std::string& file) {
  std::vector<std::string> checked, unchecked;
  for (const std::string& n : names) (is_of_several(n) ? unchecked : checked).push_back(n);
  Diagnostics out;
  const auto say = [&](const std::vector<std::string>& of, std::string_view what) {
    if (!of.empty())
      out.push_back({.file = file,
                     .message = fmt::format("{}: {}", fmt::join(of, ", "), what),
                     .remedy = {},
                     .severity = Severity::note});
  };
  say(checked, "annotations of a verifier, which are checked here as asserts where threads reach them");
  say(unchecked, "annotations of a verifier about several threads, which are taken for true and not checked");
  return out;
}

Diagnostics placed_in_header(Diagnostics from, const source::Source& source) {
  const source::LaunchSpec* named = launch_in(from, source.header);
  bool name_said = false;
  Diagnostics out;
  for (Diagnostic& d : from) {
    if (d.file == options_file || d.message.starts_with("option ")) {
      const source::TextPlace at = option_in(d.message, source.header.compile);
      d.file = source.file;
      d.line = at.line, d.column = at.column;
      if (d.remedy.empty() && d.severity == Severity::error) d.remedy = "options are those of nvcc";
    } else if (d.file == names_file) {
      if (name_said && d.severity == Severity::error) continue;
      name_said = name_said || d.severity == Severity::error;
      const source::TextPlace at = named ? named->place_or_line(named->places.kernel) : source::TextPlace{};
      d.file = source.file;
      d.line = at.line, d.column = at.column;
      d.message =
          fmt::format("`{}` is not a kernel or an instance of one: {}", named ? named->kernel : "kernel", d.message);
      d.remedy = "write its name, or an instance such as kernel = \"copy<float4>\"";
    }
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace lanescope::compile
