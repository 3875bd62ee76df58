#pragma once
// The recursive descent after parse(). Internal to this folder.
//
// Names. Scope 0 of `scopes_` holds what a function's header declares, each `{` opens another. A name is looked up from
// the innermost scope outwards, then in the module. A label may be used before its definition, so an unknown name
// becomes a Pending, which is resolved when its scope closes, or else moves to the enclosing scope. Inline assembly
// needs this: every copy of "{ wait: ... bra wait; }" means its own label.
//
// Errors. The first one is kept; from then on every token reads as the end of the text, so all loops end by themselves.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/base/byte_order_mark.h"
#include "kernels/base/source_lines.h"
#include "kernels/ptx/program.h"

namespace lanescope::ptx {

// PTX text -> tokens, one at a time, without copying: a token's text points into the module.
//
// A word is a name, a directive, an opcode with all its modifiers, or a number: ".visible", "%r12", "%tid.x",
// "ld.global.L1::no_allocate.u32", "0f3F800000". Everything else is one character. That is coarser than the ISA's own
// lexical rules and is what makes one token of lookahead enough.
//
// Comments vanish, except a probe's (kernels/source): "// lanescope.probe ..." where a statement may begin.

struct Token {
  enum class Kind : unsigned char { end, word, number, text, probe, punctuation, bad };
  Kind kind = Kind::end;
  char mark = 0;          ///< the character of a punctuation token, else 0
  int line = 0;           ///< 1-based
  std::string_view text;  ///< a quoted text without its quotes; a probe comment after "lanescope.probe"
};

class Scanner {
 public:
  explicit Scanner(std::string_view text, int line = 1)
      : at_(text.data()), end_(text.data() + text.size()), line_(line) {}

  Token next();

  /// The next character that is not blank, without consuming anything; 0 at the end. Comments are not skipped.
  char peek() const;
  /// A probe may follow the token after this one, although it ends no statement (`.loc` has no semicolon).
  void statement_may_begin() { statement_may_begin_ = true; }
  /// Skips to after the brace that closes the one just read (no nesting, comments skipped); false at the end of text.
  bool skip_block();
  /// Everything after this reads as the end of the text.
  void stop() { at_ = end_; }

 private:
  bool skip_blanks(Token& probe);
  bool skip_comment(Token& probe);
  void scan_word(Token& token);
  void scan_number_tail(const char* begin);
  void scan_text(Token& token);

  const char* at_;
  const char* end_;
  int line_;
  bool statement_may_begin_ = true;
};

class Parser {
 public:
  /// `sets_aside`: functions that cannot be read, instead of failing.
  Parser(std::string_view text, std::string_view file_name, bool sets_aside)
      : text_(without_byte_order_mark(text)), file_name_(file_name), sets_aside_(sets_aside), scanner_(text_) {}
  Expected<Module> run();

 private:
  enum class Meaning : std::uint8_t {
    reg,
    module_variable,
    entry_variable,
    param,
    returned,
    call_param,
    function,
    label,
    branch_table,
    prototype,
    reg_vector,  ///< the first of its registers; vector_lengths_ says how many
  };
  struct Symbol {
    Meaning meaning;
    int index;
  };
  using Names = std::unordered_map<std::string_view, Symbol>;

  struct RegisterRange {  // %r<39>
    std::string_view prefix;
    int first, count;
    int length = 1;  // of vectors
  };
  struct Scope {
    std::vector<RegisterRange> ranges;
    Names names;
    std::vector<int> pending;            // indices in pending_
    std::uint64_t call_param_bytes = 0;  // where this scope's call parameters begin
    std::string suffix;                  // makes its names unique in the function
  };
  struct Pending {
    std::string_view name;
    int line = 0;
    int instruction = -1, operand = -1, element = -1;  // where it is used, or
    int table = -1, target = -1;                       // the place in a branch table
  };
  struct Declaration {  // .align 16 .b8 x[4][8]
    std::string_view name;
    Type type = Type::none;
    std::uint64_t alignment = 0, elements = 1;
    int vector_length = 1;
    std::vector<std::uint64_t> extents;
    bool open = false;  // x[]
    int line = 0;
  };

  // Tokens and errors (parser.cpp)
  void advance();
  bool at_mark(char mark) const { return token_.mark == mark; }
  bool at_word(std::string_view word) const { return token_.kind == Token::Kind::word && token_.text == word; }
  bool at_end() const { return token_.kind == Token::Kind::end; }
  bool accept(char mark);
  bool accept_word(std::string_view word);
  bool expect(char mark, std::string_view where);
  std::string_view expect_name(std::string_view what);
  std::optional<std::int64_t> expect_integer(std::string_view what);
  void fail(std::string message, std::string remedy = {}, int line = 0);
  bool failed() const { return !errors_.empty(); }
  std::string found() const;
  std::string user_line() const;
  std::string file_of(int index) const;

