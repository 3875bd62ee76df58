// Variables that a statement assigns are unknown after it, if it may not have been executed, or not to its end.

#include "kernels/base/text.h"
#include "kernels/source/host/evaluator.h"

namespace lanescope::source::host {
namespace {

/// Methods of std::vector and std::string.
constexpr std::string_view changes_size[] = {"push_back", "emplace_back", "pop_back", "resize", "clear", "insert",
                                             "emplace",   "erase",        "assign",   "swap",   "append"};
constexpr int deepest_poison = 250, deepest_target = 100;

bool assigns(Op op) {
  return op == Op::assign || op == Op::before_add || op == Op::before_subtract || op == Op::after_add ||
         op == Op::after_subtract;
}

}  // namespace

void Evaluator::poison_assigned(const Stmt& s, Reason why) {
  if (at_.poison_depth >= deepest_poison) return;
  if (at_.poison_depth == 0) poisoned_lambdas_.clear();
  ++at_.poison_depth;
  for (const Expr* each : {s.first, s.second})
    if (each != nullptr) poison_assigned(*each, why);
  for (const Stmt* each : {s.init, s.then, s.otherwise})
    if (each != nullptr) poison_assigned(*each, why);
  for (const Stmt* each : s.body) poison_assigned(*each, why);
  for (const Declared& d : s.declared) {
    if (d.initial != nullptr) poison_assigned(*d.initial, why);
    for (const Expr* each : d.arguments) poison_assigned(*each, why);
  }
  --at_.poison_depth;
}

void Evaluator::poison_assigned(const Expr& e, Reason why) {
  if (at_.poison_depth >= deepest_poison) return;
  if (at_.poison_depth == 0) poisoned_lambdas_.clear();
  ++at_.poison_depth;
  if (assigns(e.op)) {
    poison_target(*e.parts[0], why);
    if (e.op == Op::assign) poison_size(*e.parts[0], false, why);
    for (std::size_t i = 1; ties(*e.parts[0]) && i < e.parts[0]->parts.size(); ++i)
      poison_target(*e.parts[0]->parts[i], why);
  }
  if (e.op == Op::call) {
    const Expr& callee = *e.parts[0];
    const std::string_view name = callee.op == Op::name ? callee.text : std::string_view();
    const bool harmless = one_of(name, {"printf", "fprintf", "free"}) || name.starts_with("cudaFree") ||
                          name.starts_with("cudaEvent") || name.starts_with("cudaStream");
    bool by_reference = name.empty() || name == "swap";
    if (one_of(name, {"rand", "random", "drand48", "lrand48"})) random.c_unknown = why;
    if ((callee.op == Op::local && !at_.globals_only) || callee.op == Op::global) {
      poison_assigned_by_lambda(callee, why);
      if (const Slot& s = slot_of(callee); s.type != nullptr && s.type->kind == Kind::random)
        m.write(s.address, s.type->bytes, nullptr, why);
    }
    if (const auto own = p.functions.find(name); own != p.functions.end() && !at_.globals_only)
      for (const int f : own->second) {
        by_reference |= !p.function(f).reference_parameters.empty();
        poison_globals_of(f, why);
        if (graph_.draws(f)) random.c_unknown = why;
      }
    if (callee.op == Op::member && !callee.parts.empty()) poison_target(*callee.parts[0], why);
    if ((callee.op == Op::member || callee.op == Op::arrow) && !callee.parts.empty() &&
        one_of(callee.text, changes_size))
      poison_size(*callee.parts[0], callee.op == Op::arrow, why);
    for (std::size_t i = 1; i < e.parts.size() && !harmless; ++i) {
      poison_target(*e.parts[i], why, !by_reference);
      if (by_reference) poison_size(*e.parts[i], false, why);
    }
  }
  for (const std::vector<Expr*>* all : {&e.parts, &e.more})
    for (const Expr* each : *all)
      if (each != nullptr) poison_assigned(*each, why);
  if ((e.op == Op::lambda || e.op == Op::statements) && e.body != nullptr) poison_assigned(*e.body, why);
  --at_.poison_depth;
}

/// A lambda that is called by its name: what it assigns in the function around it.
void Evaluator::poison_assigned_by_lambda(const Expr& name, Reason why) {
  const Slot& s = slot_of(name);
  if (s.type == nullptr || s.type->kind != Kind::code) return;
  const Expr* lambda = lambda_of(m.load({s.address, s.type}));
  // Once: lambdas may call each other.
  if (lambda != nullptr && lambda->body != nullptr && poisoned_lambdas_.insert(lambda).second)
    poison_assigned(*lambda->body, why);
}

/// How many elements a std::vector, or which characters a std::string has.
void Evaluator::poison_size(const Expr& e, bool pointer, Reason why) {
  const Expr* root = &e;
  while ((root->op == Op::member || root->op == Op::arrow || root->op == Op::index) && !root->parts.empty())
    root = root->parts[0];
  if (root->op != Op::global && (root->op != Op::local || at_.globals_only) && root->op != Op::this_) return;
  if (!names_place(e)) return;
  const Place at = pointer ? pointee(value(e)) : place(e);
  if (at.known() && (at.type->kind == Kind::vector || at.type->kind == Kind::text))
    m.write(at.address, at.type->bytes, nullptr, why);
}

/// The globals that a function, or one that it calls, assigns.
void Evaluator::poison_globals_of(int function, Reason why) {
  static const Bindings none;
  for (const int f : graph_.naming_globals(function)) {
    const FunctionBody* body = p.body(f, none);
    if (body == nullptr || body->body == nullptr) continue;
    const bool before = at_.globals_only;
    at_.globals_only = true;
    poison_assigned(*body->body, why);
    at_.globals_only = before;
  }
}

void Evaluator::poison_contents(Address a, Reason why) {
  if (const Object* o = m.object(a); o != nullptr && is_memory(*o)) m.poison_all(a, why);
}

/// `object.data[i]`, `data[i]` in a method: what the member points to is unknown, and the object stays as it is.
bool Evaluator::poison_after_member(const Expr& e, Reason why) {
  if (e.op != Op::index && e.op != Op::dereference) return false;
  const Expr* at = e.parts[0];
  while (at->op == Op::cast && !at->parts.empty() && at->parts[0] != nullptr) at = at->parts[0];
  const Expr& pointer = *at;
  for (; at->op == Op::member || at->op == Op::arrow; at = at->parts[0])
    if (at->op == Op::arrow && at->parts[0]->op != Op::this_) return false;
  if (&pointer == at || (at->op != Op::this_ && at->op != Op::local && at->op != Op::global)) return false;
  if (at_.globals_only && at->op != Op::global) return true;
  if (at->op == Op::this_ && at_.frame->self == 0) return false;
  const Place member = place(pointer);
  if (!member.known()) return false;
  if (member.type->kind == Kind::array) return m.fill(member.address, std::byte{0}, member.type->bytes, why), true;
  if (member.type->kind != Kind::pointer && member.type->kind != Kind::vector) return false;
  poison_contents(m.word(member.address), why);
  return true;
}

/// The variable or array that an expression names: all of it is unknown. `by_value`: only what it points to.
void Evaluator::poison_target(const Expr& e, Reason why, bool by_value) {
  if (!by_value && poison_after_member(e, why)) return;
  if (const Type* t = by_value ? static_type(e) : nullptr; t != nullptr && t->is_number()) return;
  const Expr* at = &e;
  bool through = false;  // an element of it, or what it points to
  bool addressed = false;
  for (int hops = 0; hops < deepest_target; ++hops) {
    const bool element = at->op == Op::index || at->op == Op::dereference || at->op == Op::arrow;
    const bool moved = at->op == Op::add || at->op == Op::subtract;
    const bool part = at->op == Op::member || at->op == Op::cast || at->op == Op::address || at->op == Op::before_add ||
                      at->op == Op::after_add || at->op == Op::call;
    if (!element && !moved && !part) break;
    if (at->parts.empty() || at->parts[0] == nullptr) return;
    through = through || element || moved;
    addressed = addressed || at->op == Op::address;
    at = at->parts[0];
  }
  if (at_.globals_only && at->op != Op::global) return;
  if (at->op == Op::this_) {
    if (at_.frame->self != 0) m.poison_all(at_.frame->self, why);
    return;
  }
  if (at->op != Op::local && at->op != Op::global) return;
  const Slot& s = slot_of(*at);
  if (s.type == nullptr || s.type->kind == Kind::text) return;
  if (s.type->kind == Kind::vector) return poison_contents(m.word(s.address), why);
  if (s.type->kind == Kind::pointer) {
    poison_contents(m.word(s.address), why);
    if (!through && !by_value) m.write(s.address, s.type->bytes, nullptr, why);
    return;
  }
  if (by_value && !addressed && s.type->is_number()) return;
  if (s.owned)
    m.poison_all(s.address, why);
  else
    m.write(s.address, s.type->bytes, nullptr, why);
}

}  // namespace lanescope::source::host
