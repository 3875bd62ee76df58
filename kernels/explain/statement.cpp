#include "kernels/explain/explain.h"

#include <algorithm>
#include <cctype>

namespace lanescope::explain {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Comments become blanks; line breaks stay, so that lines can be counted.
std::string without_comments(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    if (out[i] == '"') {
      while (++i < out.size() && out[i] != '"')
        if (out[i] == '\n') break;
      continue;
    }
    const bool block = out[i] == '/' && out[i + 1] == '*';
    if (!block && !(out[i] == '/' && out[i + 1] == '/')) continue;
    std::size_t end = block ? out.find("*/", i + 2) : out.find('\n', i);
    end = end == std::string::npos ? out.size() : block ? end + 2 : end;
    for (; i < end; ++i)
      if (out[i] != '\n') out[i] = ' ';
    --i;
  }
  return out;
}

std::vector<std::string> split_operands(std::string_view text) {
  std::vector<std::string> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    if (const std::string_view one = trimmed(text.substr(begin, i - begin)); !one.empty()) out.emplace_back(one);
    begin = i + 1;
  }
  return out;
}

/// Reads a module: what is no instruction is stepped over.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(without_comments(text)) {}

  std::vector<Statement> read() {
    while (skip_blanks()) {
      const char c = text_[at_];
      if (c == '{' || c == '}' || c == ';')
        step();
      else if (c == '.')
        directive();
      else if (!label())
        instruction();
    }
    return std::move(out_);
  }

 private:
  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }
  bool skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) step();
    return at_ < text_.size();
  }
  static bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
  }

  std::string word() {
    std::string w(1, text_[at_]);
    for (step(); at_ < text_.size() && in_name(text_[at_]); step()) w += text_[at_];
    return w;
  }

  bool label() {
    std::size_t end = at_;
    while (end < text_.size() && in_name(text_[end])) ++end;
    std::size_t colon = end;
    while (colon < text_.size() && (text_[colon] == ' ' || text_[colon] == '\t')) ++colon;
    if (end == at_ || colon >= text_.size() || text_[colon] != ':' ||
        (colon + 1 < text_.size() && text_[colon + 1] == ':'))
      return false;
    at_ = colon + 1;
    return true;
  }

  /// To the end of its line, to a semicolon, or, of functions and sections, to their brace.
  void directive() {
    static constexpr std::string_view line_ones[] = {
        ".version",         ".target",        ".address_size", ".loc",          ".file",     ".maxntid",
        ".minnctapersm",    ".maxnreg",       ".reqntid",      ".maxnctapersm", ".noreturn", ".reqnctapercluster",
        ".explicitcluster", ".maxclusterrank"};
    const std::string first = word();
    if (std::ranges::find(line_ones, first) != std::end(line_ones)) {
      while (at_ < text_.size() && text_[at_] != '\n') {
        if (text_[at_] == '{') return;
        step();
      }
      return;
    }
    bool function = first == ".entry" || first == ".func";
    int parentheses = 0, braces = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '.') {
        const std::string next = word();
        function = function || next == ".entry" || next == ".func";
        continue;
      }
      if (c == '"')
        for (step(); at_ < text_.size() && text_[at_] != '"';) step();
      if (at_ >= text_.size()) return;
      parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (parentheses == 0 && c == '{' && function) return;
      braces += c == '{' ? 1 : c == '}' ? -1 : 0;
      step();
      if (parentheses == 0 && braces == 0 && (c == ';' || (c == '}' && first == ".section"))) return;
    }
  }

  void instruction() {
    const int line = line_;
    std::string statement;
    bool blank = false;
    for (; at_ < text_.size() && text_[at_] != ';'; step()) {
      const bool space = std::isspace(static_cast<unsigned char>(text_[at_])) != 0;
      if (space && blank) continue;
      blank = space;
      statement += space ? ' ' : text_[at_];
    }
    if (at_ < text_.size()) step();
    out_.push_back({.text = std::string(trimmed(statement)), .line = line});
  }

  std::string text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<Statement> out_;
};

}  // namespace

std::string plain_statement(std::string_view statement) {
  std::string text = without_comments(statement);
  std::ranges::replace(text, '\n', ' ');
  std::string_view plain = trimmed(text);
  while (!plain.empty() && plain.back() == ';') plain = trimmed(plain.substr(0, plain.size() - 1));
  return std::string(plain);
}

Pieces pieces_of(std::string_view statement) {
  Pieces p;
  const std::string text = plain_statement(statement);
  std::string_view left = text;
  if (left.starts_with('@')) {
    const std::size_t end = std::min(left.find_first_of(" \t"), left.size());
    p.guard = left.substr(0, end);
    left = trimmed(left.substr(end));
  }
  const std::size_t end = std::min(left.find_first_of(" \t([{"), left.size());
  std::string_view opcode = left.substr(0, end);
  left = trimmed(left.substr(end));
  // Of a scheduler's "&wr=0x1" and the like after the operands nothing is read.
  p.operands = split_operands(left);
  std::size_t point = opcode.find('.');
  p.mnemonic = opcode.substr(0, point);
  while (point != std::string_view::npos) {
    opcode.remove_prefix(point + 1);
    point = opcode.find('.');
    if (const std::string_view one = opcode.substr(0, point); !one.empty()) p.modifiers.emplace_back(one);
  }
  return p;
}

std::vector<Statement> statements_of(std::string_view ptx) { return Reader(ptx).read(); }

}  // namespace lanescope::explain