  // Module level (parse_module.cpp)
  void parse_header_directive();
  void parse_module_item();
  void parse_file();
  void parse_alias();
  void skip_section();
  struct Linkage {
    bool is_extern = false, seen = false;
  };
  void parse_linked_item();
  void parse_module_variable(Space space, Linkage linkage);
  int file_index(std::int64_t number);

  // Declarations (parse_declaration.cpp)
  std::optional<Declaration> parse_declaration(bool type_required, const Declaration* before = nullptr);
  bool parse_declaration_attributes(Declaration& d);
  bool parse_extents(Declaration& d);
  std::optional<std::uint64_t> byte_count(const Declaration& d);
  std::optional<Variable> parse_variable(Space space, bool is_extern, std::optional<Declaration>& before);
  void parse_initializer(Variable& variable, const Declaration& d);
  void parse_initializer_list(Variable& v, const Declaration& d, std::size_t level, std::uint64_t& element);
  void parse_initializer_value(Variable& v, const Declaration& d, std::uint64_t element);
  void parse_initial_address(Variable& v, std::uint64_t at, int bytes, std::uint64_t mask);
  std::vector<Param> parse_params(Meaning meaning);
  bool parse_param(std::vector<Param>& params, Meaning meaning);
  void parse_registers();
  void declare_register(std::string_view name, Type type);
  void declare_register_range(std::string_view prefix, Type type, int length);
  void declare_register_vector(std::string_view name, Type type, int length);
  void parse_call_params();
  void define_call_param(const Declaration& d);

  // Functions (parse_function.cpp)
  void parse_function(bool is_entry);
  void read_function(bool is_entry);
  void set_function_aside(const Scanner& scanner, const Token& token);
  bool at_module_item() const;
  void parse_performance_directives();
  void parse_extent3(std::array<int, 3>& extent);
  void parse_count(int& count);
  void parse_body();
  void parse_statement();
  void parse_body_directive();
  void parse_static_variable();
  void parse_location();
  std::optional<std::array<std::int64_t, 3>> parse_place(bool may_end);
  void parse_label();
  void parse_branch_targets(std::string_view name);
  void parse_call_targets(std::string_view name);
  void parse_call_prototype(std::string_view name);
  void parse_probe();
  void finish_branch_tables();

  // Names (parser.cpp)
  void open_scope();
  void close_scope();
  bool settle(const Pending& p, const Scope& scope);
  bool define(std::string_view name, Symbol symbol);
  std::optional<Symbol> look_up(std::string_view name) const;
  std::string unique(std::string_view name) const;

  // Instructions (parse_instruction.cpp)
  void parse_instruction();
  bool parse_guard(Instruction& i);
  void parse_opcode(Instruction& i);
  void parse_operands(Instruction& i);
  void add_vector_move(Instruction whole);
  Operand special_elements(const Operand& whole) const;
  void parse_element(Operand& array);
  void parse_variable_element(Operand& array, std::int64_t element_bytes);
  Operand computed(std::string opcode, std::vector<std::string> modifiers, std::vector<Operand> sources);
  void parse_call(Instruction& i);
  Operand parse_call_list();
  Operand parse_operand(int depth = 0);
  Operand parse_named_operand();
  bool may_be_special(std::string_view name) const;
  Operand parse_address();
  Operand parse_vector(int depth);
  void parse_second_register(Operand& o);
  bool parse_register_part(std::string_view name, Operand& o);
  Operand vector_operand(int first);
  Operand symbol_operand(Symbol s);
  void attach_pending(Instruction& i, std::size_t first);

  // Constants (parse_constant.cpp)
  Operand parse_constant();
  Operand parse_number(bool negative);
  std::int64_t parse_expression(int minimum_precedence, int depth);
  std::int64_t parse_unary(int depth);
  std::string_view operator_here() const;

  std::string_view text_;
  std::string file_name_;
  bool sets_aside_ = false;
  Scanner scanner_;
  Token token_;
  Diagnostics errors_;

  Module module_;
  Names module_names_;
  std::map<std::int64_t, int> file_indices_;

  Entry entry_;  // the function being read
  std::string_view function_name_;
  std::vector<Scope> scopes_;
  std::vector<Pending> pending_;
  int scope_count_ = 0;
  std::uint64_t declared_registers_ = 0;  ///< of the module, by ranges
  Position position_;
  std::map<std::array<std::int64_t, 3>, Position> inlined_;  // place -> where the code there was inlined
  std::map<int, int> vector_lengths_;                        // by first register
};

/// The integer that `text` spells as PTX does: decimal, 0x, 0b, octal, suffix U. Nothing when it is none.
std::optional<std::uint64_t> integer_of(std::string_view text);

// Positions of a program that was compiled from several files of the user's.

/// Positions in one of the headers become positions in the first file, at their unit lines. Files of the program have
/// their plain names (kernels/base/plain_name.h).
void put_into_unit_lines(Module& module, const SourceLines& lines);

}  // namespace lanescope::ptx
