#include "kernels/source/host/machine.h"
#include "kernels/source/host/template_guess.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_notes = 40;

}  // namespace

Machine::Machine(Program& program, const HostLimits& limits, bool never_leave, std::vector<std::string> command_line)
    : p_(program),
      limits_(limits),
      never_leave_(never_leave),
      memory_(limits.bytes),
      command_line_(std::move(command_line)) {
  uninitialised_ = because("it is not set");
  p_.evaluate = [this](const Expr* e) -> std::optional<std::int64_t> {
    if (e == nullptr) return std::nullopt;
    Frame* before = frame_;
    const int depth = depth_, eval_depth = eval_depth_, statement_depth = statement_depth_;
    const bool constant_only = constant_only_;
    constant_only_ = true;
    if (frame_ == nullptr) frame_ = &globals_;
    Value v;
    try {
      v = convert(eval(*e), p_.types.i64);
    } catch (const Abandon&) {
      v.unknown = 1;
    } catch (const Stop&) {
      v.unknown = 1;
    }
    frame_ = before;
    depth_ = depth, eval_depth_ = eval_depth, statement_depth_ = statement_depth, constant_only_ = constant_only;
    return v.unknown != 0 ? std::nullopt : std::optional(v.i);
  };
}

void Machine::note(std::string words) {
  if (out_.notes.size() >= most_notes || !noted_.insert(words).second) return;
  out_.notes.push_back(std::move(words));
}

/// Counts; now and then looks whether a loop has exceeded its budget.
void Machine::step() {
  steps_ += 1 + memory_.take_work() / bytes_of_step;
  if (steps_ < next_check_) return;
  next_check_ = steps_ + 256;
  if (steps_ > limits_.steps + limits_.steps / 4) throw Stop{};
  for (std::size_t i = 0; i < loops_.size(); ++i)
    if (steps_ > loops_[i].deadline) throw Abandon{i};
}

std::uint64_t Machine::steps_until_check() const {
  std::uint64_t end = limits_.steps;
  for (const Loop& l : loops_) end = std::min(end, l.deadline);
  return end > steps_ ? end - steps_ : 0;
}

void Machine::globals() {
  frame_ = &globals_;
  globals_.bindings = nullptr;
  for (const TopDeclaration& d : p_.outline.declarations) {
    for (const Stmt* s : p_.declaration(d.first, d.last)) {
      try {
        if (s != nullptr) execute(*s);
      } catch (const Abandon&) {
      } catch (const Stop&) {}
    }
  }
}

/// For a template that nothing calls: its defaults, and what its parameters suggest.
const Bindings& Machine::guessed_bindings(int function) {
  static const Bindings none;
  const std::vector<TemplateParameter> parameters = p_.template_parameters(function);
  const auto guessed = guessed_arguments(parameters);
  if (parameters.empty() || !guessed) return none;
  Expr name{};
  std::vector<std::string_view> words;
  for (const GuessedArgument& a : *guessed) words.push_back(strings_kept_.emplace_back(a.spelled));
  name.words = words;
  for (std::size_t i = 0; i < words.size(); ++i)
    name.types.push_back(parameters[i].is_type ? p_.types.float_ : nullptr);
  Bindings& bound = bindings_.emplace_back();
  if (!deduce(function, name, {}, bound)) return none;
  for (Bound& b : bound)
    if (b.type == nullptr && !b.value) b.value = b.spelled == "true" ? 1 : std::strtoll(b.spelled.c_str(), nullptr, 0);
  std::string values;
  for (const Bound& b : bound) values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", b.name, b.spelled);
  note(fmt::format("line {}: the template arguments of `{}` are assumed, because nothing calls it: {}",
                   p_.outline.functions[static_cast<std::size_t>(function)].info.first_line,
                   p_.outline.functions[static_cast<std::size_t>(function)].info.name, values));
  return bound;
}

/// What argv points to: the program's name, the words of the command line, the null pointer.
Address Machine::argument_texts() {
  std::vector<Address> texts;
  const auto add = [&](std::string_view text) {
    const Address a = memory_.make(text.size() + 1, Space::characters, 0, 0);
    memory_.write(a, text.size() + 1, std::string(text).c_str(), 0);
    texts.push_back(a);
  };
  add("program");
  for (const std::string& word : command_line_) add(word);
  texts.push_back(0);
  const std::uint64_t bytes = texts.size() * sizeof(Address);
  const Address list = memory_.make(bytes, Space::host, 0, 0);
  memory_.write(list, bytes, texts.data(), 0);
  return list;
}

