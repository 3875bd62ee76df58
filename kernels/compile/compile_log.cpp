#include "kernels/compile/compile_log.h"

#include <algorithm>
#include <charconv>
#include <optional>

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
      if (lines_[i].starts_with("ptxas info") || lines_[i].starts_with("ptxas         .")) {
        resources(lines_[i]);
      } else if (lines_[i].starts_with("ptxas")) {
        assembler(lines_[i]);
      } else if (const std::optional<Head> h = read_head(lines_[i])) {
        i = message(placed(*h), i);
      }
    }
    std::sort(out_.broken_probes.begin(), out_.broken_probes.end());
    out_.broken_probes.erase(std::unique(out_.broken_probes.begin(), out_.broken_probes.end()),
                             out_.broken_probes.end());
    return std::move(out_);
  }

 private:
  /// What is missing at the end of the file has no place in the log.
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
    // What is wrong in generated text is never shown as if the user had written it.
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

}  // namespace

CompileLog read_log(std::string_view log, const std::vector<LoggedText>& files) { return LogReader(log, files).run(); }

}  // namespace lanescope::compile
