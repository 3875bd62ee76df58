#include "kernels/compile/compile_log.h"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::compile {
namespace {

struct Spot {
  int file = 0, line = 0, column = 0;
};

/// Three numbers at the beginning of `text`, which is taken off.
std::optional<Spot> take_spot(std::string_view& text) {
  Spot out;
  for (int* number : {&out.file, &out.line, &out.column}) {
    text = without_indent(text);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), *number);
    if (read.ec != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  }
  return out;
}

class RefusedPtx {
 public:
  RefusedPtx(std::string_view ptx, std::string_view file) : lines_(split_lines(ptx)) {
    for (const std::string_view line : lines_) {
      std::string_view text = without_indent(line);
      if (!text.starts_with(".file")) continue;
      text = without_indent(text.substr(5));
      int number = 0;
      std::from_chars(text.data(), text.data() + text.size(), number);
      const std::size_t from = text.find('"'), end = text.rfind('"');
      if (from == std::string_view::npos || end <= from) continue;
      const std::string_view name = text.substr(from + 1, end - from - 1);
      names_[number] = name;
      if (name == file) own_ = number;
    }
  }

  /// The instruction of a line, without its end.
  std::string instruction(int line) const {
    if (line < 1 || static_cast<std::size_t>(line) > lines_.size()) return {};
    std::string_view text = trimmed(lines_[static_cast<std::size_t>(line) - 1]);
    if (text.ends_with(';')) text.remove_suffix(1);
    return std::string(text.substr(0, 120));
  }

  bool is_inline(int line) const {
    if (line < 1 || static_cast<std::size_t>(line) > lines_.size()) return false;
    for (int i = line; i >= 1; --i) {
      const std::string_view text = trimmed(lines_[static_cast<std::size_t>(i) - 1]);
      if (text == "// begin inline asm") return true;
      if (text == "// end inline asm" || text.starts_with(".loc")) return false;
    }
    return false;
  }

  /// The user's place of a line: where its instruction was written, else where what was inlined there was called.
  std::optional<std::pair<std::string, Spot>> place(int line) const {
    if (line < 1 || static_cast<std::size_t>(line) > lines_.size()) return std::nullopt;
    for (int i = line; i >= 1; --i) {
      std::string_view text = without_indent(lines_[static_cast<std::size_t>(i) - 1]);
      if (!text.starts_with(".loc")) continue;
      text.remove_prefix(4);
      std::optional<Spot> spot = take_spot(text);
      if (!spot) return std::nullopt;
      const std::size_t caller = text.find("inlined_at");
      if (spot->file != own_ && caller != std::string_view::npos) {
        std::string_view rest = text.substr(caller + 10);
        if (const auto above = take_spot(rest); above && above->file == own_) spot = above;
      }
      const auto name = names_.find(spot->file);
      if (name == names_.end()) return std::nullopt;
      return std::pair(name->second, *spot);
    }
    return std::nullopt;
  }

  /// The line that calls `function`; 0: none.
  int call_of(std::string_view function) const {
    bool calls = false;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view text = trimmed(lines_[i]);
      if (text.starts_with("call")) calls = true;
      if (calls && text.find(function) != std::string_view::npos) return static_cast<int>(i) + 1;
      if (text.ends_with(';')) calls = false;
    }
    return 0;
  }

 private:
  std::vector<std::string_view> lines_;
  std::map<int, std::string> names_;
  int own_ = -1;
};

struct Remedy {
  std::string_view words, remedy;
};
constexpr Remedy remedies[] = {
    {"'vote' without '.sync'",
     "write __ballot_sync, __any_sync or __all_sync, with the mask of the lanes that take part as first argument"},
    {"'shfl' without '.sync'",
     "write __shfl_sync or shfl.sync, with the mask of the lanes that take part; 0xffffffff where all do"},
    {"not supported on .target",
     "compile for an architecture that has it (--arch); some are of one architecture only, as in sm_90a or sm_100a"},
    {"Duplicate definition of label", "put the inline PTX in braces, or write %= after the label's name"},
    {"Unresolved extern", "define it in this file, or include the file that does"},
    {"Arguments mismatch", "correct number and types of the operands of the inline PTX"},
    {"Not a name of any known instruction", "correct the name in the inline PTX"},
    {"Unknown modifier", "correct the modifier in the inline PTX"},
    {"Unknown symbol", "declare it in the inline PTX, or pass it as an operand"},
};

std::string remedy_for(std::string_view words, bool is_inline) {
  for (const Remedy& r : remedies)
    if (words.find(r.words) != std::string_view::npos) return std::string(r.remedy);
  return is_inline ? "correct the inline PTX" : std::string();
}

/// 'name' of "Unresolved extern function 'name'".
std::string unresolved(std::string_view words) {
  constexpr std::string_view said = "Unresolved extern ";
  const std::size_t at = words.find(said), from = at == std::string_view::npos ? at : words.find('\'', at);
  if (from == std::string_view::npos) return {};
  return std::string(words.substr(from + 1, words.find('\'', from + 1) - from - 1));
}

}  // namespace

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> words(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                     std::free);
  return status == 0 && words ? std::string(words.get()) : name;
}

AssemblerMistake read_assembler_mistake(std::string_view line) {
  AssemblerMistake out;
  const bool error = line.find("error") != std::string_view::npos || line.find("fatal") != std::string_view::npos;
  out.severity = error ? Severity::error : Severity::warning;
  const std::size_t colon = line.find(" : ");
  out.words = colon == std::string_view::npos ? line : line.substr(colon + 3);
  constexpr std::string_view at_line = "input, line ";
  if (const std::size_t at = line.find(at_line); at != std::string_view::npos && at < colon)
    std::from_chars(line.data() + at + at_line.size(), line.data() + line.size(), out.ptx_line);
  return out;
}

Diagnostics assembler_diagnostics(const std::vector<AssemblerMistake>& mistakes, std::string_view ptx,
                                  std::string_view file) {
  const RefusedPtx refused(ptx, file);
  Diagnostics out;
  int last = 0;
  for (const AssemblerMistake& m : mistakes) {
    if (m.words.find("assembly aborted") != std::string::npos && mistakes.size() > 1) continue;
    if (m.ptx_line > 0 && m.ptx_line == last && !out.empty()) {
      out.back().message += "; " + m.words;
      continue;
    }
    last = m.ptx_line;
    Diagnostic d{.file = std::string(file),
                 .message = "ptxas: " + m.words,
                 .remedy = {},
                 .severity = m.severity,
                 .code = DiagnosticCode::compiler};
    d.remedy = remedy_for(m.words, refused.is_inline(m.ptx_line));
    int line = m.ptx_line;
    if (const std::string name = unresolved(m.words); !name.empty()) {
      line = refused.call_of(name);
      d.code = DiagnosticCode::function_without_body;
      d.message = fmt::format("`{}` is declared and called, but has no body here", demangled(name));
    } else if (const std::string text = refused.instruction(line); !text.empty()) {
      d.message = fmt::format("the assembler ptxas refuses `{}`: {}", text, m.words);
    }
    if (const auto place = refused.place(line)) {
      d.file = place->first;
      d.line = place->second.line;
      d.column = place->second.column;
    }
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace lanescope::compile
