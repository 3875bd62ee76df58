#pragma once
// Host code as a tree. Names of local variables are slots of their function's frame.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/host/program/types.h"

namespace lanescope::source::host {

enum class Op : std::uint8_t {
  number,  ///< integer: `whole`; floating: `real`; by `type`
  string,  ///< `text`, with its quotes
  local,   ///< `slot`; `whole`, if it has a `type`: the value of a constant
  global,  ///< `slot`
  name,    ///< a function, or an undeclared name: `text`, with template arguments
  this_,
  negate,
  plus,
  not_,
  complement,
  address,
  dereference,
  before_add,
  before_subtract,
  after_add,
  after_subtract,
  multiply,
  divide,
  remainder,
  add,
  subtract,
  left,
  right,
  less,
  greater,
  less_equal,
  greater_equal,
  equal,
  not_equal,
  and_,
  xor_,
  or_,
  both,
  either,
  assign,  ///< `with`: the operation before, or assign itself
  conditional,
  comma,
  call,
  member,
  arrow,
  index,
  cast,
  size_of,
  new_,
  delete_,
  lambda,
  list,
  construct,
  launch,
  statements,  ///< `({ ... })` of GNU C: `body`; its value is that of the last one
  unknown,
};

struct Stmt;

struct Expr {
  Op op = Op::unknown;
  Op with = Op::assign;
  int line = 0;
  int slot = -1;
  const Type* type = nullptr;
  std::int64_t whole = 0;
  double real = 0;
  std::string_view text;
  std::vector<Expr*> parts;             ///< operands; a call: the callee, then its arguments; a launch: name, sizes
  std::vector<Expr*> more;              ///< a launch: its arguments
  std::vector<std::string_view> words;  ///< a name's template arguments as written
  std::vector<const Type*> types;       ///< those of them that are types, else nullptr
  std::vector<bool> qualified{};        ///< of each, see Bound
  const Stmt* body = nullptr;           ///< of a lambda, of statements
  std::vector<int> slots;               ///< parameters of a lambda
  std::vector<int> captured;            ///< variables that a lambda holds by value
  std::string_view source;              ///< of an argument of a launch: as written
  int pack_slot = -1;                   ///< of a copy of `args...`: its element, without which it is left out
  std::string_view scope;               ///< of the name of several functions: the path around it (scopes.h)
};

enum class StmtKind : std::uint8_t {
  empty,
  expression,
  declare,
  block,
  if_,
  for_,
  range_for,
  while_,
  do_,
  switch_,
  case_,
  default_,
  return_,
  break_,
  continue_,
  goto_,  ///< `text`: the label
  label,  ///< `text`
  throw_,
  try_,  ///< `then`; `otherwise`: the first handler
  leave,
};

struct Declared {
  int slot = -1;
  bool global = false, reference = false, has_arguments = false, device = false, managed = false, is_static = false;
  const Type* type = nullptr;
  std::string_view name{};
  Expr* initial = nullptr;         ///< after `=`, or a list in braces
  std::vector<Expr*> arguments{};  ///< in parentheses or braces directly after the name
  std::vector<Expr*> extents{};    ///< of an array that are no constants, outermost first; nullptr: left out
  std::vector<int> parts{};        ///< slots of `auto [a, b]`: the members of the variable, or its elements
  int line = 0;
};

struct Stmt {
  StmtKind kind = StmtKind::empty;
  int line = 0;
  std::string_view text{};
  Expr *first = nullptr, *second = nullptr;  ///< condition; a for's step
  Stmt *init = nullptr, *then = nullptr, *otherwise = nullptr;
  std::vector<Stmt*> body;
  std::vector<Declared> declared;
};

struct ParameterOf {
  int slot = -1;
  const Type* type = nullptr;
  bool reference = false, constant = false;
  bool in_pack = false;  ///< an element of `A... args`, which may be missing
  std::string_view name;
  Expr* initial = nullptr;
};

/// A function with its template's parameters bound.
struct FunctionBody {
  std::vector<ParameterOf> parameters;
  const Type* result = nullptr;
  bool result_reference = false;
  struct Initialiser {
    std::string_view member;
    std::vector<Expr*> arguments;
  };
  std::vector<Initialiser> initialisers;  ///< of a constructor
  Stmt* body = nullptr;
  int slots = 0;
  int record = -1;
};

/// The character at `at` of the text of a literal, which is moved to the next one: "\\n", "\\x41", "\\101" are one each.
char character_of(std::string_view text, std::size_t& at);
/// Of a string literal with its quotes.
std::string characters_of_literal(std::string_view text);

struct Tree {
  std::deque<Expr> exprs;
  std::deque<Stmt> stmts;
  std::deque<FunctionBody> functions;
  std::deque<std::string> texts;
};

}  // namespace lanescope::source::host
