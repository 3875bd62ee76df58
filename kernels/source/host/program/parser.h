#pragma once
// Reads tokens of host code into a tree. Unreadable code becomes Op::unknown, up to the end of the statement.

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "kernels/source/host/program/program.h"

namespace lanescope::source::host {

struct TypeRead {
  const Type* type = nullptr;
  const Type* base = nullptr;  ///< without the stars after it, which belong to the first declarator only
  bool reference = false, constant = false, device = false, managed = false, is_static = false, is_constexpr = false;
};

class Parser {
 public:
  /// `path`: the scopes around the tokens (scopes.h).
  Parser(Program& program, HostTokens tokens, const Bindings& bindings, int record, std::string path = {});

  /// The tokens are `{ ... }`.
  /// `defaults`: of each parameter, what a declaration before the definition gives; empty: nothing.
  FunctionBody* function(const HostTokens& parameters, const HostTokens& initialisers, const HostTokens& result,
                         const std::vector<HostTokens>& defaults);
  /// The tokens are declarations at file scope.
  std::vector<Stmt*> globals(int first_token, int last_token);
  Expr* whole_expression();
  std::optional<TypeRead> whole_type();
  /// The tokens are those of a class template: makes record `r` of it.
  void instance(int r);
  /// The arguments of a full specialisation: `float` in "template <> struct Traits<float> {"; nullopt: not known.
  std::optional<Expr> specialised_for();

 private:
  // parse_types.cpp
  std::optional<TypeRead> type(bool allow_unknown);
  const Type* base_type(bool allow_unknown);
  const Type* template_type(std::string_view name);
  const Type* found_type(std::string_view name) const;
  /// `words`: the type as it is written, if that means the same outside of this scope.
  void enter_type(std::string_view name, const Type* type, std::string words = {});
  /// "a::A" of the words that stand before a token with `::` after each, none of them before `first`.
  std::string qualifier_before(std::size_t token, std::size_t first = 0) const;
  const Type* integer_words();
  bool template_argument(Expr& name);
  std::string words_of_number(const TypeRead& t, std::size_t first, std::size_t last) const;
  bool names_inner(std::size_t first, std::size_t last) const;
  std::string name_outside(std::size_t first, std::size_t last, const Type* type) const;
  std::size_t after_template_arguments(std::size_t open) const;
  std::size_t after_brackets(std::size_t open) const;
  void suffixes(TypeRead& out);
  int record(bool in_function = false);
  void record_after_name(int r);
  void template_declaration();
  /// The alignment that stands before the name; nullopt: it is not understood.
  std::optional<std::uint64_t> to_class_name();
  const Type* class_template(std::string_view name);
  void members(int record, std::size_t end);
  void enumeration();
  void alias();
  struct PointerDeclarator {
    std::string_view name{};       ///< empty: none
    const Type* type = nullptr;    ///< automatic: a pointer to arrays whose extents are no constants
    std::vector<Expr*> extents{};  ///< of an array of such pointers
  };
  std::optional<PointerDeclarator> pointer_declarator(const TypeRead& of);
  bool aligns(std::size_t i) const { return is(i, "alignas") || is(i, "__align__") || is(i, "__attribute__"); }
  std::optional<std::uint64_t> alignment_of_words();
  bool defines_record() const { return defines_record(at_); }
  bool defines_record(std::size_t i) const {
    if (!is(i, "struct") && !is(i, "class") && !is(i, "union")) return false;
    while (aligns(i + 1)) i = after_brackets(i + 2) - 1;
    return is(i + 1, "{") || is(i + 2, "{") || is(i + 2, ":");
  }

  // parse_expressions.cpp
  Expr* make(Op op);
  Expr* expression();  ///< with commas
  Expr* assignment();
  Expr* binary(int least);
  Expr* template_value();  ///< a `>` outside brackets ends it
  Expr* unary();
  Expr* postfix(Expr* e);
  Expr* primary();
  Expr* number();
  Expr* constant_of(std::int64_t value);
  Expr* static_member();
  Expr* type_trait();
  bool may_be_qualified(std::size_t first, std::size_t last) const;
  bool is_ambiguous(const Type* t) const;
  Expr* name();
  Expr* cast_of(const Type* t, Expr* of);
  Expr* lambda();
  Expr* statements();
  Expr* new_expression();
  Expr* size_of();
  Expr* list();
  Expr* launch(Expr* kernel);
  std::vector<Expr*> arguments(std::string_view close, bool keep_text);
  bool expand(std::size_t first, std::vector<Expr*>& out);
  int binary_precedence(Op& op, std::size_t& length) const;
  bool three_closers(std::size_t i) const;

  // parse_statements.cpp
  Stmt* statement();
  Stmt* statement_in();
  Stmt* block();
  Stmt* for_statement();
  Stmt* declaration(const TypeRead& t, bool global);
  bool declarator(TypeRead t, bool global, Stmt* into);
  bool defines_with_linkage() const;
  std::optional<TypeRead> begins_declaration();
  void skip_statement();
  std::vector<ParameterOf> parameters();

  Stmt* make(StmtKind kind);
  bool done() const { return at_ >= t_.size(); }
  bool is(std::string_view s) const { return at_ < t_.size() && t_[at_].text == s; }
  bool is(std::size_t i, std::string_view s) const { return i < t_.size() && t_[i].text == s; }
  bool is_word(std::size_t i) const { return i < t_.size() && t_[i].kind == TokenKind::identifier; }
  bool take(std::string_view s) { return is(s) ? (++at_, true) : false; }
  std::string_view text() const { return at_ < t_.size() ? t_[at_].text : std::string_view(); }
  int line() const;
  int declare(std::string_view name);
  void note_constant(const Declared& d, const TypeRead& t);
  std::optional<int> local(std::string_view name) const;
  std::string_view kept(std::string text) { return p_.tree.texts.emplace_back(std::move(text)); }
  std::string spelled(std::size_t first, std::size_t last) const;

  Program& p_;
  HostTokens t_;
  const Bindings& bindings_;
  int record_ = -1;
  int class_ = -1;    ///< whose members are being read
  std::string path_;  ///< the scopes around
  std::size_t at_ = 0;
  static constexpr int deepest_expression = 150;
  int slots_ = 0, depth_ = 0;
  std::set<int> used_{};                       ///< variables that expressions name, since a lambda began
  bool closes_ = false;                        ///< a `>` ends the expression
  int outline_first_ = 0, outline_last_ = -1;  ///< the declaration's tokens in the file
  std::vector<std::map<std::string_view, int>> scopes_{1};
  Bindings inner_{};  ///< types and constants of the scopes around, as local and nested structures name them
  static constexpr int most_in_pack = 16;
  std::map<std::string_view, std::vector<int>> packs_{};  ///< slots of the elements, the first under the name itself
  int pack_element_ = -1;                                 ///< of `args...`, the copy that is being read
  int pack_slot_ = -1;                                    ///< that it has named
};

}  // namespace lanescope::source::host
