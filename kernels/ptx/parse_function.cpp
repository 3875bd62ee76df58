// Functions: the header, and every statement of the body that is no instruction.

#include <utility>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/ptx/names.h"
#include "kernels/ptx/parser.h"

namespace lanescope::ptx {
namespace {
constexpr std::size_t kDeepestBlock = 256;
}

/// At `.entry` or `.func`.
void Parser::parse_function(bool is_entry) {
  const Scanner scanner = scanner_;
  const Token token = token_;
  read_function(is_entry);
  if (failed() && sets_aside_) set_function_aside(scanner, token);
}

/// Continues after the function that begins there; the error stays where its name or its end is not found, or where it is
/// defined before.
void Parser::set_function_aside(const Scanner& scanner, const Token& token) {
  Diagnostics why = std::exchange(errors_, {});
  scanner_ = scanner;
  token_ = token;
  for (int depth = 0; !at_end(); advance()) {
    depth += at_mark('{') ? 1 : at_mark('}') ? -1 : 0;
    if (depth == 0 && (at_mark('}') || at_mark(';'))) break;
  }
  const bool closed = !failed() && (accept('}') || accept(';'));
  if (closed && !function_name_.empty()) {
    const auto [known, is_new] =
        module_names_.emplace(function_name_, Symbol{Meaning::function, static_cast<int>(module_.entries.size())});
    if (is_new) module_.entries.emplace_back().is_declaration = true;
    Entry* const entry = known->second.meaning == Meaning::function
                             ? &module_.entries[static_cast<std::size_t>(known->second.index)]
                             : nullptr;
    if (entry != nullptr && entry->is_declaration) {
      entry->name = std::string(function_name_);
      entry->is_function = entry_.is_function;
      entry->text_line = token.line;
      entry->unreadable = std::move(why);
      scopes_.clear();
      position_ = {};
      return;
    }
  }
  errors_ = std::move(why);
  scanner_.stop();
  token_ = {};
}

void Parser::read_function(bool is_entry) {
  entry_ = {};
  function_name_ = {};
  scopes_.clear();
  pending_.clear();
  inlined_.clear();
  vector_lengths_.clear();
  scope_count_ = 0;
  entry_.is_function = !is_entry;
  entry_.text_line = token_.line;
  advance();
  open_scope();
  if (accept_word(".attribute")) {
    while (!at_end() && !at_mark(')')) advance();
    while (accept(')')) {}
  }
  if (!is_entry && at_mark('(')) entry_.returns = parse_params(Meaning::returned);
  const std::string_view name = expect_name("a function's name");
  entry_.name = std::string(name);
  function_name_ = name;
  if (at_mark('(')) entry_.params = parse_params(Meaning::param);
  parse_performance_directives();
  if (failed()) return;

  entry_.is_declaration = !at_mark('{');
  const auto [known, is_new] =
      module_names_.emplace(name, Symbol{Meaning::function, static_cast<int>(module_.entries.size())});
  if (!is_new && known->second.meaning != Meaning::function) return fail(fmt::format("'{}' is declared twice", name));
  const int index = known->second.index;
  if (is_new) {
    module_.entries.emplace_back();
    module_.entries[index] = entry_;
    module_.entries[index].is_declaration = true;  // until its end is reached
  }
  if (entry_.is_declaration) {
    scopes_.clear();
    if (!at_module_item()) expect(';', "after a function's declaration");
    return;
  }
  if (!module_.entries[index].is_declaration) return fail(fmt::format("'{}' is defined twice", name));
  parse_body();
  if (!failed()) module_.entries[index] = std::move(entry_);
}

/// Whether the token begins the next item of the module. Up to CUDA 3.2 functions were declared without a semicolon.
bool Parser::at_module_item() const {
  return token_.kind == Token::Kind::word &&
         one_of(token_.text, {".visible", ".extern", ".weak", ".common", ".entry", ".func", ".global", ".const",
                              ".shared", ".file", ".section"});
}

void Parser::parse_performance_directives() {
  while (token_.kind == Token::Kind::word && !at_module_item() && !failed()) {
    if (accept_word(".maxntid"))
      parse_extent3(entry_.max_threads);
    else if (accept_word(".reqntid"))
      parse_extent3(entry_.required_threads);
    else if (accept_word(".reqnctapercluster"))
      parse_extent3(entry_.cluster);
    else if (accept_word(".minnctapersm"))
      parse_count(entry_.min_blocks);
    else if (accept_word(".maxnctapersm"))
      expect_integer("a number of blocks");
    else if (accept_word(".maxnreg"))
      parse_count(entry_.max_registers);
    else if (accept_word(".maxclusterrank"))
      parse_count(entry_.max_cluster_rank);
    else if (accept_word(".explicitcluster"))
      entry_.explicit_cluster = true;
    else if (accept_word(".noreturn"))
      entry_.no_return = true;
    else if (accept_word(".blocksareclusters") || accept_word(".abi_preserve_control") || accept_word(".unified")) {
    } else if (accept_word(".abi_preserve"))
      expect_integer("a number of registers");
    else if (accept_word(".pragma")) {
      while (!at_end() && !at_mark(';')) advance();
      expect(';', "after '.pragma'");
    } else {
      return fail(fmt::format("unknown directive {} before a function's body", found()));
    }
  }
}

/// `128` or `16, 8, 1`; what is missing is 1.
void Parser::parse_extent3(std::array<int, 3>& extent) {
  extent = {1, 1, 1};
  for (int i = 0; i < 3; ++i) {
    parse_count(extent[i]);
    if (failed() || !accept(',')) return;
  }
}

void Parser::parse_count(int& count) {
  const auto value = expect_integer("a number");
  if (!value) return;
  if (*value < 0 || *value > 0x7fffffff) return fail(fmt::format("{} is too large here", *value));
  count = static_cast<int>(*value);
}

void Parser::parse_body() {
  open_scope();
  advance();
  while (!at_end() && scopes_.size() > 1) parse_statement();
  if (failed()) return;
  if (scopes_.size() > 1)
    return fail(fmt::format("the body of '{}' is not closed", entry_.name), "check that the file is complete");
  close_scope();
  finish_branch_tables();
  position_ = {};
}

void Parser::parse_statement() {
  switch (token_.kind) {
    case Token::Kind::probe:
      return parse_probe();
    case Token::Kind::word:
      if (scanner_.peek() == ':') return parse_label();
      return token_.text.front() == '.' ? parse_body_directive() : parse_instruction();
    case Token::Kind::punctuation:
      break;
    default:
      return fail(fmt::format("expected a statement, found {}", found()));
  }
  switch (token_.mark) {
    case '@':
      return parse_instruction();
    case ';':
      return advance();
    case '{':
      if (scopes_.size() > kDeepestBlock) return fail("blocks are nested too deeply");
      open_scope();
      return advance();
    case '}':
      close_scope();
      return advance();
    default:
      return fail(fmt::format("expected a statement, found {}", found()));
  }
}

void Parser::parse_body_directive() {
  if (accept_word(".loc")) return parse_location();
  if (accept_word(".reg")) return parse_registers();
  if (accept_word(".param")) return parse_call_params();
  if (accept_word(".file")) return parse_file();
  if (accept_word(".pragma")) {
    while (!at_end() && !at_mark(';')) advance();
    expect(';', "after '.pragma'");
    return;
  }
  if (at_word(".global") || at_word(".const")) return parse_static_variable();
  const bool is_extern = accept_word(".extern");
  if (!at_word(".shared") && !at_word(".local"))
    return fail(fmt::format("unknown directive {} in a function", found()));
  const Space space = at_word(".shared") ? Space::shared : Space::local;
  advance();
  std::optional<Declaration> declared;
  do {
    auto v = parse_variable(space, is_extern, declared);
    if (!v) return;
    define(declared->name, {Meaning::entry_variable, static_cast<int>(entry_.variables.size())});
    entry_.variables.push_back(std::move(*v));
  } while (accept(','));
  expect(';', "after a variable");
}

/// `.global .b32 x = 5;` inside a function `f`: a variable of the module, `f$x` to others, that only this scope can name.
void Parser::parse_static_variable() {
  const Space space = at_word(".global") ? Space::global : Space::constant;
  advance();
  std::optional<Declaration> declared;
  do {
    auto v = parse_variable(space, false, declared);
    if (!v || !define(declared->name, {Meaning::module_variable, static_cast<int>(module_.variables.size())})) return;
    v->name = fmt::format("{}${}", entry_.name, v->name);
    module_.variables.push_back(std::move(*v));
  } while (accept(','));
  expect(';', "after a variable");
}

/// `.loc F L C` or `.loc F L C, function_name label, inlined_at F L C`, from after `.loc`. Several may follow each other,
/// the outermost first; each inlined one names the place it was inlined at, which an earlier one explains.
void Parser::parse_location() {
  const auto place = parse_place(true);
  if (!place) return;
  const Position plain{
      .file = file_index((*place)[0]), .line = static_cast<int>((*place)[1]), .column = static_cast<int>((*place)[2])};
  if (!at_mark(',')) {
    inlined_.erase(*place);
    position_ = plain;
    return;
  }
  std::optional<std::array<std::int64_t, 3>> caller;
  while (accept(',')) {
    if (accept_word("function_name")) {
      expect_name("a label");
      if (accept('+')) expect_integer("an offset");
    } else if (accept_word("inlined_at")) {
      caller = parse_place(true);
    } else {
      return fail(fmt::format("expected 'function_name' or 'inlined_at', found {}", found()));
    }
  }
  if (failed()) return;
  position_ = plain;
  if (!caller) return;
  const auto outer = inlined_.find(*caller);
  position_ = outer != inlined_.end() ? outer->second
                                      : Position{.file = file_index((*caller)[0]),
                                                 .line = static_cast<int>((*caller)[1]),
                                                 .column = static_cast<int>((*caller)[2])};
  inlined_[*place] = position_;
  position_.inner_file = plain.file;
  position_.inner_line = plain.line;
}

std::optional<std::array<std::int64_t, 3>> Parser::parse_place(bool may_end) {
  std::array<std::int64_t, 3> place{};
  for (int i = 0; i < 3; ++i) {
    if (i == 2 && may_end) scanner_.statement_may_begin();
    const auto value = expect_integer("a file's number, a line and a column");
    if (!value) return std::nullopt;
    if (*value < 0 || *value > 0x7fffffff) return fail("a number of '.loc' is too large"), std::nullopt;
    place[i] = *value;
  }
  return place;
}

void Parser::parse_label() {
  const std::string_view name = token_.text;
  if (name.front() == '.') return fail(fmt::format("'{}' is not a valid label", name));
  advance();
  advance();
  if (accept_word(".branchtargets")) return parse_branch_targets(name);
  if (accept_word(".calltargets")) return parse_call_targets(name);
  if (accept_word(".callprototype")) return parse_call_prototype(name);
  if (!define(name, {Meaning::label, static_cast<int>(entry_.labels.size())})) return;
  entry_.labels.push_back({unique(name), static_cast<int>(entry_.code.size())});
}

void Parser::parse_branch_targets(std::string_view name) {
  const int table = static_cast<int>(entry_.branch_tables.size());
  if (!define(name, {Meaning::branch_table, table})) return;
  entry_.branch_tables.push_back({unique(name), {}});
  std::vector<int>& targets = entry_.branch_tables.back().targets;
  do {
    const int line = token_.line;
    const std::string_view label = expect_name("a label");
    if (failed()) return;
    scopes_.back().pending.push_back(static_cast<int>(pending_.size()));
    pending_.push_back({.name = label, .line = line, .table = table, .target = static_cast<int>(targets.size())});
    targets.push_back(-1);
  } while (accept(','));
  expect(';', "after '.branchtargets'");
}

void Parser::parse_call_targets(std::string_view name) {
  if (!define(name, {Meaning::prototype, static_cast<int>(entry_.prototypes.size())})) return;
  Prototype p{.name = unique(name), .text = ".calltargets", .functions = {}};
  do {
    const std::string_view callee = expect_name("a function's name");
    if (failed()) return;
    const auto found = module_names_.find(callee);
    if (found == module_names_.end() || found->second.meaning != Meaning::function)
      return fail(fmt::format("'{}' is not a function", callee));
    p.text += fmt::format("{}{}", p.functions.empty() ? " " : ", ", callee);
    p.functions.push_back(found->second.index);
  } while (accept(','));
  expect(';', "after '.calltargets'");
  entry_.prototypes.push_back(std::move(p));
}

void Parser::parse_call_prototype(std::string_view name) {
  if (!define(name, {Meaning::prototype, static_cast<int>(entry_.prototypes.size())})) return;
  Prototype p{.name = unique(name), .text = ".callprototype", .functions = {}};
  for (; !at_end() && !at_mark(';'); advance()) p.text += fmt::format(" {}", token_.text);
  expect(';', "after '.callprototype'");
  entry_.prototypes.push_back(std::move(p));
}

/// "// lanescope.probe <id> var=<v> off=<byte offset> [size=<bytes of the variable>] %r<n>": an instruction that does nothing, and a Probe for it.
void Parser::parse_probe() {
  const Scanner outside = scanner_;
  Instruction i;
  i.opcode = "lanescope.probe";
  i.position = position_;
  i.text_line = token_.line;
  Probe probe{.instruction = static_cast<int>(entry_.code.size())};
  scanner_ = Scanner(token_.text, token_.line);
  advance();
  parse_count(probe.id);
  for (const auto& [key, value] : {std::pair{"var", &probe.variable}, std::pair{"off", &probe.byte_offset}}) {
    if (!accept_word(key)) fail(fmt::format("expected '{}=' in a probe, found {}", key, found()));
    expect('=', "in a probe");
    parse_count(*value);
  }
  if (accept_word("size")) {
    expect('=', "in a probe");
    parse_count(probe.value_bytes);
  }
  i.operands.push_back(parse_operand());
  if (!failed() && !at_end()) fail(fmt::format("unexpected {} after a probe", found()));
  if (failed()) return;
  if (i.operands[0].kind != Operand::Kind::reg && i.operands[0].kind != Operand::Kind::immediate)
    return fail("a probe reads a register or a number");
  entry_.probes.push_back(probe);
  entry_.code.push_back(std::move(i));
  scanner_ = outside;
  scanner_.statement_may_begin();
  advance();
}

void Parser::finish_branch_tables() {
  if (entry_.branch_tables.empty()) return;
  for (Instruction& i : entry_.code)
    for (Operand& o : i.operands)
      if (i.opcode == "brx" && o.kind == Operand::Kind::vector && o.symbol >= 0)
        for (const int target : entry_.branch_tables[o.symbol].targets) {
          Operand& label = o.elements.emplace_back();
          label.kind = Operand::Kind::label;
          label.target = target;
        }
}

}  // namespace lanescope::ptx