void Machine::root(int function, bool called) {
  const Bindings& none = guessed_bindings(function);
  const int record = p_.record_of_method(function);
  const FunctionBody* body = p_.body(function, none, record);
  if (body == nullptr || body->body == nullptr) return;
  executed_.insert(function);
  Frame& f = frames_.emplace_back();
  f.bindings = &none;
  f.serial = ++serial_;
  f.record = record;
  const std::string& name = p_.outline.functions[static_cast<std::size_t>(function)].info.name;
  const Reason parameter =
      because(called ? std::string(words_of_command_line)
                     : fmt::format("it is a parameter of `{}`, which nothing in this file calls", name));
  if (record >= 0) f.self = memory_.make(p_.types.record(record).bytes, Space::host, 0, parameter);
  for (std::size_t i = 0; i < body->parameters.size(); ++i) {
    const ParameterOf& p = body->parameters[i];
    Slot& s = slot(f, p.slot);
    const bool whole = p.type->kind == Kind::unknown || p.type->kind == Kind::automatic;
    const Address a = slot_memory(s, whole ? p_.types.unknown("parameter") : p.type);
    memory_.poison_all(a, parameter);
    if (called && i == 0 && p.type->is_number())  // argc
      store({a, p.type}, number(1 + static_cast<std::int64_t>(command_line_.size()), p_.types.int_), 0);
    if (called && i == 1 && p.type->kind == Kind::pointer && !command_line_.empty())  // argv
      store({a, p.type}, {.type = p.type, .i = static_cast<std::int64_t>(argument_texts())}, 0);
  }
  frame_ = &f;
  loops_.clear();
  depth_ = eval_depth_ = statement_depth_ = poison_depth_ = 0;
  uncertain_ = sure_ = called ? 0 : 1;
  uncertain_why_ = called ? Reason{0} : because(fmt::format("nothing in this file calls `{}`", name));
  in_main_ = called;
  try {
    execute(*body->body);
  } catch (const Abandon&) {
  } catch (const Stop&) {}
  uncertain_ = sure_ = 0;
  loops_.clear();
  f.alive = false;
}

/// Whether its own body launches, as far as its words show.
bool Machine::has_launch(const FunctionRange& f) const {
  for (int t = f.open; t < f.close; ++t) {
    if (!p_.lexed.is(t, "<<<") && p_.lexed.token(t).kind != TokenKind::identifier) continue;
    const std::string_view word = p_.lexed.of(t);
    if (word == "<<<" || word == "cudaLaunchKernel" || word == "cudaLaunchKernelEx" ||
        word == "cudaLaunchCooperativeKernel" || p_.macros.defines(word))
      return true;
  }
  return false;
}

/// Functions with a launch that were not reached, and before them those that call them: a template has the arguments that
/// these give it.
void Machine::uncalled_roots() {
  const std::size_t count = p_.outline.functions.size();
  std::vector<bool> launches(count);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < count; ++i) {
    const FunctionRange& f = p_.outline.functions[i];
    if (f.info.is_kernel || executed_.contains(static_cast<int>(i)) || !has_launch(f)) continue;
    launches[i] = true;
    found.push_back(i);
  }
  if (found.empty()) return;
  std::vector<std::vector<std::size_t>> callers(count);
  for (std::size_t i = 0; i < count; ++i) {
    const FunctionRange& f = p_.outline.functions[i];
    if (f.info.is_kernel || executed_.contains(static_cast<int>(i))) continue;
    std::set<std::string_view> named;
    for (int t = f.open; t < f.close; ++t)
      if (p_.lexed.token(t).kind == TokenKind::identifier) named.insert(p_.lexed.of(t));
    for (const std::string_view name : named)
      if (const auto own = p_.functions.find(name); own != p_.functions.end())
        for (const int called : own->second)
          if (static_cast<std::size_t>(called) != i) callers[static_cast<std::size_t>(called)].push_back(i);
  }
  std::vector<bool> is_called(count);
  for (std::size_t n = 0; n < found.size(); ++n)
    for (const std::size_t caller : callers[found[n]]) {
      is_called[found[n]] = true;
      if (launches[caller]) continue;
      launches[caller] = true;
      found.push_back(caller);
    }
  for (const bool callers_first : {true, false})
    for (std::size_t i = 0; i < count; ++i)
      if (launches[i] && !(callers_first && is_called[i]) && !executed_.contains(static_cast<int>(i)))
        root(static_cast<int>(i), false);
}

HostRun Machine::run() {
  globals();
  const auto main = p_.functions.find("main");
  if (main != p_.functions.end()) root(main->second.front(), true);
  for (HostLaunch& l : out_.launches) l.called = true;
  const std::size_t of_main = out_.launches.size();
  out_.steps = steps_;
  if (out_.launch_count == 0 && !never_leave_ && main != p_.functions.end()) return std::move(out_);
  uncalled_roots();
  for (std::size_t i = of_main; i < out_.launches.size(); ++i) out_.launches[i].called = false;
  for (int r = 0; r < p_.types.records(); ++r) {
    const Record& record = p_.types.record(r);
    if (!record.of_file || record.has_unknown || record.name.empty() || out_.records.size() > 200) continue;
    HostRecord made{.name = record.name, .bytes = static_cast<std::uint32_t>(record.bytes), .fields = {}};
    fields(0, p_.types.record_type(r), "", 0, made.fields, true);
    out_.records.push_back(std::move(made));
  }
  out_.steps = steps_;
  return std::move(out_);
}

}  // namespace lanescope::source::host

namespace lanescope::source {

HostRun run_host(const Lexed& lexed, const Outline& outline, const HostLimits& limits,
                 const std::vector<std::string>& command_line) {
  HostRun out;
  // What all attempts cost is limited together; the second and third have a quarter at least.
  std::uint64_t steps = 0;
  const auto run = [&](bool never_leave, const std::vector<std::string>& words) {
    HostLimits rest = limits;
    rest.steps = std::max(limits.steps - std::min(limits.steps, steps), limits.steps / 4);
    host::Program program(lexed, outline);
    out = host::Machine(program, steps == 0 ? limits : rest, never_leave, words).run();
    out.with_command_line = !words.empty();
    steps += out.steps;
    out.steps = steps;
  };
  if (!command_line.empty()) run(false, command_line);
  if (out.launch_count == 0) run(false, {});
  // `if (argc != 2) return 1;` and the like: once more, without leaving early.
  if (out.launch_count == 0) run(true, {});
  return out;
}

}  // namespace lanescope::source
