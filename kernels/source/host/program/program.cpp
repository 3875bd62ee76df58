#include "kernels/source/host/program/program.h"

#include <algorithm>

#include "kernels/source/cxx/constant_expression.h"
#include "kernels/source/cxx/declaration.h"
#include "kernels/source/host/program/parser.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_bodies = 4000;

/// The `operator` of `operator const T*(` before the parenthesis; -1: it is of no conversion.
int converts_before(const Lexed& lexed, int head, int open) {
  for (int i = open - 1; i >= head && !lexed.is(i, ")") && !lexed.is(i, ";") && !lexed.is(i, "}"); --i)
    if (lexed.is(i, "operator")) return is_word_start(lexed.of(i + 1).front()) ? i : -1;
  return -1;
}

/// The `)` before the body or the initialisers of `f`, as the pair of its parameters' parentheses; -1, -1 when none.
struct Parentheses {
  int open = -1, close = -1;
};
Parentheses parameters_of(const Lexed& lexed, const FunctionRange& f) {
  for (int i = f.head; i < f.open; ++i) {
    if (lexed.is(i, "<")) i = std::max(i, skip_template_arguments(lexed, i, f.open) - 1);
    if (!lexed.is(i, "(") || lexed.partner(i) < i) continue;
    const bool own =
        i > 0 && (lexed.of(i - 1) == f.info.name || lexed.is(i - 1, ">") || lexed.is(i - 2, "operator") ||
                  (lexed.is(i - 1, ")") && lexed.is(i - 3, "operator")) || converts_before(lexed, f.head, i) >= 0);
    if (own && !(lexed.is(i - 1, "operator") && lexed.partner(i) == i + 1)) return {i, lexed.partner(i)};
    i = lexed.partner(i);
  }
  return {};
}

/// After the parameters of a template, whose defaults may be anything in brackets; `open` where they do not end.
int after_template_head(const Lexed& lexed, int open, int last) {
  int depth = 0;
  for (int i = open; i < last; ++i) {
    if (lexed.is(i, "<")) ++depth;
    if (lexed.is(i, ">") && --depth == 0) return i + 1;
    if (lexed.is(i, ">>") && (depth -= 2) <= 0) return i + 1;
    if (lexed.is(i, ";")) return open;
    if (lexed.partner(i) > i) i = lexed.partner(i);
  }
  return open;
}

bool is_destructor(const Lexed& lexed, const FunctionRange& f) {
  int t = f.head;
  while (t < f.open && !lexed.is(t, "(") && !lexed.is(t, "~")) ++t;
  return lexed.is(t, "~");
}

}  // namespace

Program::Program(const Lexed& l, const Outline& o) : lexed(l), outline(o), macros(l), scopes(l) {
  for (int i = 0; i < function_count(); ++i) {
    const FunctionRange& f = function(i);
    if (f.class_open < 0) functions[lexed.text.size() > 0 ? std::string_view(f.info.name) : ""].push_back(i);
    if (f.class_open >= 0 && !is_destructor(lexed, f)) methods[f.class_open].push_back(i);
  }
}

const Type* Program::own_type(std::string_view name) const {
  const auto own = type_names.find(name);
  return own != type_names.end() ? own->second : nullptr;
}

const Type* Program::type_named(std::string_view name) const {
  const Type* own = own_type(name);
  return own != nullptr ? own : types.named(name);
}

std::optional<std::int64_t> Program::constant(std::string_view text) const {
  if (text == "true" || text == "false") return text == "true";
  const auto value = constant_value(text, [&](std::string_view name) -> std::optional<std::int64_t> {
    const auto known = constants.find(name);
    return known != constants.end() ? std::optional(known->second) : std::nullopt;
  });
  return value ? std::optional(*value) : std::nullopt;
}

const std::vector<TemplateParameter>& Program::template_parameters(int function) const {
  const auto known = template_parameters_.find(function);
  if (known != template_parameters_.end()) return known->second;
  const FunctionRange& f = this->function(function);
  std::vector<TemplateParameter> own = host::template_parameters(lexed, f);
  if (f.class_open >= 0 && !f.member) {  // `template <class T> void Tensor<T>::fill()`: those of its class
    const auto of_class = class_templates.find(outline.classes[static_cast<std::size_t>(f.of_class)].name);
    if (of_class != class_templates.end() &&
        std::ranges::equal(own, of_class->second.parameters, {}, &TemplateParameter::name, &TemplateParameter::name))
      own.clear();
  }
  return template_parameters_[function] = std::move(own);
}

