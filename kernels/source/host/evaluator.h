#pragma once
// Evaluates host code: expressions give values, statements change memory. The functions of the file are executed; those
// of the CUDA runtime and of the C++ library are rows of a table that the evaluator gets (function.h), and their
// operations are logged (log.h).

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/host/c_random.h"
#include "kernels/source/host/log.h"
#include "kernels/source/host/program/program.h"

namespace lanescope::source::host {

// Which functions of the file name which others, and which launch kernels, as far as their words show.

class CallGraph {
 public:
  explicit CallGraph(const Program& program) : p_(program) {}

  /// Whether its own body launches.
  bool launches(int function);
  /// Whether the function, or one that it calls, can launch a kernel.
  bool may_launch(int function);
  /// A function and those that it calls, as far as they name a global. A loop requests it in each iteration.
  const std::vector<int>& naming_globals(int function);
  /// Whether a function or method of this name can.
  bool may_launch(std::string_view name);
  /// Functions that launch and are not in `executed`, and before them those that call them: a template has the arguments
  /// that these give it. The caller executes them in this order, and passes over those that have been executed meanwhile.
  std::vector<int> roots(const std::set<int>& executed);

  /// Whether the function, or one that it calls, names rand() or another generator of the C library.
  bool draws(int function);

  /// Whether a kernel or another function of the device names a variable.
  bool device_names(std::string_view variable);

  std::uint64_t tokens_searched = 0;  ///< by naming_globals()

 private:
  template <class Visit>
  void each_reached(int function, Visit visit);
  /// The names in the function's body.
  const std::set<std::string_view>& names(int function);
  /// Functions of the file that its body names.
  std::vector<int> called(int function);
  bool is_kernel(int function) const { return p_.function(function).info.is_kernel; }
  int count() const { return p_.function_count(); }

  const Program& p_;
  std::map<int, std::set<std::string_view>> names_;
  std::vector<bool> may_launch_;
  std::set<std::string_view> launching_;  ///< their names
  std::map<int, bool> draws_;
  std::map<int, std::vector<int>> naming_globals_;  ///< as long as there are as many globals
  std::size_t globals_known_ = 0;
};

// A function that is not of the file: a row of the table of the CUDA runtime and the C++ library (library.h).

struct Value;
struct Call;

/// nullopt: with these arguments the function is as unknown as one without a row.
using Handler = std::optional<Value> (*)(Call&);

struct LibraryFunction {
  std::string_view names;              ///< one, or several that are handled alike
  std::uint8_t least = 0, most = 255;  ///< arguments that it takes; more than one row may have a name
  Handler handler = nullptr;
  bool waits = false;  ///< for the kernels before it
  bool ends_program = false;
  /// A function of numbers: `sin` of a double, and `sinf`, or `sin` of a float.
  double (*of_one)(double) = nullptr;
  double (*of_two)(double, double) = nullptr;
  float (*of_float)(float) = nullptr;
  float (*of_two_floats)(float, float) = nullptr;
  /// `floats`: its arguments are floats.
  bool is_narrow(std::string_view name, bool floats) const { return name != names || floats; }
  double computed(double x, double y, bool narrow) const {
    const auto a = static_cast<float>(x), b = static_cast<float>(y);
    if (of_one != nullptr) return narrow ? static_cast<double>(of_float(a)) : of_one(x);
    return narrow ? static_cast<double>(of_two_floats(a, b)) : of_two(x, y);
  }
};

struct Library {
  /// nullptr: there is no such row.
  const LibraryFunction* (*function)(std::string_view name, std::size_t arguments);
  Handler method;  ///< of an object that is no structure of the file
};

/// Why a parameter of `main` is unknown.
inline constexpr std::string_view words_of_command_line = "it comes from the command line";

enum class Flow : std::uint8_t { next, break_, continue_, return_, goto_ };

/// Thrown to the `try` around a `throw`.
struct Exception {
  Value value;
};

/// Operands of an expression, or arguments of a call.
using Arguments = std::span<Expr* const>;

/// Arguments of a constructor: in braces (`list`), with the members' names in `words`, or in parentheses.
struct Initial {
  Arguments arguments{};
  bool list = false;
  const Expr* words = nullptr;
};
inline Initial braces(const Expr& list) { return {list.parts, true, &list}; }

class Evaluator {
 public:
  /// `never_leave`: exit() and returns from `main` before the first launch are passed over.
  Evaluator(Program& program, CallGraph& graph, TypedMemory& memory, Budget& budget, Log& log, Notes& notes,
            const HostLimits& limits, const Library& library, bool never_leave, int number_of_command_line)
      : p(program),
        m(memory),
        budget(budget),
        log(log),
        notes(notes),
        limits(limits),
        never_leave(never_leave),
        number_of_command_line(number_of_command_line),
        graph_(graph),
        library_(library) {
    p.evaluate = [this](const Expr* e) { return e != nullptr ? constant(*e) : std::nullopt; };
  }
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// Executes the declarations of the file, before all else.
  void globals();
  /// Executes a function that nothing calls. `parameter`: why its parameters are unknown; `prepare` may set them.
  using Prepare = std::function<void(std::size_t parameter, const Place& at)>;
  void root(int function, const Bindings& bindings, bool is_main, Reason parameter, const Prepare& prepare);

