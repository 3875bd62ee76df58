#pragma once
// The parts of a .cu file that probes need: functions, the local variables of each, where they are assigned, and
// the points at which one more statement may be placed without changing the meaning of the program.
//
// A point follows a complete statement that is directly in a block (or the block's `{`). It is never inside
// parentheses, never between `if (c)` and its statement, never before `else`, `catch` or the `while` of a `do`. The
// probe goes directly after the point's token, so that `#pragma unroll` stays next to its loop.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/model/function.h"

namespace lanescope::source {

// The data of an outline.

/// A variable of each object of a class.
struct DataMember {
  std::string name, type;
  std::string extents = {};  ///< "[4][2]" as written; empty when it is no array
  bool pointer = false, reference = false, array = false;
};

struct Class {
  std::string name;  ///< empty when it has none
  std::vector<DataMember> members;
  int open = 0;  ///< its `{`
};

struct Local {
  std::string name, type;
  int function = 0;
  int token = 0;      ///< of its name
  int scope_end = 0;  ///< token that closes its scope
  bool pointer = false, reference = false, array = false, parameter = false;
  bool loop_header = false;  ///< declared in the parentheses of for, if, while, switch
  bool in_registers = true;  ///< not __shared__, static, extern, constexpr, a lambda
  bool member = false;       ///< of the object whose method `function` is
  std::string extents = {};  ///< "[4][2]" as written, of arrays that are parameters or members
};

/// A place where a local gets a value.
struct Assign {
  int local = 0;
  int token = 0;
  std::string element;  ///< "" the whole variable, "2" x[2], "y" v.y, "*" an element unknown to us
};

struct Point {
  int token = 0;  ///< the probe is directly after this token
  int block = 0;
  int statement = 0;        ///< first token of the statement that ends here; the token itself after a `{`
  std::vector<int> locals;  ///< assigned by that statement, in text order; after the `{` of a `for`: those of its head
};

/// The body of a loop that is no block and no other loop: one statement of any kind.
struct LoopBody {
  int first = 0, last = 0;  ///< tokens: after the head of the loop, and its `;` or `}`
  int function = 0, block = 0;
};

/// A simple statement: no block, loop or branch.
struct SimpleStatement {
  int first = 0, last = 0;  ///< tokens, without its `;`
  int function = 0;
};

struct Block {
  int open = 0, close = 0, parent = -1, function = 0;
};

struct FunctionRange {
  Function info;
  int head = 0;                           ///< first token of its head, template<...> included
  int open = 0, close = 0;                ///< its braces
  std::vector<int> reference_parameters;  ///< positions of parameters declared T&
  bool annotated = false;                 ///< carries __device__, __global__ or a macro that may hold them
  bool is_constexpr = false;
  bool member = false;  ///< defined in its class
  int of_class = -1;    ///< index in Outline::classes; -1: none, or not in this file
  int class_open = -1;  ///< the `{` of its class, which it may be defined outside of; -1: none
};

/// A declaration at file, namespace or class scope that is no function definition; of a class with all its members.
struct TopDeclaration {
  enum class Kind : std::uint8_t { variable, function, type, alias, other };
  int first = 0, last = 0;  ///< tokens, with the `;`
  Kind kind = Kind::other;
  std::vector<int> names;  ///< tokens of the names that it declares, enumerators included
  bool member = false;     ///< of a class
};

struct Outline {
  std::vector<FunctionRange> functions;
  std::vector<FunctionRange> local_methods;  ///< of classes within functions: parts of these functions' bodies
  std::vector<Class> classes;
  std::vector<TopDeclaration> declarations;
  std::vector<Local> locals;
  std::vector<Assign> assigns;              ///< in text order
  std::vector<SimpleStatement> statements;  ///< declarations and expressions, in text order
  std::vector<Block> blocks;
  std::vector<LoopBody> loop_bodies;  ///< by the token that ends them
  std::vector<Point> points;          ///< in text order
  bool reliable = true;               ///< false: brackets do not pair up, so there are no points
  int too_deep = -1;                  ///< the first token that is nested too deeply; -1: none

  /// Locals by name, in text order, and for each local the one before it of the same name that ends after it: the
  /// meaning of a name is found without a search of all locals. Filled by outline().
  std::map<std::string, std::vector<int>, std::less<>> by_name;
  std::vector<int> around;

  int function_at(int token) const;  ///< the function whose body contains the token, -1: none
  int block_at(int token) const;     ///< the innermost block that the position after the token is in, -1: none
  /// The local that `name` means after `token`; -1 when there is none.
  int find(std::string_view name, int token) const;
  /// Indices of the locals of this name; empty when there is none.
  const std::vector<int>& called(std::string_view name) const;
};

Outline outline(const Lexed& lexed);

// The sources of an Outline: the declarations of a file (top_level.cpp), and the body of each function, statement by
// statement: locals, assignments, points (statements.cpp).

/// Possible writes of calls: the functions of the file whose parameters are references, and its macros.
struct Callees {
  std::map<std::string, std::vector<int>, std::less<>> functions;  ///< positions of the references among the parameters
  std::set<std::string, std::less<>> macros;
};

/// The `;` that ends the statement at `first`, or the `}` that ends its block; `limit` when neither precedes it.
int end_of_statement(const Lexed& lexed, int first, int limit);

/// Appends the contents of the body of `out.functions[function]`.
void read_body(const Lexed& lexed, int function, const Callees& callees, Outline& out);

// Items of files, namespaces and classes: heads of functions and other declarations, one after another.
//
// An item begins where the one before it ends and is read once, forwards:
//
//   template <...> requires ...  specifiers  name (parameters) const -> type : initialisers { body }
//   struct name : base { members } declarators ;
//   specifiers name = initialiser ;
//   MACRO(words)                                  with no `;`: what follows is the next item

/// Appends the functions, by their heads, the methods of local classes, and the other declarations.
void read_top_level(const Lexed& lexed, Outline& out);

}  // namespace lanescope::source
