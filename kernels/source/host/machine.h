#pragma once
// Executes host code. One machine is one run.

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/host/c_random.h"
#include "kernels/source/host/host_run.h"
#include "kernels/source/host/memory.h"
#include "kernels/source/host/program/program.h"
#include "kernels/source/host/stream_order.h"

namespace lanescope::source::host {

struct Value {
  const Type* type = nullptr;
  std::int64_t i = 0;  ///< integers, pointers, the address of what is in memory
  double f = 0;
  Reason unknown = 0;
};

struct Place {
  Address address = 0;
  const Type* type = nullptr;
  Reason unknown = 0;  ///< which place it is
};

struct Slot {
  const Type* type = nullptr;
  Address address = 0;
  bool owned = false;
};

struct Frame {
  std::deque<Slot> slots;
  Address self = 0;
  int record = -1;
  const Bindings* bindings = nullptr;
  std::uint64_t serial = 0;
  bool alive = true;
};

/// Why a parameter of `main` is unknown, and what a number is taken as that is read from there where `main` needs it.
inline constexpr std::string_view words_of_command_line = "it comes from the command line";
inline constexpr int number_of_command_line = 128;
/// Where a launch would have more threads in a block than any device takes.
inline constexpr int small_number_of_command_line = 16;
/// Whether it asks for more threads in a block than any device takes.
bool block_too_large(const HostLaunch& l);

/// How a statement ended.
enum class Flow : std::uint8_t { next, break_, continue_, return_ };

inline constexpr std::uint64_t bytes_of_step = 256;  ///< of memory that are moved or described for one step

class Machine {
 public:
  /// `words`: argc where there is no command line.
  Machine(Program& program, const HostLimits& limits, bool never_leave, std::vector<std::string> command_line = {},
          int words = 1, int number = number_of_command_line);

  HostRun run();

 private:
  friend struct Library;
  friend class FillLoop;
  struct Loop {
    std::uint64_t deadline = 0;
  };
  /// Where the machine was, for when what it began there is left.
  struct Mark {
    std::size_t temporaries = 0;
    Frame* frame = nullptr;
    int depth = 0, eval_depth = 0, statement_depth = 0, uncertain = 0;
    Reason uncertain_why = 0;
    const Type* return_type = nullptr;
    bool return_reference = false;
    Address returned_memory = 0;
  };
  /// Thrown to the loop that has exceeded its budget.
  struct Abandon {
    std::size_t loop;
  };
  /// Thrown to the root: exit(), or nothing is left to spend.
  struct Stop {};

  // machine.cpp
  void globals();
  Address argument_texts();
  void root(int function, bool called);
  const Bindings& guessed_bindings(int function);
  bool has_launch(const FunctionRange& f) const;
  void uncalled_roots();
  void uncalled_root(int function);
  void step();
  /// Until some loop, or all, has used up its budget.
  std::uint64_t steps_until_check() const;
  /// A loop begins; its budget in steps.
  std::uint64_t begin_loop();
  Mark mark() const;
  /// As at the mark, but memory and the budget of loops; temporaries that were made since are released.
  void go_back(const Mark& mark);
  void note_random();
  void note(std::string words);
  void assume(Assumption::Code code, int line, std::string value, std::string because);
  Reason because(std::string words) { return memory_.reason(std::move(words)); }
  Value unknown_value(const Type* t, Reason why) const { return {.type = t, .unknown = why}; }

  // machine_statements.cpp
  Flow execute(const Stmt& s);
  Flow execute_in(const Stmt& s);
  Flow if_statement(const Stmt& s);
  Flow loop(const Stmt& s);
  Flow loop_in(const Stmt& s);
  Flow range_loop(const Stmt& s);
  Flow switch_statement(const Stmt& s);
  Flow body_of_switch(const Stmt& s, std::size_t from);
  void declare(const Declared& d);
  void uncertain(const Stmt& s, Reason why);
  void poison_assigned(const Stmt& s, Reason why);
  void poison_assigned(const Expr& e, Reason why);
  bool poison_behind_member(const Expr& e, Reason why);
  void poison_target(const Expr& e, Reason why, bool by_value = false);
  void poison_globals_of(int function, Reason why);
  const std::vector<int>& naming_globals(int function);
  bool leaves(const Stmt* s, int calls = 0);

  // machine_values.cpp
  Value eval(const Expr& e);
  Value eval_in(const Expr& e);
  Value convert(Value v, const Type* to);
  Value decayed(Value v);
  Value arithmetic(Op op, Value a, Value b, int line);
  Value pointer_arithmetic(Op op, const Value& a, const Value& b);
  Value statements(const Expr& e);
  Value change(const Expr& e);
  Value assign(const Expr& e);
  std::optional<bool> truth(const Value& v) const;
  Value number(std::int64_t v, const Type* t) const { return {.type = t, .i = v}; }
  Value real(double v, const Type* t) const { return {.type = t, .f = v}; }
  static Value normal(Value v);
  double as_real(const Value& v) const {
    return v.type->kind == Kind::floating                       ? v.f
           : v.type->is_signed || v.type->kind != Kind::integer ? static_cast<double>(v.i)
                                                                : static_cast<double>(static_cast<std::uint64_t>(v.i));
  }