  // expressions.cpp, places.cpp
  Value eval(const Expr& e);
  Value value(const Expr& e) { return m.decayed(eval(e)); }  ///< arrays as pointers
  Value whole(const Expr& e) { return m.convert(eval(e), p.types.i64); }
  Place place(const Expr& e);
  void store(const Place& at, const Value& v, int line);
  void own_elements(Address at, const Type* t, int line, int depth = 0);
  void own_elements_of(Address first, const Type* of, std::uint64_t count, int line, int depth = 0);
  Value load(const Place& at, int line);
  void host_accesses_device(const Object& o, int line);
  void note_store(Address at, std::uint64_t bytes, int line);  ///< the host has written there
  const Type* static_type(const Expr& e);  ///< without evaluating it, as sizeof does; nullptr: unknown

  std::optional<std::string> characters_of(const Value& v);
  Value text_value(const std::string& characters, int line);  ///< a std::string, until the statement ends

  // objects.cpp
  void construct(Address at, const Type* t, const Initial& initial, int line);
  /// Constructs from a list in braces, or stores an expression.
  void initialise(const Place& at, const Expr& e, int line);
  void resize(const Place& vector, std::uint64_t elements, int line);
  void fill(const Place& vector, std::uint64_t first, std::uint64_t last, const Value& x, int line);
  /// Whether the bytes of an object may be set one by one; false: they are too many, and all of them are unknown.
  bool follows(Address a, int line);
  Value made(const Type* t, const Initial& initial, int line);  ///< a temporary
  Value by_operator(const Value& v, const Type* to, int line);

  // calls.cpp
  Value call_code(const Value& code, Arguments arguments, int line);
  /// Without copies of packs whose elements have no value in this frame.
  std::vector<Expr*> without_missing(Arguments arguments);
  Value unknown_call(std::string_view name, Arguments arguments, int line);
  void note_left_out(std::string_view name, int line);
  /// Makes the target of a pointer argument unknown.
  void poison_pointee(const Expr& argument, const Value& v, Reason why);
  /// The only function that a call of this name can mean, if it is no template, kernel or method, and takes no references.
  const FunctionBody* plain_function(const Expr& name);
  const Expr* lambda_of(const Value& v) const;
  /// The function of the file that a value is, as it was named; nullptr: none.
  const Expr* function_of(const Value& v) const;

  // launches.cpp
  IssuedIn issued_in(std::string_view call, Arguments arguments, std::size_t stream);
  Value launch(const Expr& e);  ///< kernel<<<grid, block, bytes, stream>>>(arguments)
  Value launch_by_pointers(Arguments arguments, bool cooperative, int line);  ///< cudaLaunchKernel
  Value launch_by_configuration(Arguments arguments, int line);               ///< cudaLaunchKernelEx
  Value set_attribute(Arguments arguments, int line);                         ///< cudaFuncSetAttribute

  // templates.cpp
  /// Binds the parameters of a function's template: as written, else from the types of its arguments, else by default.
  bool deduce(int function, const Expr& name, const std::vector<const Type*>& given, Bindings& out);

  // assigned.cpp
  void poison_target(const Expr& e, Reason why, bool by_value = false);

  Program& p;
  TypedMemory& m;
  Budget& budget;
  Log& log;
  Notes& notes;
  const HostLimits& limits;
  Random random;
  const bool never_leave;
  const int number_of_command_line;  ///< a number that is read from there
  /// The place that the last call returned by reference.
  struct Reference {
    const Expr* call = nullptr;  ///< its callee
    Place place{};
  };
  void returns_reference(const Expr& callee, const Place& at) { reference_ = {&callee, at}; }
  const std::set<int>& executed() const { return executed_; }
  const LibraryFunction* library_function(std::string_view name, std::size_t arguments) const {
    return library_.function(name, arguments);
  }
  std::vector<std::pair<Address, std::string_view>> unset_globals;  ///< that have no initial value

