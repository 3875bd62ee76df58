#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/source/host/program/parser.h"

namespace lanescope::source::host {
namespace {

constexpr int deepest_statement = 200;

bool calls(const Expr& e) {
  return e.op == Op::call || e.op == Op::statements ||
         std::ranges::any_of(e.parts, [](const Expr* part) { return part != nullptr && calls(*part); });
}

}  // namespace

Parser::Parser(Program& program, HostTokens tokens, const Bindings& bindings, int record, std::string path)
    : p_(program), t_(std::move(tokens)), bindings_(bindings), record_(record), path_(std::move(path)) {}

int Parser::line() const {
  if (t_.empty()) return 0;
  return t_[std::min(at_, t_.size() - 1)].line;
}

std::string Parser::spelled(std::size_t first, std::size_t last) const {
  std::string out;
  for (std::size_t i = first; i < std::min(last, t_.size()); ++i) {
    const std::string_view s = t_[i].text;
    if (!out.empty() && !s.empty() && is_word_start(s.front()) &&
        (is_letter(out.back()) || out.back() == '_' || is_digit(out.back())))
      out += ' ';
    out += s;
    if (out.size() > 600) break;
  }
  return out;
}

int Parser::declare(std::string_view name) {
  if (!name.empty()) scopes_.back()[name] = slots_;
  return slots_++;
}

/// A variable of a function whose value is known before the function runs, as in `constexpr int threads = 2 * 64;`.
void Parser::note_constant(const Declared& d, const TypeRead& t) {
  const bool plain = t.constant && !t.reference && d.type->is_whole() && d.extents.empty() && d.initial != nullptr;
  if (!plain || !p_.evaluate || (!t.is_constexpr && calls(*d.initial))) return;
  const auto value = p_.evaluate(d.initial);
  if (!value) return;
  const bool flag = d.type->kind == Kind::boolean;
  inner_.push_back({.name = d.name, .value = flag ? *value != 0 : *value});
  inner_.back().spelled = !flag ? std::to_string(*value) : *value != 0 ? "true" : "false";
}

std::optional<int> Parser::local(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end()) return found->second;
  return std::nullopt;
}

Stmt* Parser::make(StmtKind kind) {
  Stmt& s = p_.tree.stmts.emplace_back();
  s.kind = kind;
  s.line = line();
  return &s;
}

/// `(int a, const T* b = nullptr)`, after the `(` and before the `)`.
std::vector<ParameterOf> Parser::parameters() {
  std::vector<ParameterOf> out;
  while (!done() && !is(")") && out.size() < 256) {
    const std::size_t start = at_;
    ParameterOf p;
    auto t = type(true);
    if (!t) {  // `A&&... args`, and A is a pack
      bool reference = false;
      for (; !done() && !is(",") && !is(")") && !is("...") && !is("("); ++at_)
        reference = reference || is("&") || is("&&");
      if (is("...") && is_word(at_ + 1)) t = TypeRead{.type = p_.types.automatic, .reference = reference};
    }
    if (t) {
      p.type = t->type, p.reference = t->reference, p.constant = t->constant;
      if (const auto pointer = pointer_declarator(*t)) {  // int (*f)(int), int (*table[])(int)
        p.name = pointer->name, p.type = pointer->type, p.reference = false;
        if (!pointer->extents.empty()) p.type = p_.types.pointer_to(p.type);
      } else if (is("(") && is(at_ + 1, "&")) {  // T (&a)[N]
        p.reference = true;
        if (is_word(at_ + 2)) p.name = t_[at_ + 2].text;
        at_ = after_brackets(at_);
        if (is("(") || is("[")) at_ = after_brackets(at_);
      }
      p.in_pack = take("...");
      if (is_word(at_)) p.name = text(), ++at_;
      if (p.in_pack) p.type = p_.types.automatic;
      while (is("[")) {
        if (!p.reference) p.type = p_.types.pointer_to(p.type);
        at_ = after_brackets(at_);
      }
      p.slot = declare(p.name);
      if (take("=")) p.initial = is("{") ? list() : assignment();
      if (p.type != p_.types.void_) out.push_back(p);
      if (!p.in_pack) continue;
      std::vector<int>& elements = packs_[p.name] = {p.slot};
      for (int n = 1; n < most_in_pack; ++n) {
        p.slot = declare({});
        elements.push_back(p.slot);
        out.push_back(p);
      }
    }
    while (!done() && !is(",") && !is(")")) at_ = is("(") || is("[") || is("{") ? after_brackets(at_) : at_ + 1;
    if (!take(",") || at_ == start) break;
  }
  return out;
}

