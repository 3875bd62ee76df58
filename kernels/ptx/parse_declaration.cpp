// Declarations: variables with their initial contents, parameters, registers.

#include <bit>

#include <fmt/format.h>

#include "kernels/ptx/names.h"
#include "kernels/ptx/parser.h"

namespace lanescope::ptx {
namespace {

constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 36;      // more than any GPU's memory holds
constexpr std::uint64_t kLargestInitialized = std::uint64_t{1} << 28;   // its bytes lie in this process
constexpr std::uint64_t kLargestAlignment = std::uint64_t{1} << 20;     // ptxas of CUDA 13.0 takes it
constexpr std::size_t kMostRegisters = std::size_t{1} << 20;            // of one function
constexpr std::uint64_t kMostModuleRegisters = std::uint64_t{1} << 23;  // of all of them
constexpr std::size_t kMostRanges = 1024;                               // `%r<39>` of one scope
constexpr std::size_t kMostDimensions = 8;

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

/// From after the state space, or a comma in a list: `.align 16 .b8 x[4][8]`. Unstated parts are those of `before`, the
/// declaration before the comma.
std::optional<Parser::Declaration> Parser::parse_declaration(bool type_required, const Declaration* before) {
  Declaration d;
  d.line = token_.line;
  if (before != nullptr) {
    d.type = before->type;
    d.alignment = before->alignment;
    d.vector_length = before->vector_length;
  }
  while (!failed() && token_.kind == Token::Kind::word && token_.text.front() == '.')
    if (!parse_declaration_attributes(d)) return std::nullopt;
  if (type_required && d.type == Type::none) {
    fail(fmt::format("expected a type, found {}", found()));
    return std::nullopt;
  }
  d.name = expect_name("a variable's name");
  if (!failed()) parse_extents(d);
  if (failed()) return std::nullopt;
  return d;
}

bool Parser::parse_declaration_attributes(Declaration& d) {
  const std::string_view word = token_.text.substr(1);
  if (const Type type = type_of(word); type != Type::none) {
    d.type = type;
    advance();
  } else if (word == "align") {
    advance();
    const auto alignment = expect_integer("an alignment in bytes");
    if (!alignment) return false;
    if (!std::has_single_bit(static_cast<std::uint64_t>(*alignment)) ||
        static_cast<std::uint64_t>(*alignment) > kLargestAlignment)
      return fail(fmt::format("the alignment of {} bytes is not a power of two up to {}", *alignment,
                              kLargestAlignment)),
             false;
    d.alignment = static_cast<std::uint64_t>(*alignment);
  } else if (word == "v2" || word == "v4" || word == "v8") {
    d.vector_length = word[1] - '0';
    advance();
  } else if (word == "ptr" || word == "global" || word == "shared" || word == "local" || word == "const") {
    advance();                                                           // what a pointer parameter points to
    if (accept_word(".align")) expect_integer("an alignment in bytes");  // of the pointed-to, not of the pointer
  } else if (word == "attribute") {
    advance();
    while (!at_end() && !at_mark(')')) advance();
    return expect(')', "after an attribute");
  } else if (word == "texref" || word == "surfref" || word == "samplerref") {
    d.type = word == "texref" ? Type::texref : word == "surfref" ? Type::surfref : Type::samplerref;
    advance();
  } else {
    return fail(fmt::format("unknown directive '{}' in a declaration", token_.text)), false;
  }
  return !failed();
}

bool Parser::parse_extents(Declaration& d) {
  while (accept('[')) {
    if (d.extents.size() == kMostDimensions) return fail("this array has too many dimensions"), false;
    if (at_mark(']')) {
      if (!d.extents.empty()) return fail("only the first dimension of an array can be omitted"), false;
      d.open = true;
      d.extents.push_back(0);
    } else {
      const std::int64_t extent = parse_expression(1, 0);
      if (extent < 0) return fail("an array's extent is negative"), false;
      d.extents.push_back(static_cast<std::uint64_t>(extent));
    }
    if (!expect(']', "after an array's extent")) return false;
  }
  for (std::size_t i = d.open ? 1 : 0; i < d.extents.size(); ++i) {
    if (d.extents[i] != 0 && d.elements > kLargestVariable / d.extents[i])
      return fail(fmt::format("'{}' is larger than any GPU's memory", d.name)), false;
    d.elements *= d.extents[i];
  }
  return true;
}

std::optional<std::uint64_t> Parser::byte_count(const Declaration& d) {
  const std::uint64_t unit = static_cast<std::uint64_t>(std::max(8, bits_of(d.type)) / 8 * d.vector_length);
  if (d.elements <= kLargestVariable / unit) return d.open ? 0 : d.elements * unit;
  fail(fmt::format("'{}' is larger than any GPU's memory", d.name));
  return std::nullopt;
}

/// `.shared .align 16 .b8 x[1024] = {...}`, from after the state space, or a comma, up to the next comma or the semicolon, which
/// stays. `before` becomes this declaration.
std::optional<Variable> Parser::parse_variable(Space space, bool is_extern, std::optional<Declaration>& before) {
  auto d = parse_declaration(true, before ? &*before : nullptr);
  before = d;
  if (!d) return std::nullopt;
  const auto bytes = byte_count(*d);
  if (!bytes) return std::nullopt;
  Variable v;
  v.name = unique(d->name);
  v.space = space;
  v.type = d->type;
  v.bytes = *bytes;
  v.alignment = d->alignment != 0 ? d->alignment : std::max(8, bits_of(d->type)) / 8 * d->vector_length;
  v.is_extern = is_extern;
  if (accept('=')) parse_initializer(v, *d);
  if (failed()) return std::nullopt;
  return v;
}

void Parser::parse_initializer(Variable& v, const Declaration& d) {
  if (v.space != Space::global && v.space != Space::constant)
    return fail(fmt::format("'{}' is in {} memory and cannot have an initial value", v.name, name_of(v.space)));
  if (v.bytes > kLargestInitialized) return fail(fmt::format("'{}' is too large for an initial value", v.name));
  std::uint64_t element = 0;
  if (at_mark('{'))
    parse_initializer_list(v, d, 0, element);
  else
    parse_initializer_value(v, d, element++);
  if (failed()) return;
  const std::uint64_t unit = static_cast<std::uint64_t>(std::max(8, bits_of(d.type)) / 8);
  if (d.open) v.bytes = round_up(v.initial.size(), unit * d.elements * d.vector_length);
  v.initial.resize(v.bytes);
}

// Rows that are shorter than their extent are filled with zeros, as in C.
void Parser::parse_initializer_list(Variable& v, const Declaration& d, std::size_t level, std::uint64_t& element) {
  if (level > d.extents.size() + 1) return fail("this initial value is nested more deeply than its array");
  std::uint64_t below = d.vector_length;
  for (std::size_t i = level + 1; i < d.extents.size(); ++i) below *= d.extents[i];
  const std::uint64_t begin = element;
  expect('{', "before a list of initial values");
  for (std::uint64_t i = 0; !at_end() && !at_mark('}'); ++i) {
    if (at_mark('{')) {
      parse_initializer_list(v, d, level + 1, element);
      if (level < d.extents.size()) element = std::max(element, begin + (i + 1) * below);
    } else {
      parse_initializer_value(v, d, element++);
    }
    if (!accept(',')) break;
  }
  expect('}', "after a list of initial values");
}

void Parser::parse_initializer_value(Variable& v, const Declaration& d, std::uint64_t element) {
  const std::uint64_t unit = static_cast<std::uint64_t>(std::max(8, bits_of(d.type)) / 8);
  if (d.open ? element >= kLargestInitialized / unit : (element + 1) * unit > v.bytes)
    return fail(fmt::format("'{}' has more initial values than elements", v.name));
  const auto room = [&] {
    if (v.initial.size() < (element + 1) * unit) v.initial.resize((element + 1) * unit);
  };
  if (token_.kind == Token::Kind::word && token_.text != "WARP_SZ") {
    room();
    return parse_initial_address(v, element * unit, static_cast<int>(unit), ~0ULL);
  }
  Operand value = parse_constant();
  if (accept('(')) {  // 0xFF00(x): some bits of an address
    room();
    parse_initial_address(v, element * unit, static_cast<int>(unit), value.bits);
    expect(')', "after a part of an address");
    return;
  }
  if (value.is_float && value.float_bits == 64 && unit == 4)
    value.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
  if (!value.is_float && (d.type == Type::f32 || d.type == Type::f64)) {
    const auto number = static_cast<double>(static_cast<std::int64_t>(value.bits));
    value.bits =
        unit == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(number)) : std::bit_cast<std::uint64_t>(number);
  }
  room();
  for (std::uint64_t byte = 0; byte < std::min<std::uint64_t>(unit, 8); ++byte)  // little-endian, as the GPU
    v.initial[element * unit + byte] = static_cast<std::byte>(value.bits >> (8 * byte));
}

/// `x`, `x+8`, `generic(x)+8`: the address of what was declared before.
void Parser::parse_initial_address(Variable& v, std::uint64_t at, int bytes, std::uint64_t mask) {
  InitialAddress a{.at = at, .bytes = std::min(bytes, 8)};
  a.mask = mask;
  a.generic = accept_word("generic");
  if (a.generic && !expect('(', "after 'generic'")) return;
  const std::string_view name = expect_name("a variable or a function");
  if (failed()) return;
  const auto symbol = look_up(name);
  if (symbol && symbol->meaning == Meaning::module_variable)
    a.variable = symbol->index;
  else if (symbol && symbol->meaning == Meaning::function)
    a.function = symbol->index;
  else
    return fail(
        fmt::format("'{}' is initialised with the address of '{}', which is no variable or function of this "
                    "module",
                    v.name, name));
  const auto offset = [&] {
    const bool back = at_mark('-');
    if (!back && !at_mark('+')) return;
    advance();
    const auto by = expect_integer("a number of bytes");
    if (by) a.offset += back ? -*by : *by;
  };
  offset();
  if (a.generic) {
    expect(')', "after an address");
    offset();
  }
  v.addresses.push_back(a);
}

/// `( .param .b32 a, .reg .u32 b )`, from the bracket on.
std::vector<Param> Parser::parse_params(Meaning meaning) {
  std::vector<Param> params;
  if (!expect('(', "before parameters") || accept(')')) return params;
  while (!at_end() && parse_param(params, meaning) && accept(',')) {}
  expect(')', "after parameters");
  return params;
}

bool Parser::parse_param(std::vector<Param>& params, Meaning meaning) {
  const bool in_register = at_word(".reg");
  if (!in_register && !at_word(".param")) return fail(fmt::format("expected '.param', found {}", found())), false;
  advance();
  const auto d = parse_declaration(true);
  if (!d) return false;
  Param p;
  p.name = std::string(d->name);
  p.type = d->type;
  if (in_register) {  // a vector is its elements, one after the other
    const int first = static_cast<int>(entry_.registers.size());
    if (d->vector_length > 4) return fail("a vector register has 2 or 4 elements"), false;
    if (d->vector_length > 1)
      declare_register_vector(d->name, d->type, static_cast<int>(d->vector_length));
    else
      declare_register(d->name, d->type);
    for (int reg = first; reg < static_cast<int>(entry_.registers.size()); ++reg) {
      p.name = entry_.registers[static_cast<std::size_t>(reg)].name;
      p.reg = reg;
      params.push_back(p);
    }
    return !failed();
  }
  const auto bytes = byte_count(*d);
  if (!bytes) return false;
  p.bytes = *bytes;
  p.alignment = d->alignment != 0 ? d->alignment : static_cast<std::uint64_t>(std::max(8, bits_of(d->type)) / 8);
  const std::uint64_t packed = params.empty() ? 0 : params.back().offset + params.back().bytes;
  p.offset = round_up(packed, p.alignment);
  params.push_back(std::move(p));
  return define(d->name, {meaning, static_cast<int>(params.size()) - 1});
}

/// `.reg .b32 %r<39>, %x;`, from after `.reg`.
void Parser::parse_registers() {
  Type type = Type::none;
  int length = 1;
  while (token_.kind == Token::Kind::word && token_.text.front() == '.') {
    if (token_.text == ".v2" || token_.text == ".v4") {
      length = token_.text[2] - '0';
      advance();
      continue;
    }
    const Type t = type_of(token_.text.substr(1));
    if (t == Type::none) return fail(fmt::format("'{}' is not a type of registers", token_.text));
    type = t;
    advance();
  }
  if (type == Type::none) return fail(fmt::format("expected a type, found {}", found()));
  do {
    const std::string_view name = expect_name("a register's name");
    if (failed()) return;
    if (at_mark('<'))
      declare_register_range(name, type, length);
    else if (length > 1)
      declare_register_vector(name, type, length);
    else
      declare_register(name, type);
  } while (accept(','));
  expect(';', "after registers");
}

void Parser::declare_register(std::string_view name, Type type) {
  if (entry_.registers.size() >= kMostRegisters) return fail("this function has too many registers");
  entry_.registers.push_back({unique(name), type});
  define(name, {Meaning::reg, static_cast<int>(entry_.registers.size()) - 1});
}

/// `.reg .v4 .f32 v`: registers of their own, which are called v.x, v.y, v.z and v.w (or v.r, v.g, v.b, v.a).
void Parser::declare_register_vector(std::string_view name, Type type, int length) {
  const int first = static_cast<int>(entry_.registers.size());
  if (entry_.registers.size() + 4 > kMostRegisters) return fail("this function has too many registers");
  for (int i = 0; i < length; ++i) entry_.registers.push_back({fmt::format("{}${}", unique(name), "xyzw"[i]), type});
  vector_lengths_[first] = length;
  define(name, {Meaning::reg_vector, first});
}

void Parser::declare_register_range(std::string_view prefix, Type type, int length) {
  advance();
  const auto count = expect_integer("a number of registers");
  if (!count || !expect('>', "after a number of registers")) return;
  declared_registers_ += length * std::min<std::uint64_t>(static_cast<std::uint64_t>(*count), kMostRegisters);
  if (static_cast<std::uint64_t>(*count) >
          (kMostRegisters - std::min(kMostRegisters, entry_.registers.size())) / static_cast<std::size_t>(length) ||
      declared_registers_ > kMostModuleRegisters || scopes_.back().ranges.size() >= kMostRanges)
    return fail(fmt::format("this function has too many registers: '{}<{}>'", prefix, *count));
  for (const RegisterRange& r : scopes_.back().ranges)
    if (r.prefix == prefix) return fail(fmt::format("'{}<{}>' is declared twice", prefix, *count));
  scopes_.back().ranges.push_back(
      {prefix, static_cast<int>(entry_.registers.size()), static_cast<int>(*count), length});
  const std::string& suffix = scopes_.back().suffix;
  std::string name(prefix);
  for (std::int64_t i = 0; i < *count; ++i) {
    name.resize(prefix.size());
    fmt::format_to(std::back_inserter(name), "{}{}", i, suffix);
    if (length == 1) {
      entry_.registers.push_back({name, type});
      continue;
    }
    vector_lengths_[static_cast<int>(entry_.registers.size())] = length;
    for (int k = 0; k < length; ++k) entry_.registers.push_back({fmt::format("{}${}", name, "xyzw"[k]), type});
  }
}

/// `.param .align 8 .b8 param0[16], param1;` of a call sequence, from after `.param`.
void Parser::parse_call_params() {
  auto d = parse_declaration(true);
  for (;;) {
    if (!d) return;
    define_call_param(*d);
    if (failed() || !accept(',')) break;
    d = parse_declaration(true, &*d);
  }
  expect(';', "after a parameter");
}

void Parser::define_call_param(const Declaration& d) {
  const auto bytes = byte_count(d);
  if (!bytes) return;
  Param p;
  p.name = unique(d.name);
  p.type = d.type;
  p.bytes = *bytes;
  p.alignment = d.alignment != 0 ? d.alignment : static_cast<std::uint64_t>(std::max(8, bits_of(d.type)) / 8);
  std::uint64_t& used = scopes_.back().call_param_bytes;
  p.offset = round_up(used, p.alignment);
  used = p.offset + p.bytes;
  entry_.call_param_bytes = std::max(entry_.call_param_bytes, used);
  define(d.name, {Meaning::call_param, static_cast<int>(entry_.call_params.size())});
  entry_.call_params.push_back(std::move(p));
}

}  // namespace lanescope::ptx