 private:
  static constexpr int deepest_evaluation = 350;  ///< of expressions and of objects that are made

  /// Position of the evaluation, restored after a call, a loop that is left, and a constant.
  struct Position {
    Frame* frame = nullptr;
    int depth = 0, eval_depth = 0, statement_depth = 0, poison_depth = 0;
    const Type* return_type = nullptr;
    bool return_reference = false;
    Address returned_memory = 0;
    bool in_main = false;
    int tries = 0;               ///< `try` statements that are executed
    bool constant_only = false;  ///< while a body is parsed: locals have no value
    bool globals_only = false;   ///< poison_target: the frame is not that of the expression
  };
  struct Mark {
    Position at;
    Log::Certainty certainty;
    std::size_t temporaries;
  };
  Mark mark() const { return {at_, log.certainty, m.temporaries()}; }
  void go_back(const Mark& mark);
  std::optional<std::int64_t> constant(const Expr& e);

  // expressions.cpp
  Value eval_in(const Expr& e);
  Value of_one(const Expr& e);
  Value both_or_either(const Expr& e);
  Value conditional(const Expr& e);
  Value combined(Op op, const Value& a, const Value& b, int line);
  Value size_of(const Expr& e);
  Value new_object(const Expr& e);
  Value text(const Expr& e);
  Value named(const Expr& e);
  Value statements(const Expr& e);
  Value change(const Expr& e);
  Value assign(const Expr& e);
  Value assign_tied(const Expr& tied, const Expr& right);

  // places.cpp
  Place place_in(const Expr& e);
  Place of_value(const Value& v, int line);
  Place element(const Expr& e);
  Place object_of(const Expr& member);
  Slot& slot(Frame& f, int i);
  Slot& slot_of(const Expr& e) { return slot(e.op == Op::global ? globals_ : *at_.frame, e.slot); }

  // statements.cpp
  Flow execute(const Stmt& s);
  Flow execute_in(const Stmt& s);
  Flow block(const Stmt& s, std::size_t from);
  Flow try_statement(const Stmt& s);
  Flow return_statement(const Stmt& s);
  Flow if_statement(const Stmt& s);
  Flow loop(const Stmt& s);
  Flow loop_in(const Stmt& s);
  Flow range_loop(const Stmt& s);
  Flow switch_statement(const Stmt& s);
  Flow body_of(const Stmt& s, std::size_t from);
  void declare(const Declared& d);
  void declare_in(const Declared& d);
  void bind_parts(const Declared& d);
  void poison_statics(Reason why);
  void uncertain(const Stmt& s, Reason why, auto execute);
  bool leaves(const Stmt* s, int calls = 0);

  // assigned.cpp
  void poison_assigned(const Stmt& s, Reason why);
  void poison_assigned(const Expr& e, Reason why);
  void poison_assigned_by_lambda(const Expr& name, Reason why);
  void poison_size(const Expr& e, bool pointer, Reason why);
  void poison_contents(Address a, Reason why);
  bool poison_after_member(const Expr& e, Reason why);
  void poison_globals_of(int function, Reason why);

  struct Argument {
    Value value{};
    Place place{};  ///< of an expression that names one
  };

  // objects.cpp
  void construct_in(Address at, const Type* t, const Initial& initial, int line);
  void construct_array(Address at, const Type* t, const Initial& initial, int line);
  void construct_record(Address at, const Type* t, const Initial& initial, int line,
                        const Argument* evaluated = nullptr);
  bool converts(const Value& v, const Type* to) const;
  void set(const Place& at, const Value& v, const Expr& e, int line);
  void bind(Address object, const Member& reference, const Expr& to);
  void construct_vector(Address at, const Type* t, const Initial& initial, int line);
  std::string_view operator_of(int function) const;
  std::optional<Value> allocated_by_class(const Type* t, std::uint64_t bytes, int line);
  std::optional<Value> assigned_by_operator(const Place& object, const Expr& right, int line);
  void note_plain_copy(const Type* t, int line, int depth = 0);