FunctionBody* Parser::function(const HostTokens& parameter_tokens, const HostTokens& initialisers,
                               const HostTokens& result, const std::vector<HostTokens>& defaults) {
  FunctionBody& f = p_.tree.functions.emplace_back();
  HostTokens body = std::move(t_);
  const auto with = [&](const HostTokens& tokens) { t_ = tokens, at_ = 0; };
  with(result);
  if (const auto t = type(true)) f.result = t->type, f.result_reference = t->reference;
  with(parameter_tokens);
  f.parameters = parameters();
  for (std::size_t i = 0; i < std::min(f.parameters.size(), defaults.size()); ++i)
    if (f.parameters[i].initial == nullptr && !f.parameters[i].in_pack && !defaults[i].empty()) {
      with(defaults[i]);
      f.parameters[i].initial = is("{") ? list() : assignment();
    }
  with(initialisers);
  take(":");
  while (is_word(at_)) {
    FunctionBody::Initialiser i{.member = text(), .arguments = {}};
    ++at_;
    if (take("("))
      i.arguments = arguments(")", false);
    else if (take("{"))
      i.arguments = arguments("}", false);
    else
      break;
    f.initialisers.push_back(std::move(i));
    if (!take(",")) break;
  }
  t_ = std::move(body), at_ = 0;
  f.body = block();
  f.slots = slots_;
  f.record = record_;
  return &f;
}

std::vector<Stmt*> Parser::globals(int first_token, int last_token) {
  outline_first_ = first_token, outline_last_ = last_token;
  std::vector<Stmt*> out;
  while (!done()) {
    const std::size_t before = at_;
    if (is("using") || is("typedef") || is("struct") || is("class") || is("union") || is("enum")) {
      std::size_t brace = at_;
      while (brace < t_.size() && t_[brace].text != "{" && t_[brace].text != ";" && t_[brace].text != "=" &&
             t_[brace].text != "(")
        brace = aligns(brace) ? after_brackets(brace + 1) : brace + 1;
      const bool body = is(brace, "{");
      if (is("enum") || (is("typedef") && is(at_ + 1, "enum"))) {
        const bool named_after = take("typedef");
        enumeration();
        if (named_after && is_word(at_)) enter_type(text(), p_.types.int_);
      } else if (body && !is("using")) {
        record();
      } else if (is("using") || is("typedef")) {
        alias();
        continue;
      } else if (const auto t = type(true)) {
        out.push_back(declaration(*t, true));
        continue;
      }
      skip_statement();
    } else if (is("template")) {
      template_declaration();
    } else if (is("extern") && defines_with_linkage()) {
      at_ += 2;
    } else if (is("namespace") || is("static_assert") || is("extern")) {
      skip_statement();
    } else if (const auto t = begins_declaration()) {
      out.push_back(declaration(*t, true));
    } else {
      skip_statement();
    }
    if (at_ == before) ++at_;
  }
  return out;
}

void Parser::skip_statement() {
  while (!done() && !is(";") && !is("}")) {
    const bool body = is("{");
    at_ = body || is("(") || is("[") ? after_brackets(at_) : at_ + 1;
    if (body && !is(";") && !is(",") && !is(")")) return;
  }
  take(";");
}

