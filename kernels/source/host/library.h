#pragma once
// The CUDA runtime and the C++ library as host code calls them: a table with a row for functions that are handled alike.

#include <span>

#include "kernels/source/host/evaluator.h"

namespace lanescope::source::host {

const Library& library();

// The rows by subject.
std::span<const LibraryFunction> c_functions();          // library_c.cpp: numbers, texts, allocations, the process
std::span<const LibraryFunction> algorithm_functions();  // library_algorithms.cpp
std::span<const LibraryFunction> copy_functions();       // library_copies.cpp: allocations, copies and memsets
std::span<const LibraryFunction> stream_functions();     // library_streams.cpp
std::span<const LibraryFunction> device_functions();     // library_device.cpp: the GPU's properties and limits

std::optional<Value> library_method(Call& c);  // library_methods.cpp

/// Evaluates the arguments: the call has no effect on launches.
std::optional<Value> no_effect(Call& c);
/// A call of the runtime whose result depends on the machine: the targets of its arguments become unknown.
std::optional<Value> depends_on_machine(Call& c);

// A call of a row of the library's table (function.h): its arguments, and what the handler computes with.

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
  /// An array as a pointer, a structure of the file as its own operator converts it.
  Value value(std::size_t i) {
    const Value v = in.value(*arguments[i]);
    return v.is(Kind::record) ? in.by_operator(v, nullptr, line) : v;
  }
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