  // machine_places.cpp
  Place place(const Expr& e);
  Value load(const Place& p);
  void store(const Place& p, Value v, int line);
  std::optional<Place> member(const Place& of, std::string_view name);
  Address temporary(const Type* t);
  Slot& slot(Frame& f, int i);
  Address slot_memory(Slot& s, const Type* t);
  std::uint64_t word(Address a);  ///< 8 bytes; 0 where they are unknown

  // machine_templates.cpp
  void bind_from(const Lexed& l, int first, int last, const Type* t, const TemplateParameter& p, Bound& out);
  bool deduce(int function, const Expr& name, const std::vector<const Type*>& given, Bindings& out);

  // machine_methods.cpp
  std::string_view operator_of(int function) const;
  std::optional<Value> assigned_by_operator(const Place& object, const Expr& right, int line);
  void note_plain_copy(const Type* t, int line, int depth = 0);
  Value method(const Place& object, const Expr& member, std::span<Expr* const> arguments, int line);

  // machine_calls.cpp
  Value call(const Expr& e);
  Value call_function(const std::vector<int>& overloads, const Expr& name, std::span<Expr* const> arguments,
                      Address self, int record, int line);
  Value call_lambda(const Value& code, std::span<Expr* const> arguments, int line);
  Value vector_method(const Place& vector, std::string_view name, std::span<Expr* const> arguments, int line);
  bool execute_limited(const FunctionBody& body, int function, int line);
  bool may_launch(int function);
  Value unknown_call(std::string_view name, std::span<Expr* const> arguments, int line);
  void construct(Address at, const Type* t, std::span<Expr* const> arguments, bool list, const Expr* words, int line);
  void construct_in(Address at, const Type* t, std::span<Expr* const> arguments, bool list, const Expr* words,
                    int line);
  void construct_record(Address at, const Type* t, std::span<Expr* const> arguments, bool list, const Expr* words,
                        int line);
  void construct_vector(Address at, const Type* t, std::span<Expr* const> arguments, bool list, int line);
  std::optional<Value> allocated_by_class(const Type* t, std::uint64_t bytes, int line);
  void zero(Address at, const Type* t);
  std::string function_named(const Value& v) const;
  const Type* static_type(const Expr& e);
  void set_word(Address a, std::uint64_t v);
  void resize(const Place& vector, std::uint64_t elements, int line);
  Value function_value(std::string_view name, const Expr& e);

  // machine_library.cpp
  std::optional<Value> library(std::string_view name, std::span<Expr* const> arguments, const Expr& e);
  std::optional<Value> math(std::string_view name, std::span<Expr* const> arguments);
  std::optional<Value> algorithms(std::string_view name, std::span<Expr* const> arguments, int line);
  std::optional<Value> made_object(const Expr& e);
  double random_unit();
  std::uint64_t random_bits();
  Value random_call(const Place& source, std::span<Expr* const> arguments);
  std::string text_of(const Value& v);
  void poison_pointee(const Expr& argument, const Value& v, Reason why);

  // machine_runtime.cpp
  std::optional<Value> runtime(std::string_view name, std::span<Expr* const> arguments, const Expr& e);
  std::optional<Value> device_call(std::string_view name, std::span<Expr* const> arguments, int line);
  Value allocate(std::span<Expr* const> arguments, std::size_t size, Space space, int line, std::string_view with);
  Value fresh(std::uint64_t bytes, Space space, int line, Reason content);
  Value copied(const Value& to, const Value& from, const Value& bytes, int line, std::string_view with);
  /// The address that a value is, as copies take it; 0: none that is known.
  Address pointed(const Value& v);

  // machine_streams.cpp
  /// In which stream a call issues what it does.
  struct IssuedIn {
    std::string_view call;                      ///< empty: a launch
    std::optional<StreamOrder::Stream> stream;  ///< nullopt: not known
    std::string_view text{};                    ///< of the stream, as written
    bool asynchronous = true;
  };
  struct Touched {
    Address at = 0;
    std::uint64_t bytes = 0;
    bool writes = false;
  };
  StreamOrder::Stream default_stream() const;
  std::optional<StreamOrder::Stream> stream_of(const Value& v) const;
  Address event_of(const Value& v) const;
  Address new_handle(const Expr& target, int line);
  std::optional<Value> stream_call(std::string_view name, std::span<Expr* const> arguments, int line);
  /// The stream that argument `at` of a call names; the default one where there is none.
  IssuedIn issued_in(std::string_view call, std::span<Expr* const> arguments, std::size_t at);
  HostOperation issue(const IssuedIn& in, int line);
  void keep(HostOperation operation);
  void transfer(const IssuedIn& in, std::span<const Touched> touched, int line);