Stmt* Parser::block() {
  Stmt* s = make(StmtKind::block);
  const std::size_t end = after_brackets(at_);
  take("{");
  scopes_.emplace_back();
  const std::size_t known = inner_.size();
  while (at_ + 1 < end && !done()) {
    const std::size_t before = at_;
    s->body.push_back(statement());
    if (at_ == before) ++at_;
  }
  inner_.resize(known);
  scopes_.pop_back();
  at_ = end;
  return s;
}

Stmt* Parser::statement() {
  if (depth_ > deepest_statement) {
    skip_statement();
    return make(StmtKind::empty);
  }
  ++depth_;
  closes_ = false;
  Stmt* s = statement_in();
  --depth_;
  return s;
}

/// The type with which a declaration begins; nullopt, and nothing read, where this is an expression.
/// `extern "C" const int n = 16;`
bool Parser::defines_with_linkage() const {
  if (at_ + 1 >= t_.size() || !t_[at_ + 1].text.starts_with('"')) return false;
  for (std::size_t i = at_ + 2; i < t_.size() && !is(i, ";"); ++i)
    if (is(i, "=")) return true;
  return false;
}

std::optional<TypeRead> Parser::begins_declaration() {
  const std::size_t start = at_;
  const auto leads = [&](std::size_t i) {
    if (is(i, "(") && is(i + 1, "*")) {  // int (*p)[4]
      for (++i; is(i, "*");) ++i;
      return is_word(i);
    }
    if (is(i, "[") && is_word(i + 1)) return true;                   // auto [a, b]
    while (is_word(i) && is(i + 1, "::") && is_word(i + 2)) i += 2;  // int A::count
    return is_word(i) && (is(i + 1, "=") || is(i + 1, ";") || is(i + 1, "(") || is(i + 1, "{") || is(i + 1, "[") ||
                          is(i + 1, ",") || is(i + 1, ":"));
  };
  if (const auto t = type(false); t && leads(at_)) return t;
  at_ = start;
  if (!is_word(at_) || local(text()) || p_.globals.contains(text())) return std::nullopt;
  static constexpr std::string_view never[] = {"return", "delete", "throw", "goto", "else", "case", "new", "sizeof"};
  if (one_of(text(), never)) return std::nullopt;
  if (const auto t = type(true); t && leads(at_) && is_word(at_)) return t;
  at_ = start;
  return std::nullopt;
}