  // calls.cpp
  Value call(const Expr& e);
  bool has_derived(int record) const;
  struct Methods {
    std::vector<int> functions;
    int record = -1;
  };
  std::optional<Methods> methods_named(std::string_view name, int record, Address self);
  Value method(const Place& object, const Expr& member, Arguments arguments, int line);
  Value call_function(const std::vector<int>& overloads, const Expr& name, Arguments arguments, Address self,
                      int record, int line);
  struct Chosen {
    int function = -1;
    const FunctionBody* body = nullptr;
    const Bindings* bound = nullptr;
  };
  Chosen chosen(const std::vector<int>& overloads, const Expr& name, const std::vector<const Type*>& given, int record);
  Argument argument(const Expr& e);
  Value call_evaluated(const std::vector<int>& overloads, const Expr& name, Arguments arguments,
                       const std::vector<Argument>& values, Address self, int record, int line);
  void pass(Frame& f, const FunctionBody& body, Arguments arguments, const std::vector<Argument>& values, int line);
  void run_body(const Stmt& body);
  bool execute_limited(const FunctionBody& body, int function, int line);

  // launches.cpp
  struct Launched {
    HostLaunch launch;
    int kernel = -1;
    Reason why_unknown = 0;  ///< of the pointer to the kernel
    std::vector<std::pair<Value, const Expr*>> arguments{};
    std::vector<const Type*> given{};
  };
  int kernel_named(std::string_view name, std::size_t arguments) const;
  std::string_view parameter_type(int kernel, std::size_t i) const;
  const Expr* kernel_of(const Expr* name, Reason* why = nullptr);
  void check_shared(const HostLaunch& l, std::string_view kernel);
  void check_argument(Address at, const HostLaunch& l);
  /// By kernel: bytes of dynamic shared memory that an attribute allows; "": of one that is not known.
  std::map<std::string, std::int64_t> shared_limits_;
  static constexpr std::int64_t most_shared = 227 << 10;  ///< of a block of an H200
  std::optional<std::array<std::uint32_t, 3>> extents(const Value& v, std::string_view what, HostLaunch& l);
  std::optional<std::array<std::uint32_t, 3>> extents(const Expr& e, std::string_view what, HostLaunch& l);
  void pass(const Expr& argument, Launched& l);
  void add_defaults(Launched& l, const Bindings& of_kernel);
  Value finish(Launched l, const Expr& name, const IssuedIn& in, bool defaults);
  std::string instance(const Expr& name, Launched& l);
  bool unbound(const Expr& name, const std::vector<std::string>& words);

  // templates.cpp
  void bind_from(const Lexed& l, int first, int last, const Type* t, const TemplateParameter& parameter, Bound& out);
  void bind_value(const Expr& name, std::size_t i, Bound& b);
  std::vector<std::string> template_words(const Expr& name, int kernel);

  CallGraph& graph_;
  const Library& library_;
  Position at_;
  Frame globals_;
  std::deque<Frame> frames_;
  std::uint64_t serial_ = 0;
  Value returned_;
  Reference reference_{};
  Flow pending_ =
      Flow::next;  ///< how a statement inside of an expression has ended: the statement around it ends so, too
  std::string_view goto_{};  ///< the label that Flow::goto_ leads to
  bool limited_ = false;     ///< in a function with a budget of its own
  std::set<int> executed_;
  struct Closure {
    const Expr* lambda = nullptr;
    Frame* frame = nullptr;
    std::uint64_t serial = 0;
    const Expr* named = nullptr;
    std::vector<std::pair<int, Slot>> held{};  ///< what a lambda has captured by value
    bool runs = false;
  };
  std::map<Address, Closure> closures_;
  std::set<const Expr*> poisoned_lambdas_;   ///< since poison_assigned() began
  std::map<const Declared*, Slot> statics_;  ///< local variables that outlive a call
  std::map<std::string, Address, std::less<>> code_;
  std::map<std::string_view, Address> strings_;
  std::deque<Bindings> bindings_;
};

/// `(void**)&p` as `p`.
const Expr& without_casts(const Expr& e);
/// A name with its template arguments, as written.
inline std::string written(const Expr& name) { return std::string(name.source.empty() ? name.text : name.source); }
/// `std::tie(a, b)`
inline bool ties(const Expr& e) {
  return e.op == Op::call && e.parts[0]->op == Op::name && e.parts[0]->text == "tie" &&
         (e.parts[0]->source == "tie" || e.parts[0]->source == "std::tie");
}
bool has_word(std::string_view text, std::string_view word);
inline bool names_place(const Expr& e) {
  return e.op == Op::local || e.op == Op::global || e.op == Op::index || e.op == Op::member || e.op == Op::arrow ||
         e.op == Op::dereference;
}

}  // namespace lanescope::source::host
