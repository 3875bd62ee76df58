#pragma once
// Names of host code: the functions, structures, aliases, enumerators and globals of a file.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/host/program/host_tokens.h"
#include "kernels/source/host/program/scopes.h"
#include "kernels/source/host/program/syntax.h"

namespace lanescope::source::host {

struct Bound {
  std::string_view name;
  const Type* type = nullptr;
  std::optional<std::int64_t> value{};
  std::string spelled{};           ///< as C++ writes it
  const Expr* function = nullptr;  ///< its name with template arguments
  bool qualified = false;          ///< the type may be const, volatile or a reference, which `type` does not show
};
using Bindings = std::vector<Bound>;

/// A parameter of a template, as its head declares it.
struct TemplateParameter {
  std::string_view name;
  bool is_type = false, is_pack = false, has_default = false;
  bool is_template = false;  ///< a template of its own
  bool is_flag = false;      ///< bool
  bool is_whole = false;     ///< int, size_t, ...
  std::string of{};          ///< the type of a number as written: "Mode"; of a type's own parameter ""
  int first = 0, last = 0;   ///< tokens of its default in the file, [first, last)
};

/// Those with names; empty where the function is no template.
std::vector<TemplateParameter> template_parameters(const Lexed& lexed, const FunctionRange& function);

/// `template <...> struct Name { ... };`
enum class ClassText : std::uint8_t { declaration, definition, specialisation };

struct ClassTemplate {
  struct Text {
    int first = 0, last = 0;  ///< tokens of the file, from `template` on
  };
  std::vector<TemplateParameter> parameters;
  Text general;            ///< `last` is 0 if it is declared only
  std::vector<Text> full;  ///< specialisations for all parameters
  bool partial = false;    ///< it has others, too: which of them is meant is not decided here
};

struct Program {
  Program(const Lexed& lexed, const Outline& outline);

  const Lexed& lexed;
  const Outline& outline;
  MacroTable macros;
  TypeTable types;
  Tree tree;
  std::map<std::string_view, std::vector<int>> functions;  ///< of the outline, members apart
  std::map<std::string_view, const Type*> type_names;      ///< structures and aliases
  std::set<std::string_view> qualified_names;              ///< aliases that may be const, volatile or references
  std::map<std::string_view, std::int64_t> constants;      ///< enumerators and static members
  std::map<std::string_view, int> globals;                 ///< slots in the frame of the globals
  Scopes scopes;                                           ///< of names that these three have from several scopes
  std::vector<const Type*> global_types;
  std::function<std::optional<std::int64_t>(const Expr*)> evaluate;  ///< with the globals that stand above

  /// Of the outline, and after these its local methods.
  const FunctionRange& function(int i) const {
    const auto n = static_cast<std::size_t>(i), outer = outline.functions.size();
    return n < outer ? outline.functions[n] : outline.local_methods[n - outer];
  }
  int function_count() const { return static_cast<int>(outline.functions.size() + outline.local_methods.size()); }
  bool is_local(int function) const { return function >= static_cast<int>(outline.functions.size()); }
  std::map<int, std::vector<int>> methods;  ///< by the `{` of their class; without destructors
  bool has_enumerations = false;            ///< their types are int here
  std::set<int> read_classes;               ///< the `{` of classes that are types now, inner ones among them
  /// A structure or an alias of the file; nullptr: none.
  const Type* own_type(std::string_view name) const;
  /// Of the file, else of C++ or CUDA; nullptr: none.
  const Type* type_named(std::string_view name) const;
  /// The value of a constant expression over enumerators.
  std::optional<std::int64_t> constant(std::string_view text) const;
  const std::vector<TemplateParameter>& template_parameters(int function) const;
  /// Of each parameter, the tokens [first, last) of the default argument that a declaration before the definition gives;
  /// first < 0: none does.
  std::vector<std::pair<int, int>> declared_defaults(int function, const std::string& path) const;
  /// The type of a parameter as tokens, `>>` as two of them.
  const Lexed& type_of_parameter(int function, std::size_t parameter) const;
  /// The body with these bindings, parsed once for each of them; nullptr where it has none.
  const FunctionBody* body(int function, const Bindings& bindings, int record = -1);
  /// The declaration of tokens [first, last] as statements; structures, aliases and enumerators are entered.
  std::vector<Stmt*> declaration(int first, int last);
  int record_of_method(int function) const;
  /// Of functions of one name, those of the scope that the name means; all if that is not certain.
  void keep_meant(std::vector<int>& functions, const Expr& name) const;
  /// A second definition of the same name, or a specialisation for some of the parameters, makes it unusable.
  void enter_class_template(std::string_view name, int first, int last, ClassText what);
  /// The instance with the template arguments of `name`; nullptr if these or their meanings are not known.
  const Type* class_instance(std::string_view name, const Expr& arguments);
  /// The arguments of the template in an instance, its own name and the types in it; of a local structure its own name,
  /// and the types and constants that the function declares before it. nullptr for any other structure.
  const Bindings* bindings_of(int record) const;
  void bind(int record, Bindings more);
  std::map<std::string_view, ClassTemplate> class_templates;

 private:
  /// Binds the parameters of a class template to arguments, and returns its name with these: "Tensor<float,4>"; nullopt if
  /// they or their meanings are not known.
  std::optional<std::string> bind_class(std::string_view name, const Expr& arguments, Bindings& bound);
  struct KeptText {
    std::string text;
    Lexed lexed;
  };
  mutable std::map<int, std::vector<TemplateParameter>> template_parameters_;
  mutable std::map<std::pair<int, std::size_t>, KeptText> parameter_types_;
  std::map<std::string, const FunctionBody*> bodies_;
  std::map<std::string, const Type*> class_instances_;
  std::map<int, Bindings> record_bindings_;
  int instantiating_ = 0;
};

}  // namespace lanescope::source::host
