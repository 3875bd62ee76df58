// The module's own level: header directives, variables, files; functions are handed on.

#include <fmt/format.h>

#include "kernels/base/plain_name.h"
#include "kernels/base/text.h"
#include "kernels/ptx/names.h"
#include "kernels/ptx/parser.h"
#include "kernels/ptx/target.h"

namespace lanescope::ptx {

/// `.version 9.0`, `.target sm_90, debug`, `.address_size 64`: in this order, the last may be missing.
void Parser::parse_header_directive() {
  while (token_.kind == Token::Kind::probe) advance();
  if (!accept_word(".version"))
    return fail(fmt::format("expected '.version', found {}", found()), "is this a PTX file?");
  const std::string_view version = token_.text;
  const std::size_t dot = version.find('.');
  const bool split = token_.kind == Token::Kind::number && dot != std::string_view::npos;
  const std::uint64_t major = split ? integer_of(version.substr(0, dot)).value_or(100) : 100;
  const std::uint64_t minor = split ? integer_of(version.substr(dot + 1)).value_or(100) : 100;
  if (major > 99 || minor > 99) return fail(fmt::format("expected a version such as 9.0, found {}", found()));
  module_.version_line = token_.line;
  module_.version_major = static_cast<int>(major);
  module_.version_minor = static_cast<int>(minor);
  advance();
  if (!accept_word(".target")) return fail(fmt::format("expected '.target', found {}", found()));
  const int target_line = token_.line;
  module_.target = std::string(expect_name("a target such as sm_90"));
  if (failed()) return;
  if (!module_.target.starts_with("sm_") || target_number(module_) <= 0)
    return fail(fmt::format("expected a target such as sm_90, found '{}'", module_.target), {}, target_line);
  while (accept(',')) {
    const std::string_view option = expect_name("an option of .target");
    if (!failed() && !one_of(option, {"texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"}))
      fail(fmt::format("unknown option '{}' of .target", option), {}, target_line);
  }
  if (!accept_word(".address_size")) return;
  const auto bits = expect_integer("32 or 64");
  if (bits && *bits != 64)
    fail(fmt::format("addresses of {} bits are not supported", *bits),
         "compile for 64 bits: since CUDA 12, ptxas does not assemble modules with addresses of 32 bits either");
}

void Parser::parse_module_item() {
  position_ = {};
  if (token_.kind == Token::Kind::probe || at_mark(';')) return advance();
  if (accept_word(".file")) return parse_file();
  if (accept_word(".section")) return skip_section();
  if (accept_word(".alias")) return parse_alias();
  if (accept_word(".pragma")) {
    while (!at_end() && !at_mark(';')) advance();
    expect(';', "after '.pragma'");
    return;
  }
  if (accept_word(".loc")) return parse_location();
  parse_linked_item();
}

void Parser::parse_linked_item() {
  Linkage linkage;
  for (;;) {
    if (at_word(".extern"))
      linkage.is_extern = true;
    else if (!at_word(".visible") && !at_word(".weak") && !at_word(".common"))
      break;
    linkage.seen = true;
    advance();
  }
  if (at_word(".entry")) return parse_function(true);
  if (at_word(".func")) return parse_function(false);
  const bool directive = token_.kind == Token::Kind::word && token_.text.front() == '.';
  const auto space = directive ? declared_space(token_.text.substr(1)) : std::nullopt;
  if (space && *space != Space::param && *space != Space::local) {
    advance();
    return parse_module_variable(*space, linkage);
  }
  if (at_word(".reg"))
    return fail("a register of the whole module: the ABI has registers of functions only, and ptxas refuses others",
                "declare it inside the function");
  if (linkage.seen) return fail(fmt::format("expected a function or a variable, found {}", found()));
  fail((directive ? "unknown directive " : "expected a directive, found ") + found());
}

void Parser::parse_module_variable(Space space, Linkage linkage) {
  std::optional<Declaration> declared;
  do {
    auto v = parse_variable(space, linkage.is_extern, declared);
    if (!v) return;
    const auto known = module_names_.find(v->name);
    if (known != module_names_.end() && known->second.meaning == Meaning::module_variable &&
        module_.variables[known->second.index].is_extern) {
      if (!linkage.is_extern) module_.variables[known->second.index] = std::move(*v);
      continue;
    }
    if (!define(declared->name, {Meaning::module_variable, static_cast<int>(module_.variables.size())})) return;
    module_.variables.push_back(std::move(*v));
  } while (accept(','));
  expect(';', "after a variable");
}

/// `.file 1 "k.cu"`, in old PTX with `, timestamp, size`.
void Parser::parse_file() {
  const auto number = expect_integer("a file's number");
  if (!number) return;
  if (token_.kind != Token::Kind::text) return fail(fmt::format("expected a file's name, found {}", found()));
  const int index = file_index(*number);
  module_.files[index] = without_escapes(token_.text);
  advance();
  while (accept(',')) expect_integer("a file's time or length");
}

/// Files are numbered densely in the order in which the text first mentions them.
int Parser::file_index(std::int64_t number) {
  const auto [place, is_new] = file_indices_.emplace(number, static_cast<int>(module_.files.size()));
  if (is_new) module_.files.emplace_back();
  return place->second;
}

void Parser::parse_alias() {
  const std::string_view name = expect_name("a function's name");
  expect(',', "between a function's names");
  const std::string_view target = expect_name("a function's name");
  expect(';', "after '.alias'");
  if (failed()) return;
  const auto found = module_names_.find(target);
  if (found == module_names_.end() || found->second.meaning != Meaning::function)
    return fail(fmt::format("'{}' is not a function", target));
  const auto [known, is_new] = module_names_.emplace(name, found->second);
  if (is_new) return;
  // Declared and perhaps called before: what refers to the declaration means the target.
  const int declared = known->second.index, meant = found->second.index;
  if (known->second.meaning != Meaning::function || !module_.entries[declared].is_declaration)
    return fail(fmt::format("'{}' is declared twice", name));
  known->second.index = meant;
  for (Variable& v : module_.variables)
    for (InitialAddress& a : v.addresses)
      if (a.function == declared) a.function = meant;
  for (Entry& entry : module_.entries)
    for (Instruction& i : entry.code)
      for (Operand& o : i.operands)
        if (o.symbol_scope == Operand::Scope::function && o.symbol == declared) o.symbol = meant;
}

// Debug information. The labels in `.loc ... function_name L` point here; only their text would be of interest.
void Parser::skip_section() {
  while (!at_end() && !at_mark('{')) advance();
  if (!at_end() && scanner_.skip_block()) return advance();
  fail("a '.section' is not closed", "check that the file is complete");
}

}  // namespace lanescope::ptx