const Lexed& Program::type_of_parameter(int function, std::size_t parameter) const {
  const auto [at, is_new] = parameter_types_.try_emplace({function, parameter});
  KeptText& kept = at->second;
  if (!is_new) return kept.lexed;
  const Parameter& p = this->function(function).info.parameters[parameter];
  kept.text = p.type;
  if (kept.text.ends_with("[]")) kept.text.replace(kept.text.size() - 2, 2, p.extents);
  for (std::size_t i = 0; (i = kept.text.find(">>", i)) != std::string::npos; ++i) kept.text.insert(i + 1, " ");
  kept.lexed = lex(kept.text);
  return kept.lexed;
}

std::vector<std::pair<int, int>> Program::declared_defaults(int function, const std::string& path) const {
  const FunctionRange& f = this->function(function);
  std::vector<std::pair<int, int>> out(f.info.parameters.size(), {-1, -1});
  const auto types = [](const FunctionRange& of) {
    std::vector<std::string> all;
    for (const Parameter& p : of.info.parameters) all.push_back(p.type);
    return all;
  };
  for (const TopDeclaration& d : outline.declarations) {
    if (d.kind != TopDeclaration::Kind::function || d.names.size() != 1 || lexed.of(d.names[0]) != f.info.name)
      continue;
    const int open = d.names[0] + 1;
    if (!lexed.is(open, "(") || lexed.partner(open) < open || scopes.path_of(d.first) != path) continue;
    FunctionRange declared;
    read_parameters(lexed, open, declared);
    if (types(declared) != types(f)) continue;
    std::size_t parameter = 0;
    for (int i = open + 1, begun = -1; i <= lexed.partner(open); ++i) {
      if (lexed.is(i, "<"))
        i = std::max(i, skip_template_arguments(lexed, i, lexed.partner(open)) - 1);
      else if (i < lexed.partner(open) && lexed.partner(i) > i)
        i = lexed.partner(i);
      else if (lexed.is(i, "=") && begun < 0)
        begun = i + 1;
      else if (i == lexed.partner(open) || lexed.is(i, ",")) {
        if (begun >= 0 && parameter < out.size()) out[parameter] = {begun, i};
        begun = -1, ++parameter;
      }
    }
  }
  return out;
}

std::vector<TemplateParameter> template_parameters(const Lexed& lexed, const FunctionRange& f) {
  constexpr std::string_view whole[] = {"int",      "unsigned", "long",    "short",    "char",    "size_t",
                                        "uint",     "uint32_t", "int32_t", "uint64_t", "int64_t", "uint8_t",
                                        "uint16_t", "int8_t",   "int16_t", "ptrdiff_t"};
  std::vector<TemplateParameter> out;
  if (!lexed.is(f.head, "template") || !lexed.is(f.head + 1, "<")) return out;
  const int after = after_template_head(lexed, f.head + 1, f.open);
  TemplateParameter p;
  int depth = 0;
  bool in_default = false;
  for (int i = f.head + 2; i < after; ++i) {
    if (lexed.is(i, "<")) ++depth;
    const bool last = i == after - 1;
    if (!last && lexed.is(i, ">")) --depth;
    if (last || (lexed.is(i, ",") && depth == 0)) {
      p.last = i;
      if (!p.name.empty()) out.push_back(p);
      p = {};
      in_default = false;
      continue;
    }
    if (lexed.partner(i) > i && !lexed.is(i, "{")) {
      if (lexed.is(i, "(") && lexed.is(i + 1, "*") && !in_default) p.name = lexed.of(i + 2);  // void (*kernel)(int)
      i = lexed.partner(i);
      continue;
    }
    if (in_default) continue;
    if (lexed.is(i, "bool")) p.is_flag = true;
    if (lexed.is(i, "template")) p.is_template = true;
    if (std::ranges::find(whole, lexed.of(i)) != std::end(whole)) p.is_whole = true;
    if (lexed.is(i, "=")) {
      p.has_default = in_default = true;
      p.first = i + 1;
    } else if (lexed.is(i, "typename") || lexed.is(i, "class")) {
      p.is_type = true;
    } else if (lexed.is(i, "...")) {
      p.is_pack = true;
    } else if (lexed.token(i).kind == TokenKind::identifier && depth == 0) {
      if (!p.name.empty() && !p.is_type && !p.is_pack)
        p.of += (p.of.empty() || lexed.is(i - 2, "::") ? "" : " ") + std::string(p.name);
      p.name = lexed.of(i);
    } else if (lexed.is(i, "::") && depth == 0 && !p.name.empty()) {
      p.of += (p.of.empty() || lexed.is(i - 2, "::") ? "" : " ") + std::string(p.name) + "::";
      p.name = {};
    }
  }
  return out;
}

