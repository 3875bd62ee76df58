#pragma once
// A call of a row of the library's table (function.h): its arguments, and what the handler computes with.

#include "kernels/source/host/evaluator.h"

namespace lanescope::source::host {

struct Call {
  Evaluator& in;
  std::string_view name;
  Arguments arguments;
  const Expr& callee;
  int line = 0;
  Place object{};                        ///< of a method
  const LibraryFunction* row = nullptr;  ///< of a function

  std::size_t size() const { return arguments.size(); }
  const Expr& expr(std::size_t i) const { return *arguments[i]; }
  Value eval(std::size_t i) { return in.eval(*arguments[i]); }
  Value value(std::size_t i) { return in.value(*arguments[i]); }  ///< an array as a pointer
  Value whole(std::size_t i) { return in.whole(*arguments[i]); }
  Value real(std::size_t i) { return in.m.convert(in.value(*arguments[i]), types().double_); }
  Place place(std::size_t i) { return in.place(*arguments[i]); }
  void eval_all(std::size_t from = 0) {
    for (; from < size(); ++from) eval(from);
  }
  void poison_all(Reason why) {
    for (std::size_t i = 0; i < size(); ++i) in.poison_pointee(expr(i), eval(i), why);
  }
  Reason reason(std::string words) const { return in.m.reason(std::move(words)); }
  TypeTable& types() const { return in.p.types; }
  Value integer(std::int64_t v) const { return number(v, types().int_); }
  Value count(std::uint64_t v) const { return number(static_cast<std::int64_t>(v), types().u64); }
  Value success() const { return integer(0); }
  Value nothing() const { return {.type = types().void_}; }
  /// Into the first argument's place and the like; a pointer that is unknown leads nowhere.
  void store(const Value& pointer, const Type* t, const Value& v) {
    if (pointer.known()) in.store({pointer.address(), t}, v, line);
  }
};

}  // namespace lanescope::source::host
