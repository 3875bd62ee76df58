// Instructions and their operands.

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/ptx/names.h"
#include "kernels/ptx/parser.h"

namespace lanescope::ptx {
namespace {
constexpr int kDeepestVector = 4;
}

/// `@!%p1 ld.global.u32 %r1, [%rd1+4];`
void Parser::parse_instruction() {
  Instruction i;
  i.position = position_;
  i.text_line = token_.line;
  if (at_mark('@') && !parse_guard(i)) return;
  const std::size_t first_pending = pending_.size();
  parse_opcode(i);
  if (failed()) return;
  if (i.opcode == "call")
    parse_call(i);
  else
    parse_operands(i);
  if (!failed() && !at_mark(';')) fail(fmt::format("expected ',' or ';' after an operand, found {}", found()));
  if (failed()) return;
  if (pending_.size() != first_pending) attach_pending(i, first_pending);
  if (i.opcode == "mov" && (i.has("v2") || i.has("v4")))
    add_vector_move(std::move(i));
  else
    entry_.code.push_back(std::move(i));
  advance();
}

/// `mov.v2.b32 {a, b}, {b, a}` as moves of its elements, through registers of their own where one that is written is
/// read after that.
void Parser::add_vector_move(Instruction whole) {
  const std::size_t length = whole.has("v2") ? 2 : 4;
  std::erase_if(whole.modifiers, [](const std::string& m) { return m == "v2" || m == "v4"; });
  if (whole.operands.size() != 2) return fail("a move has two operands");
  if (whole.operands[1].kind == Operand::Kind::special) whole.operands[1] = special_elements(whole.operands[1]);
  const std::vector<Operand> to = whole.operands[0].elements, from = whole.operands[1].elements;
  if (to.size() != length || from.size() != length)
    return fail(fmt::format("this move has vectors of {} elements", length), {}, whole.text_line);
  bool overlaps = false;
  for (std::size_t a = 0; a < length; ++a)
    for (std::size_t b = a + 1; b < length; ++b)
      overlaps |= to[a].reg >= 0 && to[a].reg == from[b].reg && to[b].kind != Operand::Kind::sink;
  const auto move = [&](Operand a, Operand b) {
    Instruction one = whole;
    one.operands = {std::move(a), std::move(b)};
    entry_.code.push_back(std::move(one));
  };
  std::vector<Operand> read = from;
  for (std::size_t i = 0; overlaps && i < length && !whole.types.empty(); ++i) {
    read[i] = {};
    read[i].reg = static_cast<int>(entry_.registers.size());
    entry_.registers.push_back({fmt::format("%moved${}", read[i].reg), whole.types.back()});
    move(read[i], from[i]);
  }
  for (std::size_t i = 0; i < length; ++i)
    if (to[i].kind != Operand::Kind::sink) move(to[i], read[i]);
}

/// `%tid` as a vector; its fourth element is 0.
Operand Parser::special_elements(const Operand& whole) const {
  Operand out;
  out.kind = Operand::Kind::vector;
  if (whole.special != Special::unknown) return out;
  const std::string& name = entry_.unknown_specials[static_cast<std::size_t>(whole.symbol)];
  for (const char* part : {".x", ".y", ".z"}) {
    Operand& e = out.elements.emplace_back();
    e.kind = Operand::Kind::special;
    e.special = special_of(name + part);
    if (e.special == Special::none) return {};
  }
  out.elements.emplace_back().kind = Operand::Kind::immediate;
  return out;
}

bool Parser::parse_guard(Instruction& i) {
  advance();
  i.predicate_negated = accept('!');
  const std::string_view name = expect_name("a predicate register");
  if (failed()) return false;
  const auto symbol = look_up(name);
  if (!symbol || symbol->meaning != Meaning::reg) return fail(fmt::format("'{}' is not a register", name)), false;
  if (entry_.registers[symbol->index].type != Type::pred)
    return fail(fmt::format("'{}' is not a predicate register", name)), false;
  i.predicate = symbol->index;
  return true;
}

void Parser::parse_opcode(Instruction& i) {
  std::string_view word = token_.text;
  const char first = word.empty() ? 0 : word.front();
  if (token_.kind != Token::Kind::word || !((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')))
    return fail(fmt::format("expected an instruction, found {}", found()));
  std::size_t dot = word.find('.');
  i.opcode = std::string(word.substr(0, dot));
  do {
    while (dot != std::string_view::npos) {
      word.remove_prefix(dot + 1);
      dot = word.find('.');
      const std::string_view modifier = word.substr(0, dot);
      if (modifier.empty()) return fail(fmt::format("{} has an empty modifier", found()));
      i.modifiers.emplace_back(modifier);
      if (const Type type = type_of(modifier); type != Type::none) i.types.push_back(type);
    }
    advance();
    word = token_.text;
    dot = 0;
  } while (token_.kind == Token::Kind::word && word.front() == '.');  // "cvt.rn .f32"
}

void Parser::parse_operands(Instruction& i) {
  if (at_mark(';')) return;
  i.operands.reserve(4);
  do {
    const bool name = token_.kind == Token::Kind::word && scanner_.peek() == '[';
    Operand o = parse_operand();
    // `ld.shared.u32 %r1, x[3]` loads the element; `mov.u64 %rd1, x[3]` takes its address.
    const bool address = o.kind == Operand::Kind::symbol || o.kind == Operand::Kind::reg;
    if (name && address && i.opcode != "mov") o.kind = Operand::Kind::address;
    if (name && o.kind == Operand::Kind::reg && !i.types.empty() && bits_of(i.types.back()) == 32)
      o = computed("cvt", {"u32", "u64"}, {o});
    i.operands.push_back(std::move(o));
  } while (!failed() && accept(','));
}

/// `call.uni (retval0), f, (param0, param1), prototype;`
void Parser::parse_call(Instruction& i) {
  if (at_mark('(')) {
    i.operands.push_back(parse_call_list());
    expect(',', "after the results of a call");
  }
  const int line = token_.line;
  const std::string_view callee = expect_name("a function's name");
  const auto symbol = failed() ? std::nullopt : look_up(callee);
  if (!symbol || (symbol->meaning != Meaning::function && symbol->meaning != Meaning::reg))
    return fail(fmt::format("'{}' is called, but is not declared before", callee), {}, line);
  i.operands.push_back(symbol_operand(*symbol));
  if (!accept(',')) return;
  if (at_mark('(')) {
    i.operands.push_back(parse_call_list());
    if (!accept(',')) return;
  }
  i.operands.push_back(parse_named_operand());
}

Operand Parser::parse_call_list() {
  Operand list;
  list.kind = Operand::Kind::vector;
  advance();
  if (accept(')')) return list;
  do {
    Operand o = parse_operand(1);
    if (o.kind == Operand::Kind::vector)  // a vector register: its elements
      list.elements.insert(list.elements.end(), o.elements.begin(), o.elements.end());
    else
      list.elements.push_back(std::move(o));
  } while (!failed() && accept(','));
  expect(')', "after a call's operands");
  return list;
}

Operand Parser::parse_operand(int depth) {
  if (depth > kDeepestVector) return fail("operands are nested too deeply"), Operand{};
  if (token_.kind == Token::Kind::word && token_.text.front() != '.') return parse_named_operand();
  if (at_mark('[')) return parse_address();
  if (at_mark('{')) return parse_vector(depth);
  const char after = scanner_.peek();
  const bool sign = at_mark('!') || at_mark('-');
  if (sign && Scanner(scanner_).next().text == "WARP_SZ") return parse_constant();
  if (sign && after != '(' && after != '-' && after != '!' && after != '~' && !is_digit(after) && after != '.') {
    advance();
    Operand o = parse_named_operand();
    if (!failed() && o.kind != Operand::Kind::reg) fail("only a register can be negated");
    o.negated = true;
    return o;
  }
  if (sign || token_.kind == Token::Kind::number || at_mark('(') || at_mark('~') || at_mark('+'))
    return parse_constant();
  fail(fmt::format("expected an operand, found {}", found()));
  return {};
}

Operand Parser::parse_named_operand() {
  Operand o;
  const int line = token_.line;
  if (at_word("WARP_SZ") && scanner_.peek() != ',' && scanner_.peek() != ';') return parse_constant();
  const std::string_view name = expect_name("an operand");
  if (failed()) return o;
  if (name == "_") {
    o.kind = Operand::Kind::sink;
    if (at_mark('|')) parse_second_register(o);
    return o;
  }
  const auto symbol = look_up(name);
  // Labels always wait for the end of their scope: an inner one of the same name may still come.
  const bool code = symbol && (symbol->meaning == Meaning::label || symbol->meaning == Meaning::branch_table ||
                               symbol->meaning == Meaning::prototype);
  if (symbol && !code) {
    o = symbol_operand(*symbol);
    if (o.kind == Operand::Kind::reg) {
      if (at_mark('|')) parse_second_register(o);
    } else if (at_mark('+') || at_mark('-')) {
      o.offset = parse_expression(1, 0);
    } else if (at_mark('[')) {
      parse_element(o);
    }
    return o;
  }
  if (!code) {
    if (parse_register_part(name, o)) return o;
    if (const Special special = special_of(name); special != Special::none) {
      o.kind = Operand::Kind::special;
      o.special = special;
      return o;
    }
    if (name.ends_with(".w") && special_of(std::string(name.substr(0, name.size() - 1)) + 'x') != Special::none) {
      o.kind = Operand::Kind::immediate;  // of %tid and its like: not used, and 0
      return o;
    }
    if (may_be_special(name)) {
      o.kind = Operand::Kind::special;
      o.special = Special::unknown;
      o.symbol = static_cast<int>(entry_.unknown_specials.size());
      entry_.unknown_specials.emplace_back(name);
      return o;
    }
    if (name.front() == '%')
      return fail(fmt::format("'{}' is neither a declared register nor a known special register", name), {}, line), o;
  }
  o.kind = Operand::Kind::label;
  pending_.push_back({.name = name, .line = line});
  return o;
}

/// `x[3]` or `x[%r1+3]`, at the bracket: the variable with the bytes in front of that element, or a register with its
/// address.
void Parser::parse_element(Operand& array) {
  Type type = Type::none;
  if (array.symbol_scope == Operand::Scope::module)
    type = module_.variables[static_cast<std::size_t>(array.symbol)].type;
  else if (array.symbol_scope == Operand::Scope::entry)
    type = entry_.variables[static_cast<std::size_t>(array.symbol)].type;
  else if (array.symbol_scope == Operand::Scope::param)
    type = entry_.params[static_cast<std::size_t>(array.symbol)].type;
  if (type == Type::none) return fail("only elements of a variable or of a parameter are counted in brackets");
  const std::int64_t bytes = std::max(8, bits_of(type)) / 8;
  advance();
  if (token_.kind == Token::Kind::word && token_.text != "WARP_SZ") return parse_variable_element(array, bytes);
  const std::int64_t index = parse_expression(1, 0);
  expect(']', "after an index");
  array.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(index) * static_cast<std::uint64_t>(bytes));
}

/// The index in a register: instructions that compute the address go in front. As ptxas 13.0 has it (its machine code
/// equals that of these instructions): index and bytes are computed in 32 bits without a sign, in 64 where the index
/// has them.
void Parser::parse_variable_element(Operand& array, std::int64_t element_bytes) {
  const int line = token_.line;
  const std::string_view name = expect_name("an index");
  const auto symbol = look_up(name);
  if (!symbol || symbol->meaning != Meaning::reg) return fail(fmt::format("'{}' is not a register", name), {}, line);
  const Type type = entry_.registers[static_cast<std::size_t>(symbol->index)].type;
  const int bits = bits_of(type);
  if (!one_of(name_of(type).substr(0, 1), {"b", "u", "s"}) || bits > 64)
    return fail(fmt::format("'{}' is no index: it is no integer of up to 64 bits", name), {}, line);
  const std::int64_t more = at_mark('+') ? parse_expression(1, 0) : 0;
  expect(']', "after an index");
  if (failed()) return;
  const auto number = [](std::int64_t value) {
    Operand o;
    o.kind = Operand::Kind::immediate;
    o.bits = static_cast<std::uint64_t>(value);
    return o;
  };
  Operand index = symbol_operand(*symbol);
  const std::string wide = bits == 64 ? "u64" : "u32";
  if (bits < 32) index = computed("cvt", {"u32", bits == 16 ? "u16" : "u8"}, {index});
  if (more != 0) index = computed("add", {wide}, {index, number(more)});
  if (element_bytes != 1) index = computed("mul", {"lo", wide}, {index, number(element_bytes)});
  if (bits != 64) index = computed("cvt", {"u64", "u32"}, {index});
  array = computed("add", {"u64"}, {computed("mov", {"u64"}, {array}), index});
}

/// A register of its own for the result of an instruction that goes in front of the one that is read.
Operand Parser::computed(std::string opcode, std::vector<std::string> modifiers, std::vector<Operand> sources) {
  Instruction i;
  i.position = position_;
  i.text_line = token_.line;
  i.opcode = std::move(opcode);
  i.modifiers = std::move(modifiers);
  for (const std::string& m : i.modifiers)
    if (const Type type = type_of(m); type != Type::none) i.types.push_back(type);
  Operand result;
  result.reg = static_cast<int>(entry_.registers.size());
  entry_.registers.push_back({fmt::format("%index${}", result.reg), i.types.front()});
  i.operands = std::move(sources);
  i.operands.insert(i.operands.begin(), result);
  entry_.code.push_back(std::move(i));
  return result;
}

/// `v.x` of a vector register, and `%r1.b0`, `%r2.h10` of video instructions.
bool Parser::parse_register_part(std::string_view name, Operand& o) {
  const std::size_t point = name.rfind('.');
  if (point == std::string_view::npos || point == 0 || point + 1 == name.size()) return false;
  const auto symbol = look_up(name.substr(0, point));
  if (!symbol) return false;
  const std::string_view part = name.substr(point + 1);
  if (symbol->meaning == Meaning::reg_vector && part.size() == 1) {
    std::size_t at = std::string_view("xyzw").find(part[0]);
    if (at == std::string_view::npos) at = std::string_view("rgba").find(part[0]);
    if (at >= static_cast<std::size_t>(vector_lengths_[symbol->index])) return false;
    o.kind = Operand::Kind::reg;
    o.reg = symbol->index + static_cast<int>(at);
    return true;
  }
  const bool is_part = part.size() > 1 && part.size() < 6 && (part[0] == 'b' || part[0] == 'h') &&
                       without_trailing_digits(part).size() == 1;
  if (symbol->meaning != Meaning::reg || !is_part) return false;
  o.kind = Operand::Kind::reg;
  o.reg = symbol->index;
  o.part = part;
  return true;
}

Operand Parser::vector_operand(int first) {
  Operand o;
  o.kind = Operand::Kind::vector;
  for (int i = 0; i < vector_lengths_[first]; ++i) {
    Operand& e = o.elements.emplace_back();
    e.kind = Operand::Kind::reg;
    e.reg = first + i;
  }
  return o;
}

/// Whether an unknown name can be a special register of a later PTX version. A name of a declared range of
/// registers, or one of the kind that compilers give, is an undeclared register.
bool Parser::may_be_special(std::string_view name) const {
  if (name.front() != '%' || name.size() < 3) return false;
  const std::string_view stem = without_trailing_digits(name);
  if (one_of(stem, {"%", "%p", "%r", "%rd", "%rs", "%rl", "%f", "%fd", "%h", "%hh", "%b", "%q", "%x"})) return false;
  for (const Scope& scope : scopes_)
    for (const RegisterRange& r : scope.ranges)
      if (stem == r.prefix) return false;
  return true;
}

/// `%p1|%p2`, at the bar.
void Parser::parse_second_register(Operand& o) {
  advance();
  const std::string_view name = expect_name("a register");
  if (failed() || name == "_") return;
  const auto symbol = look_up(name);
  if (!symbol || symbol->meaning != Meaning::reg) return fail(fmt::format("'{}' is not a register", name));
  o.second_reg = symbol->index;
}

Operand Parser::parse_address() {
  Operand o;
  o.kind = Operand::Kind::address;
  advance();
  if (token_.kind == Token::Kind::word && token_.text != "WARP_SZ") {
    const std::string_view name = expect_name("an address");
    const auto symbol = failed() ? std::nullopt : look_up(name);
    if (!symbol) return fail(fmt::format("'{}' is not declared", name)), o;
    const Operand base = symbol_operand(*symbol);
    if (base.kind != Operand::Kind::reg && base.kind != Operand::Kind::symbol)
      return fail(fmt::format("'{}' is not an address", name)), o;
    o.reg = base.reg;
    o.symbol = base.symbol;
    o.symbol_scope = base.symbol_scope;
    if (at_mark('+') || at_mark('-')) o.offset = parse_expression(1, 0);
  } else {
    o.offset = parse_expression(1, 0);
  }
  while (!failed() && accept(',')) o.elements.push_back(parse_operand(1));
  expect(']', "after an address");
  accept_word(".unified");
  return o;
}

Operand Parser::parse_vector(int depth) {
  Operand o;
  o.kind = Operand::Kind::vector;
  advance();
  if (accept('}')) return o;
  do {
    o.elements.push_back(parse_operand(depth + 1));
  } while (!failed() && accept(','));
  expect('}', "after a vector's elements");
  return o;
}

Operand Parser::symbol_operand(Symbol s) {
  Operand o;
  o.kind = Operand::Kind::symbol;
  switch (s.meaning) {
    case Meaning::reg:
      o.kind = Operand::Kind::reg;
      o.reg = s.index;
      return o;
    case Meaning::reg_vector:
      return vector_operand(s.index);
    case Meaning::label:
      o.kind = Operand::Kind::label;
      o.target = entry_.labels[s.index].instruction;
      return o;
    case Meaning::branch_table:
      o.kind = Operand::Kind::vector;
      break;
    case Meaning::module_variable:
      o.symbol_scope = Operand::Scope::module;
      break;
    case Meaning::entry_variable:
      o.symbol_scope = Operand::Scope::entry;
      break;
    case Meaning::param:
      o.symbol_scope = Operand::Scope::param;
      break;
    case Meaning::returned:
      o.symbol_scope = Operand::Scope::returned;
      break;
    case Meaning::call_param:
      o.symbol_scope = Operand::Scope::call_param;
      break;
    case Meaning::function:
      o.symbol_scope = Operand::Scope::function;
      break;
    case Meaning::prototype:
      o.symbol_scope = Operand::Scope::prototype;
      break;
  }
  o.symbol = s.index;
  return o;
}

// Names unknown while the operands were read are labels without a target, in the same order as in pending_.
void Parser::attach_pending(Instruction& i, std::size_t first) {
  std::size_t next = first;
  const auto attach = [&](const Operand& o, int operand, int element) {
    if (o.kind != Operand::Kind::label || next == pending_.size()) return;
    Pending& p = pending_[next];
    p.instruction = static_cast<int>(entry_.code.size());
    p.operand = operand;
    p.element = element;
    scopes_.back().pending.push_back(static_cast<int>(next++));
  };
  for (int operand = 0; operand < static_cast<int>(i.operands.size()); ++operand) {
    const Operand& o = i.operands[operand];
    attach(o, operand, -1);
    for (int element = 0; element < static_cast<int>(o.elements.size()); ++element)
      attach(o.elements[element], operand, element);
  }
  if (next != pending_.size()) fail(fmt::format("'{}' is not declared", pending_[next].name), {}, pending_[next].line);
}

}  // namespace lanescope::ptx