Stmt* Parser::statement_in() {
  if (is("{")) return block();
  if (take(";")) return make(StmtKind::empty);
  if (is("[") && is(at_ + 1, "[")) at_ = after_brackets(at_);
  if (is("if")) {
    Stmt* s = make(StmtKind::if_);
    ++at_;
    take("constexpr");
    scopes_.emplace_back();
    const std::size_t after = is("(") ? after_brackets(at_) : at_;
    take("(");
    if (const auto t = begins_declaration()) {
      s->init = declaration(*t, false);
      if (at_ + 1 < after) {
        s->first = expression();
      } else if (!s->init->declared.empty()) {
        s->first = make(Op::local);
        s->first->slot = s->init->declared.front().slot;
      }
    } else {
      s->first = expression();
      if (take(";")) {
        Stmt* init = make(StmtKind::expression);
        init->first = s->first;
        s->init = init;
        s->first = expression();
      }
    }
    at_ = after;
    s->then = statement();
    if (take("else")) s->otherwise = statement();
    scopes_.pop_back();
    return s;
  }
  if (is("for")) return for_statement();
  if (is("while") || is("switch")) {
    Stmt* s = make(is("while") ? StmtKind::while_ : StmtKind::switch_);
    ++at_;
    const std::size_t after = is("(") ? after_brackets(at_) : at_;
    take("(");
    s->first = expression();
    at_ = after;
    s->then = statement();
    return s;
  }
  if (is("do")) {
    Stmt* s = make(StmtKind::do_);
    ++at_;
    s->then = statement();
    if (take("while") && is("(")) {
      const std::size_t after = after_brackets(at_);
      ++at_;
      s->first = expression();
      at_ = after;
    }
    take(";");
    return s;
  }
  if (is("case") || is("default")) {
    Stmt* s = make(is("case") ? StmtKind::case_ : StmtKind::default_);
    ++at_;
    if (s->kind == StmtKind::case_) s->first = binary(3);
    if (s->kind == StmtKind::case_ && take("...")) s->second = binary(3);
    while (!done() && !is(":") && !is(";") && !is("}")) ++at_;
    take(":");
    return s;
  }
  if (is("return")) {
    Stmt* s = make(StmtKind::return_);
    ++at_;
    if (!is(";")) s->first = is("{") ? list() : expression();
    skip_statement();
    return s;
  }
  if (is("break") || is("continue")) {
    Stmt* s = make(is("break") ? StmtKind::break_ : StmtKind::continue_);
    skip_statement();
    return s;
  }
  if (is("goto")) {
    Stmt* s = make(StmtKind::goto_);
    if (is_word(at_ + 1)) s->text = t_[at_ + 1].text;
    skip_statement();
    return s;
  }
  if (is("throw")) {
    Stmt* s = make(StmtKind::throw_);
    ++at_;
    if (!is(";")) s->first = expression();
    skip_statement();
    return s;
  }
  if (is("try")) {
    Stmt* s = make(StmtKind::try_);
    ++at_;
    s->then = statement();
    while (take("catch")) {
      const std::size_t after = after_brackets(at_);
      scopes_.emplace_back();
      take("(");
      const std::vector<ParameterOf> caught = parameters();
      at_ = after;
      Stmt* handler = make(StmtKind::block);
      for (const ParameterOf& p : caught) {
        Declared d{.line = handler->line};
        d.slot = p.slot, d.type = p.type;
        handler->declared.push_back(d);
      }
      handler->body.push_back(statement());
      scopes_.pop_back();
      if (s->otherwise == nullptr) s->otherwise = handler;
      s->body.push_back(handler);
    }
    return s;
  }
  if (is("typedef") && defines_record(at_ + 1)) {
    record(true);
    skip_statement();
    return make(StmtKind::empty);
  }
  if (is("using") || is("typedef")) {
    alias();
    return make(StmtKind::empty);
  }
  if (defines_record()) {
    const Type* made = p_.types.record_type(record(true));
    if (is_word(at_)) {
      return declaration({.type = made, .base = made}, false);
    }
    take(";");
    return make(StmtKind::empty);
  }
  if (is("enum")) {
    enumeration();
    skip_statement();
    return make(StmtKind::empty);
  }
  static constexpr std::string_view passed[] = {"static_assert", "asm", "__asm__", "template", "namespace", "extern"};
  if (one_of(text(), passed) || is("#")) {
    Stmt* s = make(StmtKind::empty);
    skip_statement();
    return s;
  }
  if (is_word(at_) && is(at_ + 1, ":") && !is(at_ + 1, "::")) {  // a label
    Stmt* s = make(StmtKind::label);
    s->text = text();
    at_ += 2;
    return s;
  }
  if (const auto t = begins_declaration()) return declaration(*t, false);
  Stmt* s = make(StmtKind::expression);
  s->first = expression();
  if (!is(";")) {  // not read to its end
    const bool launch = s->first != nullptr && s->first->op == Op::launch;
    if (!launch && !done() && !is("}")) {
      Expr* both = make(Op::comma);
      both->parts = {s->first, make(Op::unknown)};
      s->first = both;
    }
    skip_statement();
  } else {
    ++at_;
  }
  return s;
}

Stmt* Parser::for_statement() {
  Stmt* s = make(StmtKind::for_);
  ++at_;
  const std::size_t after = is("(") ? after_brackets(at_) : at_;
  take("(");
  scopes_.emplace_back();
  if (!take(";")) {
    if (const auto t = begins_declaration()) {
      s->init = declaration(*t, false);
      if (is(":")) {
        ++at_;
        s->kind = StmtKind::range_for;
        s->first = expression();
        at_ = after;
        s->then = statement();
        scopes_.pop_back();
        return s;
      }
    } else {
      Stmt* init = make(StmtKind::expression);
      init->first = expression();
      s->init = init;
      take(";");
    }
  }
  if (!is(";")) s->first = expression();
  while (at_ + 1 < after && !is(";")) ++at_;
  take(";");
  if (at_ + 1 < after) s->second = expression();
  at_ = after;
  s->then = statement();
  scopes_.pop_back();
  return s;
}

