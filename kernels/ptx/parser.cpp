#include "kernels/ptx/parser.h"

#include <charconv>

#include <fmt/format.h>

#include "kernels/base/plain_name.h"
#include "kernels/base/text.h"

namespace lanescope::ptx {

Expected<Module> parse(std::string_view text, std::string_view file_name) {
  return Parser(text, file_name, false).run();
}
Expected<Module> parse_readable(std::string_view text, std::string_view file_name) {
  return Parser(text, file_name, true).run();
}

Expected<Module> Parser::run() {
  advance();
  parse_header_directive();
  while (!at_end()) parse_module_item();
  if (failed()) return tl::unexpected<Diagnostics>(std::move(errors_));
  return std::move(module_);
}

// ---- tokens and errors

void Parser::advance() {
  if (failed()) return;
  token_ = scanner_.next();
  if (token_.kind == Token::Kind::bad)
    fail(token_.mark == 0 && !token_.text.empty() && token_.text[0] != 0
             ? std::string("a string does not end on its line")
             : fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(token_.mark)));
}

bool Parser::accept(char mark) {
  if (token_.mark != mark) return false;
  advance();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  advance();
  return true;
}

bool Parser::expect(char mark, std::string_view where) {
  if (accept(mark)) return true;
  fail(fmt::format("expected '{}' {}, found {}", mark, where, found()));
  return false;
}

std::string_view Parser::expect_name(std::string_view what) {
  if (token_.kind != Token::Kind::word || token_.text.front() == '.') {
    fail(fmt::format("expected {}, found {}", what, found()));
    return {};
  }
  const std::string_view name = token_.text;
  advance();
  return name;
}

std::optional<std::int64_t> Parser::expect_integer(std::string_view what) {
  const auto value = token_.kind == Token::Kind::number ? integer_of(token_.text) : std::nullopt;
  if (!value) {
    fail(fmt::format("expected {}, found {}", what, found()));
    return std::nullopt;
  }
  advance();
  return static_cast<std::int64_t>(*value);
}

std::string Parser::found() const {
  if (at_end()) return "the end of the text";
  if (token_.kind == Token::Kind::text) return fmt::format("\"{}\"", token_.text);
  if (token_.kind == Token::Kind::probe) return "a probe";
  return fmt::format("'{}'", token_.text.substr(0, 80));
}

void Parser::fail(std::string message, std::string remedy, int line) {
  if (failed()) return;
  const std::string user = user_line();
  if (!user.empty()) remedy += remedy.empty() ? user : "; " + user;
  errors_.push_back({.file = file_name_,
                     .line = line != 0 ? line : token_.line,
                     .message = std::move(message),
                     .remedy = std::move(remedy)});
  scanner_.stop();
  token_ = {};
}

/// "see line 12 of k.cu", from the last `.loc`; empty where none is in force.
std::string Parser::user_line() const {
  if (position_.line <= 0) return {};
  const std::string file = file_of(position_.file);
  return fmt::format("see line {} of {}", position_.line, file.empty() ? "the kernel's source" : file);
}

// `.file` stands at the end of the text, after the error: this searches for it.
std::string Parser::file_of(int index) const {
  for (const auto& [number, i] : file_indices_) {
    if (i != index) continue;
    const std::string start = fmt::format(".file\t{} \"", number);
    const std::size_t begin = text_.find(start);
    if (begin == std::string_view::npos) break;
    const std::size_t name = begin + start.size();
    std::size_t end = name;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) break;
    return without_escapes(text_.substr(name, end - name));
  }
  return {};
}

// ---- names

void Parser::open_scope() {
  Scope scope;
  if (!scopes_.empty()) scope.call_param_bytes = scopes_.back().call_param_bytes;
  // The header and the function's own block count as one: their names keep their spelling.
  if (scopes_.size() > 1) scope.suffix = fmt::format("${}", ++scope_count_);
  scopes_.push_back(std::move(scope));
}

void Parser::close_scope() {
  Scope closing = std::move(scopes_.back());
  scopes_.pop_back();
  for (const int index : closing.pending) {
    const Pending& p = pending_[index];
    if (settle(p, closing)) continue;
    if (scopes_.empty()) return fail(fmt::format("'{}' is not declared", p.name), {}, p.line);
    scopes_.back().pending.push_back(index);
  }
}

/// Puts what `scope` says of the name to where it is used; false when the scope does not know it.
bool Parser::settle(const Pending& p, const Scope& scope) {
  const auto found = scope.names.find(p.name);
  if (found == scope.names.end()) return false;
  const Symbol s = found->second;
  if (p.table >= 0) {
    if (s.meaning != Meaning::label) return false;
    entry_.branch_tables[p.table].targets[p.target] = entry_.labels[s.index].instruction;
    return true;
  }
  Operand& operand = entry_.code[p.instruction].operands[p.operand];
  (p.element < 0 ? operand : operand.elements[p.element]) = symbol_operand(s);
  return true;
}

bool Parser::define(std::string_view name, Symbol symbol) {
  Names& names = scopes_.empty() ? module_names_ : scopes_.back().names;
  if (names.emplace(name, symbol).second) return true;
  fail(fmt::format("'{}' is declared twice", name));
  return false;
}

std::optional<Parser::Symbol> Parser::look_up(std::string_view name) const {
  const std::size_t digits = without_trailing_digits(name).size();
  unsigned number = 0;
  const char* end = name.data() + name.size();
  const bool numbered = std::from_chars(name.data() + digits, end, number).ptr == end && digits < name.size() &&
                        (name[digits] != '0' || digits + 1 == name.size());
  const auto member = [](const RegisterRange& r, unsigned n) {
    return Symbol{r.length == 1 ? Meaning::reg : Meaning::reg_vector, r.first + static_cast<int>(n) * r.length};
  };
  // "%x10" may be number 10 of "%x" or number 0 of "%x1".
  const auto in_range = [&](const RegisterRange& r) -> std::optional<Symbol> {
    if (r.prefix.size() == digits) {
      if (!numbered || number >= static_cast<unsigned>(r.count) || r.prefix != name.substr(0, digits)) return {};
      return member(r, number);
    }
    if (r.prefix.size() < digits || r.prefix.size() >= name.size() || !name.starts_with(r.prefix)) return {};
    const std::string_view rest = name.substr(r.prefix.size());
    unsigned n = 0;
    if (std::from_chars(rest.data(), end, n).ptr != end || (rest[0] == '0' && rest.size() > 1)) return {};
    if (n >= static_cast<unsigned>(r.count)) return {};
    return member(r, n);
  };
  for (std::size_t depth = scopes_.size(); depth-- > 0;) {
    const Scope& scope = scopes_[depth];
    for (const RegisterRange& range : scope.ranges)
      if (const auto symbol = in_range(range)) return symbol;
    if (scope.names.empty()) continue;
    if (const auto found = scope.names.find(name); found != scope.names.end()) return found->second;
  }
  if (const auto found = module_names_.find(name); found != module_names_.end()) return found->second;
  return std::nullopt;
}

std::string Parser::unique(std::string_view name) const {
  std::string result(name);
  if (!scopes_.empty()) result += scopes_.back().suffix;
  return result;
}

}  // namespace lanescope::ptx