int Program::record_of_method(int function) const {
  for (int r = 0; r < types.records(); ++r) {
    const std::vector<int>& methods = types.record(r).methods;
    if (std::find(methods.begin(), methods.end(), function) != methods.end()) return r;
  }
  return -1;
}

void Program::keep_meant(std::vector<int>& functions, const Expr& name) const {
  if (functions.size() < 2) return;
  std::vector<std::string> paths;
  for (const int f : functions) paths.push_back(scopes.path_of(function(f).head));
  if (std::ranges::all_of(paths, [&](const std::string& path) { return path == paths.front(); })) return;
  std::string_view source = name.source.substr(0, name.source.find('<'));
  const bool global = source.starts_with("::");
  if (global) source.remove_prefix(2);
  const std::size_t last = source.rfind("::");
  const int i = scopes.which({paths.begin(), paths.end()}, last == std::string_view::npos ? "" : source.substr(0, last),
                             global ? "" : name.scope);
  if (i < 0) return;
  std::vector<int> kept;
  for (std::size_t k = 0; k < paths.size(); ++k)
    if (paths[k] == paths[static_cast<std::size_t>(i)]) kept.push_back(functions[k]);
  functions = std::move(kept);
}

const FunctionBody* Program::body(int function, const Bindings& bindings, int record) {
  std::string key = std::to_string(function) + "/" + std::to_string(record);
  for (const Bound& b : bindings) key += (b.qualified ? ",const " : ",") + b.spelled;
  if (const auto known = bodies_.find(key); known != bodies_.end()) return known->second;
  if (bodies_.size() > most_bodies) return nullptr;
  const FunctionRange& f = this->function(function);
  const Parentheses at = parameters_of(lexed, f);
  const FunctionBody* out = nullptr;
  if (at.open >= 0 && f.close > f.open) {
    int colon = at.close + 1;
    while (colon < f.open && !lexed.is(colon, ":")) ++colon;
    int first = f.head;
    if (lexed.is(first, "template") && lexed.is(first + 1, "<")) first = after_template_head(lexed, first + 1, f.open);
    const std::string_view of_class = f.of_class >= 0 && !f.member
                                          ? std::string_view(outline.classes[static_cast<std::size_t>(f.of_class)].name)
                                          : std::string_view();
    const std::string around =
        is_local(function) && record >= 0 ? types.record(record).path : joined_path(scopes.path_of(f.head), of_class);
    Parser parser(*this, macros.expanded(lexed, f.open, f.close + 1), bindings, record,
                  joined_path(around, f.info.name));
    const int conversion = converts_before(lexed, f.head, at.open);
    std::vector<HostTokens> defaults;
    for (const auto& [begin, end] : declared_defaults(function, around))
      defaults.push_back(begin < 0 ? HostTokens() : macros.expanded(lexed, begin, end));
    out = parser.function(macros.expanded(lexed, at.open + 1, at.close), macros.expanded(lexed, colon, f.open),
                          conversion >= 0 ? macros.expanded(lexed, conversion + 1, at.open)
                                          : macros.expanded(lexed, first, std::max(first, at.open - 1)),
                          defaults);
  }
  bodies_.emplace(std::move(key), out);
  return out;
}

void Program::enter_class_template(std::string_view name, int first, int last, ClassText what) {
  ClassTemplate& t = class_templates[name];
  std::vector<TemplateParameter> parameters = host::template_parameters(lexed, {.head = first, .open = last});
  if (what == ClassText::specialisation) {
    if (parameters.empty())
      t.full.push_back({first, last});
    else
      t.partial = true;
    return;
  }
  if (t.general.last > 0) {
    t.partial = t.partial || what == ClassText::definition;  // two templates of one name
    return;
  }
  for (std::size_t i = 0; i < std::min(parameters.size(), t.parameters.size()); ++i)
    if (!parameters[i].has_default && t.parameters[i].has_default) {  // of the declaration
      parameters[i].has_default = true;
      parameters[i].first = t.parameters[i].first;
      parameters[i].last = t.parameters[i].last;
    }
  t.parameters = std::move(parameters);
  if (what == ClassText::definition) t.general = {first, last};
}

