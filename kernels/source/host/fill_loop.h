#pragma once
// Loops that fill arrays by arithmetic, executed without walking the tree for each element:
//
//   for (int i = 0; i < n; ++i) { a[i] = i % 7 * 0.5f; b[i * 2 + 1] = (float)rand() / RAND_MAX; }
//
// The body becomes a list of typed operations on registers, once. It consists of assignments to elements of arrays, also in
// branches, and of variables of its own; what they compute is arithmetic over the counter, values that the loop does not
// change, functions of numbers, random numbers, and elements of arrays. Many iterations are executed together where the
// loop counts one integer by a constant and depends on no iteration before. A loop that reads what it writes, or that
// changes other variables (`sum += a[i]`, `seed = seed * 5 + 1`, `while (i < n)`), is executed in order, one iteration
// after the other. The result is that of the tree, bit for bit: if that is not certain, the tree executes the loop, from
// any iteration on.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "kernels/source/host/evaluator.h"
#include "kernels/source/host/number_rules.h"

namespace lanescope::source::host {

inline bool plain_number(const Type* t) {
  return t != nullptr && t->is_number() && (t->kind != Kind::floating || t->bytes >= 4);
}
/// Floats of 8 and 16 bits are converted and stored here, and the tree computes with them.
inline bool is_narrow(const Type* t) { return t != nullptr && t->kind == Kind::floating && t->bytes < 4; }

class FillLoop {
 public:
  /// nullopt: the loop is of another kind. Evaluates invariant expressions, which have no effects.
  static std::optional<FillLoop> of(Evaluator& in, const Stmt& loop);
  /// Executes iterations until the condition is false, the budget of steps is used up, or one cannot be executed here.
  /// The counter then has the value of the next iteration, of which nothing has happened.
  void run();

  /// The same of std::generate: `count` elements at `at`, each the value of `made`, which names no local. Returns how
  /// many there are now.
  static std::uint64_t generate(Evaluator& in, const Expr& made, Address at, const Type* of, std::uint64_t count);

  struct Code;                                                ///< the operations, below
  static constexpr int width = 64;                            ///< iterations that are done together
  static constexpr std::uint64_t instructions_of_step = 512;  ///< that are executed in the time of a step of the tree
  static constexpr std::uint64_t in_order_of_step = 128;      ///< the same, of a loop that is executed in order

 private:
  /// A register: integers as their type's value, floats as the double of that value.
  union Word {
    std::int64_t i;
    double f;
  };
  /// One typed operation on registers of up to `width` iterations, which are done together where the code has no jumps
  /// and draws at most one random number. It returns the number of instructions to skip; -1: it has no value, and the
  /// tree has to execute it.
  struct Instruction {
    int (*run)(Word* registers, const Instruction& what, FillLoop& loop, int lanes) = nullptr;
    int to = 0, a = 0, b = 0;  ///< registers; once the code is whole, times `width`
    int skip = 0;              ///< jumps: how many instructions
    Object* object = nullptr;  ///< load: the array, and at which byte of it element 0 is
    std::int64_t first_byte = 0;
    std::uint64_t stride = 0;    ///< load: bytes from one element to the next
    std::size_t stores = 0;      ///< load: how many stores of the iteration precede it
    const Type* type = nullptr;  ///< of a smaller float that is made, or of a function's numbers
    const LibraryFunction* function = nullptr;
  };
  struct Store {
    Address base = 0;
    std::int64_t first_byte = 0;  ///< of element 0 in the object
    std::uint64_t stride = 0;     ///< bytes from one element to the next
    const Type* type = nullptr;
    int index = -1, value = -1, line = 0;
    int when = -1;  ///< a flag: whether the iteration stores; -1: each does
    Object* object = nullptr;
    std::uint64_t first = ~std::uint64_t{0}, last = 0;  ///< bytes that were written
    std::vector<std::uint64_t> places{};                ///< by lane: the byte of the object
  };

  /// An element of an array, or a number in it: `a[i]`, `*(a + i)`, `m[2][i]`, `points[i].x`.
  struct Element {
    Address base = 0;
    const Type* type = nullptr;
    std::uint64_t stride = 0;
    const Expr* index = nullptr;
  };
  /// A variable: of the body, or of the code around it that the body changes.
  struct Variable {
    int reg = -1;
    bool changes = false;
    bool known = true;  ///< false: nothing has set it
    Address at = 0;     ///< of the code around; 0: of the body
    const Type* type = nullptr;
  };
  using Name = std::pair<Op, int>;  ///< Op::local or Op::global, and its slot