  // machine_launches.cpp
  Value launch(const Expr& e);
  Value launch_call(std::string_view name, std::span<Expr* const> arguments, int line);
  /// Default arguments of the kernel behind those that are given.
  void add_defaults(int kernel, const Bindings& of_kernel, std::vector<std::pair<Value, const Expr*>>& arguments);
  void record_launch(HostLaunch l, int kernel, std::vector<std::pair<Value, const Expr*>> arguments,
                     const Bindings& of_kernel, const IssuedIn& in);
  std::vector<std::string> template_words(const Expr& name, int kernel);
  std::string instance(const Expr& name, int kernel, const std::vector<const Type*>& given, HostLaunch& l);
  std::optional<std::array<std::uint32_t, 3>> extents(const Value& v, std::string_view what, HostLaunch& l);
  HostArgument argument(const Value& v, const std::string& text, std::string_view type, int line);
  HostPointer pointer(Address a);
  void fields(Address at, const Type* t, const std::string& name, std::uint32_t offset, std::vector<HostField>& out,
              bool layout_only);
  int kernel_named(std::string_view name, std::size_t arguments = 0) const;
  bool takes_array(int kernel, std::size_t parameter) const;

  // machine_changes.cpp
  /// What the host has stored in memory of launches that may still run; `ended`: it has just waited for them.
  void look_meanwhile(bool ended);
  int buffer_of(Object& o);
  void tell(Address a);
  void tell_reached(Address a, int line);
  void note_stores(Object& o, int line);
  void note_run(Object& o, std::uint64_t from, std::uint64_t bytes, int line);
  void note_copy(Address to, Address from, std::uint64_t bytes, int line);
  void note_addresses(Object& o, std::uint64_t from, std::uint64_t bytes, int line);
  void copy_bytes(Address to, Address from, std::uint64_t bytes, int line);
  void manage(const Declared& d);
  Address origin_of(Address from, std::uint64_t bytes, int line);
  bool add_change(HostChange change, const Object& to);
  std::vector<Address> reached_from(Address a);
  void before_launch(int line);
  void written_by_kernel(std::set<Address> objects, Reason why);

  Program& p_;
  const HostLimits& limits_;
  bool never_leave_;
  Memory memory_;
  HostRun out_;
  std::deque<Frame> frames_;
  std::vector<Frame> closed_;
  Frame* frame_ = nullptr;
  Frame globals_;
  std::uint64_t steps_ = 0, next_check_ = 0, serial_ = 0, random_ = 0x9e3779b97f4a7c15ULL;
  CRandom rand_{1};
  std::vector<Loop> loops_;
  std::vector<Address> temporaries_;
  Value returned_;
  Address returned_memory_ = 0;
  const Type* return_type_ = nullptr;
  bool return_reference_ = false;
  static constexpr int deepest_evaluation = 350;  ///< of expressions and of objects that are made
  int depth_ = 0, eval_depth_ = 0, statement_depth_ = 0, poison_depth_ = 0, uncertain_ = 0;
  int sure_ = 0;  ///< `uncertain_` where nothing but the root itself may not happen
  Flow pending_ =
      Flow::next;  ///< how a statement inside of an expression has ended: the statement around it ends so, too
  bool constant_only_ = false;  ///< an expression is evaluated while a body is parsed: locals have no value
  bool in_main_ = false;
  Reason uncertain_why_ = 0;
  Reason uninitialised_ = 0;
  std::set<int> executed_;
  std::set<std::string> noted_;
  std::map<std::string, Address, std::less<>> code_;
  struct Closure {
    const Expr* lambda = nullptr;
    Frame* frame = nullptr;
    std::uint64_t serial = 0;
    std::string_view name{};
    const Expr* named = nullptr;
  };
  std::map<Address, Closure> closures_;
  std::map<std::string_view, Address> strings_;
  std::deque<Bindings> bindings_;
  std::deque<std::string> strings_kept_;
  std::vector<std::string> command_line_;  ///< what `main` is called with, without the program's name
  int words_ = 1;                          ///< argc where there is no command line
  int number_ = number_of_command_line;    ///< what a number is taken as that is read from there
  bool small_guesses_ = false;             ///< sizes that template arguments are guessed to be
  std::vector<bool> may_launch_;           ///< by function, once it has been asked
  bool limited_ = false;                   ///< in a function with a budget of its own
  bool globals_only_ = false;              ///< poison_target: the frame is not that of the expression
  StreamOrder streams_;
  std::map<Address, StreamOrder::Stream> stream_handles_;
  std::set<Address> pinned_;      ///< allocations of the host that it has pinned
  std::vector<Address> managed_;  ///< variables that the host and every kernel can write
  std::vector<Address> live_;     ///< objects whose contents the run has told
  std::set<Address> running_;     ///< objects of launches that the host has not waited for
  std::vector<std::pair<Address, std::string_view>> unset_globals_;  ///< that have no initial value
  std::int64_t most_resident_ = 0;  ///< blocks on the GPU at once, the most that was answered; 0: nobody asked
  std::uint64_t change_bytes_ = 0;  ///< of all contents in changes

  // By function, as long as there are as many globals: see naming_globals().
  std::map<int, std::vector<int>> naming_globals_;
  std::size_t globals_known_ = 0;
};

}  // namespace lanescope::source::host