const Bindings* Program::bindings_of(int record) const {
  const auto found = record_bindings_.find(record);
  return found == record_bindings_.end() ? nullptr : &found->second;
}

void Program::bind(int record, Bindings more) {
  Bindings& own = record_bindings_[record];
  own.insert(own.end(), more.begin(), more.end());
}

std::optional<std::string> Program::bind_class(std::string_view name, const Expr& arguments, Bindings& bound) {
  const std::vector<TemplateParameter>& parameters = class_templates.find(name)->second.parameters;
  if (arguments.words.size() > parameters.size()) return std::nullopt;
  std::string key(name);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const TemplateParameter& p = parameters[i];
    if (p.is_pack || p.is_template) return std::nullopt;
    Bound b{.name = p.name};
    const Expr* value = nullptr;
    if (i < arguments.words.size()) {
      b.type = i < arguments.types.size() ? arguments.types[i] : nullptr;
      b.qualified = i < arguments.qualified.size() && arguments.qualified[i];
      value = i < arguments.more.size() ? arguments.more[i] : nullptr;
    } else if (p.has_default) {
      Parser standard(*this, macros.expanded(lexed, p.first, p.last), bound, -1);
      if (p.is_type) {
        if (const auto type = standard.whole_type()) b.type = type->type;
      } else {
        value = standard.whole_expression();
      }
    }
    if (!p.is_type && b.type == nullptr && value != nullptr && evaluate) b.value = evaluate(value);
    const bool known = b.type != nullptr && b.type->kind != Kind::unknown && b.type->kind != Kind::automatic;
    if (p.is_type ? !known : !b.value) return std::nullopt;
    b.spelled = p.is_type ? b.type->name : std::to_string(*b.value);
    key += fmt::format("{}{}{}", i == 0 ? "<" : ",", b.qualified ? "const " : "", b.spelled);
    bound.push_back(std::move(b));
  }
  return key + ">";
}

const Type* Program::class_instance(std::string_view name, const Expr& arguments) {
  constexpr std::size_t most_instances = 400;
  constexpr int deepest_instance = 12;
  const auto found = class_templates.find(name);
  if (found == class_templates.end() || found->second.partial || found->second.parameters.empty()) return nullptr;
  Bindings bound;
  const std::optional<std::string> key = bind_class(found->first, arguments, bound);
  if (!key) return nullptr;
  if (const auto known = class_instances_.find(*key); known != class_instances_.end()) return known->second;
  if (instantiating_ >= deepest_instance || class_instances_.size() >= most_instances) return nullptr;
  ++instantiating_;
  ClassTemplate::Text text = found->second.general;
  for (const ClassTemplate::Text& full : std::vector(found->second.full)) {
    static const Bindings none;
    Bindings own;
    const auto of_it = Parser(*this, macros.expanded(lexed, full.first, full.last + 1), none, -1).specialised_for();
    const auto its_key = of_it ? bind_class(found->first, *of_it, own) : std::nullopt;
    if (!its_key) {  // whether it is meant is not known
      --instantiating_;
      return nullptr;
    }
    if (*its_key != *key) continue;
    text = full;
    bound.clear();
  }
  if (text.last == 0) {  // declared only
    --instantiating_;
    return nullptr;
  }
  const int r = types.add_record(*key);
  types.record(r).of_template = found->first;
  const Type* type = types.record_type(r);
  class_instances_[*key] = type;
  bound.push_back({.name = found->first, .type = type, .spelled = *key});
  const Bindings& kept = record_bindings_[r] = std::move(bound);
  types.record(r).of_file = true;
  Parser(*this, macros.expanded(lexed, text.first, text.last + 1), kept, -1, scopes.path_of(text.first)).instance(r);
  types.complete(r);
  --instantiating_;
  return type;
}

std::vector<Stmt*> Program::declaration(int first, int last) {
  static const Bindings none;
  return Parser(*this, macros.expanded(lexed, first, last + 1), none, -1, scopes.path_of(first)).globals(first, last);
}

}  // namespace lanescope::source::host
