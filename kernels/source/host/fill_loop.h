#pragma once
// Loops that fill arrays with what arithmetic gives, executed without walking the tree again for each element:
//
//   for (int i = 0; i < n; ++i) { a[i] = i % 7 * 0.5f; b[i * 2 + 1] = (float)rand() / RAND_MAX; }
//
// The loop counts one integer up by a constant; its body consists of assignments to elements of arrays; what they compute is
// arithmetic over the counter, values that the loop does not change, random numbers, and elements of arrays that the loop
// does not write. The result is that of the tree, bit for bit: who cannot promise that leaves the loop to it, from any
// iteration on.

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/source/host/machine.h"

namespace lanescope::source::host {

class FillLoop {
 public:
  /// nullopt: the loop is of another kind. Evaluates what does not change, which has no effects.
  static std::optional<FillLoop> of(Machine& machine, const Stmt& loop);
  /// Executes iterations until the condition is false, the budget of steps is used up, or one cannot be executed here. The
  /// counter then has the value of the next iteration, of which nothing has happened.
  void run();

  /// The same of std::generate: `count` elements at `at`, each the value of `made`, which names no local. Returns how many
  /// there are now.
  static std::uint64_t generate(Machine& machine, const Expr& made, Address at, const Type* of, std::uint64_t count);

  static constexpr std::uint64_t nodes_of_step = 64;  ///< that are evaluated in the time of a step of the tree

 private:
  struct Number {
    std::int64_t i = 0;
    double f = 0;
  };
  enum class Does : std::uint8_t { constant, counter, convert, arithmetic, negate, complement, random, load, choose };
  struct Node {
    Does does = Does::constant;
    Op op = Op::add;
    const Type* type = nullptr;
    const Type* from = nullptr;  ///< convert: of the operand; arithmetic: of both operands
    Number value{};              ///< constant; load: `i` is the address of the array
    int a = -1, b = -1, c = -1;
  };
  struct Store {
    Address base = 0;
    const Type* type = nullptr;
    int index = -1, value = -1;
    Object* object = nullptr;
  };

  explicit FillLoop(Machine& machine) : m_(machine) {}
  bool read(const Stmt& loop);
  bool read_head(const Stmt& loop);
  bool read_body(const Stmt& body);
  bool read_store(const Expr& e);
  bool unchanging(const Expr& e) const;
  bool element(const Expr& e, Address& base, const Type*& type, int& index);
  int node(const Expr& e);
  int add(Node n);
  int converted(int n, const Type* to);
  int arithmetic(Op op, int a, int b);
  bool evaluate(int n, Number& out);
  static bool compute(const Node& n, Number a, Number b, Number& out);
  Number cut(Number v, const Type* t) const;

  std::uint64_t steps_of(std::uint64_t iterations) const {
    return iterations * (nodes_.size() + 2 * stores_.size() + 1) / nodes_of_step;
  }

  Machine& m_;
  int counter_slot_ = -1;
  Address counter_at_ = 0;
  const Type* counter_type_ = nullptr;
  std::int64_t step_ = 1, now_ = 0;
  int condition_ = -1;
  bool draws_ = false;
  std::vector<Node> nodes_;
  std::vector<Store> stores_;
  std::vector<Object*> loaded_;
};

}  // namespace lanescope::source::host
