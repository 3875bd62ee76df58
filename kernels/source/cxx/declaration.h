#pragma once
// Declarations: of local variables (`const uint x0 = a[i], x1, *p;`), the heads of functions, and the data members of classes.

#include <string>
#include <vector>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/outline.h"

namespace lanescope::source {

struct Declarator {
  int name = 0;  ///< token
  bool pointer = false, reference = false, array = false;
  bool initialised = false;
  int initial_first = 0, initial_last = -1;  ///< tokens of the initialiser
};

struct Declaration {
  std::string type;
  bool in_registers = true;             ///< not __shared__, static, extern, constexpr, typedef
  std::vector<Declarator> declarators;  ///< empty: the tokens are no declaration of variables
};

/// Reads tokens [first, last], without the closing `;`.
Declaration read_declaration(const Lexed& lexed, int first, int last);

/// After the template arguments that open at `open` (a `<`); `open` itself when these are none.
int skip_template_arguments(const Lexed& lexed, int open, int last);

/// Token i of the head, with what belongs to it; `parameters`: the `(` of the parameter list. Returns the last token that was
/// read.
int read_head_word(const Lexed& lexed, int i, int parameters, FunctionRange& f);

/// The parameters between `open`, a `(`, and its partner.
void read_parameters(const Lexed& lexed, int open, FunctionRange& f);

/// The most members that a class is read for.
inline constexpr std::size_t most_members_of_class = 256;

/// Of the class whose `{` is token `open`, those of unnamed unions and structs inside it included. Static and constexpr
/// ones are left out: they are in no object.
std::vector<DataMember> data_members(const Lexed& lexed, int open);

/// The name before the `{` of a class whose head begins at `start`; empty where it has none.
std::string class_name(const Lexed& lexed, int start, int open);

// The __device__, __constant__ and __managed__ variables of a text.

struct DeviceVariable {
  std::string name;          ///< without namespace
  std::string element_type;  ///< as buffers name it; "" where its type is no number
  int line = 0;
};

/// In the order of the text; declarations of functions are none.
std::vector<DeviceVariable> device_variables(const Lexed& lexed);

/// "filt::more" of "_ZN4filt4moreE", "coef" of "_ZL4coef" and of "coef": the name of a variable of a module in the
/// source. Anonymous namespaces are left out; "" for names that are made in another way (members of templates).
std::string variable_name(std::string_view in_module);

}  // namespace lanescope::source