  explicit FillLoop(Evaluator& in) : in_(in) {}
  bool read(const Stmt& loop);
  bool read_head(const Stmt& loop);
  bool read_any_head(const Stmt& loop);
  bool read_step(const Expr& e);
  bool read_condition(const Expr& e);
  bool read_body(const Stmt& body);
  bool read_if(const Stmt& s);
  bool read_branch(const Stmt& body, int& flag);
  bool read_variable(const Declared& d);
  void note_assigned(const Stmt& s);
  void note_assigned(const Expr& e);
  void take_assigned();
  bool in_order() const;
  bool is_apart() const;
  bool has_register(const Expr& e) const;
  Variable* variable(const Expr& e);
  int assign(const Expr& e);  ///< the register of what is assigned, or of an increment; -1: it cannot be done here
  bool put_later(const Element& to, int index, int value, int line);
  int loaded(const Element& from, int index);
  bool unchanging(const Expr& e) const;
  void hold(const Expr& e, bool reads = true);
  bool array_of(const Expr& e, Element& out);
  int index_of(const Element& e);
  // Each emits code and returns the register with the value; -1: it cannot be done here.
  int node(const Expr& e);
  int constant(const Type* type, Word value);
  int converted(int reg, const Type* to);
  int combination(Op op, int a, int b);
  int call(const Expr& e);
  int of_file(const Expr& call);
  int of_one(Op op, int a);
  int choice(const Expr& e);
  int fresh(const Type* type);
  bool emit(const Instruction& i);
  const Type* type_of(int reg) const { return types_[static_cast<std::size_t>(reg)]; }
  /// Executes code_[first, last); false: some operation has no value.
  bool execute(std::size_t first, std::size_t last, int lanes);
  void widen();
  /// One iteration, or several that nothing ends; 0: the tree continues.
  std::uint64_t iterations(int lanes);
  bool places(int lanes);
  bool stores(const Store& s) { return s.when < 0 || lanes_of(s.when)->i != 0; }
  std::uint64_t bits_of(int reg, const Type* type, int lane = 0) const;
  Word* lanes_of(int reg) { return registers_.data() + static_cast<std::ptrdiff_t>(reg) * width; }
  void put(Store& store, std::uint64_t at, std::uint64_t bits);
  template <class T>
  void put_all(Store& store, int lanes);
  bool ready(const Store& store, int lanes) const;

  std::uint64_t steps_of(std::uint64_t iterations) const {
    return iterations * (code_.size() + 4 * stores_.size() + 4) / (in_order_ ? in_order_of_step : instructions_of_step);
  }

  Evaluator& in_;
  int counter_slot_ = -1, counter_ = -1;
  Address counter_at_ = 0;
  const Type* counter_type_ = nullptr;
  std::int64_t step_ = 1, now_ = 0;
  int condition_ = -1;
  std::size_t body_ = 0;  ///< where the code of the condition ends
  bool draws_ = false, jumps_ = false;
  bool apart_ = true;  ///< each store has an array of its own
  int draw_count_ = 0;
  std::vector<Instruction> code_;
  std::vector<Word> registers_;
  std::vector<const Type*> types_;  ///< of the registers
  std::vector<Store> stores_;
  std::vector<Object*> loaded_;
  std::vector<Object*> held_;  ///< objects that are read once, before the loop: no iteration may write to them
  std::map<Name, Variable> variables_;
  std::map<Name, const Expr*> assigned_;  ///< variables that the loop assigns
  std::set<int> declared_;                ///< slots of those of the body
  bool in_order_ = false;                 ///< an iteration depends on those before it
  int effects_ = 0;                       ///< assignments that were read
  int calls_ = 0;                         ///< functions of the file, within each other, whose body is read
  bool changes_ = false;                  ///< a variable changes its register
  static constexpr int most_calls = 4;
  std::vector<Word> before_{};
  int when_ = -1;  ///< the flag of the branch that is read
  std::vector<int> flags_;
};

// The operations of filling loops by their types.

/// Each does its operation for `lanes` iterations at once; an instruction's registers are the places of their first lanes.
struct FillLoop::Code {
  using Word = FillLoop::Word;
  using Instruction = FillLoop::Instruction;
  using Run = int (*)(Word*, const Instruction&, FillLoop&, int lanes);

  static Run operation(Op op, const Type* in);  ///< of two numbers of type `in`; a shift's second is any integer
  static Run conversion(const Type* from, const Type* to);
  static Run loading(const Type* element);
  static int load_in_order(Word* r, const Instruction& w, FillLoop& loop, int lanes);  ///< also what was just stored
  static int negate(Word* r, const Instruction& w, FillLoop& loop, int lanes);         ///< of a float
  static int function(Word* r, const Instruction& w, FillLoop& loop, int lanes);
  static int narrow(Word* r, const Instruction& w, FillLoop& loop, int lanes);  ///< a double to a smaller float's value
  static int move(Word* r, const Instruction& w, FillLoop& loop, int lanes);
  static int skip(Word* r, const Instruction& w, FillLoop& loop, int lanes);
  static int skip_unless(Word* r, const Instruction& w, FillLoop& loop, int lanes);  ///< `a` is a truth value
  static int draw(Word* r, const Instruction& w, FillLoop& loop, int lanes);         ///< rand()
};

}  // namespace lanescope::source::host