/// At the first declarator; after the `;`, or at the `:` of a range.
Stmt* Parser::declaration(const TypeRead& t, bool global) {
  Stmt* s = make(StmtKind::declare);
  while (declarator(t, global, s) && take(",")) continue;
  if (is(":") || is(")")) return s;
  if (is(";"))
    ++at_;
  else
    skip_statement();
  return s;
}

bool Parser::declarator(TypeRead t, bool global, Stmt* into) {
  if (!into->declared.empty()) {
    if (t.base != nullptr) t.type = t.base;
    t.reference = false;
    suffixes(t);
  }
  Declared d{.line = line()};
  std::string qualifier;
  d.reference = t.reference;
  d.device = t.device, d.managed = t.managed, d.is_static = t.is_static && !global;
  std::vector<Expr*> extents;
  if (auto pointer = pointer_declarator(t)) {  // int (*p)[4] = ..., void (*f)(int) = ..., void (*table[])(int) = ...
    if (pointer->name.empty()) return false;
    d.name = pointer->name, t.type = pointer->type;
    extents = std::move(pointer->extents);
  } else if (is("[")) {  // auto [a, b] = ...
    ++at_;
    for (; is_word(at_); take(",")) d.parts.push_back(declare(text())), ++at_;
    take("]");
    d.type = p_.types.automatic;
    d.slot = declare("");
    if (take("=")) d.initial = assignment();
    into->declared.push_back(std::move(d));
    return true;
  } else {
    if (!is_word(at_)) return false;
    while (global && is(at_ + 1, "::") && is_word(at_ + 2)) at_ += 2;  // a member that is defined outside of its class
    if (global) qualifier = qualifier_before(at_);
    d.name = text();
    ++at_;
  }
  d.type = t.type;
  while (is("[")) {
    const std::size_t after = after_brackets(at_);
    ++at_;
    extents.push_back(is("]") ? nullptr : expression());
    at_ = after;
  }
  d.extents = std::move(extents);
  if (global && is("(") && !t.is_constexpr) {
    // a function's declaration or a constructed global: only numbers show the second
    const std::size_t after = after_brackets(at_);
    const bool function = is(at_ + 1, ")") || is(at_ + 1, "void") || is(at_ + 1, "const");
    if (function) return at_ = after, false;
    const std::size_t here = at_;
    ++at_;
    const bool types = type(true).has_value() && (is_word(at_) || is(",") || is(")")) &&
                       !is_digit(text().empty() ? ' ' : text().front());
    at_ = here;
    if (types && d.type->kind != Kind::record) return at_ = after, false;
  }
  // its own initialiser sees it already, as in C++
  if (global) {
    d.global = true;
    const Meaning* declared = qualifier.empty() ? nullptr : p_.scopes.meant(d.name, qualifier, path_);
    if (declared != nullptr && declared->slot >= 0) {
      d.slot = declared->slot;
    } else {
      d.slot = static_cast<int>(p_.global_types.size());
      p_.global_types.push_back(d.type);
    }
    p_.globals[d.name] = d.slot;
    p_.scopes.enter(d.name, joined_path(path_, qualifier), {.slot = d.slot});
  } else {
    d.slot = declare(d.name);
  }
  if (take("=")) {
    d.initial = is("{") ? list() : assignment();
  } else if (is("{")) {
    d.initial = list();
    d.has_arguments = true;
    d.arguments = d.initial->parts;
  } else if (take("(")) {
    d.has_arguments = true;
    d.arguments = arguments(")", false);
  }
  if (!global) note_constant(d, t);
  into->declared.push_back(std::move(d));
  return true;
}

}  // namespace lanescope::source::host
